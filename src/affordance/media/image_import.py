"""Import of images as stills that every client can show: upright, opaque, three colours of 8 bits, of limited size.

A file that is so already is taken byte by byte. Everything else is converted, with a note on each conversion.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.core.geometry import ImageSize
from affordance.core.media_spec import ImageEncoding
from affordance.media.containers import jpeg_segments, riff_chunks
from affordance.media.decoder import Pixels
from affordance.media.encoders import decode_image, encode, encode_image
from affordance.media.formats import JPEG, PNG, WEBP, MediaFormat, detect_format
from affordance.media.media_info import UPRIGHT, jpeg_orientation
from affordance.media.media_probe import probe

MIN_SIDE = 30  # pixels: smaller images show nothing to distinguish
MAX_PIXELS = 40_000_000  # a larger image is shrunk
MAX_DECODED_PIXELS = 300_000_000  # decoding more takes gigabytes

FLATTENED = "transparency flattened onto white"

_ROWS_PER_STRIP = 256
_START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_EXPECTED = "expected a PNG, JPEG or WebP image"
_WEBP_SIDE_MASK = 0x3FFF  # 14 bits: a side of a WebP


@dataclass(frozen=True, slots=True)
class ImportedImage:
    """An image as a file, with a note on each conversion."""

    data: bytes
    suffix: str
    width: int
    height: int
    conversions: tuple[str, ...] = ()


def import_image(path: Path) -> ImportedImage:
    """Read a file as a still.

    Raises:
        MediaError: the file is no image, a clip, too small, or far too large. The message names the file.
    """
    data = _read_bytes(path)
    media_format = detect_format(path)
    _check_size(path, stated_size(data, media_format))
    clip = probe(path)  # finds out whether the file is complete
    if not clip.is_still:
        raise MediaError(f"{path}: expected a still image, found a clip of {len(clip.pts)} frames")
    conversions = _needed_conversions(path, data, media_format)
    pixels = _decode_bgr(path, data, transparent=FLATTENED in conversions)
    height, width = pixels.shape[:2]
    _check_size(path, (width, height))
    if width * height > MAX_PIXELS:
        share = (MAX_PIXELS / (width * height)) ** 0.5
        small = max(MIN_SIDE, int(width * share)), max(MIN_SIDE, int(height * share))
        pixels = np.asarray(cv2.resize(pixels, small, interpolation=cv2.INTER_AREA), np.uint8)
        conversions.append(f"shrunk from {width}x{height} to {small[0]}x{small[1]}")
        width, height = small
    if not conversions:
        return ImportedImage(data, media_format.suffix, width, height)
    return ImportedImage(encode(pixels, ImageEncoding()), ".png", width, height, tuple(conversions))


def reencode_untrusted(path: Path, max_pixels: int) -> ImportedImage:
    """Read a file from outside as a still and encode it again as PNG.

    Raises:
        MediaError: what is wrong with the file, without its name.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MediaError(f"{_EXPECTED}, found a file that cannot be read: {error.strerror}") from None
    media_format = _untrusted_format(path)
    width, height = (_webp_size(data) if media_format is WEBP else stated_size(data, media_format)) or (0, 0)
    if min(width, height) < MIN_SIDE:
        raise MediaError(f"expected a screen of at least {MIN_SIDE} pixels a side, found {width}x{height}")
    if width * height > max_pixels:
        raise MediaError(f"expected at most {max_pixels // 1_000_000} megapixels, found {width}x{height}; shrink it")
    try:
        still = import_image(path)
        encoded = encode_image(decode_image(still.data)) if still.data == data else still.data
    except MediaError as error:
        why = str(error).replace(f"{path}: ", "").replace(str(path), "it")
        raise MediaError(f"{_EXPECTED}, found a broken one: {why}") from None
    return ImportedImage(encoded, ".png", still.width, still.height, still.conversions)


def displayed_size(path: Path) -> ImageSize:
    """Width and height of an image or video as displayed. Of a PNG or JPEG only the header is read."""
    media_format = detect_format(path)
    stated = stated_size(_read_bytes(path), media_format) if media_format in (PNG, JPEG) else None
    if stated is not None:
        return (jpeg_orientation(path) if media_format is JPEG else UPRIGHT).displayed_size(*stated)
    clip = probe(path)
    return clip.width, clip.height


def stated_size(data: bytes, media_format: MediaFormat) -> ImageSize | None:
    """The size in the header of a PNG or JPEG; None where there is none."""
    if media_format is PNG and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if media_format is JPEG:
        width, height, _ = _jpeg_frame_header(data)
        return (width, height) if width and height else None
    return None


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MediaError(f"{path}: cannot be read: {error.strerror}") from None


