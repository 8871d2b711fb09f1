"""Published rows: as the papers have them, with the identities of their own columns and what follows from those."""

import re
from pathlib import Path

import pytest

from affordance.report.published import PublishedRow, PublishedTable, published_for, published_tables

SPEC = Path(__file__).parents[2].parent / "shared" / "spec" / "published.yaml"
ROUNDING = 1.1e-4  # of percent with two digits: twice half a unit of the last one

TABLES = {f"{table.task} on {table.dataset}": table for table in published_tables()}
IN_BOTH_ORDERS = {
    f"{table.dataset}: {row.name}": row
    for table in published_tables()
    for row in table.rows
    if "consistent_accuracy" in row.values
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_says_where_it_comes_from(table: PublishedTable) -> None:
    assert table.source
    assert table.protocol
    assert table.rows
    assert len({row.name for row in table.rows}) == len(table.rows)
    assert all(0 <= value <= 1 for row in table.rows for value in row.values.values())


def test_random_choice_ten_models_twelve_strategies_and_the_human_study() -> None:
    assert len(IN_BOTH_ORDERS) == 1 + 9 + 10 + 4


@pytest.mark.parametrize("row", IN_BOTH_ORDERS.values(), ids=IN_BOTH_ORDERS)
def test_a_row_keeps_its_identities(row: PublishedRow) -> None:
    first, second, average, consistent = (
        row.values[f"{name}_accuracy"] for name in ("first", "second", "average", "consistent")
    )
    assert average == pytest.approx((first + second) / 2, abs=ROUNDING)
    assert consistent <= min(first, second) + ROUNDING
    shares = row.shares()
    assert shares is not None
    assert shares.right + shares.wrong + shares.flipping == pytest.approx(1, abs=3e-4)


@pytest.mark.skipif(not SPEC.exists(), reason="the published numbers are not beside the repository")
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_rows_are_those_of_the_papers(table: PublishedTable) -> None:
    """Every row of the sheet is in the package, digit by digit."""
    section = {
        ("WiserUI-Bench", "behavior/choice"): "wiserui_task1_selection",
        ("WiserUI-Bench, human study", "behavior/choice"): "wiserui_human_study",
        ("WiserUI-Bench", "behavior/rationale"): "wiserui_task2_alignment",
    }[table.dataset, table.task]
    text = SPEC.read_text(encoding="utf-8").partition(f"\n{section}:")[2]
    text = re.split(r"\n(?=\w)", text.partition("sd_counts:")[0])[0]
    rows = re.findall(r"^\s+([^:#\[\]{}\n]+):\s*\[([-\d.,\s]+)\]\s*$", text, re.MULTILINE)
    sheet = {tuple(map(float, values.split(",")))[: len(table.columns)] for _, values in rows}
    ours = {tuple(round(100 * row.values[name], 2) for name in table.columns) for row in table.rows}
    assert ours == sheet


# In percent: answered consistently, right among these, flipping to the first, to the second.
DERIVED = {
    "random choice": (50, 50, 25, 25),
    "o1, zero-shot": (17, 93, 1, 82),
    "GPT-4o, zero-shot": (40, 75, 2, 58),
    "Claude 3.5 Sonnet, zero-shot": (36, 68, 2, 62),
    "InternVL-2.5-38B, zero-shot": (53, 65, 21, 25),
    "LLaVA-NeXT-7B, zero-shot": (27, 41, 44, 30),
}


@pytest.mark.parametrize(("name", "expected"), DERIVED.items(), ids=DERIVED)
def test_what_follows_from_a_row(name: str, expected: tuple[int, ...]) -> None:
    found = IN_BOTH_ORDERS[f"WiserUI-Bench: {name}"].shares()
    assert found is not None
    shares = (found.consistent, found.right / found.consistent, found.first, found.second)
    assert tuple(round(100 * share) for share in shares) == expected


def test_chance_of_a_row_is_that_of_its_preference() -> None:
    """o1 picks the first design in 9.4% of its replies, so chance is 8.5%, not 25%: its 15.6% are above it."""
    found = IN_BOTH_ORDERS["WiserUI-Bench: o1, zero-shot"].shares()
    assert found is not None
    assert found.preference == pytest.approx(0.0939, abs=1e-4)
    assert found.chance == pytest.approx(0.0851, abs=1e-4)
    assert found.chance < found.right


def test_nothing_follows_for_rows_without_orders() -> None:
    table = published_for("WiserUI-Bench", "behavior/rationale")
    assert table is not None
    assert table.rows[0].shares() is None


def test_only_data_of_the_same_name_has_published_rows() -> None:
    assert published_for("demo", "behavior/choice") is None
