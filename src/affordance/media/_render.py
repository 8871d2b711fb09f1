"""Rendering pictures: each source is decoded once, whatever is asked of it, and frames are let go as they pass."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import av

from affordance.core.errors import MediaError
from affordance.core.picture import Picture
from affordance.media._blend import NO_BLEND, blended, frames_needed
from affordance.media._clip import Clip
from affordance.media._decode import decoded
from affordance.media._encode import encode
from affordance.media._geometry import Geometry, draw_outline, geometry_of
from affordance.media._pixels import Pixels, Scaler, Shot
from affordance.media._probe import probe_and_decode
from affordance.media._recent import Stills


class _Track:
    """All pictures of one clip that share crop and size, and the frames that they still need.

    Blending comes before crop and resize in the recipe. Both are linear, so here the frames are made small first and
    blended then, which is the same picture for a fraction of the work.
    """

    def __init__(self, clip: Clip, geometry: Geometry) -> None:
        self._clip = clip
        self._geometry = geometry
        self._scaler = Scaler()
        self._due: dict[int, list[Picture]] = {}
        self._recent: deque[Pixels] = deque(maxlen=1)
        self.wanted: set[int] = set()

    def add(self, picture: Picture, index: int) -> None:
        count = frames_needed(picture.blend or NO_BLEND)
        self._due.setdefault(index, []).append(picture)
        self.wanted.update(range(max(0, index - count + 1), index + 1))
        self._recent = deque(maxlen=max(count, self._recent.maxlen or 1))

    def pass_by(self, index: int, shot: Shot) -> Iterator[tuple[Picture, Pixels]]:
        """Take from a frame what is needed of it; the pictures that are finished with it."""
        if index not in self.wanted:
            return
        self._recent.append(shot.take(self._geometry, self._scaler))
        for picture in self._due.get(index, ()):
            pixels = blended(list(self._recent), picture.blend or NO_BLEND)
            for outline in picture.outlines:
                draw_outline(pixels, outline, self._clip, self._geometry)
            yield picture, pixels


def render(pictures: Sequence[Picture], files: Mapping[str, Path], stills: Stills | None = None) -> list[bytes]:
    """The pictures as encoded files, in the order given. `files` says where each source lies; its content is taken
    on trust, for hashing it would cost as much as decoding it. Images that are among `stills` are not decoded again."""
    by_source: dict[str, dict[str, Picture]] = {}
    for picture in pictures:
        by_source.setdefault(picture.source, {})[picture.digest] = picture
    encoded: dict[str, bytes] = {}
    for source, wanted in by_source.items():
        clip, frame = probe_and_decode(files[source])
        for picture, pixels in developed(clip, list(wanted.values()), stills, frame):
            encoded[picture.digest] = encode(pixels, picture.encode)
    return [encoded[picture.digest] for picture in pictures]


def developed(
    clip: Clip, pictures: Sequence[Picture], stills: Stills | None = None, frame: av.VideoFrame | None = None
) -> Iterator[tuple[Picture, Pixels]]:
    """The pictures of one clip before they are encoded, as BGR pixels: in the order of their frames, and in the order
    given where they show the same one. `frame` is that of a still, where it is decoded already."""
    tracks: dict[Geometry, _Track] = {}
    for picture in pictures:
        geometry = geometry_of(picture, clip)
        track = tracks.setdefault(geometry, _Track(clip, geometry))
        track.add(picture, _index(clip, picture.at))
    wanted = set().union(*(track.wanted for track in tracks.values()))
    for index, shot in _shots(clip, wanted, pictures[0].source, stills, frame):
        for track in tracks.values():
            yield from track.pass_by(index, shot)


def _shots(
    clip: Clip, wanted: Iterable[int], source: str, stills: Stills | None, frame: av.VideoFrame | None
) -> Iterator[tuple[int, Shot]]:
    if stills is not None and clip.still:
        yield 0, stills.shot(source, clip, frame)
        return
    full_size = Scaler()
    for index, one in decoded(clip, wanted) if frame is None else [(0, frame)]:
        yield index, Shot(one, clip.orientation, full_size)


def _index(clip: Clip, at: Fraction | None) -> int:
    if at is None and not clip.still:
        raise MediaError(f"{clip.path}: expected a still image, found a clip; a picture of a clip needs a time")
    return clip.index_at(at or Fraction(0))
