"""`function/outcome-element` and `function/outcome-region`: what does this do?

The target is marked with a red rectangle. Of a single-answer question one option is right; of a multi-answer question
all that apply are asked for, and naming some of them and nothing else is worth their share, as published."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import comb
from operator import itemgetter

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.question import AnswerFormat, AnswerOption, MultipleChoice, Question, SingleChoice
from affordance.core.requests import Response
from affordance.datasets import ChoiceItem, DatasetCollection
from affordance.datasets.taxonomies import group_size_class
from affordance.tasks.choice_answers import (
    parse_multiple_choice,
    parse_single_choice,
    write_multiple_choice,
    write_single_choice,
)
from affordance.tasks.choice_specs import ChoiceSpec
from affordance.tasks.function.captured_outcomes import captured_choice_specs
from affordance.tasks.function.captured_screens import has_outcomes
from affordance.tasks.function.targets import (
    CAPTURED_SOURCE,
    DATASET_SOURCE,
    SOURCE_TAG,
    UNKNOWN,
    image_source,
    publisher_tags,
    tag_source,
)
from affordance.tasks.metrics import accuracy, error_kind_shares, first_try_accuracy, parsed_results
from affordance.tasks.question_design import (
    OptionOrder,
    PlannedQuestion,
    QuestionDesign,
    balanced_orders,
    option_letters,
    ranked_subset,
)
from affordance.tasks.scoring import NOT_PARSED, verdict_of_text
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import QUESTION_TEXT_TAG, Preset, Task


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


def outcome_compatible_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    """As the released code counts: kinds of wrong options as shares of the errors."""
    wrong = outcome_error_shares(outcomes)
    errors = sum(wrong.values())
    shares = {f"{kind}_of_errors": wrong.get(kind, 0.0) / errors if errors else None for kind in WRONG_OPTION_ORIGINS}
    return {"accuracy_parsed": accuracy(parsed_results(outcomes)), **shares}


def describe_options(truth: str) -> str:
    return " / ".join(json.loads(truth)["right"])


def outcome_error_shares(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """Of all that is counted, from where the option is that was chosen wrongly."""
    return error_kind_shares(outcomes, WRONG_OPTION_ORIGINS, "mistake")


def outcome_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    return {"accuracy": accuracy(outcomes), "first_try_accuracy": first_try_accuracy(outcomes)}


def outcome_baselines(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """Guessing one option, or a random set of them, with the credit that a part of the right ones gets."""
    guesses = [_guessing_score(outcome.truth) for outcome in outcomes]
    return {"chance": sum(guesses) / len(guesses) if guesses else 0.0}


@lru_cache(maxsize=2**17)
def _guessing_score(text: str) -> float:
    truth = json.loads(text)
    options, right = truth["options"], len(truth["right"])
    parts = sum(comb(right, some) * some / right for some in range(1, right + 1))
    return float(parts / (2**options - 1) if truth["multiple"] else right / options)


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
    "element": Preset(1, OptionOrder.SHUFFLED, parse_retries=3, sampling={"temperature": 0, "max_tokens": 4096}),
    "region": Preset(1, OptionOrder.SHUFFLED, sampling={"temperature": 0, "max_tokens": 8192}),
}


def questions(level: str, data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
    task = f"function/outcome-{level}"
    posers = _choice_specs(task, level, data, design)
    if not posers:
        raise UserError(f"{task} needs questions about {level}s; dataset {data.name!r} has none")
    chosen = ranked_subset(posers, design, lambda poser: poser.id)
    ordered = _order_options([poser for _, poser in sorted(chosen, key=itemgetter(0))], design)
    for _, poser in chosen:
        for trial in range(design.trials):
            yield PlannedQuestion(_question(task, level, ordered[poser.id][trial]), trial)


def _choice_specs(task: str, level: str, data: DatasetCollection, design: QuestionDesign) -> list[ChoiceSpec]:
    """Questions of a published set, then those made of captured screens; of one id the published one."""
    if not has_outcomes(data):
        return list(published_choice_specs(data, level))
    made = captured_choice_specs(data, level, task, design.seed)
    if design.design_version == 1 or not has_published(data, level):
        return list(made)
    published = {poser.id: tag_source(poser, DATASET_SOURCE) for poser in published_choice_specs(data, level)}
    return [*published.values(), *(tag_source(poser, CAPTURED_SOURCE) for poser in made if poser.id not in published)]


def _has_both_sources(level: str, data: DatasetCollection) -> bool:
    return has_outcomes(data) and has_published(data, level)


def _order_options(specs: Sequence[ChoiceSpec], design: QuestionDesign) -> dict[str, list[ChoiceSpec]]:
    """Each with its options in the order of each trial. Those that are made here are balanced among all with as many
    options and as many answers to give; what is published keeps its order."""
    found = {poser.id: [poser] * design.trials for poser in specs}
    if design.option_order is not OptionOrder.CAPTURED:
        return found
    alike: dict[tuple[int, bool], list[ChoiceSpec]] = {}
    for poser in specs:
        if not poser.published:
            alike.setdefault((len(poser.options), poser.multiple), []).append(poser)
    for (options, _), group in alike.items():
        right = [[place for place, (text, _) in enumerate(one.options) if text in one.correct] for one in group]
        for poser, orders in zip(group, balanced_orders(right, options, design.trials, design.seed), strict=True):
            found[poser.id] = [replace(poser, options=tuple(poser.options[one] for one in order)) for order in orders]
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


def score_response(question: Question, reply: Response) -> Verdict:
    return verdict_of_text(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    chosen = chosen_options(question, text)
    if chosen is None:
        return NOT_PARSED
    truth = json.loads(question.truth)
    right, said = set(truth["right"]), {option.name for option in chosen}
    score = len(said) / len(right) if said <= right else 0.0
    wrong = {truth["origins"][name] for name in said - right}
    mistake = next(
        (kind for kind in (*WRONG_OPTION_ORIGINS, *sorted(wrong)) if kind in wrong), "incomplete" if score < 1 else ""
    )
    detail: dict[str, Json] = {"mistake": mistake} if mistake else {}
    return Verdict(AttemptStatus.ANSWERED, ", ".join(option.letter for option in chosen), score, detail=detail)


def chosen_options(question: Question, text: str) -> tuple[AnswerOption, ...] | None:
    if isinstance(question.answer_format, MultipleChoice):
        return parse_multiple_choice(text, question.answer_format)
    assert isinstance(question.answer_format, SingleChoice)
    option = parse_single_choice(text, question.answer_format)
    return None if option is None else (option,)


def outcome_image(truth: str) -> str | None:
    """The source of the picture of what really happened, where there is one."""
    after = json.loads(truth)["after"]
    return None if after is None else str(after["source"])


def correct_answer(question: Question, grammar: AnswerFormat) -> str | None:
    if not isinstance(grammar, SingleChoice | MultipleChoice):
        return None
    right = [option for option in grammar.options if option.name in json.loads(question.truth)["right"]]
    because = "This is the truth."
    return (
        write_multiple_choice(right, because)
        if isinstance(grammar, MultipleChoice)
        else write_single_choice(right[0], because)
    )


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    return Task(
        name=f"function/outcome-{level}",
        summary=summary,
        dataset_kinds=("choice", "screen", "outcome"),
        item_noun="question",
        options=frozenset({"trials", "strategy"}),
        protocols={
            "affordance": Preset(trials=1, option_order=OptionOrder.CAPTURED, sampling={"temperature": 0}),
            "paper": _PAPER_PROTOCOLS[level],
        },
        prompts={"zero-shot": frozenset({"question", "options", "instruction"})},
        strategies={"zero-shot": zero_shot},
        questions=partial(questions, level),
        has_both_sources=partial(_has_both_sources, level),
        score=score_response,
        metrics=outcome_metrics,
        trivial_baselines=outcome_baselines,
        correct_answer=correct_answer,
        error_shares=outcome_error_shares,
        compatible_metrics=outcome_compatible_metrics,
        describe_truth=describe_options,
        truth_image=outcome_image,
        condition_tag="answers",
        breakdowns=breakdowns,
    )


OUTCOME_ELEMENT = _task(
    "element",
    "What happens on acting on the marked element?",
    ("action", "steps", "names itself", "density, as shipped", "group size", "slot", "platform", SOURCE_TAG),
)
OUTCOME_REGION = _task(
    "region",
    "What can be done in the marked region?",
    ("region type", "density, as shipped", "area, as shipped", "group size", "slot", "platform", SOURCE_TAG),
)
