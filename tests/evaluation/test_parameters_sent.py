"""Which parameters are sent: null leaves one of the protocol's out, and a judgement has a limit."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from affordance.core.config import read_config
from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import JUDGE_MAX_TOKENS, RunConfig
from affordance.ledger import open_ledger
from affordance.tasks.behavior.rationale import RATIONALE
from behavior_data import published
from loopback import Loopback, Seen, completion

REASONS = [[("The button is larger.", "Fitts’s Law", "Action")]]


@pytest.mark.parametrize("where", ["the command", "the model's own"])
def test_null_is_not_sent_and_the_run_says_so(request_for: Callable[..., RunRequest], where: str) -> None:
    null: dict[str, Json] = {"temperature": None}
    with Loopback() as server:
        name = f"openai:test@{server.url}"
        given = {"parameters": null} if where == "the command" else {"model_options": {name: null}}
        request = request_for(name, **given)
        run, progress = execute_run(request)
        assert progress.complete
        assert server.seen
        assert not any("temperature" in seen.body for seen in server.seen)
        execute_run(request)
        assert len(server.seen) == progress.planned, "it is the same run"
    recorded = run.settings["parameters"]
    assert isinstance(recorded, dict)
    assert recorded["motion/effect"] == ({"temperature": None} if where == "the command" else {"temperature": 0})
    with open_ledger(request.ledger, read_only=True) as ledger:
        ((address,),) = ledger.call_settings(run.id).values()
    assert address.parameters == {}


def test_a_file_has_null_as_text(tmp_path: Path) -> None:
    path = tmp_path / "affordance.toml"
    path.write_text('[models."vllm:m"]\ntemperature = "null"\nmax_tokens = 5\n', encoding="utf-8")
    assert read_config(path).models == {"vllm:m": {"temperature": None, "max_tokens": 5}}


@pytest.fixture
def data(tmp_path: Path) -> DatasetCollection:
    return published(tmp_path / "set", REASONS)


@pytest.fixture
def request_of(data: DatasetCollection, tmp_path: Path) -> Callable[..., RunRequest]:
    def make(url: str, own: dict[str, Json] | None = None, **settings: Any) -> RunRequest:
        judge = f"openai:judge@{url}"
        return RunRequest(
            config=RunConfig(tasks=(RATIONALE,), **{"judge": judge, **settings}),
            data=data,
            models=(ModelName.parse(f"openai:model@{url}"),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(model_options={judge: own} if own else {}),
        )

    return make


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion("Yes" if seen.body["model"] == "judge" else "It is larger.")


LIMITS: dict[str, tuple[dict[str, Json], dict[str, Json]]] = {
    "none of its own": ({}, {"max_tokens": JUDGE_MAX_TOKENS}),
    "its own": ({"max_tokens": 7}, {"max_tokens": 7}),
    "its own, by the other name": ({"max_completion_tokens": 7}, {"max_completion_tokens": 7}),
    "none at all": ({"max_tokens": None}, {}),
}


@pytest.mark.parametrize(("own", "sent"), LIMITS.values(), ids=LIMITS.keys())
def test_a_judgement_has_a_limit(
    request_of: Callable[..., RunRequest], own: dict[str, Json], sent: dict[str, Json]
) -> None:
    with Loopback(answers) as server:
        execute_run(request_of(server.url, own))
        found = [seen.body for seen in server.seen if seen.body["model"] == "judge"]
        others = [seen.body for seen in server.seen if seen.body["model"] != "judge"]
    limits = ("max_tokens", "max_completion_tokens")
    assert found
    assert all({name: body[name] for name in limits if name in body} == sent for body in found)
    assert not any(name in body for body in others for name in limits)


def test_a_run_of_version_1_keeps_judgements_without_a_limit(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        run, _ = execute_run(request_of(server.url, rules=1))
        asked = len(server.seen)
        assert not any("max_tokens" in seen.body for seen in server.seen)
        again, progress = execute_run(request_of(server.url))
        assert (again.id, progress.complete) == (run.id, True)
        assert len(server.seen) == asked
        new, _ = execute_run(replace(request_of(server.url), name="new"))
        assert new.settings["judge_max_tokens"] == JUDGE_MAX_TOKENS
        assert {seen.body.get("max_tokens") for seen in server.seen[asked:]} == {JUDGE_MAX_TOKENS}
