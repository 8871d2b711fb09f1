"""Integrity of a ledger: everything that can be computed from what is stored is computed again and compared.

A difference is something that does not fit. A note explains what has a known cause, such as a run that was interrupted
or verdicts that an earlier version of the parsers read.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempt import Outcome
from affordance.core.digest import Json, digest_file
from affordance.evaluation.rescore import read_again
from affordance.ledger import UNKNOWN_QUESTION, Ledger, Run, StoredMedium
from affordance.run.rejudging import CALIBRATION
from affordance.suites.orders import letters
from affordance.suites.registry import TASKS
from affordance.suites.task import Order

_MAX_IDS = 5  # that are named of one kind
_POSITIONS = ("slot", "place", "winner")  # tags that say where the right option stands


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the check."""

    check: str  # references and digests, media, verdicts, counts or positions
    is_difference: bool  # a note otherwise
    message: str


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """What was found, and how much was looked at."""

    ledger: str
    rows: Mapping[str, int]
    findings: tuple[Finding, ...]

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
        Finding("references and digests", True, f"{one.n:,} {one.what}: {', '.join(one.ids)}{_more(one.n)}")
        for one in mismatches
    ]
    findings += _media(ledger.media())
    if any(one.what == UNKNOWN_QUESTION for one in mismatches):
        said = "verdicts, counts and positions are not checked: not all questions are there"
        return LedgerCheck(ledger.where, ledger.row_counts(), (*findings, Finding("verdicts", False, said)))
    older: Counter[int] = Counter()
    for run in [one.run for one in ledger.runs()]:
        outcomes = list(ledger.outcomes(run.id))
        findings += [*_verdicts(ledger, run, older), *_counts(run, outcomes), *_positions(ledger, run, outcomes)]
    for version, n in sorted(older.items()):
        said = f"{n:,} verdicts were read by parser version {version}; `affordance rescore` reads their responses again"
        findings.append(Finding("verdicts", False, said))
    return LedgerCheck(ledger.where, ledger.row_counts(), tuple(findings))


def _more(n: int) -> str:
    return f" and {n - _MAX_IDS:,} more" if n > _MAX_IDS else ""


def _listed(ids: Sequence[str]) -> str:
    return f"{', '.join(ids[:_MAX_IDS])}{_more(len(ids))}"


def _media(media: Sequence[StoredMedium]) -> Iterator[Finding]:
    """Files that are there have the content that models were asked about."""
    places = {one.source: one.path for one in media if one.path is not None}
    there = {source: path for source, path in places.items() if path.is_file()}
    changed = [f"{path} (was {source})" for source, path in sorted(there.items()) if digest_file(path) != source]
    if changed:
        yield Finding("media", True, f"files with other content than models were asked about: {_listed(changed)}")
    if unknown := len({one.source for one in media}) - len(there):
        yield Finding("media", False, f"{unknown:,} source files are not where they were; their content is not checked")


def _verdicts(ledger: Ledger, run: Run, older: Counter[int]) -> Iterator[Finding]:
    """Verdicts are what their responses are read as. Those of earlier parsers are counted in `older`."""
    changed: list[str] = []
    older_changed: list[str] = []
    reasons: dict[str, list[str]] = {}
    for one in read_again(ledger, run):
        attempt, version = one.outcome.attempt, one.outcome.parser_version
        if version != PARSER_VERSION:
            older[version] += 1
        if one.after is None:
            reasons.setdefault(one.reason, []).append(attempt)
        elif one.is_changed:
            (changed if version == PARSER_VERSION else older_changed).append(attempt)
    if changed:
        said = (
            f"run {run.name}: {len(changed):,} verdicts differ from what is read in their responses: {_listed(changed)}"
        )
        yield Finding("verdicts", True, said)
    if older_changed:
        said = f"run {run.name}: parser version {PARSER_VERSION} would change {len(older_changed):,} verdicts"
        yield Finding("verdicts", False, f"{said}: {_listed(older_changed)}")
    for reason, ids in reasons.items():
        said = f"run {run.name}: {len(ids):,} verdicts cannot be read again ({reason}): {_listed(ids)}"
        yield Finding("verdicts", False, said)


