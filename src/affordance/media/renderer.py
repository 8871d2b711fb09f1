"""Rendering: image and video specs to bytes; each source is decoded once."""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.core.geometry import Box, CoordinateSpace, ImageSize, fit_within
from affordance.core.media_spec import BoxOutline, FrameBlend, ImageSpec, VideoSpec
from affordance.media.decoder import CropAndSize, DecodedFrame, FrameScaler, Pixels, decode_frames
from affordance.media.encoders import VideoQuality, encode, write_video
from affordance.media.media_info import TOLERANCE, MediaInfo
from affordance.media.media_probe import frame_rate, probe, probe_and_decode


def crop_and_size(spec: ImageSpec, clip: MediaInfo) -> CropAndSize:
    x1, y1, x2, y2 = (0, 0, clip.width, clip.height)
    if spec.crop is not None:
        x1, y1, x2, y2 = _whole_pixels(spec.crop, clip)
    width, height = fit_within(x2 - x1, y2 - y1, spec.max_side)
    return CropAndSize(x1, y1, x2 - x1, y2 - y1, width, height)


def rendered_size(spec: ImageSpec, clip: MediaInfo) -> ImageSize:
    """How large the picture of a file is."""
    found = crop_and_size(spec, clip)
    return found.width, found.height


def draw_outline(pixels: NDArray[np.uint8], outline: BoxOutline, clip: MediaInfo, geometry: CropAndSize) -> None:
    """Draw on BGR pixels, in place: lines centred on the edges of the box, moved inside where the picture ends.

    A box with no part in the picture is not drawn.
    """
    box = outline.box.to_space(CoordinateSpace.PIXEL, clip.width, clip.height)
    columns = _line_starts(box.x1, box.x2, geometry.x, geometry.crop_width, geometry.width, outline.thickness)
    rows = _line_starts(box.y1, box.y2, geometry.y, geometry.crop_height, geometry.height, outline.thickness)
    if columns is None or rows is None:
        return
    (left, right), (top, bottom), thick = columns, rows, outline.thickness
    for y in (top, bottom):
        pixels[y : y + thick, left : right + thick] = outline.colour[::-1]
    for x in (left, right):
        pixels[top : bottom + thick, x : x + thick] = outline.colour[::-1]


def _line_starts(low: float, high: float, origin: int, extent: int, size: int, thick: int) -> tuple[int, int] | None:
    """The first pixels of the two lines along one axis, or None if the box is beside the picture."""
    if high < origin or low > origin + extent:
        return None
    scale = size / extent
    latest = max(0, size - thick)
    first, second = (round((edge - origin) * scale - thick / 2) for edge in (low, high))
    return min(max(0, first), latest), min(max(0, second), latest)


def _whole_pixels(crop: Box, clip: MediaInfo) -> tuple[int, int, int, int]:
    """The crop rounded to whole pixels and cut to the source; at least one pixel wide and high."""
    box = crop.to_space(CoordinateSpace.PIXEL, clip.width, clip.height)
    if box.x1 >= clip.width or box.y1 >= clip.height or box.x2 <= 0 or box.y2 <= 0:
        raise MediaError(f"{clip.path}: expected a crop within {clip.width}x{clip.height}, found {box.xyxy}")
    x1 = min(max(0, round(box.x1)), clip.width - 1)
    y1 = min(max(0, round(box.y1)), clip.height - 1)
    x2 = max(x1 + 1, min(round(box.x2), clip.width))
    y2 = max(y1 + 1, min(round(box.y2), clip.height))
    return x1, y1, x2, y2


NO_BLEND = FrameBlend(count=1)


def frames_needed(blend: FrameBlend) -> int:
    """How many source frames, up to and with the one shown, a blend is made of."""
    if blend.count < 1 or blend.decay < 0:
        raise ValueError(f"a blend needs count >= 1 and decay >= 0, found {blend}")
    return blend.count


def weights(blend: FrameBlend, available: int) -> list[float]:
    """Weights oldest to newest over the frames that exist: proportional to decay ** age, with sum 1."""
    raw = [blend.decay**age for age in reversed(range(min(frames_needed(blend), available)))]
    return [weight / sum(raw) for weight in raw]


