"""Look-alike elements: the groups that were found, verified and described by a model."""

from collections.abc import Mapping
from functools import partial

from affordance.author.groups.dating import made_of
from affordance.author.groups.element_answers import Answer, Described, read_answers
from affordance.author.groups.region_candidates import TASK
from affordance.author.groups.region_verdicts import LEAST
from affordance.author.groups.views import one_line, per_mille, whole_screen
from affordance.author.hearing import hear, plays
from affordance.author.records import Elements, Group, Groups, Member, Rejected
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.core.digest import digest
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.core.prompts import fill
from affordance.core.sequences import chunked
from affordance.evaluation.ad_hoc import MODEL, AdHocQuestion
from affordance.evaluation.attempts import gather_all
from affordance.grounding.look_alikes import without_overlaps

TEMPERATURES = (0.3, 0.6, 0.6)
ROUNDS = 3  # of asking, as long as groups are left without an answer
AT_ONCE = 10  # groups in one message: an answer on more is cut off by usual limits
SAME = 0.5  # IoU with the box that was found, from which on one that the model gives is of the same element


async def element_groups(tools: Tools, screen: ScreenState) -> tuple[Groups, list[str]]:
    """The groups that the stage `elements` found. Without a model they stay as they are, and nobody has verified
    them; otherwise each that the model confirms has its members described, and each that it does not is rejected."""
    found = _as_they_are(screen, screen.candidates or Groups())
    if not plays(tools) or not found.groups:
        return _dated(screen, found), []
    listed = dict(enumerate(found.groups, start=1))
    portions = [dict(part) for part in chunked(list(listed.items()), AT_ONCE)]
    answers: dict[int, Answer] = {}
    reasons: dict[int, str] = {}
    for answered, unanswered in await gather_all(_answered(tools, screen, portion) for portion in portions):
        answers |= answered
        reasons |= unanswered
    by = tools.asking.model_name(MODEL)
    groups: list[Group] = []
    rejected = list(found.rejected)
    for index, group in listed.items():
        outcome = _judged(screen, group, answers.get(index), reasons.get(index, ""), by)
        if isinstance(outcome, Group):
            groups.append(outcome)
        else:
            rejected.append(outcome)
    return _dated(screen, Groups(groups=groups, rejected=rejected, by=by)), []


def _as_they_are(screen: ScreenState, found: Groups) -> Groups:
    """Candidates with the boxes that their elements have now, for people may have corrected them since; without those
    that are gone or elsewhere."""
    if screen.elements is None:
        return found
    there = {one.id: one.box for one in screen.elements.elements}
    groups: list[Group] = []
    rejected = list(found.rejected)
    for group in found.groups:
        members, history = [], list(group.history)
        for member in group.members:
            box = there.get(member.id)
            if box is None or box.iou(member.box) < SAME:
                history.append(f"dropped {member.id}: it is gone or elsewhere now")
            else:
                members.append(member.model_copy(update={"box": box}) if box != member.box else member)
        if len(members) >= LEAST:
            groups.append(group.model_copy(update={"members": members, "history": history}))
        else:
            ids, why = [member.id for member in group.members], f"fewer than {LEAST} are left: {'; '.join(history)}"
            rejected.append(Rejected(members=ids, stage="out of date", reason=why))
    return found.model_copy(update={"groups": groups, "rejected": rejected})


def _dated(screen: ScreenState, groups: Groups) -> Groups:
    of = "" if screen.elements is None else made_of(screen.elements, groups.groups)
    return groups.model_copy(update={"of": of})


async def _answered(
    tools: Tools, screen: ScreenState, groups: Mapping[int, Group]
) -> tuple[dict[int, Answer], dict[int, str]]:
    """Answers by the index of the group, and why others have none. Only those are asked about again."""
    answers: dict[int, Answer] = {}
    reason = ""
    for number in range(ROUNDS):
        left = {index: group for index, group in groups.items() if index not in answers}
        if not left:
            break
        (said,) = await hear(tools, [_inquiry(tools, screen, left, number)])
        answers |= said.value or {}
        reason = said.reason or "the answer left it out"
    return answers, {index: reason for index in groups if index not in answers}


def _inquiry(
    tools: Tools, screen: ScreenState, groups: Mapping[int, Group], number: int
) -> AdHocQuestion[dict[int, Answer]]:
    texts = {one.id: one.text for one in _elements(screen).elements}
    lines = [
        f"{index}. Elem {member.id} - bbox: {per_mille(member.box, screen.size)}, "
        f"alt-text: {one_line(texts.get(member.id, '')) or '(none)'}"
        for index, group in groups.items()
        for member in group.members
    ]
    ids = {index: [member.id for member in group.members] for index, group in groups.items()}
    axes: dict[str, Json] = {"about": "elements", "groups": list(groups), "round": number, "told": digest(lines)}
    parts = (fill(tools.prompts["elements"], {"groups": "\n".join(lines)}), whole_screen(screen))
    return AdHocQuestion(TASK, screen.id, axes, parts, partial(read_answers, groups=ids), TEMPERATURES)


def _judged(screen: ScreenState, group: Group, answer: Answer | None, reason: str, by: str) -> Group | Rejected:
    ids = [member.id for member in group.members]
    if answer is None:
        return Rejected(members=ids, stage="verification", reason=f"no answer could be used: {reason}")
    if len(answer.elements) < LEAST:
        return Rejected(members=ids, stage="verification", reason=answer.similarity)
    exact = _elements(screen).source == "dom"  # the page knows better than the model where its elements are
    said = {one.id: one for one in answer.elements}
    members: list[Member] = []
    history = [f"repaired the answer: {repair}" for repair in answer.repairs]
    history += [f"ignored {one}: it is not in the group" for one in answer.unknown]
    history += [f"dropped {one}: the model left it out" for one in ids if one not in said]
    for member in group.members:
        if (described := said.get(member.id)) is not None:
            box = None if exact else _revised(screen, member, described)
            history += [f"the box of {member.id} was put right"] if box is not None else []
            members.append(_filled(member, described, box))
    kept = [members[place] for place in without_overlaps([member.box for member in members])]
    history += [f"dropped {one.id}: overlaps a smaller member" for one in members if one not in kept]
    if len(kept) < LEAST:
        return Rejected(members=ids, stage="overlap", reason=f"fewer than {LEAST} are left: {'; '.join(history)}")
    return Group(
        id=group.id,
        members=kept,
        similarity=answer.similarity,
        verified=by,
        history=[*group.history, *history],
    )


def _revised(screen: ScreenState, member: Member, described: Described) -> Box | None:
    """The model's box in pixels, where it is about the same place and not the same box."""
    if described.box is None or list(described.box.xyxy) == per_mille(member.box, screen.size):
        return None
    exact = described.box.to_space(CoordinateSpace.PIXEL, *screen.size)
    box = Box(CoordinateSpace.PIXEL, *(round(number) for number in exact.xyxy))
    return box if box.iou(member.box) >= SAME and box != member.box else None


def _filled(member: Member, described: Described, box: Box | None) -> Member:
    return Member(
        id=member.id,
        box=box or member.box,
        description=described.description or member.description,
        functionality=described.functionality or member.functionality,
        outcomes={**member.outcomes, **described.outcomes},
    )


def _elements(screen: ScreenState) -> Elements:
    return screen.elements or Elements(source="vision")
