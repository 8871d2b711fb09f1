"""`function/ground-element` and `function/ground-region`: where is the control or region that does X?

As published (AutoGUI-v2): the screenshot, a sentence about the target, and a box or point in the model's own
coordinates. What cannot be read counts as wrong here, and is asked again up to three times in the `paper` protocol.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from affordance.core.attempts import PromptTexts, RequestGenerator
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.options import option
from affordance.core.prompts import fill
from affordance.core.question import LocationFormat, Question
from affordance.core.requests import Message, Request
from affordance.core.text import parse_choices
from affordance.datasets import DatasetCollection
from affordance.datasets.taxonomies import TargetExpression
from affordance.grounding.dialects import dialect_prompt, dialect_system_prompt, get_dialect
from affordance.grounding.location_scoring import MissKind, TargetTruth, ideal_location, score_location
from affordance.grounding.locations import ParsedLocation, location_to_text
from affordance.tasks.function.breakdown_tags import described_tags
from affordance.tasks.function.captured_screens import has_outcomes
from affordance.tasks.function.captured_targets import captured_targets
from affordance.tasks.function.ground_metrics import (
    DENSITY,
    GROUND_METRICS,
    RANDOM_POINT,
    SCREEN_CENTRE,
    describe_target,
)
from affordance.tasks.function.targets import (
    CAPTURED_SOURCE,
    DATASET_SOURCE,
    GroundingTarget,
    dataset_targets,
    has_targets,
    tag_source,
)
from affordance.tasks.metrics import error_kinds
from affordance.tasks.question_design import (
    SOURCE_TAG,
    OptionOrder,
    PlannedQuestion,
    QuestionDesign,
    TaskParams,
    repeat,
    select_subset,
)
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.task import QUESTION_TEXT_TAG, Preset, Task
from affordance.tasks.views import MetricTable, RowSplit, TaskViews

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


_ERRORS_NOTE = (
    "Look-alike: the centre is in another member of the look-alike group. Ancestor: in a region that contains the "
    "target. Near miss: the box overlaps the target."
)
_DENSITY_NOTE = (
    "The box in which neighbours are counted grows with the target, so density depends on size. At equal area, dense "
    "and sparse targets are compared within fifths of the area."
)


def _parse_expressions(value: Any) -> Any:
    return tuple(parse_choices(TargetExpression, value, "expression")) if isinstance(value, str) else value


class GroundParams(TaskParams):
    expressions: ClassVar[tuple[TargetExpression, ...]] = EXPRESSIONS["element"]  # those that can be asked for

    expression: Annotated[tuple[TargetExpression, ...], BeforeValidator(_parse_expressions)] = option(
        (),
        "Description of the target: functionality, description, intent or all (default: functionality).",
        metavar="E",
        stored_as="expressions",
    )


class RegionParams(GroundParams):
    expressions: ClassVar[tuple[TargetExpression, ...]] = EXPRESSIONS["region"]


def questions(
    task: str, level: str, data: DatasetCollection, design: QuestionDesign[GroundParams]
) -> Iterator[PlannedQuestion]:
    written, made = _targets(task, level, data, design)
    targets = [*written, *made]
    if not targets:
        raise UserError(
            f"{task} needs targets, or screens with the outcomes verified on them (a folder that holds both datasets); "
            f"{data.name!r} has neither for {level}s"
        )
    asked = _expressions(task, targets, design.params.expression)
    absent = any(target.truth.is_absent for target in targets)
    written, made = (_with_expressions(part, asked) for part in (written, made))
    complete = [*written, *_without_repeats(made, asked, written)]
    if not complete:
        raise UserError(f"{task}: no target of {data.name!r} has {' and '.join(asked)} together; ask for one of them")
    for target in select_subset(complete, design.limit, lambda target: target.original_id):
        for kind in asked:
            yield from repeat(_question(task, target, kind, absent), design.trials)


def _targets(
    task: str, level: str, data: DatasetCollection, design: QuestionDesign[GroundParams]
) -> tuple[list[GroundingTarget], list[GroundingTarget]]:
    """Targets that are written down, and those made of captured outcomes; of one id the written one."""
    if not has_outcomes(data):
        return dataset_targets(data, level), []
    made = captured_targets(data, level, task)
    if design.version == 1 or not has_targets(data, level):
        return [], made
    written = dataset_targets(data, level)
    known = {target.id for target in written}
    captured = [tag_source(target, CAPTURED_SOURCE) for target in made if target.original_id not in known]
    return [tag_source(target, DATASET_SOURCE) for target in written], captured


def _expressions(
    task: str, targets: list[GroundingTarget], requested: Sequence[TargetExpression]
) -> tuple[TargetExpression, ...]:
    """Those that are asked: of the wanted ones those that the dataset has; without a wish that means something at this
    level, functionality, or else the first there is. Several are asked about the same targets, those which have them
    all."""
    level = targets[0].level
    known = [kind for kind in EXPRESSIONS[level] if any(kind in target.expressions for target in targets)]
    if not set(requested) & set(EXPRESSIONS[level]):
        written = [target for target in targets if target.tags.get(SOURCE_TAG) == DATASET_SOURCE] or targets
        return tuple(kind for kind in known if any(kind in target.expressions for target in written))[:1]
    found = tuple(kind for kind in known if kind in requested)
    if not found:
        raise UserError(f"{task}: this dataset describes its targets by {' and '.join(known)}, not by {requested[0]}")
    return found


def _with_expressions(
    targets: list[GroundingTarget], expressions: tuple[TargetExpression, ...]
) -> list[GroundingTarget]:
    return [target for target in targets if all(kind in target.expressions for kind in expressions)]


def _without_repeats(
    targets: list[GroundingTarget], expressions: tuple[TargetExpression, ...], earlier: list[GroundingTarget]
) -> list[GroundingTarget]:
    """Without those that would be asked for in the words of an earlier one on the same screen, or of one of those
    `before`: other actions on an element, or another element of the same effect. Variants go with their originals."""

    def words_of(target: GroundingTarget) -> set[tuple[str, TargetExpression, str]]:
        return {(target.screenshot.source, kind, target.expressions[kind]) for kind in expressions}

    seen = {words for target in earlier for words in words_of(target)}
    kept: set[str] = set()
    for target in targets:
        words = words_of(target)
        if target.original is None and not words & seen:
            kept.add(target.id)
            seen |= words
    return [target for target in targets if target.original_id in kept]


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


def locate(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One request, with the prompt of the model's dialect."""
    answer_format = question.answer_format
    assert isinstance(answer_format, LocationFormat)
    dialect = get_dialect(answer_format.dialect)
    form = dialect.format_for(answer_format.level)
    text = fill(prompts.get(form.prompt) or dialect_prompt(dialect, answer_format.level), question.prompt_fields)
    parts: tuple[str | MediaSpec, ...] = (*question.media, text) if dialect.image_first else (text, *question.media)
    system_prompt = prompts.get(form.system_prompt) or dialect_system_prompt(dialect, answer_format.level)
    system = [Message("system", (system_prompt,))] if system_prompt else []
    messages = (*system, Message("user", parts))
    (response,) = yield [Request(question.id, messages, answer_format, question.prompt_fields)]
    return response


