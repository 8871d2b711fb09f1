"""Pictures from anywhere as stills that everybody can show: upright, opaque, in three colours of 8 bits, not too large.

What is so already is taken byte by byte. Everything else is converted, and what was done is said."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.core.geometry import ImageSize
from affordance.core.media_spec import ImageEncoding
from affordance.media.decoder import Pixels
from affordance.media.encoders import decode_image, encode, encode_image
from affordance.media.formats import JPEG, PNG, WEBP, MediaFormat, detect_format
from affordance.media.media_info import UPRIGHT, jpeg_orientation
from affordance.media.media_probe import probe

MIN_SIDE = 30  # pixels: there is nothing to tell apart on less
MAX_PIXELS = 40_000_000  # a larger picture is shrunk
MAX_DECODED_PIXELS = 300_000_000  # would take gigabytes to decode

FLATTENED = "put on white, for it is transparent"

_SUFFIXES = {PNG: ".png", JPEG: ".jpg", WEBP: ".webp"}
_STRIP = 256  # rows
_START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class ImportedImage:
    """A picture as a file. `repairs` says what was done to it, in a few words each."""

    data: bytes
    suffix: str
    width: int
    height: int
    conversions: tuple[str, ...] = ()


def import_image(path: Path) -> ImportedImage:
    """A file as a still, or a MediaError that names it: also for clips, and for what is too small or far too large."""
    data = _content(path)
    kind = _format_of(path, data)
    _check_size(path, stated_size(data, kind))
    if kind is not None:
        clip = probe(path)  # which finds out whether it is whole
        if not clip.is_still:
            raise MediaError(f"{path}: expected a still picture, found a clip of {len(clip.pts)} frames")
    repairs = _needed_conversions(path, data, kind)
    pixels = _decode_bgr(path, data, transparent=kind is None or FLATTENED in repairs)
    height, width = pixels.shape[:2]
    _check_size(path, (width, height))
    if width * height > MAX_PIXELS:
        share = (MAX_PIXELS / (width * height)) ** 0.5
        small = max(MIN_SIDE, int(width * share)), max(MIN_SIDE, int(height * share))
        pixels = np.asarray(cv2.resize(pixels, small, interpolation=cv2.INTER_AREA), np.uint8)
        repairs.append(f"shrunk from {width}x{height} to {small[0]}x{small[1]}")
        width, height = small
    if not repairs and kind is not None:
        return ImportedImage(data, _SUFFIXES[kind], width, height)
    return ImportedImage(encode(pixels, ImageEncoding()), ".png", width, height, tuple(repairs))


def displayed_size(path: Path) -> ImageSize:
    """Of a picture or video. A PNG or JPEG says it in its head: nothing of it is decoded."""
    kind = detect_format(path)
    stated = stated_size(_content(path), kind) if kind in (PNG, JPEG) else None
    if stated is not None:
        return (jpeg_orientation(path) if kind is JPEG else UPRIGHT).displayed_size(*stated)
    clip = probe(path)
    return clip.width, clip.height


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MediaError(f"{path}: cannot be read: {error.strerror}") from None


def _format_of(path: Path, data: bytes) -> MediaFormat | None:
    """None for a picture of a kind that only has to be converted: BMP, TIFF and the like."""
    try:
        return detect_format(path)
    except MediaError:
        if data and cv2.haveImageReader(str(path)):
            return None
        raise


def _needed_conversions(path: Path, data: bytes, media_format: MediaFormat | None) -> list[str]:
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
        cmyk = _frame_header(data)[2] == 4
        return [
            *(["turned upright, as its EXIF data says"] if turned else []),
            *(["converted from CMYK"] if cmyk else []),
        ]
    if media_format is WEBP:
        alpha = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        return [FLATTENED] if alpha is not None and alpha.shape[2:] == (4,) else []
    return [
        f"converted from {path.suffix.lstrip('.') or 'another kind'}"
        if media_format is None
        else f"taken from a {media_format.name}"
    ]


def _decode_bgr(path: Path, data: bytes, *, transparent: bool) -> Pixels:
    """BGR pixels, upright, on white where transparent."""
    encoded = np.frombuffer(data, np.uint8)
    found = cv2.imdecode(encoded, cv2.IMREAD_UNCHANGED if transparent else cv2.IMREAD_COLOR) if data else None
    if found is None:
        raise MediaError(f"{path}: expected a picture, found {len(data)} bytes that begin with {data[:8]!r}")
    if transparent and found.ndim == 3 and found.shape[2] == 4:
        return _on_white(found)
    return _decode_bgr(path, data, transparent=False) if transparent else np.asarray(found, np.uint8)


def _on_white(pixels: NDArray[np.generic]) -> Pixels:
    """In strips: as floating point numbers, a large picture takes gigabytes."""
    most = 65535 if pixels.dtype == np.uint16 else 255
    shown = np.empty((*pixels.shape[:2], 3), np.uint8)
    for top in range(0, len(pixels), _STRIP):
        scaled = pixels[top : top + _STRIP].astype(np.float32) / most
        opaque = scaled[..., 3:]
        shown[top : top + _STRIP] = (scaled[..., :3] * opaque + 1 - opaque) * 255 + 0.5
    return shown


def _check_size(path: Path, size: ImageSize | None) -> None:
    if size is None:
        return
    width, height = size
    if min(size) < MIN_SIDE:
        raise MediaError(f"{path}: expected a screen of at least {MIN_SIDE} pixels a side, found {width}x{height}")
    if width * height > MAX_DECODED_PIXELS:
        most = MAX_DECODED_PIXELS // 1_000_000
        raise MediaError(f"{path}: expected at most {most} megapixels, found {width}x{height}; shrink it first")


def stated_size(data: bytes, media_format: MediaFormat | None) -> ImageSize | None:
    """As the file says, before anything is decoded; None where it is not told in a simple way."""
    if media_format is PNG and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if media_format is JPEG:
        width, height, _ = _frame_header(data)
        return (width, height) if width and height else None
    return None


def _frame_header(data: bytes) -> tuple[int, int, int]:
    """Width, height and colours of a JPEG; zeros where it has no frame."""
    place = 2
    while place + 10 <= len(data):
        if data[place] != 0xFF:
            return 0, 0, 0
        marker = data[place + 1]
        if marker in _START_OF_FRAME:
            height, width = (int.from_bytes(data[place + at : place + at + 2], "big") for at in (5, 7))
            return width, height, data[place + 9]
        place += (
            2 if marker == 0xFF or 0xD0 <= marker <= 0xD9 else 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        )
    return 0, 0, 0


_EXPECTED = "expected a PNG, JPEG or WebP picture"
_RIFF_HEADER = 12
_MASK = 0x3FFF  # 14 bits: a side of a WebP


def reencode_untrusted(path: Path, most_pixels: int) -> ImportedImage:
    """A still that is encoded anew, as PNG. A MediaError that does not name the file says what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MediaError(f"{_EXPECTED}, found a file that cannot be read: {error.strerror}") from None
    kind = _untrusted_format(path)
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


def _untrusted_format(path: Path) -> MediaFormat:
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