def _needed_conversions(path: Path, data: bytes, media_format: MediaFormat) -> list[str]:
    if media_format is PNG:
        depth, colours = data[24], data[25]
        transparent = colours in (4, 6) or b"tRNS" in data[: max(data.find(b"IDAT"), 0)]
        return [
            *([FLATTENED] if transparent else []),
            *(["converted from a palette"] if colours == 3 else []),
            *([f"reduced from {depth} bits"] if depth > 8 else []),
        ]
    if media_format is JPEG:
        turned = jpeg_orientation(path) != UPRIGHT
        cmyk = _jpeg_frame_header(data)[2] == 4
        return [
            *(["rotated as its EXIF data says"] if turned else []),
            *(["converted from CMYK"] if cmyk else []),
        ]
    if media_format is WEBP:
        return [FLATTENED] if _decode(path, data, cv2.IMREAD_UNCHANGED).shape[2:] == (4,) else []
    return [f"converted from {media_format.name}"]


def _decode_bgr(path: Path, data: bytes, *, transparent: bool) -> Pixels:
    """BGR pixels, upright, flattened onto white where transparent."""
    if transparent:
        found = _decode(path, data, cv2.IMREAD_UNCHANGED)
        if found.ndim == 3 and found.shape[2] == 4:
            return _flatten_onto_white(found)
    return np.asarray(_decode(path, data, cv2.IMREAD_COLOR), np.uint8)


def _decode(path: Path, data: bytes, flags: int) -> NDArray[np.generic]:
    try:
        found = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:  # such as above 2**30 pixels
        found = None
    if found is None:
        raise MediaError(f"{path}: expected an image, found {len(data)} bytes that begin with {data[:8]!r}")
    return found


def _flatten_onto_white(pixels: NDArray[np.generic]) -> Pixels:
    """In strips: as floating point numbers, a large image takes gigabytes."""
    most = 65535 if pixels.dtype == np.uint16 else 255
    flat = np.empty((*pixels.shape[:2], 3), np.uint8)
    for top in range(0, len(pixels), _ROWS_PER_STRIP):
        scaled = pixels[top : top + _ROWS_PER_STRIP].astype(np.float32) / most
        opaque = scaled[..., 3:]
        flat[top : top + _ROWS_PER_STRIP] = (scaled[..., :3] * opaque + 1 - opaque) * 255 + 0.5
    return flat


def _check_size(path: Path, size: ImageSize | None) -> None:
    if size is None:
        return
    width, height = size
    if min(size) < MIN_SIDE:
        raise MediaError(f"{path}: expected a screen of at least {MIN_SIDE} pixels a side, found {width}x{height}")
    if width * height > MAX_DECODED_PIXELS:
        most = MAX_DECODED_PIXELS // 1_000_000
        raise MediaError(f"{path}: expected at most {most} megapixels, found {width}x{height}; shrink it first")


def _jpeg_frame_header(data: bytes) -> tuple[int, int, int]:
    """Width, height and number of colours of a JPEG; zeros where it has no frame."""
    for marker, content in jpeg_segments(data):
        if marker in _START_OF_FRAME and len(content) >= 6:
            return int.from_bytes(content[3:5], "big"), int.from_bytes(content[1:3], "big"), content[5]
    return 0, 0, 0


def _untrusted_format(path: Path) -> MediaFormat:
    try:
        found = detect_format(path)
    except MediaError:
        raise MediaError(f"{_EXPECTED}, found something else") from None
    if found not in (PNG, JPEG, WEBP):
        raise MediaError(f"{_EXPECTED}, found {found.name}")
    return found


def _webp_size(data: bytes) -> ImageSize | None:
    """The largest of the sizes in the file: that of the canvas, and that of the image on it."""
    sizes = []
    for name, body, _ in riff_chunks(data):
        if len(body) < 10:
            continue
        if name == b"VP8X":
            sizes.append((1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")))
        elif name == b"VP8 ":
            width, height = (int.from_bytes(body[at : at + 2], "little") & _WEBP_SIDE_MASK for at in (6, 8))
            sizes.append((width, height))
        elif name == b"VP8L":
            bits = int.from_bytes(body[1:5], "little")
            sizes.append((1 + (bits & _WEBP_SIDE_MASK), 1 + (bits >> 14 & _WEBP_SIDE_MASK)))
    return max(sizes, key=lambda size: size[0] * size[1], default=None)
