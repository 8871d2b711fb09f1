"""Paired comparison of two rows: difference, interval, p, power, slices and changed items."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.ledger import Ledger, RunEntry
from affordance.report.comparison_sides import (
    DifferenceKind,
    SettingDifference,
    distinct_names,
    match_rows,
    resolve_side,
    setting_differences,
)
from affordance.report.pairwise import (
    SIGNIFICANCE_LEVEL,
    RowComparison,
    RowRef,
    cluster_by_question,
    is_significant,
    mean_score_by_question,
    pairwise_comparisons,
)
from affordance.report.result_row import ResultRow
from affordance.report.results import RunResults, read_results
from affordance.report.rows import rows_of_runs
from affordance.stats import (
    SCORE_RANGE,
    PairedComparison,
    PairedDifference,
    minimum_detectable_difference,
    required_items,
)
from affordance.tasks.registry import TASKS
from affordance.tasks.task import QUESTION_TEXT_TAG


@dataclass(frozen=True, slots=True)
class SliceComparison:
    """The comparison on one slice, not corrected for multiple comparisons."""

    by: str
    value: str
    first: float
    second: float
    paired: PairedDifference

    @property
    def is_significant(self) -> bool:
        """Without an interval, as for equal differences everywhere, the exact p decides."""
        if self.paired.interval is None:
            return self.paired.p < SIGNIFICANCE_LEVEL
        return self.paired.interval[0] > 0 or self.paired.interval[1] < 0


@dataclass(frozen=True, slots=True)
class Flip:
    """A question on which the sides score differently; answers are those of the first trial."""

    item: str
    asked: str
    truth: str
    better: int  # 0 or 1: the side with the higher score
    answers: tuple[str, str]


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """Two rows of one task and condition. `names` are distinct; differences are the first minus the second."""

    first: ResultRow
    second: ResultRow
    names: tuple[str, str]
    means: tuple[float, float]  # on the shared questions
    paired: PairedDifference
    holm: float
    family: int
    detectable: float | None  # the smallest difference found with 80% power; None if unknown
    items_needed: int | None  # questions needed to find this difference with 80% power
    parts: tuple[SliceComparison, ...]
    flips: tuple[Flip, ...]
    differing: tuple[SettingDifference, ...]

    @property
    def is_significant(self) -> bool:
        return is_significant(self.paired, self.holm)

    def to_json(self) -> dict[str, Any]:
        who = [{"run": row.run, "model": row.model, "strategy": row.strategy} for row in (self.first, self.second)]
        return {
            "task": self.first.task,
            "form": self.first.form,
            "first": {**who[0], "mean": self.means[0]},
            "second": {**who[1], "mean": self.means[1]},
            **asdict(self.paired),
            "p_holm": self.holm,
            "family": self.family,
            "detectable": self.detectable,
            "needed": self.items_needed,
            "differing": [asdict(one) for one in self.differing],
            "breakdowns": [asdict(part) for part in self.parts],
            "flips": [asdict(flip) for flip in self.flips],
        }


class SettingsDiffer(UserError):
    """Two sides of a comparison differ in more than the model. `kinds` are the differences to allow."""

    def __init__(self, message: str, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        super().__init__(message, hint=f"allow it with --allow-different {','.join(kinds)}")


def compare(
    ledger: Ledger, first: str, second: str, only: Sequence[str] = (), despite: Sequence[DifferenceKind] = ()
) -> list[TaskComparison]:
    """Two runs or models by name, on each task and condition that both have.

    Raises `SettingsDiffer` if anything but the model differs, unless it is named in `despite`."""
    if first == second:
        raise UserError(f"{first!r} is given twice; name another run or model")
    lines = ledger.run_entries()
    if not lines:
        raise UserError(f"the ledger {ledger.location} has no results yet; start with `affordance run`")
    chosen = match_rows(resolve_side(first, lines), resolve_side(second, lines), only)
    runs = [ledger.find_run(name) for name in dict.fromkeys(line.run for couple in chosen for line in couple)]
    results = read_results(ledger, runs, sorted({one.task for one, _ in chosen}))
    rows = {(row.run, *row.key): row for row in rows_of_runs(_of_lines(results, chosen))}
    played = {_pair(contest): contest for contest in pairwise_comparisons(results)}
    found = [one for couple in chosen for one in _compare_task(couple, results, rows, played)]
    if not found:
        raise UserError(f"no question is scored for both {first} and {second}")
    grave = {one.kind: one for compared in found for one in compared.differing if one.grave}
    refused = [one.words for kind, one in grave.items() if kind not in despite]
    if refused:
        raise SettingsDiffer(f"{first} and {second} also differ in {'; '.join(refused)}", list(grave))
    return found


def _of_lines(results: RunResults, chosen: Sequence[tuple[RunEntry, RunEntry]]) -> RunResults:
    """The results of the compared rows only; Holm's correction needs those of all models."""
    lines = {line for couple in chosen for line in couple}
    outcomes = {
        run: {key: found for key, found in groups.items() if RunEntry(run, key[0], *key[2:]) in lines}
        for run, groups in results.outcomes.items()
    }
    return replace(results, outcomes=outcomes)


