"""Tables as data, and on terminals of any width."""

import pytest

from affordance.core.formatting import Scalar, Unit
from affordance.core.table import Cell, Column, Mark, Table
from affordance.core.text import truncate, truncate_middle, wrap_name
from affordance.report.formats.html import render_html
from affordance.report.formats.latex import render_latex
from affordance.report.formats.markdown import render_markdown
from affordance.report.formats.terminal import render_text
from cases import case

NAME = "openai:qwen/qwen2.5-vl-72b@http://127.0.0.1:8000/v1"
COLUMNS = (Column("model"), Column("begun"), *(Column(f"number {n}", unit=Unit.COUNT) for n in range(6)))
ROWS = ((NAME, "2026-11-16 14:17", *range(6)), ("oracle", "", *range(6)))
TABLE = Table.of("t", "", COLUMNS, ROWS, ["A note."])


def test_names_stay_in_readable_pieces() -> None:
    for width in (45, 60, 80, 100):
        text = render_text([TABLE], width)
        with case(width):
            assert max(map(len, text.splitlines())) <= width
            for piece in ("openai:qwen/", "127.0.0.1:8000/", *(column.key for column in COLUMNS[2:]), "A note."):
                assert piece in text


def test_control_characters_do_not_reach_the_terminal() -> None:
    hostile = "\x1b[2J\x07\u202ename\r\n"
    table = Table.of(hostile, hostile, [Column("c", hostile), "d"], [(hostile, hostile)], [hostile], finding=hostile)
    for width in (100, 24):
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(render_text([table], width))


VALUES: dict[str, tuple[Unit, Scalar, str]] = {
    "a share": (Unit.PERCENT, 0.7764, "77.6"),
    "points": (Unit.POINTS, 0.041, "+4.1"),
    "no minus in front of zero": (Unit.POINTS, -0.0001, "+0.0"),
    "a score": (Unit.SCORE, 3.414, "3.41"),
    "a difference of scores": (Unit.DIFFERENCE, -0.5, "-0.50"),
    "a coefficient": (Unit.RATIO, -0.001, "0.00"),
    "a count": (Unit.COUNT, 1234567, "1,234,567"),
    "a mean count": (Unit.COUNT, 1.25, "1.2"),
    "p": (Unit.P, 0.0421, "0.042"),
    "a small p": (Unit.P, 0.0001, "< 0.001"),
    "seconds": (Unit.SECONDS, 1234.56, "1,234.6"),
    "money": (Unit.USD, 0.125, "0.12"),
    "text": (Unit.TEXT, "x", "x"),
    "a number among texts": (Unit.TEXT, 3, "3"),
    "a text among numbers": (Unit.PERCENT, "?", "?"),
    "nothing": (Unit.SCORE, None, "–"),
}


def test_how_values_are_written() -> None:
    for name, (unit, value, expected) in VALUES.items():
        with case(name):
            assert unit.format_value(value) == expected


def test_a_table_has_the_same_cells_in_all_formats() -> None:
    """Every unit, intervals in columns and in cells, n and marks."""
    units = [unit for unit in Unit if unit is not Unit.TEXT]
    columns = [Column("name"), *(Column(unit.value, unit=unit) for unit in units)]
    cells = [Cell(0.5, (0.25, 0.75), n=7, marks=(Mark.CONTRADICTED,)), *(Cell(0.5) for _ in units[1:])]
    for intervals in ("column", "cell"):
        table = Table("t", "title", tuple(columns), ((Cell("<x>"), *cells),), ("note",), intervals=intervals)
        (texts,) = table.texts()
        assert (
            len(texts) == len(table.headings()) == len(table.left_aligned()) == len(columns) + (intervals == "column")
        )
        assert ("25.0 to 75.0" in texts) == (intervals == "column")
        assert texts[1] == ("50.0† (n 7)" if intervals == "column" else "50.0† (25.0 to 75.0, n 7)")
        html, markdown = render_html([table]), render_markdown([table])
        plain, latex = render_text([table], 400), render_latex([table])
        for text in texts[1:]:
            assert text in html
            assert text in plain
            assert text in markdown.replace("\\", "").replace("&lt;", "<")
            assert text.replace("†", "\\ensuremath{\\dagger}") in latex
        assert "&lt;x&gt;" in html


def test_columns_are_selected_with_their_intervals() -> None:
    table = Table.of("t", "", ["a", Column("b", unit=Unit.PERCENT)], [("x", Cell(0.5, (0.0, 1.0)))])
    assert table.select([1]).texts() == [("50.0", "0.0 to 100.0")]
    assert table.select([0]).texts() == [("x",)]


WRAPPED = {
    "it fits": ("a-b/c", 5, "a-b/c"),
    "at a slash": ("motion/effect", 8, "motion/\neffect"),
    "at a space": ("one two", 4, "one\ntwo"),
    "nowhere to end": ("x" * 7, 3, "xxx\nxxx\nx"),
    "lines of its own": ("a\nb", 9, "a\nb"),
    "nothing": ("", 5, ""),
}


def test_wrapped() -> None:
    for name, (text, width, expected) in WRAPPED.items():
        with case(name):
            assert wrap_name(text, width) == expected


@pytest.mark.parametrize(("text", "length", "expected"), [("a  b\nc", 9, "a b c"), ("abcdef", 4, "abc…"), ("", 3, "")])
def test_truncate(text: str, length: int, expected: str) -> None:
    assert truncate(text, length) == expected


def test_truncate_middle() -> None:
    assert truncate_middle("abcdefghi", 5) == "ab…hi"
    assert truncate_middle("abcde", 5) == "abcde"
