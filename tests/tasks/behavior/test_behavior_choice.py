"""`behavior/choice`: which questions there are, what stands in their asks, and what does not."""

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType

import pytest

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import UserError
from affordance.core.question import Question
from affordance.core.requests import FinishReason, Request, Response
from affordance.datasets import Dataset, DatasetCollection, Item
from affordance.tasks.behavior.choice import CHOICE, IDENTICAL_IMAGES, questions
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.task import Task
from behavior_data import because, pair, write_pairs
from errors import raises
from reachable import reachable
from task_numbers import design_of, ideal_text

WHY = [because("The button of this one stands out.", "Von Restorff Effect")]
FACTS = {"page_type": "homepage", "industry": "Retail", "device": "web", "changes": {"Button": ["Color"]}}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    return write_pairs(
        tmp_path_factory.mktemp("pairs"),
        pair("alpha", 0, goal="People sign up.", rationales=WHY, evidence="tested", **FACTS),
        pair("beta", 1, rationales=WHY, cluster="group-7"),
        pair("gamma", 1, rationales=WHY, same=True),
        pair("open", None),
    )


def found(data: DatasetCollection, **changes: object) -> list[Question]:
    return [trial.question for trial in questions(data, design_of(CHOICE, **changes))]  # type: ignore[arg-type]


def test_every_decided_pair_is_asked_about_in_both_orders(data: DatasetCollection) -> None:
    asked = found(data)
    assert Counter(question.item for question in asked) == {"alpha": 2, "beta": 2, "gamma": 2}
    for one, other in zip(asked[::2], asked[1::2], strict=True):
        assert one.media == other.media[::-1]
        assert {one.truth, other.truth} == {"First", "Second"}
        assert one.id != other.id


def test_the_truth_is_where_the_winner_stands(data: DatasetCollection) -> None:
    dataset = data.of_kind("pair")
    assert dataset is not None
    winners = {"alpha": "media/alpha-0.png", "beta": "media/beta-1.png"}
    for question in found(data):
        if question.item in winners:
            place = ("First", "Second").index(question.truth)
            assert question.source_paths[question.media[place].source] == dataset.media_path(winners[question.item])
            assert question.tags["winner"] == question.truth.lower()


def test_trials_are_of_the_same_question(data: DatasetCollection) -> None:
    trials = list(questions(data, design_of(CHOICE, trials=3)))
    assert Counter(trial.question.id for trial in trials) == {question.id: 3 for question in found(data)}
    assert {trial.trial for trial in trials} == {0, 1, 2}
    assert {name: protocol.trials for name, protocol in CHOICE.protocols.items()} == {"affordance": 3, "paper": 3}


def test_golden_ids(data: DatasetCollection) -> None:
    """They are in other people's ledgers, and pair models and prompt versions for ever."""
    assert [(one.item, one.axes, one.id) for one in found(data)[:2]] == [
        ("alpha", {"order": [0, 1]}, "4172b8e1d11b2ee4db5b09370fbc5885"),
        ("alpha", {"order": [1, 0]}, "6961f108c01cedc11aa8438d6c753bf2"),
    ]


def test_a_goal_is_shown_where_it_is_asked_for(data: DatasetCollection) -> None:
    shown, hidden = found(data, goal="shown"), found(data)
    assert [question.prompt_fields["goal"] for question in hidden] == [""] * 6
    assert [question.prompt_fields["goal"] for question in shown if question.item == "beta"] == ["", ""]
    assert all("People sign up." in question.prompt_fields["goal"] for question in shown if question.item == "alpha")
    same = [one.id == other.id for one, other in zip(shown, hidden, strict=True)]
    assert same == [False, False, True, True, True, True], "a pair without a goal is the same question"


def test_a_limit_takes_whole_pairs(data: DatasetCollection) -> None:
    assert Counter(question.item for question in found(data, limit=2)) == {
        question.item: 2 for question in found(data, limit=2)
    }
    assert len(found(data, limit=2)) == 4


def test_tags_and_clusters(data: DatasetCollection) -> None:
    by_item = {question.item: question for question in found(data)}
    tags = dict(by_item["alpha"].tags)
    assert tags.pop("winner") in ("first", "second")
    assert tags == {
        "page type": "homepage",
        "industry": "Retail",
        "device": "web",
        "changed element": "Interactive Control-only",
        "changed property": "Visual Styling-only",
        "evidence": "tested",
        "UX laws": "Von Restorff Effect",
    }
    assert {name: question.cluster for name, question in by_item.items()} == {
        "alpha": "alpha",
        "beta": "group-7",
        "gamma": "gamma",
    }


def test_pairs_of_one_picture_are_a_control(data: DatasetCollection, tmp_path: Path) -> None:
    assert {question.item for question in found(data) if question.tags.get("control") == IDENTICAL_IMAGES} == {"gamma"}
    twins = write_pairs(tmp_path, pair("copied"))
    part = twins.of_kind("pair")
    assert part is not None
    (tmp_path / "media/copied-1.png").write_bytes((tmp_path / "media/copied-0.png").read_bytes())
    assert {question.tags["control"] for question in found(twins)} == {IDENTICAL_IMAGES}, "by what is on disk"


