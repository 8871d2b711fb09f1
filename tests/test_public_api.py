"""The public surface: what `from affordance import ...` gives, and that it gives what the command line prints."""

import ast
import asyncio
import importlib
import inspect
import io
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from aiohttp import web

import affordance
from affordance import plugins
from affordance.cli.main import run_command
from affordance.datasets import DatasetCollection
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run_config import run_options
from behavior_data import pair, write_pairs
from cases import case
from errors import raises
from loopback import Loopback, Seen, completion

NAMES = {
    *("run", "estimate", "rescore", "open_results", "compare", "choose", "load_dataset", "list_tasks", "list_models"),
    *("Results", "Sample", "Comparison", "DesignChoice", "CostEstimate", "AffordanceError", "UserError", "__version__"),
}
TASK = "behavior/choice"
MODELS = ["baseline:random", "oracle"]
ROOT = Path(__file__).parents[1]


@pytest.fixture
def pairs(tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch) -> DatasetCollection:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(shared / "cache"))
    monkeypatch.delenv("AFFORDANCE_LEDGER", raising=False)
    return write_pairs(tmp_path / "pairs", *(pair(f"p{n}", n % 2, goal="Sell more") for n in range(3)))


def printed(*arguments: str) -> str:
    told = io.StringIO()
    with redirect_stdout(told):
        assert run_command([*arguments, "--quiet"]) == 0
    return told.getvalue()


def test_the_names() -> None:
    assert set(affordance.__all__) == NAMES
    assert set(dir(affordance)) == NAMES
    for name in NAMES:
        assert getattr(affordance, name)
    with raises(AttributeError, "'evaluat'"):
        _ = affordance.evaluat
    packages = {path.parent.name for path in (ROOT / "src" / "affordance").glob("*/__init__.py")}
    assert not NAMES & packages, "importing a package would replace the function"


