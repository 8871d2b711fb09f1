"""`affordance compare` as a person types it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.ledger import open_ledger
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
    assert ran.stdout.startswith(f"{A} is better than {B} on primitive effects by 50.0 points, 95% interval ")
    assert "15 questions of primitive effects flipped: A scores higher on 15, B on 0." in ran.stdout


def test_json_has_everything(here: Command, folder: Path) -> None:
    (found,) = json.loads(here("compare", f"first/{A}", B, "--json", folder=str(folder)).stdout)
    assert (found["difference"], found["n"], found["family"], len(found["flips"])) == (0.5, 30, 1, 15)
    assert found["p"] <= found["p_holm"] < 0.05
    assert {part["by"] for part in found["breakdowns"]} == {"effect", "slot"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("first", "second"), "differ in more than who answers: prompts", id="prompts differ"),
        pytest.param((A, B, "--despite", "nonsense"), "unknown --despite 'nonsense'", id="unknown kind"),
        pytest.param(("frist", B), "did you mean 'first'", id="unknown name"),
        pytest.param((A, B, "--task", "motion/efect"), "did you mean 'motion/effect'", id="unknown task"),
        pytest.param((B, B), "found 'openai:b' twice", id="itself"),
        pytest.param((A, B, "--ledger", "none.db"), "none.db", id="no ledger"),
    ],
)
def test_mistakes_are_one_line(here: Command, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = here("compare", *arguments, folder=str(folder))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_despite_says_what_differs(here: Command, folder: Path) -> None:
    ran = here("compare", "first", "second", "--despite", "prompts", folder=str(folder))
    assert ran.returncode == 0
    assert "Not only who answers differs: prompts" in ran.stdout


def test_an_empty_ledger(here: Command, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "affordance.db"):
        pass
    ran = here("compare", A, B)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "affordance run" in ran.stderr
