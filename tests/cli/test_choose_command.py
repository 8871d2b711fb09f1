"""`affordance choose` as a designer types it: offline, and with a model on loopback."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from aiohttp import web

from cases import case
from errors import assert_user_error
from loopback import Behaviour, Loopback, Seen, completion

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def designs(tmp_path: Path) -> tuple[str, str]:
    """A page with a strong action, and the same with a pale one."""
    for name, fill in (("strong", (220, 80, 20)), ("pale", (235, 235, 235))):
        image = np.full((400, 640, 3), 255, np.uint8)
        cv2.rectangle(image, (100, 200), (300, 250), fill, cv2.FILLED)
        cv2.putText(image, "Begin", (165, 232), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)
        (tmp_path / f"{name}.png").write_bytes(cv2.imencode(".png", image)[1].tobytes())
    return "pale.png", "strong.png"


def saying(choose: Callable[[Seen], str]) -> Behaviour:
    async def reply(seen: Seen, _: web.Request) -> web.StreamResponse:
        word = choose(seen)
        said = f"The {word.lower()} version has a button that stands out. This is the Von Restorff effect."
        return completion(f"{said}\n\nMore effective: {word}")

    return reply


def test_offline_with_a_model_that_has_no_preference(here: Command, designs: tuple[str, str]) -> None:
    result = here("choose", *designs, "--model", "baseline:first", "--goal", "More people begin", "--quiet")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert "baseline:first" in lines[0]
    assert "%" not in lines[0], "no design is preferred"
    for name in ("A  pale.png", "B  strong.png"):
        (row,) = [line for line in lines if line.startswith(name)]
        assert re.findall(r"(\d) of (\d)", row) == [("3", "6"), ("3", "3"), ("0", "3")]
    assert any(line.endswith("More people begin") for line in lines)
    assert max(map(len, lines)) <= 100
    assert result.stdout.isascii() or "\x1b" not in result.stdout


def test_a_model_that_looks(here: Command, designs: tuple[str, str], tmp_path: Path) -> None:
    """It knows the pale design by its picture; the replies are kept, also for the designs the other way round."""
    with Loopback(saying(lambda seen: "First" if len(seen.images[0]) > len(seen.images[1]) else "Second")) as server:
        model = f"vllm:m@{server.url}"
        first = here("choose", *designs, "--model", model, "--trials", "2", "--json", "--quiet")
        again = here("choose", *designs[::-1], "--model", model, "--trials", "2", "--json", "--quiet")
        asked = len(server.seen)
    assert asked == 4, "both orders twice; the second command asks nothing new"
    found, other = json.loads(first.stdout), json.loads(again.stdout)
    assert {found["verdict"], other["verdict"]} == {"A", "B"}
    assert (found["chosen"][found["verdict"]], found["trials_by_place"], found["trials_in_both_orders"]) == (4, 0, 2)
    quoted = [sentence for sentence in found["reasons"][found["verdict"]] if "version" in sentence]
    assert quoted
    assert all(f"version [{found['verdict']}]" in sentence for sentence in quoted)
    assert (tmp_path / "affordance.db").exists()


def test_a_model_that_chooses_by_place(here: Command, designs: tuple[str, str]) -> None:
    with Loopback(saying(lambda _: "First")) as server:
        result = here("choose", *designs, "--model", f"vllm:m@{server.url}", "--quiet")
        found = json.loads(here("choose", *designs, "--model", f"vllm:m@{server.url}", "--quiet", "--json").stdout)
    assert result.returncode == 0
    assert (found["verdict"], found["trials_by_place"], found["trials_in_both_orders"]) == (None, 3, 3)
    assert set(found["reasons"]) == {"A", "B"}
    said = " ".join(result.stdout.split())
    assert "3 of 3" in said
    assert "6 of 6" in said
    assert "%" not in result.stdout.splitlines()[0], "no design is preferred"


def test_a_model_that_decides_nothing(here: Command, designs: tuple[str, str]) -> None:
    async def reply(_: Seen, __: web.Request) -> web.StreamResponse:
        return completion("Both of them have their merits.")

    with Loopback(reply) as server:
        result = here("choose", *designs, "--model", f"vllm:m@{server.url}", "--quiet")
    assert result.returncode == 0
    assert f"vllm:m@{server.url}" in result.stdout.splitlines()[0]
    assert "“Both of them have their merits.”" in result.stdout


def test_a_provider_that_fails_makes_it_incomplete(here: Command, designs: tuple[str, str]) -> None:
    async def reply(_: Seen, __: web.Request) -> web.StreamResponse:
        return web.Response(status=400, text="no")

    with Loopback(reply) as server:
        result = here("choose", *designs, "--model", f"vllm:m@{server.url}", "--quiet")
    assert result.returncode == 3
    assert result.stderr.strip()


MISTAKES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "one picture twice": (("pale.png", "pale.png", "--model", "baseline:first"), ("pale.png",)),
    "no such file": (("pale.png", "none.png", "--model", "baseline:first"), ("none.png",)),
    "a model that knows": (("pale.png", "strong.png", "--model", "oracle"), ("oracle",)),
    "no model": (("pale.png", "strong.png"), ("--model",)),
}


@pytest.mark.usefixtures("designs")
def test_mistakes(here: Command) -> None:
    for name, (arguments, data) in MISTAKES.items():
        result = here("choose", *arguments)
        with case(name):
            assert_user_error(result, *data)
            assert result.stderr.count("\n") == 1
