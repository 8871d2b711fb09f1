from pathlib import Path

import pytest

from affordance.core.errors import MAX_LISTED_NAMES, DataError, UnknownName, closest_match
from errors import assert_carries


def test_a_typo_gets_a_suggestion() -> None:
    error = UnknownName("task", "motion/efect", ["motion/effect", "function/ground"])
    assert (error.what, error.found, error.suggested) == ("task", "motion/efect", "motion/effect")
    assert_carries(str(error), "motion/efect", "motion/effect")
    assert "function/ground" not in str(error)


def test_anything_else_gets_the_list() -> None:
    error = UnknownName("task", "zzz", ["b", "a"])
    assert (error.suggested, error.known) == ("", ("a", "b"))
    assert_carries(str(error), "zzz", "a, b")


def test_a_long_list_is_cut() -> None:
    names = [f"name-{number:02}-{'x' * number}" for number in range(MAX_LISTED_NAMES + 2)]
    assert_carries(str(UnknownName("task", "?", names[:MAX_LISTED_NAMES])), *names[:MAX_LISTED_NAMES])
    message = str(UnknownName("task", "?", names))
    assert_carries(message, names[MAX_LISTED_NAMES - 1], 2)
    assert names[MAX_LISTED_NAMES] not in message


def test_data_errors_name_the_line() -> None:
    error = DataError("expected x", Path("items.jsonl"), 7)
    assert (error.path, error.line) == (Path("items.jsonl"), 7)
    assert str(error).startswith("items.jsonl:7: ")
    assert str(DataError("expected x", Path("items.jsonl"))).startswith("items.jsonl: ")


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
    assert closest_match(found, [name, "something else"]) == name


@pytest.mark.parametrize(("found", "name"), FAR)
def test_nothing_far_fetched(found: str, name: str) -> None:
    assert closest_match(found, [name]) == ""


def test_a_part_of_several_names_means_none_of_them() -> None:
    assert closest_match("ground", ["function/ground-region", "function/ground-element"]) == ""
