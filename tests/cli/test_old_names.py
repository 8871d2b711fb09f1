"""Names of version 1: accepted, with a notice where they end; and what prints where defaults come from."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

from affordance.cli.legacy import OLD_OPTIONS, old_options, translate_arguments
from affordance.cli.main import app
from affordance.core.config import read_config
from cases import case
from errors import assert_user_error
from study_world import pairs_of

Command = Callable[..., subprocess.CompletedProcess[str]]

# Spellings of COMMANDS.md that another name replaced: they stay without a notice.
PERMANENT = {("demo", "out"), ("author", "again"), ("study", "db")}


@pytest.fixture
def asked() -> list[str]:
    return ["run", "motion/purpose", "--model", "oracle", "--trials", "1", "-n", "1"]


def test_an_old_name_is_accepted_with_one_notice(here: Command, asked: list[str]) -> None:
    told = here(*asked, "--most-frames", "3", "--reasks=1", "--json", "--name", "a")
    assert told.returncode == 0, told.stderr
    (row,) = json.loads(told.stdout)
    assert row["settings"]["most_frames"] == 3
    assert row["settings"]["reasks"] == {"motion/purpose": 1}
    notices = [line for line in told.stderr.splitlines() if "is now" in line]
    assert [line.split()[1:5] for line in notices] == [
        ["--most-frames", "is", "now", "--max-frames;"],
        ["--reasks", "is", "now", "--parse-retries;"],
    ]
    quiet = here(*asked, "--most-frames", "3", "-q", "--name", "b")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert "is now" not in here(*asked, "--max-frames", "3", "--name", "c").stderr, "a notice is for one command"


def test_in_the_file_and_in_variables(here: Command, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / "affordance.toml").write_text("[run]\nmost-frames = 4\n")
    told = here(*asked, "--json", "--name", "a")
    assert json.loads(told.stdout)[0]["settings"]["most_frames"] == 4
    assert [line for line in told.stderr.splitlines() if "most-frames in affordance.toml is now max-frames" in line]
    told = here(*asked, "--json", "--name", "b", AFFORDANCE_RUN_MOST_FRAMES="5")
    assert json.loads(told.stdout)[0]["settings"]["most_frames"] == 5
    assert "AFFORDANCE_RUN_MOST_FRAMES is now AFFORDANCE_RUN_MAX_FRAMES" in told.stderr


def test_values_after_two_dashes_are_no_names() -> None:
    known = {"max-frames", "limit"}
    assert translate_arguments("run", ["--most-frames", "3"], known) == ["--max-frames", "3"]
    assert translate_arguments("run", ["--", "--most-frames"], known) == ["--", "--most-frames"]
    assert translate_arguments("report", ["--most-frames", "3"], known) == ["--most-frames", "3"]


def test_every_old_name_leads_to_an_option() -> None:
    """And those that stay are those of the fixed command line."""
    found = set()

    def visit(group: object, path: str) -> None:
        for name, one in group.commands.items():  # type: ignore[attr-defined]
            whole = path if one.hidden else f"{path} {name}".strip()
            if hasattr(one, "commands"):
                visit(one, whole)
                continue
            names = {opt.removeprefix("--") for parameter in one.params for opt in parameter.opts}
            found.update(old_options(whole, names).values())

    visit(get_command(app), "")
    assert found == set(OLD_OPTIONS)
    assert {(name, one.old) for one in OLD_OPTIONS if one.permanent for name in one.commands} == PERMANENT


def test_a_study_by_its_commands(here: Command, tmp_path: Path) -> None:
    pairs_of(tmp_path / "pairs")
    ledger = ("--ledger", "it.db")
    made = here("study", "create", "which", "--task", "behavior/choice", "--data", "pairs", "--per-item", "2", *ledger)
    assert made.returncode == 0, made.stderr
    assert "affordance study serve which" in made.stdout
    (listed,) = json.loads(here("study", "list", "--json", *ledger).stdout)
    assert (listed["name"], listed["task"], listed["per_item"], listed["closed"]) == (
        *("which", "behavior/choice", 2, False),
    )
    status = json.loads(here("study", "status", "which", "--json", *ledger).stdout)
    assert (status["answered"], status["complete"]) == (0, False)
    assert status["planned"] > 0
    assert here("study", "close", "which", *ledger).returncode == 0
    assert json.loads(here("study", "list", "--json", *ledger).stdout)[0]["closed"] is True
    exported = here("study", "export", "which", "-o", "out", *ledger)
    assert (exported.returncode, exported.stdout.strip()) == (0, "out")
    assert (tmp_path / "out" / "study.json").is_file()
    task = ("--task", "behavior/choice", "--data", "pairs", "--per-item", "2")
    assert_user_error(here("study", "create", "serve", *task, *ledger), "'serve'")


def test_where_defaults_come_from(here: Command, tmp_path: Path) -> None:
    assert "other options" in here("config", "show").stdout
    (tmp_path / "affordance.toml").write_text('limit = 3\n[report]\nfigures = "drawn"\n')
    found = json.loads(here("config", "show", "--json", AFFORDANCE_RUN_TRIALS="2").stdout)
    by_option = {(one["command"], one["option"]): (one["value"], one["source"]) for one in found}
    file = str(tmp_path / "affordance.toml")
    assert by_option["run", "limit"] == (3, file)
    assert by_option["run", "trials"] == ("2", "AFFORDANCE_RUN_TRIALS")
    assert by_option["report", "figures"] == (str(tmp_path / "drawn"), file), "every path is relative to the file"
    everything = json.loads(here("config", "show", "--all", "--json").stdout)
    assert len(everything) > len(found)
    secret = here("config", "show", "--json", AFFORDANCE_LEDGER="postgresql://me:secret@nowhere/x")
    assert "secret" not in secret.stdout
    assert read_config(tmp_path / "affordance.toml")


def test_one_run_is_shown(here: Command, asked: list[str]) -> None:
    assert here(*asked, "--name", "monday").returncode == 0
    (listed,) = json.loads(here("runs", "list", "--json").stdout)
    shown = json.loads(here("runs", "show", "monday", "--json").stdout)
    assert shown["name"] == listed["name"] == "monday"
    assert shown["usage"][0]["model"] == "oracle:default"
    assert "oracle:default" in here("runs", "show", "monday").stdout
    assert_user_error(here("runs", "show", "munday"), "'munday'", "'monday'")


def test_the_version_names_extras(here: Command) -> None:
    for option in ("-V", "--version"):
        told = here(option)
        assert told.returncode == 0
        assert [line.split()[0] for line in told.stdout.splitlines()] == ["affordance", "extras:"]


def test_verbose_shows_requests_and_tracebacks(here: Command, asked: list[str]) -> None:
    assert "responses from the ledger" in here(*asked, "-v", "--name", "a").stderr
    for words in (["-v", "report", "--run", "x"], ["report", "--run", "x", "-v"]):
        with case(words):
            told = here(*words)
            assert told.returncode == 2
            assert "Traceback" in told.stderr
    assert "Traceback" not in here("report", "--run", "x").stderr


def test_one_task_in_detail(here: Command) -> None:
    (task,) = json.loads(here("tasks", "motion/effect", "--json").stdout)
    assert task["name"] == "motion/effect"
    assert len(json.loads(here("tasks", "function", "--json").stdout)) == 4
    assert "motion/effect" in here("tasks", "motion/effect").stdout
    assert_user_error(here("tasks", "motion/efect"), "'motion/effect'")


def test_a_project_stays_what_it_is(here: Command, tmp_path: Path) -> None:
    pairs_of(tmp_path / "pairs")
    assert here("author", "init", "shop", "pairs").returncode == 0
    assert_user_error(here("author", "init", "shop", "pairs", "--synthetic"), "--synthetic", "shop")


def test_the_plan_of_images_is_data(here: Command, tmp_path: Path) -> None:
    """`data check` names the dataset of each entry, and `data stats` is always a list."""
    pairs_of(tmp_path / "pairs")
    (tmp_path / "pairs" / "items.jsonl").write_text("{}\n")
    entries = json.loads(here("data", "check", "pairs", "--json").stdout)
    assert {one["dataset"] for one in entries} == {"pairs"}
    pairs_of(tmp_path / "others")
    assert isinstance(json.loads(here("data", "stats", "others", "--json").stdout), list)
