"""The leaderboard over runs: who shares a column, what papers state beside it, and what must be said about both."""

from dataclasses import replace
from pathlib import Path

import pytest
from board_rows import HOSTILE, on, rows_of

from affordance.core.formatting import Unit
from affordance.core.table import Column, Table
from affordance.report.formats.layout import split_columns
from affordance.report.formats.terminal import MAX_WIDTH, render_text
from affordance.report.leaderboard import Leaderboard, comparable_settings, leaderboards, model_kind
from affordance.report.report_tables import print_rows
from affordance.report.result_row import ResultRow
from cases import case, numbers_in
from errors import assert_carries
from report_ledgers import FAILED, PENDING, RIGHT, WRONG, Plan

GROUND = ("AutoGUI-v2 FuncElemGnd", "function/ground-element")


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> ResultRow:
    (found,) = rows_of(
        tmp_path_factory.mktemp("ledger") / "one.db", Plan({"openai:a": (RIGHT, WRONG, RIGHT)}, name="first")
    )
    return found


def only(rows: list[ResultRow]) -> Leaderboard:
    (found,) = leaderboards(rows)
    return found


def first_value(board: Leaderboard) -> int:
    """The place of the first column with numbers."""
    return next(place for place, column in enumerate(board.table.columns) if column.unit is not Unit.TEXT)


def legends(board: Leaderboard) -> list[str]:
    return list(board.table.notes[: len(headings(board))])


def headings(board: Leaderboard) -> list[list[str]]:
    return [heading.split("\n") for heading in board.table.headings()[first_value(board) :]]


def models(board: Leaderboard, *, published: bool | None = None) -> list[str]:
    return [row[0] for row in board.table.texts() if published is None or (row[1] == "published") == published]


def column(board: Leaderboard, number: int) -> dict[str, str]:
    place = first_value(board) + number
    return {row[0]: row[place] for row in board.table.texts() if row[place]}


def test_what_kind_a_row_is_of(row: ResultRow) -> None:
    kinds = {
        "openai:gpt-4o": "model",
        "vllm:x@http://host/v1": "model",
        "replay:file.jsonl": "model",
        "baseline:random": "baseline",
        "oracle:default": "baseline",
        "baseline:people": "people",
        "study:lab": "people",
    }
    assert {model: model_kind(replace(row, model=model)) for model in kinds} == kinds


def test_one_run_without_published_rows_has_no_board(row: ResultRow) -> None:
    assert leaderboards([row]) == []
    assert leaderboards([]) == []


def test_equal_conditions_share_a_column(row: ResultRow) -> None:
    board = only([row, replace(row, run="second", model="openai:b")])
    assert len(headings(board)) == 1
    assert column(board, 0).keys() == {"openai:a", "openai:b"}
    assert_carries(legends(board)[0], "first", "second")


DIFFERENCES = {
    "dataset": {"dataset": {"name": "other", "digest": "d0", "synthetic": True}},
    "version": {"dataset": {"name": "primitives", "digest": "d9", "synthetic": True}},
    "n": {"n": 13},
    "items": {"items": 6},
    "protocol": {"settings": {"protocol": "paper", "seed": 0}},
    "seed": {"settings": {"protocol": "affordance", "seed": 1}},
    "prompts": {"settings": {"protocol": "affordance", "seed": 0, "prompts": {"motion/effect": "p2"}}},
    "judge": {"settings": {"protocol": "affordance", "seed": 0, "judge": "openai:judge"}},
    "trials": {"settings": {"protocol": "affordance", "seed": 0, "trials": {"motion/effect": 3}}},
    "sampling": {
        "settings": {"protocol": "affordance", "seed": 0, "parameters": {"motion/effect": {"temperature": 1}}}
    },
    "what is not known yet": {"settings": {"protocol": "affordance", "seed": 0, "new": "x"}},
}


