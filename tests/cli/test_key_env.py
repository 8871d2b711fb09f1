"""Which key a command sends where, as the server gets it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from aiohttp import web
from typer.main import get_command

import affordance
from affordance.cli.main import app
from cases import case
from loopback import Loopback, Seen, completion

Command = Callable[..., subprocess.CompletedProcess[str]]

KEY = "sk-planted-key-123456"


async def wants_a_key(seen: Seen, _: web.Request) -> web.StreamResponse:
    if "Authorization" not in seen.headers:
        return web.json_response({"error": {"message": "invalid key " + 500 * "x"}}, status=401)
    return completion("A. First. [10, 10]")


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(wants_a_key) as running:
        yield running


@pytest.fixture
def commands(tmp_path: Path, server: Loopback) -> dict[str, list[str]]:
    """Commands that ask the model on loopback, by their names."""
    for name, grey in (("a", 90), ("b", 200)):
        image = np.full((40, 64, 3), grey, np.uint8)
        (tmp_path / f"{name}.png").write_bytes(cv2.imencode(".png", image)[1].tobytes())
    model = ["--model", f"openai:m@{server.url}"]
    return {
        "run": ["run", "motion/effect", *model, "--limit", "1", "--trials", "1"],
        "choose": ["choose", "a.png", "b.png", *model, "--trials", "1"],
        "doctor": ["doctor", *model, "--json"],
    }


def test_a_key_goes_where_it_is_said_to(
    here: Command, commands: dict[str, list[str]], server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)  # that doctor starts no browser
    for name, arguments in commands.items():
        with case(name):
            result = here(*arguments, OPENAI_API_KEY=KEY)
            told = result.stdout + result.stderr
            assert result.returncode, told
            assert [line.count("--key-env") for line in told.splitlines() if "401" in line] == [1], told
            assert server.seen
            assert not any("Authorization" in seen.headers for seen in server.seen)
            server.seen.clear()
            here(*arguments, "--key-env", "MINE", MINE=KEY)
            assert {seen.headers["Authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
            server.seen.clear()


def test_every_command_that_waits_for_models_takes_it() -> None:
    def missing(group: Any) -> list[str]:
        found = []
        for name, command in group.commands.items():
            options = {option for parameter in command.params for option in parameter.opts}
            asks = "--timeout" in options or {"--model", "--budget"} <= options
            found += (
                missing(command) if hasattr(command, "commands") else [name] * (asks and "--key-env" not in options)
            )
        return found

    assert missing(get_command(app)) == []


def test_from_python(
    commands: dict[str, list[str]], server: Loopback, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(cache))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MINE", KEY)
    name = f"openai:m@{server.url}"
    for key_env in (None, "MINE"):
        given: dict[str, Any] = {} if key_env is None else {"key_env": key_env}
        report = affordance.run("motion/effect", name, limit=1, trials=1, quiet=True, **given)
        assert report.complete is (key_env is not None)
        if key_env is not None:
            affordance.choose("a.png", "b.png", name, trials=1, quiet=True, **given)
        sent = {seen.headers.get("Authorization") for seen in server.seen}
        assert sent == ({None} if key_env is None else {f"Bearer {KEY}"})
        server.seen.clear()
    with pytest.raises(affordance.UserError, match="key_env"):
        affordance.run("motion/effect", name, key_env=f"openai:other={KEY}", quiet=True)
