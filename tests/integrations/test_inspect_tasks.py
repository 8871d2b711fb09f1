"""Our tasks inside Inspect: the same questions, asks, verdicts and numbers as by our runner."""

import ast
import hashlib
import math
import os
import subprocess
import sys
import threading
from collections import Counter
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from inspect_ai import eval_retry, score
from inspect_ai._eval.score import resolve_scorers
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import RegistryInfo, registry_find, registry_info
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import get_model
from inspect_ai.scorer import SampleScore, Score

import inspect_loop  # registers a provider
from affordance.core.attempts import AttemptStatus
from affordance.integrations.inspect import session
from affordance.integrations.inspect.log_schema import LOG_KEY, LoggedAttempt, LogHeader
from affordance.integrations.inspect.log_verification import verify_plan, verify_requests
from affordance.integrations.inspect.scorer import affordance_metrics
from affordance.tasks.registry import TASKS
from cases import case
from errors import assert_carries
from inspect_world import (
    ARGUMENTS,
    Performed,
    evaluated,
    expected_metrics,
    made_in,
    metrics_of,
    performed,
    write_world,
)
from loopback import Behaviour, Loopback, Seen, completion

pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")  # Inspect's

CHANCE = "baseline:random"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return write_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(cache))
    monkeypatch.setenv("XDG_DATA_HOME", str(cache))  # Inspect's own notes
    monkeypatch.setenv("INSPECT_EVAL_CTL_SERVER", "false")  # nobody controls it from outside


def arguments_of(task: str, world: dict[str, str]) -> dict[str, Any]:
    return {"data": world[task.partition("/")[0]], **ARGUMENTS.get(task, {})}


def value_of(sample: EvalSample) -> dict[str, Any]:
    assert sample.scores is not None
    (score,) = sample.scores.values()
    assert isinstance(score.value, dict)
    return score.value


def check_same(log: EvalLog, ours: Performed) -> None:
    """Everything that our ledger has of the run is in the log, and all numbers are the same to the last digit."""
    header = LogHeader.model_validate(log.eval.metadata[LOG_KEY])  # type: ignore[index]
    assert (header.run, header.name) == (ours.run.id, ours.run.name)
    samples = [LoggedAttempt.model_validate(sample.store[LOG_KEY]) for sample in log.samples or []]
    assert verify_requests(header, samples) == samples
    assert verify_plan(header, None) == ""
    made = made_in(log)
    everything = [*ours.outcomes, *ours.judgements]
    assert set(made) == {one.attempt_id for one in everything}
    for one in everything:
        found = made[one.attempt_id]
        assert found.verdict is not None
        assert found.verdict.verdict() == one.verdict
        first = found.first or found.verdict
        assert one.first_verdict is not None
        assert (first.ended, first.score) == (one.first_verdict.status, one.first_verdict.score)
        assert [(said.step, said.key, said.transcript, said.reply.text) for said in found.steps] == [
            (step.step, step.key, step.transcript, step.response.text) for step in ours.steps[one.attempt_id]
        ]
    assert metrics_of(log) == expected_metrics(ours.rows)


QUICK = ("motion/effect", "motion/meaning", "function/ground-element", "behavior/choice", "behavior/rationale")


@pytest.mark.parametrize(
    "task", [task if task in QUICK else pytest.param(task, marks=pytest.mark.long) for task in TASKS]
)
def test_numbers_are_those_of_our_runner(task: str, world: dict[str, str], cache: Path, tmp_path: Path) -> None:
    arguments = arguments_of(task, world)
    log = evaluated(task, f"affordance/{CHANCE}", tmp_path, arguments)
    assert log.status == "success"
    check_same(log, performed(task, CHANCE, tmp_path, arguments, cache))


GROUND = "function/ground-element"


def pointing(*, fails: bool = False) -> Behaviour:
    """Answers of all kinds, by the words of the question alone, and errors that asking again does not help."""

    async def answer(seen: Seen, _: web.Request) -> web.StreamResponse:
        match hashlib.sha256(seen.text.encode()).digest()[0] % 8:
            case 0:
                return completion("I'm sorry, I can't help with that.")
            case 1:
                return completion("Hm.")
            case 2:
                return completion("It is at [10, 20", finish_reason="length")
            case 4:
                return completion("", finish_reason="content_filter")
            case 5 if fails:
                return web.json_response({"error": {"message": "bad request"}}, status=400)
            case 6:  # when it is asked again
                return completion("Hm." if seen.number % 2 else "[20, 20, 60, 60]")
            case _:
                return completion("[20, 20, 60, 60]")

    return answer


