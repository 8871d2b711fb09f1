"""Rendering: image and video specs to encoded files. Each source is decoded once, and frames are released as they
pass."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import cv2
import numpy as np

from affordance.core.digest import digest_file
from affordance.core.errors import MediaError
from affordance.core.geometry import fit_within
from affordance.core.lru import LRUCache
from affordance.core.media_spec import FrameBlend, ImageSpec, MediaSpec, VideoSpec
from affordance.media.compositing import blend_frames, crop_and_size, draw_outline, rendered_size
from affordance.media.decoder import CropAndSize, DecodedFrame, FrameScaler, Pixels, decode_frames
from affordance.media.encoders import VideoQuality, decode_image, encode, write_video
from affordance.media.image_import import displayed_size
from affordance.media.media_info import TOLERANCE, MediaInfo
from affordance.media.media_probe import frame_rate, probe, probe_and_decode

_NO_BLEND = FrameBlend(count=1)
_BYTES_PER_PIXEL = 6  # of a decoded still: as decoded, and as displayed


class Renderer:
    """Renders specs of the sources in `files`, which are named by content digest; more files may be added later.

    Safe to share between threads. With `decoded_bytes`, decoded stills are kept: worth it where many images are made
    from one source in several calls.
    """

    def __init__(self, files: Mapping[str, Path], *, decoded_bytes: int = 0) -> None:
        self._files = files
        self._stills: LRUCache[str, DecodedFrame] = LRUCache(decoded_bytes)
        self._sizes: dict[str, tuple[int, ...]] = {}  # of sources, and of videos as they are sent

    def render(self, specs: Sequence[MediaSpec]) -> list[bytes]:
        """The images and videos as encoded files, in the order given. Sources are not verified against their digests:
        hashing a file costs as much as decoding it."""
        encoded: dict[str, bytes] = {}
        images: dict[str, dict[str, ImageSpec]] = {}
        for spec in specs:
            if isinstance(spec, ImageSpec):
                images.setdefault(spec.source, {})[spec.digest] = spec
            elif spec.digest not in encoded:
                encoded[spec.digest] = self._render_video(spec)
        for source, wanted in images.items():
            clip, frame = probe_and_decode(self._files[source])
            for image, pixels in self._iter_images(clip, list(wanted.values()), frame):
                encoded[image.digest] = encode(pixels, image.encoding)
        return [encoded[spec.digest] for spec in specs]

    def size(self, spec: MediaSpec) -> tuple[int, ...]:
        """Width and height of an image or video as rendered, and of a video the number of its frames."""
        path = self._files[spec.source]
        if isinstance(spec, VideoSpec):
            if spec.digest not in self._sizes:
                clip = probe(path)
                frames = video_frames(spec, clip)
                self._sizes[spec.digest] = (*rendered_size(frames[0], clip), len(frames))
            return self._sizes[spec.digest]
        if spec.crop is not None:
            return rendered_size(spec, probe(path))
        if spec.source not in self._sizes:
            self._sizes[spec.source] = displayed_size(path)
        width, height = self._sizes[spec.source]
        return fit_within(width, height, spec.max_side)

    def _render_video(self, spec: VideoSpec) -> bytes:
        """An MP4 file with its index in front. Sides are even, as H.264 with half the colours needs them: the last row
        or column is repeated where necessary."""
        clip = probe(self._files[spec.source])
        frames = video_frames(spec, clip)
        with TemporaryDirectory(prefix="affordance-") as folder:
            path = Path(folder) / "video.mp4"
            images = (_with_even_sides(pixels) for _, pixels in self._iter_images(clip, frames))
            write_video(path, images, spec.fps or frame_rate(clip), VideoQuality.CLOSE)
            return path.read_bytes()

    def _iter_images(
        self, clip: MediaInfo, specs: Sequence[ImageSpec], frame: av.VideoFrame | None = None
    ) -> Iterator[tuple[ImageSpec, Pixels]]:
        """The images of one source as BGR pixels: in the order of their frames, and in the order given where they show
        the same frame. `frame` is that of a still, where it is decoded already."""
        tracks: dict[CropAndSize, _Track] = {}
        for spec in specs:
            geometry = crop_and_size(spec, clip)
            track = tracks.setdefault(geometry, _Track(clip, geometry))
            track.add(spec, _frame_index(clip, spec.time))
        wanted = set().union(*(track.wanted for track in tracks.values()))
        for index, decoded in self._decode(clip, wanted, specs[0].source, frame):
            for track in tracks.values():
                yield from track.add_frame(index, decoded)

    def _decode(
        self, clip: MediaInfo, wanted: Iterable[int], source: str, frame: av.VideoFrame | None
    ) -> Iterator[tuple[int, DecodedFrame]]:
        if self._stills.max_size and clip.is_still:
            yield 0, self._decode_still(source, clip, frame)
            return
        full_size = FrameScaler()
        for index, one in decode_frames(clip, wanted) if frame is None else [(0, frame)]:
            yield index, DecodedFrame(one, clip.orientation, full_size)

    def _decode_still(self, source: str, clip: MediaInfo, frame: av.VideoFrame | None) -> DecodedFrame:
        if (cached := self._stills.get(source)) is not None:
            return cached
        if frame is None:
            ((_, frame),) = decode_frames(clip, (0,))
        decoded = DecodedFrame(frame, clip.orientation, FrameScaler())
        size = _BYTES_PER_PIXEL * clip.width * clip.height
        if size <= self._stills.max_size:
            decoded.prepare()  # its scaler is for one thread, and several may use the frame from now on
            self._stills.put(source, decoded, size)
        return decoded


class _Track:
    """All images of one clip that share crop and size, and the frames that they still need.

    A spec blends before it crops and resizes. All three are linear, so frames are resized first and blended then, which
    gives the same image for a fraction of the work.
    """

    def __init__(self, clip: MediaInfo, geometry: CropAndSize) -> None:
        self._clip = clip
        self._geometry = geometry
        self._scaler = FrameScaler()
        self._due: dict[int, list[ImageSpec]] = {}
        self._recent: deque[Pixels] = deque(maxlen=1)
        self.wanted: set[int] = set()

    def add(self, spec: ImageSpec, index: int) -> None:
        count = (spec.blend or _NO_BLEND).count
        self._due.setdefault(index, []).append(spec)
        self.wanted.update(range(max(0, index - count + 1), index + 1))
        self._recent = deque(maxlen=max(count, self._recent.maxlen or 1))

    def add_frame(self, index: int, frame: DecodedFrame) -> Iterator[tuple[ImageSpec, Pixels]]:
        """Add a decoded frame; the images that are complete with it."""
        if index not in self.wanted:
            return
        self._recent.append(frame.resample(self._geometry, self._scaler))
        for spec in self._due.get(index, ()):
            pixels = blend_frames(list(self._recent), spec.blend or _NO_BLEND)
            for outline in spec.outlines:
                draw_outline(pixels, outline, self._clip, self._geometry)
            yield spec, pixels


def render(specs: Sequence[MediaSpec], files: Mapping[str, Path]) -> list[bytes]:
    """Render specs once, with nothing kept; see `Renderer`."""
    return Renderer(files).render(specs)


def load_pixels(file: Path) -> Pixels:
    """The RGB pixels of an image file, upright and flattened onto white, as a model sees it."""
    source = digest_file(file)
    return decode_image(render([ImageSpec(source)], {source: file})[0])


def video_frames(spec: VideoSpec, clip: MediaInfo) -> list[ImageSpec]:
    """The frames of a video, one image spec each.

    A video has a constant rate, because servers pick frames by number and not by time. A clip with uneven frames is
    sampled by timestamp, at the rate at which its two closest frames follow each other.
    """
    rate = spec.fps or frame_rate(clip)
    if rate <= 0:
        raise ValueError(f"expected a positive frame rate, found {rate}")
    end = clip.duration if spec.end is None else spec.end
    if not 0 <= spec.start < end <= clip.duration + TOLERANCE:
        raise MediaError(
            f"{clip.path}: expected a range within a clip of {float(clip.duration):.3f} s, "
            f"found {float(spec.start):.3f} s to {float(end):.3f} s"
        )
    count = max(1, -((TOLERANCE + spec.start - end) * rate // 1))
    times = [spec.start + number / rate for number in range(count)]
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


def _frame_index(clip: MediaInfo, time: Fraction | None) -> int:
    if time is None and not clip.is_still:
        raise MediaError(f"{clip.path}: expected a still image, found a clip; an image of a clip needs a time")
    return clip.frame_at(time or Fraction(0))


def _has_outlines(spec: VideoSpec, time: Fraction) -> bool:
    """Whether the outlines are on the frame that begins at a time."""
    late_enough = spec.outlines_start is None or time >= spec.outlines_start - TOLERANCE
    return late_enough and (spec.outlines_end is None or time < spec.outlines_end - TOLERANCE)


def _with_even_sides(pixels: Pixels) -> Pixels:
    """RGB of BGR pixels, with the last row and column repeated where the sides are odd."""
    height, width = pixels.shape[:2]
    even = cv2.copyMakeBorder(pixels, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2RGB), np.uint8)
