"""`function/ground-element` and `function/ground-region`: where is what does this?

As published (AutoGUI-v2): the screenshot, a sentence about the target, and a box or point in the model's own
coordinates. What cannot be read counts as wrong here, and is asked again up to three times in the `paper` protocol.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import PurePosixPath

from affordance.core.ask import Ask, Message, Reply
from affordance.core.attempt import Ended, Prompts, Steps, Verdict
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.expression import Expression
from affordance.core.grammar import Grammar, Locate
from affordance.core.picture import Picture, Visual
from affordance.core.question import Question
from affordance.datasets import Collection
from affordance.grounding.dialects import ROWS, Dialect
from affordance.grounding.location_parser import parse_location, write_location
from affordance.grounding.places import place_to_text
from affordance.grounding.selection import (
    dialect_named,
    find_dialect,
    frame,
    frame_fields,
    longest_side,
    sent_size,
    system_text,
)
from affordance.grounding.truths import Truth, grade, ideal
from affordance.suites.function.aims import Aim
from affordance.suites.function.captured import is_captured
from affordance.suites.function.made import made_aims
from affordance.suites.function.metrics import (
    ground_compat,
    ground_contrast,
    ground_counts,
    ground_floors,
    ground_intervals,
    ground_metrics,
    ground_shares,
    told_place,
)
from affordance.suites.function.sources import CAPTURED, SOURCE, WRITTEN, tagged
from affordance.suites.function.written import has_targets, written_aims
from affordance.suites.limits import some
from affordance.suites.prompts import PLACEHOLDER, fill
from affordance.suites.task import ASKED, Design, Order, Protocol, Task, Trial
from affordance.suites.verdicts import conclude

EXPRESSIONS = {
    "element": (Expression.FUNCTIONALITY, Expression.DESCRIPTION, Expression.INTENT),
    "region": (Expression.FUNCTIONALITY, Expression.DESCRIPTION),
}
# How each kind of expression is announced to the model: what it is, and the word before it.
_ANNOUNCED = {
    Expression.FUNCTIONALITY: ("a question about locating", "Question"),
    Expression.DESCRIPTION: ("a description of", "Description"),
    Expression.INTENT: ("an action intent about interacting with", "Action Intent"),
}


def questions(task: str, level: str, data: Collection, design: Design) -> Iterator[Trial]:
    written, made = _aims(task, level, data, design)
    aims = [*written, *made]
    if not aims:
        raise UserError(
            f"{task} needs targets, or screens with the outcomes verified on them (a folder that holds both datasets); "
            f"{data.name!r} has neither for {level}s"
        )
    asked = _expressions(task, aims, design.expressions)
    absent = any(aim.truth.absent for aim in aims)
    written, made = (_complete(part, asked) for part in (written, made))
    complete = [*written, *_once(made, asked, written)]
    if not complete:
        raise UserError(f"{task}: no target of {data.name!r} has {' and '.join(asked)} together; ask for one of them")
    for aim in some(complete, design.limit, lambda aim: aim.family):
        for kind in asked:
            for trial in range(design.trials):
                yield Trial(_question(task, aim, kind, absent), trial)


def _aims(task: str, level: str, data: Collection, design: Design) -> tuple[list[Aim], list[Aim]]:
    """Targets that are written down, and those made of captured outcomes; of one id the written one."""
    if not is_captured(data):
        return written_aims(data, level), []
    made = made_aims(data, level, task)
    if design.rules == 1 or not has_targets(data, level):
        return [], made
    written = written_aims(data, level)
    known = {aim.id for aim in written}
    captured = [tagged(aim, CAPTURED) for aim in made if aim.family not in known]
    return [tagged(aim, WRITTEN) for aim in written], captured


def _combines(level: str, data: Collection) -> bool:
    return is_captured(data) and has_targets(data, level)


def _expressions(task: str, aims: list[Aim], wanted: tuple[str, ...]) -> tuple[Expression, ...]:
    """Those that are asked: of the wanted ones those that the dataset has; without a wish that means something at this
    level, functionality, or else the first there is. Several are asked about the same targets, those which have them
    all."""
    level = aims[0].level
    known = [kind for kind in EXPRESSIONS[level] if any(kind in aim.expressions for aim in aims)]
    if not set(wanted) & set(EXPRESSIONS[level]):
        written = [aim for aim in aims if aim.tags.get(SOURCE) == WRITTEN] or aims
        return tuple(kind for kind in known if any(kind in aim.expressions for aim in written))[:1]
    found = tuple(kind for kind in known if kind in wanted)
    if not found:
        raise UserError(f"{task}: this dataset describes its targets by {' and '.join(known)}, not by {wanted[0]}")
    return found


def _complete(aims: list[Aim], asked: tuple[Expression, ...]) -> list[Aim]:
    return [aim for aim in aims if all(kind in aim.expressions for kind in asked)]


def _once(aims: list[Aim], asked: tuple[Expression, ...], before: list[Aim]) -> list[Aim]:
    """Without those that would be asked for in the words of an earlier one on the same screen, or of one of those
    `before`: other actions on an element, or another element of the same effect. Variants go with their originals."""

    def words_of(aim: Aim) -> set[tuple[str, Expression, str]]:
        return {(aim.sheet.source, kind, aim.expressions[kind]) for kind in asked}

    seen = {words for aim in before for words in words_of(aim)}
    kept: set[str] = set()
    for aim in aims:
        words = words_of(aim)
        if aim.original is None and not words & seen:
            kept.add(aim.id)
            seen |= words
    return [aim for aim in aims if aim.family in kept]


def _question(task: str, aim: Aim, kind: Expression, absent: bool) -> Question:
    reference, label = _ANNOUNCED[kind]
    size = aim.sheet.size
    return Question(
        task=task,
        item=aim.id,
        axes={"expression": str(kind)},
        pictures=(Picture(aim.sheet.source),),
        fields={"reference": reference, "label": label, "expression": aim.expressions[kind]},
        grammar=Locate("default", aim.level, size, size, absent),
        truth=aim.truth.to_text(),
        files=aim.sheet.files,
        tags={
            **aim.tags,
            "expression": str(kind),
            "picture": PurePosixPath(aim.sheet.screen.image).name,
            ASKED: aim.expressions[kind],
        },
        cluster=aim.page,
    )


def spoken(question: Question, dialect: Dialect) -> Question:
    """The question as models of a dialect are asked it. It stays the same question."""
    grammar = question.grammar
    assert isinstance(grammar, Locate)
    (picture,) = question.pictures
    return replace(
        question,
        pictures=(replace(picture, longest_side=longest_side(dialect, grammar.size)),),
        fields={**question.fields, **frame_fields(dialect, grammar.level, grammar.size, grammar.absent)},
        grammar=replace(grammar, dialect=dialect.name, sent=sent_size(dialect, grammar.size)),
    )


def locate(question: Question, prompts: Prompts) -> Steps:
    """One ask, in the frame of the dialect; one that another package adds brings its own."""
    grammar = question.grammar
    assert isinstance(grammar, Locate)
    dialect = dialect_named(grammar.dialect)
    form = dialect.form(grammar.level)
    text = fill(prompts.get(form.frame) or frame(dialect, grammar.level), question.fields)
    parts: tuple[str | Visual, ...] = (*question.pictures, text) if dialect.image_first else (text, *question.pictures)
    told = prompts.get(form.system) or system_text(dialect, grammar.level)
    system = [Message("system", (told,))] if told else []
    messages = (*system, Message("user", parts))
    (reply,) = yield [Ask(question.id, messages, grammar, question.fields)]
    return reply


def read(question: Question, reply: Reply) -> Verdict:
    return conclude(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    grammar = question.grammar
    assert isinstance(grammar, Locate)
    reading = parse_location(text, grammar)
    if reading.location is None:
        return reading.reason
    found = grade(reading.location, _truth(question.truth))
    detail: dict[str, Json] = {"numbers": reading.numbers}
    if found.iou is not None:
        detail["iou"] = round(found.iou, 6)
    if found.miss is not None:
        detail["miss"] = str(found.miss)
    if reading.fallback:
        detail["fallback"] = True
    return Verdict(Ended.ANSWERED, place_to_text(reading.location), float(found.right), detail=detail)


def ideal_answer(question: Question, grammar: Grammar) -> str | None:
    return write_location(ideal(_truth(question.truth)), grammar) if isinstance(grammar, Locate) else None


@lru_cache(maxsize=4096)
def _truth(text: str) -> Truth:
    return Truth.from_text(text)


def _inapplicable(level: str, dialect: str) -> bool:
    """Whether overlap means nothing, for a dialect that only points. Of one that is not known the answers tell."""
    known = find_dialect(dialect)
    return known is not None and known.points(level)


def _texts(level: str) -> Mapping[str, str]:
    """The frames of our dialects, by name: what a prompt pack of the user's may replace."""
    found: dict[str, str] = {}
    for dialect in ROWS:
        form = dialect.form(level)
        found[form.frame] = frame(dialect, level)
        if form.system:
            found[form.system] = system_text(dialect, level)
    return found


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    texts = _texts(level)
    return Task(
        name=f"function/ground-{level}",
        summary=summary,
        kinds=("screen", "outcome"),
        noun="target",
        options=frozenset({"trials", "strategy", "expression", "dialect"}),
        protocols={
            "affordance": Protocol(trials=1, order=Order.SHUFFLED, parameters={"temperature": 0}),
            "paper": Protocol(1, Order.SHUFFLED, reasks=3, parameters={"temperature": 0, "max_tokens": 8192}),
        },
        prompts={name: frozenset(PLACEHOLDER.findall(text)) for name, text in texts.items()},
        texts=texts,
        strategies={"zero-shot": locate},
        questions=partial(questions, f"function/ground-{level}", level),
        combines=partial(_combines, level),
        read=read,
        metrics=ground_metrics,
        intervals=ground_intervals,
        floors=ground_floors,
        ideal=ideal_answer,
        spoken=spoken,
        shares=ground_shares,
        compat=ground_compat,
        contrast=ground_contrast,
        counts=ground_counts,
        told=told_place,
        form="expression",
        expressions=EXPRESSIONS[level],
        inapplicable=partial(_inapplicable, level),
        breakdowns=breakdowns,
    )


GROUND_ELEMENT = _task(
    "element",
    "Where is the element that does this?",
    (
        *("action", "names itself", "density", "density, Gaussian", "density, as shipped", "group size", "area"),
        *("target", "platform", "rendering", "ui_type", "application_group", SOURCE),
    ),
)
GROUND_REGION = _task(
    "region",
    "Where is the region in which this can be done?",
    (
        *("region type", "density", "density, Gaussian", "density, as shipped", "group size", "area"),
        *("area, as shipped", "target", "platform", "rendering", SOURCE),
    ),
)