def score_against_target(question: Question, answer: ParsedLocation) -> Score:
    assert answer.location is not None
    found = score_location(answer.location, _truth(question.truth))
    detail: dict[str, Json] = {"numbers": answer.numbers}
    if found.iou is not None:
        detail["iou"] = round(found.iou, 6)
    if found.miss is not None:
        detail["miss"] = str(found.miss)
    if answer.fallback:
        detail["fallback"] = True
    return Score(location_to_text(answer.location), float(found.is_correct), detail)


def correct_answer(question: Question) -> ParsedLocation:
    return ParsedLocation(ideal_location(_truth(question.truth)))


@lru_cache(maxsize=4096)
def _truth(text: str) -> TargetTruth:
    return TargetTruth.from_text(text)


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    return Task(
        name=f"function/ground-{level}",
        summary=summary,
        dataset_kinds=("screen", "outcome"),
        params=RegionParams if level == "region" else GroundParams,
        protocols={  # nothing is shuffled, but the word is in the identity of runs
            "affordance": Preset(option_order=OptionOrder.SHUFFLED, sampling={"temperature": 0}),
            "paper": Preset(
                option_order=OptionOrder.SHUFFLED, parse_retries=3, sampling={"temperature": 0, "max_tokens": 8192}
            ),
        },
        questions=partial(questions, f"function/ground-{level}", level),
        strategies={"zero-shot": locate},
        scorer=Scorer(score=score_against_target, correct=correct_answer, locations=True),
        metrics=GROUND_METRICS,
        trivial_baselines=(RANDOM_POINT, SCREEN_CENTRE),
        views=TaskViews(
            item_noun="target",
            cluster_noun="screen",
            split=RowSplit("expression"),
            breakdowns=described_tags(*breakdowns),
            errors=error_kinds("miss", [*MissKind]),
            errors_note=_ERRORS_NOTE,
            tables=(MetricTable("Dense and sparse targets", DENSITY, _DENSITY_NOTE),),
            describe_truth=describe_target,
        ),
    )


GROUND_ELEMENT = _task(
    "element",
    "Where is the control that does X?",
    (
        *("action", "names itself", "density", "density, Gaussian", "density, as shipped", "group size", "area"),
        *("target", "platform", "rendering", "ui_type", "application_group", SOURCE_TAG),
    ),
)
GROUND_REGION = _task(
    "region",
    "Where is the region for X?",
    (
        *("region type", "density", "density, Gaussian", "density, as shipped", "group size", "area"),
        *("area, as shipped", "target", "platform", "rendering", SOURCE_TAG),
    ),
)
