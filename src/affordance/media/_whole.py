"""Whether a file is whole, for the kinds where a decoder takes the end of the file for the end of the clip."""

from collections.abc import Callable
from pathlib import Path

from affordance.media._kinds import APNG, GIF, MATROSKA, PNG, MediaFormat

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
