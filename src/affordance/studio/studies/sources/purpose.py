"""What animations are for, by experts: one of the seven purposes, each with its definition and examples."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.digest import digest, digest_file
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.datasets import Clip, Dataset, create_once, load_folder
from affordance.datasets.demo import read_demo_manifest, unpack_demo
from affordance.datasets.taxonomies import PURPOSES
from affordance.studio.studies.clip_items import ClipItems, film_of
from affordance.studio.studies.forms import ChoiceForm, Option
from affordance.studio.studies.sheets import Film, Sheet, Slot
from affordance.studio.studies.wording import told
from affordance.tasks.motion.purpose import PURPOSE_DEFINITIONS

PURPOSE = "purpose"
EXAMPLES = 3  # of each purpose
FOLDER = "examples"  # of the project, with clips of the demo data
REASON = "Why? How does the animation serve this purpose?"


class Purpose:
    def __init__(self, study: Study, project: Project) -> None:
        self._told = told(study)
        self._items = ClipItems(study, project)
        asked = {clip.digest for clip in self._items.clips.values()}
        self._examples = _examples(_demo(project), asked)
        self._films = tuple(film for films in self._examples.values() for film, _ in films)
        self._files = {film.frames[0].source: path for films in self._examples.values() for film, path in films}

    def slots(self) -> Sequence[Slot]:
        return self._items.slots()

    def sheet(self, slot: Slot) -> Sheet:
        """The examples come after the rest, to be opened with the purpose that they are of."""
        blocks = self._items.blocks(slot.item)
        place = len(blocks)
        options = []
        for purpose in PURPOSES:
            places = tuple(range(place, place := place + len(self._examples[purpose])))
            definition = PURPOSE_DEFINITIONS[purpose]
            options.append(Option(purpose, purpose, definition[:1].upper() + definition[1:], places))
        return Sheet(
            slot.id,
            self._told.heading,
            self._told.instruction,
            (*blocks, *self._films),
            ChoiceForm(tuple(options), reason=REASON),
            files={**self._files, **self._items.files(slot.item)},
        )

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        return {PURPOSE: given["option"]} if "option" in given else {}

    def changed(self) -> list[str]:
        """The clips that are others by now than people are shown."""
        return self._items.changed()

    def stale(self) -> bool:
        return self._items.stale()


def source(study: Study, project: Project) -> Purpose:
    return Purpose(study, project)


def _demo(project: Project) -> Dataset:
    """The clips of the demo data, unpacked beside those of the project on first use."""
    edition = digest("demo", read_demo_manifest().files)[:12]

    def clips(folder: Path) -> None:
        unpack_demo(folder, names=("clips",))

    try:
        return load_folder(create_once(project.folder / FOLDER / edition, clips) / "clips")
    except OSError as error:
        raise UserError(f"cannot write examples to {project.folder / FOLDER}: {error.strerror}") from None


def _examples(data: Dataset, asked: Collection[str]) -> dict[str, list[tuple[Film, Path]]]:
    """By purpose, films with where they are from; none that people are asked about."""
    found: dict[str, list[tuple[Film, Path]]] = {}
    for purpose in PURPOSES:
        of_purpose = (clip for clip in data.items if isinstance(clip, Clip) and clip.purpose == purpose)
        found[purpose] = list(islice(_films(data, of_purpose, asked), EXAMPLES))
    return found


def _films(data: Dataset, clips: Iterator[Clip], asked: Collection[str]) -> Iterator[tuple[Film, Path]]:
    for clip in clips:
        file = data.media_path(clip.video)
        if (source_ := digest_file(file)) not in asked:
            yield film_of(clip, file, source_, clip.context or ""), file
