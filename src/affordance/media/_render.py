"""Rendering pictures: each source is decoded once, whatever is asked of it, and frames are let go as they pass."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import av

from affordance.core.errors import MediaError
from affordance.core.picture import ImageSpec
from affordance.media._blend import NO_BLEND, blend_frames, frames_needed
from affordance.media._clip import MediaInfo
from affordance.media._decode import decode_frames
from affordance.media._encode import encode
from affordance.media._geometry import CropAndSize, crop_and_size, draw_outline
from affordance.media._pixels import DecodedFrame, FrameScaler, Pixels
from affordance.media._probe import probe_and_decode
from affordance.media._recent import DecodedImageCache


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
