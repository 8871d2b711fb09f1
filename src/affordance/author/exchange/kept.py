"""What of a project is exported: selected screens, regions that nobody rejected, questions that passed their checks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

from affordance.author.exchange.files import seen
from affordance.author.exchange.places import Places, on_screen
from affordance.author.exchange.results import Exported, States
from affordance.author.questions.attributes import GROUP, attributes
from affordance.author.records import Detected, Group, Member, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.errors import MediaError, UserError
from affordance.core.geometry import Box
from affordance.core.validation import StrictModel

_NONE = "expected screens to export, found none that are selected and have their picture"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the boxes of all that it speaks of, inside the screen. `newer` says that the target has another
    box now than when it was asked about: the record has the one of now."""

    state: ScreenState
    name: str
    record: QuestionRecord
    box: Box
    alike: tuple[tuple[str, Box], ...]  # the other members of its group, with their ids
    newer: bool = False

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


@dataclass(frozen=True, slots=True)
class Kept:
    """The screens of an export. Who goes through them has one at a time, in the order of their ids."""

    states: States
    ids: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[ScreenState]:
        return iter(self.states(self.ids))

    def some(self) -> Self:
        """Raises a `UserError` where there are none."""
        if not self.ids:
            raise UserError(_NONE)
        return self


def going(states: States, told: Exported) -> Iterator[ScreenState]:
    """The screens to export, for who goes through them once. Raises a `UserError` at once where there are none."""
    found = selected(states(None), told)
    first = next(found, None)
    if first is None:
        raise UserError(_NONE)
    return chain([first], found)


def kept(states: States, told: Exported, visit: Callable[[ScreenState], None] = lambda _: None) -> Kept:
    """The screens to export; each is visited once on the way, in the order given."""
    ids = []
    for state in selected(states(None), told):
        visit(state)
        ids.append(state.id)
    return Kept(states, tuple(sorted(ids)))


def selected(states: Iterable[ScreenState], told: Exported) -> Iterator[ScreenState]:
    """The screens that go on and have their picture."""
    for state in states:
        if state.selection is not None and not state.selection.on:
            told.omit(state.id, f"screen not selected: {state.selection.why}".rstrip(": "))
            continue
        try:
            seen(state)
        except MediaError as error:
            told.omit(state.id, f"screen without a usable picture: {error}")
            continue
        yield state


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
            if said is not None and not said.passed:
                told.notes.append(f"{state.id}/{node}: its text did not pass, and is exported; edit or reject it")
            parents[node] = next((above for above in state.ancestors(node) if above in parents), None)
    return parents


def questions(state: ScreenState, told: Exported) -> list[Asked]:
    """The questions about a screen, by name."""
    usable, places = frozenset(state.usable()), Places(state)
    asked = []
    for name, record in sorted(state.questions.items()):
        place = places.target(name, record)
        box = None if place is None else on_screen(state, place)
        if (reason := _against(usable, record, place, box)) is not None or place is None or box is None:
            told.omit(f"{state.id}/{name}", f"{record.level} question {reason}")
            continue
        alike = [(other, where) for other in record.alike if (where := places.other(record, other)) is not None]
        if len(alike) < len(record.alike):
            told.notes.append(f"{state.id}/{name}: some of its look-alikes are not on the screen any more")
        newer = place != record.box
        now = record.model_copy(update={"box": place}) if newer else record
        asked.append(Asked(state, name, now, box, tuple(alike), newer))
    return _measured(state, asked)


def tell_newer(count: int, told: Exported) -> None:
    """That people or models have corrected boxes since questions were asked about them."""
    if count:
        told.notes.append(f"{count} questions have the box that their target was given after they were asked")


def extra(document: StrictModel, name: str) -> dict[str, object]:
    """A field of a document that this version does not know by itself; empty where it has none."""
    found = (document.model_extra or {}).get(name)
    return dict(found) if isinstance(found, dict) else {}


def _measured(state: ScreenState, asked: Sequence[Asked]) -> list[Asked]:
    """With what depends on the box of a target measured anew where the box is newer, if it was known before."""
    moved = {one.name: one.record for one in asked if one.newer and one.record.attributes}
    found = attributes(state, [record.box for record in moved.values()], [0] * len(moved))
    now = {
        name: record.model_copy(
            update={"attributes": record.attributes | {key: value for key, value in new.items() if key != GROUP}}
        )
        for (name, record), new in zip(moved.items(), found, strict=True)
    }
    return [replace(one, record=now[one.name]) if one.name in now else one for one in asked]


def _against(usable: frozenset[str], record: QuestionRecord, place: Box | None, box: Box | None) -> str | None:
    """Why a question is not exported. `place` is where its target is, `box` the part of it on the screen."""
    if record.dropped:
        return f"dropped: {record.dropped}"
    if record.abandoned:
        return "abandoned by people"
    if place is None:
        return f"about {'a region' if record.level == 'region' else 'an element'} that is gone"
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
