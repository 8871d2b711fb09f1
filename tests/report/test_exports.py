"""Exports: the same tables as Markdown, LaTeX and CSV, whatever is in names."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from board_rows import HOSTILE, on, rows_of
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from affordance.cli.main import app
from affordance.core.formatting import Unit
from affordance.core.table import Column, Table
from affordance.report.formats import latex, markdown
from affordance.report.formats.csv import COLUMNS, rows_to_csv
from affordance.report.formats.terminal import render_text
from affordance.report.report_tables import report_tables
from affordance.report.result_row import ResultRow
from cases import case
from report_ledgers import FAILED, PENDING, RIGHT, WRONG, Plan

MIXED = Plan({"openai:good": (RIGHT, RIGHT, WRONG), "openai:half": (RIGHT, WRONG, FAILED, PENDING)}, items=8)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[ResultRow]:
    return rows_of(
        tmp_path_factory.mktemp("ledger") / "ledger.db", MIXED, replace(MIXED, name="second", settings={"seed": 1})
    )


def hostile_table() -> Table:
    columns = (Column(HOSTILE[0]), *(Column(name, f"{name}\nn 1", align="right") for name in HOSTILE[:3]))
    rows = [(name, *HOSTILE[1:4]) for name in HOSTILE]
    return Table.of(HOSTILE[0], HOSTILE[1], columns, rows, HOSTILE, finding=HOSTILE[2], section=HOSTILE[4])


def hostile_rows(found: list[ResultRow]) -> list[ResultRow]:
    named = [replace(found[0], model=name, strategy=name, run=name or "run") for name in HOSTILE]
    dataset = {"name": HOSTILE[0], "digest": "d", "synthetic": False}
    return [replace(one, dataset=dataset) for one in named]


def cells_of_markdown(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_markdown_has_the_cells_of_the_terminal(found: list[ResultRow]) -> None:
    text = markdown.render_markdown(report_tables(found))
    shown = render_text(report_tables(found))
    tables = [line for line in text.splitlines() if line.startswith("| ")]
    bodies = [cells_of_markdown(line) for line in tables if ":--" not in line]
    for cells in bodies:
        if "<br>" not in "".join(cells):
            words = [re.sub(r"\\(.)", r"\1", cell) for cell in cells if cell]
            assert re.search(r"\s+".join(map(re.escape, words)), shown), words
    assert "openai:half \\*" in text
    assert any("openai:half" in line and "8 of 16" in line for line in text.splitlines())


def test_markdown_tables_are_even(found: list[ResultRow]) -> None:
    text = markdown.render_markdown([hostile_table(), *report_tables(hostile_rows(found), detail=True)])
    width = 0
    for line in text.splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        assert line.endswith(" |")
        assert width in (0, len(cells_of_markdown(line)))
        width = len(cells_of_markdown(line))


def test_markdown_lets_nothing_through() -> None:
    text = markdown.render_markdown([hostile_table()]).replace("<br>", "")
    assert not re.search(r"[<>@\0\u202e\ud800]", text)
    assert not re.search(r"(?<!\\)[`$\[\]*]", text)
    assert "http:" not in text
    assert "https:" not in text
    assert "www." not in text


NOTES = {
    "- a": "\\- a",
    "+ a": "\\+ a",
    "1. a": "1\\. a",
    "* a": "\\* a",
    "# a": "\\# a",
    "---": "\\---",
    "95% of 3.5": "95% of 3.5",
}


def test_a_note_is_no_list() -> None:
    for note, written in NOTES.items():
        assert markdown.render_markdown([Table.of("t", "t", ["c"], [], [note])]).splitlines()[-1] == written


def structure(text: str) -> None:
    """What LaTeX needs: groups that close, environments that end, as many cells in each line as there are columns, no
    special character that is not escaped, and no command that needs a package."""
    bare = re.sub(r"\\[{}%&\\#_$^~]", "", re.sub(r"(?m)^%.*", "", text))
    depth = 0
    for sign in re.sub(r"\\(begin|end)\{\w+\}", "", bare):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert text.isascii()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f#$%^_]", bare), "special characters are escaped"
    assert "\n\n\n" not in text
    open_: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            open_.append(name)
        else:
            assert open_.pop() == name
    assert open_ == []
    for form, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        assert set(form) <= set("lrc")
        for line in body.strip().splitlines():
            if line.endswith("\\tabularnewline"):
                assert len(re.findall(r"(?<!\\)&", line)) == len(form) - 1
            else:
                assert line == "\\hline"
    outside = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}", "", bare, flags=re.DOTALL)
    assert "&" not in outside
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(set(labels)) == len(labels)


def test_latex_keeps_its_structure(found: list[ResultRow]) -> None:
    published = [on(found[0], "AutoGUI-v2 FuncElemGnd", "function/ground-element", form="functionality")]
    structure(latex.render_latex(report_tables(found, detail=True)))
    structure(latex.render_latex(report_tables(published, detail=True)))
    structure(latex.render_latex([hostile_table(), hostile_table(), *report_tables(hostile_rows(found), detail=True)]))


@settings(max_examples=60)
@given(st.text(max_size=60), st.text(max_size=60))
def test_latex_keeps_its_structure_whatever_names_are(name: str, note: str) -> None:
    columns = (Column("model"), Column(name, unit=Unit.PERCENT))
    structure(latex.render_latex([Table.of(name, name, columns, [(name, note), (note, name)], [note])]))


CHARACTERS = {
    "a_b": "a\\_\\allowbreak{}b",
    "50% & #1": "50\\% \\& \\#1",
    "x<y>z|": "x\\ensuremath{<}y\\ensuremath{>}z\\ensuremath{|}",
    "~^\\": "\\textasciitilde{}\\textasciicircum{}\\textbackslash{}",
    "[5]*": "{[}5{]}{*}",
    "a–b": "a--b",
    "67.4†": "67.4\\ensuremath{\\dagger}",
    "naïve": 'na\\"{i}ve',
    "αΔ": "\\ensuremath{\\alpha}\\ensuremath{\\Delta}",
    "ﬁ": "fi",
    "中": "U+4E2D",
}


def test_characters_that_latex_takes() -> None:
    assert {text: latex.escape_latex(text) for text in CHARACTERS} == CHARACTERS


def test_a_table_has_caption_label_and_no_package(found: list[ResultRow]) -> None:
    text = latex.render_latex(report_tables(found))
    assert text.count("\\begin{table}") == text.count("\\caption{") == text.count("\\label{tab:") == 3
    assert "usepackage" not in text
    assert "toprule" not in text


def read_back(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_is_long_and_exact(found: list[ResultRow]) -> None:
    lines = read_back(rows_to_csv(found))
    assert tuple(lines[0]) == COLUMNS
    row = found[0]
    whole = [line for line in lines if (line["run"], line["model"], line["by"]) == (row.run, row.model, "")]
    assert {line["metric"] for line in whole} == {name for name, value in row.metrics.items() if value is not None}
    (accuracy,) = [line for line in whole if line["metric"] == "accuracy"]
    assert float(accuracy["value"]) == row.metrics["accuracy"]
    assert (float(accuracy["low"]), float(accuracy["high"])) == row.intervals["accuracy"]
    assert (int(accuracy["n"]), int(accuracy["answered"])) == (row.n, row.ended["answered"])
    parts = [line for line in lines if (line["run"], line["model"]) == (row.run, row.model) and line["by"]]
    assert [(line["by"], line["group"]) for line in parts] == [(part.by, part.value) for part in row.breakdowns]


def test_csv_has_bounds_of_what_is_missing(found: list[ResultRow]) -> None:
    lines = read_back(rows_to_csv(found))
    half = next(line for line in lines if line["model"] == "openai:half" and line["metric"] == "accuracy")
    assert (half["bound_low"], half["bound_high"], half["complete"]) == ("0.25", "0.75", "false")
    assert (half["failed"], half["pending"]) == ("4", "4")


def test_csv_has_no_formulas(found: list[ResultRow]) -> None:
    for name in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "\n=1"):
        lines = read_back(rows_to_csv([replace(found[0], model=name, run=name)]))
        expected = f"'{name}".replace("\r", " ")
        assert {(line["model"], line["run"]) for line in lines} == {(expected, expected)}


def test_csv_reads_back_what_was_written(found: list[ResultRow]) -> None:
    for name in HOSTILE:
        lines = read_back(rows_to_csv([replace(found[0], model=name)]))
        with case(name):
            assert len({line["model"] for line in lines}) == 1
            assert all(None not in line and None not in line.values() for line in lines)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("ledger") / "cli.db"
    rows_of(where, MIXED)
    return where


FORMATS = {"table": "openai:good", "json": '"accuracy"', "md": "| ", "csv": "run,task", "latex": "\\begin{table}"}


def test_the_command_writes_every_format(ledger: Path, tmp_path: Path) -> None:
    for format_, holds in FORMATS.items():
        command = ["report", "--ledger", str(ledger), "--format", format_]
        printed = CliRunner().invoke(app, command)
        assert printed.exit_code == 0, printed.output
        assert holds in printed.stdout
        out = tmp_path / f"out.{format_}"
        result = CliRunner().invoke(app, [*command, "-o", str(out)])
        assert (result.exit_code, result.stdout) == (0, f"{out}\n")
        text = out.read_text(encoding="utf-8")
        assert holds in text
        assert "\x1b" not in text
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_a_file_is_written_whole_or_not_at_all(ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "none"
    folder.write_text("a file")
    result = CliRunner().invoke(app, ["report", "--ledger", str(ledger), "-o", str(folder / "out.txt")])
    assert result.exit_code != 0
    assert folder.read_text() == "a file"


def test_a_link_stays_a_link(ledger: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    CliRunner().invoke(app, ["report", "--ledger", str(ledger), "--format", "md", "-o", str(link)])
    assert link.is_symlink()
    assert "| openai:good |" in target.read_text(encoding="utf-8")
