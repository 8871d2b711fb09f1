"""The gap between a screen and the same screen drawn differently, target by target."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.digest import digest
from affordance.core.model_name import ModelName
from affordance.core.table import Table
from affordance.datasets import DatasetCollection, ItemLink
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.report.results import read_results
from affordance.report.rows import rows_of_runs
from affordance.report.views.conditions import rendering_gaps, rendering_table
from affordance.tasks.registry import resolve_tasks
from function_data import captured_screen, plain_outcomes, write_captured

TASK = "function/ground-element"


@dataclass(frozen=True, slots=True)
class Said:
    """What came of one target: right (1) or wrong (0) on the original and on a rendering, trial by trial. None was not
    scored."""

    original: Sequence[float | None]
    rendered: Sequence[float | None]
    page: str
    rendering: str = "theme-dark"


def verdict(score: float | None) -> Verdict:
    return (
        Verdict(AttemptStatus.FAILED, reason="HTTP 503")
        if score is None
        else Verdict(AttemptStatus.ANSWERED, "point 1 1", score)
    )


def outcomes_of(said: Iterable[Said], model: str = "m") -> list[AttemptResult]:
    found = []
    for number, one in enumerate(said):
        item = f"{one.page}/{number}"
        sides = (
            (item, {"rendering": "original"}, one.original),
            (f"{item}@{one.rendering}", {"rendering": one.rendering, "original": item}, one.rendered),
        )
        for name, tags, scores in sides:
            for trial, score in enumerate(scores):
                attempt, question = digest("attempt", model, name, trial), digest("question", name)
                tags = {**tags, "expression": "functionality"}
                found.append(
                    AttemptResult(
                        attempt, TASK, model, "zero-shot", trial, question, name, "", tags, one.page, verdict(score)
                    )
                )
    return found


def right(original: float | None, rendered: float | None, page: str, rendering: str = "theme-dark") -> Said:
    return Said([original], [rendered], page, rendering)


def test_one_target_a_page_by_hand() -> None:
    """Seven of eight right in the light, two in the dark: five lost, none gained; McNemar's p is 2 / 2^5."""
    said = [*(right(1, 0, f"p{n}") for n in range(5)), right(1, 1, "p5"), right(1, 1, "p6"), right(0, 0, "p7")]
    (gap,) = rendering_gaps(outcomes_of(said))
    assert (gap.rendering, gap.original, gap.rendered) == ("theme-dark", 7 / 8, 2 / 8)
    assert gap.paired.difference == pytest.approx(-5 / 8)
    assert (gap.paired.losses, gap.paired.wins, gap.paired.n) == (5, 0, 8)
    assert gap.paired.p == pytest.approx(2 / 2**5)


def test_targets_of_one_page_are_one_cluster_by_hand() -> None:
    """Three pages of two targets each. Their mean differences are -1, -1/2 and 0: the mean is -1/2, its standard error
    1/2 / sqrt(3), Student's t with two degrees of freedom 4.3027; p is Wilcoxon's of two that are not 0."""
    said = [right(1, 0, "a"), right(1, 0, "a"), right(1, 0, "b"), right(1, 1, "b"), right(0, 0, "c"), right(1, 1, "c")]
    (gap,) = rendering_gaps(outcomes_of(said))
    assert gap.paired.difference == pytest.approx(-1 / 2)
    assert (gap.paired.clusters, gap.paired.n) == (3, 6)
    assert gap.paired.interval is not None
    low, high = gap.paired.interval
    half = 4.3027 * 0.5 / math.sqrt(3)
    assert low == -1.0, "no gap is larger"
    assert high == pytest.approx(-0.5 + half, abs=1e-3)
    assert gap.paired.p == pytest.approx(0.5)


def test_only_targets_that_were_scored_on_both_count() -> None:
    """What failed is not scored; the mean is over the trials that were. The original's share is that of these too."""
    said = [
        right(1, 0, "a"),
        right(1, None, "b"),
        right(None, 1, "c"),
        Said([1, 0], [0, None], "d"),
    ]
    (gap,) = rendering_gaps(outcomes_of(said))
    assert gap.paired.n == 2
    assert (gap.original, gap.rendered) == (pytest.approx(3 / 4), 0)
    assert rendering_gaps(outcomes_of([right(1, None, "a")])) == []


def test_targets_without_a_variant_do_not_count() -> None:
    both = outcomes_of([right(1, 1, "a"), right(0, 0, "b")])
    without = [one for one in both if not one.item_id.startswith("b/1@")]
    (gap,) = rendering_gaps(without)
    assert (gap.original, gap.paired.n) == (1, 1)
    originals = [one for one in both if "original" not in one.tags]
    assert rendering_gaps(originals) == []
    variants = [one for one in both if "original" in one.tags]
    assert rendering_gaps(variants) == [], "nor do variants without their original"


