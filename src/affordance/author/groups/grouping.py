"""`author group`: regions and elements of a screen that look alike and do different things."""

from collections import Counter

from affordance.author.groups.element_groups import element_groups
from affordance.author.groups.region_groups import region_groups
from affordance.author.records import ROOT, Groups, Kind
from affordance.author.state import Change, ScreenState
from affordance.author.tools import NotThere, Result, Tools
from affordance.evaluation.attempts import gather_all


async def group(tools: Tools, screen: ScreenState) -> Result:
    """Both levels at once. A screen that is not divided has groups of elements only, and one whose elements nobody has
    looked for of regions only; one with neither fails."""
    work = []
    if any(node != ROOT for node in screen.regions):
        work.append((Kind.REGION_GROUPS, "regions", region_groups(tools, screen)))
    if screen.candidates is not None:
        work.append((Kind.ELEMENT_GROUPS, "elements", element_groups(tools, screen)))
    if not work:
        raise NotThere("expected regions or elements to group, found none; run affordance author divide or elements")
    result = Result()
    found = await gather_all(one for _, _, one in work)
    for (kind, what, _), (groups, notes) in zip(work, found, strict=True):
        result.changes.append(Change(kind, screen.id, groups))
        result.notes.extend([*notes, *_rejections(what, groups)])
    return result


def _rejections(what: str, groups: Groups) -> list[str]:
    counts = Counter(one.stage for one in groups.rejected)
    return [
        f"{what}: {count} {'group' if count == 1 else 'groups'} rejected in {stage}" for stage, count in counts.items()
    ]