def blend_frames(frames: Sequence[NDArray[np.uint8]], blend: FrameBlend) -> NDArray[np.uint8]:
    """The mix of the last frames of a sequence that ends with the newest."""
    shares = weights(blend, len(frames))
    if len(shares) == 1:
        return frames[-1].copy()
    mix = np.zeros(frames[-1].shape, np.float32)
    total = 0.0
    for frame, share in zip(frames[-len(shares) :], shares, strict=True):
        total += share
        if share:
            # A running mean: after each step the mix is the weighted mean of the frames so far.
            cv2.accumulateWeighted(frame, mix, share / total)
    return np.asarray(cv2.convertScaleAbs(mix), np.uint8)


_BYTES_PER_PIXEL = 6  # as decoded, and as displayed


class DecodedImageCache:
    """Safe to share between threads."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._frames: OrderedDict[str, tuple[DecodedFrame, int]] = OrderedDict()  # with their bytes, the oldest first
        self._bytes = 0

    def get(self, source: str, clip: MediaInfo, frame: av.VideoFrame | None = None) -> DecodedFrame:
        """The only frame of a still image, by its content digest; `frame` is it, where it is decoded already."""
        with self._lock:
            if source in self._frames:
                self._frames.move_to_end(source)
                return self._frames[source][0]
        if frame is None:
            ((_, frame),) = decode_frames(clip, (0,))
        shot = DecodedFrame(frame, clip.orientation, FrameScaler())
        size = _BYTES_PER_PIXEL * clip.width * clip.height
        if size <= self._limit:
            shot.prepare()  # its scaler is for one thread, and several may take pictures of it from now on
            self._store(source, shot, size)
        return shot

    def _store(self, source: str, shot: DecodedFrame, size: int) -> None:
        with self._lock:
            if source not in self._frames:
                self._frames[source] = shot, size
                self._bytes += size
            while self._bytes > self._limit:
                _, (_, dropped) = self._frames.popitem(last=False)
                self._bytes -= dropped


class _Track:
    """All pictures of one clip that share crop and size, and the frames that they still need.

    Blending comes before crop and resize in the recipe. Both are linear, so here the frames are made small first and
    blended then, which is the same picture for a fraction of the work.
    """

    def __init__(self, clip: MediaInfo, geometry: CropAndSize) -> None:
        self._clip = clip
        self._geometry = geometry
        self._scaler = FrameScaler()
        self._due: dict[int, list[ImageSpec]] = {}
        self._recent: deque[Pixels] = deque(maxlen=1)
        self.wanted: set[int] = set()

    def add(self, spec: ImageSpec, index: int) -> None:
        count = frames_needed(spec.blend or NO_BLEND)
        self._due.setdefault(index, []).append(spec)
        self.wanted.update(range(max(0, index - count + 1), index + 1))
        self._recent = deque(maxlen=max(count, self._recent.maxlen or 1))

    def add_frame(self, index: int, shot: DecodedFrame) -> Iterator[tuple[ImageSpec, Pixels]]:
        """Take from a frame what is needed of it; the pictures that are finished with it."""
        if index not in self.wanted:
            return
        self._recent.append(shot.resample(self._geometry, self._scaler))
        for picture in self._due.get(index, ()):
            pixels = blend_frames(list(self._recent), picture.blend or NO_BLEND)
            for outline in picture.outlines:
                draw_outline(pixels, outline, self._clip, self._geometry)
            yield picture, pixels


def render(
    specs: Sequence[ImageSpec], files: Mapping[str, Path], stills: DecodedImageCache | None = None
) -> list[bytes]:
    """The pictures as encoded files, in the order given. `files` says where each source lies; its content is taken
    on trust, for hashing it would cost as much as decoding it. Images that are among `stills` are not decoded again."""
    by_source: dict[str, dict[str, ImageSpec]] = {}
    for picture in specs:
        by_source.setdefault(picture.source, {})[picture.digest] = picture
    encoded: dict[str, bytes] = {}
    for source, wanted in by_source.items():
        clip, frame = probe_and_decode(files[source])
        for picture, pixels in iter_rendered(clip, list(wanted.values()), stills, frame):
            encoded[picture.digest] = encode(pixels, picture.encoding)
    return [encoded[picture.digest] for picture in specs]


def iter_rendered(
    clip: MediaInfo,
    specs: Sequence[ImageSpec],
    stills: DecodedImageCache | None = None,
    frame: av.VideoFrame | None = None,
) -> Iterator[tuple[ImageSpec, Pixels]]:
    """The pictures of one clip before they are encoded, as BGR pixels: in the order of their frames, and in the order
    given where they show the same one. `frame` is that of a still, where it is decoded already."""
    tracks: dict[CropAndSize, _Track] = {}
    for picture in specs:
        geometry = crop_and_size(picture, clip)
        track = tracks.setdefault(geometry, _Track(clip, geometry))
        track.add(picture, _frame_index(clip, picture.time))
    wanted = set().union(*(track.wanted for track in tracks.values()))
    for index, shot in _decoded_frames(clip, wanted, specs[0].source, stills, frame):
        for track in tracks.values():
            yield from track.add_frame(index, shot)


def _decoded_frames(
    clip: MediaInfo, wanted: Iterable[int], source: str, stills: DecodedImageCache | None, frame: av.VideoFrame | None
) -> Iterator[tuple[int, DecodedFrame]]:
    if stills is not None and clip.is_still:
        yield 0, stills.get(source, clip, frame)
        return
    full_size = FrameScaler()
    for index, one in decode_frames(clip, wanted) if frame is None else [(0, frame)]:
        yield index, DecodedFrame(one, clip.orientation, full_size)


def _frame_index(clip: MediaInfo, at: Fraction | None) -> int:
    if at is None and not clip.is_still:
        raise MediaError(f"{clip.path}: expected a still image, found a clip; a picture of a clip needs a time")
    return clip.frame_at(at or Fraction(0))


def render_video(spec: VideoSpec, files: Mapping[str, Path]) -> bytes:
    """The footage as an MP4 file with its index in front. Sides are even, as H.264 with half the colours needs them:
    the last row or column is there twice where it must be."""
    clip = probe(files[spec.source])
    frames = video_frames(spec, clip)
    with TemporaryDirectory(prefix="affordance-") as folder:
        path = Path(folder) / "reel.mp4"
        write_video(path, _even_sized_frames(clip, frames), spec.fps or frame_rate(clip), VideoQuality.CLOSE)
        return path.read_bytes()


def video_frames(spec: VideoSpec, clip: MediaInfo) -> list[ImageSpec]:
    """What the reel of a footage shows, one picture after the other."""
    rate = spec.fps or frame_rate(clip)
    if rate <= 0:
        raise ValueError(f"a frame rate is positive, found {rate}")
    end = clip.duration if spec.end is None else spec.end
    if not 0 <= spec.start < end <= clip.duration + TOLERANCE:
        raise MediaError(
            f"{clip.path}: expected footage within a clip of {float(clip.duration):.3f} s, "
            f"found {float(spec.start):.3f} s to {float(end):.3f} s"
        )
    count = max(1, -((TOLERANCE + spec.start - end) * rate // 1))
    times = [spec.start + place / rate for place in range(count)]
    side = spec.max_side and spec.max_side - spec.max_side % 2
    return [
        ImageSpec(
            spec.source,
            time=time,
            blend=spec.blend,
            max_side=side,
            outlines=spec.outlines if _has_outlines(spec, clip.frame_time(clip.frame_at(time))) else (),
        )
        for time in times
    ]


def _has_outlines(spec: VideoSpec, time: Fraction) -> bool:
    """Whether the outlines are on the frame that begins at a time."""
    late_enough = spec.outlines_start is None or time >= spec.outlines_start - TOLERANCE
    return late_enough and (spec.outlines_end is None or time < spec.outlines_end - TOLERANCE)


def _even_sized_frames(clip: MediaInfo, frames: list[ImageSpec]) -> Iterator[Pixels]:
    for _, pixels in iter_rendered(clip, frames):
        height, width = pixels.shape[:2]
        even = cv2.copyMakeBorder(pixels, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
        yield np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2RGB), np.uint8)
