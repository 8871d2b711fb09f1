"""Blind second annotation: people draw the box of a region by the text that says what it is, without seeing the box
that is there."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from affordance.author.project import Project, read_record, read_version
from affordance.author.records import Kind, Region, Shot
from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.geometry import Box
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.models.study_answers import comparable_value
from affordance.studio.studies.forms import PlaceForm
from affordance.studio.studies.made_of_regions import SCREENS, TEXTS
from affordance.studio.studies.sheets import Sheet, Slot, Still, Text
from affordance.studio.studies.stamps import Stamps, check_content
from affordance.studio.studies.wording import told

_LENGTH = 16  # of a slot's id: enough for all of a study to differ


class Boxes:
    """Raises a `UserError` where the picture of a screen is not what it was."""

    def __init__(self, study: Study, project: Project) -> None:
        if not study.items:
            raise UserError(f"study {study.name}: expected regions of the project, found none; make another study")
        self._study = study
        self._project = project
        ledger = project.ledger
        versions = study.settings[SCREENS].items()
        self._shots = {name: read_version(ledger, Kind.SCREEN, name, one, Shot) for name, one in versions}
        self._regions: dict[str, Region] = {}
        self._stamps = Stamps(map(self._file, self._shots))
        for name, shot in self._shots.items():
            check_content(study.name, "picture", shot.image, self._file(name), shot.digest)

    def slots(self) -> Sequence[Slot]:
        study = self._study
        return [
            Slot(digest("boxes", study.name, item, turn)[:_LENGTH], item, turn)
            for item in sorted(study.items)
            for turn in range(study.per_item)
        ]

    def sheet(self, slot: Slot) -> Sheet:
        shot = self._shots[screen_of(slot.item)]
        size = (shot.width, shot.height)
        words = told(self._study)
        return Sheet(
            slot=slot.id,
            heading=words.heading,
            instruction=words.instruction,
            blocks=(Text(self._study.settings[TEXTS][slot.item], "The region"), Still(ImageSpec(shot.digest), size)),
            form=PlaceForm(size),
            files={shot.digest: self._file(screen_of(slot.item))},
        )

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        return comparable_value(given, {})

    def there(self, item: str) -> Box:
        """The box that the region had when the study was made."""
        if item not in self._regions:
            version = self._study.items[item]
            self._regions[item] = read_version(self._project.ledger, Kind.REGION, item, version, Region)
        return self._regions[item].box

    def changed(self) -> list[str]:
        """The regions that have another box by now, or are gone."""
        now = self._project.ledger.documents.get_many([(Kind.REGION, item) for item in self._study.items])
        regions = {
            one.subject: read_record(one, Region) for one in now if one.version != self._study.items[one.subject]
        }
        return sorted(item for item, region in regions.items() if region.gone or region.box != self.there(item))

    def stale(self) -> bool:
        return self._stamps.touched()

    def _file(self, screen: str) -> Path:
        return self._project.folder / self._shots[screen].image


def source(study: Study, project: Project) -> Boxes:
    return Boxes(study, project)


def screen_of(item: str) -> str:
    return item.rpartition("/")[0]