def _pair(contest: RowComparison) -> tuple[str, str, frozenset[RowRef]]:
    return contest.task, contest.form, frozenset({contest.first, contest.second})


def _compare_task(
    couple: tuple[RunEntry, RunEntry],
    results: RunResults,
    rows: Mapping[tuple[str, str, str, str, str], ResultRow],
    played: Mapping[tuple[str, str, frozenset[RowRef]], RowComparison],
) -> list[TaskComparison]:
    one, other = couple
    task = TASKS[one.task]
    forms = [
        key[1] for key in results.outcomes[one.run] if key[0] == task.name and key[2:] == (one.model, one.strategy)
    ]
    found = []
    for form in sorted(forms):
        keys = [(task.name, form, line.model, line.strategy) for line in couple]
        both = [results.outcomes[line.run].get(key, []) for line, key in zip(couple, keys, strict=True)]
        who = frozenset(RowRef(line.run, line.model, line.strategy) for line in couple)
        contest = played.get((task.name, form, who))
        if contest is None:
            continue
        pair = rows[one.run, *keys[0]], rows[other.run, *keys[1]]
        found.append(_one(pair, both[0], both[1], contest))
    return found


def _one(
    pair: tuple[ResultRow, ResultRow],
    ones: Sequence[AttemptResult],
    others: Sequence[AttemptResult],
    contest: RowComparison,
) -> TaskComparison:
    task = TASKS[pair[0].task]
    scores = mean_score_by_question(ones), mean_score_by_question(others)
    shared = sorted(scores[0].keys() & scores[1].keys())
    clusters = cluster_by_question(ones)
    values = tuple([of_side[question] for question in shared] for of_side in scores)
    paired = PairedComparison([clusters[question] for question in shared], value_range=SCORE_RANGE).compare(*values)
    error = paired.error
    level = 1 - SIGNIFICANCE_LEVEL / contest.family  # of Holm's first step, which a claim may have to pass
    return TaskComparison(
        first=pair[0],
        second=pair[1],
        names=distinct_names(*pair),
        means=(sum(values[0]) / len(shared), sum(values[1]) / len(shared)),
        paired=paired,
        holm=contest.holm,
        family=contest.family,
        detectable=_detectable(error, level, paired.clusters),
        items_needed=None
        if error is None
        else required_items(paired.difference, error, paired.n, level=level, clusters=paired.clusters),
        parts=tuple(_parts([one.tag for one in task.views.breakdowns], ones, scores, shared, clusters)),
        flips=tuple(_flips(task.views.describe_truth, ones, others, scores, shared)),
        differing=tuple(
            setting_differences(*pair, {one.question_id for one in ones}, {one.question_id for one in others})
        ),
    )


def _detectable(error: float | None, level: float, clusters: int) -> float | None:
    found = None if error is None else minimum_detectable_difference(error, level=level, clusters=clusters)
    return found if found is not None and found <= SCORE_RANGE else None


def _parts(
    breakdowns: Sequence[str],
    outcomes: Sequence[AttemptResult],
    scores: tuple[Mapping[str, float], Mapping[str, float]],
    shared: Sequence[str],
    clusters: Mapping[str, str],
) -> list[SliceComparison]:
    """By every tag with more than one value, the largest difference first."""
    tags = {one.question_id: one.tags for one in outcomes}
    found = []
    for by in breakdowns:
        groups: dict[str, list[str]] = {}
        for question in shared:
            if by in tags[question]:
                groups.setdefault(tags[question][by], []).append(question)
        if len(groups) < 2:
            continue
        for value, questions in groups.items():
            ours, theirs = ([of_side[question] for question in questions] for of_side in scores)
            pairing = PairedComparison([clusters[question] for question in questions], value_range=SCORE_RANGE)
            paired = pairing.compare(ours, theirs)
            found.append(SliceComparison(by, value, sum(ours) / len(ours), sum(theirs) / len(theirs), paired))
    return sorted(found, key=lambda part: (-part.paired.difference, part.by, part.value))


def _flips(
    describe_truth: Callable[[str], str],
    ones: Sequence[AttemptResult],
    others: Sequence[AttemptResult],
    scores: tuple[Mapping[str, float], Mapping[str, float]],
    shared: Sequence[str],
) -> list[Flip]:
    """The largest differences first, by id."""
    first, second = ({one.question_id: one for one in reversed(found)} for found in (ones, others))
    apart = sorted(
        (question for question in shared if abs(scores[0][question] - scores[1][question]) > 1e-9),
        key=lambda question: (-abs(scores[0][question] - scores[1][question]), first[question].item_id, question),
    )
    return [
        Flip(
            item=first[question].item_id,
            asked=first[question].tags.get(QUESTION_TEXT_TAG, ""),
            truth=describe_truth(first[question].truth),
            better=int(scores[1][question] > scores[0][question]),
            answers=(_answer_of(first[question]), _answer_of(second[question])),
        )
        for question in apart
    ]


def _answer_of(outcome: AttemptResult) -> str:
    if outcome.verdict is None:
        return "pending"
    return outcome.verdict.answer or str(outcome.verdict.status)
