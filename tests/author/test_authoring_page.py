"""docs/authoring.md: every command of its `console` blocks is carried out, one after the other, in an empty folder."""

import re
import shlex
from pathlib import Path

import pytest

from affordance.cli.main import run_command

PAGE = Path(__file__).parents[2] / "docs" / "authoring.md"


def commands() -> list[list[str]]:
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))
    listed = commands()
    assert len(listed) >= 12
    for program, *arguments in listed:
        assert program == "affordance"
        code = run_command(arguments)
        assert code == 0, (arguments, capsys.readouterr().err)
    assert (tmp_path / "shop-benchmark" / "screens" / "items.jsonl").stat().st_size > 0
    assert len(list((tmp_path / "shop-pictures").glob("*.png"))) == 8
