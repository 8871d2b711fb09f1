"""`behavior/rationale` (WiserUI-Bench, task 2): why is the winner better?

The winner is shown second and is named as such. As published: one run, any reply is an explanation, and a judge decides
for each expert rationale whether it is contained. Pairs whose two pictures are equal are kept apart here too: there is
nothing in them to explain.
"""

from collections.abc import Iterator
from dataclasses import replace

from affordance.core.ask import Reply
from affordance.core.attempt import Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import Grammar, Words
from affordance.core.question import Question
from affordance.datasets import Collection, Pair
from affordance.suites.behavior import choice
from affordance.suites.behavior.controls import Foreigners, neutral_words
from affordance.suites.behavior.judging import JUDGING, Expected, explanation_of
from affordance.suites.behavior.rationale_metrics import (
    by_rationales,
    rationale_compat,
    rationale_floors,
    rationale_intervals,
    rationale_metrics,
    rationale_shares,
)
from affordance.suites.free_words import conclude_words
from affordance.suites.strategies import zero_shot
from affordance.suites.task import Design, Order, Protocol, Task, Trial

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
    foreigners = Foreigners(pairs)
    for asked in choice.questions(explained, replace(design, trials=1)):
        if asked.question.truth != "Second":
            continue
        pair = by_id[asked.question.item]
        expected = Expected(tuple(pair.rationales), foreigners.draw(pair, design.seed))
        question = _question(asked.question, expected)
        for trial in range(design.trials):
            yield Trial(question, trial)


def _question(asked: Question, expected: Expected) -> Question:
    return Question(
        task=NAME,
        item=asked.item,
        axes=asked.axes,
        pictures=asked.pictures,
        fields=asked.fields,
        grammar=Words(),
        truth=expected.to_text(),
        files=asked.files,
        tags={name: value for name, value in asked.tags.items() if name != "winner"},
        cluster=asked.cluster,
    )


def read(question: Question, reply: Reply) -> Verdict:
    return conclude_words(reply, explanation_of(reply), NO_EXPLANATION)


def ideal(question: Question, grammar: Grammar) -> str | None:
    if not isinstance(grammar, Words):
        return None
    return "\n".join(neutral_words(one) for one in Expected.from_text(question.truth).rationales)


def told(truth: str) -> str:
    rationales = Expected.from_text(truth).rationales
    return "\n".join(f"{neutral_words(one)} ({one.law})" if one.law else neutral_words(one) for one in rationales)


RATIONALE = Task(
    name=NAME,
    summary="Why did the winner of two designs win?",
    kinds=("pair",),
    noun="pair",
    options=frozenset({"trials", "strategy", "goal", "judge"}),
    protocols={
        "affordance": Protocol(trials=1, order=Order.BOTH, parameters={"temperature": 0.2}),
        "paper": Protocol(trials=1, order=Order.BOTH, parameters={"temperature": 0.2, "max_tokens": 4096}),
    },
    prompts={"zero-shot": frozenset({"goal"}), "judge": frozenset({"text_a", "text_b"})},
    strategies={"zero-shot": zero_shot},
    questions=questions,
    read=read,
    metrics=rationale_metrics,
    floors=rationale_floors,
    ideal=ideal,
    shares=rationale_shares,
    compat=rationale_compat,
    apart=by_rationales,
    intervals=rationale_intervals,
    told=told,
    form=choice.CHOICE.form,
    control=choice.CHOICE.control,
    breakdowns=("law", "dimension", "page type", "industry", "device", "changed element", "changed property"),
    judging=JUDGING,
)