def test_whatever_differs_makes_a_column(row: ResultRow) -> None:
    first = replace(row, settings={"protocol": "affordance", "seed": 0})
    same = only([first, replace(first, run="second")])
    for name, change in DIFFERENCES.items():
        board = only([first, replace(first, run="second", **change)])  # type: ignore[arg-type]
        with case(name):
            assert len(headings(board)) == 2
            assert models(board) == ["openai:a"], "one line, a cell in each column"
            assert all(cell.value != "" for cell in board.table.rows[0])
            assert legends(board)[0].startswith("A: ")
            assert legends(board)[1].startswith("B: ")
            assert legends(board)[0][3:] != legends(board)[1][3:]
            assert board.table.finding
            assert board.table.finding != same.table.finding, "columns that differ are not to be compared"


def test_sampling_of_its_own_makes_a_column(row: ResultRow) -> None:
    """What a model has in affordance.toml is in no setting of the run, but in what it was sent."""
    common = {"parameters": {row.task: {"temperature": 0}}}
    plain = replace(row, settings=common, sent=({"parameters": {"temperature": 0}},))
    own = replace(plain, run="other", sent=({"parameters": {"temperature": 1.3}},))
    less = replace(plain, run="third", sent=({"parameters": {}},))
    assert len(headings(only([plain, own]))) == 2
    assert len(headings(only([plain, less]))) == 1, "a model that does not take what it is asked with"


def test_settings_of_other_tasks_make_none(row: ResultRow) -> None:
    first = replace(row, settings={"trials": {"motion/effect": 2, "x": 1}, "tasks": ["motion/effect"]})
    other = replace(row, run="second", settings={"trials": {"motion/effect": 2, "x": 9}, "tasks": ["a", "b"]})
    assert comparable_settings(first) == comparable_settings(other)
    assert len(headings(only([first, other]))) == 1


def test_two_runs_under_one_condition_keep_their_lines(row: ResultRow) -> None:
    board = only([row, replace(row, run="second", metrics={"accuracy": 0.5})])
    assert set(column(board, 0)) == {"openai:a, run first", "openai:a, run second"}


def test_published_rows_have_columns_of_their_own(row: ResultRow) -> None:
    board = only([on(row, *GROUND, form="functionality")])
    ours, *stated = headings(board)
    assert (ours[0], numbers_in(" ".join(ours[1:]))) == ("AutoGUI-v2 FuncElemGnd", [7, 14])
    assert [one[:-1] for one in stated] == [["AutoGUI-v2", "Table 5", "n 1,076"], ["AutoGUI-v2", "Table 6", "n 1,076"]]
    assert len({one[-1] for one in (ours, *stated)}) == 1
    for _, kind, *cells in board.table.texts():
        assert [bool(cell) for cell in cells] == [kind != "published"] + [kind == "published"] * 2
    assert (column(board, 1)["GLM-4.5V"], column(board, 2)["GLM-4.5V"]) == ("67.4†", "24.4†")
    assert column(board, 1)["OpenCUA-72B"] == "67.9"
    assert any(note.startswith("† AutoGUI-v2, Table 6, GLM-4.5V: 24.4%") for note in board.table.notes)


HEADLINES = [
    ("AutoGUI-v2 FuncRegionGnd-v2", "function/ground-region", "functionality", "Table 3", "O3", "36.7"),
    ("AutoGUI-v2 FuncRegionGnd-v2", "function/ground-region", "description", "Table 3", "O3", "49.2†"),
    ("AutoGUI-v2 FuncElemGnd", "function/ground-element", "intent", "Table 5", "O3", "6.3"),
    ("AutoGUI-v2 FuncElemCap", "function/outcome-element", "single", "Table 7", "O3", "65.4"),
    ("ScreenSpot-v2", "function/ground-element", "description", "Table 5", "O3", "30.5"),
    ("OSWorld-G", "function/ground-element", "description", "Table 5", "O3", "9.6"),
    ("WiserUI-Bench", "behavior/choice", "", "Tables 2 and 4", "o1", "57.17"),
    ("WiserUI-Bench", "behavior/rationale", "", "Table 3", "o1", "64.18"),
    ("AniMINT", "motion/purpose", "context", "text on RQ2", "Gemini-2.5-Pro", "64.0"),
    ("AniMINT", "motion/meaning", "context", "text on RQ3", "GPT-o3", "3.47"),
]


