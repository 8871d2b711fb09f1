from pathlib import Path

from affordance.core.errors import DataError, UnknownName


def test_a_typo_gets_a_suggestion() -> None:
    assert str(UnknownName("task", "motion/efect", ["motion/effect"])) == (
        "unknown task 'motion/efect'; did you mean 'motion/effect'?"
    )


def test_anything_else_gets_the_list() -> None:
    assert str(UnknownName("task", "zzz", ["b", "a"])) == "unknown task 'zzz'; known: a, b"


def test_data_errors_name_the_line() -> None:
    assert str(DataError("expected x", Path("items.jsonl"), 7)) == "items.jsonl:7: expected x"
