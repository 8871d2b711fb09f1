"""From `affordance study` to the report: people answer over HTTP, one withdraws, the dataset changes underneath and is
put back."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from affordance.cli.main import run_command
from affordance.studio.studies.checks import passed
from affordance.studio.studies.forms import EitherForm
from form_client import FormClient
from patience import until
from studio_world import Server
from study_crowd import served_study
from study_world import Taker, pairs_of

PAIRS, PER_ITEM = 3, 4
REASONS = [[(f"The part {index} is larger.", "Fitts’s Law", "Action")] for index in range(8)]
NUMBER = 10

Tell = Callable[..., Any]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    """What a command prints as JSON."""

    def told(*arguments: str) -> Any:
        capsys.readouterr()
        assert run_command(arguments) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return told


def newcomer(link: str, study: str) -> tuple[Taker, dict[str, Any]]:
    """Somebody who has opened the study's link and agreed, with what there is to answer."""
    taker = Taker(Server(Path(), (), Path(), url=link.partition("/s/")[0]), study)
    assert taker.open(urlsplit(link).path).status == 200
    state = taker.state()
    if state["stage"] == "consent":
        state = taker.step("consent", {"agreed": True}).json
    return taker, taker.step("taught").json if state["stage"] == "tutorial" else state


def side(slot: str, code: str) -> dict[str, str]:
    """What an attention check asks for; else always the same."""
    second = {"side": "second"}
    return second if slot.startswith("check-") and passed(EitherForm(), second, slot, code, 0) else {"side": "first"}


def test_from_the_command_to_the_report(tmp_path: Path, tell: Tell, postgres_url: str) -> None:
    """On Postgres; the test of the command does most of it on SQLite."""
    db = postgres_url
    pairs_of(tmp_path / "pairs", PAIRS)
    (tmp_path / "consent.txt").write_text("I agree to take part.", "utf-8")
    design = ("--per-item", str(PER_ITEM), "--checks", "1", "--consent", str(tmp_path / "consent.txt"))
    options = ("flow", "--task", "behavior/choice", "--data", str(tmp_path / "pairs"), "--db", db, *design)
    with served_study(tmp_path, *options) as link:
        sorry, state = newcomer(link, "flow")
        gone = state["code"]
        assert len(state["slots"]) == PAIRS + 1
        assert sorry.answer(state["slots"][0]["id"], {"side": "second"}, gone).status == 200
        assert sorry.step("withdraw").json["stage"] == "withdrawn"
        for number in range(PER_ITEM):
            taker, state = newcomer(link, "flow")
            slots = [one["id"] for one in state["slots"]]
            if number == 0:
                change_underneath(tmp_path / "pairs" / "items.jsonl", taker, slots[0], state["code"])
            for slot in slots:
                assert taker.answer(slot, side(slot, state["code"]), state["code"]).status == 200
            assert taker.step("finish").json["stage"] == "done"
        late = FormClient(taker.server.url).open(urlsplit(link).path)
        assert (late.status, late.reason) == (410, "full")
    planned = PAIRS * PER_ITEM

    (row,) = tell("report", "--ledger", db, "--run", "flow", "--format", "json")
    assert (row["model"], row["n"], row["complete"]) == ("study:flow", planned, True)
    assert row["metrics"]["accuracy"] == 0.5, "always the first, in both orders equally often"
    assert row["intervals"]["accuracy"][0] < 0.5
    assert [one["items"] for one in row["people"]] == [PAIRS]
    asked = row["asked"]
    assert (asked["counted"], asked["entered"], asked["withdrawn"]) == (PER_ITEM, PER_ITEM + 1, 1)
    assert (asked["excluded"], asked["synthetic"]) == ({}, False)

    assert run_command(["study", "flow", "--db", db, "--export", str(tmp_path / "out")]) == 0
    answers, seats = (
        list(csv.DictReader((tmp_path / "out" / name).read_text("utf-8").splitlines()))
        for name in ("answers.csv", "seats.csv")
    )
    assert len(answers) == planned
    assert gone not in {one["seat"] for one in answers}
    assert [one["state"] for one in seats if one["seat"] == gone] == ["withdrawn"]
    about = json.loads((tmp_path / "out" / "study.json").read_text("utf-8"))
    assert (about["people"]["finished"], about["people"]["withdrawn"]) == (PER_ITEM, 1)
    assert [one["measure"] for one in about["agreement"]] == ["chosen"]


def change_underneath(items: Path, taker: Taker, slot: str, code: str) -> None:
    """The study is paused while its dataset is another one, and goes on when it is put back."""
    before = items.read_bytes()
    items.write_bytes(before.replace(b"pair-00", b"pair-0x"))
    until(lambda: taker.state()["changed"])
    assert taker.answer(slot, {"side": "first"}, code).status == 503
    items.write_bytes(before)
    until(lambda: not taker.state()["changed"])
    assert taker.state()["slots"][0]["id"] == slot
