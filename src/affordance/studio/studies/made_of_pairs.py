"""Preference studies: which pairs they are about, as those are when the study is made."""

from dataclasses import dataclass
from typing import Any

from affordance import media
from affordance.author.pair_records import Designs, Halves, Mask
from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.datasets import DesignPair, load_dataset

PEOPLE = 55  # who choose between the designs of a pair, as in the study of WiserUI-Bench
TITLE = "Which of two designs do you prefer?"


@dataclass(frozen=True, slots=True)
class Frozen:
    """Versions of documents: of pairs in `items`, of what was cut and painted over in `settings`."""

    items: dict[str, int]
    settings: dict[str, dict[str, int]]


def preference_study(project: Project, name: str, *, per_item: int = PEOPLE, spec: str = "", **how: Any) -> Study:
    """A study of all pairs of the project that were not put aside and are two designs, or of those of a dataset; each
    person is asked about all of them, unless `how`, which are other fields of the study, says otherwise."""
    about = _of_dataset(spec) if spec else _of_project(project)
    return Study(name=name, form="preference", per_item=per_item, **{"title": TITLE, **about, **how})


def frozen(project: Project) -> Frozen:
    """What people would be shown now."""
    halves = {
        one.subject: one.version
        for one in project.ledger.documents.latest(kind=Kind.HALVES)
        if (record := read_record(one, Halves)).confirmed and record.single
    }
    masks = {
        one.subject: one.version
        for one in project.ledger.documents.latest(kind=Kind.MASK)
        if read_record(one, Mask).accepted
    }
    items = {}
    for one in project.ledger.documents.latest(kind=Kind.PAIR):
        pair = read_record(one, Designs)
        if not pair.aside and (one.subject in halves or not _is_one(project, pair)):
            items[one.subject] = one.version
    return Frozen(items, {"halves": halves, "masks": masks})


def _is_one(project: Project, pair: Designs) -> bool:
    """Whether both are the same picture, of which there is nothing to choose."""
    if pair.sizes[0] != pair.sizes[1]:
        return False
    return media.same_pixels(*(project.folder / image for image in pair.images))


def _of_project(project: Project) -> dict[str, Any]:
    found = frozen(project)
    if not found.items:
        raise UserError("expected pairs of two designs in the project, found none; add some, or give a dataset")
    return {"items": found.items, "settings": found.settings}


def _of_dataset(spec: str) -> dict[str, Any]:
    dataset = load_dataset(spec)
    if not any(isinstance(item, DesignPair) for item in dataset.items):
        raise UserError(f"expected pairs of designs in {spec}, found a dataset of kind {dataset.header.kind!r}")
    return {"dataset": {"spec": spec, "name": dataset.name, "digest": dataset.digest()}}
