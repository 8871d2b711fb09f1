"""Pixels to bytes and back."""

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.core.picture import ImageEncoding, ImageFormat

DEFAULT_QUALITY = 90
WEBP_LOSSLESS = 101  # as the quality of a WebP

# On screens, higher levels take two to ten times as long for a few percent. Choosing a filter row by row takes as long
# as compressing; this one comes within a tenth of that choice on screens.
_PNG_OPTIONS = (
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_SUB),
)


def encode(pixels: NDArray[np.uint8], encoding: ImageEncoding) -> bytes:
    """BGR pixels as a file."""
    quality = DEFAULT_QUALITY if encoding.quality is None else encoding.quality
    extension, options = {
        ImageFormat.PNG: (".png", _PNG_OPTIONS),
        ImageFormat.JPEG: (".jpg", (cv2.IMWRITE_JPEG_QUALITY, quality)),
        ImageFormat.WEBP: (".webp", (cv2.IMWRITE_WEBP_QUALITY, quality)),
    }[encoding.format]
    try:
        done, data = cv2.imencode(extension, pixels, options)
    except cv2.error:
        done = False
    if not done:
        height, width = pixels.shape[:2]
        raise MediaError(f"a picture of {width}x{height} cannot be encoded as {encoding.format}; make it smaller")
    return bytes(data)


def encode_image(pixels: NDArray[np.uint8], encoding: ImageEncoding = ImageEncoding()) -> bytes:  # noqa: B008  # a value
    """RGB pixels as a file, PNG unless said otherwise."""
    return encode(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), np.uint8), encoding)


def decode_image(data: bytes) -> NDArray[np.uint8]:
    """The RGB pixels of an encoded picture."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if pixels is None:
        raise MediaError(f"expected an encoded picture, found {len(data)} bytes that begin with {data[:8]!r}")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)
