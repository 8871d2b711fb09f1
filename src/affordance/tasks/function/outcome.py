"""`function/outcome-element` and `function/outcome-region`: what happens when you use this?

The target is marked with a red rectangle. Of a single-answer question one option is right; of a multi-answer question
all that apply are asked for, and naming some of them and nothing else is worth their share, as published."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import comb
from operator import itemgetter

from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.question import AnswerOption, MultipleChoice, Question, SingleChoice
from affordance.datasets import ChoiceItem, DatasetCollection
from affordance.datasets.taxonomies import group_size_class
from affordance.tasks.choice_specs import ChoiceSpec
from affordance.tasks.function.breakdown_tags import described_tags
from affordance.tasks.function.captured_outcomes import captured_choice_specs
from affordance.tasks.function.captured_screens import has_outcomes
from affordance.tasks.function.targets import (
    CAPTURED_SOURCE,
    DATASET_SOURCE,
    UNKNOWN,
    image_source,
    publisher_tags,
    tag_source,
)
from affordance.tasks.metrics import (
    ACCURACY,
    ACCURACY_OF_PARSED,
    AS_PUBLISHED,
    FIRST_TRY_ACCURACY,
    Metric,
    ResultSet,
    TrivialBaseline,
    error_kinds,
    mean,
)
from affordance.tasks.question_design import (
    SOURCE_TAG,
    OptionOrder,
    PlannedQuestion,
    QuestionDesign,
    TaskParams,
    balanced_orders,
    option_letters,
    ranked_subset,
)
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import QUESTION_TEXT_TAG, Preset, Task
from affordance.tasks.views import RowSplit, TaskViews


def has_published(data: DatasetCollection, level: str) -> bool:
    return next(published_choice_specs(data, level), None) is not None


def published_choice_specs(data: DatasetCollection, level: str) -> Iterator[ChoiceSpec]:
    dataset = data.of_kind("choice")
    for item in dataset.items if dataset is not None else ():
        if not isinstance(item, ChoiceItem) or (item.level or level) != level:
            continue
        assert dataset is not None
        source, files = image_source(dataset, item.image)
        outlines = () if item.target is None else (BoxOutline(item.target, RED, 3),)
        options = tuple((option.text, option.origin or UNKNOWN) for option in item.options)
        yield ChoiceSpec(
            item.id,
            item.image,
            source,
            files,
            outlines,
            item.question,
            options,
            tuple(options[place][0] for place in item.answers),
            item.multiple,
            {
                **({"action": item.action} if item.action else {}),
                "group size": group_size_class(item.tags.get("group_size")),
                **publisher_tags(item.tags),
            },
            published=True,
        )


WRONG_OPTION_ORIGINS = ("hard", "easy")  # origins of options, the most telling first

Options = AnswerOption | tuple[AnswerOption, ...]  # what was chosen: one option, or several


_MULTI_ANSWER_INSTRUCTION = (
    'Return only the letters of all options that apply, with commas between them (such as "A,C", or "A" for one), and '
    "no explanation."
)
# As published, elements are answered for in JSON and regions by a letter.
_SINGLE_ANSWER_INSTRUCTIONS = {
    "element": 'Answer with a JSON object and nothing else:\n{{"answer": "{letters}"}}',
    "region": "Select the right answer: return only the letter of one of the options.",
}
_LETTER_MARKS = {"element": ")", "region": "."}
_PAPER_PROTOCOLS = {
    "element": Preset(
        option_order=OptionOrder.SHUFFLED, parse_retries=3, sampling={"temperature": 0, "max_tokens": 4096}
    ),
    "region": Preset(option_order=OptionOrder.SHUFFLED, sampling={"temperature": 0, "max_tokens": 8192}),
}


def questions(level: str, data: DatasetCollection, design: QuestionDesign[TaskParams]) -> Iterator[PlannedQuestion]:
    task = f"function/outcome-{level}"
    specs = _choice_specs(task, level, data, design)
    if not specs:
        raise UserError(f"{task} needs questions about {level}s; dataset {data.name!r} has none")
    chosen = ranked_subset(specs, design, lambda spec: spec.id)
    ordered = _order_options([spec for _, spec in sorted(chosen, key=itemgetter(0))], design)
    for _, spec in chosen:
        for trial in range(design.trials):
            yield PlannedQuestion(_question(task, level, ordered[spec.id][trial]), trial)


def _choice_specs(
    task: str, level: str, data: DatasetCollection, design: QuestionDesign[TaskParams]
) -> list[ChoiceSpec]:
    """Questions of a published set, then those made of captured screens; of one id the published one."""
    if not has_outcomes(data):
        return list(published_choice_specs(data, level))
    made = captured_choice_specs(data, level, task, design.seed)
    if design.version == 1 or not has_published(data, level):
        return list(made)
    published = {spec.id: tag_source(spec, DATASET_SOURCE) for spec in published_choice_specs(data, level)}
    return [*published.values(), *(tag_source(spec, CAPTURED_SOURCE) for spec in made if spec.id not in published)]


def _order_options(specs: Sequence[ChoiceSpec], design: QuestionDesign[TaskParams]) -> dict[str, list[ChoiceSpec]]:
    """Each with its options in the order of each trial. Those that are made here are balanced among all with as many
    options and as many answers to give; what is published keeps its order."""
    found = {spec.id: [spec] * design.trials for spec in specs}
    if design.option_order is not OptionOrder.CAPTURED:
        return found
    alike: dict[tuple[int, bool], list[ChoiceSpec]] = {}
    for spec in specs:
        if not spec.published:
            alike.setdefault((len(spec.options), spec.multiple), []).append(spec)
    for (options, _), group in alike.items():
        right = [[place for place, (text, _) in enumerate(one.options) if text in one.correct] for one in group]
        for spec, orders in zip(group, balanced_orders(right, options, design.trials, design.seed), strict=True):
            found[spec.id] = [replace(spec, options=tuple(spec.options[one] for one in order)) for order in orders]
    return found


def _question(task: str, level: str, spec: ChoiceSpec) -> Question:
    texts = [text for text, _ in spec.options]
    options = outcome_options(texts)
    listed = "\n".join(f"{option.letter}{_LETTER_MARKS[level]} {option.label}" for option in options)
    slots = {} if spec.multiple else {"slot": option_letters(len(texts))[texts.index(spec.correct[0])]}
    return Question(
        task=task,
        item=spec.id,
        axes={"options": texts},
        media=(ImageSpec(spec.source, outlines=spec.outlines),),
        prompt_fields={
            "question": spec.question,
            "options": listed,
            "instruction": _MULTI_ANSWER_INSTRUCTION
            if spec.multiple
            else _SINGLE_ANSWER_INSTRUCTIONS[level].format(letters="/".join(option_letters(len(texts)))),
        },
        answer_format=MultipleChoice(options) if spec.multiple else SingleChoice(options),
        truth=_truth_text(spec),
        source_paths=spec.files,
        tags={
            **spec.tags,
            **slots,
            "answers": "multi" if spec.multiple else "single",
            QUESTION_TEXT_TAG: f"{spec.question}\n{listed}",
        },
        cluster=spec.screen,
    )


def outcome_options(texts: Sequence[str]) -> tuple[AnswerOption, ...]:
    return tuple(
        AnswerOption(letter, text, text) for letter, text in zip(option_letters(len(texts)), texts, strict=True)
    )


def _truth_text(spec: ChoiceSpec) -> str:
    after: Json = None
    if spec.outcome_image is not None:
        after = {"source": spec.outcome_image.source, "box": spec.outcome_image.box.to_json()}
    return canonical_json(
        {
            "right": spec.correct,
            "origins": dict(spec.options),
            "options": len(spec.options),
            "multiple": spec.multiple,
            "after": after,
        }
    )


def score_options(question: Question, answer: Options) -> Score:
    """Some of the correct options and no other are worth their share."""
    chosen = answer if isinstance(answer, tuple) else (answer,)
    truth = json.loads(question.truth)
    correct, names = set(truth["right"]), {option.name for option in chosen}
    value = len(names) / len(correct) if names <= correct else 0.0
    wrong = {truth["origins"][name] for name in names - correct}
    mistake = next(
        (kind for kind in (*WRONG_OPTION_ORIGINS, *sorted(wrong)) if kind in wrong), "incomplete" if value < 1 else ""
    )
    return Score(", ".join(option.letter for option in chosen), value, {"mistake": mistake} if mistake else {})


def correct_options(question: Question) -> Options | None:
    answer_format = question.answer_format
    if not isinstance(answer_format, SingleChoice | MultipleChoice):
        return None
    names = json.loads(question.truth)["right"]
    correct = tuple(option for option in answer_format.options if option.name in names)
    return correct if isinstance(answer_format, MultipleChoice) else correct[0]


def outcome_image(truth: str) -> str | None:
    """The source of the image of what really happened, where there is one."""
    after = json.loads(truth)["after"]
    return None if after is None else str(after["source"])


def describe_options(truth: str) -> str:
    return " / ".join(json.loads(truth)["right"])


def _guessing(results: ResultSet) -> float:
    """The score of one random option, or of a random set of them."""
    return mean(_guessing_score(one.truth) for one in results.asked) or 0.0


@lru_cache(maxsize=2**17)  # a report asks for the same truths once for each model
def _guessing_score(text: str) -> float:
    truth = json.loads(text)
    options, correct = truth["options"], len(truth["right"])
    parts = sum(comb(correct, some) * some / correct for some in range(1, correct + 1))
    return float(parts / (2**options - 1) if truth["multiple"] else correct / options)


_error_shares = error_kinds("mistake", WRONG_OPTION_ORIGINS)


def _share_of_errors(kind: str) -> Metric:
    """As the released code counts: a kind of wrong options as a share of the errors."""

    def compute(results: ResultSet) -> float | None:
        wrong = results.cached(_error_shares)
        errors = sum(wrong.values())
        return wrong.get(kind, 0.0) / errors if errors else None

    return Metric(
        name=f"{kind}_of_errors",
        label=f"{kind} options of the errors",
        compute=compute,
        higher_is_better=None,
        section=AS_PUBLISHED,
        needs_complete=False,
    )


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    return Task(
        name=f"function/outcome-{level}",
        summary=summary,
        dataset_kinds=("choice", "screen", "outcome"),
        protocols={
            "affordance": Preset(option_order=OptionOrder.CAPTURED, sampling={"temperature": 0}),
            "paper": _PAPER_PROTOCOLS[level],
        },
        questions=partial(questions, level),
        strategies={"zero-shot": zero_shot},
        scorer=Scorer(score=score_options, correct=correct_options),
        metrics=(
            ACCURACY,
            FIRST_TRY_ACCURACY,
            ACCURACY_OF_PARSED,
            *(_share_of_errors(kind) for kind in WRONG_OPTION_ORIGINS),
        ),
        trivial_baselines=(TrivialBaseline("chance", "guessing", _guessing),),
        views=TaskViews(
            item_noun="question",
            cluster_noun="screen",
            split=RowSplit("answers"),
            errors_note="Hard: the outcome of a look-alike. Easy: the outcome of another element of the same screen. "
            "Incomplete: some right options and no wrong one, scored by their share.",
            breakdowns=described_tags(*breakdowns),
            errors=_error_shares,
            describe_truth=describe_options,
            truth_image=outcome_image,
        ),
    )


OUTCOME_ELEMENT = _task(
    "element",
    "What happens when you use the marked control?",
    ("action", "steps", "names itself", "density, as shipped", "group size", "slot", "platform", SOURCE_TAG),
)
OUTCOME_REGION = _task(
    "region",
    "What can be done in the marked region?",
    ("region type", "density, as shipped", "area, as shipped", "group size", "slot", "platform", SOURCE_TAG),
)
