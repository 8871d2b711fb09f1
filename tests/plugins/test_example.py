"""The example package of docs/extending.md, installed as users install theirs, in a process of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from errors import assert_carries
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "plugins"
MODULES = ("task", "dialect", "format", "strategy", "model")
GROUND = ("run", "function/ground-element", "--data", "acme-csv:table.csv", "-q", "--json", "--ledger", "ground.db")
THEME = ("run", "acme/theme", "--model", "acme:first", "--model", "oracle", "--data", "screens", "-q", "--json")

COMMANDS = {
    "tasks": ("tasks", "--json"),
    "models": ("models", "--json"),
    "check": ("data", "check", "acme-csv:table.csv"),
    "check of a broken one": ("data", "check", "acme-csv:broken.csv"),
    "theme": (*THEME, "--trials", "2", "--name", "plain"),
    "theme, looked at twice": (*THEME, "--strategy", "zero-shot", "--strategy", "look-twice"),
    "estimate": ("run", "acme/theme", "--model", "acme:first", "--data", "screens", "--fresh", "--estimate", "--json",
                 "--strategy", "look-twice"),
    "report": ("report", "--task", "acme", "--json"),
    "page": ("report", "-q", "--format", "html", "-o", "page.html"),
    "compare": ("compare", "plain/acme:first", "plain/oracle:default", "--json"),
    "spoken": (*GROUND, "--model", "oracle:acme-tap", "--model", "oracle", "--strategy", "look-twice"),
    "by option": (*GROUND, "--model", "acme:last", "--dialect", "acme-tap"),
    "no such model": ("run", "acme/theme", "--model", "acme:middle"),
    "no such protocol": ("run", "acme/theme", "--model", "acme:first", "--protocol", "paper"),
}  # fmt: skip

PROGRAM = """
import contextlib, io, json, sys
import cv2, numpy
from affordance.cli.main import run_command
from affordance.datasets import CapturedPage, DatasetHeader, Screen, create_empty_folder, write_folder
from pathlib import Path

Path("screens/media").mkdir(parents=True)
screens = []
for number in range(4):
    theme, image = ("dark", "light")[number % 2], f"media/{number}.png"
    picture = numpy.full((80, 120, 3), (30, 230)[number % 2], numpy.uint8)
    picture[10:30, 10 + 20 * number : 30 + 20 * number] = 128
    Path("screens", image).write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    page = CapturedPage(name=f"page {number}", url="about:blank", look={"theme": theme})
    screens.append(Screen(id=f"s{number}", image=image, width=120, height=80, page=page))
header = DatasetHeader(format=1, kind="screen", name="themes", licence="CC0", provenance="a test", synthetic=True)
write_folder(Path("screens"), header, screens)
Path("table.csv").write_text("image,left,top,right,bottom,does\\nscreens/media/0.png,10,10,30,30,Opens the box\\n")
Path("broken.csv").write_text("image,left,top,right,bottom,does\\nnone.png,1,1,2,2,x\\nscreens/media/0.png,9,1,2,2,x\\n")
told = {}
for name, command in json.load(sys.stdin).items():
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run_command(command)
    told[name] = (code, out.getvalue(), errors.getvalue())
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """What each command said, with the package installed."""
    folder = tmp_path_factory.mktemp("plugins")
    shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    install = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--no-index"]
    subprocess.run(
        [*install, "--no-build-isolation", "--target", str(folder / "site"), str(folder / "source")],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AFFORDANCE_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(folder / "site"), "AFFORDANCE_CACHE": str(folder / "cache")},
        input=json.dumps(COMMANDS),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, tuple[int, str, str]] = json.loads(done.stdout)
    (code, _, _), page = found["page"], folder / "page.html"
    found["page"] = (code, page.read_text(encoding="utf-8"), "")
    return found


def said(told: dict[str, tuple[int, str, str]], name: str) -> Any:
    code, out, errors = told[name]
    assert code == 0, errors
    return json.loads(out)


def scores(told: dict[str, tuple[int, str, str]], name: str) -> dict[tuple[str, str], float]:
    return {(row["model"], row["strategy"]): row["metrics"]["accuracy"] for row in said(told, name)}


def test_each_thing_is_one_small_module() -> None:
    for name in MODULES:
        assert len((EXAMPLE / "affordance_acme" / f"{name}.py").read_text().splitlines()) < 60


def test_the_page_about_it_shows_these_files() -> None:
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    for path in ("pyproject.toml", *(f"affordance_acme/{name}.py" for name in MODULES)):
        assert f'--8<-- "examples/plugins/{path}"' in page


def test_it_is_in_the_lists(told: dict[str, tuple[int, str, str]]) -> None:
    tasks = {one["name"]: one for one in said(told, "tasks")}
    assert tasks["acme/theme"]["datasets"] == ["screen"]
    assert all("look-twice" in one["strategies"] for one in tasks.values())
    listed = said(told, "models")
    assert "acme:MODEL" in [one["model"] for one in listed["models"]]
    assert "acme-tap" in [one["dialect"] for one in listed["dialects"]]


def test_the_format_is_read_and_checked(told: dict[str, tuple[int, str, str]]) -> None:
    assert told["check"][0] == 0
    code, out, _ = told["check of a broken one"]
    assert code == 2
    assert "broken.csv: row 2: found neither the image 'none.png'" in out
    assert "broken.csv: row 3: expected a box in pixels" in out


def test_the_task_the_model_and_the_strategy(told: dict[str, tuple[int, str, str]]) -> None:
    """Options are balanced over slots, so whoever always takes the first is right half of the time."""
    assert scores(told, "theme") == {("oracle:default", "zero-shot"): 1.0, ("acme:first", "zero-shot"): 0.5}
    twice = scores(told, "theme, looked at twice")
    assert twice["oracle:default", "look-twice"] == 1.0
    assert len(twice) == 4
    runs = {name: said(told, name)[0] for name in ("theme", "theme, looked at twice")}
    prompts = [row["settings"]["prompts"]["acme/theme"] for row in runs.values()]
    assert prompts[0] != prompts[1], "the words of the strategy are in the identity of the run"
    (foreseen,) = said(told, "estimate")
    assert (foreseen["attempts"], foreseen["asks"]) == (4, 8)


def test_everything_after_the_run_knows_the_task(told: dict[str, tuple[int, str, str]]) -> None:
    assert len(said(told, "report")) == 6
    assert {one["task"] for one in said(told, "compare")} == {"acme/theme"}
    assert "acme/theme" in told["page"][1]


def test_the_dialect_is_spoken_and_read(told: dict[str, tuple[int, str, str]]) -> None:
    assert set(scores(told, "spoken").values()) == {1.0}
    spoken = {row["model"]: row for row in said(told, "spoken")}
    assert spoken["oracle:acme-tap"]["dialect"] == "acme-tap"
    assert spoken["oracle:acme-tap"]["metrics"]["iou"] is None, "it only points"
    assert said(told, "by option")[0]["ended"]["answered"] == 1


def test_mistakes_are_one_line(told: dict[str, tuple[int, str, str]]) -> None:
    mistakes = {
        "no such model": ("acme", "first", "last", "'middle'"),
        "no such protocol": ("acme/theme", "'paper'", "--protocol"),
    }
    for name, data in mistakes.items():
        code, output, line = told[name]
        assert (code, output, line.count("\n")) == (2, "", 1)
        assert_carries(line, *data)
