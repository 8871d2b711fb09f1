"""File formats: what a file is by its first bytes, and whether it is complete."""

from collections.abc import Callable
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


_SEGMENT = b"\x18\x53\x80\x67"


def is_complete(path: Path, media_format: MediaFormat) -> bool:
    """Whether the structure of the file reaches its proper end. True for kinds that need no such check."""
    check = _CHECKS.get(media_format)
    return check is None or check(path)


def _gif_is_complete(path: Path) -> bool:
    data = path.read_bytes()
    try:
        position = 13 + _colour_table(data[10])
        while data[position] != 0x3B:
            if data[position] == 0x21:  # extension: label, then sub-blocks
                position = _after_sub_blocks(data, position + 2)
            elif data[position] == 0x2C:  # image: descriptor, colours, code size, then sub-blocks
                position = _after_sub_blocks(data, position + 11 + _colour_table(data[position + 9]))
            else:
                return False
    except IndexError:
        return False
    return True


def _colour_table(packed: int) -> int:
    return 3 << ((packed & 7) + 1) if packed & 0x80 else 0


def _after_sub_blocks(data: bytes, position: int) -> int:
    while data[position]:
        position += 1 + data[position]
    return position + 1


def _png_is_complete(path: Path) -> bool:
    data = path.read_bytes()
    position = 8
    while position + 12 <= len(data):
        if data[position + 4 : position + 8] == b"IEND":
            return True
        position += 12 + int.from_bytes(data[position : position + 4], "big")
    return False


def _matroska_is_complete(path: Path) -> bool:
    """Whether the one segment of the file ends within it; one of unknown size, as live recorders write, always does."""
    with path.open("rb") as file:
        head = file.read(4096)
    try:
        size, start = _ebml_size(head, 4)
        segment = start + size
        size, start = _ebml_size(head, segment + 4)
    except IndexError:
        return False
    unknown = size == (1 << 7 * (start - segment - 4)) - 1
    return head[segment : segment + 4] == _SEGMENT and (unknown or start + size <= path.stat().st_size)


def _ebml_size(data: bytes, position: int) -> tuple[int, int]:
    """A variable-length size and the position after it."""
    width = 9 - data[position].bit_length()
    value = int.from_bytes(data[position : position + width], "big")
    return value & ((1 << 7 * width) - 1), position + width


_CHECKS: dict[MediaFormat, Callable[[Path], bool]] = {
    GIF: _gif_is_complete,
    PNG: _png_is_complete,
    APNG: _png_is_complete,
    MATROSKA: _matroska_is_complete,
}


SUFFIX_OF_FORMAT = {"png": ".png", "jpeg": ".jpg", "webp": ".webp", "gif": ".gif"}
