"""Verdicts are read again from stored responses: on a ledger of version 1, and after a change of the parsers."""

import io
import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import affordance
from affordance.cli.main import run_command
from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import Attempt, AttemptResult, AttemptStatus, Verdict
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText, LocationFormat
from affordance.datasets import DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.rescore import rescore
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.judging.judgements import stored_question
from affordance.ledger import Ledger, VerdictOrigin, open_ledger
from affordance.report.comparison import compare
from affordance.report.comparison_sides import DifferenceKind
from affordance.report.notes import parser_note
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.task import Task
from behavior_data import published
from loopback import Loopback, Seen, completion

VERSION_1 = Path(__file__).parents[1] / "data" / "version-1" / "runs" / "ledger.db"
UNREAD = Verdict(AttemptStatus.UNPARSED, reason="an earlier version could not read it")
REASONS = [[("The button is larger.", "Fitts’s Law", "Action")], [("There are fewer choices.", "Hick’s Law", "Action")]]


@pytest.fixture
def version_1(tmp_path: Path) -> str:
    return str(shutil.copyfile(VERSION_1, tmp_path / "version-1.db"))


def command(*arguments: str, code: int = 0) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        assert run_command(arguments) == code
    return out.getvalue()


def numbers(where: str) -> tuple[dict[str, Mapping[str, Any]], set[tuple[int, ...]]]:
    """Of all rows, but for who read them; and the versions of the parsers that did."""
    with open_ledger(where, read_only=True) as ledger:
        found = build_rows(ledger, [one.run for one in ledger.run_summaries()])
    without = {
        f"{row.run} {row.key}": {key: value for key, value in row.to_json().items() if key != "parser_versions"}
        for row in found
    }
    return without, {row.parser_versions for row in found} - {()}


def test_verdicts_of_version_1_are_those_of_today(version_1: str) -> None:
    """All of them can be read again, and no number changes."""
    before, read_by = numbers(version_1)
    assert read_by == {(1,)}
    page = Path(version_1).with_suffix(".html")
    command("report", "--ledger", version_1, "--run", "twins again", "--format", "html", "-o", str(page))
    assert 'data-note="parsers"' in page.read_text("utf-8")
    dry = json.loads(command("rescore", "--ledger", version_1, "--dry-run", "--json"))
    assert (dry["stored"], dry["dry_run"], numbers(version_1)[1]) == (0, True, {(1,)})
    assert [row for row in dry["rows"] if row["unread"]] == []
    changed = [(change["before"], change["after"]) for row in dry["rows"] for change in row["changes"]]
    assert [(was, now) for was, now in changed if was != now] == []
    found = json.loads(command("rescore", "--ledger", version_1, "--json"))
    assert found["rows"] == dry["rows"]
    assert found["stored"] == sum(row["verdicts"] for row in found["rows"])
    assert numbers(version_1) == (before, {(PARSER_VERSION,)})
    command("report", "--ledger", version_1, "--run", "twins again", "--format", "html", "-o", str(page))
    assert 'data-note="parsers"' not in page.read_text("utf-8")
    again = affordance.rescore(ledger=version_1)
    assert (again.changed, again.stored) == (0, 0)


def test_a_ledger_that_cannot_be_written_to_can_be_read_again(version_1: str) -> None:
    Path(version_1).chmod(0o444)
    found = affordance.rescore(ledger=version_1, run="every ending", dry_run=True)
    assert {row.run for row in found.rows} == {"every ending"}
    assert found.stored == 0


