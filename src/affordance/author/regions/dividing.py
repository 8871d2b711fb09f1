"""`author divide`: the tree of a screen's functional regions. A model proposes the parts of a region, a checker looks
at each of them, and what was wrong is told to the model that proposes again; what was accepted is divided in turn.

Regions are divided as soon as they are there, all at once: only answers that need each other follow each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from affordance.author.hearing import hear, plays
from affordance.author.records import Division, Proposal, Proposed, Scores, Texts
from affordance.author.regions.checks import SMALL, too_small
from affordance.author.regions.limits import Limits, limits_of
from affordance.author.regions.proposals import in_thousandths, read_proposal
from affordance.author.regions.tree import Node, changes_of, root_of
from affordance.author.regions.truth import DOM, LAYOUT, from_dom, from_layout
from affordance.author.regions.verifying import (
    accepted,
    means,
    read_scores,
    taken_for_good,
    unread,
)
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Result, Tools
from affordance.core.errors import UnknownName
from affordance.core.geometry import Box, fit_within
from affordance.core.json_text import Json
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.prompts import fill
from affordance.evaluation.ad_hoc import CHECKER, MODEL, AdHocQuestion
from affordance.evaluation.attempts import gather_all

TASK = "author/divide"
AUTO, BY_MODEL = "auto", "model"
LONGEST_SIDE, LONGEST_PORTRAIT = 1920, 1280
THICKNESS = 8
WARMTH = (0.1, 0.3, 0.6)  # of the first proposal, and of those that refine it
AGAIN = (0.7, 0.8)  # where a reply could not be read
CHECKING = (0.0, 0.6, 0.7)
PROPOSAL_TOKENS, CHECK_TOKENS = 16_000, 8192
CORRECTED = "people have corrected this tree: it is not divided again"


async def divide(tools: Tools, screen: ScreenState) -> Result:
    """The tree of a screen. Settings: `by` (auto, model, dom, layout), and those of `Limits` by name; `depth=none` has
    no limit. A tree that people have corrected stays, for new nodes would not fit to theirs; a screen of which no reply
    can be read has none."""
    if screen.reshaped:
        return Result(notes=[CORRECTED])
    limits, by = limits_of(tools), _by(tools, screen)
    if by == BY_MODEL:
        divider = _Divider(tools, screen, limits)
        root = await divider.tree()
        notes = divider.notes
    elif by == DOM:
        assert screen.captured is not None, "a screen is divided by the DOM only where it was captured"
        root, notes = from_dom(screen, screen.captured)
    else:
        root, notes = await from_layout(screen)
    return Result(changes_of(screen, root), notes)


def _by(tools: Tools, screen: ScreenState) -> str:
    by = tools.settings.get("by", AUTO)
    if by not in (AUTO, BY_MODEL, DOM, LAYOUT):
        raise UnknownName("way to divide: by", by, (AUTO, BY_MODEL, DOM, LAYOUT))
    captured = screen.captured is not None and bool(screen.captured.regions)
    if by == BY_MODEL and not plays(tools):
        raise NotThere("expected a model to divide with, found none; give one with --model, or leave out by=model")
    if by == DOM and not captured:
        raise NotThere("expected regions of a captured page, found none; leave out by=dom for this screen")
    if by == AUTO:
        return BY_MODEL if plays(tools) else DOM if captured else LAYOUT
    return by


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a region is in the tree that grows. The path are places among the children, from the root on: with it no
    two inquiries are taken for one."""

    node: Node
    path: tuple[int, ...] = ()

    @property
    def level(self) -> int:
        return len(self.path)

    @property
    def name(self) -> str:
        return ".".join(map(str, self.path)) or "root"


