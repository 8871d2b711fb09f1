"""One task asked in two orders of its options, in two runs: what the order alone makes of the same items."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean

from affordance.core.attempts import AttemptResult
from affordance.ledger import RunRecord
from affordance.report.asides import AsideTable
from affordance.report.numbers import MISSING, format_count, format_points, format_points_interval
from affordance.report.results import RunResults, row_key
from affordance.report.rows import ResultRow
from affordance.report.words import row_label
from affordance.stats import SCORE_RANGE, compare_paired

Scores = Mapping[str, tuple[float, str]]  # by item: the mean over trials, and what it was sampled with


def order_table(
    results: RunResults, group: Sequence[ResultRow], outcomes: Sequence[AttemptResult]
) -> AsideTable | None:
    """The rows of a group against those of other runs on the same data with another order; None without such a run."""
    others = [run for run in results.runs if _another_order(run, group[0])]
    lines = []
    for other in others:
        for row in group:
            theirs = results.outcomes[other.name].get(row.key, ())
            here, there = (_scores(row, found) for found in (outcomes, theirs))
            both = sorted(here.keys() & there.keys())
            if not both:
                continue
            first, second = ([of[item][0] for item in both] for of in (here, there))
            found = compare_paired(first, second, [here[item][1] for item in both], value_range=SCORE_RANGE)
            sure = MISSING if found.interval is None else format_points_interval(found.interval)
            told = (other.name, _order(other, row.task), format_points(found.difference), sure, format_count(found.n))
            lines.append((row_label(row), told))
    if not lines:
        return None
    return AsideTable(
        key="option-order",
        title="Does the order of the options matter?",
        columns=("against run", "with the order", "points", "95% interval", "items"),
        lines=tuple(lines),
        note="Accuracy here less that with the other order, on the same items. Where runs differ in sampling too, as "
        "protocols do, that is in it: ask both with the same --set temperature to tell them apart.",
    )


def _another_order(run: RunRecord, row: ResultRow) -> bool:
    same = run.dataset.get("digest") == row.dataset.get("digest")
    order = _order(run, row.task)
    return same and bool(order) and order != _in(row.settings, row.task)


def _order(run: RunRecord, task: str) -> str:
    return _in(run.settings, task)


def _in(settings: Mapping[str, object], task: str) -> str:
    orders = settings.get("order")
    return str(orders.get(task, "")) if isinstance(orders, Mapping) else ""


def _scores(row: ResultRow, outcomes: Iterable[AttemptResult]) -> Scores:
    found: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    for one in outcomes:
        if row_key(one) == row.key and one.verdict is not None and one.verdict.counted_score is not None:
            found.setdefault(one.item_id, []).append(one.verdict.counted_score)
            clusters[one.item_id] = one.cluster
    return {item: (mean(scores), clusters[item]) for item, scores in found.items()}
