"""The matrix of all models against each other, the divergence of finding and knowing, and what replies cost."""

from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from test_findings import a_row

import affordance
from affordance.ledger import open_ledger
from affordance.models.family import Price
from affordance.report import provenance
from affordance.report.divergence import grounding_outcome_gaps
from affordance.report.overview import overview
from affordance.report.pairwise import pairwise_comparisons
from affordance.report.provenance import run_provenance
from affordance.report.result_row import ResultRow
from affordance.report.results import RunResults, read_results
from affordance.report.rows import rows_of_runs
from affordance.report.significance import SignificanceMatrix, significance_matrix
from cases import numbers_in, wording
from errors import assert_carries
from report_ledgers import RIGHT, WRONG, Plan, fill, page_of

GOOD, HALF, BAD = (RIGHT,), (RIGHT, WRONG), (WRONG,)


def results_of(where: Path, plan: Plan) -> RunResults:
    """The ledger stays open: results read from it when they are asked to."""
    where.mkdir(exist_ok=True)
    with open_ledger(where / "ledger.db") as ledger:
        fill(ledger, plan)
    opened = open_ledger(where / "ledger.db", read_only=True)
    return read_results(opened, [summary.run for summary in opened.run_summaries()])


def matrix_of(where: Path, plan: Plan) -> SignificanceMatrix | None:
    results = results_of(where, plan)
    group = rows_of_runs(results)
    return significance_matrix(group, group, pairwise_comparisons(results))


class TestMatrix:
    def test_the_better_and_the_worse(self, tmp_path: Path) -> None:
        found = matrix_of(tmp_path, Plan({"a": GOOD, "b": HALF, "c": BAD}, items=21, trials=1))
        assert found is not None
        assert found.names == ("a", "b", "c")
        assert [[cell.mark for cell in line] for line in found.lines] == [
            ["", "better", "better"],
            ["worse", "", "better"],
            ["worse", "worse", ""],
        ]
        assert found.lines[0][2].points == "+100.0"
        assert_carries(found.lines[0][2].text, "a ", "c", "+100.0")
        assert 3 in numbers_in(found.note)
        assert_carries(found.finding, "a ")

    def test_what_the_data_cannot_tell_is_not_coloured(self, tmp_path: Path) -> None:
        found = matrix_of(tmp_path, Plan({"a": (RIGHT, RIGHT, WRONG), "b": HALF}, items=4, trials=1))
        assert found is not None
        assert {cell.mark for line in found.lines for cell in line} == {""}
        sure = matrix_of(tmp_path / "sure", Plan({"a": GOOD, "b": BAD}, items=21, trials=1))
        assert sure is not None
        assert wording(found.finding) != wording(sure.finding)

    def test_a_model_alone_has_none(self, tmp_path: Path) -> None:
        assert matrix_of(tmp_path, Plan({"a": GOOD})) is None

    def test_twenty_models_with_markup_in_their_names(self, tmp_path: Path) -> None:
        scripts = {f"openai:<b>{n}</b>": GOOD if n % 2 else BAD for n in range(20)}
        page = page_of(tmp_path / "l.db", Plan(scripts, items=21, trials=1))
        assert page.count('<table class="versus">') == 1
        assert "<b>1</b>" not in page
        assert 'class="number better"' in page


def a_function_row(task: str, model: str, accuracy: float, form: str) -> ResultRow:
    return replace(a_row(model, accuracy), task=f"function/{task}", form=form)


def both(level: str, *shares: tuple[float, float]) -> list[ResultRow]:
    return [
        row
        for number, (ground, outcome) in enumerate(shares)
        for row in (
            a_function_row(f"ground-{level}", f"m{number}", ground, "functionality"),
            a_function_row(f"outcome-{level}", f"m{number}", outcome, "single"),
        )
    ]


class TestDivergence:
    def test_those_who_find_best_know_least(self) -> None:
        (found,) = grounding_outcome_gaps(both("element", (0.9, 0.1), (0.5, 0.5), (0.1, 0.9), (0.3, 0.7)))
        assert (found.level, found.forms, len(found.points)) == ("element", ("functionality", "single"), 4)
        assert_carries(found.finding, "m0", "m2", "90.0%")
        assert found.finding.index("m0") < found.finding.index("m2")
        assert numbers_in(found.ranks) == [4, -1.0, 0.083]

    def test_two_models_have_no_rank_correlation(self) -> None:
        (found,) = grounding_outcome_gaps(both("region", (0.9, 0.9), (0.5, 0.5)))
        assert_carries(found.finding, "m0")
        assert found.ranks == ""

    def test_with_one_model_or_one_task_there_is_none(self) -> None:
        one = both("element", (0.5, 0.5))
        assert grounding_outcome_gaps([]) == grounding_outcome_gaps(one[:1]) == grounding_outcome_gaps(one) == []


def test_the_overview_says_who_is_better_in_how_many_lines(tmp_path: Path) -> None:
    results = results_of(tmp_path, Plan({"a": GOOD, "b": BAD}, items=14))
    group = rows_of_runs(results)
    found = overview([(f"part-{n}", "?", group) for n in range(3)], pairwise_comparisons(results))
    assert_carries(found.finding, "a ", "b ")
    assert numbers_in(found.finding.rpartition("(Holm)")[2]) == [1, 1, 0]


class TestCost:
    """Each reply of these ledgers took 900 tokens in, 12 out and half a second."""

    def costs(self, where: Path, model: str, prices: dict[str, Price]) -> dict[str, str]:
        results = results_of(where, Plan({model: GOOD}))
        (found,) = run_provenance(results, prices)
        (cells,) = found.usage.texts()
        return dict(zip((column.key for column in found.usage.columns), cells, strict=True))

    def test_with_a_price(self, tmp_path: Path) -> None:
        found = self.costs(tmp_path, "openai:mine", {"mine": Price(10.0, 100.0)})
        assert (found["cost"], found["seconds"], found["seconds_each"]) == ("0.14", "7.0", "0.50")

    def test_without_one_nothing_is_said(self, tmp_path: Path) -> None:
        assert self.costs(tmp_path, "openai:nobody-knows", {})["cost"] == "–"

    def test_what_runs_here_is_free(self, tmp_path: Path) -> None:
        assert self.costs(tmp_path, "baseline:random", {})["cost"] == "0"


def test_one_model_at_two_endpoints_keeps_its_addresses_in_the_overview(tmp_path: Path) -> None:
    models = ("vllm:m@http://here/v1", "vllm:m@http://there/v1")
    results = results_of(tmp_path, Plan({models[0]: GOOD, models[1]: BAD}, items=14))
    group = rows_of_runs(results)
    found = overview([(f"part-{n}", "?", group) for n in range(3)], pairwise_comparisons(results))
    assert_carries(found.finding.rpartition("paired tests")[2], *models)


def test_versions_of_a_source_tree_that_was_never_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(provenance, "version", missing)
    assert dict(provenance.versions())["affordance"] == affordance.__version__
