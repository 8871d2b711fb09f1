"""The function suite as a person types it, on files in the formats in which others publish."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import published_files as files
from affordance.datasets import ChoiceItem, load_dataset
from cases import case, numbers_in
from errors import assert_user_error
from function_data import captured_screen, plain_outcomes, write_captured

Command = Callable[..., subprocess.CompletedProcess[str]]


def rows_of(result: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert result.returncode in (0, 3), result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def test_osworld_g_is_checked_and_the_oracle_is_right_about_it(here: Command, tmp_path: Path) -> None:
    tasks = [
        files.OSWORLD,
        files.OSWORLD | {"id": "a-1", "box_coordinates": [100, 50, 40, 20], "instruction": "Close it"},
        files.OSWORLD | {"id": "a-2", "box_type": "polygon", "box_coordinates": [0, 0, 50, 0, 50, 50]},
        files.OSWORLD | {"id": "a-3", "box_type": "refusal", "box_coordinates": [0, 0, 0, 0]},
    ]
    files.write_picture(tmp_path / "set" / "images" / "a.png")
    files.write_json(tmp_path / "set" / "OSWorld-G.json", tasks)
    checked = here("data", "check", "osworld-g:set")
    assert checked.returncode == 0, checked.stdout
    assert numbers_in(checked.stdout.splitlines()[-1].partition(")")[2]) == [0, 2], "it is a part of the set"
    models = ("oracle", "oracle:claude", "oracle:ui-tars", "baseline:random")
    named = [part for model in models for part in ("--model", model)]
    ran = here("run", "function/ground-element", "--data", "osworld-g:set", *named, "--json", "--quiet")
    found = {row["model"]: row for row in rows_of(ran)}
    for name in ("oracle:default", "oracle:claude", "oracle:ui-tars"):
        row = found[name]
        assert (row["metrics"]["accuracy"], row["n"]) == (1.0, 4)
        targets = {
            one["value"]: (one["n"], one["metrics"]["accuracy"]) for one in row["breakdowns"] if one["by"] == "target"
        }
        assert targets == {"box": (2, 1.0), "polygon": (1, 1.0), "absent": (1, 1.0)}
    assert found["oracle:ui-tars"]["metrics"]["iou"] is None
    assert found["oracle:default"]["metrics"]["iou"] > 0.9
    assert found["baseline:random"]["metrics"]["accuracy"] < 1


def question(number: int, **changes: object) -> dict[str, Any]:
    return files.OLDER | {"entry_id": f"e{number}", "annotated_image_path": f"marked/{number}.png"} | changes


def several(number: int) -> dict[str, Any]:
    """A question with two right answers of three."""
    options = [
        {"label": label, "option_context": text, "is_correct": text != "closes", "source": "ground_truth_refined"}
        for label, text in zip("ABC", ("opens", "closes", "ends"), strict=True)
    ]
    found = question(number, options=options, correct_answers=["A", "C"])
    return {key: value for key, value in found.items() if key != "correct_answer"}


def test_autogui_v2_is_counted_and_scored_by_replay(here: Command, tmp_path: Path) -> None:
    rows = [*(question(number) for number in range(4)), *(several(number) for number in range(4, 7))]
    for number in range(6):
        files.write_picture(tmp_path / "set" / "marked" / f"{number}.png", shade=number)
    files.write_json(tmp_path / "set" / "questions.json", {"questions": rows})
    spec = f"autogui-v2:{tmp_path / 'set'}"
    (counted,) = json.loads(here("data", "stats", spec, "--json").stdout)
    assert counted["counts"]["items"] == 7
    assert counted["counts"]["missing files"] == 1
    items = [item for item in load_dataset(spec).items if isinstance(item, ChoiceItem)]
    single = [item for item in items if not item.multiple]
    multi = [item for item in items if item.multiple]
    assert (len(single), len(multi)) == (4, 3)
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
    assert found["multi"]["metrics"]["accuracy"] == 0.5, "one of two right answers"
    assert (found["multi"]["ended"]["failed"], found["multi"]["complete"]) == (1, False)
    assert multi[0].id in ran.stderr
    checked = here("data", "check", spec)
    assert checked.returncode == 2
    assert "'marked/6.png'" in checked.stdout


def _letters(answers: list[int]) -> str:
    return ",".join("ABCDEFGH"[answer] for answer in answers)


def test_a_mistake_is_one_line(here: Command, tmp_path: Path) -> None:
    page = captured_screen()
    write_captured(tmp_path / "data", [page], plain_outcomes(page))
    for option, value in (("--dialect", "klingon"), ("--expression", "intention")):
        with case(option):
            result = here("run", "function/ground-element", "--model", "oracle", "--data", "data", option, value)
            assert_user_error(result, f"'{value}'")
            assert len(result.stderr.strip().splitlines()) == 1
