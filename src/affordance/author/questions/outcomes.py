"""Outcome questions: what the marked element or region does, among what look-alikes and other parts of the same screen
do. A model gives the options one style and one length, without being told which of them is right."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median

from affordance.author.groups.views import one_line
from affordance.author.hearing import hear, plays
from affordance.author.questions.leaks import option_complaint
from affordance.author.questions.posers import Poser
from affordance.author.questions.uniqueness import CONFIRMED, UNCHECKED, right_options
from affordance.author.questions.words import LONGEST, TASK, TEMPERATURES, Remark
from affordance.author.records import QuestionRecord
from affordance.author.replies import read_object
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.core.digest import digest
from affordance.core.prompts import fill
from affordance.evaluation.ad_hoc import CHECKER, MODEL, AdHocQuestion
from affordance.tasks.question_design import option_letters

TRIES = 3
LEAKS = "the options give the answer away"
AMBIGUOUS = "more than one option may be right"
NO_OPTIONS = "the model gave no options that can be used"
FEWEST_WORDS, MOST_WORDS = 8, 25  # of an option


async def outcome(tools: Tools, screen: ScreenState, poser: Poser) -> QuestionRecord:
    """The question with its options put into one style. Where no try gave options that can be used, it is kept as
    dropped, with the options as they were."""
    by, wrong = tools.asking.model_name(MODEL), None
    for number in range(TRIES):
        said = await _rephrased(tools, screen, poser, wrong, number)
        if isinstance(said, str):
            wrong = wrong or Remark("", NO_OPTIONS, said)
            continue
        found = await _checked(tools, screen, poser, said)
        if isinstance(found, str):
            return _record(poser, said, {"leaks": "none", "unique": found, "tries": str(number + 1)}, "", by)
        wrong = found
    assert wrong is not None
    checks = {"options": wrong.why, "tries": str(TRIES)}
    return _record(poser, [option.text for option in poser.options], checks, wrong.fault, by)


def outcome_verbatim(poser: Poser, by: str) -> QuestionRecord:
    """The question with its options as they were written, where there is no model to put them into one style."""
    texts = [option.text for option in poser.options]
    if why := option_complaint(texts, poser.right, poser.subject.own):
        return _record(poser, texts, {"options": why}, LEAKS, by)
    return _record(poser, texts, {"leaks": "none", "unique": UNCHECKED}, "", by)


async def _rephrased(
    tools: Tools, screen: ScreenState, poser: Poser, wrong: Remark | None, number: int
) -> list[str] | str:
    texts = [option.text for option in poser.options]
    marks = option_letters(len(texts))
    wanted = min(max(round(median(len(text.split()) for text in texts)), FEWEST_WORDS), MOST_WORDS)
    banned = dict.fromkeys(one.own for one in (poser.subject, *poser.alike) if one.own)
    prompt = fill(
        tools.prompts["options"],
        {
            "question": poser.question,
            "options": "\n".join(f"{mark}) {text}" for mark, text in zip(marks, texts, strict=True)),
            "words": str(wanted),
            "banned": ", ".join(f"“{own}”" for own in banned) or "(none)",
            "remarks": "" if wrong is None else _told(wrong),
            "form": json.dumps({"options": dict.fromkeys(marks, "...")}),
        },
    )
    inquiry = AdHocQuestion(
        TASK,
        screen.id,
        {"asks": "options", "question": poser.name, "try": number, "words": digest(prompt)},
        (prompt,),
        partial(read_options, marks=marks),
        TEMPERATURES[poser.subject.level],
    )
    (said,) = await hear(tools, [inquiry])
    return said.reason if said.value is None else said.value


def read_options(text: str, marks: str) -> list[str] | str:
    """The options of a reply, all of them under their letters."""
    found = read_object(text)
    if isinstance(found, str):
        return found
    said = found.value.get("options", found.value)
    if isinstance(said, list) and len(said) == len(marks):
        said = dict(zip(marks, said, strict=True))
    if not isinstance(said, dict) or set(map(str, said)) != set(marks):
        return f"expected options {', '.join(marks)}, found {str(said)[:80]}"
    texts = [said[mark] for mark in marks]
    if not all(isinstance(one, str) and 0 < len(one_line(one)) <= LONGEST for one in texts):
        return f"expected a text of at most {LONGEST} letters for each option"
    return [one_line(one) for one in texts]


async def _checked(tools: Tools, screen: ScreenState, poser: Poser, texts: Sequence[str]) -> str | Remark:
    """What the check of uniqueness came to, or why the options cannot be used."""
    marks = option_letters(len(texts))
    listed = "; ".join(f"{mark}: {text}" for mark, text in zip(marks, texts, strict=True))
    if why := option_complaint(texts, poser.right, poser.subject.own):
        return Remark(listed, LEAKS, why)
    if not plays(tools, CHECKER):
        return UNCHECKED
    truth = poser.options[poser.right].text
    right = await right_options(tools, screen, poser.subject, poser.question, truth, texts, poser.name)
    if isinstance(right, str):
        return f"{UNCHECKED}: {right}"
    if right == {poser.right}:
        return CONFIRMED
    # Whoever words the options is not to know which of them is right.
    unclear = " and ".join(marks[place] for place in sorted(right | {poser.right}))
    return Remark(listed, AMBIGUOUS, f"a checker cannot tell which of the options {unclear} is true")


def _told(wrong: Remark) -> str:
    earlier = f" ({wrong.text})" if wrong.text else ""
    return f"\nAn earlier answer could not be used{earlier}: {wrong.why}\n"


def _record(poser: Poser, texts: Sequence[str], checks: Mapping[str, str], dropped: str, by: str) -> QuestionRecord:
    return QuestionRecord(
        form="outcome",
        level=poser.subject.level,
        target=poser.subject.id,
        box=poser.subject.box,
        action=poser.action,
        group=poser.group,
        alike=[one.id for one in poser.alike],
        question=poser.question,
        options=[option.model_copy(update={"text": text}) for option, text in zip(poser.options, texts, strict=True)],
        checks=dict(checks),
        dropped=dropped,
        by=by,
    )
