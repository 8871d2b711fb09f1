"""The public surface: what `from affordance import ...` gives, and that it gives what the command line prints."""

import ast
import asyncio
import inspect
import io
import json
import os
import signal
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from aiohttp import web

import affordance
from affordance import extending
from affordance.cli.main import run_command
from affordance.datasets import Collection
from affordance.run.options import Options
from behavior_data import pair, write_pairs
from loopback import Loopback, Seen, completion

NAMES = {
    *("evaluate", "estimate", "results", "compare", "choose", "load", "tasks", "providers"),
    *("Report", "Comparison", "Chosen", "UserError", "__version__"),
}
TASK = "behavior/choice"
MODELS = ["baseline:random", "oracle"]
ROOT = Path(__file__).parents[1]


@pytest.fixture
def pairs(tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch) -> Collection:
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
    with pytest.raises(AttributeError, match="no attribute 'evaluat'"):
        _ = affordance.evaluat


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "src" / "affordance" / "__init__.py").read_text(encoding="utf-8"))
    (only_checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {name.name: one.module for one in only_checked.body if isinstance(one, ast.ImportFrom) for name in one.names}
    assert seen.keys() == NAMES - {"__version__"}
    for name, module in seen.items():
        assert getattr(affordance, name).__module__ == module


def test_the_names_for_extending_are_all_there_and_each_once() -> None:
    assert len(set(extending.__all__)) == len(extending.__all__)
    assert not [name for name in extending.__all__ if not hasattr(extending, name)]


@pytest.mark.parametrize("name", sorted(NAMES - {"UserError", "__version__"}))
def test_everything_says_what_it_does(name: str) -> None:
    assert inspect.getdoc(getattr(affordance, name))


@pytest.mark.parametrize("function", [affordance.evaluate, affordance.estimate])
def test_a_signature_shows_every_option(function: Callable[..., object]) -> None:
    parameters = inspect.signature(function).parameters
    assert Options.__annotations__.keys() <= parameters.keys()
    assert parameters["seed"].default == 0


def test_the_options_are_those_of_the_command(pairs: Collection) -> None:
    settings = {"trials": 2, "limit": 2, "seed": 7, "goal": "shown", "strategy": ["zero-shot", "cocot"]}
    report = affordance.evaluate(TASK, MODELS, data="pairs", ledger="python.db", quiet=True, **settings)
    options = ["--trials", "2", "--limit", "2", "--seed", "7", "--goal", "shown", "--strategy", "zero-shot"]
    models = [word for model in MODELS for word in ("--model", model)]
    command = ["run", TASK, *models, "--data", "pairs", "--ledger", "typed.db", *options, "--strategy", "cocot"]
    assert json.loads(json.dumps(report.to_json())) == json.loads(printed(*command, "--json"))
    assert report.text("json") == printed("report", "--ledger", "python.db", "--json")
    printed("report", "--ledger", "python.db", "-o", "table.txt")
    assert report.table() == Path("table.txt").read_text(encoding="utf-8")
    sides = ("oracle:default", "baseline:random")
    told = affordance.compare(*sides, ledger="python.db").to_json()
    typed = printed("compare", *sides, "--ledger", "python.db", "--json")
    assert json.loads(json.dumps(told)) == json.loads(typed)
    again = affordance.estimate(TASK, MODELS, data=pairs, ledger="python.db", quiet=True, **settings)
    assert [one.asks for one in again] == [0, 0], "the data, however it is given, is the same run"


def test_a_report_in_all_its_forms(pairs: Collection) -> None:
    made = affordance.evaluate(TASK, MODELS, data=pairs.parts[0], limit=2, trials=1, quiet=True)
    report = affordance.results(task="behavior")
    assert (report.rows, report.ledger, report.complete) == (made.rows, "affordance.db", True)
    assert [row.model for row in report] == ["oracle:default", "baseline:random"]
    assert (len(report), report[0], report[:1]) == (2, report.rows[0], report.rows[:1])
    assert repr(report) == report.table()
    first = report.records()[0]
    assert (first["model"], first["accuracy"], first["accuracy_high"]) == ("oracle:default", 1.0, 1.0)
    assert "iou" not in first
    page = report._repr_html_()
    assert "oracle:default" in page
    assert "<script" not in page
    assert report.write("rows.md", "md").read_text(encoding="utf-8") == report.text("md")
    assert "oracle:default" in report.to_html("page.html", samples=0).read_text(encoding="utf-8")
    with pytest.raises(affordance.UserError, match="unknown format 'pdf'"):
        report.text("pdf")
    comparison = affordance.compare("oracle:default", "baseline:random")
    assert "95% interval" in comparison.table()
    assert str(comparison) in repr(comparison)
    assert "which design won" in comparison._repr_html_()


def test_a_choice_is_that_of_the_command(pairs: Collection) -> None:
    files = [str(pairs.parts[0].file(image)) for image in pairs.parts[0].items[0].images]
    chosen = affordance.choose(*files, "baseline:random", goal="Sell more", quiet=True)
    typed = printed("choose", *files, "--model", "baseline:random", "--goal", "Sell more", "--json")
    assert chosen.to_json() == json.loads(typed)
    assert (chosen.verdict, chosen.asking.goal) == (chosen.preference.verdict, "Sell more")
    assert "Goal: Sell more" in repr(chosen)
    assert "Sell more" in chosen._repr_html_()


MISTAKES = [
    ({"tasks": "behavior/choise"}, "unknown task 'behavior/choise'; did you mean 'behavior/choice'"),
    ({"models": "baseline:pixel"}, "unknown baseline 'pixel'; did you mean 'pixels'"),
    ({"limt": 3}, "unknown option 'limt'; did you mean 'limit'"),
    ({"cues": "all"}, "^cues applies to none of the chosen tasks"),
    ({"trials": 0}, "^trials: expected a number above 0"),
    ({"reasks": -1}, "^reasks: expected a number from 0 to 10, found -1$"),
    ({"most_frames": 3}, "^most_frames applies to none of the chosen tasks"),
    ({"data": "nowhere"}, "nowhere"),
    ({"tasks": []}, "^tasks: expected at least one, such as 'motion/effect', found none$"),
    ({"models": ()}, "^models: expected at least one, such as 'baseline:random', found none$"),
    ({"models": None}, "^models: expected a string or a list of strings, found None$"),
    ({"models": ["oracle", 5]}, "^models: expected a string or a list of strings, found list$"),
    ({"models": iter([5])}, "^expected names that are strings, found one of type int$"),
    ({"data": 5}, "^data: expected a string, a path, a Collection, a Dataset or None, found 5$"),
    ({"limit": "4"}, "^limit: expected a whole number or None, found '4'$"),
    ({"limit": True}, "^limit: expected a whole number or None, found True$"),
    ({"trials": 1.5}, "^trials: expected a whole number or None, found 1.5$"),
    ({"fresh": "no"}, "^fresh: expected True or False, found 'no'$"),
    ({"concurrency": 0}, "^concurrency: expected at least 1, found 0$"),
    ({"timeout": float("nan")}, "^timeout: expected at least 0.1, found nan$"),
    ({"parameters": ["a"]}, "^parameters: expected a dictionary with strings as keys, found list$"),
    ({"parameters": {1: 2}}, "^parameters: expected a dictionary with strings as keys, found dict$"),
    ({"parameters": {"top_p": object()}}, "^parameters: expected for 'top_p' a value that JSON has, found object$"),
    ({"parameters": {"top_p": float("nan")}}, "^parameters: expected for 'top_p' a value that JSON has, found nan$"),
]


@pytest.mark.parametrize(("given", "told"), MISTAKES, ids=[told for _, told in MISTAKES])
def test_mistakes_are_told_in_the_words_of_python(given: dict[str, object], told: str, pairs: Collection) -> None:
    with pytest.raises(affordance.UserError, match=told):
        affordance.evaluate(**{"tasks": TASK, "models": "baseline:random", "data": pairs, **given})  # type: ignore[arg-type]


def test_so_they_are_by_the_other_functions(pairs: Collection) -> None:
    with pytest.raises(affordance.UserError, match=r"^no ledger at none.db; call `affordance.evaluate` first"):
        affordance.results("none.db")
    with pytest.raises(affordance.UserError, match=r"^second: expected a string, found None$"):
        affordance.compare("oracle", None)  # type: ignore[arg-type]
    with pytest.raises(affordance.UserError, match=r"^spec: expected a string, a path or None, found 5$"):
        affordance.load(5)  # type: ignore[arg-type]
    with pytest.raises(affordance.UserError, match=r"^a: expected a string or a path, found 1$"):
        affordance.choose(1, "b.png", "oracle")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        affordance.compare("oracle")  # type: ignore[call-arg]


def test_what_there_is() -> None:
    assert affordance.tasks()[TASK] == "Which of two designs is the more effective one?"
    assert {"openai", "baseline:pixels"} <= affordance.providers().keys()


def test_inside_of_a_loop_it_is_the_same(pairs: Collection) -> None:
    async def cell() -> affordance.Report:
        return affordance.evaluate(TASK, MODELS, data=pairs, limit=2, trials=1, ledger="cell.db", quiet=True)

    script = affordance.evaluate(TASK, MODELS, data=pairs, limit=2, trials=1, quiet=True)
    assert asyncio.run(cell()).rows == script.rows


@pytest.mark.parametrize("loop", [False, True], ids=["in a script", "in a notebook"])
def test_the_stop_button_loses_nothing(loop: bool, pairs: Collection) -> None:
    """The signal comes while the first ask is under way: its reply is waited for and kept, and no more are asked."""

    async def stopped(seen: Seen, _: web.Request) -> web.StreamResponse:
        if len(server.seen) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return completion("More effective: First")

    with Loopback(stopped) as server:

        def evaluate() -> affordance.Report:
            model = f"openai:test@{server.url}"
            return affordance.evaluate(TASK, model, data=pairs, trials=1, concurrency=1, quiet=True)

        async def cell() -> affordance.Report:
            return evaluate()

        with pytest.raises(KeyboardInterrupt):
            asyncio.run(cell()) if loop else evaluate()
        asked = len(server.seen)
        report = evaluate()
        assert report.complete
        assert len(server.seen) == report[0].n > asked >= 1
        assert max(server.counts.values()) == 1, "nothing is asked twice"