def test_without_a_winner_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with raises(UserError, "behavior/choice"):
        found(write_pairs(tmp_path, pair("open", None)))


ENDINGS = {
    "right": (Response("More effective: First"), AttemptStatus.ANSWERED, 1.0, {}),
    "wrong": (Response("More effective: Second"), AttemptStatus.ANSWERED, 0.0, {}),
    "right, and unreadable as published": (
        Response("More effective: first."),
        AttemptStatus.ANSWERED,
        1.0,
        {"strict": None},
    ),
    "another answer as published": (
        Response("More effective: Second\nMore effective: First"),
        AttemptStatus.ANSWERED,
        1.0,
        {"strict": "Second"},
    ),
    "no marker": (Response("First, I looked at both."), AttemptStatus.UNPARSED, None, {}),
    "empty": (Response(""), AttemptStatus.UNPARSED, None, {}),
    "refused": (Response("I'm sorry, I can't compare these."), AttemptStatus.REFUSED, None, {}),
    "cut before the answer": (Response("The first", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED, None, {}),
    "cut in the answer": (
        Response("So.\nMore effective: First", finish=FinishReason.LENGTH),
        AttemptStatus.TRUNCATED,
        None,
        {},
    ),
    "failed": (Response(finish=FinishReason.ERROR, error="500"), AttemptStatus.FAILED, None, {}),
}


@pytest.mark.parametrize(("reply", "ended", "score", "detail"), ENDINGS.values(), ids=ENDINGS.keys())
def test_verdicts(
    data: DatasetCollection, reply: Response, ended: AttemptStatus, score: float | None, detail: object
) -> None:
    question = next(question for question in found(data) if question.truth == "First")
    verdict = CHOICE.score(question, reply)
    assert (verdict.status, verdict.score, verdict.detail) == (ended, score, detail)


@pytest.mark.parametrize("strategy", ["zero-shot", "cocot", "relabelled"])
def test_the_oracle_is_right_in_every_order(data: DatasetCollection, strategy: str) -> None:
    for question in found(data):
        steps = CHOICE.strategies[strategy](question, load_prompt_pack(CHOICE).texts)
        (ask,) = next(steps)
        said = ideal_text(CHOICE, question, ask.answer_format)
        with pytest.raises(StopIteration) as done:
            steps.send([Response(said or "")])
        assert CHOICE.score(replace(question, answer_format=ask.answer_format), done.value.value).score == 1


def hidden(question: Question, ask: Request) -> list[object]:
    """What must not be there: records, paths, the item's name, experts' words."""
    forbidden = (Question, Item, Dataset, Path, FunctionType, MethodType)
    texts = (question.item, WHY[0].reason, *map(str, question.source_paths.values()))
    return [
        value
        for value in reachable(ask)
        if isinstance(value, forbidden) or (isinstance(value, str) and any(text in value for text in texts))
    ]


def all_asks(task: Task, strategy: str, question: Question) -> list[Request]:
    steps = task.strategies[strategy](question, load_prompt_pack(task).texts)
    asks = list(next(steps))
    for _ in range(20):
        try:
            asks += steps.send([Response("Some words.")])
        except StopIteration:
            return asks
    raise AssertionError("too many steps")


ASKED = [(task, strategy) for task in (CHOICE, RATIONALE) for strategy in task.strategies]


@pytest.mark.parametrize(("task", "strategy"), ASKED, ids=[f"{task.name} {strategy}" for task, strategy in ASKED])
def test_nothing_leads_from_an_ask_to_the_truth(data: DatasetCollection, task: Task, strategy: str) -> None:
    for trial in task.questions(data, design_of(task, goal="shown")):
        for ask in all_asks(task, strategy, trial.question):
            assert hidden(trial.question, ask) == []
            assert ask.question == trial.question.id
            assert ask.images == trial.question.media


def test_both_orders_are_asked_in_the_same_words(data: DatasetCollection) -> None:
    """Else the words would tell which picture is the winner's."""
    for strategy in CHOICE.strategies:
        if strategy == "relabelled":
            continue
        for one, other in zip(found(data)[::2], found(data)[1::2], strict=True):
            texts = [[ask.messages[0].parts[0] for ask in all_asks(CHOICE, strategy, each)] for each in (one, other)]
            assert texts[0] == texts[1]


def test_the_walk_finds_what_is_hidden(data: DatasetCollection) -> None:
    """Without this the tests above could not fail."""
    question = found(data)[0]
    ask = all_asks(CHOICE, "zero-shot", question)[0]
    for place in (question, partial(print, question), [{"a": (question.item,)}], {"a": Path("x")}):
        assert hidden(question, replace(ask, parameters={"a": place}))  # type: ignore[dict-item]
