from pathlib import Path

import pytest

from affordance.core.errors import DataError, UnknownName, nearest


def test_a_typo_gets_a_suggestion() -> None:
    assert str(UnknownName("task", "motion/efect", ["motion/effect"])) == (
        "unknown task 'motion/efect'; did you mean 'motion/effect'?"
    )


def test_anything_else_gets_the_list() -> None:
    assert str(UnknownName("task", "zzz", ["b", "a"])) == "unknown task 'zzz'; known: a, b"


def test_data_errors_name_the_line() -> None:
    assert str(DataError("expected x", Path("items.jsonl"), 7)) == "items.jsonl:7: expected x"


NEAR = [("ledgr", "ledger"), ("rum", "run"), ("effect", "motion/effect"), ("zero", "zero-shot"), ("--MODL", "--model")]
FAR = [
    ("nonsense", "baseline"),
    ("foo", "cocot"),
    ("--model", "--help"),
    ("--ledger", "--seed"),
    ("", "a-"),
    ("mine", "min_p"),
]


@pytest.mark.parametrize(("found", "name"), NEAR)
def test_what_was_meant(found: str, name: str) -> None:
    assert nearest(found, [name, "something else"]) == name


@pytest.mark.parametrize(("found", "name"), FAR)
def test_nothing_far_fetched(found: str, name: str) -> None:
    assert nearest(found, [name]) == ""


def test_a_part_of_several_names_means_none_of_them() -> None:
    assert nearest("ground", ["function/ground-region", "function/ground-element"]) == ""
