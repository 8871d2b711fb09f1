"""Whether groups are of what is on a screen now. Ids of regions and elements are given anew whenever they are found
anew: the same id may be something else."""

from collections.abc import Iterable

from affordance.author.records import Elements, Group, Groups
from affordance.core.digest import digest
from affordance.core.geometry import Box

OUT_OF_DATE = "groups are out of date: run `affordance author group` again"
ROUNDING = 1.0  # pixels by which one and the same box may differ


def same_box(one: Box, other: Box) -> bool:
    """Whether two boxes of one space differ by rounding at most."""
    return all(abs(a - b) <= ROUNDING for a, b in zip(one.xyxy, other.xyxy, strict=True))


def made_of(elements: Elements, groups: Iterable[Group]) -> str:
    """A digest of the members of groups as they were found. A member itself may have a box that a model put right."""
    boxes = {one.id: [round(float(number), 2) for number in one.box.xyxy] for one in elements.elements}
    members = sorted({member.id for group in groups for member in group.members})
    return digest("groups of", [[name, boxes.get(name, [])] for name in members])


def up_to_date(elements: Elements, groups: Groups) -> bool:
    """Whether the members of groups are where they were found; taken for granted of groups that do not say."""
    return not groups.of or groups.of == made_of(elements, groups.groups)