class _Divider:
    """The division of one screen by a model."""

    def __init__(self, tools: Tools, screen: ScreenState, limits: Limits) -> None:
        self._tools = tools
        self._screen = screen
        self._limits = limits
        self._checker = CHECKER if plays(tools, CHECKER) else MODEL
        portrait = screen.shot.height > screen.shot.width
        self._longest = LONGEST_PORTRAIT if portrait else LONGEST_SIDE
        self._context = ""
        self._notes: dict[tuple[int, ...], list[str]] = {}

    @property
    def notes(self) -> list[str]:
        """In the order of the tree, whatever was answered first."""
        return [line for _, lines in sorted(self._notes.items()) for line in lines]

    async def tree(self) -> Node:
        root = root_of(self._screen)
        await self._grow(_Place(root))
        return root

    async def _grow(self, place: _Place) -> None:
        """Divide a region, and what it was divided into."""
        node = place.node
        chosen = await self._divided(place)
        if chosen is None:
            if not place.path:
                assert node.division is not None, "what was tried is written down"
                raise NotThere(
                    f"no reply that divides the screen could be read: {node.division.reason}; try another model"
                )
            return
        if chosen.whole is not None:
            node.description = node.description.model_copy(update={"wo_context": chosen.whole.description or None})
            node.functionality = node.functionality.model_copy(
                update={"wo_context": chosen.whole.functionality or None}
            )
            if not place.path:
                self._context = chosen.whole.description.rstrip(". ")
        node.children = [_node(child) for child in chosen.children]
        below = (_Place(child, (*place.path, number)) for number, child in enumerate(node.children))
        await gather_all(self._grow(one) for one in below if self._goes_on(one))

    def _goes_on(self, place: _Place) -> bool:
        node, depth = place.node, self._limits.depth
        return node.dividable and (depth is None or place.level < depth) and not too_small(node.box, SMALL)

    async def _divided(self, place: _Place) -> Proposal | None:
        """Propose until a proposal is accepted; else the best of them. None where no reply could be read."""
        proposals: list[Proposal] = []
        reason = ""
        for number in range(self._limits.refinements):
            found = await self._propose(place, number, proposals[-1] if proposals else None)
            if isinstance(found, str):
                reason = found
                self._notes.setdefault(place.path, []).append(f"{place.name}: a reply could not be used: {found}")
                break
            proposals.append(await self._verified(place, number, found))
            if proposals[-1].accepted or not found.children:
                break
        selected = _best(proposals)
        chosen = None if selected is None else proposals[selected]
        if chosen is not None:
            reason = "" if chosen.children else "it is not dividable"
        place.node.division = Division(
            proposals=proposals, selected=selected, by=self._tools.asking.model_name(MODEL), reason=reason
        )
        return chosen

    async def _propose(self, place: _Place, number: int, before: Proposal | None) -> Proposal | str:
        box = place.node.box
        prompts = self._tools.prompts
        context = f" whose broader context is: {self._context}" if self._context and place.path else ""
        text = fill(prompts["propose"], {"is_dividable": "dividable " if place.path else "", "context": context})
        if before is not None:
            text += "\n\n" + fill(prompts["refine"], _told(before, box))
        axes: dict[str, Json] = {"node": place.name, "box": list(box.xyxy), "round": number}
        inquiry = AdHocQuestion(
            TASK,
            self._screen.id,
            axes,
            (self._picture(box), text),
            partial(read_proposal, within=box),
            (WARMTH[min(number, len(WARMTH) - 1)], *AGAIN),
            {"max_tokens": PROPOSAL_TOKENS},
        )
        (said,) = await hear(self._tools, [inquiry], MODEL)
        found = said.value if said.value is not None else read_proposal(said.text, box, lenient=True)
        # A reply that nobody can read is told by what was wrong with it when it was read strictly.
        return said.reason if isinstance(found, str) else found.model_copy(update={"attempt": said.attempt})

    async def _verified(self, place: _Place, number: int, proposal: Proposal) -> Proposal:
        """With what the checker says of each child, and whether that is enough. Nothing to divide is an answer at
        first; after regions that were only not good enough it is none."""
        if not proposal.children:
            return proposal.model_copy(update={"accepted": number == 0})
        asked = [child.box for child in proposal.children if taken_for_good(child.box) is None]
        inquiries = [self._check(place, number, child) for child in asked]
        said = iter(await hear(self._tools, inquiries, self._checker))
        children = []
        for child in proposal.children:
            scores = taken_for_good(child.box)
            if scores is None:
                one = next(said)
                scores = one.value if one.value is not None else _leniently(one.text, one.reason)
            children.append(child.model_copy(update={"scores": scores}))
        scored = [child.scores for child in children if child.scores is not None]
        completeness, bounded = means(scored)
        return proposal.model_copy(
            update={
                "children": children,
                "completeness": completeness,
                "bounded": bounded,
                "accepted": accepted(scored, self._limits.completeness, self._limits.bounded),
            }
        )

    def _check(self, place: _Place, number: int, child: Box) -> AdHocQuestion[Scores]:
        prompts = self._tools.prompts
        parts = (
            prompts["screen"] + "\n",
            self._picture(place.node.box, outline=child),
            prompts["region"] + "\n",
            self._picture(child),
            fill(prompts["verify"], {"context_info": " " + prompts["marked"]}),
        )
        axes: dict[str, Json] = {"node": place.name, "check": list(child.xyxy), "round": number}
        return AdHocQuestion(TASK, self._screen.id, axes, parts, read_scores, CHECKING, {"max_tokens": CHECK_TOKENS})

    def _picture(self, box: Box, outline: Box | None = None) -> ImageSpec:
        """What is in a box. An outline is as thick as the spec has it, but thinner where it would hide a small
        picture."""
        whole = box.xyxy == (0, 0, *self._screen.size)
        shown = fit_within(int(box.x2 - box.x1), int(box.y2 - box.y1), self._longest)
        thickness = min(THICKNESS, max(2, min(shown) // 30))
        outlines = () if outline is None else (BoxOutline(outline, RED, thickness),)
        crop = None if whole else box
        return ImageSpec(self._screen.shot.digest, crop=crop, max_side=self._longest, outlines=outlines)


def _leniently(text: str, reason: str) -> Scores:
    found = read_scores(text, lenient=True)
    return unread(reason) if isinstance(found, str) else found


def _best(proposals: Sequence[Proposal]) -> int | None:
    """The one that was accepted, else the one with the highest scores; the first of equal ones."""
    if not proposals:
        return None
    rated = [(one.accepted, (one.completeness or 0) + (one.bounded or 0)) for one in proposals]
    return rated.index(max(rated))


def _told(before: Proposal, within: Box) -> dict[str, str]:
    """What a model is told of its proposal: its regions in its own numbers, and what is wrong with them."""
    regions, remarks = [], []
    for number, child in enumerate(before.children, 1):
        scores = child.scores
        assert scores is not None, "a proposal that is refined was checked"
        checked = f"completeness {scores.completeness}, {'bounded' if scores.bounded else 'not bounded'}"
        regions.append(f"{number}. {in_thousandths(child.box, within)} {child.type}: {checked}".strip())
        if scores.reason and (scores.completeness < 3 or not scores.bounded):
            remarks.append(f"- Region {number}: {scores.reason}")
    remarks += [f"- {problem[:1].upper()}{problem[1:]}." for problem in before.problems]
    return {"regions": "\n".join(regions), "remarks": "\n".join(remarks) or "- The scores are too low."}


def _node(child: Proposed) -> Node:
    return Node(
        child.box,
        child.type,
        child.dividable,
        Texts(with_context=child.description or None),
        Texts(with_context=child.functionality or None),
        child.scores,
    )
