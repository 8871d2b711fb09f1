"""The function suite on samples of published sets, as a person types it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affordance.cli.main import run_command
from affordance.datasets import ChoiceItem, load_dataset

Run = Callable[..., tuple[int, Any]]
Sample = Callable[[str], Path]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit code and JSON of a command, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))

    def ran(*arguments: str) -> tuple[int, Any]:
        capsys.readouterr()
        code = run_command([*arguments, "--json", "--quiet"])
        return code, json.loads(capsys.readouterr().out)

    return ran


def test_the_oracle_is_right_about_osworld_g(sample: Sample, run: Run) -> None:
    spec = f"osworld-g:{sample('osworld-g-sample')}"
    code, found = run("data", "check", spec)
    assert (code, [one for one in found if one["level"] == "error"]) == (0, [])
    named = [
        part for name in ("oracle", "oracle:claude", "oracle:ui-tars", "baseline:random") for part in ("--model", name)
    ]
    code, rows = run("run", "function/ground-element", "--data", spec, *named)
    assert code == 0
    by_model = {row["model"]: row for row in rows}
    for name in ("oracle:default", "oracle:claude", "oracle:ui-tars"):
        row = by_model[name]
        assert (row["metrics"]["accuracy"], row["n"]) == (1.0, 34)
        targets = {one["value"]: one["n"] for one in row["breakdowns"] if one["by"] == "target"}
        assert targets == {"box": 23, "polygon": 7, "absent": 4}
    assert by_model["oracle:ui-tars"]["metrics"]["iou"] is None
    assert by_model["oracle:default"]["metrics"]["iou"] > 0.9
    assert by_model["baseline:random"]["metrics"]["accuracy"] < 0.5


def test_autogui_v2_is_counted_and_scored_by_replay(sample: Sample, run: Run, tmp_path: Path) -> None:
    spec = f"autogui-v2:{sample('autogui-v2-sample')}"
    _, counted = run("data", "stats", spec)
    assert counted["counts"]["items"] == 36
    assert counted["counts"]["missing files"] == 24
    code, found = run("data", "check", spec)
    assert (code, sum(one["level"] == "error" for one in found)) == (2, 24)
    items = [item for item in load_dataset(spec).items if isinstance(item, ChoiceItem)]
    single, multi = ([item for item in items if item.multiple is kind] for kind in (False, True))
    assert (len(single), len(multi)) == (24, 12)
    said = {item.id: item.answers if place % 2 else None for place, item in enumerate(single)}
    said |= {item.id: item.answers[:1] for item in multi[1:]}
    lines = [
        {"item": name, "reply": "Hm." if answers is None else ",".join("ABCDEFGH"[one] for one in answers)}
        for name, answers in said.items()
    ]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, rows = run("run", "function/outcome-region", "--data", spec, "--model", "replay:p.jsonl")
    assert code == 3, "one prediction is missing"
    by_form = {row["form"]: row for row in rows}
    assert by_form["single"]["metrics"]["accuracy"] == 0.5
    assert by_form["single"]["compat"]["accuracy_parsed"] == 1.0
    credit = sum(1 / len(item.answers) for item in multi[1:]) / 11
    assert by_form["multi"]["metrics"]["accuracy"] == pytest.approx(credit)
    assert (by_form["multi"]["ended"]["failed"], by_form["multi"]["complete"]) == (1, False)
