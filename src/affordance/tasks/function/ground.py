"""`function/ground-element` and `function/ground-region`: where is what does this?

As published (AutoGUI-v2): the screenshot, a sentence about the target, and a box or point in the model's own
coordinates. What cannot be read counts as wrong here, and is asked again up to three times in the `paper` protocol.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import PurePosixPath

from affordance.core.attempts import AttemptStatus, PromptTexts, RequestGenerator, Verdict
from affordance.core.errors import UserError
from affordance.core.expression import TargetExpression
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.prompts import PLACEHOLDER, fill
from affordance.core.question import AnswerFormat, LocationFormat, Question
from affordance.core.requests import Message, Request, Response
from affordance.datasets import DatasetCollection
from affordance.grounding.dialects import (
    BUILTIN_DIALECTS,
    Dialect,
    dialect_fields,
    dialect_prompt,
    dialect_system_prompt,
    find_dialect,
    get_dialect,
    max_sent_side,
    sent_size,
)
from affordance.grounding.location_parser import parse_location, write_location
from affordance.grounding.location_scoring import TargetTruth, ideal_location, score_location
from affordance.grounding.locations import location_to_text
from affordance.tasks.function.captured_screens import has_outcomes
from affordance.tasks.function.captured_targets import captured_targets
from affordance.tasks.function.ground_metrics import (
    describe_target,
    ground_baselines,
    ground_compatible_metrics,
    ground_density_contrast,
    ground_error_shares,
    ground_intervals,
    ground_metric_counts,
    ground_metrics,
)
from affordance.tasks.function.targets import (
    CAPTURED_SOURCE,
    DATASET_SOURCE,
    SOURCE_TAG,
    GroundingTarget,
    dataset_targets,
    has_targets,
    tag_source,
)
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign, select_subset
from affordance.tasks.scoring import verdict_of_text
from affordance.tasks.task import QUESTION_TEXT_TAG, Preset, Task

EXPRESSIONS = {
    "element": (TargetExpression.FUNCTIONALITY, TargetExpression.DESCRIPTION, TargetExpression.INTENT),
    "region": (TargetExpression.FUNCTIONALITY, TargetExpression.DESCRIPTION),
}
# How each kind of expression is announced to the model: what it is, and the word before it.
_ANNOUNCEMENTS = {
    TargetExpression.FUNCTIONALITY: ("a question about locating", "Question"),
    TargetExpression.DESCRIPTION: ("a description of", "Description"),
    TargetExpression.INTENT: ("an action intent about interacting with", "Action Intent"),
}


def questions(task: str, level: str, data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
    written, made = _targets(task, level, data, design)
    aims = [*written, *made]
    if not aims:
        raise UserError(
            f"{task} needs targets, or screens with the outcomes verified on them (a folder that holds both datasets); "
            f"{data.name!r} has neither for {level}s"
        )
    asked = _expressions(task, aims, design.expressions)
    absent = any(aim.truth.is_absent for aim in aims)
    written, made = (_with_expressions(part, asked) for part in (written, made))
    complete = [*written, *_without_repeats(made, asked, written)]
    if not complete:
        raise UserError(f"{task}: no target of {data.name!r} has {' and '.join(asked)} together; ask for one of them")
    for aim in select_subset(complete, design.limit, lambda aim: aim.original_id):
        for kind in asked:
            for trial in range(design.trials):
                yield PlannedQuestion(_question(task, aim, kind, absent), trial)


def _targets(
    task: str, level: str, data: DatasetCollection, design: QuestionDesign
) -> tuple[list[GroundingTarget], list[GroundingTarget]]:
    """Targets that are written down, and those made of captured outcomes; of one id the written one."""
    if not has_outcomes(data):
        return dataset_targets(data, level), []
    made = captured_targets(data, level, task)
    if design.design_version == 1 or not has_targets(data, level):
        return [], made
    written = dataset_targets(data, level)
    known = {aim.id for aim in written}
    captured = [tag_source(aim, CAPTURED_SOURCE) for aim in made if aim.original_id not in known]
    return [tag_source(aim, DATASET_SOURCE) for aim in written], captured


def _has_both_sources(level: str, data: DatasetCollection) -> bool:
    return has_outcomes(data) and has_targets(data, level)


def _expressions(task: str, targets: list[GroundingTarget], requested: tuple[str, ...]) -> tuple[TargetExpression, ...]:
    """Those that are asked: of the wanted ones those that the dataset has; without a wish that means something at this
    level, functionality, or else the first there is. Several are asked about the same targets, those which have them
    all."""
    level = targets[0].level
    known = [kind for kind in EXPRESSIONS[level] if any(kind in aim.expressions for aim in targets)]
    if not set(requested) & set(EXPRESSIONS[level]):
        written = [aim for aim in targets if aim.tags.get(SOURCE_TAG) == DATASET_SOURCE] or targets
        return tuple(kind for kind in known if any(kind in aim.expressions for aim in written))[:1]
    found = tuple(kind for kind in known if kind in requested)
    if not found:
        raise UserError(f"{task}: this dataset describes its targets by {' and '.join(known)}, not by {requested[0]}")
    return found


def _with_expressions(
    targets: list[GroundingTarget], expressions: tuple[TargetExpression, ...]
) -> list[GroundingTarget]:
    return [aim for aim in targets if all(kind in aim.expressions for kind in expressions)]


def _without_repeats(
    targets: list[GroundingTarget], expressions: tuple[TargetExpression, ...], earlier: list[GroundingTarget]
) -> list[GroundingTarget]:
    """Without those that would be asked for in the words of an earlier one on the same screen, or of one of those
    `before`: other actions on an element, or another element of the same effect. Variants go with their originals."""

    def words_of(aim: GroundingTarget) -> set[tuple[str, TargetExpression, str]]:
        return {(aim.screenshot.source, kind, aim.expressions[kind]) for kind in expressions}

    seen = {words for aim in earlier for words in words_of(aim)}
    kept: set[str] = set()
    for aim in targets:
        words = words_of(aim)
        if aim.original is None and not words & seen:
            kept.add(aim.id)
            seen |= words
    return [aim for aim in targets if aim.original_id in kept]


def _question(task: str, target: GroundingTarget, kind: TargetExpression, absent: bool) -> Question:
    reference, label = _ANNOUNCEMENTS[kind]
    size = target.screenshot.size
    return Question(
        task=task,
        item=target.id,
        axes={"expression": str(kind)},
        media=(ImageSpec(target.screenshot.source),),
        prompt_fields={"reference": reference, "label": label, "expression": target.expressions[kind]},
        answer_format=LocationFormat("default", target.level, size, size, absent),
        truth=target.truth.to_text(),
        source_paths=target.screenshot.files,
        tags={
            **target.tags,
            "expression": str(kind),
            "picture": PurePosixPath(target.screenshot.screen.image).name,
            QUESTION_TEXT_TAG: target.expressions[kind],
        },
        cluster=target.cluster,
    )


def in_dialect(question: Question, dialect: Dialect) -> Question:
    """The question as models of a dialect are asked it. It stays the same question."""
    grammar = question.answer_format
    assert isinstance(grammar, LocationFormat)
    (picture,) = question.media
    return replace(
        question,
        media=(replace(picture, max_side=max_sent_side(dialect, grammar.size)),),
        prompt_fields={
            **question.prompt_fields,
            **dialect_fields(dialect, grammar.level, grammar.size, grammar.absent),
        },
        answer_format=replace(grammar, dialect=dialect.name, sent=sent_size(dialect, grammar.size)),
    )


def locate(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One ask, in the frame of the dialect; one that another package adds brings its own."""
    grammar = question.answer_format
    assert isinstance(grammar, LocationFormat)
    dialect = get_dialect(grammar.dialect)
    form = dialect.format_for(grammar.level)
    text = fill(prompts.get(form.prompt) or dialect_prompt(dialect, grammar.level), question.prompt_fields)
    parts: tuple[str | MediaSpec, ...] = (*question.media, text) if dialect.image_first else (text, *question.media)
    told = prompts.get(form.system_prompt) or dialect_system_prompt(dialect, grammar.level)
    system = [Message("system", (told,))] if told else []
    messages = (*system, Message("user", parts))
    (reply,) = yield [Request(question.id, messages, grammar, question.prompt_fields)]
    return reply


