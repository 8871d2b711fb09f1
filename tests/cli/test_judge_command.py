"""`affordance judge sample` and `certify`, offline: with the judge that compares words."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.model_name import ModelName
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.motion.meaning import MEANING
from behavior_data import published
from cases import case, numbers_in
from errors import assert_carries, assert_user_error
from loopback import Loopback, Seen
from motion_data import THINGS, clip, write_clips

Command = Callable[..., subprocess.CompletedProcess[str]]

RATIONALES = [[(f"The part {index} is larger.", "Fitts’s Law", "Action")] for index in range(6)]


@pytest.fixture
def explained(tmp_path: Path) -> Path:
    """A ledger with a run whose judge finds everything that the oracle says, and nothing at random."""
    models = tuple(map(ModelName.parse, ("oracle", "baseline:random")))
    settings = RunConfig(tasks=(RATIONALE,), judge="baseline:overlap")
    ledger = tmp_path / "affordance.db"
    execute_run(
        RunRequest(settings, published(tmp_path / "set", RATIONALES), models, str(ledger), tmp_path / "p", "explained")
    )
    return ledger


@pytest.fixture
def interpreted(tmp_path: Path) -> Path:
    data = write_clips(tmp_path / "clips", *(clip(thing) for thing in THINGS), frames=30)
    settings = RunConfig(tasks=(MEANING,), judge="baseline:overlap", reference="individual")
    ledger = tmp_path / "affordance.db"
    execute_run(RunRequest(settings, data, (ModelName.parse("oracle"),), str(ledger), tmp_path / "p", "interpreted"))
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
    first = drawn.stdout.splitlines()[0]
    assert_carries(first, "labels.csv", "behavior/rationale")
    assert numbers_in(first) == [12, 2], "judgements, models"
    assert all(part in drawn.stdout for part in ("text_a", "text_b", "yes"))
    next_command = drawn.stdout.splitlines()[-1].split()
    assert next_command == ["affordance", "judge", "certify", "--judge", "baseline:overlap", "--labels", "labels.csv"]
    fill_in(tmp_path / "labels.csv", "yes")
    found = here(*next_command[1:], "--quiet")
    assert found.returncode == 0, found.stderr
    assert all(part in found.stdout for part in ("baseline:overlap", "behavior/rationale"))
    again = json.loads(here(*next_command[1:], "--quiet", "--json").stdout)
    assert again["agreement"]["share"] == 0.5, "people find everything, and the judge half of it"
    assert again["agreement"]["base"] == 1.0
    assert any(line.split()[-1:] == ["50.0"] for line in found.stdout.splitlines())


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
    assert numbers_in(found.stderr) == [1], "what has no label yet"


def test_scores(interpreted: Path, here: Command, tmp_path: Path) -> None:
    assert here("judge", "sample", "--run", "interpreted", "-n", "12", "-o", "labels.csv").returncode == 0
    fill_in(tmp_path / "labels.csv", "3")
    found = here("judge", "certify", "--judge", "baseline:overlap", "--labels", "labels.csv", "--quiet")
    assert found.returncode == 0, found.stderr
    again = here("judge", "certify", "--judge", "baseline:overlap", "--labels", "labels.csv", "--quiet", "--json")
    document = json.loads(again.stdout)
    assert document["agreement"]["base"] == 3
    assert {"difference", "alpha_interval", "alpha_ordinal", "within_one"} <= set(document["agreement"])
    assert document["order"] is not None


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
MISTAKES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "no such run": (("judge", "sample", "--run", "explain", "-n", "9", "-o", "x.csv"), ("'explained'",)),
    "too few": ((*SAMPLE, "-n", "1", "-o", "x.csv"), ("-n", "2")),
    "none": ((*SAMPLE, "-n", "0", "-o", "x.csv"), ("--limit", "1")),
    "a file that is there": ((*SAMPLE, "-n", "4", "-o", "affordance.db"), ("affordance.db",)),
    "a folder that is not": ((*SAMPLE, "-n", "4", "-o", "no/x.csv"), ("no/x.csv",)),
    "another task": ((*SAMPLE, "-n", "4", "-o", "x.csv", "--task", "motion/meaning"), ("motion/meaning",)),
    "no ledger": ((*SAMPLE, "-n", "4", "-o", "x.csv", "--ledger", "no.db"), ("no.db",)),
    "no labels": ((*CERTIFY, "--labels", "no.csv"), ("no.csv",)),
    "no file of labels": ((*CERTIFY, "--labels", "affordance.db"), ("affordance.db",)),
    "no repeats": ((*CERTIFY, "--labels", "x.csv", "--repeats", "0"), ("--repeats", "1")),
    "no judge": (("judge", "certify", "--labels", "x.csv"), ("--judge",)),
}


@pytest.mark.usefixtures("explained")
def test_mistakes_are_one_line(here: Command) -> None:
    for name, (arguments, data) in MISTAKES.items():
        found = here(*arguments)
        with case(name):
            assert_user_error(found, *data)
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
    assert_user_error(both, "behavior/rationale", "motion/meaning", "--task")
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
    assert 6 in numbers_in(found.stderr.splitlines()[-1])
    assert found.stdout == ""
