"""Groups of regions on the way: what they are made of, and what was done to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from affordance.author.groups.clusters import Likeness, kept_apart
from affordance.author.groups.region_verdicts import LEAST
from affordance.author.records import Group, Member, Rejected
from affordance.author.state import ScreenState
from affordance.grounding.look_alikes import without_overlaps


@dataclass(frozen=True, slots=True)
class Draft:
    """Members are in the order of the tree. `likeness` tells how alike two of them are, where only numbers say so."""

    members: tuple[str, ...]
    likeness: Likeness
    similarity: str = ""
    verified: str = ""
    history: tuple[str, ...] = ()
    merged: bool = False

    def then(self, members: Iterable[str], *history: str) -> "Draft":
        """With other members, and what has happened to it."""
        return replace(self, members=tuple(members), history=(*self.history, *history))

    def rejected(self, stage: str, reason: str) -> Rejected:
        return Rejected(members=list(self.members), stage=stage, reason=reason)


class Family:
    """Who is above whom in a tree, and who comes first."""

    def __init__(self, screen: ScreenState) -> None:
        self._above: Mapping[str, frozenset[str]] = {node: frozenset(screen.ancestors(node)) for node in screen.regions}
        self._place = {node: place for place, node in enumerate(screen.regions)}

    def related(self, one: str, other: str) -> bool:
        """Whether one is inside the other, over any number of levels."""
        return one in self._above[other] or other in self._above[one]

    def place(self, node: str) -> int:
        return self._place[node]

    def ordered(self, nodes: Iterable[str]) -> list[str]:
        return sorted(nodes, key=self.place)


def apart(screen: ScreenState, family: Family, draft: Draft, stage: str) -> Draft | Rejected:
    """Without members that are inside of one another or overlap; rejected where fewer than two are left. Of relatives
    the first one stays, of members that overlap the smaller."""
    single = kept_apart(draft.members, family.related)
    related = [one for one in draft.members if one not in single]
    places = without_overlaps([screen.regions[one].box for one in single])
    kept = [single[place] for place in places]
    history = [f"dropped {one}: inside of another member, or around it" for one in related]
    history += [f"dropped {one}: overlaps a smaller member" for one in single if one not in kept]
    if len(kept) < LEAST:
        why = "; ".join(history) or f"{len(kept)} members"
        return draft.rejected(stage, f"fewer than {LEAST} are left: {why}")
    return draft.then(family.ordered(kept), *history)


def finished(screen: ScreenState, drafts: Iterable[Draft]) -> list[Group]:
    return [
        Group(
            id=str(number),
            members=[
                Member(
                    id=node,
                    box=screen.regions[node].box,
                    description=screen.description(node),
                    functionality=screen.functionality(node),
                )
                for node in draft.members
            ],
            similarity=draft.similarity,
            verified=draft.verified,
            history=list(draft.history),
        )
        for number, draft in enumerate(drafts, start=1)
    ]
