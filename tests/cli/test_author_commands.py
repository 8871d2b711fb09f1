"""`affordance author` from the command line: exit codes, streams and numbers."""

import io
import json
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest

from affordance.cli.main import run_command
from affordance.media import encode_image
from errors import assert_carries


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given") / "pictures"
    folder.mkdir()
    for number in range(2):
        page = np.full((300, 400, 3), 250, np.uint8)
        page[20:60, 20:380] = (30, 60, 160)
        for row in range(3):
            page[90 + row * 60 : 120 + row * 60, 40 : 140 + 30 * number] = (200, 90, 40)
        (folder / f"page-{number}.png").write_bytes(encode_image(page))
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> str:
    """Two screens; stages are done on it one after the other."""
    folder = str(tmp_path_factory.mktemp("made") / "project")
    with redirect_stdout(io.StringIO()):
        assert run_command(["author", "init", folder, str(pictures)]) == 0
    return folder


def output(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    capsys.readouterr()
    assert run_command(["author", *arguments]) == code
    return capsys.readouterr().out


def test_init_reports_what_it_took(tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = tmp_path / "pictures"
    shutil.copytree(pictures, given)
    (given / "broken.png").write_bytes(b"no picture")
    folder = str(tmp_path / "project")
    first = json.loads(output(["init", folder, str(given), "--json"], capsys, 3))
    assert first["added"] == ["page-0", "page-1"]
    assert "broken.png" in first["broken"][0]
    again = json.loads(output(["init", folder, str(given), "--json"], capsys, 3))
    assert (again["added"], again["known"]) == ([], 2)
    assert output(["init", folder, str(given)], capsys, 3).strip()
    assert run_command(["author", "init", str(tmp_path / "nothing"), str(given / "broken.png")]) == 2, "none of it"


def test_a_stage_reports_what_it_did_and_does_it_once(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    for stage in ("elements", "divide", "classify", "reannotate", "group", "ask"):
        done = json.loads(output([stage, project, "--json"], capsys))
        assert (done["done"], done["skipped"], done["failed"], done["pending"]) == (2, 0, {}, {}), stage
        again = output([stage, project], capsys).splitlines()[0].rpartition(stage)[2]
        assert re.findall(r"\d+", again)[:2] == ["0", "2"], stage
    shown = output(["status", project], capsys)
    assert "2" in shown
    assert max(map(len, shown.splitlines())) <= 100
    stages = {one["stage"]: one for one in json.loads(output(["status", project, "--json"], capsys))["stages"]}
    assert {one["done"] for one in stages.values()} == {2}
    assert "$0.00" in output(["cost", project], capsys)


def test_status_of_what_is_left_to_do(tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "project")
    output(["init", folder, str(pictures)], capsys)
    stages = {one["stage"]: one for one in json.loads(output(["status", folder, "--json"], capsys))["stages"]}
    assert (stages["divide"]["done"], len(stages["ask"]["pending"])) == (0, 2)


# Mistakes, each with what the error names.
MISTAKES: list[tuple[list[str], list[str]]] = [
    (["divide", "{project}", "--engine", "ray"], ["--engine", "ray"]),
    (["divide", "{project}", "--engine", "rye"], ["--engine", "'rye'"]),
    (["divide", "{project}", "--checker", "openai:m"], ["--checker", "--model"]),
    (["classify", "{project}", "--model", "openai:m", "--checker", "openai:n"], ["classify"]),
    (["divide", "{project}", "--model", "oracle"], ["oracle"]),
    (["divide", "{project}", "--model", "openai:"], ["openai:"]),
    (["divide", "{project}", "--by", "magic"], ["--by", "'magic'"]),
    (["divide", "{project}", "--prompts", "{tmp}", "--completeness", "9"], ["completeness", "9"]),
    (["divide", "nowhere"], ["nowhere", "affordance author init"]),
    (["status", "nowhere"], ["nowhere"]),
    (["export", "{project}", "-o", "{project}"], ["{project}"]),
    (["export", "{project}", "-o", "{tmp}/x", "--format", "word"], ["--format", "own", "cache"]),
    (["import", "{project}", "{tmp}/nothing-there"], ["{tmp}/nothing-there"]),
    (["select", "{project}", "--screen", "nope"], ["'nope'"]),
    (["init", "{tmp}/new", "{tmp}/nothing-there"], ["nothing-there"]),
    (["divide", "{project}", "--db", "postgresql://me:secret@nowhere/x"], ["--db"]),
]


def test_mistakes_are_one_line(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, data in MISTAKES:
        filled, named = ([one.format(project=project, tmp=tmp_path) for one in some] for some in (arguments, data))
        capsys.readouterr()
        assert run_command(["author", *filled]) == 2, filled
        printed = capsys.readouterr()
        (line,) = printed.err.splitlines()
        assert_carries(line, *named)
        assert "secret" not in line
        assert not printed.out


def test_a_prompt_pack_is_checked(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack" / "author" / "divide").mkdir(parents=True)
    (tmp_path / "pack" / "author" / "divide" / "propose.txt").write_text("Say something.")
    model = ["--model", "openai:m@http://127.0.0.1:9/v1", "--prompts", str(tmp_path / "pack")]
    assert run_command(["author", "divide", project, *model]) == 2
    assert_carries(capsys.readouterr().err, "propose.txt", "{context}", "{is_dividable}")
