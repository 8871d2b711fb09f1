"""Pairs as items of a study: each as it was when the study was made, with what was painted over and where it was cut
then, whatever was changed later."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from affordance import media
from affordance.author.pair_records import Designs, Halves, Mask
from affordance.author.pairs.masks import mask_of
from affordance.author.project import Project, read_version
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.core.files import atomic_write
from affordance.core.geometry import Box
from affordance.datasets import Dataset, DesignPair
from affordance.media import load_pixels
from affordance.studio.studies.made_of_pairs import frozen
from affordance.studio.studies.stamps import Stamps, check_content

CLEANED = "cleaned"  # a folder of the project, with pictures that were made of others


@dataclass(frozen=True, slots=True)
class Design:
    """One of the two: a file, or a part of it."""

    file: Path
    part: Box | None = None


class Items(Protocol):
    """Where pairs come from."""

    @property
    def names(self) -> Sequence[str]: ...

    def goal(self, name: str) -> str: ...

    def designs(self, name: str) -> tuple[Design, Design]:
        """In the order of the record's images."""
        ...

    def changed(self) -> list[str]:
        """Those of which people are shown something else than what is there now, or which are left out by now."""
        ...

    def stale(self) -> bool:
        """Whether a file was touched since."""
        ...


class ProjectItems:
    """Raises a `UserError` where a picture is not what it was."""

    def __init__(self, study: Study, project: Project) -> None:
        self._study = study
        self._project = project
        ledger = project.ledger
        self._pairs = {
            name: read_version(ledger, Kind.PAIR, name, version, Designs) for name, version in study.items.items()
        }
        self._stamps = Stamps(project.folder / image for pair in self._pairs.values() for image in pair.images)
        for pair in self._pairs.values():
            for image, content in zip(pair.images, pair.digests, strict=True):
                check_content(study.name, "picture", image, project.folder / image, content)

    @property
    def names(self) -> Sequence[str]:
        return list(self._pairs)

    def goal(self, name: str) -> str:
        return self._pairs[name].goal or ""

    def designs(self, name: str) -> tuple[Design, Design]:
        version = self._study.settings.get("halves", {}).get(name)
        first = self._file(name, 0)
        if version is None:
            return Design(first), Design(self._file(name, 1))
        cut = read_version(self._project.ledger, Kind.HALVES, name, version, Halves)
        return Design(first, cut.boxes[0]), Design(first, cut.boxes[1])

    def changed(self) -> list[str]:
        now = frozen(self._project)
        then = Study.model_validate(
            {**self._study.model_dump(mode="json"), "items": now.items, "settings": now.settings}
        )
        return sorted(name for name in self._pairs if name not in now.items or self._other(name, then))

    def stale(self) -> bool:
        return self._stamps.touched()

    def _other(self, name: str, then: Study) -> bool:
        pair, settings = self._pairs[name], self._study.settings
        current = read_version(self._project.ledger, Kind.PAIR, name, then.items[name], Designs)
        if (pair.goal, pair.digests) != (current.goal, current.digests):
            return True
        subjects = [("halves", name), *(("masks", f"{name}/{place}") for place in (0, 1))]
        return any(
            settings.get(what, {}).get(subject) != then.settings[what].get(subject) for what, subject in subjects
        )

    def _file(self, name: str, place: int) -> Path:
        """The picture, without what was masked in it."""
        pair, subject = self._pairs[name], f"{name}/{place}"
        file = self._project.folder / pair.images[place]
        version = self._study.settings.get("masks", {}).get(subject)
        if version is None:
            return file
        mask = read_version(self._project.ledger, Kind.MASK, subject, version, Mask)
        made = digest("cleaned", pair.digests[place], mask.model_dump(mode="json"))
        path = self._project.folder / CLEANED / f"{made}.png"
        if not path.exists():
            pixels = load_pixels(file)
            atomic_write(path, media.encode_image(media.inpaint(pixels, mask_of(pixels, mask))))
        return path


class DatasetItems:
    def __init__(self, dataset: Dataset, pairs: Iterable[DesignPair], watched: Iterable[Path]) -> None:
        self._dataset = dataset
        self._pairs = {pair.id: pair for pair in pairs}
        images = (dataset.media_path(image) for pair in self._pairs.values() for image in pair.images)
        self._stamps = Stamps([*watched, *images])

    @property
    def names(self) -> Sequence[str]:
        return list(self._pairs)

    def goal(self, name: str) -> str:
        return self._pairs[name].goal or ""

    def designs(self, name: str) -> tuple[Design, Design]:
        first, second = self._pairs[name].images
        return Design(self._dataset.media_path(first)), Design(self._dataset.media_path(second))

    def changed(self) -> list[str]:
        return []  # a dataset that changes is another one, of which nothing is asked

    def stale(self) -> bool:
        return self._stamps.touched()
