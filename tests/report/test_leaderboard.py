"""The leaderboard over runs: who shares a column, what papers state beside it, and what must be said about both."""

from dataclasses import replace
from pathlib import Path

import pytest
from board_rows import HOSTILE, on, rows_of

from affordance.report.formats.terminal import WIDTH, render_text
from affordance.report.leaderboard import Leaderboard, comparable_settings, leaderboard_table, leaderboards, model_kind
from affordance.report.report_tables import print_rows
from affordance.report.rows import ResultRow
from affordance.report.sheet import Column, ReportTable, split_columns
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


def column(board: Leaderboard, number: int) -> dict[str, str]:
    return {line.model: cell.text for line in board.lines if (cell := line.cells[number]) is not None}


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
    assert len(board.headings) == 1
    assert column(board, 0).keys() == {"openai:a", "openai:b"}
    assert_carries(board.headings[0].legend, "first", "second")


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
            assert len(board.headings) == 2
            assert [line.model for line in board.lines] == ["openai:a"], "one line, a cell in each column"
            assert all(cell is not None for cell in board.lines[0].cells)
            assert board.headings[0].legend.startswith("A: ")
            assert board.headings[1].legend.startswith("B: ")
            assert board.headings[0].legend[3:] != board.headings[1].legend[3:]
            assert board.finding
            assert board.finding != same.finding, "columns that differ are not to be compared"


def test_sampling_of_its_own_makes_a_column(row: ResultRow) -> None:
    """What a model has in affordance.toml is in no setting of the run, but in what it was sent."""
    common = {"parameters": {row.task: {"temperature": 0}}}
    plain = replace(row, settings=common, sent=({"parameters": {"temperature": 0}},))
    own = replace(plain, run="other", sent=({"parameters": {"temperature": 1.3}},))
    less = replace(plain, run="third", sent=({"parameters": {}},))
    assert len(only([plain, own]).headings) == 2
    assert len(only([plain, less]).headings) == 1, "a model that does not take what it is asked with"


def test_settings_of_other_tasks_make_none(row: ResultRow) -> None:
    first = replace(row, settings={"trials": {"motion/effect": 2, "x": 1}, "tasks": ["motion/effect"]})
    other = replace(row, run="second", settings={"trials": {"motion/effect": 2, "x": 9}, "tasks": ["a", "b"]})
    assert comparable_settings(first) == comparable_settings(other)
    assert len(only([first, other]).headings) == 1


def test_two_runs_under_one_condition_keep_their_lines(row: ResultRow) -> None:
    board = only([row, replace(row, run="second", metrics={"accuracy": 0.5})])
    assert set(column(board, 0)) == {"openai:a, run first", "openai:a, run second"}


def test_published_rows_have_columns_of_their_own(row: ResultRow) -> None:
    board = only([on(row, *GROUND, form="functionality")])
    ours, *stated = (heading.lines for heading in board.headings)
    assert (ours[0], numbers_in(" ".join(ours[1:]))) == ("AutoGUI-v2 FuncElemGnd", [7, 14])
    assert stated == [("AutoGUI-v2", "Table 5", "n 1,076"), ("AutoGUI-v2", "Table 6", "n 1,076")]
    assert len({heading.measure for heading in board.headings}) == 1
    for line in board.lines:
        is_ours = line.kind != "published"
        assert (line.cells[0] is not None) == is_ours
        assert all((cell is not None) != is_ours for cell in line.cells[1:])
    assert (column(board, 1)["GLM-4.5V"], column(board, 2)["GLM-4.5V"]) == ("67.4†", "24.4†")
    assert column(board, 1)["OpenCUA-72B"] == "67.9"
    assert any(note.startswith("† AutoGUI-v2, Table 6, GLM-4.5V: 24.4%") for note in board.notes)


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
    ("AniMINT", "motion/meaning", "context", "text on RQ3", "GPT-o3", "3.47 of 5"),
]


def test_the_headline_of_each_paper(row: ResultRow) -> None:
    for dataset, task, form, source, model, value in HEADLINES:
        board = only([on(row, dataset, task, form=form)])
        with case((dataset, form)):
            (number,) = [place for place, heading in enumerate(board.headings) if source in heading.lines]
            assert column(board, number)[model] == value
            assert board.published


