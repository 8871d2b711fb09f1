"""`affordance compare` as a person types it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.ledger import open_ledger
from cases import case, numbers_in
from errors import assert_user_error
from report_ledgers import RIGHT, WRONG, Plan, fill

Command = Callable[..., subprocess.CompletedProcess[str]]

A, B = "openai:a", "openai:b"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("compare")
    with open_ledger(where / "affordance.db") as ledger:
        fill(ledger, Plan({A: (RIGHT,), B: (RIGHT, WRONG)}, "first", items=30, trials=1))
        fill(ledger, Plan({A: (RIGHT,)}, "second", items=30, trials=1, settings={"prompts": {"motion/effect": "x"}}))
    return where


def test_plain_words_come_first(here: Command, folder: Path) -> None:
    ran = here("compare", f"first/{A}", B, folder=str(folder))
    assert (ran.returncode, ran.stderr) == (0, "")
    first = " ".join(ran.stdout.split())
    assert first.index(A) < first.index(B) < first.index("50.0 ")
    assert any(numbers_in(line)[:3] == [15, 15, 0] for line in ran.stdout.splitlines()), "what flipped"


def test_json_has_everything(here: Command, folder: Path) -> None:
    (found,) = json.loads(here("compare", f"first/{A}", B, "--json", folder=str(folder)).stdout)
    assert (found["difference"], found["n"], found["family"], len(found["flips"])) == (0.5, 30, 1, 15)
    assert found["p"] <= found["p_holm"] < 0.05
    assert {part["by"] for part in found["breakdowns"]} == {"effect", "slot"}


MISTAKES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "prompts differ": (("first", "second"), ("prompts", "--allow-different")),
    "unknown kind": ((A, B, "--allow-different", "nonsense"), ("--allow-different", "'nonsense'")),
    "unknown name": (("frist", B), ("'frist'", "'first'")),
    "unknown task": ((A, B, "--task", "motion/efect"), ("'motion/effect'",)),
    "itself": ((B, B), ("'openai:b'",)),
    "no ledger": ((A, B, "--ledger", "none.db"), ("none.db",)),
}


def test_mistakes_are_one_line(here: Command, folder: Path) -> None:
    for name, (arguments, data) in MISTAKES.items():
        ran = here("compare", *arguments, folder=str(folder))
        with case(name):
            assert_user_error(ran, *data)
            assert ran.stderr.count("\n") == 1


def test_despite_says_what_differs(here: Command, folder: Path) -> None:
    ran = here("compare", "first", "second", "--allow-different", "prompts", folder=str(folder))
    assert ran.returncode == 0
    assert "prompts" in ran.stdout.splitlines()[0]


def test_an_empty_ledger(here: Command, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "affordance.db"):
        pass
    ran = here("compare", A, B)
    assert_user_error(ran, "affordance run")