@pytest.fixture
def ground(world: dict[str, str]) -> dict[str, Any]:
    """As published, unreadable replies are asked again."""
    return {"data": world["function"], "protocol": "paper", "expression": "all"}


def test_refusals_and_cuts(ground: dict[str, Any], cache: Path, tmp_path: Path) -> None:
    with Loopback(pointing()) as server:
        model = f"openai:test@{server.url}"
        log = evaluated(GROUND, f"affordance/{model}", tmp_path, ground)
        ours = performed(GROUND, model, tmp_path, ground, cache)
    assert {one.verdict.status for one in ours.outcomes if one.verdict} == set(AttemptStatus) - {
        AttemptStatus.FAILED,
        AttemptStatus.SKIPPED,
    }
    assert any(
        one.first_verdict.status is not one.verdict.status for one in ours.outcomes if one.verdict and one.first_verdict
    )
    check_same(log, ours)


def test_what_cannot_be_asked_is_not_scored(world: dict[str, str], cache: Path, tmp_path: Path) -> None:
    task, model = "motion/purpose", "baseline:pixels"
    arguments = {**arguments_of(task, world), "input": "video"}
    log = evaluated(task, f"affordance/{model}", tmp_path, arguments)
    ours = performed(task, model, tmp_path, arguments, cache)
    unscored = [one.id for one in log.samples or [] if math.isnan(value_of(one)["score"])]
    assert 0 < len(unscored) == sum(row.ended[AttemptStatus.SKIPPED] for row in ours.rows)


def test_what_failed_is_missing_until_it_is_tried_again(ground: dict[str, Any], cache: Path, tmp_path: Path) -> None:
    with Loopback(pointing(fails=True)) as server:
        model = f"openai:test@{server.url}"
        log = evaluated(GROUND, f"affordance/{model}", tmp_path, ground)
        ours = performed(GROUND, model, tmp_path, ground, cache)
        failed = [one for one in log.samples or [] if one.error]
        assert log.status == "error"
        assert 0 < len(failed) == sum(row.ended[AttemptStatus.FAILED] for row in ours.rows)
        assert "bad request" in failed[0].error.message  # type: ignore[union-attr]
        assert not any(one.scores for one in failed)
        check_same(log, ours)
        assert any(name.endswith("missing") for name in metrics_of(log))
        scored = score(log, resolve_scorers(log), action="overwrite", display="none")
        assert metrics_of(scored) == metrics_of(log)
        server.behaviour = pointing()
        before = len(server.seen)
        (again,) = eval_retry(log, display="none", log_dir=str(tmp_path), log_images=False)
        assert again.status == "success"
        assert len(server.seen) - before == len(failed)
        assert metrics_of(again) == expected_metrics(performed(GROUND, model, tmp_path, ground, cache).rows)


