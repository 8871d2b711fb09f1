"""What is drawn for people to label: from every model and verdict, with weights that make up for it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import UserError
from affordance.judging.sampling import LabelRow, LabelSample, allocate, stratified_sample, write_sample
from errors import raises

STRATA = st.dictionaries(st.text("abc", min_size=1), st.integers(1, 60), min_size=1, max_size=12)


@settings(max_examples=40)
@given(STRATA, st.integers(0, 200), st.integers(0, 9))
def test_weights_of_what_is_drawn_sum_to_the_population(sizes: dict[str, int], more: int, seed: int) -> None:
    strata = {name: [f"{name}-{place}" for place in range(size)] for name, size in sizes.items()}
    number = len(strata) + more
    drawn = stratified_sample(strata, number, seed)
    assert len(drawn) == min(number, sum(sizes.values()))
    assert sum(drawn.values()) == pytest.approx(sum(sizes.values()))
    for name, ids in strata.items():
        assert sum(drawn.get(one, 0.0) for one in ids) == pytest.approx(sizes[name]), "each stratum stands for itself"
    assert drawn == stratified_sample(strata, number, seed)


@settings(max_examples=40)
@given(STRATA, st.integers(0, 200))
def test_strata_are_drawn_from_equally_as_far_as_they_go(sizes: dict[str, int], more: int) -> None:
    drawn = allocate(sizes, len(sizes) + more)
    rest = [count for name, count in drawn.items() if count < sizes[name]]
    assert all(1 <= count <= sizes[name] for name, count in drawn.items())
    assert all(count <= min(rest, default=count) + 1 for count in drawn.values())


@pytest.mark.parametrize(
    ("sizes", "number", "expected"),
    [
        ({"a": 100, "b": 100}, 10, {"a": 5, "b": 5}),
        ({"a": 100, "b": 3}, 10, {"a": 7, "b": 3}),
        ({"a": 100, "b": 100, "c": 1}, 10, {"a": 4, "b": 5, "c": 1}),
        ({"a": 2, "b": 3}, 10, {"a": 2, "b": 3}),
        ({"a": 1}, 1, {"a": 1}),
    ],
    ids=["equal", "a small one", "left over", "all", "one"],
)
def test_how_many_are_drawn(sizes: dict[str, int], number: int, expected: dict[str, int]) -> None:
    assert allocate(sizes, number) == expected


def test_too_few_to_draw_from_each() -> None:
    assert allocate({"a": 5, "b": 5, "c": 5}, 3) == {"a": 1, "b": 1, "c": 1}
    with raises(UserError, "-n", 3, 2):
        allocate({"a": 5, "b": 5, "c": 5}, 2)


def test_another_seed_draws_others() -> None:
    strata = {"a": [str(number) for number in range(100)]}
    assert set(stratified_sample(strata, 10, 0)) != set(stratified_sample(strata, 10, 1))


HOSTILE = {
    "a formula": "=HYPERLINK(0)",
    "a formula with plus": "+1",
    "a tab": "\tx",
    "half of a surrogate pair": "a\ud800b",
    "nothing": "",
    "quotes and lines": 'he said "no";\r\nand left',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_whatever_a_model_says_can_be_written(tmp_path: Path, text: str, suffix: str) -> None:
    path = tmp_path / f"labels{suffix}"
    write_sample(LabelSample((LabelRow(text, text, "", "", "behavior/rationale", 1.5, "id"),), 1, 1), path)
    written = path.read_text(encoding="utf-8")
    assert "behavior/rationale" in written
    if suffix == ".csv":
        first = written.splitlines()[1]
        assert not first.startswith(("=", "+", "\t", '"=')), "no spreadsheet takes it for a formula"


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("mine")
    with raises(UserError, path):
        write_sample(LabelSample((LabelRow("a", "b", "", "", "behavior/rationale", 1.0, "id"),), 1, 1), path)
    assert path.read_text() == "mine"
    with raises(UserError, tmp_path / "no" / "x"):
        write_sample(
            LabelSample((LabelRow("a", "b", "", "", "behavior/rationale", 1.0, "id"),), 1, 1), tmp_path / "no" / "x"
        )
