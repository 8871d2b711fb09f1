"""Renders the frames of clips ahead of a run."""

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from affordance import media
from affordance.core.errors import MediaError, UserError
from affordance.core.media_spec import FrameBlend
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.evaluation.engines import Engine, ThreadEngine, WorkerLost
from affordance.tasks.motion.clips import ClipImages, animation_seconds, clip_frames, is_twin

RENDER_CACHE_BYTES = 2 << 30  # bytes of the render cache, here and in a run


@dataclass(slots=True)
class PrerenderResult:
    """Result of pre-rendering. `size` is in bytes; `missing` are clips without a video file."""

    clips: int = 0
    pictures: int = 0
    size: int = 0
    missing: int = 0
    broken: list[UserError] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        return self.size <= RENDER_CACHE_BYTES


def prerender_clips(
    data: DatasetCollection,
    render_cache: Path,
    fps: Fraction,
    *,
    motion: bool = False,
    max_frames: int | None = None,
    engine: Engine | None = None,
    advance: Callable[[int, int], None] = lambda *_: None,
) -> PrerenderResult:
    """Render the frames of all clips into the cache, each as the motion tasks need it, and with `motion` also as
    blended frames. Rendered images are not rendered again. Another engine than threads must reach the dataset and the
    cache under the same paths."""
    dataset = data.of_kind("clip")
    if dataset is None:
        raise UserError(f"expected clips to prepare, found none in {data.name!r}")
    clips = [item for item in dataset.items if isinstance(item, Clip)]
    there = [clip for clip in clips if clip.video not in dataset.missing_media]
    prepared = PrerenderResult(missing=len(clips) - len(there))
    if engine is not None:
        dataset, render_cache = _with_absolute_paths(dataset), render_cache.absolute()
    render = partial(_render_clip, dataset, render_cache, fps, motion, max_frames, _twin_ids(clips))
    found: dict[int, list[int] | UserError] = {}
    with closing((engine or ThreadEngine()).map(render, there)) as results:
        for one in results:
            lost = isinstance(one.error, WorkerLost)
            found[one.index] = UserError(f"{there[one.index].id}: {one.error}") if lost else one.result()
            advance(len(found), len(there))
    for _, sizes in sorted(found.items()):
        if isinstance(sizes, UserError):
            prepared.broken.append(sizes)
            continue
        prepared.clips += 1
        prepared.pictures += len(sizes)
        prepared.size += sum(sizes)
    return prepared


def _with_absolute_paths(dataset: Dataset) -> Dataset:
    """With paths that do not depend on the current folder."""
    media_paths = {media: path.absolute() for media, path in dataset.media_paths.items()}
    return replace(dataset, root=dataset.root.absolute(), media_paths=media_paths)


def _twin_ids(clips: Sequence[Clip]) -> Set[str]:
    """Twins and what they are twins of."""
    return {name for clip in clips if is_twin(clip) for name in (clip.id, *(link.to for link in clip.links))}


def _render_clip(
    dataset: Dataset,
    render_cache: Path,
    fps: Fraction,
    motion: bool,
    max_frames: int | None,
    twin_ids: Set[str],
    clip: Clip,
) -> list[int] | MediaError:
    """The size of each image of a clip."""
    try:
        ways = {
            shown.images: shown.files
            for shown in _clip_renderings(dataset, clip, fps, motion, max_frames, is_twin=clip.id in twin_ids)
        }
        sizes = []
        for frames, files in ways.items():
            cache = media.RenderCache(render_cache, files, disk_bytes=RENDER_CACHE_BYTES, memory_bytes=0)
            sizes += [len(image) for image in cache.get_base64(frames)]
    except MediaError as error:
        return error
    return sizes


def _clip_renderings(
    dataset: Dataset, clip: Clip, fps: Fraction, motion: bool, max_frames: int | None, *, is_twin: bool
) -> Iterator[ClipImages]:
    """The images of a clip for purpose and meaning, and without boxes for effects and twins."""
    yield clip_frames(dataset, clip, fps, max_frames=max_frames)
    if clip.effect is not None:
        yield clip_frames(dataset, clip, fps, draw_regions=False)
    if is_twin:
        yield clip_frames(dataset, clip, fps, draw_regions=False, window=animation_seconds(dataset, clip))
    if motion:
        yield clip_frames(dataset, clip, fps, blend=FrameBlend(), max_frames=max_frames)