def _counts(run: Run, outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """All models are asked the same, as often as the run's record says, and every attempt has ended."""
    asked: dict[tuple[str, str], dict[str, set[tuple[str, int]]]] = {}
    trials: dict[tuple[str, str, str, str], set[int]] = {}
    pending: Counter[tuple[str, str]] = Counter()
    for one in outcomes:
        asked.setdefault((one.task, one.strategy), {}).setdefault(one.model, set()).add((one.question, one.trial))
        trials.setdefault((one.task, one.model, one.strategy, one.item), set()).add(one.trial)
        pending[one.task, one.model] += one.verdict is None
    for (task, strategy), models in asked.items():
        if len({frozenset(questions) for questions in models.values()}) > 1:
            each = ", ".join(f"{model} {len(questions):,}" for model, questions in sorted(models.items()))
            said = f"run {run.name}, {task} ({strategy}): models were not asked the same, attempts: {each}"
            yield Finding("counts", True, said)
    recorded = run.settings.get("trials")
    for task in {task for task, _ in asked if isinstance(recorded, Mapping) and not task.startswith(CALIBRATION)}:
        n = recorded.get(task) if isinstance(recorded, Mapping) else None
        wrong = [key[3] for key, found in trials.items() if key[0] == task and found != set(range(_whole(n)))]
        if n is not None and wrong:
            items = _listed(sorted(set(wrong)))
            said = f"run {run.name}, {task}: expected trials 0 to {_whole(n) - 1}, not so of {items}"
            yield Finding("counts", True, said)
    for (task, model), n in sorted(pending.items()):
        if n:
            said = f"run {run.name}, {task}, {model}: {n:,} attempts have no verdict; the run was interrupted"
            yield Finding("counts", False, said)


def _whole(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _positions(ledger: Ledger, run: Run, outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """The right option stands in every position equally often, where the run's order promises it."""
    axes = ledger.axes(run.id)
    counted: dict[tuple[str, str], Counter[str]] = {}
    options: Counter[tuple[str, str]] = Counter()
    trials: dict[str, int] = {}
    for one in outcomes:
        trials[one.task] = max(trials.get(one.task, 0), one.trial + 1)
        form = TASKS[one.task].form if one.task in TASKS else ""
        for tag in _POSITIONS:
            if tag in one.tags:
                row = one.task, f"{tag} {one.tags.get(form, '')} {one.model} {one.strategy}"
                counted.setdefault(row, Counter())[one.tags[tag]] += 1
                listed = axes[one.question].get("options")
                options[row] = max(options[row], len(listed) if isinstance(listed, list) else 0)
    found: dict[tuple[str, str], None] = {}  # once, where several models were asked the same
    for (task, shown), counts in counted.items():
        n = options[task, shown]
        places = letters(n) if n else ("first", "second")
        numbers = [counts[place] for place in places]
        # Of a last, partial block of orders each trial is balanced over the items.
        slack = trials[task] % len(places) if _order(run, task) == Order.BALANCED else 0
        if max(numbers) - min(numbers) > slack:
            said = f"the right option stands {', '.join(map(str, numbers))} times in {', '.join(places)}"
            found[task, said] = None
    for task, said in found:
        order = _order(run, task)
        is_old_subset = order == Order.BALANCED and run.settings.get("limit") and "subset" not in run.settings
        why = "its subset (--limit) was not balanced" if is_old_subset else f"its order is {order or 'unknown'}"
        promised = order in (Order.BALANCED, Order.BOTH) and not is_old_subset
        yield Finding("positions", promised, f"run {run.name}, {task}: {said}; {why}")


def _order(run: Run, task: str) -> str:
    orders = run.settings.get("order")
    return str(orders.get(task, "")) if isinstance(orders, Mapping) else ""
