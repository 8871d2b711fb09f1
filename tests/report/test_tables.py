"""Tables on terminals of any width."""

from io import StringIO

from rich.console import Console

from affordance.report.formats.terminal import _write_all, wrap
from affordance.report.sheet import Column, ReportTable
from cases import case

NAME = "openai:qwen/qwen2.5-vl-72b@http://127.0.0.1:8000/v1"
COLUMNS = (Column("model", left=True), Column("begun", left=True), *(Column(f"number {n}") for n in range(6)))
SHEET = ReportTable("", COLUMNS, ((NAME, "2026-11-16 14:17", *"123456"), ("oracle", "", *"123456")), ("A note.",))


def shown(width: int) -> str:
    text = StringIO()
    _write_all(Console(file=text, width=width, color_system=None, highlight=False), [SHEET], first=24)
    return text.getvalue()


def test_names_stay_in_readable_pieces() -> None:
    for width in (20, 45, 60, 80, 100):
        text = shown(width)
        with case(width):
            assert max(map(len, text.splitlines())) <= width
            for piece in ("openai:qwen/", "127.0.0.1:8000/", *(column.name for column in COLUMNS[2:]), "A note."):
                assert piece in text


def test_without_room_for_a_table_there_are_records() -> None:
    assert shown(59).splitlines()[:3] == [NAME, "  begun     2026-11-16 14:17", "  number 0  1"]
    assert "begun" not in shown(59).partition("oracle")[2]  # what says nothing is left out


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
            assert wrap(text, width) == expected