def test_former_names() -> None:
    for former, present in (("evaluate", "run"), ("results", "open_results"), ("Report", "Results")):
        with pytest.warns(DeprecationWarning, match=f"affordance.{present}"):
            assert getattr(affordance, former) is getattr(affordance, present)
    sys.modules.pop("affordance.extending", None)
    with pytest.warns(DeprecationWarning, match=r"affordance\.plugins"):
        extending = importlib.import_module("affordance.extending")
    assert extending.Verdict is plugins.Verdict


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "src" / "affordance" / "__init__.py").read_text(encoding="utf-8"))
    (only_checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {name.name: one.module for one in only_checked.body if isinstance(one, ast.ImportFrom) for name in one.names}
    assert seen.keys() == NAMES - {"__version__"}
    for name, module in seen.items():
        assert getattr(affordance, name).__module__ == module


def test_the_names_for_extending_are_all_there_and_each_once() -> None:
    assert len(set(plugins.__all__)) == len(plugins.__all__)
    assert not [name for name in plugins.__all__ if not hasattr(plugins, name)]


def test_everything_says_what_it_does() -> None:
    for name in NAMES - {"UserError", "AffordanceError", "__version__"}:
        assert inspect.getdoc(getattr(affordance, name)), name


@pytest.mark.parametrize("function", [affordance.run, affordance.estimate])
def test_a_signature_shows_every_option(function: Callable[..., object]) -> None:
    parameters = inspect.signature(function).parameters
    assert run_options().keys() <= parameters.keys()
    assert parameters["seed"].default == 0


def test_the_options_are_those_of_the_command(pairs: DatasetCollection) -> None:
    settings = {"trials": 2, "limit": 2, "seed": 7, "goal": "shown", "strategy": ["zero-shot", "cocot"]}
    report = affordance.run(TASK, MODELS, data="pairs", ledger="python.db", quiet=True, **settings)
    options = ["--trials", "2", "--limit", "2", "--seed", "7", "--goal", "shown", "--strategy", "zero-shot"]
    models = [word for model in MODELS for word in ("--model", model)]
    command = ["run", TASK, *models, "--data", "pairs", "--ledger", "typed.db", *options, "--strategy", "cocot"]
    assert json.loads(json.dumps(report.to_json())) == json.loads(printed(*command, "--json"))
    assert report.save("rows.json").read_text(encoding="utf-8") == printed("report", "--ledger", "python.db", "--json")
    printed("report", "--ledger", "python.db", "-o", "table.txt")
    assert str(report) == Path("table.txt").read_text(encoding="utf-8")
    sides = ("oracle:default", "baseline:random")
    told = affordance.compare(*sides, ledger="python.db").to_json()
    typed = printed("compare", *sides, "--ledger", "python.db", "--json")
    assert json.loads(json.dumps(told)) == json.loads(typed)
    again = affordance.estimate(TASK, MODELS, data=pairs, ledger="python.db", quiet=True, **settings)
    assert [one.asks for one in again] == [0, 0], "the data, however it is given, is the same run"


def test_a_report_in_all_its_forms(pairs: DatasetCollection) -> None:
    made = affordance.run(TASK, MODELS, data=pairs.datasets[0], limit=2, trials=1, quiet=True)
    report = affordance.open_results(tasks="behavior")
    assert (report.rows, report.ledger, report.complete) == (made.rows, "affordance.db", True)
    assert [row.model for row in report] == ["oracle:default", "baseline:random"]
    assert (len(report), report[0], report[:1]) == (2, report.rows[0], report.rows[:1])
    assert repr(report) == str(report)
    first = report.to_records()[0]
    assert (first["model"], first["accuracy"], first["accuracy_high"]) == ("oracle:default", 1.0, 1.0)
    assert "iou" not in first
    page = report._repr_html_()
    assert "oracle:default" in page
    assert "<script" not in page
    for name in ("rows.md", "rows.csv", "rows.json", "rows.txt", "rows.tex"):
        assert "oracle:" in report.save(name).read_text(encoding="utf-8")
    assert "oracle:default" in report.save("page.html", samples=0).read_text(encoding="utf-8")
    assert "oracle:default" in report.save(Path("moved.html"), data=pairs.datasets[0].root).read_text(encoding="utf-8")
    with raises(affordance.UserError, "'.pdf'"):
        report.save("rows.pdf")
    comparison = affordance.compare("oracle:default", "baseline:random")
    assert "Holm" in repr(comparison)
    assert str(comparison) in repr(comparison)
    assert "oracle:default" in comparison._repr_html_()


def test_a_choice_is_that_of_the_command(pairs: DatasetCollection) -> None:
    files = [str(pairs.datasets[0].media_path(image)) for image in pairs.datasets[0].items[0].images]
    chosen = affordance.choose(*files, "baseline:random", goal="Sell more", quiet=True)
    typed = printed("choose", *files, "--model", "baseline:random", "--goal", "Sell more", "--json")
    assert chosen.to_json() == json.loads(typed)
    assert (chosen.verdict, chosen.choice.goal) == (chosen.preference.verdict, "Sell more")
    assert 0 <= chosen.confidence == chosen.preference.confidence <= 1
    turns = [(said.trial, said.first_design) for said in chosen.choice.said]
    assert turns == [(trial, first) for trial in range(3) for first in "AB"], "each trial in both orders"
    assert "Sell more" in repr(chosen)
    assert "Sell more" in chosen._repr_html_()


MISTAKES: list[tuple[dict[str, object], tuple[str, ...]]] = [
    ({"tasks": "behavior/choise"}, ("'behavior/choise'", "'behavior/choice'")),
    ({"models": "baseline:pixel"}, ("'pixel'", "'pixels'")),
    ({"limt": 3}, ("'limt'", "'limit'")),
    ({"cues": "all"}, ("cues: ",)),
    ({"trials": 0}, ("trials: ", "0")),
    ({"parse_retries": -1}, ("parse_retries: ", "0", "-1")),
    ({"max_frames": 3}, ("max_frames: ",)),
    ({"data": "nowhere"}, ("nowhere",)),
    ({"tasks": []}, ("tasks: ", "'motion/effect'")),
    ({"models": ()}, ("models: ", "'baseline:random'")),
    ({"models": None}, ("models: ", "None")),
    ({"models": ["oracle", 5]}, ("models: ", "5")),
    ({"models": iter([5])}, ("models: ", "5")),
    ({"data": 5}, ("data: ", "Collection", "Dataset", "5")),
    ({"limit": "4"}, ("limit: ", "'4'")),
    ({"limit": True}, ("limit: ", "True")),
    ({"trials": 1.5}, ("trials: ", "1.5")),
    ({"fresh": "no"}, ("fresh: ", "true", "false", "'no'")),
    ({"concurrency": 0}, ("concurrency: ", "1", "0")),
    ({"timeout": float("nan")}, ("timeout: ", "0.1", "nan")),
    ({"parameters": ["a"]}, ("parameters: ", "list")),
    ({"parameters": {1: 2}}, ("parameters: ", "dict")),
    ({"parameters": {"top_p": object()}}, ("parameters: ", "'top_p'", "object")),
    ({"parameters": {"top_p": float("nan")}}, ("parameters: ", "'top_p'", "nan")),
]


def test_mistakes_are_reported_in_the_words_of_python(pairs: DatasetCollection) -> None:
    """Names of arguments, not of options of the command line."""
    for given, data in MISTAKES:
        with case(given), raises(affordance.UserError, *data) as caught:
            affordance.run(**{"tasks": TASK, "models": "baseline:random", "data": pairs, **given})  # type: ignore[arg-type]
        assert "--" not in str(caught.value)


def test_so_they_are_by_the_other_functions(pairs: DatasetCollection) -> None:
    with raises(affordance.UserError, "none.db", "affordance.run()"):
        affordance.open_results("none.db")
    with raises(affordance.UserError, "second", "None"):
        affordance.compare("oracle", None)  # type: ignore[arg-type]
    with raises(affordance.UserError, "spec", "5"):
        affordance.load_dataset(5)  # type: ignore[arg-type]
    with raises(affordance.UserError, "a", "1"):
        affordance.choose(1, "b.png", "oracle")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        affordance.compare("oracle")  # type: ignore[call-arg]


def test_what_there_is() -> None:
    assert all(affordance.list_tasks().values())
    assert TASK in affordance.list_tasks()
    assert {"openai", "baseline:pixels"} <= affordance.list_models().keys()


def test_inside_of_a_loop_it_is_the_same(pairs: DatasetCollection) -> None:
    async def cell() -> affordance.Results:
        return affordance.run(TASK, MODELS, data=pairs, limit=2, trials=1, ledger="cell.db", quiet=True)

    script = affordance.run(TASK, MODELS, data=pairs, limit=2, trials=1, quiet=True)
    assert asyncio.run(cell()).rows == script.rows


@pytest.mark.parametrize("loop", [False, True], ids=["in a script", "in a notebook"])
def test_the_stop_button_loses_nothing(loop: bool, pairs: DatasetCollection) -> None:
    """The signal comes while the first ask is under way: its reply is waited for and kept, and no more are asked."""

    async def stopped(seen: Seen, _: web.Request) -> web.StreamResponse:
        if len(server.seen) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return completion("More effective: First")

    with Loopback(stopped) as server:

        def evaluate() -> affordance.Results:
            model = f"openai:test@{server.url}"
            return affordance.run(TASK, model, data=pairs, trials=1, concurrency=1, quiet=True)

        async def cell() -> affordance.Results:
            return evaluate()

        with pytest.raises(KeyboardInterrupt):
            asyncio.run(cell()) if loop else evaluate()
        asked = len(server.seen)
        report = evaluate()
        assert report.complete
        assert len(server.seen) == report[0].n > asked >= 1
        assert max(server.counts.values()) == 1, "nothing is asked twice"


@pytest.mark.usefixtures("pairs")
def test_an_interrupt_while_summaries_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = RunProgress(stop_reason="interrupted")
    monkeypatch.setattr("affordance.evaluation.reference_summaries.execute_run", lambda *_: (None, progress))
    judges = {"judge": "baseline:overlap", "summarizer": "openai:test@http://127.0.0.1:9/v1"}
    with pytest.raises(KeyboardInterrupt):
        affordance.run("motion/meaning", "baseline:people", limit=1, trials=1, quiet=True, **judges)


def test_samples_lead_to_requests_and_responses(pairs: DatasetCollection) -> None:
    results = affordance.run(TASK, MODELS, data=pairs, limit=2, trials=1, quiet=True)
    samples = results.samples()
    assert len(samples) == sum(row.n for row in results) == len(list(samples)) == len(samples[:])
    right = results.samples(model="oracle:default", correct=True)
    assert len(right) == results[0].n
    assert not results.samples(model="oracle:default", correct=False)
    first = right[0]
    assert (first.task, first.model) == (TASK, "oracle:default")
    assert first.verdict is not None
    assert first.verdict.score == 1
    assert first.verdict.answer is not None
    assert first.response.text
    assert len(first.request.messages[-1].images) == 2
    assert first.item in repr(first)
    assert "<img" in first._repr_html_()
    assert {one["item"] for one in results.to_records("attempt")} == {one.item for one in samples}
    assert len(results.to_records("attempt")) == len(samples)
    with raises(affordance.UserError, "'done'", "answered"):
        results.samples(status="done")
    with raises(affordance.UserError, "'items'", "attempt"):
        results.to_records("items")  # type: ignore[arg-type]
