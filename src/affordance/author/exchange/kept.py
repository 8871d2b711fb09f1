"""What of a project is exported: selected screens, regions that nobody rejected, questions that passed their checks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from affordance.author.exchange.files import seen
from affordance.author.exchange.results import Exported
from affordance.author.records import Detected, Group, Member, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.box import Box, Space
from affordance.core.errors import MediaError
from affordance.datasets.parts import Strict


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the boxes of all that it speaks of, inside the screen."""

    state: ScreenState
    name: str
    record: QuestionRecord
    box: Box
    alike: tuple[tuple[str, Box], ...]  # the other members of its group, with their ids

    @property
    def subject(self) -> str:
        return f"{self.state.id}/{self.name}"

    @property
    def group(self) -> Group | None:
        groups = self.state.element_groups if self.record.level == "element" else self.state.region_groups
        found = () if groups is None else groups.groups
        return next((one for one in found if one.id == self.record.group), None)

    @property
    def member(self) -> Member | None:
        """What its group knows of the target."""
        return None if self.group is None else next((m for m in self.group.members if m.id == self.record.target), None)


def selected(states: Iterable[ScreenState], told: Exported) -> list[ScreenState]:
    """The screens that go on and have their picture, by id."""
    kept = []
    for state in sorted(states, key=lambda one: one.id):
        if state.selection is not None and not state.selection.on:
            told.omit(state.id, f"screen not selected: {state.selection.why}".rstrip(": "))
            continue
        try:
            seen(state)
        except MediaError as error:
            told.omit(state.id, f"screen without a usable picture: {error}")
            continue
        kept.append(state)
    return kept


def elements(state: ScreenState) -> Iterator[tuple[Detected, Box]]:
    """Interactive elements, the part of each that is on the screen."""
    for one in [] if state.elements is None else state.elements.elements:
        if one.interactive and (box := on_screen(state, one.box)) is not None:
            yield one, box


def regions(state: ScreenState, told: Exported) -> dict[str, str | None]:
    """The nodes that nobody rejected and that are on the screen, each with its nearest ancestor among them."""
    parents: dict[str, str | None] = {}
    for node, region in state.regions.items():
        said = state.validations.get(node)
        if said is not None and said.rejected:
            told.omit(f"{state.id}/{node}", f"region rejected by people: {said.note}".rstrip(": "))
        elif on_screen(state, region.box) is None:
            told.omit(f"{state.id}/{node}", "region outside of the screen")
        else:
            parents[node] = next((above for above in state.ancestors(node) if above in parents), None)
    return parents


def questions(states: Iterable[ScreenState], told: Exported) -> list[Asked]:
    """By screen and name."""
    found = []
    for state in states:
        usable = frozenset(state.usable())
        for name, record in sorted(state.questions.items()):
            box = on_screen(state, record.box)
            if (reason := _against(state, usable, record, box)) is not None or box is None:
                told.omit(f"{state.id}/{name}", f"{record.level} question {reason}")
                continue
            alike = [(other, place) for other in record.alike if (place := _place(state, record, other)) is not None]
            if len(alike) < len(record.alike):
                told.notes.append(f"{state.id}/{name}: some of its look-alikes are not on the screen any more")
            found.append(Asked(state, name, record, box, tuple(alike)))
    return found


def on_screen(state: ScreenState, box: Box) -> Box | None:
    return box.to(Space.PIXEL, *state.size).clipped(*state.size)


def extra(document: Strict, name: str) -> dict[str, object]:
    """A field of a document that this version does not know by itself; empty where it has none."""
    found = (document.model_extra or {}).get(name)
    return dict(found) if isinstance(found, dict) else {}


def _against(state: ScreenState, usable: frozenset[str], record: QuestionRecord, box: Box | None) -> str | None:
    """Why a question is not exported."""
    if record.dropped:
        return f"dropped: {record.dropped}"
    if record.abandoned:
        return "abandoned by people"
    if record.level == "region" and record.target not in state.regions:
        return "about a region that is gone"
    if record.level == "region" and record.target not in usable:
        return "about a region that people rejected"
    if box is None:
        return "with its target outside of the screen"
    if record.form == "ground" and not any(record.expressions.values()):
        return "without words"
    if record.form == "outcome" and (len(record.options) < 2 or not record.question):
        return "without options"
    if record.form == "outcome" and not any(one.origin == "target" for one in record.options):
        return "without a right option"
    return None


def _place(state: ScreenState, record: QuestionRecord, name: str) -> Box | None:
    if record.level == "region":
        return on_screen(state, state.regions[name].box) if name in state.regions else None
    groups = [] if state.element_groups is None else state.element_groups.groups
    members: list[Member | Detected] = [one for group in groups for one in group.members]
    known = [] if state.elements is None else state.elements.elements
    return next((on_screen(state, one.box) for one in [*members, *known] if one.id == name), None)