def test_the_headline_of_each_paper(row: ResultRow) -> None:
    for dataset, task, form, source, model, value in HEADLINES:
        board = only([on(row, dataset, task, form=form)])
        with case((dataset, form)):
            (number,) = [place for place, heading in enumerate(headings(board)) if source in heading]
            assert column(board, number)[model] == value
            assert board.published


def test_made_up_data_is_never_beside_published_rows(row: ResultRow) -> None:
    """Neither under a name that papers use, nor on one board with a run that has them."""
    real = on(row, *GROUND, form="functionality")
    made_up = replace(real, run="second", dataset={**real.dataset, "synthetic": True})
    assert leaderboards([made_up]) == []
    board = only([real, made_up])
    assert board.published
    assert "second" not in legends(board)[0]
    assert models(board, published=False) == ["openai:a"]


def test_table_4_is_not_beside_the_public_set(row: ResultRow) -> None:
    assert leaderboards([on(row, "AutoGUI-v2 FuncRegionCap-v2", "function/outcome-region", form="single")]) == []


def test_forms_are_lines(row: ResultRow) -> None:
    board = only([on(row, *GROUND, form=form) for form in ("functionality", "intent")])
    assert board.subject == "function/ground-element"
    stated = [row[2] for row in board.table.texts() if row[0] == "O3"]
    assert sorted(stated) == ["functionality", "intent"], "description was not asked, so it is not shown"
    one = only([on(row, *GROUND, form="intent")])
    assert (first_value(one), one.subject) == (2, "function/ground-element (intent)")


def test_incomplete_rows_are_marked_and_told(tmp_path: Path) -> None:
    plan = Plan({"openai:half": (RIGHT, WRONG, FAILED, PENDING)}, items=8)
    board = only(rows_of(tmp_path / "l.db", plan, replace(plan, name="second", settings={"seed": 1})))
    assert all(cell.startswith("50.0*") for cell in board.table.texts()[0][2:])
    assert any(note.startswith("* ") and "8 of 16" in note for note in board.table.notes)


def test_ours_come_first_and_best_first(row: ResultRow) -> None:
    better = replace(row, model="openai:b", metrics={"accuracy": 0.99})
    board = only([on(one, *GROUND, form="functionality") for one in (row, better)])
    assert models(board)[:3] == ["openai:b", "openai:a", "Qwen3-VL-32B-Instruct"]


def test_the_terminal_shows_the_board_within_its_width(row: ResultRow, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [on(replace(row, run=run, settings={"seed": run}), *GROUND, form="functionality") for run in "abcd"]
    print_rows(rows)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= MAX_WIDTH
    titles = [line for line in shown.splitlines() if "function/ground-element (functionality)" in line]
    assert len(titles) > 1, "the board is continued"
    assert "67.4†" in shown


def test_names_are_text(row: ResultRow) -> None:
    for hostile in HOSTILE:
        other = replace(row, model=hostile, run=f"{hostile}2", settings={"seed": 1})
        board = only([replace(row, model=hostile), other])
        with case(hostile):
            assert models(board) == [hostile]
            assert "[bold]x[/bold]" in render_text([Table.of("t", "t", ["[bold]x[/bold]"], [(hostile,)])])


def test_twenty_models_in_five_runs(row: ResultRow) -> None:
    rows = [
        replace(row, model=f"vendor:m{n}", run=f"run {run}", settings={"seed": run})
        for n in range(20)
        for run in range(5)
    ]
    board = only(rows)
    assert (len(board.table.rows), len(headings(board))) == (20, 5)


def test_a_wide_sheet_is_cut_into_parts() -> None:
    columns = (Column("model"), *(Column(f"column {n}", unit=Unit.COUNT) for n in range(12)))
    rows = [("a", *(1,) * 12), ("b", *(2,) * 6, *("",) * 6)]
    parts = list(split_columns(Table.of("t", "title", columns, rows, ["note"]), 60))
    assert len(parts) > 1
    assert [column.key for part in parts for column in part.columns[1:]] == [f"column {n}" for n in range(12)]
    assert [part.notes for part in parts] == [()] * (len(parts) - 1) + [("note",)]
    assert [row[0] for row in parts[-1].texts()] == ["a"], "nothing of b is in the last part"
    assert len(list(split_columns(Table.of("t", "t", columns[:3], [row[:3] for row in rows]), 60))) == 1
