"""`function/outcome-element` and `function/outcome-region`: what does this do?

The target is marked with a red rectangle. Of a single-answer question one option is right; of a multi-answer question
all that apply are asked for, and naming some of them and nothing else is worth their share, as published.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

from affordance.core.ask import Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.digest import Json, canonical
from affordance.core.errors import UserError
from affordance.core.grammar import Choice, Grammar, Option, Several
from affordance.core.picture import Picture
from affordance.core.question import Question
from affordance.datasets import Collection
from affordance.suites.choice import read_choice, read_several, write_choice, write_several
from affordance.suites.function.captured import is_captured
from affordance.suites.function.made_posers import made_posers
from affordance.suites.function.metrics import (
    MISTAKES,
    choice_shares,
    outcome_compat,
    outcome_floors,
    outcome_metrics,
    told_options,
)
from affordance.suites.function.posers import Poser, has_published, published_posers
from affordance.suites.function.sources import CAPTURED, SOURCE, WRITTEN, tagged
from affordance.suites.limits import ranked_subset
from affordance.suites.orders import balanced_orders, letters
from affordance.suites.strategies import zero_shot
from affordance.suites.task import ASKED, Design, Order, Protocol, Task, Trial
from affordance.suites.verdicts import NO_ANSWER, conclude

_MANY = (
    'Return only the letters of all options that apply, with commas between them (such as "A,C", or "A" for one), and '
    "no explanation."
)
# As published, elements are answered for in JSON and regions by a letter.
_ONE = {
    "element": 'Answer with a JSON object and nothing else:\n{{"answer": "{letters}"}}',
    "region": "Select the right answer: return only the letter of one of the options.",
}
_MARK = {"element": ")", "region": "."}
_PAPER = {
    "element": Protocol(1, Order.SHUFFLED, reasks=3, parameters={"temperature": 0, "max_tokens": 4096}),
    "region": Protocol(1, Order.SHUFFLED, parameters={"temperature": 0, "max_tokens": 8192}),
}


def questions(level: str, data: Collection, design: Design) -> Iterator[Trial]:
    task = f"function/outcome-{level}"
    posers = _posers(task, level, data, design)
    if not posers:
        raise UserError(f"{task} needs questions about {level}s; dataset {data.name!r} has none")
    chosen = ranked_subset(posers, design, lambda poser: poser.id)
    ordered = _ordered([poser for _, poser in sorted(chosen, key=itemgetter(0))], design)
    for _, poser in chosen:
        for trial in range(design.trials):
            yield Trial(_question(task, level, ordered[poser.id][trial]), trial)


def _posers(task: str, level: str, data: Collection, design: Design) -> list[Poser]:
    """Questions of a published set, then those made of captured screens; of one id the published one."""
    if not is_captured(data):
        return list(published_posers(data, level))
    made = made_posers(data, level, task, design.seed)
    if design.rules == 1 or not has_published(data, level):
        return list(made)
    published = {poser.id: tagged(poser, WRITTEN) for poser in published_posers(data, level)}
    return [*published.values(), *(tagged(poser, CAPTURED) for poser in made if poser.id not in published)]


def _combines(level: str, data: Collection) -> bool:
    return is_captured(data) and has_published(data, level)


def _ordered(posers: Sequence[Poser], design: Design) -> dict[str, list[Poser]]:
    """Each with its options in the order of each trial. Those that are made here are balanced among all with as many
    options and as many answers to give; what is published keeps its order."""
    found = {poser.id: [poser] * design.trials for poser in posers}
    if design.order is not Order.CAPTURED:
        return found
    alike: dict[tuple[int, bool], list[Poser]] = {}
    for poser in posers:
        if not poser.published:
            alike.setdefault((len(poser.options), poser.multiple), []).append(poser)
    for (options, _), group in alike.items():
        right = [[place for place, (text, _) in enumerate(one.options) if text in one.right] for one in group]
        for poser, orders in zip(group, balanced_orders(right, options, design.trials, design.seed), strict=True):
            found[poser.id] = [replace(poser, options=tuple(poser.options[one] for one in order)) for order in orders]
    return found


def _question(task: str, level: str, poser: Poser) -> Question:
    texts = [text for text, _ in poser.options]
    options = outcome_options(texts)
    listed = "\n".join(f"{option.letter}{_MARK[level]} {option.label}" for option in options)
    slots = {} if poser.multiple else {"slot": letters(len(texts))[texts.index(poser.right[0])]}
    return Question(
        task=task,
        item=poser.id,
        axes={"options": texts},
        pictures=(Picture(poser.source, outlines=poser.outlines),),
        fields={
            "question": poser.question,
            "options": listed,
            "instruction": _MANY if poser.multiple else _ONE[level].format(letters="/".join(letters(len(texts)))),
        },
        grammar=Several(options) if poser.multiple else Choice(options),
        truth=_truth(poser),
        files=poser.files,
        tags={
            **poser.tags,
            **slots,
            "answers": "multi" if poser.multiple else "single",
            ASKED: f"{poser.question}\n{listed}",
        },
        cluster=poser.screen,
    )


def outcome_options(texts: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(letter, text, text) for letter, text in zip(letters(len(texts)), texts, strict=True))


def _truth(poser: Poser) -> str:
    after: Json = None
    if poser.after is not None:
        after = {"source": poser.after.source, "box": poser.after.box.to_json()}
    return canonical(
        {
            "right": poser.right,
            "origins": dict(poser.options),
            "options": len(poser.options),
            "multiple": poser.multiple,
            "after": after,
        }
    )


def read(question: Question, reply: Reply) -> Verdict:
    return conclude(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    chosen = chosen_options(question, text)
    if chosen is None:
        return NO_ANSWER
    truth = json.loads(question.truth)
    right, said = set(truth["right"]), {option.name for option in chosen}
    score = len(said) / len(right) if said <= right else 0.0
    wrong = {truth["origins"][name] for name in said - right}
    mistake = next((kind for kind in (*MISTAKES, *sorted(wrong)) if kind in wrong), "incomplete" if score < 1 else "")
    detail: dict[str, Json] = {"mistake": mistake} if mistake else {}
    return Verdict(Ended.ANSWERED, ", ".join(option.letter for option in chosen), score, detail=detail)


def chosen_options(question: Question, text: str) -> tuple[Option, ...] | None:
    if isinstance(question.grammar, Several):
        return read_several(text, question.grammar)
    assert isinstance(question.grammar, Choice)
    option = read_choice(text, question.grammar)
    return None if option is None else (option,)


def after_picture(truth: str) -> str | None:
    """The source of the picture of what really happened, where there is one."""
    after = json.loads(truth)["after"]
    return None if after is None else str(after["source"])


def ideal(question: Question, grammar: Grammar) -> str | None:
    if not isinstance(grammar, Choice | Several):
        return None
    right = [option for option in grammar.options if option.name in json.loads(question.truth)["right"]]
    because = "This is the truth."
    return write_several(right, because) if isinstance(grammar, Several) else write_choice(right[0], because)


def _task(level: str, summary: str, breakdowns: tuple[str, ...]) -> Task:
    return Task(
        name=f"function/outcome-{level}",
        summary=summary,
        kinds=("choice", "screen", "outcome"),
        noun="question",
        options=frozenset({"trials", "strategy"}),
        protocols={
            "affordance": Protocol(trials=1, order=Order.CAPTURED, parameters={"temperature": 0}),
            "paper": _PAPER[level],
        },
        prompts={"zero-shot": frozenset({"question", "options", "instruction"})},
        strategies={"zero-shot": zero_shot},
        questions=partial(questions, level),
        combines=partial(_combines, level),
        read=read,
        metrics=outcome_metrics,
        floors=outcome_floors,
        ideal=ideal,
        shares=choice_shares,
        compat=outcome_compat,
        told=told_options,
        after=after_picture,
        form="answers",
        breakdowns=breakdowns,
    )


OUTCOME_ELEMENT = _task(
    "element",
    "What happens on acting on the marked element?",
    ("action", "steps", "names itself", "density, as shipped", "group size", "slot", "platform", SOURCE),
)
OUTCOME_REGION = _task(
    "region",
    "What can be done in the marked region?",
    ("region type", "density, as shipped", "area, as shipped", "group size", "slot", "platform", SOURCE),
)
