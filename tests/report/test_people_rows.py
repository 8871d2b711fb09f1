"""Rows that are people: what is said of who answered, and that made-up people are called so everywhere."""

from collections import Counter
from dataclasses import replace

import pytest
from board_rows import rows_of

from affordance.core.attempts import AttemptStatus
from affordance.models.study_answers import UNANSWERED
from affordance.report import notes
from affordance.report.formats.csv import rows_to_csv
from affordance.report.human_rows import ParticipantSummary, describe_participants
from affordance.report.leaderboard import model_kind
from affordance.report.overview import overview
from affordance.report.result_row import ResultRow
from cases import numbers_in
from errors import assert_carries
from report_ledgers import RIGHT, Plan

PEOPLE = ParticipantSummary(
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
def row(tmp_path_factory: pytest.TempPathFactory) -> ResultRow:
    (found,) = rows_of(tmp_path_factory.mktemp("ledger") / "one.db", Plan({"study:lab": (RIGHT, RIGHT)}, name="lab"))
    return found


def test_who_how_many_how_assigned_and_what_does_not_count() -> None:
    said = describe_participants(PEOPLE, "clip")
    assert numbers_in(said)[:4] == [9, 3, 10, 7]
    assert_carries(said, "11 ", "2 of 2 attention checks wrong", "empty", "inappropriate", "3 ")
    alone = replace(PEOPLE, counted=1, entered=1, withdrawn=0, excluded={}, left_out={}, per_item=1, per_person=None)
    other = describe_participants(alone, "pair")
    assert numbers_in(other) == [1, 1, 7, 1, 0, 0, 0]
    assert "clip" not in other


def test_what_nobody_has_answered_is_told_as_that(row: ResultRow) -> None:
    ended = Counter({**row.ended, AttemptStatus.FAILED: 80})
    waiting = replace(row, ended=ended, n=row.n + 80, bounds={"accuracy": (0.1, 0.9)}, complete=False)
    said = " ".join(notes.notes([waiting]))
    assert_carries(said, "study:lab", f"80 of {waiting.n}", f"80 {UNANSWERED}", "10.0", "90.0%")
    assert f"80 {UNANSWERED}" in " ".join(notes.warnings_of([waiting]))
    model = replace(waiting, model="openai:m")
    assert UNANSWERED in notes.why_missing([model, waiting])
    assert notes.why_missing([model, waiting]).startswith(notes.why_missing([model]))
    assert UNANSWERED not in notes.why_missing([model])


def test_what_they_are_called(row: ResultRow) -> None:
    kinds, sentences = set(), set()
    for synthetic in (False, True):
        asked = replace(row, asked=replace(PEOPLE, synthetic=synthetic))
        called = model_kind(asked)
        assert asked.label == f"study:lab, {called}"
        assert f",{called}," in rows_to_csv([asked])
        (said,) = [one for one in notes.notes([asked]) if one.startswith("study:lab: ")]
        assert_carries(said, "9 ")
        others = [replace(asked, run=name, model=f"study:{name}") for name in ("a", "b", "c")]
        shown = overview([(one.run, "What?", [one]) for one in others])
        assert shown.models == (called,), "one column for all studies, each of which is one line"
        kinds.add(called)
        sentences.add(said)
    assert len(kinds) == len(sentences) == 2, "simulated people are called so"
