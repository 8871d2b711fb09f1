"""`behavior/choice` (WiserUI-Bench, task 1): which of two designs is the more effective one?

Every pair is asked about in both orders. As published: three runs, temperature 0.2, the prompt and then both pictures,
an answer after the marker `More effective:`, re-asked while the marker is missing. Pairs whose two pictures are equal
are a null control: whatever is chosen there is a preference for a place.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from affordance import media
from affordance.core.ask import Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.digest import Json, digest, digest_file
from affordance.core.errors import UserError
from affordance.core.grammar import Either, Grammar, Words
from affordance.core.picture import Picture
from affordance.core.places import cache_folder
from affordance.core.question import Question
from affordance.datasets import Collection, Dataset, Pair
from affordance.datasets.carry import looking_at
from affordance.datasets.ui_changes import element_group, property_group
from affordance.suites.behavior.metrics import (
    CONTROL,
    LAW,
    by_law,
    laws_tag,
    pick_compat,
    pick_floors,
    pick_intervals,
    pick_metrics,
    pick_positions,
    pick_trials,
)
from affordance.suites.behavior.picks import no_pick, read_pick, read_strictly, write_pick
from affordance.suites.behavior.strategies import ROUNDS, debate, in_one_go, relabelled, self_refine
from affordance.suites.limits import some
from affordance.suites.strategies import zero_shot
from affordance.suites.task import Design, Order, Protocol, Task, Trial
from affordance.suites.verdicts import conclude

Shown = list[tuple[Picture, dict[str, Path]]]

ORDERS = ((0, 1), (1, 0))
IDENTICAL = "identical pictures"

_STEPS = {
    "zero-shot": frozenset({"goal"}),
    "cocot": frozenset({"goal"}),
    "ddcot": frozenset({"goal"}),
    "review": frozenset({"goal", "previous_answer"}),
    "improve": frozenset({"goal", "previous_answer", "feedback"}),
    "debater": frozenset({"goal", "side", "opponent"}),
    "moderator": frozenset({"goal", "round", "first_argument", "second_argument"}),
    "relabelled": frozenset({"goal", "first_label", "second_label", "labels"}),
}


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset = data.part("pair")
    pairs = [item for item in dataset.items if isinstance(item, Pair)] if dataset is not None else []
    decided = [pair for pair in pairs if pair.winner is not None]
    if dataset is None or not decided:
        raise UserError(f"behavior/choice needs pairs of which one design is known to have won; {data.name!r} has none")
    if design.goal and not any(pair.goal for pair in decided):
        raise UserError(f"--goal shown: no pair of {data.name!r} has a goal; leave it out, or add goals to the pairs")
    for pair in some(decided, design.limit, lambda pair: pair.id):
        pictures = [_picture(dataset, path) for path in pair.images]
        tags = _tags(dataset, pair)
        for order in ORDERS:
            question = _question(pair, order, pictures, tags, shown=design.goal)
            for trial in range(design.trials):
                yield Trial(question, trial)


def _picture(dataset: Dataset, path: str) -> tuple[Picture, dict[str, Path]]:
    file = dataset.file(path)
    source = digest("missing", path) if path in dataset.missing else digest_file(file)
    return Picture(source), {source: file}


def _question(pair: Pair, order: tuple[int, int], pictures: Shown, tags: dict[str, str], *, shown: bool) -> Question:
    goal = goal_sentence(pair) if shown else ""
    axes: dict[str, Json] = {"order": list(order)}
    if goal:
        axes["goal"] = "shown"
    winner_first = order[0] == pair.winner
    return Question(
        task="behavior/choice",
        item=pair.id,
        axes=axes,
        pictures=tuple(pictures[place][0] for place in order),
        fields={"goal": goal},
        grammar=Either(),
        truth="First" if winner_first else "Second",
        files={source: file for _, files in pictures for source, file in files.items()},
        tags={**tags, "winner": "first" if winner_first else "second"},
        cluster=pair.cluster or pair.id,
    )


def goal_sentence(pair: Pair) -> str:
    """What a prompt says of the goal of a pair; nothing where it has none."""
    return f" The page is to reach this goal: {pair.goal}" if pair.goal else ""


def _tags(dataset: Dataset, pair: Pair) -> dict[str, str]:
    known = {
        "page type": pair.page_type,
        "industry": pair.industry,
        "device": pair.device,
        "changed element": element_group(pair.changes),
        "changed property": property_group(pair.changes),
        "evidence": pair.evidence,
        "majority": _majority(pair),
    }
    tags = {name: value for name, value in known.items() if value} | laws_tag(one.law for one in pair.rationales)
    if not set(pair.images) & dataset.missing and _same(dataset, pair):
        tags[CONTROL] = IDENTICAL
    return tags


def _majority(pair: Pair) -> str | None:
    """How many of those who voted were for the winner."""
    if pair.votes is None or pair.winner is None or not sum(pair.votes):
        return None
    share = pair.votes[pair.winner] / sum(pair.votes)
    return "small (below 60%)" if share < 0.6 else "medium (below 80%)" if share < 0.8 else "large (80% and more)"


def _same(dataset: Dataset, pair: Pair) -> bool:
    one, other = (dataset.file(path) for path in pair.images)
    with looking_at(pair):
        return digest_file(one) == digest_file(other) or media.same_pixels(one, other, cache_folder())


def read(question: Question, reply: Reply) -> Verdict:
    return conclude(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    assert isinstance(question.grammar, Either)
    designs = {None: None, question.grammar.first: "First", question.grammar.second: "Second"}  # whatever their words
    picked = designs[read_pick(text, question.grammar)]
    if picked is None:
        return no_pick(question.grammar)
    strict = designs[read_strictly(text, question.grammar)]
    detail: dict[str, Json] = {} if strict == picked else {"strict": strict}
    return Verdict(Ended.ANSWERED, picked, float(picked == question.truth), detail=detail)


def ideal(question: Question, grammar: Grammar) -> str | None:
    match grammar:
        case Either(first, second):
            return write_pick(first if question.truth == "First" else second, "This is the truth.")
        case Words():
            return f"The {question.truth.lower()} version is the more effective one. This is the truth."
    return None


CHOICE = Task(
    name="behavior/choice",
    summary="Which of two designs is the more effective one?",
    kinds=("pair",),
    noun="pair",
    options=frozenset({"trials", "strategy", "goal"}),
    protocols={
        "affordance": Protocol(trials=3, order=Order.BOTH, parameters={"temperature": 0.2}),
        "paper": Protocol(trials=3, order=Order.BOTH, reasks=5, parameters={"temperature": 0.2, "max_tokens": 4096}),
    },
    prompts=_STEPS,
    strategies={
        "zero-shot": zero_shot,
        "cocot": partial(in_one_go, "cocot"),
        "self-refine": self_refine,
        "ddcot": partial(in_one_go, "ddcot"),
        "debate-1": partial(debate, 1),
        "debate-3": partial(debate, ROUNDS),
        "relabelled": relabelled,
    },
    questions=questions,
    read=read,
    metrics=pick_metrics,
    floors=pick_floors,
    ideal=ideal,
    compat=pick_compat,
    positions=pick_positions,
    intervals=pick_intervals,
    trials=pick_trials,
    apart=by_law,
    form=CONTROL,
    control=IDENTICAL,
    breakdowns=("winner", "page type", "industry", "device", "changed element", "changed property", "majority", LAW),
)