def score_response(question: Question, reply: Response) -> Verdict:
    return verdict_of_text(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    grammar = question.answer_format
    assert isinstance(grammar, LocationFormat)
    reading = parse_location(text, grammar)
    if reading.location is None:
        return reading.reason
    found = score_location(reading.location, _truth(question.truth))
    detail: dict[str, Json] = {"numbers": reading.numbers}
    if found.iou is not None:
        detail["iou"] = round(found.iou, 6)
    if found.miss is not None:
        detail["miss"] = str(found.miss)
    if reading.fallback:
        detail["fallback"] = True
    return Verdict(AttemptStatus.ANSWERED, location_to_text(reading.location), float(found.is_correct), detail=detail)


def correct_answer(question: Question, grammar: AnswerFormat) -> str | None:
    return (
        write_location(ideal_location(_truth(question.truth)), grammar) if isinstance(grammar, LocationFormat) else None
    )


@lru_cache(maxsize=4096)
def _truth(text: str) -> TargetTruth:
    return TargetTruth.from_text(text)


def _has_no_overlap(level: str, dialect: str) -> bool:
    """Whether overlap means nothing, for a dialect that only points. Of one that is not known the answers tell."""
    known = find_dialect(dialect)
    return known is not None and known.points_only(level)


def _prompt_texts(level: str) -> Mapping[str, str]:
    """The frames of our dialects, by name: what a prompt pack of the user's may replace."""
    found: dict[str, str] = {}
    for dialect in BUILTIN_DIALECTS:
        form = dialect.format_for(level)
        found[form.prompt] = dialect_prompt(dialect, level)
        if form.system_prompt:
            found[form.system_prompt] = dialect_system_prompt(dialect, level)
    return found


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    texts = _prompt_texts(level)
    return Task(
        name=f"function/ground-{level}",
        summary=summary,
        dataset_kinds=("screen", "outcome"),
        item_noun="target",
        options=frozenset({"trials", "strategy", "expression", "dialect"}),
        protocols={
            "affordance": Preset(trials=1, option_order=OptionOrder.SHUFFLED, sampling={"temperature": 0}),
            "paper": Preset(1, OptionOrder.SHUFFLED, parse_retries=3, sampling={"temperature": 0, "max_tokens": 8192}),
        },
        prompts={name: frozenset(PLACEHOLDER.findall(text)) for name, text in texts.items()},
        texts=texts,
        strategies={"zero-shot": locate},
        questions=partial(questions, f"function/ground-{level}", level),
        has_both_sources=partial(_has_both_sources, level),
        score=score_response,
        metrics=ground_metrics,
        intervals=ground_intervals,
        trivial_baselines=ground_baselines,
        correct_answer=correct_answer,
        in_dialect=in_dialect,
        error_shares=ground_error_shares,
        compatible_metrics=ground_compatible_metrics,
        density_contrast=ground_density_contrast,
        metric_counts=ground_metric_counts,
        describe_truth=describe_target,
        condition_tag="expression",
        expressions=EXPRESSIONS[level],
        has_no_overlap=partial(_has_no_overlap, level),
        breakdowns=breakdowns,
    )


GROUND_ELEMENT = _task(
    "element",
    "Where is the element that does this?",
    (
        *("action", "names itself", "density", "density, Gaussian", "density, as shipped", "group size", "area"),
        *("target", "platform", "rendering", "ui_type", "application_group", SOURCE_TAG),
    ),
)
GROUND_REGION = _task(
    "region",
    "Where is the region in which this can be done?",
    (
        *("region type", "density", "density, Gaussian", "density, as shipped", "group size", "area"),
        *("area, as shipped", "target", "platform", "rendering", SOURCE_TAG),
    ),
)
