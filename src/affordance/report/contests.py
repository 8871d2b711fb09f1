"""Every row of a task against every other one, question by question, with p-values that know how many there are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from affordance.core.attempt import Outcome
from affordance.report.results import Results
from affordance.stats import SPAN_OF_SCORES, Paired, Pairing, holm
from affordance.suites.registry import TASKS

ALPHA = 0.05


@dataclass(frozen=True, slots=True, order=True)
class Who:
    """One line of a leaderboard."""

    run: str
    model: str
    strategy: str


@dataclass(frozen=True, slots=True)
class Contest:
    """Two lines of one task and form on the questions that both were scored on. `holm` is p corrected for all
    contests of the task in these runs: the `family`."""

    task: str
    form: str
    first: Who
    second: Who
    paired: Paired
    holm: float
    family: int


def contests(results: Results) -> list[Contest]:
    """All of them. The family is fixed by task and runs, whatever of it is shown; controls are no part of it."""
    found: list[Contest] = []
    for task in sorted({key[0] for groups in results.outcomes.values() for key in groups}):
        played = [one for form, lines in _forms(results, task) for one in _all_pairs(form, lines)]
        adjusted = holm([paired.p for *_, paired in played])
        found += [
            Contest(task, form, first, second, paired, p, len(played))
            for (form, first, second, paired), p in zip(played, adjusted, strict=True)
        ]
    return found


def holds(paired: Paired, corrected: float) -> bool:
    """Whether a difference is claimed: p after Holm and the interval must both say so, and for the same side: the test
    weighs clusters alike, the mean of all questions large ones more. There is no interval where the difference is the
    same throughout; p is exact then."""
    low, high = paired.interval or (paired.difference, paired.difference)
    agree = paired.effect is not None and (paired.effect - 0.5) * paired.difference > 0
    return corrected < ALPHA and agree and (low > 0 or high < 0)


def mean_scores(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """By question. What was refused, unparsed or truncated counts as wrong; what failed is not there."""
    sums: dict[str, tuple[float, int]] = {}
    for one in outcomes:
        if one.verdict is not None and (score := one.verdict.counted) is not None:
            total, n = sums.get(one.question, (0.0, 0))
            sums[one.question] = total + score, n + 1
    return {question: total / n for question, (total, n) in sums.items()}


def clusters_of(outcomes: Sequence[Outcome]) -> dict[str, str]:
    return {one.question: one.cluster for one in outcomes}


def _forms(results: Results, task: str) -> Iterator[tuple[str, dict[Who, Sequence[Outcome]]]]:
    forms: dict[str, dict[Who, Sequence[Outcome]]] = {}
    for run, groups in results.outcomes.items():
        for (of_task, form, model, strategy), outcomes in groups.items():
            if of_task == task and not (form and form == TASKS[task].control):
                forms.setdefault(form, {})[Who(run, model, strategy)] = outcomes
    yield from sorted(forms.items())


def _all_pairs(form: str, lines: Mapping[Who, Sequence[Outcome]]) -> Iterator[tuple[str, Who, Who, Paired]]:
    """Lines that were asked the same questions share the resamples that their comparisons rest on."""
    clusters: dict[str, str] = {}
    for outcomes in lines.values():
        clusters.update(clusters_of(outcomes))
    questions = sorted(clusters)
    place = {question: number for number, question in enumerate(questions)}
    names = np.array([clusters[question] for question in questions], dtype=object)
    table = np.full((len(lines), len(questions)), np.nan)
    for row, outcomes in enumerate(lines.values()):
        scores = mean_scores(outcomes)
        table[row, [place[question] for question in scores]] = list(scores.values())
    pairings: dict[bytes, Pairing] = {}
    ordered = sorted(range(len(lines)), key=list(lines).__getitem__)
    who = list(lines)
    for one, other in combinations(ordered, 2):
        both: NDArray[np.bool_] = ~np.isnan(table[one]) & ~np.isnan(table[other])
        if not both.any():
            continue
        if (asked := both.tobytes()) not in pairings:
            pairings[asked] = Pairing(names[both].tolist(), span=SPAN_OF_SCORES)
        yield form, who[one], who[other], pairings[asked].compare(table[one][both], table[other][both])
