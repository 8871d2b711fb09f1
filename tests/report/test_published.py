"""Published rows: as the papers have them, with the identities of their own columns and what follows from those."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from affordance.report.published_results import (
    PublishedCell,
    headline_table_for,
    published_facts,
    published_facts_for,
    published_table,
    published_tables,
    published_tables_for,
)
from affordance.tasks.registry import TASKS
from cases import case, numbers_in

PAPERS = Path(__file__).parents[1] / "data" / "published.yaml"
ROUNDING = 1.1e-4  # of percent with two digits: twice half a unit of the last one

TABLES = {f"{table.source} on {table.dataset}": table for table in published_tables()}
IN_BOTH_ORDERS = {
    f"{table.dataset}: {row.name}": row
    for table in published_tables()
    for row in table.rows
    if "consistent_accuracy" in row.values
}
STRATEGIES = {
    **{"Zero-Shot": "zero-shot", "CoCoT": "cocot", "Self-Refine": "self-refine", "DDCoT": "ddcot"},
    **{"MAD (R1)": "debate-1", "MAD (R3)": "debate-3"},
}

# Where a table is in the sheet: section, part of it, first of its columns there.
PLACES = {
    "AutoGUI-v2, Table 3 on AutoGUI-v2 FuncRegionGnd-v2": ("autogui_v2_region_grounding", "rows", 0),
    "AutoGUI-v2, Table 4 on AutoGUI-v2 region captioning, before v2": ("autogui_v2_region_captioning", "rows", 0),
    "AutoGUI-v2, Table 5 on AutoGUI-v2 FuncElemGnd": ("autogui_v2_element_grounding_by_expression", "rows", 0),
    "AutoGUI-v2, Table 5 on ScreenSpot-v2": ("autogui_v2_element_grounding_by_expression", "rows", 3),
    "AutoGUI-v2, Table 5 on OSWorld-G": ("autogui_v2_element_grounding_by_expression", "rows", 4),
    "AutoGUI-v2, Table 6 on AutoGUI-v2 FuncElemGnd": ("autogui_v2_element_grounding_breakdown", "rows", 0),
    "AutoGUI-v2, Table 7 on AutoGUI-v2 FuncElemCap": ("autogui_v2_element_captioning", "rows", 0),
    "WiserUI-Bench, Tables 2 and 4 on WiserUI-Bench": ("wiserui_task1_selection", "random zero_shot strategies", 0),
    "WiserUI-Bench, Table D on WiserUI-Bench": ("wiserui_task1_selection", "sd_counts", 0),
    "WiserUI-Bench, Table C on WiserUI-Bench": ("wiserui_task1_selection", "tokens", 0),
    "WiserUI-Bench, Table 5 on WiserUI-Bench, human study": ("wiserui_human_study", "rows", 0),
    "WiserUI-Bench, Table G on WiserUI-Bench, human study": ("wiserui_human_study", "sd_counts", 0),
    "WiserUI-Bench, Table F on WiserUI-Bench, human study": ("wiserui_human_study", "votes_A votes_B", 0),
    "WiserUI-Bench, Table 3 on WiserUI-Bench": ("wiserui_task2_alignment", "rows", 0),
    "WiserUI-Bench, Table E on WiserUI-Bench": ("wiserui_task2_alignment", "rows", 2),
}
NAMES = {"random": "random choice", "votes_A": "people for design A", "votes_B": "people for design B"}


def section(name: str) -> str:
    text = PAPERS.read_text(encoding="utf-8").partition(f"\n{name}:")[2]
    return re.sub(r"#.*", "", re.split(r"\n(?=\w)", text)[0])


def sheet(name: str, parts: str) -> dict[tuple[str, str], list[str]]:
    """Model and strategy with the numbers as they are written, of parts of a section."""
    found: dict[tuple[str, str], list[str]] = {}
    part = model = ""
    for line in section(name).splitlines():
        if (head := re.match(r"  (\w+):", line)) is not None:
            part = head[1]
        if (alone := re.match(r"    ([^:\[]+):\s*$", line)) is not None:
            model = alone[1]
        if part not in parts.split():
            continue
        for who, key, values in rows_in(line):
            if key in STRATEGIES:
                found[who or model, STRATEGIES[key]] = values
            else:
                found[NAMES.get(key, key), ""] = values
    return found


def rows_in(line: str) -> Iterator[tuple[str, str, list[str]]]:
    """`KEY: [1, 2]`, `WHO: {KEY: [1, 2], KEY: [3, 4]}`."""
    who = re.match(r"\s+([^:\[{]+):\s*\{", line)
    for key, values in re.findall(r"([^:\[\]{},]+):\s*\[([-\d.,\snul]+)\]", line):
        yield (who[1] if who else ""), key.strip(), [value.strip() for value in values.split(",")]


def written(cell: PublishedCell) -> float | None:
    if cell.value is None:
        return None
    return round(100 * cell.value, 4) if cell.column.unit == "percent" else cell.value


def test_a_table_names_its_source() -> None:
    assert len(TABLES) == len(published_tables()), "a source and a dataset tell a table"
    for name, table in TABLES.items():
        with case(name):
            assert table.source
            assert table.protocol
            assert table.rows
            assert table.task in TASKS
            assert len({row.name for row in table.rows}) == len(table.rows)
            shares = [cell for row in table.rows for cell in row.cells if cell.column.unit in ("percent", "share")]
            assert all(cell.value is None or 0 <= cell.value <= 1 for cell in shares)
            parts = {column.by for column in table.columns} - {"", "pair"}
            assert parts <= {one.tag for one in TASKS[table.task].views.breakdowns}, (
                "a part has the name that our rows give it"
            )


def test_random_choice_ten_models_twelve_strategies_and_the_human_study() -> None:
    assert len(IN_BOTH_ORDERS) == 1 + 9 + 10 + 4


def test_a_row_keeps_its_identities() -> None:
    for name, row in IN_BOTH_ORDERS.items():
        with case(name):
            first, second, average, consistent = (
                row.values[f"{name}_accuracy"] for name in ("first", "second", "average", "consistent")
            )
            assert average == pytest.approx((first + second) / 2, abs=ROUNDING)
            assert consistent <= min(first, second) + ROUNDING
            shares = row.shares()
            assert shares is not None
            assert shares.both_correct + shares.both_wrong + shares.inconsistent == pytest.approx(1, abs=3e-4)


def test_the_rows_are_those_of_the_papers() -> None:
    """Every row of the sheet is in the package, digit by digit and under its name, and no other."""
    for where, (name, parts, start) in PLACES.items():
        table = TABLES[where]
        ours = {(row.model, row.strategy): row for row in table.rows}
        known = {key if key in ours else (key[0], "zero-shot"): values for key, values in sheet(name, parts).items()}
        assert ours.keys() == known.keys(), where
        for key, row in ours.items():
            values = known[key][start : start + len(table.columns)]
            stated = [None if one == "null" else float(one) for one in values]
            assert [written(cell) for cell in row.cells] == stated, (where, key)


def test_every_table_of_rows_is_in_the_package() -> None:
    assert PLACES.keys() == {name for name in TABLES if not name.startswith("AniMINT")}
    widths: dict[tuple[str, str], int] = {}
    for where, (name, parts, start) in PLACES.items():
        widths[name, parts] = max(widths.get((name, parts), 0), start + len(TABLES[where].columns))
    for (name, parts), width in widths.items():
        assert {len(values) for values in sheet(name, parts).values()} == {width}, name


# Ours: not stated, but counted from the sheet's own sizes or from the released data.
COUNTED = {"AniMINT": {45.0, 20, 26, 115, 42, 100, 7, 3, 9}, "WiserUI-Bench": {13.0, 22}, "AutoGUI-v2": set()}


def test_numbers_in_prose_are_those_of_the_papers() -> None:
    sections = {"animint": "AniMINT", "wiserui_statistics": "WiserUI-Bench", "autogui_v2_statistics": "AutoGUI-v2"}
    for name, dataset in sections.items():
        stated = {float(one) for one in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]*x\d)", section(name))}
        text = " ".join(fact.text for fact in published_facts() if fact.dataset.startswith(dataset))
        shown = re.sub(r"GPT-\w+|Gemini-[\d.]+|\d+ x \d+|(?<=\d),(?=\d{3})", "", text)
        found = {float(one) for one in re.findall(r"\d+(?:\.\d+)?", shown)}
        assert found <= stated | COUNTED[dataset], name
        assert len(found) > 8


def test_what_animint_states_is_all_there() -> None:
    """Its tables are lost: every number of the sheet is a cell, or in a sentence."""
    stated = {float(one) for one in re.findall(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w.])", section("animint"))}
    cells = {
        number
        for table in published_tables()
        if table.dataset.startswith("AniMINT")
        for row in table.rows
        for cell in row.cells
        if cell.value is not None
        for number in (cell.value, round(100 * cell.value, 2))
    }
    sizes = {column.n for table in published_tables() for column in table.columns}
    told = " ".join(fact.text for fact in published_facts() if fact.dataset.startswith("AniMINT"))
    said = {float(one) for one in re.findall(r"\d+(?:\.\d+)?", told)}
    lacking = {one for one in stated if one not in cells | said and one not in sizes}
    assert lacking <= {3.0, 4.0, 5.0}, "three experts, names of models"


def fits(cell: PublishedCell, digits: int = 1) -> bool:
    """Whether a percentage is a share of so many items."""
    n, value = cell.column.n, written(cell)
    assert n is not None
    assert value is not None
    near = round(value * n / 100)
    return any(abs(100 * k / n - value) <= 0.5 * 10**-digits + 1e-9 for k in (near - 1, near, near + 1))


PARTS = {
    f"{table.source}: {row.name}, {cell.column.name}": cell
    for table in published_tables()
    for row in table.rows
    for cell in row.cells
    if cell.value is not None and cell.column.n and cell.column.unit == "percent" and table.source.startswith("Auto")
}


def test_a_share_fits_the_number_of_items_or_is_marked() -> None:
    odd = {name for name, cell in PARTS.items() if not fits(cell)}
    assert odd
    assert [name for name in odd if not PARTS[name].suspect] == []


def test_regions_add_up_to_the_total() -> None:
    for row, by in product(published_tables()[0].rows, ("region type", "density, as shipped")):
        with case((row.name, by)):
            parts = [(cell.value or 0, cell.column.n or 0) for cell in row.cells if cell.column.by == by]
            assert sum(n for _, n in parts) == 442
            assert sum(share * n for share, n in parts) / 442 == pytest.approx(row.values["accuracy"], abs=1.05e-3)


# Clicks and hovers are 610 and 356 of 1,076 elements: no other sizes fit as many rows.
SIZES = {"click": 610, "hover": 356, "drag": 36, "right click": 21, "double click": 23, "long press": 16, "type": 14}
DENSITIES = {"sparse": 355, "medium": 366, "dense": 355}
OFF = {
    "action": {"Qwen3-VL-32B-Instruct": 70.2, "GLM-4.5V": 30.5},
    "density": {"Qwen2-VL-7B-Instruct": 12.5, "GLM-4.5V": 27.6},
}


def test_elements_add_up_to_the_total_or_are_marked() -> None:
    rows = TABLES["AutoGUI-v2, Table 6 on AutoGUI-v2 FuncElemGnd"].rows
    for row, (by, sizes) in product(rows, {"action": SIZES, "density": DENSITIES}.items()):
        values = {cell.column.value: cell.value or 0 for cell in row.cells if cell.column.by}
        average = sum(values[part] * n for part, n in sizes.items()) / 1076
        (total,) = [cell for cell in row.cells if not cell.column.by]
        with case((row.name, by)):
            if row.model in OFF[by]:
                assert total.suspect
                assert 100 * average == pytest.approx(OFF[by][row.model], abs=0.06)
            else:
                assert average == pytest.approx(total.value, abs=2e-3)


def test_what_two_tables_say_differently_is_marked_in_both() -> None:
    by_expression, by_action = (
        {row.model: next(cell for cell in row.cells if cell.column.form == "functionality") for row in table.rows}
        for table in published_tables_for("AutoGUI-v2 FuncElemGnd", "function/ground-element")
    )
    differing = {model for model, cell in by_expression.items() if cell.value != by_action[model].value}
    assert differing == {"Qwen2-VL-7B-Instruct", "Holo2-8B", "GLM-4.5V", "GUI-R1-7B"}
    assert all(by_expression[model].suspect and by_action[model].suspect for model in differing)


def test_means_of_three_runs_are_whole_counts() -> None:
    """Nothing speaks against the rows of WiserUI-Bench, so none is marked."""
    for title, row in IN_BOTH_ORDERS.items():
        n = 30 if title.startswith("WiserUI-Bench, human study") else 900
        with case(title):
            for name in ("first_accuracy", "second_accuracy", "consistent_accuracy"):
                assert row.values[name] * n == pytest.approx(round(row.values[name] * n), abs=n * 5.1e-5)
            assert not any(cell.suspect for cell in row.cells)


# In percent: answered consistently, right among these, flipping to the first, to the second.
DERIVED = {
    "random choice": (50, 50, 25, 25),
    "o1, zero-shot": (17, 93, 1, 82),
    "GPT-4o, zero-shot": (40, 75, 2, 58),
    "Claude 3.5 Sonnet, zero-shot": (36, 68, 2, 62),
    "InternVL-2.5-38B, zero-shot": (53, 65, 21, 25),
    "LLaVA-NeXT-7B, zero-shot": (27, 41, 44, 30),
}


def test_what_follows_from_a_row() -> None:
    for name, expected in DERIVED.items():
        found = IN_BOTH_ORDERS[f"WiserUI-Bench: {name}"].shares()
        assert found is not None
        shares = (found.consistent, found.both_correct / found.consistent, found.first, found.second)
        assert tuple(round(100 * share) for share in shares) == expected, name


def test_chance_of_a_row_is_that_of_its_preference() -> None:
    """o1 picks the first design in 9.4% of its replies, so chance is 8.5%, not 25%: its 15.6% are above it."""
    found = IN_BOTH_ORDERS["WiserUI-Bench: o1, zero-shot"].shares()
    assert found is not None
    assert found.first_share == pytest.approx(0.0939, abs=1e-4)
    assert found.chance == pytest.approx(0.0851, abs=1e-4)
    assert found.chance < found.both_correct


def test_nothing_follows_for_rows_without_orders() -> None:
    table = headline_table_for("WiserUI-Bench", "behavior/rationale")
    assert table is not None
    assert table.rows[0].shares() is None


def test_only_data_of_the_same_name_has_published_rows() -> None:
    assert headline_table_for("demo", "behavior/choice") is None
    assert published_tables_for("AutoGUI-v2 FuncRegionCap-v2", "function/outcome-region") == (), (
        "Table 4 is of another set"
    )
    assert published_facts_for("demo", "behavior/choice") == ()


def test_a_table_is_shown_with_its_marks_and_reasons() -> None:
    shown = published_table(TABLES["AutoGUI-v2, Table 6 on AutoGUI-v2 FuncElemGnd"])
    line = next(line for line in shown.texts() if line[0] == "Step-3")
    assert line[5] == "1.5†"
    assert line[1] == "5.4"
    assert any(note.startswith("† Step-3: ") and {1.5, 15.9, 21, 16} <= {*numbers_in(note)} for note in shown.notes)
