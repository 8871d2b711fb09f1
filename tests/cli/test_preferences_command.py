"""`affordance data preferences`: from a dataset, and from what a model chose in a run."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.core.question import question_id
from behavior_data import pair, write_pairs
from cases import numbers_in
from errors import assert_user_error

Command = Callable[..., subprocess.CompletedProcess[str]]
FIRST, SECOND = "More effective: First", "More effective: Second"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    write_pairs(tmp_path / "pairs", *(pair(name, 0) for name in ("a", "b", "c", "d")))
    return tmp_path / "pairs"


def predict(folder: Path, **said: tuple[str, str]) -> None:
    """By pair, what a model says where its designs are in order, and where they are not."""
    lines = [
        {"question": question_id("behavior/choice", item, {"order": order}), "reply": reply}
        for item, replies in said.items()
        for order, reply in zip(([0, 1], [1, 0]), replies, strict=True)
    ]
    (folder / "said.jsonl").write_text("\n".join(map(json.dumps, lines)))


@pytest.mark.usefixtures("pairs")
def test_winners(here: Command, tmp_path: Path) -> None:
    result = here("data", "preferences", "pairs", "-o", "out", "--test", "0.25")
    assert result.returncode == 0, result.stderr
    train, test, decided, _ = result.stdout.splitlines()
    assert (train.partition(": ")[0], numbers_in(train)) == ("out/data/train.jsonl", [6, 3])
    assert (test.partition(": ")[0], numbers_in(test)) == ("out/data/test.jsonl", [2, 1])
    assert numbers_in(decided) == [4]
    assert_user_error(here("data", "preferences", "pairs", "-o", "out"), "out")


@pytest.mark.usefixtures("pairs")
def test_what_a_model_chose(here: Command, tmp_path: Path) -> None:
    """It prefers the second design of `a`, the first of `b`, and the first place of `c`; of `d` it said one thing."""
    predict(tmp_path, a=(SECOND, FIRST), b=(FIRST, SECOND), c=(FIRST, FIRST), d=(FIRST, "I cannot say."))
    asked = ("run", "behavior/choice", "--data", "pairs", "--model", "replay:said.jsonl", "--trials", "1")
    assert here(*asked, "--name", "monday").returncode in (0, 3)
    options = ("--from", "replay:said.jsonl", "--run", "monday", "--json")
    result = here("data", "preferences", "pairs", "-o", "out", *options)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["folder"], found["style"], found["synthetic"]) == ("out", "answers", True)
    assert (found["signals"], found["pairs"], found["rows"]) == ({"replay:said.jsonl": 2}, {"train": 2}, {"train": 4})
    assert list(found["left_out"].values()) == [1, 1], "answered in one order only, and undecided"
    rows = [json.loads(line) for line in (tmp_path / "out" / "data" / "train.jsonl").read_text().splitlines()]
    assert [(row["item"], row["votes"], row["agreement"]) for row in rows] == [("a", 2, 1.0)] * 2 + [("b", 2, 1.0)] * 2

    for wrong, data in {
        ("--from", "replay:said.jsonl"): ("--run", "behavior/choice"),
        ("--run", "monday"): ("--run",),
        ("--from", "openai:x", "--run", "monday"): ("'openai:x'", "replay:said.jsonl"),
        ("--from", "study:x"): ("'x'",),
        ("--from", "replay:said.jsonl", "--run", "sunday"): ("'sunday'",),
    }.items():
        result = here("data", "preferences", "pairs", "-o", "new", *wrong)
        assert_user_error(result, *data)
        assert len(result.stderr.splitlines()) == 1
        assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("pairs")
def test_strategies_of_a_model_are_never_counted_together(here: Command, tmp_path: Path) -> None:
    predict(tmp_path, a=(SECOND, FIRST), b=(FIRST, SECOND), c=(FIRST, FIRST), d=(FIRST, "I cannot say."))
    asked = ("run", "behavior/choice", "--data", "pairs", "--model", "replay:said.jsonl", "--trials", "1")
    assert here(*asked, "--name", "both", "--strategy", "zero-shot", "--strategy", "cocot").returncode in (0, 3)
    command = ("data", "preferences", "pairs", "--from", "replay:said.jsonl", "--run", "both")
    for wrong, data in {
        (): ("--strategy", "cocot", "zero-shot"),
        ("--strategy", "cocott"): ("'cocot'",),
        ("--from", "winner", "--strategy", "cocot"): ("--run",),
    }.items():
        assert_user_error(here(*command, "-o", "new", *wrong), *data)
        assert not (tmp_path / "new").exists()
    for strategy, signal in {"zero-shot": "replay:said.jsonl", "cocot": "replay:said.jsonl (cocot)"}.items():
        result = here(*command, "-o", strategy, "--strategy", strategy, "--json")
        assert json.loads(result.stdout)["signals"] == {signal: 2}
        lines = (tmp_path / strategy / "data" / "train.jsonl").read_text().splitlines()
        assert {(row["signal"], row["votes"]) for row in map(json.loads, lines)} == {(signal, 2)}
