"""Integrity of a ledger: everything that can be computed from what is stored is computed again and compared.

A difference is something that does not fit. A note explains what has a known cause, such as a run that was interrupted
or verdicts that an earlier version of the parsers read.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptResult
from affordance.core.digest import digest_file
from affordance.core.json_text import Json
from affordance.evaluation.rescore import reread_verdicts
from affordance.judging.calibration_set import CALIBRATION_PREFIX
from affordance.ledger import UNKNOWN_QUESTION, Ledger, MediaSource, RunRecord
from affordance.tasks.question_design import OptionOrder, option_letters
from affordance.tasks.registry import TASKS

_MAX_IDS = 5  # that are named of one kind
_POSITIONS = ("slot", "place", "winner")  # tags with the position of the right option


@dataclass(frozen=True, slots=True)
class LedgerFinding:
    """One line of the check."""

    check: str  # references and digests, media, verdicts, counts or positions
    is_difference: bool  # a note otherwise
    message: str


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """What was found, and how much was looked at."""

    ledger: str
    rows: Mapping[str, int]
    findings: tuple[LedgerFinding, ...]

    @property
    def is_sound(self) -> bool:
        return not any(one.is_difference for one in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "sound": self.is_sound}

    def __str__(self) -> str:
        looked_at = ", ".join(f"{name} {n:,}" for name, n in self.rows.items())
        differences = sum(one.is_difference for one in self.findings)
        said = [
            f"{'difference' if one.is_difference else 'note'} ({one.check}): {one.message}" for one in self.findings
        ]
        found = f"differences found: {differences:,}" if differences else "no differences found"
        return "\n".join([*said, f"{self.ledger}: {found} ({looked_at})"])


def check_ledger(ledger: Ledger) -> LedgerCheck:
    """Compare everything in a ledger with what it is computed from. Writes nothing."""
    mismatches = ledger.mismatches()
    findings = [
        LedgerFinding(
            "references and digests",
            True,
            f"{one.count:,} {one.description}: {', '.join(one.ids)}{_and_more(one.count)}",
        )
        for one in mismatches
    ]
    findings += _media(ledger.media_sources())
    if any(one.description == UNKNOWN_QUESTION for one in mismatches):
        said = "verdicts, counts and positions are not checked: not all questions are there"
        return LedgerCheck(ledger.location, ledger.row_counts(), (*findings, LedgerFinding("verdicts", False, said)))
    older: Counter[int] = Counter()
    for run in ledger.runs():
        outcomes = list(ledger.attempt_results(run.id))
        findings += [*_verdicts(ledger, run, older), *_counts(run, outcomes), *_positions(ledger, run, outcomes)]
    for version, n in sorted(older.items()):
        said = f"{n:,} verdicts were read by parser version {version}; `affordance rescore` reads their responses again"
        findings.append(LedgerFinding("verdicts", False, said))
    return LedgerCheck(ledger.location, ledger.row_counts(), tuple(findings))


def _and_more(n: int) -> str:
    return f" and {n - _MAX_IDS:,} more" if n > _MAX_IDS else ""


def _join_ids(ids: Sequence[str]) -> str:
    return f"{', '.join(ids[:_MAX_IDS])}{_and_more(len(ids))}"


def _media(media: Sequence[MediaSource]) -> Iterator[LedgerFinding]:
    """Media files have the content that was sent to models."""
    places = {one.source: one.path for one in media if one.path is not None}
    there = {source: path for source, path in places.items() if path.is_file()}
    changed = [f"{path} (was {source})" for source, path in sorted(there.items()) if digest_file(path) != source]
    if changed:
        yield LedgerFinding("media", True, f"files with other content than was sent to models: {_join_ids(changed)}")
    if unknown := len({one.source for one in media}) - len(there):
        yield LedgerFinding(
            "media", False, f"{unknown:,} source files are not where they were; their content is not checked"
        )


def _verdicts(ledger: Ledger, run: RunRecord, older: Counter[int]) -> Iterator[LedgerFinding]:
    """Verdicts are what their responses are read as. Those of earlier parsers are counted in `older`."""
    changed: list[str] = []
    older_changed: list[str] = []
    reasons: dict[str, list[str]] = {}
    for one in reread_verdicts(ledger, run):
        attempt, version = one.outcome.attempt_id, one.outcome.parser_version
        if version != PARSER_VERSION:
            older[version] += 1
        if one.after is None:
            reasons.setdefault(one.reason, []).append(attempt)
        elif one.is_changed:
            (changed if version == PARSER_VERSION else older_changed).append(attempt)
    if changed:
        said = (
            f"run {run.name}: {len(changed):,} verdicts differ from what is read in their responses: "
            f"{_join_ids(changed)}"
        )
        yield LedgerFinding("verdicts", True, said)
    if older_changed:
        said = f"run {run.name}: parser version {PARSER_VERSION} would change {len(older_changed):,} verdicts"
        yield LedgerFinding("verdicts", False, f"{said}: {_join_ids(older_changed)}")
    for reason, ids in reasons.items():
        said = f"run {run.name}: {len(ids):,} verdicts cannot be read again ({reason}): {_join_ids(ids)}"
        yield LedgerFinding("verdicts", False, said)


def _counts(run: RunRecord, outcomes: Sequence[AttemptResult]) -> Iterator[LedgerFinding]:
    """All models have the same questions and trials, as many as the run's record states, and every attempt has
    ended."""
    asked: dict[tuple[str, str], dict[str, set[tuple[str, int]]]] = {}
    trials: dict[tuple[str, str, str, str], set[int]] = {}
    pending: Counter[tuple[str, str]] = Counter()
    for one in outcomes:
        asked.setdefault((one.task, one.strategy), {}).setdefault(one.model, set()).add((one.question_id, one.trial))
        trials.setdefault((one.task, one.model, one.strategy, one.item_id), set()).add(one.trial)
        pending[one.task, one.model] += one.verdict is None
    for (task, strategy), models in asked.items():
        if len({frozenset(questions) for questions in models.values()}) > 1:
            each = ", ".join(f"{model} {len(questions):,}" for model, questions in sorted(models.items()))
            said = f"run {run.name}, {task} ({strategy}): models have different questions, attempts: {each}"
            yield LedgerFinding("counts", True, said)
    recorded = run.settings.get("trials")
    for task in {
        task for task, _ in asked if isinstance(recorded, Mapping) and not task.startswith(CALIBRATION_PREFIX)
    }:
        n = recorded.get(task) if isinstance(recorded, Mapping) else None
        wrong = [key[3] for key, found in trials.items() if key[0] == task and found != set(range(_int_or_zero(n)))]
        if n is not None and wrong:
            items = _join_ids(sorted(set(wrong)))
            said = f"run {run.name}, {task}: expected trials 0 to {_int_or_zero(n) - 1}, not so of {items}"
            yield LedgerFinding("counts", True, said)
    for (task, model), n in sorted(pending.items()):
        if n:
            said = f"run {run.name}, {task}, {model}: {n:,} attempts have no verdict; the run was interrupted"
            yield LedgerFinding("counts", False, said)


def _int_or_zero(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _positions(ledger: Ledger, run: RunRecord, outcomes: Sequence[AttemptResult]) -> Iterator[LedgerFinding]:
    """The right option stands in every position equally often, where the run's order promises it."""
    axes = ledger.question_axes(run.id)
    counted: dict[tuple[str, str], Counter[str]] = {}
    options: Counter[tuple[str, str]] = Counter()
    trials: dict[str, int] = {}
    for one in outcomes:
        trials[one.task] = max(trials.get(one.task, 0), one.trial + 1)
        form = TASKS[one.task].views.split.tag if one.task in TASKS else ""
        for tag in _POSITIONS:
            if tag in one.tags:
                row = one.task, f"{tag} {one.tags.get(form, '')} {one.model} {one.strategy}"
                counted.setdefault(row, Counter())[one.tags[tag]] += 1
                listed = axes[one.question_id].get("options")
                options[row] = max(options[row], len(listed) if isinstance(listed, list) else 0)
    found: dict[tuple[str, str], None] = {}  # once for several models with the same questions
    for (task, shown), counts in counted.items():
        n = options[task, shown]
        places = option_letters(n) if n else ("first", "second")
        numbers = [counts[place] for place in places]
        # Of a last, partial block of orders each trial is balanced over the items.
        slack = trials[task] % len(places) if _order(run, task) == OptionOrder.BALANCED else 0
        if max(numbers) - min(numbers) > slack:
            said = f"the right option stands {', '.join(map(str, numbers))} times in {', '.join(places)}"
            found[task, said] = None
    for task, said in found:
        order = _order(run, task)
        is_old_subset = order == OptionOrder.BALANCED and run.settings.get("limit") and "subset" not in run.settings
        why = "its subset (--limit) was not balanced" if is_old_subset else f"its order is {order or 'unknown'}"
        promised = order in (OptionOrder.BALANCED, OptionOrder.BOTH_ORDERS) and not is_old_subset
        yield LedgerFinding("positions", promised, f"run {run.name}, {task}: {said}; {why}")


def _order(run: RunRecord, task: str) -> str:
    orders = run.settings.get("order")
    return str(orders.get(task, "")) if isinstance(orders, Mapping) else ""
