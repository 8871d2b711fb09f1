"""Rendering the frames of clips before a run asks for them."""

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from affordance import media
from affordance.core.errors import MediaError, UserError
from affordance.core.picture import Blend
from affordance.datasets import Clip, Collection, Dataset
from affordance.run.engines import Engine, Lost, Threads
from affordance.suites.motion.asking import is_twin
from affordance.suites.motion.frames import Shown, clip_pictures, running_seconds

HELD = 2 << 30  # bytes that the picture cache holds, here as in a run


@dataclass(slots=True)
class Prepared:
    """`size` is what the pictures take in the cache; `missing` are clips whose video nobody has."""

    clips: int = 0
    pictures: int = 0
    size: int = 0
    missing: int = 0
    broken: list[UserError] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        return self.size <= HELD


def prepare_clips(
    data: Collection,
    pictures: Path,
    fps: Fraction,
    *,
    motion: bool = False,
    most: int | None = None,
    engine: Engine | None = None,
    advance: Callable[[int, int], None] = lambda *_: None,
) -> Prepared:
    """Put the frames of all clips into the cache folder `pictures`, each clip as the motion tasks ask for it; what is
    there already is read and not rendered. With `motion` also as blended frames. Another engine than threads must reach
    the dataset and the cache folder under the same paths."""
    dataset = data.part("clip")
    if dataset is None:
        raise UserError(f"expected clips to prepare, found none in {data.name!r}")
    clips = [item for item in dataset.items if isinstance(item, Clip)]
    there = [clip for clip in clips if clip.video not in dataset.missing]
    prepared = Prepared(missing=len(clips) - len(there))
    if engine is not None:
        dataset, pictures = _anywhere(dataset), pictures.absolute()
    render = partial(_render, dataset, pictures, fps, motion, most, _coupled(clips))
    found: dict[int, list[int] | UserError] = {}
    with closing((engine or Threads()).map(render, there)) as results:
        for one in results:
            lost = isinstance(one.error, Lost)
            found[one.piece] = UserError(f"{there[one.piece].id}: {one.error}") if lost else one.result()
            advance(len(found), len(there))
    for _, sizes in sorted(found.items()):
        if isinstance(sizes, UserError):
            prepared.broken.append(sizes)
            continue
        prepared.clips += 1
        prepared.pictures += len(sizes)
        prepared.size += sum(sizes)
    return prepared


def _anywhere(dataset: Dataset) -> Dataset:
    """With paths that do not depend on the folder in which somebody works."""
    elsewhere = {media: path.absolute() for media, path in dataset.elsewhere.items()}
    return replace(dataset, root=dataset.root.absolute(), elsewhere=elsewhere)


def _coupled(clips: Sequence[Clip]) -> Set[str]:
    """Twins and what they are twins of."""
    return {name for clip in clips if is_twin(clip) for name in (clip.id, *(link.to for link in clip.links))}


def _render(
    dataset: Dataset, pictures: Path, fps: Fraction, motion: bool, most: int | None, coupled: Set[str], clip: Clip
) -> list[int] | MediaError:
    """How large each picture of a clip is."""
    try:
        ways = {
            shown.pictures: shown.files for shown in _ways(dataset, clip, fps, motion, most, coupled=clip.id in coupled)
        }
        sizes = []
        for frames, files in ways.items():
            darkroom = media.Darkroom(pictures, files, limit_bytes=HELD, memory_bytes=0)
            sizes += [len(image) for image in darkroom.base64(frames)]
    except MediaError as error:
        return error
    return sizes


def _ways(
    dataset: Dataset, clip: Clip, fps: Fraction, motion: bool, most: int | None, *, coupled: bool
) -> Iterator[Shown]:
    """As purpose and meaning are asked; effects and twins are asked without the box."""
    yield clip_pictures(dataset, clip, fps, most=most)
    if clip.effect is not None:
        yield clip_pictures(dataset, clip, fps, boxed=False)
    if coupled:
        yield clip_pictures(dataset, clip, fps, boxed=False, window=running_seconds(dataset, clip))
    if motion:
        yield clip_pictures(dataset, clip, fps, blend=Blend(), most=most)
