"""Rows that are people: what is said of who answered, and that made-up people are called so everywhere."""

from collections import Counter
from dataclasses import replace

import pytest
from board_rows import rows_of

from affordance.core.attempt import Ended
from affordance.report import words
from affordance.report.document import notes
from affordance.report.exports.sheets import long_form
from affordance.report.leaderboard import kind_of
from affordance.report.overview import overview
from affordance.report.people import People, introduced
from affordance.report.rows import Row
from report_ledgers import RIGHT, Plan

PEOPLE = People(
    counted=9,
    entered=11,
    withdrawn=1,
    excluded={"2 of 2 attention checks wrong": 1},
    left_out={"empty": 2, "inappropriate": 1},
    per_item=3,
    per_person=10,
    checks=2,
    seed=7,
    synthetic=False,
)


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> Row:
    (found,) = rows_of(tmp_path_factory.mktemp("ledger") / "one.db", Plan({"study:lab": (RIGHT, RIGHT)}, name="lab"))
    return found


def test_who_how_many_how_assigned_and_what_does_not_count() -> None:
    assert introduced(PEOPLE, "clip") == (
        "9 people. Each clip is given to 3 people and each person gets at most 10 clips, none twice; who gets which is "
        "drawn with seed 7, from what has the fewest people so far. 11 began: 1 excluded (2 of 2 attention checks "
        "wrong), 1 withdrawn, 3 answers left out (empty; inappropriate)."
    )
    alone = replace(PEOPLE, counted=1, entered=1, withdrawn=0, excluded={}, left_out={}, per_item=1, per_person=None)
    assert introduced(alone, "pair") == (
        "1 person. Each pair is given to 1 person and each person gets every pair, none twice; who gets which is drawn "
        "with seed 7, from what has the fewest people so far. 1 began: 0 excluded, 0 withdrawn, 0 answers left out."
    )


def test_what_nobody_has_answered_is_told_as_that(row: Row) -> None:
    ended = Counter({**row.ended, Ended.FAILED: 80})
    waiting = replace(row, ended=ended, n=row.n + 80, bounds={"accuracy": (0.1, 0.9)}, complete=False)
    said = " ".join(notes([waiting]))
    assert "Missing attempts are not answered yet; they are not scored." in said
    assert f"study:lab is incomplete: 80 of {waiting.n} attempts are missing (80 not answered yet); " in said
    assert "accuracy is between 10.0 and 90.0%" in said
    assert "(80 not answered yet)" in " ".join(words.caveats([waiting]))
    model = replace(waiting, model="openai:m")
    both = "failed or are not finished, or are not answered yet by people"
    assert words.why_missing([model, waiting]) == both
    assert words.why_missing([model]) == "failed or are not finished"


@pytest.mark.parametrize(("synthetic", "called"), [(False, "people"), (True, "people (synthetic)")])
def test_what_they_are_called(row: Row, synthetic: bool, called: str) -> None:
    row = replace(row, asked=replace(PEOPLE, synthetic=synthetic))
    assert words.name(row) == f"study:lab, {called}"
    assert kind_of(row) == called
    assert f",{called}," in long_form([row])
    said = " ".join(notes([row]))
    assert "study:lab: 9 people" in said
    assert ("made up: a program answers, so this says nothing about people" in said) is synthetic
    others = [replace(row, run=name, model=f"study:{name}") for name in ("a", "b", "c")]
    shown = overview([(one.run, "What?", [one]) for one in others])
    assert shown.models == (called,), "one column for all studies, each of which is one line"
