"""File formats: what a file is by its first bytes, and whether it is complete.

The format is detected by content, never by name, and the demuxer is named explicitly: left to guess, ffmpeg reads a
text file as a video of a terminal and a `%` in a file name as a pattern.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from affordance.core.errors import MediaError
from affordance.media.containers import PNG_SIGNATURE, png_chunk_types

_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class MediaFormat:
    name: str
    demuxer: str | None  # ffmpeg's name; None for animated WebP, which ffmpeg does not decode
    is_image: bool  # a file of this format with a single frame is a still
    first_frame_only: bool = False  # what follows the first frame is no animation: thumbnails, gain maps
    suffix: str = ""  # of files of this format; empty where several are usual


MOV = MediaFormat("mp4/mov", "mov", is_image=False)
MATROSKA = MediaFormat("webm/mkv", "matroska", is_image=False)
GIF = MediaFormat("gif", "gif", is_image=True, suffix=".gif")
APNG = MediaFormat("animated png", "apng", is_image=True, suffix=".png")
PNG = MediaFormat("png", "png_pipe", is_image=True, first_frame_only=True, suffix=".png")
JPEG = MediaFormat("jpeg", "jpeg_pipe", is_image=True, first_frame_only=True, suffix=".jpg")
WEBP = MediaFormat("webp", "webp_pipe", is_image=True, first_frame_only=True, suffix=".webp")
ANIMATED_WEBP = MediaFormat("animated webp", None, is_image=True, suffix=".webp")

_PREFIXES: tuple[tuple[bytes, MediaFormat], ...] = (
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"\xff\xd8\xff", JPEG),
    (PNG_SIGNATURE, PNG),
    (b"\x1aE\xdf\xa3", MATROSKA),
)
_MOV_ATOMS = {b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"}
# Brands of still images in the container of mp4, which ffmpeg would read as a clip of one second.
_IMAGE_BRANDS = {b"avif": "AVIF", b"heic": "HEIF", b"heix": "HEIF", b"heim": "HEIF", b"heis": "HEIF", b"mif1": "HEIF"}
_WEBP_ANIMATION_FLAG = 0x02


def detect_format(path: Path) -> MediaFormat:
    """The format of a file.

    Raises:
        MediaError: the file cannot be read, or is of no supported format.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except FileNotFoundError:
        raise MediaError(f"{path}: expected an image or video, found no such file") from None
    except IsADirectoryError:
        raise MediaError(f"{path}: expected an image or video, found a folder") from None
    except OSError as error:
        raise MediaError(f"{path}: cannot be read: {error.strerror}") from error
    if not head:
        raise MediaError(f"{path}: expected an image or video, found an empty file")
    if head[4:8] == b"ftyp" and (still := _IMAGE_BRANDS.get(head[8:12])) is not None:
        raise MediaError(f"{path}: {still} images are not supported; convert it to PNG, JPEG or WebP")
    found = image_format(head)
    if found is PNG and _is_animated_png(path):
        return APNG
    if found is None and head[4:8] in _MOV_ATOMS:
        return MOV
    if found is None:
        raise MediaError(
            f"{path}: expected mp4, mov, webm, mkv, gif, png, jpeg or webp, found a file that begins with {head[:8]!r}"
        )
    return found


def image_format(head: bytes) -> MediaFormat | None:
    """The format by the first bytes of a file; None for mp4 and for unsupported files. An animated PNG counts as
    PNG."""
    for prefix, found in _PREFIXES:
        if head.startswith(prefix):
            return found
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        animated = head[12:16] == b"VP8X" and len(head) > 20 and head[20] & _WEBP_ANIMATION_FLAG
        return ANIMATED_WEBP if animated else WEBP
    return None


def _is_animated_png(path: Path) -> bool:
    """Whether the chunk that announces an animation comes before the pixels."""
    for chunk in png_chunk_types(path):
        if chunk in (b"acTL", b"IDAT"):
            return chunk == b"acTL"
    return False


_MATROSKA_SEGMENT = b"\x18\x53\x80\x67"


def is_complete(path: Path, media_format: MediaFormat) -> bool:
    """Whether the structure of the file reaches its end. True for formats whose decoders notice it themselves."""
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
    return b"IEND" in png_chunk_types(path)


def _matroska_is_complete(path: Path) -> bool:
    """Whether the one segment of the file ends within it. A segment of unknown size, as live recorders write it,
    does."""
    with path.open("rb") as file:
        head = file.read(4096)
    try:
        size, start = _ebml_size(head, 4)
        segment = start + size
        size, start = _ebml_size(head, segment + 4)
    except IndexError:
        return False
    unknown = size == (1 << 7 * (start - segment - 4)) - 1
    return head[segment : segment + 4] == _MATROSKA_SEGMENT and (unknown or start + size <= path.stat().st_size)


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
