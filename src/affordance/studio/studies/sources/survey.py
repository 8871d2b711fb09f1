"""The survey of what animations show and what they mean, in people's own words."""

from collections.abc import Mapping, Sequence

from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.json_text import Json
from affordance.studio.studies.clip_items import ClipItems
from affordance.studio.studies.forms import TextField, WordsForm
from affordance.studio.studies.sheets import Sheet, Slot
from affordance.studio.studies.wording import told

EFFECT, MEANING = "effect", "meaning"
_DONT_KNOW = "Where you cannot tell, write “I don't know”."
FORM = WordsForm(
    (
        TextField(EFFECT, "What do you see happen?", f"What changes, and how it moves. {_DONT_KNOW}"),
        TextField(MEANING, "What does it tell you, or what is it for?", f"What you take it to mean. {_DONT_KNOW}"),
    )
)


class Survey:
    def __init__(self, study: Study, project: Project) -> None:
        self._told = told(study)
        self._items = ClipItems(study, project)

    def slots(self) -> Sequence[Slot]:
        return self._items.slots()

    def sheet(self, slot: Slot) -> Sheet:
        blocks, files = self._items.blocks(slot.item), self._items.files(slot.item)
        return Sheet(slot.id, self._told.heading, self._told.instruction, blocks, FORM, files=files)

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        return {}

    def changed(self) -> list[str]:
        """The clips that are others by now than people are shown."""
        return self._items.changed()

    def stale(self) -> bool:
        return self._items.stale()


def source(study: Study, project: Project) -> Survey:
    return Survey(study, project)