SCORES = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0]), st.integers(0, 4)), min_size=1)


@settings(max_examples=30)
@given(SCORES)
def test_turning_the_two_round_turns_the_gap_round(found: list[tuple[float, float, int]]) -> None:
    (there,) = rendering_gaps(outcomes_of(right(one, other, f"p{page}") for one, other, page in found))
    (back,) = rendering_gaps(outcomes_of(right(other, one, f"p{page}") for one, other, page in found))
    assert there.paired.difference == pytest.approx(-back.paired.difference)
    assert (there.paired.wins, there.paired.losses) == (back.paired.losses, back.paired.wins)
    assert there.paired.p == pytest.approx(back.paired.p)
    assert there.rendered - there.original == pytest.approx(there.paired.difference)


@pytest.fixture
def data(tmp_path: Path) -> DatasetCollection:
    """A page of twelve targets, and the same in two other renderings."""
    page = captured_screen()
    rendered = [captured_screen(name, links=[ItemLink(kind="variant", to="page")]) for name in ("dim", "big")]
    return write_captured(tmp_path / "data", [page, *rendered], plain_outcomes(page))


def table_of(folder: Path, data: DatasetCollection, models: Sequence[str], task: str = TASK) -> Table | None:
    request = RunRequest(
        config=RunConfig(tasks=tuple(resolve_tasks([task]))),
        data=data,
        models=tuple(ModelName.parse(model) for model in models),
        ledger=str(folder / "ledger.db"),
        render_cache=folder / "pictures",
        execution=ExecutionConfig(),
    )
    run, _ = execute_run(request)
    with open_ledger(folder / "ledger.db", read_only=True) as ledger:
        results = read_results(ledger, [run])
        rows = [row for row in rows_of_runs(results) if row.form in ("functionality", "single")]
        return rendering_table(rows, results.outcomes_of(run.name, task, rows[0].form))


def test_the_table_of_a_run(tmp_path: Path, data: DatasetCollection) -> None:
    """By somebody who is always right, and somebody who finds nothing but the links when it is dark."""
    lines = []
    for element in captured_screen().elements:
        for rendering in ("", "@dim", "@big"):
            hit = rendering != "@dim" or element.id.startswith("l")
            x, y = (element.box.centre.x, element.box.centre.y) if hit else (470, 310)
            item = f"page/{element.id}/click{rendering}"
            lines.append(f'{{"item": "{item}", "point": {{"space": "pixel", "xy": [{x}, {y}]}}}}\n')
    (tmp_path / "blind.jsonl").write_text("".join(lines))
    table = table_of(tmp_path, data, ["oracle:default", f"replay:{tmp_path / 'blind.jsonl'}"])
    assert table is not None
    assert [name.partition(":")[0] for name, *_ in table.texts()] == ["oracle", "oracle", "replay", "replay"]
    cells = {(name.partition(":")[0], cells[0]): tuple(cells[1:]) for name, *cells in table.texts()}
    for key in (("oracle", "dim"), ("oracle", "big"), ("replay", "big")):
        assert cells[key][:3] == ("100.0", "100.0", "+0.0")
        assert cells[key][-3:] == ("0", "0", "12")
    assert cells["replay", "dim"][:3] == ("100.0", "33.3", "-66.7")
    assert cells["replay", "dim"][-3:] == ("8", "0", "12")
    assert all(len(row) == len(table.headings()) for row in table.texts())


def test_p_is_corrected_for_the_renderings_of_a_model(tmp_path: Path, data: DatasetCollection) -> None:
    """0.0625 in the dark and 1 when zoomed: times two, and as it is. Another model's renderings do not count."""
    run_table = table_of(tmp_path, data, ["oracle:default"])
    assert run_table is not None
    with open_ledger(tmp_path / "ledger.db", read_only=True) as ledger:
        (row,) = rows_of_runs(read_results(ledger, [summary.run for summary in ledger.run_summaries()]))
    said = [right(1, 0, f"p{n}") for n in range(5)] + [right(1, 1, f"p{n}", "zoom125") for n in range(5)]
    table = rendering_table([row], [*outcomes_of(said, row.model), *outcomes_of(said, "somebody else")])
    assert table is not None
    places = [table.headings().index(heading) for heading in ("rendering", "p", "p, Holm")]
    assert [tuple(cells[place] for place in places) for cells in table.texts()] == [
        ("theme-dark", "0.062", "0.125"),
        ("zoom125", "1.000", "1.000"),
    ]


@pytest.mark.parametrize("task", [TASK, "function/outcome-element"])
def test_there_is_no_table_without_renderings(tmp_path: Path, task: str) -> None:
    page = captured_screen()
    data = write_captured(tmp_path / "data", [page], plain_outcomes(page))
    assert table_of(tmp_path, data, ["baseline:random"], task) is None