@pytest.mark.parametrize("arguments", [["--run", "nobody"], ["--ledger", "nothing.db"]])
def test_what_is_not_there_is_an_error_and_nothing_is_made(
    tmp_path: Path, version_1: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command("rescore", "--ledger", version_1, *arguments, code=2)
    assert not (tmp_path / "nothing.db").exists()


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    if not seen.images:
        return completion("Yes")
    return completion("More effective: First" if "More effective:" in seen.text else "The button is larger.")


@pytest.fixture
def request_of(tmp_path: Path) -> Callable[..., RunRequest]:
    data = published(tmp_path / "set", REASONS)

    def make(task: Task, url: str, data: DatasetCollection = data, **settings: Any) -> RunRequest:
        return RunRequest(
            config=RunConfig(tasks=(task,), **{"trials": 1, **settings}),
            data=data,
            models=(ModelName.parse(f"openai:m@{url}"),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=4),
        )

    return make


def outcomes(where: str, *, judgements: bool = False) -> list[AttemptResult]:
    with open_ledger(where, read_only=True) as ledger:
        return [
            one for run in ledger.run_summaries() for one in ledger.attempt_results(run.run.id, judgements=judgements)
        ]


def all_rows(where: str) -> list[ResultRow]:
    with open_ledger(where, read_only=True) as ledger:
        return build_rows(ledger, [one.run for one in ledger.run_summaries()])


def as_read_before(ledger: Ledger, run: str, attempt: str, verdict: Verdict) -> None:
    """As if an earlier version of the parsers had read the same response."""
    origin = ledger.verdict_origins(run)[attempt]
    ledger.add_verdict(attempt, verdict, origin=replace(origin, parser_version=1)).result()


@pytest.mark.parametrize("strategy", ["zero-shot", "relabelled"])
def test_after_a_change_of_the_parsers_responses_are_read_again(
    request_of: Callable[..., RunRequest], strategy: str
) -> None:
    async def labels(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion(f"More effective: {seen.text.rpartition('<')[2].partition('/')[0]}")

    with Loopback(labels) as server:
        request = request_of(CHOICE, server.url, strategies=(strategy,))
        run, _ = execute_run(request)
        whole = outcomes(request.ledger)
        with open_ledger(request.ledger) as ledger:
            as_read_before(ledger, run.id, whole[0].attempt_id, UNREAD)
        (mixed,) = all_rows(request.ledger)
        assert mixed.parser_versions == (1, PARSER_VERSION)
        assert parser_note([mixed])
        sent = len(server.seen)
        result = affordance.rescore(ledger=request.ledger)
        assert len(server.seen) == sent
    (row,) = result.rows
    (change,) = row.changes
    assert (row.verdicts, change.n, change.before, row.unread) == (4, 1, "unparsed", {})
    (example,) = change.examples
    assert whole[0].verdict is not None
    assert (example.attempt, example.before, example.after) == (
        whole[0].attempt_id,
        UNREAD.reason,
        whole[0].verdict.answer,
    )
    assert example.response.startswith("More effective:")
    printed = str(result)
    assert all(one in printed for one in (row.task, row.model, row.run, example.item, UNREAD.reason, example.response))
    assert outcomes(request.ledger) == whole
    (now,) = all_rows(request.ledger)
    assert (now.parser_versions, parser_note([now])) == ((PARSER_VERSION,), "")
    with open_ledger(request.ledger, read_only=True) as ledger:
        assert [one.status for one in ledger.verdict_history(whole[0].attempt_id)] == [
            "answered",
            "unparsed",
            "answered",
        ]
    assert affordance.rescore(ledger=request.ledger).stored == 0


def test_judged_answers_are_combined_again_from_stored_judgements(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        request = request_of(RATIONALE, server.url, judge=f"openai:judge@{server.url}")
        run, _ = execute_run(request)
        whole = outcomes(request.ledger)
        judged = outcomes(request.ledger, judgements=True)
        sent = len(server.seen)
        with open_ledger(request.ledger) as ledger:
            about = ledger.judged_attempts(run.id)
            headline = next(one for one in judged if one.tags["judged"] == "rationale")
            subject = next(one for one in whole if one.attempt_id == about[headline.attempt_id])
            assert subject.verdict is not None
            as_read_before(ledger, run.id, headline.attempt_id, replace(UNREAD, detail={"published": True}))
            as_read_before(ledger, run.id, subject.attempt_id, replace(subject.verdict, score=0.0))
            found = rescore(ledger, [run])
        assert len(server.seen) == sent
    assert {(row.judgements, row.changed) for row in found.rows} == {(True, 1), (False, 1)}
    assert outcomes(request.ledger) == whole
    assert outcomes(request.ledger, judgements=True) == judged


def test_an_answer_that_was_never_judged_stays_as_it_is(request_of: Callable[..., RunRequest]) -> None:
    """Its judgements would have to be asked for."""
    with Loopback(answers) as server:
        request = request_of(RATIONALE, server.url, judge=f"openai:judge@{server.url}")
        run, _ = execute_run(request)
    with open_ledger(request.ledger) as ledger:
        one = next(iter(ledger.attempt_results(run.id)))
        unread = Attempt(run.id, one.question_id, "openai:other", "zero-shot", 0)
        step = ledger.steps_of([one.attempt_id])[one.attempt_id][0]
        axes = ledger.question_axes(run.id)[one.question_id]
        ledger.add_attempts([(unread, one.task, stored_question(one, axes, FreeText()))])
        ledger.link_response(unread.id, step.step, step.response_id)
        ledger.add_verdict(unread.id, UNREAD, origin=VerdictOrigin(step.response_id, FreeText(), 1)).result()
        found = {row.model: row for row in rescore(ledger, [run]).rows}
        assert ledger.verdict_history(unread.id) == [UNREAD]
    assert sum(found["openai:other"].unread.values()) == found["openai:other"].verdicts == 1


@pytest.mark.parametrize(
    ("run", "origin", "unread"),
    [
        (
            "function-ground-element-c7f5d1",
            VerdictOrigin(None, LocationFormat("acme-tap", "element", (1, 1), (1, 1))),
            1,
        ),
        ("function-ground-element-c7f5d1", VerdictOrigin(10_000, None), 1),
        ("function-ground-element-c7f5d1", VerdictOrigin(None, None), 0),
    ],
    ids=["a dialect that is not installed", "a response of another attempt", "nothing known"],
)
def test_what_cannot_be_read_again_says_why(version_1: str, run: str, origin: VerdictOrigin, unread: int) -> None:
    with open_ledger(version_1) as ledger:
        of = ledger.find_run(run)
        one = next(iter(ledger.attempt_results(of.id)))
        assert one.verdict is not None
        ledger.add_verdict(one.attempt_id, one.verdict, origin=origin).result()
        result = rescore(ledger, [of])
        (row,) = result.rows
        assert sum(row.unread.values()) == unread
        assert all(reason in str(result) for reason in row.unread)


def test_a_comparison_of_two_versions_of_the_parsers_says_so(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        request = request_of(CHOICE, server.url)
        execute_run(request)
        run, _ = execute_run(replace(request, models=(ModelName.parse("oracle"),)))
    with open_ledger(request.ledger) as ledger:
        for one in list(ledger.attempt_results(run.id)):
            if one.model == "oracle:default" and one.verdict is not None:
                as_read_before(ledger, run.id, one.attempt_id, one.verdict)
        (found,) = compare(ledger, "oracle:default", f"openai:m@{server.url}")
        assert [(one.kind, one.grave) for one in found.differing] == [(DifferenceKind.PARSERS, False)]
        rescore(ledger, [run])
        (found,) = compare(ledger, "oracle:default", f"openai:m@{server.url}")
        assert found.differing == ()