def test_made_up_data_is_never_beside_published_rows(row: ResultRow) -> None:
    """Neither under a name that papers use, nor on one board with a run that has them."""
    real = on(row, *GROUND, form="functionality")
    made_up = replace(real, run="second", dataset={**real.dataset, "synthetic": True})
    assert leaderboards([made_up]) == []
    board = only([real, made_up])
    assert board.published
    assert "second" not in board.headings[0].legend
    assert [line.model for line in board.lines if line.kind != "published"] == ["openai:a"]


def test_table_4_is_not_beside_the_public_set(row: ResultRow) -> None:
    assert leaderboards([on(row, "AutoGUI-v2 FuncRegionCap-v2", "function/outcome-region", form="single")]) == []


def test_forms_are_lines(row: ResultRow) -> None:
    board = only([on(row, *GROUND, form=form) for form in ("functionality", "intent")])
    assert board.several_forms
    assert board.subject == "function/ground-element"
    stated = [line.form for line in board.lines if line.model == "O3"]
    assert sorted(stated) == ["functionality", "intent"], "description was not asked, so it is not shown"
    one = only([on(row, *GROUND, form="intent")])
    assert (one.several_forms, one.subject) == (False, "function/ground-element (intent)")


def test_incomplete_rows_are_marked_and_told(tmp_path: Path) -> None:
    plan = Plan({"openai:half": (RIGHT, WRONG, FAILED, PENDING)}, items=8)
    board = only(rows_of(tmp_path / "l.db", plan, replace(plan, name="second", settings={"seed": 1})))
    assert all(cell is not None and cell.text.startswith("50.0*") for cell in board.lines[0].cells)
    assert any(note.startswith("* ") and "8 of 16" in note for note in board.notes)


def test_ours_come_first_and_best_first(row: ResultRow) -> None:
    better = replace(row, model="openai:b", metrics={"accuracy": 0.99})
    lines = only([on(one, *GROUND, form="functionality") for one in (row, better)]).lines
    assert [line.model for line in lines[:3]] == ["openai:b", "openai:a", "Qwen3-VL-32B-Instruct"]


def test_the_terminal_shows_the_board_within_its_width(row: ResultRow, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [on(replace(row, run=run, settings={"seed": run}), *GROUND, form="functionality") for run in "abcd"]
    print_rows(rows)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= WIDTH
    titles = [line for line in shown.splitlines() if "function/ground-element (functionality)" in line]
    assert len(titles) > 1, "the board is continued"
    assert "67.4†" in shown


def test_names_are_text(row: ResultRow) -> None:
    for hostile in HOSTILE:
        other = replace(row, model=hostile, run=f"{hostile}2", settings={"seed": 1})
        board = only([replace(row, model=hostile), other])
        with case(hostile):
            assert [line.model for line in board.lines] == [hostile]
            assert "[bold]x[/bold]" in render_text(
                [ReportTable("t", (Column("[bold]x[/bold]", left=True),), ((hostile,),))]
            )


def test_twenty_models_in_five_runs(row: ResultRow) -> None:
    rows = [
        replace(row, model=f"vendor:m{n}", run=f"run {run}", settings={"seed": run})
        for n in range(20)
        for run in range(5)
    ]
    board = only(rows)
    assert (len(board.lines), len(board.headings)) == (20, 5)
    assert len(leaderboard_table(board).columns) == 2 + 5


def test_a_wide_sheet_is_cut_into_parts() -> None:
    columns = (Column("model", left=True), *(Column(f"column {n}") for n in range(12)))
    lines = (("a", *("1",) * 12), ("b", *("2",) * 6, *("",) * 6))
    parts = list(split_columns(ReportTable("title", columns, lines, ("note",)), 60))
    assert len(parts) > 1
    assert [column.name for part in parts for column in part.columns[1:]] == [f"column {n}" for n in range(12)]
    assert [part.notes for part in parts] == [()] * (len(parts) - 1) + [("note",)]
    assert [line[0] for line in parts[-1].lines] == ["a"], "nothing of b is in the last part"
    assert len(list(split_columns(ReportTable("t", columns[:3], tuple(line[:3] for line in lines)), 60))) == 1
