"""`affordance author`, as somebody types it: what is said, in which stream, with which exit code."""

import json
from pathlib import Path

import numpy as np
import pytest

from affordance.cli.main import run_command
from affordance.media import encode_image


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(2):
        page = np.full((300, 400, 3), 250, np.uint8)
        page[20:60, 20:380] = (30, 60, 160)
        for row in range(3):
            page[90 + row * 60 : 120 + row * 60, 40 : 140 + 30 * number] = (200, 90, 40)
        (folder / f"page-{number}.png").write_bytes(encode_image(page))
    return folder


@pytest.fixture
def project(tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> str:
    folder = str(tmp_path / "project")
    assert run_command(["author", "init", folder, str(pictures)]) == 0
    capsys.readouterr()
    return folder


def test_init_says_what_it_took(tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pictures / "broken.png").write_bytes(b"no picture")
    folder = str(tmp_path / "project")
    assert run_command(["author", "init", folder, str(pictures), "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["added"] == ["page-0", "page-1"]
    assert "broken.png" in told["broken"][0]
    assert run_command(["author", "init", folder, str(pictures)]) == 3
    assert "0 new screens, 2 were there already" in capsys.readouterr().out
    assert run_command(["author", "init", str(tmp_path / "nothing"), str(pictures / "broken.png")]) == 2, "none of it"


@pytest.mark.parametrize("stage", ["elements", "divide", "classify", "reannotate", "group", "ask"])
def test_a_stage_says_what_it_did_and_does_it_once(
    project: str, stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if stage not in ("elements", "divide"):
        assert run_command(["author", "elements", project]) == 0
        assert run_command(["author", "divide", project]) == 0
        capsys.readouterr()
    assert run_command(["author", stage, project, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["done"], told["skipped"], told["failed"], told["pending"]) == (2, 0, {}, {})
    assert run_command(["author", stage, project]) == 0
    assert f"{stage}: 0 screens done, 2 were done before" in capsys.readouterr().out


def test_status_and_cost(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_command(["author", "divide", project])
    capsys.readouterr()
    assert run_command(["author", "status", project]) == 0
    shown = capsys.readouterr().out
    assert "project: 2 screens, 0 put aside" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert run_command(["author", "status", project, "--json"]) == 0
    stages = {one["stage"]: one for one in json.loads(capsys.readouterr().out)["stages"]}
    assert (stages["divide"]["done"], len(stages["ask"]["pending"])) == (2, 2)
    assert run_command(["author", "cost", project]) == 0
    assert "$0.00 so far" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["divide", "{project}", "--engine", "ray"], "--engine ray needs a project in Postgres"),
        (["divide", "{project}", "--engine", "rye"], "--engine: expected local or ray, found 'rye'"),
        (["divide", "{project}", "--checker", "openai:m"], "--checker checks what a model says; give --model too"),
        (["classify", "{project}", "--model", "openai:m", "--checker", "openai:n"], "nothing of classify is checked"),
        (["divide", "{project}", "--model", "oracle"], "answers only what is known already"),
        (["divide", "{project}", "--model", "openai:"], "a model is PROVIDER:MODEL"),
        (["divide", "{project}", "--by", "magic"], "--by: expected auto, model, dom or layout, found 'magic'"),
        (["divide", "{project}", "--prompts", "{tmp}", "--completeness", "9"], "completeness"),
        (["divide", "nowhere"], "no project in nowhere; make one with `affordance author init"),
        (["status", "nowhere"], "no project in nowhere"),
        (["export", "{project}", "-o", "{project}"], "expected a new or empty folder"),
        (["export", "{project}", "-o", "{tmp}/x", "--format", "word"], "--format: expected own, cache"),
        (["import", "{project}", "{tmp}/nothing-there"], "expected a folder to import"),
        (["select", "{project}", "--screen", "nope"], "there is no screen 'nope'"),
        (["init", "{tmp}/new", "{tmp}/nothing-there"], "nothing-there"),
        (["divide", "{project}", "--db", "postgresql://me:secret@nowhere/x"], "leave --db out"),
    ],
)
def test_mistakes_are_one_line(
    project: str, tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = [one.format(project=project, tmp=tmp_path) for one in arguments]
    assert run_command(["author", *filled]) == 2
    told = capsys.readouterr()
    (line,) = told.err.splitlines()
    assert said in line
    assert "secret" not in line
    assert not told.out


def test_a_prompt_pack_is_checked(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack" / "author" / "divide").mkdir(parents=True)
    (tmp_path / "pack" / "author" / "divide" / "propose.txt").write_text("Say something.")
    model = ["--model", "openai:m@http://127.0.0.1:9/v1", "--prompts", str(tmp_path / "pack")]
    assert run_command(["author", "divide", project, *model]) == 2
    assert "expected the placeholders {context}, {is_dividable}, found none" in capsys.readouterr().err
