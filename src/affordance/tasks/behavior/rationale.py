"""`behavior/rationale` (WiserUI-Bench, task 2): why is the winner better?

The winner is shown second and is named as such. As published: one run, any reply is an explanation, and a judge decides
for each expert rationale whether it is contained. Pairs whose two pictures are equal are kept apart here too: there is
nothing in them to explain.
"""

from collections.abc import Iterator
from dataclasses import replace

from affordance.core.ask import Response
from affordance.core.attempt import Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import AnswerFormat, FreeText
from affordance.core.question import Question
from affordance.datasets import Collection, Pair
from affordance.tasks.behavior import choice
from affordance.tasks.behavior.controls import UnrelatedRationaleSampler, neutral_wording
from affordance.tasks.behavior.judging import JUDGE_PLAN, RationaleTruth, answer_text
from affordance.tasks.behavior.rationale_metrics import (
    one_result_per_rationale,
    rationale_baselines,
    rationale_compatible_metrics,
    rationale_error_shares,
    rationale_intervals,
    rationale_metrics,
)
from affordance.tasks.free_words import free_text_verdict
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Design, Order, Protocol, Task, Trial

NAME = "behavior/rationale"
NO_EXPLANATION = "no words beside thinking"


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    """Those of `behavior/choice` with the winner second, about pairs that experts explained."""
    dataset = data.part("pair")
    items = dataset.items if dataset is not None else ()
    pairs = [item for item in items if isinstance(item, Pair) and item.winner is not None and item.rationales]
    if dataset is None or not pairs:
        raise UserError(f"{NAME} needs pairs with a winner and rationales for it; {data.name!r} has none")
    explained = replace(data, parts=(replace(dataset, items=tuple(pairs)),))
    by_id = {pair.id: pair for pair in pairs}
    foreigners = UnrelatedRationaleSampler(pairs)
    for asked in choice.questions(explained, replace(design, trials=1)):
        if asked.question.truth != "Second":
            continue
        pair = by_id[asked.question.item]
        expected = RationaleTruth(tuple(pair.rationales), foreigners.draw(pair, design.seed))
        question = _question(asked.question, expected)
        for trial in range(design.trials):
            yield Trial(question, trial)


def _question(choice_question: Question, truth: RationaleTruth) -> Question:
    return Question(
        task=NAME,
        item=choice_question.item,
        axes=choice_question.axes,
        media=choice_question.media,
        prompt_fields=choice_question.prompt_fields,
        answer_format=FreeText(),
        truth=truth.to_text(),
        source_paths=choice_question.source_paths,
        tags={name: value for name, value in choice_question.tags.items() if name != "winner"},
        cluster=choice_question.cluster,
    )


def score_response(question: Question, reply: Response) -> Verdict:
    return free_text_verdict(reply, answer_text(reply), NO_EXPLANATION)


def correct_answer(question: Question, grammar: AnswerFormat) -> str | None:
    if not isinstance(grammar, FreeText):
        return None
    return "\n".join(neutral_wording(one) for one in RationaleTruth.from_text(question.truth).rationales)


def describe_truth(truth: str) -> str:
    rationales = RationaleTruth.from_text(truth).rationales
    return "\n".join(f"{neutral_wording(one)} ({one.law})" if one.law else neutral_wording(one) for one in rationales)


RATIONALE = Task(
    name=NAME,
    summary="Why did the winner of two designs win?",
    dataset_kinds=("pair",),
    item_noun="pair",
    options=frozenset({"trials", "strategy", "goal", "judge"}),
    protocols={
        "affordance": Protocol(trials=1, option_order=Order.BOTH_ORDERS, sampling={"temperature": 0.2}),
        "paper": Protocol(trials=1, option_order=Order.BOTH_ORDERS, sampling={"temperature": 0.2, "max_tokens": 4096}),
    },
    prompts={"zero-shot": frozenset({"goal"}), "judge": frozenset({"text_a", "text_b"})},
    strategies={"zero-shot": zero_shot},
    questions=questions,
    score=score_response,
    metrics=rationale_metrics,
    trivial_baselines=rationale_baselines,
    correct_answer=correct_answer,
    error_shares=rationale_error_shares,
    compatible_metrics=rationale_compatible_metrics,
    breakdown_results=one_result_per_rationale,
    intervals=rationale_intervals,
    describe_truth=describe_truth,
    condition_tag=choice.CHOICE.condition_tag,
    control_condition=choice.CHOICE.control_condition,
    breakdowns=("law", "dimension", "page type", "industry", "device", "changed element", "changed property"),
    judge=JUDGE_PLAN,
)
