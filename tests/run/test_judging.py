"""Judged tasks: judgements are attempts like any other, and a changed judge asks only judgements."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.ask import Ask, Message, Reply
from affordance.core.attempt import Ended, Prompts, Steps, Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import YesNo
from affordance.core.question import Question
from affordance.ledger import open_ledger
from affordance.run.session import Request, perform
from affordance.suites.task import Judging, Task
from errors import raises
from loopback import Loopback, Seen, completion, says_move


def judgements(question: Question, reply: Reply) -> list[Question]:
    """Two: is the reply about the move, is it about the truth."""
    return [
        Question(
            question.task, question.item, {**question.axes, "against": against}, (),
            {"text_a": reply.text.partition("\n")[2], "text_b": against}, YesNo(), truth="", files={},
        )
        for against in ("It goes from left to right.", f"It shows a {question.truth}.")
    ]  # fmt: skip


def ask_judge(question: Question, prompts: Prompts) -> Steps:
    text = "Do these say the same?\n{text_a}\n{text_b}".format(**question.fields)
    (reply,) = yield [Ask(question.id, (Message("user", (text,)),), question.grammar, question.fields)]
    return reply


def read_judgement(_: Question, reply: Reply) -> Verdict:
    return Verdict(Ended.ANSWERED, reply.text, float(reply.text == "Yes"))


def conclude(_: Question, __: Reply, found: Sequence[Verdict]) -> Verdict:
    return Verdict(Ended.ANSWERED, "judged", sum(one.score or 0 for one in found) / len(found))


@pytest.fixture
def judged(request_for: Callable[..., Request]) -> Callable[..., Request]:
    def make(model: str, judge: str | None) -> Request:
        request = request_for(model, judge=judge)
        (task,) = request.settings.tasks
        with_judge: Task = replace(task, judging=Judging(judgements, ask_judge, read_judgement, conclude, headline=()))
        return replace(request, settings=replace(request.settings, tasks=(with_judge,)))

    return make


def test_every_reply_is_judged_in_the_same_ledger(judged: Callable[..., Request]) -> None:
    with Loopback() as server:
        request = judged(f"openai:test@{server.url}", "baseline:overlap")
        run, progress = perform(request)
        assert progress.complete
        assert len(server.seen) == 7
        perform(request)
        assert len(server.seen) == 7
    with open_ledger(request.ledger, read_only=True) as ledger:
        attempts = list(ledger.outcomes(run.id))
        found = list(ledger.outcomes(run.id, judgements=True))
        subjects = ledger.subjects(run.id)
    assert {one.verdict.score for one in attempts if one.verdict} == {0.5}
    assert len(found) == 14
    assert {one.model for one in found} == {"baseline:overlap"}
    assert set(subjects.values()) == {one.attempt for one in attempts}


def test_a_first_reply_without_an_answer_was_not_judged(judged: Callable[..., Request]) -> None:
    async def silent_first(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("") if seen.number == 1 else await says_move(seen, request)

    with Loopback(silent_first) as server:
        request = judged(f"openai:test@{server.url}", "baseline:overlap")
        run, _ = perform(replace(request, settings=replace(request.settings, reasks=1)))
    with open_ledger(request.ledger, read_only=True) as ledger:
        verdicts = [(one.verdict, one.first) for one in ledger.outcomes(run.id)]
    assert {(last.score, first.ended) for last, first in verdicts if last and first} == {(0.5, Ended.UNPARSED)}


def test_a_changed_judge_asks_only_judgements(judged: Callable[..., Request]) -> None:
    with Loopback() as server:
        model = f"openai:test@{server.url}"
        perform(judged(model, "baseline:overlap"))
        run, progress = perform(judged(model, "baseline:random"))
        assert len(server.seen) == 7
        assert progress.complete
        with open_ledger(judged(model, None).ledger, read_only=True) as ledger:
            assert {one.model for one in ledger.outcomes(run.id, judgements=True)} == {"baseline:random"}


@pytest.mark.parametrize("judge", ["oracle", "replay:x"])
def test_who_knows_answers_cannot_judge(judged: Callable[..., Request], tmp_path: Path, judge: str) -> None:
    (tmp_path / "x").write_text('{"item": "a", "reply": "A"}\n')
    with raises(UserError, judge.partition(":")[0]):
        perform(judged("baseline:random", judge.replace("x", str(tmp_path / "x"))))


def test_a_judged_task_needs_a_judge(judged: Callable[..., Request]) -> None:
    with raises(UserError, "motion/effect", "--judge"):
        perform(judged("oracle", None))
