"""Every row of a task against every other one, question by question, with p-values corrected after Holm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from affordance.core.attempts import AttemptResult
from affordance.report.results import RunResults
from affordance.stats import SCORE_RANGE, PairedComparison, PairedDifference, holm_adjust
from affordance.tasks.registry import TASKS

SIGNIFICANCE_LEVEL = 0.05


@dataclass(frozen=True, slots=True, order=True)
class RowRef:
    """A row of a leaderboard."""

    run: str
    model: str
    strategy: str


@dataclass(frozen=True, slots=True)
class RowComparison:
    """Two rows of one task and condition, on the questions scored for both. `holm` is p corrected for all comparisons
    of the task in these runs: the `family`."""

    task: str
    form: str
    first: RowRef
    second: RowRef
    paired: PairedDifference
    holm: float
    family: int


def pairwise_comparisons(results: RunResults) -> list[RowComparison]:
    """Every pair of rows. The family is fixed by task and runs, whatever is shown; control items are left out."""
    found: list[RowComparison] = []
    for task in sorted({key[0] for groups in results.outcomes.values() for key in groups}):
        played = [one for form, lines in _forms(results, task) for one in _all_pairs(form, lines)]
        adjusted = holm_adjust([paired.p for *_, paired in played])
        found += [
            RowComparison(task, form, first, second, paired, p, len(played))
            for (form, first, second, paired), p in zip(played, adjusted, strict=True)
        ]
    return found


def is_significant(paired: PairedDifference, corrected: float) -> bool:
    """Whether a difference is significant: by p after Holm and by the interval, and for the same side. The test weighs
    clusters equally, the mean weighs large ones more. Without an interval (equal differences) p is exact."""
    low, high = paired.interval or (paired.difference, paired.difference)
    agree = paired.effect is not None and (paired.effect - 0.5) * paired.difference > 0
    return corrected < SIGNIFICANCE_LEVEL and agree and (low > 0 or high < 0)


def mean_score_by_question(outcomes: Sequence[AttemptResult]) -> dict[str, float]:
    """By question. Refused, unparsed and truncated responses count as wrong; failed attempts are left out."""
    sums: dict[str, tuple[float, int]] = {}
    for one in outcomes:
        if one.verdict is not None and (score := one.verdict.counted_score) is not None:
            total, n = sums.get(one.question_id, (0.0, 0))
            sums[one.question_id] = total + score, n + 1
    return {question: total / n for question, (total, n) in sums.items()}


def cluster_by_question(outcomes: Sequence[AttemptResult]) -> dict[str, str]:
    return {one.question_id: one.cluster for one in outcomes}


def _forms(results: RunResults, task: str) -> Iterator[tuple[str, dict[RowRef, Sequence[AttemptResult]]]]:
    forms: dict[str, dict[RowRef, Sequence[AttemptResult]]] = {}
    for run, groups in results.outcomes.items():
        for (of_task, form, model, strategy), outcomes in groups.items():
            if of_task == task and not (form and form == TASKS[task].views.split.control):
                forms.setdefault(form, {})[RowRef(run, model, strategy)] = outcomes
    yield from sorted(forms.items())


def _all_pairs(
    form: str, lines: Mapping[RowRef, Sequence[AttemptResult]]
) -> Iterator[tuple[str, RowRef, RowRef, PairedDifference]]:
    """Rows with the same questions share the clusters of their comparisons."""
    clusters: dict[str, str] = {}
    for outcomes in lines.values():
        clusters.update(cluster_by_question(outcomes))
    questions = sorted(clusters)
    place = {question: number for number, question in enumerate(questions)}
    names = np.array([clusters[question] for question in questions], dtype=object)
    table = np.full((len(lines), len(questions)), np.nan)
    for row, outcomes in enumerate(lines.values()):
        scores = mean_score_by_question(outcomes)
        table[row, [place[question] for question in scores]] = list(scores.values())
    pairings: dict[bytes, PairedComparison] = {}
    ordered = sorted(range(len(lines)), key=list(lines).__getitem__)
    who = list(lines)
    for one, other in combinations(ordered, 2):
        both: NDArray[np.bool_] = ~np.isnan(table[one]) & ~np.isnan(table[other])
        if not both.any():
            continue
        if (asked := both.tobytes()) not in pairings:
            pairings[asked] = PairedComparison(names[both].tolist(), value_range=SCORE_RANGE)
        yield form, who[one], who[other], pairings[asked].compare(table[one][both], table[other][both])
