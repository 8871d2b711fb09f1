"""Where the targets of questions and their look-alikes are now: corrections made after a question was asked count."""

from affordance.author.records import Member, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.geometry import Box, CoordinateSpace


class Places:
    """Of one screen."""

    def __init__(self, state: ScreenState) -> None:
        self._state = state
        # None where nothing is known of the elements, rather than that there are none.
        self._elements = None if state.elements is None else {one.id: one for one in state.elements.elements}
        groups = state.element_groups or state.candidates
        grouped = [
            (group.id, member) for group in ([] if groups is None else groups.groups) for member in group.members
        ]
        self._in_group = {(group, member.id): member for group, member in grouped}
        self._members: dict[str, Member] = {}
        for _, member in grouped:
            self._members.setdefault(member.id, member)

    def target(self, name: str, record: QuestionRecord) -> Box | None:
        """None where it is gone. A box that a person drew for the question itself stays."""
        edited = name in self._state.edited
        if record.level == "region":
            region = self._state.regions.get(record.target)
            return None if region is None else record.box if edited else region.box
        if edited or self._elements is None:
            return record.box
        if record.target not in self._elements:
            return None
        # A group may have a better box than the element itself, which is then what was asked about.
        member = self._in_group.get((record.group or "", record.target))
        return record.box if member is not None and member.box == record.box else self._elements[record.target].box

    def other(self, record: QuestionRecord, name: str) -> Box | None:
        """Of a look-alike, the part that is on the screen."""
        if record.level == "region":
            region = self._state.regions.get(name)
            return None if region is None else on_screen(self._state, region.box)
        if self._elements is not None and name not in self._elements:
            return None
        found = self._members.get(name) or (self._elements or {}).get(name)
        return None if found is None else on_screen(self._state, found.box)

    def element(self, name: str) -> tuple[Member | None, Box | None, Box | None]:
        """What groups know of an element, its box, which a group may have put right, and the one it was found with."""
        member, own = self._members.get(name), (self._elements or {}).get(name)
        first = None if own is None else own.box
        return member, first if member is None else member.box, first

    def group_of(self, name: str) -> str | None:
        """The first group that an element is in."""
        return next((group for group, member in self._in_group if member == name), None)


def on_screen(state: ScreenState, box: Box) -> Box | None:
    """The part of a box that is on the screen, in pixels."""
    return box.to_space(CoordinateSpace.PIXEL, *state.size).clip(*state.size)
