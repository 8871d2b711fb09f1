"""Whether a question has one answer: a second model says what else it fits."""

from collections.abc import Sequence

from affordance.author.hearing import hear
from affordance.author.questions.subjects import Subject
from affordance.author.questions.words import ANY, LONGEST_SIDE, TASK, Slot
from affordance.author.replies import read_object
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.core.digest import digest, seeded_random
from affordance.core.media_spec import RED, BoxOutline, ImageSpec, Rgb
from affordance.core.prompts import fill
from affordance.core.question import AnswerOption, MultipleChoice
from affordance.datasets.taxonomies import TargetExpression
from affordance.evaluation.ad_hoc import CHECKER, AdHocQuestion
from affordance.tasks.answers import NOT_PARSED
from affordance.tasks.choice_answers import parse_multiple_choice
from affordance.tasks.question_design import option_letters

CONFIRMED, UNCHECKED = "confirmed", "unchecked"
TEMPERATURES = (0.0, 0.4, 0.4)

# Okabe and Ito's, which colour-blind readers tell apart.
_COLOURS: dict[str, Rgb] = {
    "blue": (0, 114, 178),
    "orange": (230, 159, 0),
    "green": (0, 158, 115),
    "pink": (204, 121, 167),
    "sky blue": (86, 180, 233),
    "yellow": (240, 228, 66),
    "red": (213, 94, 0),
    "black": (0, 0, 0),
}
_LABELS = {
    TargetExpression.FUNCTIONALITY: "Question",
    TargetExpression.DESCRIPTION: "Description",
    TargetExpression.INTENT: "Action Intent",
}


async def fitting(
    tools: Tools, screen: ScreenState, subject: Subject, alike: Sequence[Subject], slot: Slot, text: str
) -> frozenset[str] | str:
    """The ids of those that a text fits, among a target and what looks like it; or why the checker said nothing of
    use. They are shown in a seeded order, so that the place says nothing."""
    candidates = [subject, *alike]
    seeded_random("candidates", tools.seed, screen.id, subject.level, subject.id).shuffle(candidates)
    colours = list(_COLOURS.items())
    shown = [(*colours[place % len(colours)], one) for place, one in enumerate(candidates)]
    listed = (
        f"{number} ({name} outline) - bbox: {one.bbox(screen.size)}{_does(one, slot.action)}"
        for number, (name, _, one) in enumerate(shown, 1)
    )
    prompt = fill(
        tools.prompts["unique"],
        {"level": subject.level, "candidates": "\n".join(listed), "label": _LABELS[slot.kind], "text": text},
    )
    outlines = tuple(BoxOutline(one.box, colour, 3) for _, colour, one in shown)
    inquiry = AdHocQuestion(
        TASK,
        screen.id,
        {"asks": "unique", "level": subject.level, "target": subject.id, "words": digest(prompt)},
        (prompt, ImageSpec(screen.shot.digest, max_side=LONGEST_SIDE, outlines=outlines)),
        lambda reply: read_matching(reply, len(candidates)),
        TEMPERATURES,
    )
    (said,) = await hear(tools, [inquiry], CHECKER)
    if said.value is None:
        return said.reason
    return frozenset(candidates[number - 1].id for number in said.value)


def read_matching(text: str, candidates: int) -> frozenset[int] | str:
    """The numbers that a checker names, from 1 on."""
    found = read_object(text)
    if isinstance(found, str):
        return found
    named = found.value.get("matching")
    if not isinstance(named, list):
        return 'expected "matching" with a list of numbers, found none'
    numbers = {int(one) for one in named if _whole(one)}
    if len(numbers) < len(named) or not numbers <= set(range(1, candidates + 1)):
        return f"expected numbers from 1 to {candidates}, found {str(named)[:80]}"
    return frozenset(numbers)


async def right_options(
    tools: Tools, screen: ScreenState, subject: Subject, question: str, truth: str, options: Sequence[str], name: str
) -> frozenset[int] | str:
    """The places of the options that hold for a subject, given what is known of it; or why the checker said nothing of
    use. It is told the truth: what is checked is the question, and not whether the checker can answer it."""
    grammar = MultipleChoice(
        tuple(AnswerOption(letter, one, one) for letter, one in zip(option_letters(len(options)), options, strict=True))
    )
    prompt = fill(
        tools.prompts["options-right"],
        {
            "level": subject.level,
            "truth": truth,
            "question": question,
            "options": "\n".join(f"{option.letter}) {option.label}" for option in grammar.options),
        },
    )
    picture = ImageSpec(screen.shot.digest, max_side=LONGEST_SIDE, outlines=(BoxOutline(subject.box, RED, 3),))
    inquiry = AdHocQuestion(
        TASK,
        screen.id,
        {"asks": "right", "question": name, "words": digest(prompt)},
        (prompt, picture),
        lambda reply: parse_multiple_choice(reply, grammar) or NOT_PARSED,
        TEMPERATURES,
    )
    (said,) = await hear(tools, [inquiry], CHECKER)
    if said.value is None:
        return said.reason
    return frozenset(grammar.options.index(option) for option in said.value)


def _does(subject: Subject, action: str) -> str:
    outcome = subject.outcomes.get(action) if action not in ("", ANY) else None
    known = {"description": subject.description, "functionality": outcome or subject.functionality}
    return "".join(f", {name}: {text}" for name, text in known.items() if text)


def _whole(value: object) -> bool:
    if isinstance(value, str):
        return value.isdecimal() and len(value) < 5
    return isinstance(value, int) and not isinstance(value, bool)
