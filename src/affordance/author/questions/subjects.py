"""What there is to ask about: members of look-alike groups, with all that is known of each."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from affordance.author.groups.dating import OUT_OF_DATE, same_box, up_to_date
from affordance.author.groups.views import one_line, per_mille
from affordance.author.records import Groups, Member
from affordance.author.regions.page import nearest, page_regions
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere
from affordance.core.digest import digest
from affordance.core.geometry import Box
from affordance.datasets.taxonomies import Action, canonical_action

Level = Literal["element", "region"]

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_PARTS = re.compile(r"\d+-\d+(?=-|$)|[^-]+")  # of a name: the ids of regions have a dash
_ORDER = {str(action): place for place, action in enumerate(Action)}


@dataclass(frozen=True, slots=True)
class Subject:
    """An element or a region that can be asked about."""

    level: Level
    id: str
    box: Box
    own: str = ""  # what is written on it
    description: str = ""
    functionality: str = ""
    outcomes: Mapping[str, str] = field(default_factory=dict)  # by action, in the order of the table of actions

    @property
    def known(self) -> bool:
        """Whether it is known what it does."""
        return bool(self.functionality or self.outcomes)

    def bbox(self, size: tuple[int, int]) -> str:
        """Its box as models are told it."""
        return str(per_mille(self.box, size))


@dataclass(frozen=True, slots=True)
class Party:
    """A group of look-alikes, as far as they may be asked about."""

    level: Level
    id: str
    members: tuple[Subject, ...]

    def others(self, subject: Subject) -> tuple[Subject, ...]:
        return tuple(one for one in self.members if one.id != subject.id)


@dataclass(frozen=True, slots=True)
class Target:
    """A member of a group, with all that look like it in any group."""

    subject: Subject
    group: str
    alike: tuple[Subject, ...]


def parties(screen: ScreenState) -> tuple[list[Party], list[str]]:
    """All groups of a screen, those of elements first, and what was left out of them. Elements that nobody has grouped
    yet are taken as they were found to look alike. Raises `NotThere` where groups are of what was there before."""
    notes: list[str] = []
    grouped = screen.element_groups or screen.candidates
    if grouped is not None and screen.elements is not None and not up_to_date(screen.elements, grouped):
        raise NotThere(OUT_OF_DATE)
    elements = _parties("element", grouped, _elements_by(screen), notes)
    regions = _parties("region", screen.region_groups, _regions_by(screen), notes)
    return [*elements, *regions], notes


def targets(found: Iterable[Party]) -> list[Target]:
    """Every member once, with the first group that it is in."""
    first: dict[tuple[str, str], tuple[Subject, str]] = {}
    alike: dict[tuple[str, str], dict[str, Subject]] = {}
    for party in found:
        for subject in party.members:
            key = (party.level, subject.id)
            first.setdefault(key, (subject, party.id))
            alike[key] = {**{other.id: other for other in party.others(subject)}, **alike.get(key, {})}
    return [Target(subject, group, tuple(alike[key].values())) for key, (subject, group) in first.items()]


def told_by_people(screen: ScreenState, found: Iterable[Party]) -> list[Target]:
    """Regions whose text a person wrote, and that are in no group: nothing is known to look like them."""
    grouped = {subject.id for party in found if party.level == "region" for subject in party.members}
    return [
        Target(region_subject(screen, node), "", ())
        for node in screen.usable()
        if node in screen.told and node not in grouped
    ]


def name_of(*parts: str) -> str:
    """The name of a question: fit for a file, the same for the same parts and for no others."""
    plain = "-".join(kept for part in parts if (kept := _UNSAFE.sub("-", part).strip("-")))
    # Where the parts cannot be read back from the name, others may have the same.
    return plain if _PARTS.findall(plain) == list(parts) else f"{plain}-{digest(*parts)[:6]}"


def _elements_by(screen: ScreenState) -> Callable[[Member], Subject | None]:
    """How a member of an element group becomes a subject. What a captured page says of it fills what is missing."""
    written = {one.id: one.text for one in screen.elements.elements} if screen.elements is not None else {}
    captured = {one.id: one for one in screen.captured.elements} if screen.captured is not None else {}

    def subject(member: Member) -> Subject | None:
        if screen.elements is not None and member.id not in written:
            return None
        page = captured.get(member.id)
        outcomes = {
            canonical_action(action): one_line(text) for action, text in member.outcomes.items() if one_line(text)
        }
        return Subject(
            "element",
            member.id,
            member.box,
            one_line(written.get(member.id) or (page.name if page is not None else "") or ""),
            one_line(member.description or (page.description if page is not None else "") or ""),
            one_line(member.functionality or (page.functionality if page is not None else "") or ""),
            dict(sorted(outcomes.items(), key=lambda one: (_ORDER.get(one[0], len(_ORDER)), one[0]))),
        )

    return subject


def region_subject(screen: ScreenState, node: str) -> Subject:
    """A region as it stands: corrections count. Its own text is what a captured page calls it."""
    box = screen.regions[node].box
    return Subject(
        "region",
        node,
        box,
        _own_name(screen, node),
        one_line(screen.description(node)),
        one_line(screen.functionality(node)),
    )


def _own_name(screen: ScreenState, node: str) -> str:
    if screen.captured is None:
        return ""
    there = nearest(screen.regions[node], page_regions(screen.captured))
    return one_line(there[1]) if there is not None else ""


def _regions_by(screen: ScreenState) -> Callable[[Member], Subject | None]:
    usable = set(screen.usable())

    def subject(member: Member) -> Subject | None:
        if member.id not in usable:
            return None
        found = region_subject(screen, member.id)
        if not same_box(found.box, member.box):
            raise NotThere(OUT_OF_DATE)
        return found

    return subject


def _parties(
    level: Level, groups: Groups | None, known: Callable[[Member], Subject | None], notes: list[str]
) -> list[Party]:
    found = []
    for group in groups.groups if groups is not None else ():
        members = {member.id: subject for member in group.members if (subject := known(member)) is not None}
        if len(members) < len(group.members):
            notes.append(f"{level}s that people rejected or that are gone were left out of a group")
        if len(members) > 1:
            found.append(Party(level, group.id, tuple(members.values())))
        else:
            notes.append(f"a group of {level}s has fewer than two members left: nothing asked")
    return found
