"""The demo: all tasks with a few items of each, baselines, and studies with simulated participants."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.cli import demo
from affordance.report.human_rows import ParticipantSummary, human_label

Command = Callable[..., subprocess.CompletedProcess[str]]
ITEMS = 2  # of each task
PEOPLE = ParticipantSummary(1, 1, 0, {}, {}, 1, None, 0, 0, synthetic=True)


@pytest.mark.usefixtures("primitives")
def test_demo(here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "MAX_ITEMS", ITEMS)
    result = here("demo", "--out", "out")
    assert result.returncode == 0, result.stderr
    for name in ("first", "pixels", "random"):
        assert f"baseline:{name}" in result.stdout
    assert str(tmp_path / "out" / "report.html") in result.stdout
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 100
    example = ("demo/baseline:first", "demo/baseline:random", "--ledger", "out/affordance.db")
    assert here("compare", *example).returncode == 0, "as on its page of help"
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<html" in page
    for name in demo.STUDIES:
        assert f"study:{name}, " in result.stdout
        assert f"study:<wbr>{name}, {human_label(PEOPLE)}" in page
    assert result.stdout.count("(synthetic)") >= len(demo.STUDIES)

    told = here("report", "--ledger", "out/affordance.db", "--run", "purposes", "--run", "designs", "--format", "json")
    rows = {(row["run"], row["model"]): row for row in json.loads(told.stdout)}
    for name, (_, per_item, _) in demo.STUDIES.items():
        row, asked = rows[name, f"study:{name}"], rows[name, f"study:{name}"]["asked"]
        assert (row["n"], row["complete"]) == (ITEMS * per_item, True)
        assert row["intervals"]["accuracy"][0] < row["metrics"]["accuracy"] <= row["intervals"]["accuracy"][1]
        assert (asked["synthetic"], asked["counted"], asked["entered"]) == (True, per_item, per_item + 1)
        assert list(asked["excluded"].values()) == [1]
        assert rows[name, "baseline:random"]["n"] == row["n"], "beside it, on the same questions"
        assert rows[name, "baseline:random"]["asked"] is None
    compared = here(
        "compare", "baseline:first", "baseline:random", "--ledger", "out/affordance.db", "--task", "function"
    )
    assert compared.returncode == 0, compared.stderr
