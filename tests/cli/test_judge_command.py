"""`affordance judge sample` and `certify`, offline: with the judge that compares words."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.names import ModelName
from affordance.run.session import Request, perform
from affordance.run.settings import Settings
from affordance.suites.behavior.rationale import RATIONALE
from affordance.suites.motion.meaning import MEANING
from behavior_data import published
from loopback import Loopback, Seen
from motion_data import THINGS, clip, write_clips

Command = Callable[..., subprocess.CompletedProcess[str]]

RATIONALES = [[(f"The part {index} is larger.", "Fitts’s Law", "Action")] for index in range(6)]


@pytest.fixture
def explained(tmp_path: Path) -> Path:
    """A ledger with a run whose judge finds everything that the oracle says, and nothing at random."""
    models = tuple(map(ModelName.parse, ("oracle", "baseline:random")))
    settings = Settings(tasks=(RATIONALE,), judge="baseline:overlap")
    ledger = tmp_path / "affordance.db"
    perform(
        Request(settings, published(tmp_path / "set", RATIONALES), models, str(ledger), tmp_path / "p", "explained")
    )
    return ledger


@pytest.fixture
def interpreted(tmp_path: Path) -> Path:
    data = write_clips(tmp_path / "clips", *(clip(thing) for thing in THINGS), frames=30)
    settings = Settings(tasks=(MEANING,), judge="baseline:overlap", reference="individual")
    ledger = tmp_path / "affordance.db"
    perform(Request(settings, data, (ModelName.parse("oracle"),), str(ledger), tmp_path / "p", "interpreted"))
    return ledger


def fill_in(path: Path, label: str) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows([{**row, "label": label} for row in rows])


def test_from_a_run_to_a_certificate(explained: Path, here: Command, tmp_path: Path) -> None:
    drawn = here("judge", "sample", "--run", "explained", "-n", "12", "-o", "labels.csv")
    assert drawn.returncode == 0
    assert drawn.stdout.splitlines()[0] == (
        "labels.csv: all 12 judgements of behavior/rationale, on answers of 2 models"
    )
    assert "yes where the reasoning of text_b is contained in text_a, else no" in drawn.stdout
    next_command = drawn.stdout.splitlines()[-1].split()
    assert next_command == ["affordance", "judge", "certify", "--judge", "baseline:overlap", "--labels", "labels.csv"]
    fill_in(tmp_path / "labels.csv", "yes")
    found = here(*next_command[1:], "--quiet")
    assert found.returncode == 0, found.stderr
    assert "baseline:overlap as judge of behavior/rationale" in found.stdout
    measured = [line.split() for line in found.stdout.splitlines()]
    assert ["agreement,", "%", "50.0"] in measured, "people find everything, and the judge half of it"
    assert "base rate: people say yes, %" in found.stdout
    assert "Kept in the ledger as certificate" in found.stdout


def test_as_data(explained: Path, here: Command, tmp_path: Path) -> None:
    drawn = here("judge", "sample", "--run", "explained", "-n", "4", "-o", "labels.jsonl", "--json", "--seed", "3")
    assert json.loads(drawn.stdout) == {
        "file": "labels.jsonl",
        "run": "explained",
        "task": "behavior/rationale",
        "drawn": 4,
        "population": 12,
        "models": 2,
    }
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert [row["label"] for row in rows] == [None] * 4
    told = "\n".join(json.dumps({**row, "label": "no"}) for row in rows[:3])
    (tmp_path / "labels.jsonl").write_text(f"{told}\n{json.dumps(rows[3])}\n")
    found = here(
        "judge",
        "certify",
        "--judge",
        "baseline:overlap",
        "--labels",
        "labels.jsonl",
        "--json",
        "--quiet",
        "--repeats",
        "1",
    )
    document = json.loads(found.stdout)
    assert (document["labels"], document["empty"], document["agreement"]["n"]) == (3, 1, 3)
    assert document["base_url"] == ""
    assert "{text_a}" in document["prompt"]
    assert "1 judgements have no label yet and are left out" in found.stderr


def test_scores(interpreted: Path, here: Command, tmp_path: Path) -> None:
    assert here("judge", "sample", "--run", "interpreted", "-n", "12", "-o", "labels.csv").returncode == 0
    fill_in(tmp_path / "labels.csv", "3")
    found = here("judge", "certify", "--judge", "baseline:overlap", "--labels", "labels.csv", "--quiet")
    assert found.returncode == 0, found.stderr
    for line in ("mean absolute difference, points", "depends on the order of the texts, %", "people give on average"):
        assert line in found.stdout


def test_an_estimate_asks_nothing(explained: Path, here: Command, tmp_path: Path) -> None:
    here("judge", "sample", "--run", "explained", "-n", "12", "-o", "labels.csv")
    fill_in(tmp_path / "labels.csv", "no")
    judge = "openai:gpt-4o@http://localhost:9/v1"
    found = here("judge", "certify", "--judge", judge, "--labels", "labels.csv", "--estimate", "--json")
    (estimate,) = json.loads(found.stdout)
    assert (estimate["model"], estimate["asks"]) == (judge, 36)
    assert here("runs").stdout.count("judge-rationale") == 0


SAMPLE = ("judge", "sample", "--run", "explained")
CERTIFY = ("judge", "certify", "--judge", "baseline:overlap")
MISTAKES = {
    "no such run": (("judge", "sample", "--run", "explain", "-n", "9", "-o", "x.csv"), "did you mean 'explained'?"),
    "too few": ((*SAMPLE, "-n", "1", "-o", "x.csv"), "-n: expected at least 2, one for each model and verdict"),
    "none": ((*SAMPLE, "-n", "0", "-o", "x.csv"), "expected at least 1, found"),
    "a file that is there": ((*SAMPLE, "-n", "4", "-o", "affordance.db"), "is there already"),
    "a folder that is not": ((*SAMPLE, "-n", "4", "-o", "no/x.csv"), "cannot write no/x.csv: No such file"),
    "another task": ((*SAMPLE, "-n", "4", "-o", "x.csv", "--task", "motion/meaning"), "unknown judged task of run"),
    "no ledger": ((*SAMPLE, "-n", "4", "-o", "x.csv", "--ledger", "no.db"), "no ledger at no.db"),
    "no labels": ((*CERTIFY, "--labels", "no.csv"), "no.csv: expected a file with labels, found none"),
    "no file of labels": ((*CERTIFY, "--labels", "affordance.db"), "affordance.db: expected"),
    "no repeats": ((*CERTIFY, "--labels", "x.csv", "--repeats", "0"), "expected at least 1, found"),
    "no judge": (("judge", "certify", "--labels", "x.csv"), "Missing option '--judge'"),
}


@pytest.mark.parametrize(("arguments", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_one_line(explained: Path, here: Command, arguments: tuple[str, ...], message: str) -> None:
    found = here(*arguments)
    assert found.returncode == 2
    assert message in found.stderr
    assert found.stderr.startswith("affordance: ")
    assert found.stderr.count("\n") == 1


def test_a_run_of_several_judged_tasks(tmp_path: Path, here: Command, explained: Path, interpreted: Path) -> None:
    """Labels of two runs in one file, too."""
    for run in ("explained", "interpreted"):
        assert here("judge", "sample", "--run", run, "-n", "12", "-o", f"{run}.csv").returncode == 0
        fill_in(tmp_path / f"{run}.csv", "yes" if run == "explained" else "3")
    rows = (tmp_path / "interpreted.csv").read_text().partition("\n")[2]
    with (tmp_path / "explained.csv").open("a") as file:
        file.write(rows)
    both = here(*CERTIFY, "--labels", "explained.csv")
    assert both.returncode == 2
    assert (
        "expected labels of one task, found behavior/rationale, motion/meaning; choose one with --task" in both.stderr
    )
    assert here(*CERTIFY, "--labels", "explained.csv", "--task", "motion/meaning", "--quiet").returncode == 0


def test_a_judge_that_fails_leaves_it_incomplete(explained: Path, here: Command, tmp_path: Path) -> None:
    async def fails(_: Seen, __: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"message": "no such model"}}, status=404)

    here("judge", "sample", "--run", "explained", "-n", "2", "-o", "labels.csv")
    fill_in(tmp_path / "labels.csv", "no")
    with Loopback(fails) as server:
        found = here("judge", "certify", "--judge", f"vllm:m@{server.url}", "--labels", "labels.csv", "--quiet")
    assert found.returncode == 3
    assert "no such model" in found.stderr
    assert "incomplete: 6 attempts failed; run the same command again to go on" in found.stderr
    assert found.stdout == ""
