"""What kind of file it is, by its first bytes, and who reads it.

The kind is told by content and never by name, and the demuxer is named outright: left to guess, ffmpeg reads a text
file as a video of a terminal and a `%` in a file name as a pattern.
"""

from dataclasses import dataclass
from pathlib import Path

from affordance.core.errors import MediaError

HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class MediaFormat:
    name: str
    demuxer: str | None  # ffmpeg's name; None for animated WebP, which its decoder does not know
    is_image: bool  # a file of this kind with a single frame is a still
    first_frame_only: bool = False  # whatever follows the first frame is no animation: thumbnails, gain maps


MOV = MediaFormat("mp4/mov", "mov", is_image=False)
MATROSKA = MediaFormat("webm/mkv", "matroska", is_image=False)
GIF = MediaFormat("gif", "gif", is_image=True)
APNG = MediaFormat("animated png", "apng", is_image=True)
PNG = MediaFormat("png", "png_pipe", is_image=True, first_frame_only=True)
JPEG = MediaFormat("jpeg", "jpeg_pipe", is_image=True, first_frame_only=True)
WEBP = MediaFormat("webp", "webp_pipe", is_image=True, first_frame_only=True)
ANIMATED_WEBP = MediaFormat("animated webp", None, is_image=True)

_PREFIXES: tuple[tuple[bytes, MediaFormat], ...] = (
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"\xff\xd8\xff", JPEG),
    (b"\x1aE\xdf\xa3", MATROSKA),
)
_MOV_ATOMS = {b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"}
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_WEBP_ANIMATION_FLAG = 0x02


def detect_format(path: Path) -> MediaFormat:
    """The kind of a file, or a MediaError that says why it has none."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except FileNotFoundError:
        raise MediaError(f"{path}: expected a picture or video, found no such file") from None
    except IsADirectoryError:
        raise MediaError(f"{path}: expected a picture or video, found a directory") from None
    except OSError as error:
        raise MediaError(f"{path}: cannot be read: {error.strerror}") from error
    if not head:
        raise MediaError(f"{path}: expected a picture or video, found an empty file")
    kind = _format_of_head(head)
    if kind is None:
        raise MediaError(
            f"{path}: expected mp4, mov, webm, mkv, gif, png, jpeg or webp, found a file that begins with {head[:8]!r}"
        )
    return kind


def _format_of_head(head: bytes) -> MediaFormat | None:
    for prefix, kind in _PREFIXES:
        if head.startswith(prefix):
            return kind
    if head.startswith(_PNG_SIGNATURE):
        return APNG if b"acTL" in head.partition(b"IDAT")[0] else PNG
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        animated = head[12:16] == b"VP8X" and len(head) > 20 and head[20] & _WEBP_ANIMATION_FLAG
        return ANIMATED_WEBP if animated else WEBP
    return MOV if head[4:8] in _MOV_ATOMS else None
