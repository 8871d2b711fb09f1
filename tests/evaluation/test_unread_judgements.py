"""Judgements that cannot be read: the same rule for every judged task. The attempt is not scored but missing, and each
repetition of the command asks for each such judgement once."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.attempts import AttemptStatus
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.behavior.rationale_judging import ALL_LAWS_ANSWER
from affordance.tasks.motion.meaning import MEANING
from affordance.tasks.task import Task
from behavior_data import published
from loopback import Behaviour, Loopback, Seen, completion
from motion_data import THINGS, clip, write_clips

SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)
LAWS = ("Fitts’s Law", "Action")
READABLE = {RATIONALE.name: "Yes", MEANING.name: '{"score": 5, "reason": "x"}'}


def pairs(folder: Path) -> DatasetCollection:
    return published(
        folder, [[(f"Part {place} of page {page} is larger.", *LAWS) for place in range(2)] for page in range(2)]
    )


def clips(folder: Path) -> DatasetCollection:
    return write_clips(folder, *(clip(thing) for thing in THINGS[:2]), frames=30)


TASKS: dict[str, tuple[Task, Callable[[Path], DatasetCollection]]] = {
    RATIONALE.name: (RATIONALE, pairs),
    MEANING.name: (MEANING, clips),
}


def answers(task: Task, unread: Callable[[Seen], str]) -> Behaviour:
    """A judge that answers as `unread` says, readably where that is empty."""

    async def behaviour(seen: Seen, _: web.Request) -> web.StreamResponse:
        if seen.body["model"] != "judge":
            return completion("It is larger.")
        return completion(unread(seen) or READABLE[task.name])

    return behaviour


def judged(seen: list[Seen]) -> list[Seen]:
    return [one for one in seen if one.body["model"] == "judge"]


@pytest.fixture(params=TASKS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Task, Callable[[str], RunRequest]]:
    task, data_in = TASKS[request.param]
    data = data_in(tmp_path / "set")

    def make(url: str) -> RunRequest:
        return RunRequest(
            config=RunConfig(tasks=(task,), judge=f"openai:judge@{url}", reference=_reference(task)),
            data=data,
            models=(ModelName.parse(f"openai:model@{url}"),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=4, retry=SHORT),
        )

    return task, make


def _reference(task: Task) -> str | None:
    return "individual" if task is MEANING else None


def repeat(request: RunRequest) -> tuple[RunProgress, ResultRow]:
    """One command, and the row of the report after it."""
    run, progress = execute_run(request)
    with open_ledger(request.ledger, read_only=True) as ledger:
        (row,) = build_rows(ledger, [run])
    return progress, row


def test_an_attempt_is_missing_until_its_judgements_can_be_read(
    world: tuple[Task, Callable[[str], RunRequest]],
) -> None:
    task, request_at = world
    with Loopback(answers(task, lambda seen: "Hm." if seen.number < 3 else "")) as server:
        request = request_at(server.url)
        progress, row = repeat(request)
        first = judged(server.seen)
        assert len({seen.key for seen in first}) == len(first), "nothing is asked twice by one command"
        assert not progress.complete
        assert (row.n, row.ended[AttemptStatus.FAILED], row.complete, row.metrics["accuracy"]) == (2, 2, False, None)
        assert row.bounds["accuracy"] == (0.0, 1.0)

        progress, row = repeat(request)
        assert not progress.complete
        assert len(judged(server.seen)) == 2 * len(first), "each of them once more"

        progress, row = repeat(request)
        assert progress.complete
        assert (row.complete, row.metrics["accuracy"]) == (True, 1.0)
        assert len(judged(server.seen)) == 3 * len(first)

        repeat(request)
        assert len(server.seen) == 2 + 3 * len(first), "nothing is left"
    with open_ledger(request.ledger, read_only=True) as ledger:
        (usage,) = (
            one for one in ledger.token_usage(ledger.run_summaries()[0].run.id) if one.model.startswith("openai:judge")
        )
        assert usage.responses == 3 * len(first), "every response is kept"


@pytest.mark.parametrize("said", ["", "Yes and No", "I am sorry, but I cannot help with that."], ids=repr)
def test_only_what_cannot_be_read_is_asked_again(world: tuple[Task, Callable[[str], RunRequest]], said: str) -> None:
    task, request_at = world
    keys: set[str] = set()

    def sometimes(seen: Seen) -> str:
        """One judgement of those that the score is about, the first time."""
        is_control = ALL_LAWS_ANSWER in seen.text
        if seen.number == 1 and not keys and not is_control:
            keys.add(seen.key)
        return (said or " ") if seen.key in keys and seen.number == 1 else ""

    with Loopback(answers(task, sometimes)) as server:
        request = request_at(server.url)
        progress, row = repeat(request)
        assert row.ended[AttemptStatus.FAILED] == (0 if progress.complete else 1)
        before = len(server.seen)
        progress, row = repeat(request)
        assert progress.complete
        assert row.metrics["accuracy"] == 1.0
        assert len(server.seen) - before <= 1


def test_a_control_that_cannot_be_read_leaves_the_score_as_it_is(tmp_path: Path) -> None:
    with Loopback(answers(RATIONALE, lambda seen: "Hm." if ALL_LAWS_ANSWER in seen.text else "")) as server:
        request = RunRequest(
            config=RunConfig(tasks=(RATIONALE,), judge=f"openai:judge@{server.url}"),
            data=pairs(tmp_path / "set"),
            models=tuple(ModelName.parse(f"openai:{name}@{server.url}") for name in ("one", "two")),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=4, retry=SHORT),
        )
        run, progress = execute_run(request)
        assert progress.complete
        before = len(server.seen)
        execute_run(request)
        assert len(server.seen) == before
    with open_ledger(request.ledger, read_only=True) as ledger:
        assert {row.metrics["accuracy"] for row in build_rows(ledger, [run])} == {1.0}


def test_a_judge_that_never_says_anything_costs_one_request_a_judgement_and_command(
    world: tuple[Task, Callable[[str], RunRequest]],
) -> None:
    task, request_at = world
    with Loopback(answers(task, lambda _: "Hm.")) as server:
        for command in range(1, 4):
            progress, _ = repeat(request_at(server.url))
            assert not progress.complete
            assert set(Counter(seen.key for seen in judged(server.seen)).values()) == {command}
        assert len(server.seen) == len(judged(server.seen)) + 2
