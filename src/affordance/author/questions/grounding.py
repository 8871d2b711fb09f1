"""Grounding questions: the target is given, a model words it, and what gives it away or fits another is worded anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from affordance.author.hearing import plays
from affordance.author.questions.leaks import complaint
from affordance.author.questions.subjects import Target, name_of
from affordance.author.questions.uniqueness import CONFIRMED, UNCHECKED, fitting
from affordance.author.questions.words import ANY, Remark, Slot, ask_words, slots_of
from affordance.author.records import QuestionRecord
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.datasets.taxonomies import TargetExpression
from affordance.evaluation.ad_hoc import CHECKER, MODEL
from affordance.evaluation.attempts import gather_all

TRIES = 3
LEAKS = "the wording gives the target away"
AMBIGUOUS = "the wording does not fit the target alone"
NO_WORDING = "the model gave no wording that can be used"


@dataclass(slots=True)
class _Draft:
    """Where the wording of a target stands. `good` are texts with what the checker said of them."""

    good: dict[Slot, tuple[str, str]] = field(default_factory=dict)
    wrong: dict[Slot, Remark] = field(default_factory=dict)
    tries: int = 0


async def ground(tools: Tools, screen: ScreenState, target: Target) -> dict[str, QuestionRecord]:
    """The questions that ask for a target, by name: one for each action that is known of it. Its description is with
    the first, so that it is asked for once. A text that could be used after no try is left out; a question without any
    text is kept as dropped."""
    slots, draft = slots_of(target.subject), _Draft()
    while draft.tries < TRIES and (open_slots := [slot for slot in slots if slot not in draft.good]):
        remarks = {slot: draft.wrong[slot] for slot in open_slots if slot in draft.wrong}
        said = await ask_words(tools, screen, target, open_slots, remarks, draft.tries)
        draft.tries += 1
        if isinstance(said, str):
            draft.wrong |= {slot: Remark("", NO_WORDING, said) for slot in open_slots if slot not in draft.wrong}
            continue
        unsaid = [slot for slot in open_slots if slot not in said and slot not in draft.wrong]
        draft.wrong |= {slot: Remark("", NO_WORDING, "the answer had no text for it") for slot in unsaid}
        checked = await gather_all(_checked(tools, screen, target, slot, text) for slot, text in said.items())
        for (slot, text), found in zip(said.items(), checked, strict=True):
            if isinstance(found, Remark):
                draft.wrong[slot] = found
            else:
                draft.good[slot] = (text, found)
    return _records(tools, target, slots, draft)


async def _checked(tools: Tools, screen: ScreenState, target: Target, slot: Slot, text: str) -> str | Remark:
    """What the check of uniqueness came to, or why the text cannot be used."""
    subject = target.subject
    if why := complaint(text, subject.own, slot.action if slot.action != ANY else None):
        return Remark(text, LEAKS, why)
    if not plays(tools, CHECKER):
        return UNCHECKED
    fits = await fitting(tools, screen, subject, target.alike, slot, text)
    if isinstance(fits, str):
        return f"{UNCHECKED}: {fits}"
    if fits == {subject.id}:
        return CONFIRMED
    others = ", ".join(one.id for one in target.alike if one.id in fits)
    if not others:
        return Remark(text, AMBIGUOUS, "a checker finds that it does not fit the target")
    also = "it fits {} as well as the target" if subject.id in fits else "it fits {} and not the target"
    return Remark(text, AMBIGUOUS, f"a checker finds that {also.format(others)}")


def _records(tools: Tools, target: Target, slots: Sequence[Slot], draft: _Draft) -> dict[str, QuestionRecord]:
    subject = target.subject
    actions = list(dict.fromkeys(slot.action for slot in slots if slot.action)) or [""]
    found = {}
    for place, action in enumerate(actions):
        mine = [slot for slot in slots if slot.action == action or (not slot.action and place == 0)]
        known = action not in ("", ANY)
        name = name_of("ground", subject.level, subject.id, *([action] if known else []))
        expressions, checks, dropped = _told(mine, draft)
        found[name] = QuestionRecord(
            form="ground",
            level=subject.level,
            target=subject.id,
            box=subject.box,
            action=action if known else None,
            group=target.group,
            alike=[one.id for one in target.alike],
            expressions=expressions,
            checks={**checks, "tries": str(draft.tries)},
            dropped=dropped,
            by=tools.asking.model_name(MODEL),
        )
    return found


def _told(slots: Sequence[Slot], draft: _Draft) -> tuple[dict[str, str], dict[str, str], str]:
    """Expressions, checks, and why there is no question. What was left out is told under the kind of expression; of a
    question that is dropped, the last texts are kept for people to see."""
    good = {slot: draft.good[slot] for slot in slots if slot in draft.good}
    left_out = {slot: draft.wrong[slot] for slot in slots if slot not in good}
    checks = {str(slot.kind): f"left out: {one.why}" for slot, one in left_out.items()}
    if not good:
        last = {str(slot.kind): one.text for slot, one in left_out.items() if one.text}
        return _ordered(last), checks, next(iter(left_out.values())).fault
    return _ordered({str(slot.kind): text for slot, (text, _) in good.items()}), {**checks, **_verdicts(good)}, ""


def _verdicts(good: Mapping[Slot, tuple[str, str]]) -> dict[str, str]:
    unique = list(dict.fromkeys(said for _, said in good.values()))
    return {"leaks": "none", "unique": unique[0] if len(unique) == 1 else "; ".join(sorted(unique))}


def _ordered(expressions: Mapping[str, str]) -> dict[str, str]:
    return {str(kind): expressions[kind] for kind in TargetExpression if kind in expressions}
