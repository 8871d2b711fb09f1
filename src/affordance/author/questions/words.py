"""Asking a model for the words of a grounding question, the target being given; and reading what it says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from affordance.author.groups.views import one_line
from affordance.author.hearing import hear
from affordance.author.questions.subjects import Subject, Target
from affordance.author.replies import read_object
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.core.digest import digest
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.prompts import fill
from affordance.datasets.taxonomies import TargetExpression, canonical_action
from affordance.evaluation.ad_hoc import AdHocQuestion

TASK = "author/ask"
LONGEST_SIDE = 1920  # of the screenshots that are shown
LONGEST = 600  # letters of an expression
TEMPERATURES = {"element": (0.3, 0.5, 0.5), "region": (0.3, 0.6, 0.6)}
ANY = "use"  # what the action is called where none is known

_KEYS = {
    TargetExpression.FUNCTIONALITY: "question",
    TargetExpression.INTENT: "action_intent",
    TargetExpression.DESCRIPTION: "description",
}
_REGION_WANTED = {
    TargetExpression.FUNCTIONALITY: (
        '- "question": a question that asks for the region by its function in the interface, and does not describe its '
        "looks."
    ),
    TargetExpression.DESCRIPTION: '- "description": what the target looks like and where it is, without what it does.',
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One text that is wanted of a target. Descriptions belong to no action."""

    kind: TargetExpression
    action: str = ""

    def __str__(self) -> str:
        return f'"{_KEYS[self.kind]}"' + (f" for {self.action}" if self.action else "")


@dataclass(frozen=True, slots=True)
class Remark:
    """A text that could not be used, and why; the text is empty where there was none. `fault` is the reason as it is
    counted over many questions, `why` as it is told to the model."""

    text: str
    fault: str
    why: str


def slots_of(subject: Subject) -> list[Slot]:
    """What is asked for: without knowing what it does, only what it looks like."""
    found = [Slot(TargetExpression.DESCRIPTION)]
    if subject.level == "region":
        return [*([Slot(TargetExpression.FUNCTIONALITY)] if subject.known else []), *found]
    for action in list(subject.outcomes) or ([ANY] if subject.known else []):
        found += [Slot(TargetExpression.FUNCTIONALITY, action), Slot(TargetExpression.INTENT, action)]
    return found


async def ask_words(
    tools: Tools,
    screen: ScreenState,
    target: Target,
    wanted: Sequence[Slot],
    remarks: Mapping[Slot, Remark],
    number: int,
) -> dict[Slot, str] | str:
    """The texts that the model gives, of those that are wanted; or why there are none."""
    subject = target.subject
    prompt = fill(tools.prompts[f"ground-{subject.level}"], _fields(screen, target, wanted, remarks))
    picture = ImageSpec(screen.shot.digest, max_side=LONGEST_SIDE, outlines=(BoxOutline(subject.box, RED, 3),))
    inquiry = AdHocQuestion(
        TASK,
        screen.id,
        {"asks": "ground", "level": subject.level, "target": subject.id, "try": number, "words": digest(prompt)},
        (prompt, picture),
        partial(read_words, wanted=tuple(wanted)),
        TEMPERATURES[subject.level],
    )
    (said,) = await hear(tools, [inquiry])
    return said.reason if said.value is None else said.value


def read_words(text: str, wanted: Sequence[Slot]) -> dict[Slot, str] | str:
    """The texts of a reply that are wanted and there. One for which there is no text is not among them."""
    found = read_object(text)
    if isinstance(found, str):
        return found
    acts = found.value.get("referring_expressions", found.value)
    by_action = {canonical_action(str(name)): one for name, one in acts.items()} if isinstance(acts, dict) else {}
    texts = {}
    for slot in wanted:
        holder = by_action.get(slot.action) if slot.action else found.value
        value = holder.get(_KEYS[slot.kind]) if isinstance(holder, dict) else None
        if isinstance(value, str) and 0 < len(one_line(value)) <= LONGEST:
            texts[slot] = one_line(value)
    if not texts:
        return f"expected {', '.join(map(str, wanted))} with a text each, found none of them"
    return texts


def facts(subject: Subject, size: tuple[int, int]) -> str:
    """All that is known of a subject, as models are told it."""
    known = {
        "alt-text": subject.own,
        "description": subject.description,
        "functionality": subject.functionality,
        "interaction outcomes": "; ".join(f"{action}: {text}" for action, text in subject.outcomes.items()),
    }
    told = "".join(f", {name}: {text}" for name, text in known.items() if text)
    return f"- {'Elem' if subject.level == 'element' else 'Region'} {subject.id} - bbox: {subject.bbox(size)}{told}"


def _fields(
    screen: ScreenState, target: Target, wanted: Sequence[Slot], remarks: Mapping[Slot, Remark]
) -> dict[str, str]:
    subject = target.subject
    fields = {
        "target": facts(subject, screen.size),
        "alike": "\n".join(facts(one, screen.size) for one in target.alike),
        "remarks": _told(remarks),
        "form": json.dumps(_form(subject, wanted), ensure_ascii=False, indent=2),
    }
    if subject.level == "region":
        return {**fields, "wanted": "\n".join(_REGION_WANTED[slot.kind] for slot in wanted)}
    actions = list(dict.fromkeys(slot.action for slot in wanted if slot.action))
    return {**fields, "actions": ", ".join(actions) or "none: only the description is wanted"}


def _form(subject: Subject, wanted: Sequence[Slot]) -> dict[str, Any]:
    form: dict[str, Any] = {f"target_{subject.level}_id": subject.id}
    for slot in wanted:
        holder = form.setdefault("referring_expressions", {}).setdefault(slot.action, {}) if slot.action else form
        holder[_KEYS[slot.kind]] = "..."
    return form


def _told(remarks: Mapping[Slot, Remark]) -> str:
    """What was wrong before, with the answer that was."""
    lines = [f"- {slot}: {f'“{one.text}”: ' if one.text else ''}{one.why}" for slot, one in remarks.items()]
    return (
        "\nEarlier texts could not be used; write others that avoid this:\n" + "\n".join(lines) + "\n" if lines else ""
    )
