"""Pictures from strangers: no pixel is decoded before their number is known, and nothing but the pixels is kept."""

from pathlib import Path

from affordance.core.errors import MediaError
from affordance.core.picture import ImageEncoding
from affordance.media._encode import decode_image, encode_image
from affordance.media._kinds import JPEG, PNG, WEBP, MediaFormat, detect_format
from affordance.media._still import MIN_SIDE, ImportedImage, import_image, stated_size

_EXPECTED = "expected a PNG, JPEG or WebP picture"
_RIFF_HEADER = 12
_MASK = 0x3FFF  # 14 bits: a side of a WebP


def reencode_untrusted(path: Path, most_pixels: int) -> ImportedImage:
    """A still that is encoded anew, as PNG. A MediaError that does not name the file says what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MediaError(f"{_EXPECTED}, found a file that cannot be read: {error.strerror}") from None
    kind = _format_of(path)
    width, height = (_webp_size(data) if kind is WEBP else stated_size(data, kind)) or (0, 0)
    if min(width, height) < MIN_SIDE:
        raise MediaError(f"expected a screen of at least {MIN_SIDE} pixels a side, found {width}x{height}")
    if width * height > most_pixels:
        raise MediaError(f"expected at most {most_pixels // 1_000_000} megapixels, found {width}x{height}; shrink it")
    try:
        still = import_image(path)
        encoded = encode_image(decode_image(still.data), ImageEncoding()) if still.data == data else still.data
    except MediaError as error:
        why = str(error).replace(f"{path}: ", "").replace(str(path), "it")
        raise MediaError(f"{_EXPECTED}, found a broken one: {why}") from None
    return ImportedImage(encoded, ".png", still.width, still.height, still.conversions)


def _format_of(path: Path) -> MediaFormat:
    try:
        kind = detect_format(path)
    except MediaError:
        raise MediaError(f"{_EXPECTED}, found something else") from None
    if kind not in (PNG, JPEG, WEBP):
        raise MediaError(f"{_EXPECTED}, found {kind.name}")
    return kind


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """The largest of what the parts of the file say: the canvas, and the picture on it."""
    sizes = []
    place = _RIFF_HEADER
    while place + 18 <= len(data):
        name, body = data[place : place + 4], data[place + 8 : place + 18]
        if name == b"VP8X":
            sizes.append((1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")))
        elif name == b"VP8 ":
            sizes.append((int.from_bytes(body[6:8], "little") & _MASK, int.from_bytes(body[8:10], "little") & _MASK))
        elif name == b"VP8L":
            bits = int.from_bytes(body[1:5], "little")
            sizes.append((1 + (bits & _MASK), 1 + (bits >> 14 & _MASK)))
        length = int.from_bytes(data[place + 4 : place + 8], "little")
        place += 8 + length + length % 2
    return max(sizes, key=lambda size: size[0] * size[1], default=None)
