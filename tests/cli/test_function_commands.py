"""The function suite as a person types it, on what others published where that is at hand."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affordance.datasets import ChoiceQuestion, read_dataset
from function_data import captured_screen, plain_outcomes, write_captured

Command = Callable[..., subprocess.CompletedProcess[str]]

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
OSWORLD_G, AUTOGUI = SHARED / "osworld-g-sample", SHARED / "autogui-v2-sample"


def at_hand(path: Path) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not path.exists(), reason="the sample is not here")


def rows_of(result: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert result.returncode in (0, 3), result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@at_hand(OSWORLD_G)
def test_osworld_g_is_checked_and_the_oracle_is_right_about_it(here: Command) -> None:
    checked = here("data", "check", f"osworld-g:{OSWORLD_G}")
    assert checked.returncode == 0, checked.stdout
    assert "0 errors" in checked.stdout
    models = [
        "--model",
        "oracle",
        "--model",
        "oracle:claude",
        "--model",
        "oracle:ui-tars",
        "--model",
        "baseline:random",
    ]
    ran = here("run", "function/ground-element", "--data", f"osworld-g:{OSWORLD_G}", *models, "--json", "--quiet")
    found = {row["model"]: row for row in rows_of(ran)}
    for name in ("oracle:default", "oracle:claude", "oracle:ui-tars"):
        row = found[name]
        assert (row["metrics"]["accuracy"], row["n"]) == (1.0, 34)
        targets = {
            one["value"]: (one["n"], one["metrics"]["accuracy"]) for one in row["breakdowns"] if one["by"] == "target"
        }
        assert targets == {"box": (23, 1.0), "polygon": (7, 1.0), "absent": (4, 1.0)}
    assert found["oracle:ui-tars"]["metrics"]["iou"] is None
    assert found["oracle:default"]["metrics"]["iou"] > 0.9
    assert found["baseline:random"]["metrics"]["accuracy"] < 0.5


@at_hand(AUTOGUI)
def test_autogui_v2_is_counted_and_scored_by_replay(here: Command, tmp_path: Path) -> None:
    spec = f"autogui-v2:{AUTOGUI}"
    counted = json.loads(here("data", "stats", spec, "--json").stdout)
    assert counted["counts"]["items"] == 36
    assert counted["counts"]["missing files"] > 0
    items = [item for item in read_dataset(spec).items if isinstance(item, ChoiceQuestion)]
    single = [item for item in items if not item.multiple]
    multi = [item for item in items if item.multiple]
    assert (len(single), len(multi)) == (24, 12)
    lines = [
        *(
            {"item": item.id, "reply": _letters(item.answers) if place % 2 else "Hm."}
            for place, item in enumerate(single)
        ),
        *({"item": item.id, "reply": _letters(item.answers[:1])} for item in multi[1:]),
    ]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = here("run", "function/outcome-region", "--data", spec, "--model", "replay:p.jsonl", "--json", "--quiet")
    assert ran.returncode == 3, "one prediction is missing"
    found = {row["form"]: row for row in rows_of(ran)}
    assert (found["single"]["metrics"]["accuracy"], found["single"]["compat"]["accuracy_parsed"]) == (0.5, 1.0)
    assert found["single"]["complete"]
    credit = sum(1 / len(item.answers) for item in multi[1:]) / 11
    assert found["multi"]["metrics"]["accuracy"] == pytest.approx(credit)
    assert (found["multi"]["ended"]["failed"], found["multi"]["complete"]) == (1, False)
    assert "no prediction for item" in ran.stderr


def _letters(answers: list[int]) -> str:
    return ",".join("ABCDEFGH"[answer] for answer in answers)


@at_hand(AUTOGUI)
def test_pictures_that_nobody_has_are_listed(here: Command) -> None:
    checked = here("data", "check", f"autogui-v2:{AUTOGUI}")
    assert checked.returncode == 2
    assert "found no such file" in checked.stdout


MISTAKES = {
    "no such dialect": (["--dialect", "klingon"], "unknown dialect 'klingon'"),
    "no such expression": (["--expression", "intention"], "unknown expression 'intention'"),
}


@pytest.mark.parametrize(("more", "told"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_one_line(here: Command, tmp_path: Path, more: list[str], told: str) -> None:
    page = captured_screen()
    write_captured(tmp_path / "data", [page], plain_outcomes(page))
    result = here("run", "function/ground-element", "--model", "oracle", "--data", "data", *more)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.strip().splitlines()) == 1
    assert told in result.stderr
