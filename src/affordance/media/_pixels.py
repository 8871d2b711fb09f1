"""From a decoded frame to pixels of the wanted crop and size, by one resampler: ffmpeg's area average.

Colour conversion and resizing are one step from the decoder's planes. Pixels are BGR, the order in which OpenCV draws
and encodes.
"""

from functools import cached_property

import av
import cv2
import numpy as np
from av.video.reformatter import Interpolation, VideoReformatter
from numpy.typing import NDArray

from affordance.media._geometry import CropAndSize
from affordance.media._orientation import Orientation

Pixels = NDArray[np.uint8]

_AREA = Interpolation.AREA | Interpolation.ACCURATE_RND


class FrameScaler:
    """Converts frames to BGR of a size. Setting up ffmpeg's tables costs as much as a frame: keep one per size."""

    def __init__(self) -> None:
        self._reformatter = VideoReformatter()

    def __call__(self, frame: av.VideoFrame, width: int, height: int) -> Pixels:
        # Planar, since ffmpeg writes packed RGB either with half the colour resolution or at twice the cost.
        planar = self._reformatter.reformat(frame, width, height, "gbrp", interpolation=_AREA, threads=1)
        green, blue, red = (
            np.frombuffer(plane, np.uint8).reshape(height, plane.line_size)[:, :width]  # type: ignore[call-overload]  # a plane is a buffer
            for plane in planar.planes
        )
        return np.asarray(cv2.merge((blue, green, red)), np.uint8)


class DecodedFrame:
    """One frame of a clip, from which several pictures may be taken; the scaler is for taking it at full size."""

    def __init__(self, frame: av.VideoFrame, orientation: Orientation, scaler: FrameScaler) -> None:
        self._frame = _on_white(frame) if _may_be_transparent(frame) else frame
        self._orientation = orientation
        self._scaler = scaler

    @cached_property
    def _displayed(self) -> Pixels:
        """All pixels at full size, upright."""
        return self._orientation.apply(self._scaler(self._frame, self._frame.width, self._frame.height))

    def prepare(self) -> None:
        """Make the pixels at full size now, and not when they are needed first."""
        _ = self._displayed

    def resample(self, geometry: CropAndSize, scaler: FrameScaler) -> Pixels:
        """The pixels of one crop and size; use one scaler for each geometry."""
        width, height = geometry.width, geometry.height
        displayed = self._orientation.displayed_size(self._frame.width, self._frame.height)
        if (geometry.crop_width, geometry.crop_height) == displayed:
            if (width, height) == displayed:
                return self._displayed
            return self._orientation.apply(scaler(self._frame, *self._orientation.displayed_size(width, height)))
        y, x = geometry.y, geometry.x
        part = np.ascontiguousarray(self._displayed[y : y + geometry.crop_height, x : x + geometry.crop_width])
        if (width, height) == (geometry.crop_width, geometry.crop_height):
            return part
        return scaler(av.VideoFrame.from_ndarray(part, format="bgr24"), width, height)


def _may_be_transparent(frame: av.VideoFrame) -> bool:
    return frame.format.has_palette or any(component.is_alpha for component in frame.format.components)


def _on_white(frame: av.VideoFrame) -> av.VideoFrame:
    pixels = np.asarray(frame.to_ndarray(format="bgra"), np.uint8)
    if pixels[..., 3].min() == 255:  # most pictures could be seen through, and cannot
        return av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels[..., :3]), format="bgr24")
    alpha = pixels[..., 3:].astype(np.uint16)
    white: Pixels = ((pixels[..., :3] * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)
    return av.VideoFrame.from_ndarray(white, format="bgr24")
