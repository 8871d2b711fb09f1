"""`function/outcome-element` and `function/outcome-region`: what does this do?

The target is marked with a red rectangle. Of a single-answer question one option is right; of a multi-answer question
all that apply are asked for, and naming some of them and nothing else is worth their share, as published.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

from affordance.core.ask import Response
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.core.digest import Json, canonical_json
from affordance.core.errors import UserError
from affordance.core.grammar import AnswerFormat, AnswerOption, MultipleChoice, SingleChoice
from affordance.core.picture import ImageSpec
from affordance.core.question import Question
from affordance.datasets import Collection
from affordance.tasks.choice import parse_multiple_choice, read_choice, write_choice, write_multiple_choice
from affordance.tasks.function.captured import has_outcomes
from affordance.tasks.function.made_posers import captured_choice_specs
from affordance.tasks.function.metrics import (
    WRONG_OPTION_ORIGINS,
    describe_options,
    outcome_baselines,
    outcome_compatible_metrics,
    outcome_error_shares,
    outcome_metrics,
)
from affordance.tasks.function.posers import ChoiceSpec, has_published, published_choice_specs
from affordance.tasks.function.sources import CAPTURED_SOURCE, DATASET_SOURCE, SOURCE_TAG, tag_source
from affordance.tasks.limits import ranked_subset
from affordance.tasks.orders import balanced_orders, letters
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import QUESTION_TEXT_TAG, Design, Order, Protocol, Task, Trial
from affordance.tasks.verdicts import NO_ANSWER, conclude

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
    "element": Protocol(1, Order.SHUFFLED, parse_retries=3, sampling={"temperature": 0, "max_tokens": 4096}),
    "region": Protocol(1, Order.SHUFFLED, sampling={"temperature": 0, "max_tokens": 8192}),
}


def questions(level: str, data: Collection, design: Design) -> Iterator[Trial]:
    task = f"function/outcome-{level}"
    posers = _choice_specs(task, level, data, design)
    if not posers:
        raise UserError(f"{task} needs questions about {level}s; dataset {data.name!r} has none")
    chosen = ranked_subset(posers, design, lambda poser: poser.id)
    ordered = _order_options([poser for _, poser in sorted(chosen, key=itemgetter(0))], design)
    for _, poser in chosen:
        for trial in range(design.trials):
            yield Trial(_question(task, level, ordered[poser.id][trial]), trial)


def _choice_specs(task: str, level: str, data: Collection, design: Design) -> list[ChoiceSpec]:
    """Questions of a published set, then those made of captured screens; of one id the published one."""
    if not has_outcomes(data):
        return list(published_choice_specs(data, level))
    made = captured_choice_specs(data, level, task, design.seed)
    if design.design_version == 1 or not has_published(data, level):
        return list(made)
    published = {poser.id: tag_source(poser, DATASET_SOURCE) for poser in published_choice_specs(data, level)}
    return [*published.values(), *(tag_source(poser, CAPTURED_SOURCE) for poser in made if poser.id not in published)]


def _has_both_sources(level: str, data: Collection) -> bool:
    return has_outcomes(data) and has_published(data, level)


def _order_options(specs: Sequence[ChoiceSpec], design: Design) -> dict[str, list[ChoiceSpec]]:
    """Each with its options in the order of each trial. Those that are made here are balanced among all with as many
    options and as many answers to give; what is published keeps its order."""
    found = {poser.id: [poser] * design.trials for poser in specs}
    if design.option_order is not Order.CAPTURED:
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
    slots = {} if spec.multiple else {"slot": letters(len(texts))[texts.index(spec.correct[0])]}
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
            else _SINGLE_ANSWER_INSTRUCTIONS[level].format(letters="/".join(letters(len(texts)))),
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
    return tuple(AnswerOption(letter, text, text) for letter, text in zip(letters(len(texts)), texts, strict=True))


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
    return conclude(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    chosen = chosen_options(question, text)
    if chosen is None:
        return NO_ANSWER
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
    option = read_choice(text, question.answer_format)
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
        else write_choice(right[0], because)
    )


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    return Task(
        name=f"function/outcome-{level}",
        summary=summary,
        dataset_kinds=("choice", "screen", "outcome"),
        item_noun="question",
        options=frozenset({"trials", "strategy"}),
        protocols={
            "affordance": Protocol(trials=1, option_order=Order.CAPTURED, sampling={"temperature": 0}),
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
