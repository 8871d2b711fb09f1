"""The third page of the tutorial: five screenshots of one's own, boxes and words of a person, a model on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web

from affordance.author.exchange.own import NO_QUESTIONS
from affordance.author.project import open_project
from affordance.author.questions.people import SAME
from affordance.cli.main import run_command
from affordance.core.json_text import Json
from affordance.media import encode_image
from affordance.studio.strokes import Sent, save
from loopback import Loopback, Seen, completion

SCREENS = ("basket", "booking", "inbox", "player", "profile")
SIZE = (320, 200)
BAR, LIST = (0, 0, 320, 40), (16, 60, 240, 180)
WORDS = {"bar": "Leads to other parts of the product.", "list": "Shows what there is, one thing below the other."}


async def points_at_the_bar(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("Box: [0, 0, 1000, 200]")


def screenshot(number: int) -> bytes:
    image = np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)
    image[BAR[1] : BAR[3], BAR[0] : BAR[2]] = (40 * number, 80, 60)
    image[LIST[1] : LIST[3], LIST[0] : LIST[2]] = (225, 225 - 20 * number, 235)
    return encode_image(image)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    where = tmp_path_factory.mktemp("first hour")
    (where / "shots").mkdir()
    for number, name in enumerate(SCREENS):
        (where / "shots" / f"{name}.png").write_bytes(screenshot(number))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFFORDANCE_CACHE", str(where / "cache"))
        patch.setenv("OPENAI_API_KEY", "none")
        patch.chdir(where)
        assert run_command(["author", "init", "mine", "shots"]) == 0
        yield where


def draw(folder: Path, screen: str, boxes: dict[str, tuple[tuple[int, ...], str]]) -> None:
    """As the page of boxes saves it: each box, then its text."""

    def box(xyxy: tuple[int, ...]) -> Json:
        return {"space": "pixel", "xyxy": list(xyxy)}

    edits: list[Json] = []
    for name, (xyxy, text) in boxes.items():
        told = {"functionality": text, "description": "", "rationale": "", "box": box(xyxy), "gone": False}
        edits.append({"kind": "region", "name": name, "after": 0, "set": {"box": box(xyxy), "parent": "0-0"}})
        edits.append({"kind": "retelling", "name": name, "after": 0, "set": told})
    key = f"{SCREENS.index(screen):032x}"
    with open_project(folder / "mine") as project:
        save(project, "person:ada", Sent.model_validate({"screen": screen, "key": key, "edits": edits}))


def test_five_screenshots_become_a_benchmark(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["author", "export", "mine", "-o", "nothing-yet"]) == 0
    assert NO_QUESTIONS in capsys.readouterr().out
    for name in SCREENS[:4]:
        draw(folder, name, {"bar": (BAR, WORDS["bar"]), "list": (LIST, WORDS["list"])})
    draw(folder, SCREENS[4], {"bar": (BAR, "The same."), "list": (LIST, "The same.")})
    assert run_command(["author", "ask", "mine"]) == 0
    assert run_command(["author", "export", "mine", "-o", "benchmark"]) == 0
    assert "affordance run function/ground-region --data benchmark --model M" in capsys.readouterr().out
    assert run_command(["author", "status", "mine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dropped"] == {SAME: 2}
    with Loopback(points_at_the_bar) as server:
        model = f"openai:demo@{server.url}"
        asked = [
            "run",
            "function/ground-region",
            "--data",
            "benchmark",
            "--model",
            model,
            "--model",
            "oracle",
            "--json",
        ]
        assert run_command(asked) == 0
        assert len(server.seen) == 8
        assert sum(WORDS["bar"] in one.text for one in server.seen) == 4
        rows = {row["model"].partition("@")[0]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["openai:demo"]["metrics"]["accuracy"] == 0.5
    assert rows["oracle:default"]["metrics"]["accuracy"] == 1.0
    assert rows["openai:demo"]["n"] == 8
    assert rows["openai:demo"]["complete"]
