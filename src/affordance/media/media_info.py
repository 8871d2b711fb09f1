"""Size, timeline and orientation of a media file."""

import struct
from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.sidedata.sidedata import Type
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.media.containers import jpeg_segments
from affordance.media.formats import MediaFormat

_EXIF_ORIENTATION = 0x0112
_APP1 = 0xE1  # the JPEG segment with EXIF data


@dataclass(frozen=True, slots=True)
class Orientation:
    """First transpose, then mirror left to right, then flip top to bottom."""

    transpose: bool = False
    mirror: bool = False
    flip: bool = False

    def displayed_size(self, width: int, height: int) -> tuple[int, int]:
        """The size after rotation. Only transposing changes it, so this also maps a displayed size to the stored
        one."""
        return (height, width) if self.transpose else (width, height)

    def apply(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The pixels as displayed."""
        if self.transpose:
            pixels = pixels.swapaxes(0, 1)
        if self.mirror:
            pixels = pixels[:, ::-1]
        if self.flip:
            pixels = pixels[::-1]
        return np.ascontiguousarray(pixels)


UPRIGHT = Orientation()

_BY_EXIF = {
    2: Orientation(mirror=True),
    3: Orientation(mirror=True, flip=True),
    4: Orientation(flip=True),
    5: Orientation(transpose=True),
    6: Orientation(transpose=True, mirror=True),
    7: Orientation(transpose=True, mirror=True, flip=True),
    8: Orientation(transpose=True, flip=True),
}

# Counter-clockwise degrees, as ffmpeg reports them.
_BY_ROTATION = {0: UPRIGHT, 90: _BY_EXIF[8], 180: _BY_EXIF[3], 270: _BY_EXIF[6]}


def frame_orientation(frame: av.VideoFrame, path: Path) -> Orientation:
    """The orientation that a video's display matrix states; a MediaError if it is no multiple of 90 degrees."""
    try:
        matrix = frame.side_data.get(Type.DISPLAYMATRIX)  # type: ignore[call-overload]  # the stub knows no such key
    except ValueError:
        # PyAV cannot list side data of an unknown kind, but still knows the angle.
        found = _BY_ROTATION.get(frame.rotation % 360)
    else:
        found = UPRIGHT if matrix is None else _matrix_orientation(bytes(matrix))
    if found is None:
        raise MediaError(
            f"{path}: expected a rotation by a multiple of 90 degrees, found {frame.rotation}; re-encode it upright"
        )
    return found


def jpeg_orientation(path: Path) -> Orientation:
    """The orientation in the EXIF data of a JPEG."""
    return _BY_EXIF.get(_exif_orientation(path.read_bytes()), UPRIGHT)


def _matrix_orientation(raw: bytes) -> Orientation | None:
    # Rows of the matrix hold where the x and the y axis go: (x', y') = (a x + c y, b x + d y).
    a, b, _, c, d, *_ = struct.unpack("=9i", raw)
    if a and d and not (b or c):
        return Orientation(mirror=a < 0, flip=d < 0)
    if b and c and not (a or d):
        return Orientation(transpose=True, mirror=c < 0, flip=b < 0)
    return None


def _exif_orientation(data: bytes) -> int:
    """The EXIF orientation of a JPEG, 1 if it has none."""
    for marker, content in jpeg_segments(data):
        if marker == _APP1 and content.startswith(b"Exif\0\0"):
            return _tiff_orientation(content[6:])
    return 1


def _tiff_orientation(tiff: bytes) -> int:
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (directory,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, directory)
        for entry in range(count):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, directory + 2 + 12 * entry)
            if tag == _EXIF_ORIENTATION:
                return int(value)
    except struct.error:  # a directory that points outside the segment
        return 1
    return 1


# WebM, GIF and animated WebP round presentation times to milliseconds or worse; a time this close before a frame is
# taken as that frame.
TOLERANCE = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class MediaInfo:
    """Size and timeline of a file. Time 0 is the first frame; a still has one frame and no duration.

    Width and height are those displayed, after any rotation that the file states.
    """

    path: Path
    width: int
    height: int
    pts: tuple[int, ...]  # when each frame is shown, in units of the time base
    time_base: Fraction
    duration: Fraction  # seconds, with the display time of the last frame
    is_still: bool
    start_pts: int = field(repr=False)  # of the first frame in the file
    orientation: Orientation = field(repr=False)
    format: MediaFormat = field(repr=False)

    def frame_time(self, index: int) -> Fraction:
        """When a frame is shown, in seconds."""
        return self.pts[index] * self.time_base

    def frame_at(self, time: Fraction) -> int:
        """The index of the frame that is shown at a time."""
        inside = time == 0 if self.is_still else 0 <= time < self.duration
        if not inside:
            end = "a still image" if self.is_still else f"a clip of {float(self.duration):.3f} s"
            raise MediaError(f"{self.path}: expected a time within {end}, found {float(time):.3f} s")
        ticks = (time + TOLERANCE) / self.time_base
        return bisect_right(self.pts, ticks.numerator // ticks.denominator) - 1


def sample_times(clip: MediaInfo, rate: Fraction) -> list[Fraction]:
    """The times k / rate within the clip, always with 0.

    A time within half a millisecond of the end is omitted: it depends on the rounding of the file.
    """
    if rate <= 0:
        raise ValueError(f"expected a positive sampling rate, found {rate}")
    end = (clip.duration - TOLERANCE) * rate
    count = max(1, -(-end.numerator // end.denominator))
    return [k / rate for k in range(count)]


def truncated_error(
    path: Path, decoded: int, reached: Fraction, total: int | None, duration: Fraction | None
) -> MediaError:
    """The error for a file that cannot be read to the end; total and duration where the file states them."""
    frames = f"{decoded} frames" if total is None else f"{decoded} of {total} frames"
    seconds = f"{float(reached):.3f} s" + ("" if duration is None else f" of {float(duration):.3f} s")
    return MediaError(f"{path}: truncated or corrupt: decoded {frames} ({seconds}); replace the file")