def test_a_provider_of_inspects(
    world: dict[str, str], cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Name, parameters and keys of asks are those of `inspect:PROVIDER/MODEL`; the protocol's sampling is sent, unless
    the user says otherwise; several steps, each by itself."""
    monkeypatch.setenv(inspect_loop.KEY_VARIABLE, "sk-planted-0123456789")
    arguments = {"data": world["behavior"], "trials": 1, "protocol": "paper", "strategy": "debate-1"}

    async def first(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion("It stands out.\nMore effective: First")

    with Loopback(first) as server:
        given = {"model_base_url": server.url, "max_tokens": 77}
        log = evaluated("behavior/choice", "loop/m", tmp_path, arguments, **given)
        asked = len(server.seen)
        assert {(one.body["temperature"], one.body["max_tokens"]) for one in server.seen} == {(0.2, 77)}
        assert all(one.images[0].startswith("data:image/") for one in server.seen if one.images)
        model, own = f"inspect:loop/m@{server.url}", {**arguments, "parameters": {"max_tokens": 77}}
        ours = performed("behavior/choice", model, tmp_path, own, cache)
        assert len(server.seen) == 2 * asked
    assert max(len(steps) for steps in ours.steps.values()) > 1
    check_same(log, ours)


async def judging(seen: Seen, _: web.Request) -> web.StreamResponse:
    """Explains, and judges by a rule on the words."""
    if seen.images:
        return completion("The button is larger, and there is less to choose from.")
    if "fewer choices" in seen.text and seen.body["model"] == "unwilling":
        return web.json_response({"error": {"message": "no judge today"}}, status=400)
    if "fewer choices" in seen.text and seen.body["model"] == "mumbling":
        return completion("Hm.")
    return completion("Yes" if hashlib.sha256(seen.text.encode()).digest()[0] % 3 else "No")


def test_a_model_in_the_role_of_the_judge(world: dict[str, str], cache: Path, tmp_path: Path) -> None:
    arguments = {"data": world["behavior"]}
    with Loopback(judging) as server:
        model, judge = f"openai:test@{server.url}", f"openai:judge@{server.url}"
        roles = {"judge": f"affordance/{judge}"}
        log = evaluated("behavior/rationale", f"affordance/{model}", tmp_path, arguments, model_roles=roles)
        ours = performed("behavior/rationale", model, tmp_path, {**arguments, "judge": judge}, cache)
    assert {one.model for one in ours.judgements} == {judge}
    check_same(log, ours)
    assert "Yes" in (log.samples or [])[0].scores["affordance/verdict"].explanation  # type: ignore[index,operator]


def test_connections_end_with_the_evaluation(world: dict[str, str], tmp_path: Path) -> None:
    """Those of the model, and of the judge: that of a role, and that of an argument. A log is scored again after it."""
    with Loopback(judging) as server:
        model, judge = f"affordance/openai:test@{server.url}", f"openai:judge@{server.url}"
        for arguments, roles in (({"judge": judge}, {}), ({}, {"judge": f"affordance/{judge}"})):
            given = {"data": world["behavior"], "trials": 1, **arguments}
            log = evaluated("behavior/rationale", model, tmp_path, given, model_roles=roles)
            server.settle()
            asked = Counter(one.body["model"] for one in server.seen)
            assert asked["test"] == len(log.samples or [])
            again = score(log, resolve_scorers(log), action="overwrite", display="none")
            assert metrics_of(again) == metrics_of(log)
            server.settle()
            assert Counter(one.body["model"] for one in server.seen) == asked + Counter(judge=asked["judge"])
            server.seen.clear()


def test_sessions_end_with_the_evaluation(world: dict[str, str], tmp_path: Path) -> None:
    """No thread of the media loader stays, and no model of the provider: neither the model nor a judge of `-T judge=`,
    also where nothing was judged."""
    threads = set(threading.enumerate())
    with Loopback(judging) as server:
        model, judge = f"affordance/openai:test@{server.url}", f"openai:judge@{server.url}"
        for behaviour in (judging, pointing()):  # the second answers nothing that can be judged
            server.behaviour = behaviour
            arguments = {"data": world["behavior"], "judge": judge, "trials": 1}
            log = evaluated("behavior/rationale", model, tmp_path, arguments)
            assert log.samples
            for name in (model, f"affordance/{judge}"):
                assert get_model(name).api._built == {}  # type: ignore[attr-defined]
    assert session._SESSIONS == {}
    left = [one.name for one in set(threading.enumerate()) - threads if one.name.startswith(("media", "darkroom"))]
    assert left == []


def test_without_a_judgement_nothing_is_scored(world: dict[str, str], tmp_path: Path) -> None:
    arguments = {"data": world["behavior"]}
    with Loopback(judging) as server:
        roles = {"judge": f"affordance/openai:unwilling@{server.url}"}
        model = f"affordance/openai:test@{server.url}"
        log = evaluated("behavior/rationale", model, tmp_path, arguments, model_roles=roles)
    ended = {one.id: one.error.message if one.error else value_of(one)["ended"] for one in log.samples or []}
    assert log.status == "error"
    (failed,) = set(ended.values()) - {"answered"}
    assert_carries(failed, "RequestFailed", "400", "no judge today")
    assert metrics_of(log)["missing"] == len([text for text in ended.values() if text != "answered"])


def test_a_judgement_that_cannot_be_read_is_missing_and_ends_nothing(world: dict[str, str], tmp_path: Path) -> None:
    arguments = {"data": world["behavior"]}
    with Loopback(judging) as server:
        roles = {"judge": f"affordance/openai:mumbling@{server.url}"}
        model = f"affordance/openai:test@{server.url}"
        log = evaluated("behavior/rationale", model, tmp_path, arguments, model_roles=roles)
    assert log.status == "success"
    scores = [one.scores["affordance/verdict"] for one in log.samples or [] if one.scores]
    assert len(scores) == len(log.samples or [])
    unread = [one for one in scores if one.reason == "failed"]
    assert 0 < len(unread) < len(scores)
    assert metrics_of(log)["missing"] == len(unread)


MISTAKES = {
    "no judge": ("behavior/rationale", {}, ("--model-role", "judge=")),
    "another's option": ("behavior/choice", {"cues": "all"}, ("cues",)),
    "a strategy": ("behavior/choice", {"strategy": "bate-1"}, ("bate-1",)),
    "no data": ("behavior/choice", {"data": "nowhere"}, ("nowhere",)),
    "a word for a number": ("behavior/choice", {"limit": "few"}, ("limit", "'few'")),
    "a number for a word": ("behavior/choice", {"protocol": 3}, ("-T protocol", "3")),
    "a truth for a name": ("behavior/choice", {"strategy": [True]}, ("-T strategy", "[True]")),
    "a list for a rate": ("motion/effect", {"fps": [2]}, ("-T fps", "[2]")),
    "a judge's password": (
        "behavior/rationale",
        {"judge": "openai:m@http://me:planted@127.0.0.1:9/v1"},
        ("-T judge", "--model-role", "judge=affordance/"),
    ),
}


def test_mistakes_are_reported_before_anything_is_asked(world: dict[str, str], tmp_path: Path) -> None:
    for name, (task, arguments, data) in MISTAKES.items():
        with case(name):
            with pytest.raises(PrerequisiteError) as raised:
                evaluated(task, "affordance/oracle", tmp_path, {"data": world["behavior"], **arguments})
            assert_carries(str(raised.value.message), *data)
            assert not list(tmp_path.iterdir())


def test_trials_are_samples_and_epochs_are_not(world: dict[str, str], tmp_path: Path) -> None:
    arguments = {"data": world["behavior"], "trials": 1, "limit": 1}
    with pytest.raises(PrerequisiteError) as caught:
        evaluated("behavior/choice", "affordance/oracle", tmp_path, arguments, epochs=2)
    assert_carries(str(caught.value.message), "--epochs", "-T trials=")
    log = evaluated("behavior/choice", "affordance/oracle", tmp_path, arguments, epochs=1)
    assert metrics_of(log)["accuracy"] == 1.0


def test_part_of_the_samples_is_told_as_a_part(world: dict[str, str], tmp_path: Path) -> None:
    arguments = {"data": world["behavior"], "trials": 1}
    log = evaluated("behavior/choice", "affordance/oracle", tmp_path, arguments, limit=2)
    whole = {"accuracy_partial": 1.0, "accuracy_at_least": 2 / 6, "accuracy_at_most": 1.0, "missing": 4.0}
    assert metrics_of(log) == whole


def test_where_nothing_was_scored_everything_is_missing(world: dict[str, str]) -> None:
    measure = affordance_metrics("behavior/choice", {"data": world["behavior"], "trials": 1})
    unscored = SampleScore(score=Score.unscored(reason="not asked", metadata={"other": 1}))
    for scores in ([], [unscored]):
        found = measure(scores)
        assert isinstance(found, dict)
        assert (found["accuracy_at_least"], found["accuracy_at_most"], found["missing"]) == (0, 1, 6)


TOML = """
[models."mine:m"]
max_tokens = 55
[providers.mine]
base_url = "URL"
key_variable = "MINE_API_KEY"
"""


def test_affordance_toml_counts_as_it_does_outside(
    world: dict[str, str], cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Providers, and what is said of models. A judge in a role has its password from nowhere that a log has."""
    monkeypatch.setenv("MINE_API_KEY", "sk-mine-0123456789")
    monkeypatch.chdir(tmp_path)
    with Loopback(judging) as server:
        (tmp_path / "affordance.toml").write_text(TOML.replace("URL", server.url))
        secret = server.url.replace("http://", "http://me:planted-password@")
        roles = {"judge": f"affordance/openai:judge@{secret}"}
        arguments = {"data": world["behavior"]}
        log = evaluated("behavior/rationale", "affordance/mine:m", tmp_path / "logs", arguments, model_roles=roles)
        own = [one for one in server.seen if one.body["model"] == "m"]
    assert log.status == "success"
    assert {(one.body["max_tokens"], one.headers["Authorization"]) for one in own} == {
        (55, "Bearer sk-mine-0123456789")
    }
    assert LogHeader.model_validate(log.eval.metadata[LOG_KEY]).model.parameters["max_tokens"] == 55  # type: ignore[index]
    assert "planted-password" not in log.model_dump_json()


def test_samples_are_for_people_and_a_log_can_be_scored_again(world: dict[str, str], tmp_path: Path) -> None:
    """What is right is in the target and nowhere else; what was said is read again without asking anybody."""
    arguments = {"data": world["behavior"], "trials": 1}
    log = evaluated("behavior/choice", "affordance/oracle", tmp_path, arguments)
    first = (log.samples or [])[0]
    assert first.target in ("First", "Second")
    assert set(first.metadata[LOG_KEY]) == {"task", "question", "item", "trial", "strategy"}
    assert [one.role for one in first.messages] == ["user", "assistant"]
    assert f"More effective: {first.target}" in first.output.completion
    again = score(log, resolve_scorers(log), action="overwrite", display="none")  # as `inspect score LOG`
    assert metrics_of(again) == metrics_of(log)
    assert metrics_of(score(again, resolve_scorers(again), action="overwrite", display="none")) == metrics_of(log)


def test_several_strategies(world: dict[str, str], cache: Path, tmp_path: Path) -> None:
    arguments = {"data": world["behavior"], "trials": 1, "strategy": ["zero-shot", "cocot"]}
    log = evaluated("behavior/choice", f"affordance/{CHANCE}", tmp_path, arguments)
    check_same(log, performed("behavior/choice", CHANCE, tmp_path, arguments, cache))


def test_inspect_finds_the_tasks_by_the_entry_point() -> None:
    (entry,) = [one for one in entry_points(group="inspect_ai") if one.name == "affordance"]
    entry.load()
    found = {one.name for one in list_registered("task") if one.name.startswith("affordance/")}
    assert found == {f"affordance/{name.replace('/', '_').replace('-', '_')}" for name in TASKS}


def test_private_names_of_inspect_are_in_one_module() -> None:
    modules = Path(str(session.__file__)).parent.glob("*.py")
    assert [path.name for path in modules if "._" in _imported(path)] == ["_compat.py"]


def _imported(path: Path) -> str:
    """The modules of Inspect that a module imports."""
    tree = ast.parse(path.read_text())
    found = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return " ".join(name for name in found if name.startswith("inspect_ai"))


def list_registered(kind: str) -> list[RegistryInfo]:
    return [registry_info(one) for one in registry_find(lambda info: info.type == kind)]


@pytest.mark.long
def test_by_the_command_line_of_inspect(world: dict[str, str], cache: Path, tmp_path: Path) -> None:
    """Through the entry point, with a list that Inspect makes of what has commas."""
    command = [Path(sys.executable).with_name("inspect"), "eval", "affordance/behavior_choice"]
    command += ["--model", "affordance/baseline:random", "-T", f"data={world['behavior']}", "-T", "trials=1"]
    command += ["-T", "strategy=zero-shot,cocot", "--log-dir", tmp_path / "logs", "--display", "plain"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "cocot/consistent_accuracy" in done.stdout
    (path,) = (tmp_path / "logs").iterdir()
    arguments = {"data": world["behavior"], "trials": 1, "strategy": ["zero-shot", "cocot"]}
    check_same(read_eval_log(str(path)), performed("behavior/choice", CHANCE, tmp_path, arguments, cache))
