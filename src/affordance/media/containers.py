"""The parts that JPEG, PNG and RIFF (WebP) files consist of. Nothing is decoded."""

from collections.abc import Iterator
from pathlib import Path

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
START_OF_SCAN = 0xDA  # JPEG: pixels follow

_JPEG_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xDA)}
_RIFF_HEADER_BYTES = 12


def jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Marker and content of each segment, up to and including the start of the pixels."""
    position = 2
    while position + 4 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        if marker == 0xFF:  # a fill byte
            position += 1
            continue
        if marker in _JPEG_WITHOUT_LENGTH:
            position += 2
            continue
        length = int.from_bytes(data[position + 2 : position + 4], "big")
        yield marker, data[position + 4 : position + 2 + length]
        if marker == START_OF_SCAN:
            return
        position += 2 + length


def png_chunk_types(path: Path) -> Iterator[bytes]:
    """The type of each chunk that is complete. Contents are skipped, not read."""
    size = path.stat().st_size
    position = len(PNG_SIGNATURE)
    with path.open("rb") as file:
        while position + 12 <= size:
            file.seek(position)
            head = file.read(8)
            position += 12 + int.from_bytes(head[:4], "big")
            if position > size:
                return
            yield head[4:]


def riff_chunks(data: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """Type, content and stated length of each chunk; the content is shorter where the data ends early."""
    position = _RIFF_HEADER_BYTES
    while position + 8 <= len(data):
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        content = data[position + 8 : position + 8 + length]
        yield data[position : position + 4], content, length
        position += 8 + length + length % 2
