"""Which of two designs people prefer: a goal, both designs in balanced order, a choice. Double-blind: neither the sheet
nor anything in it tells which design won, by how many votes, or what the files are called."""

from collections.abc import Mapping, Sequence

from affordance import media
from affordance.author.pairs.ballots import ballots_of, pairs_to_compare
from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.datasets import load_dataset
from affordance.studio.studies.forms import EitherForm
from affordance.studio.studies.pair_items import DatasetItems, Items, ProjectItems
from affordance.studio.studies.sheets import Sheet, Slot, Still, Text
from affordance.studio.studies.stamps import record_files

LABELS = ("First design", "Second design")
GOAL = "What it is to achieve"
NO_GOAL = "People who come to the page find it easier to use, and do what it is for."
INSTRUCTION = "Two designs of one page. Look at both, and choose the one that you think achieves this better."


class Preference:
    def __init__(self, study: Study, items: Items) -> None:
        self._items = items
        self._ballots = {one.id: one for one in ballots_of(study, items.names)}

    def slots(self) -> Sequence[Slot]:
        return [Slot(one.id, one.pair, one.turn) for one in self._ballots.values()]

    def sheet(self, slot: Slot) -> Sheet:
        designs = self._items.designs(slot.item)
        shown = [designs[place] for place in self._ballots[slot.id].order]
        sources = [digest_file(one.file) for one in shown]
        pictures = [ImageSpec(source, crop=one.part) for one, source in zip(shown, sources, strict=True)]
        stills = [
            Still(picture, media.rendered_size(picture, media.probe(one.file)), label)
            for one, picture, label in zip(shown, pictures, LABELS, strict=True)
        ]
        return Sheet(
            slot=slot.id,
            heading="Two designs",
            instruction=INSTRUCTION,
            blocks=(Text(self._items.goal(slot.item) or NO_GOAL, GOAL), *stills),
            form=EitherForm(LABELS),
            files={source: one.file for one, source in zip(shown, sources, strict=True)},
        )

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        """Which image of the record, whatever side it was on."""
        return {"preferred": str(self._ballots[slot.id].preferred(given.get("side")))}

    def changed(self) -> list[str]:
        """Pairs that are others by now than people are shown."""
        return self._items.changed()

    def stale(self) -> bool:
        return self._items.stale()


def source(study: Study, project: Project) -> Preference:
    if study.items:
        return Preference(study, ProjectItems(study, project))
    spec = str(study.dataset.get("spec", ""))
    if not spec:
        raise UserError(f"study {study.name}: expected pairs of the project or a dataset, found neither; make another")
    return Preference(study, _of_dataset(study, spec))


def _of_dataset(study: Study, spec: str) -> DatasetItems:
    dataset = load_dataset(spec)
    if (now := dataset.digest()) != study.dataset.get("digest"):
        raise UserError(
            f"study {study.name}: the dataset {spec} has changed since the study was made: expected digest "
            f"{study.dataset.get('digest')}, found {now}; put it back, or make another study"
        )
    if not (two := pairs_to_compare(dataset)):
        raise UserError(f"study {study.name}: expected pairs of two designs in {spec}, found none")
    return DatasetItems(dataset, two, record_files(spec))
