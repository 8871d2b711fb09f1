"""Judged tasks: judgements are attempts like any other, and a changed judge asks only judgements."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.question import Question, YesNo
from affordance.evaluation.run import RunRequest, execute_run
from affordance.ledger import open_ledger
from affordance.tasks.scoring import JudgedAnswer, JudgePlan, Score
from affordance.tasks.task import Task
from errors import raises
from loopback import Loopback, Seen, completion, says_move


def judgements(question: Question, reply: JudgedAnswer) -> list[Question]:
    """Two: is the reply about the move, is it about the truth."""
    return [
        Question(
            question.task, question.item, {**question.axes, "against": against}, (),
            {"text_a": reply.text.partition("\n")[2], "text_b": against}, YesNo(), truth="", source_paths={},
        )
        for against in ("It goes from left to right.", f"It shows a {question.truth}.")
    ]  # fmt: skip


def conclude(_: Question, __: JudgedAnswer, found: Sequence[Verdict]) -> Score:
    return Score("judged", sum(one.score or 0 for one in found) / len(found))


@pytest.fixture
def judged(request_for: Callable[..., RunRequest]) -> Callable[..., RunRequest]:
    def make(model: str, judge: str | None) -> RunRequest:
        request = request_for(model, judge=judge)
        (task,) = request.config.tasks
        plan = JudgePlan(judgements=judgements, answer_format=YesNo(), combine=conclude, headline_kinds=())
        prompts = {"judge": "Do these say the same?\n{text_a}\n{text_b}"}
        with_judge: Task = replace(task, scorer=replace(task.scorer, judge=plan), prompts=prompts)
        return replace(request, config=request.config.replace(tasks=(with_judge,)))

    return make


def test_every_reply_is_judged_in_the_same_ledger(judged: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        request = judged(f"openai:test@{server.url}", "baseline:overlap")
        run, progress = execute_run(request)
        assert progress.complete
        assert len(server.seen) == 7
        execute_run(request)
        assert len(server.seen) == 7
    with open_ledger(request.ledger, read_only=True) as ledger:
        attempts = list(ledger.attempt_results(run.id))
        found = list(ledger.attempt_results(run.id, judgements=True))
        subjects = ledger.judged_attempts(run.id)
    assert {one.verdict.score for one in attempts if one.verdict} == {0.5}
    assert len(found) == 14
    assert {one.model for one in found} == {"baseline:overlap"}
    assert set(subjects.values()) == {one.attempt_id for one in attempts}


def test_a_first_reply_without_an_answer_was_not_judged(judged: Callable[..., RunRequest]) -> None:
    async def silent_first(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("") if seen.number == 1 else await says_move(seen, request)

    with Loopback(silent_first) as server:
        request = judged(f"openai:test@{server.url}", "baseline:overlap")
        run, _ = execute_run(replace(request, config=request.config.replace(parse_retries=1)))
    with open_ledger(request.ledger, read_only=True) as ledger:
        verdicts = [(one.verdict, one.first_verdict) for one in ledger.attempt_results(run.id)]
    assert {(last.score, first.status) for last, first in verdicts if last and first} == {(0.5, AttemptStatus.UNPARSED)}


def test_a_changed_judge_asks_only_judgements(judged: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        model = f"openai:test@{server.url}"
        execute_run(judged(model, "baseline:overlap"))
        run, progress = execute_run(judged(model, "baseline:random"))
        assert len(server.seen) == 7
        assert progress.complete
        with open_ledger(judged(model, None).ledger, read_only=True) as ledger:
            assert {one.model for one in ledger.attempt_results(run.id, judgements=True)} == {"baseline:random"}


@pytest.mark.parametrize("judge", ["oracle", "replay:x"])
def test_who_knows_answers_cannot_judge(judged: Callable[..., RunRequest], tmp_path: Path, judge: str) -> None:
    (tmp_path / "x").write_text('{"item": "a", "reply": "A"}\n')
    with raises(UserError, judge.partition(":")[0]):
        execute_run(judged("baseline:random", judge.replace("x", str(tmp_path / "x"))))


def test_a_judged_task_needs_a_judge(judged: Callable[..., RunRequest]) -> None:
    with raises(UserError, "motion/effect", "--judge"):
        execute_run(judged("oracle", None))
