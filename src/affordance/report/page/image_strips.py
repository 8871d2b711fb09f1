"""Thumbnails of the images of a request, as the model received them."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from affordance import media
from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageEncoding, ImageFormat, ImageSpec, MediaSpec
from affordance.core.sequences import evenly_spaced
from affordance.ledger import Ledger
from affordance.report.source_files import SourceFiles, SourceMissing, decode_error, image_specs

MOST_FRAMES = 10

_FEW = 2  # that many pictures are shown larger: designs rather than frames
_WHOLE, _LARGE, _SMALL = 1000, 400, 160  # longest side in pixels; a picture alone is a screen
_ENCODING = ImageEncoding(ImageFormat.WEBP, 60)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    caption: str
    uri: str


@dataclass(frozen=True, slots=True)
class ImageStrip:
    total: int  # pictures the model was shown
    frames: tuple[Thumbnail, ...] = ()
    large: bool = False
    alone: bool = False
    video: bool = False  # whether the model was sent a video, of which these are some frames
    missing: str = ""  # why there are no frames
    left_out: bool = False  # whether there are none because they were not asked for


def data_uri(image: bytes) -> str:
    return f"data:image/webp;base64,{b64encode(image).decode('ascii')}"


class ThumbnailRenderer:
    """Makes filmstrips, each once: models and trials that were shown the same pictures share one. `keep` puts an
    encoded picture somewhere and says under which address a page finds it."""

    def __init__(self, ledger: Ledger, sources: SourceFiles, keep: Callable[[bytes], str] = data_uri) -> None:
        self._ledger = ledger
        self._sources = sources
        self._keep = keep
        self._made: dict[tuple[str, ...], ImageStrip] = {}
        self._sources_made: dict[str, Thumbnail | None] = {}

    def image_strip(self, digests: Sequence[str], *, new: bool = True) -> ImageStrip:
        """The strip of the pictures with these digests, thinned out evenly; the first and the last stay. Without `new`
        only one that has been made before."""
        key = tuple(digests)
        if key not in self._made:
            if not new:
                return ImageStrip(len(digests), left_out=True)
            try:
                self._made[key] = self._make(digests)
            except SourceMissing as reason:
                self._made[key] = ImageStrip(len(digests), missing=str(reason))
        return self._made[key]

    def source(self, digest: str, *, new: bool = True) -> Thumbnail | None:
        """A whole file, as it is but smaller; None where it cannot be found any more, or is not to be made."""
        if digest not in self._sources_made and new:
            try:
                path = self._sources.find(digest, self._ledger.source_path(digest))
                (image,) = media.render([_thumbnail(ImageSpec(digest), _LARGE)], {digest: path})
                self._sources_made[digest] = Thumbnail("", self._keep(image))
            except (SourceMissing, MediaError):
                self._sources_made[digest] = None
        return self._sources_made.get(digest)

    def _make(self, digests: Sequence[str]) -> ImageStrip:
        large, alone = len(digests) <= _FEW, len(digests) == 1
        chosen = [digests[place] for place in evenly_spaced(len(digests), MOST_FRAMES)]
        visuals, files = image_specs(self._ledger, self._sources, chosen)
        try:
            shown, video = _frames(visuals, files)
            large, alone = large and not video, alone and not video
            pictures = [_thumbnail(one, _WHOLE if alone else _LARGE if large else _SMALL) for one in shown]
            images = media.render(pictures, files)
        except MediaError as error:
            raise decode_error(error, files.values()) from None
        frames = [Thumbnail(_caption(one), self._keep(image)) for one, image in zip(pictures, images, strict=True)]
        return ImageStrip(len(digests), tuple(frames), large, alone, video)


def _frames(visuals: Sequence[MediaSpec], files: Mapping[str, Path]) -> tuple[list[ImageSpec], bool]:
    """The pictures; those of a video are some of its frames. And whether there is one."""
    found: list[ImageSpec] = []
    for one in visuals:
        if isinstance(one, ImageSpec):
            found.append(one)
        else:
            frames = media.video_frames(one, media.probe(files[one.source]))
            found += [frames[place] for place in evenly_spaced(len(frames), MOST_FRAMES)]
    return found, len(found) > len(visuals)


def _thumbnail(picture: ImageSpec, longest_side: int) -> ImageSpec:
    sent = picture.max_side or longest_side
    return replace(picture, max_side=min(sent, longest_side), encoding=_ENCODING)


def _caption(picture: ImageSpec) -> str:
    return "" if picture.time is None else f"{float(picture.time):.1f} s"
