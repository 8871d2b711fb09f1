"""Rescoring: verdicts are recomputed from stored responses by the current parsers. Nothing is sent.

Judgements come first, as the verdicts of judged attempts are combined from theirs. A verdict that cannot be recomputed
stays as it is, with a reason: its response or judgements are not stored, or its task or dialect is not installed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.json_text import canonical_json
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.evaluation.attempts import apply_judgement, conclude_judged_attempt
from affordance.judging.calibration_set import CALIBRATION_PREFIX
from affordance.judging.judgements import JUDGE_SPECS, stored_question
from affordance.ledger import AttemptStep, Ledger, RunRecord, VerdictOrigin, open_ledger
from affordance.tasks.legacy_formats import legacy_answer_format
from affordance.tasks.registry import find_task
from affordance.tasks.scoring import JudgedAnswer, JudgePlan
from affordance.tasks.task import Task

MAX_EXAMPLES = 3
_ATTEMPTS_PER_QUERY = 500  # attempts whose responses are in memory together
_MAX_TEXT = 200  # characters of a response in an example


@dataclass(frozen=True, slots=True)
class RereadVerdict:
    """A stored verdict, and what its response is read as today; `after` is None where it cannot be read again."""

    outcome: AttemptResult
    is_judgement: bool
    after: Verdict | None
    first: Verdict | None = None  # on the first try
    origin: VerdictOrigin | None = None
    reason: str = ""  # why it cannot be read again
    response: str = ""

    @property
    def before(self) -> Verdict:
        assert self.outcome.verdict is not None
        return self.outcome.verdict

    @property
    def is_changed(self) -> bool:
        """Whether it is another verdict, in any part that is stored."""
        if self.after is None or self.first is None or self.outcome.first_verdict is None:
            return False
        firsts = [(one.status, one.score) for one in (self.first, self.outcome.first_verdict)]
        return _compared_parts(self.after) != _compared_parts(self.before) or firsts[0] != firsts[1]

    @property
    def is_current(self) -> bool:
        """Whether nothing is to be stored."""
        return not self.is_changed and self.outcome.parser_version == PARSER_VERSION


@dataclass(frozen=True, slots=True)
class Example:
    """One verdict that changed."""

    attempt: str
    item: str
    trial: int
    before: str | None  # the answer, or why there is none
    after: str | None
    response: str  # its beginning


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """How many verdicts changed from one outcome to another."""

    before: str
    after: str
    n: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class RescoredRow:
    """The verdicts of one task and model in a run."""

    run: str
    task: str
    model: str
    judgements: bool  # whether the model is the judge
    verdicts: int
    changes: tuple[VerdictChange, ...]
    unread: Mapping[str, int]  # verdicts that stay as they are, by reason

    @property
    def changed(self) -> int:
        return sum(one.n for one in self.changes)


@dataclass(frozen=True, slots=True)
class RescoreResult:
    """Changes of verdicts by rescoring. `stored` counts new verdicts, also those that are equal but of a new parser
    version."""

    parser_version: int
    rows: tuple[RescoredRow, ...]
    stored: int
    dry_run: bool

    @property
    def changed(self) -> int:
        return sum(row.changed for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "changed": self.changed}

    def __str__(self) -> str:
        verdicts = sum(row.verdicts for row in self.rows)
        stored = "nothing stored (dry run)" if self.dry_run else f"{self.stored:,} stored"
        said = [
            f"{verdicts:,} verdicts read by parser version {self.parser_version}: {self.changed:,} changed, {stored}."
        ]
        for row in self.rows:
            if row.changes or row.unread:
                said += ["", *_row_lines(row)]
        return "\n".join(said)


def rescore(ledger: Ledger, runs: Sequence[RunRecord], *, dry_run: bool = False) -> RescoreResult:
    """Read all verdicts of these runs again, and store those that change or were read by an earlier version.

    Earlier verdicts are kept; the latest one counts. A second call changes nothing."""
    rows: list[RescoredRow] = []
    stored = 0
    for run in runs:
        found: dict[tuple[str, str, bool], list[RereadVerdict]] = {}
        counts: Counter[tuple[str, str, bool]] = Counter()
        written = None
        for one in reread_verdicts(ledger, run):
            key = one.outcome.task, one.outcome.model, one.is_judgement
            counts[key] += 1
            if one.after is None or one.is_changed:
                found.setdefault(key, []).append(one)
            if one.after is not None and not one.is_current:
                stored += not dry_run
                if not dry_run:
                    written = ledger.add_verdict(one.outcome.attempt_id, one.after, one.first, one.origin)
        if written is not None:
            written.result()  # all before it are stored when it is
        rows += [_row(run, key, n, found.get(key, ())) for key, n in sorted(counts.items())]
    return RescoreResult(PARSER_VERSION, tuple(rows), stored, dry_run)


def rescore_ledger(where: str, names: Sequence[str] = (), *, dry_run: bool = False) -> RescoreResult:
    """The same of a ledger that exists; of these runs, or of all."""
    with open_ledger(where, read_only=True) as opened:
        runs = [opened.find_run(name) for name in names] or opened.runs()
        if dry_run:
            return rescore(opened, runs, dry_run=True)
    with open_ledger(where) as opened:
        return rescore(opened, runs)


def reread_verdicts(ledger: Ledger, run: RunRecord) -> Iterator[RereadVerdict]:
    """Every verdict of a run next to what its stored response is read as today, judgements first."""
    reader = _ResponseReader(ledger, run)
    about = ledger.judged_attempts(run.id)
    judgements: dict[str, dict[str, Verdict | None]] = {}  # by judged attempt and question
    for outcome, steps in _with_steps(ledger, run, judgements=True):
        found = reader.read_judgement(outcome, steps)
        judgements.setdefault(about[outcome.attempt_id], {})[outcome.question_id] = found.after
        yield found
    for outcome, steps in _with_steps(ledger, run, judgements=False):
        yield reader.read(outcome, steps, judgements.get(outcome.attempt_id, {}))


def _with_steps(
    ledger: Ledger, run: RunRecord, *, judgements: bool
) -> Iterator[tuple[AttemptResult, list[AttemptStep]]]:
    ended = [one for one in ledger.attempt_results(run.id, judgements=judgements) if one.verdict is not None]
    for start in range(0, len(ended), _ATTEMPTS_PER_QUERY):
        some = ended[start : start + _ATTEMPTS_PER_QUERY]
        steps = ledger.steps_of([one.attempt_id for one in some])
        yield from ((one, steps[one.attempt_id]) for one in some)


class _Unreadable(Exception):
    """A verdict that stays as it is, and why."""


class _ResponseReader:
    """Reads the responses of one run."""

    def __init__(self, ledger: Ledger, run: RunRecord) -> None:
        self._axes = ledger.question_axes(run.id)
        self._origins = ledger.verdict_origins(run.id)

    def read_judgement(self, outcome: AttemptResult, steps: Sequence[AttemptStep]) -> RereadVerdict:
        try:
            return self._read_judgement(outcome, steps, _judge_spec(outcome))
        except _Unreadable as why:
            return RereadVerdict(outcome, True, None, reason=str(why))

    def read(
        self, outcome: AttemptResult, steps: Sequence[AttemptStep], judgements: Mapping[str, Verdict | None]
    ) -> RereadVerdict:
        try:
            if outcome.task.startswith(CALIBRATION_PREFIX):
                return self._read_judgement(outcome, steps, _judge_spec(outcome))
            return self._read_answer(outcome, steps, judgements)
        except (_Unreadable, UserError) as why:  # the dialect of a plugin that is not installed
            return RereadVerdict(outcome, False, None, reason=str(why))

    def _read_judgement(
        self, outcome: AttemptResult, steps: Sequence[AttemptStep], judging: JudgePlan
    ) -> RereadVerdict:
        record = self._record(outcome, steps)
        grammar = self._stored_format(outcome) or judging.answer_format
        verdict = judging.score(self._question(outcome, grammar), record.response)
        origin = VerdictOrigin(record.response_id, grammar)
        return RereadVerdict(
            outcome, not outcome.task.startswith(CALIBRATION_PREFIX), verdict, verdict, origin, "", record.response.text
        )

    def _read_answer(
        self, outcome: AttemptResult, steps: Sequence[AttemptStep], judgements: Mapping[str, Verdict | None]
    ) -> RereadVerdict:
        task = _task(outcome.task)
        record = self._record(outcome, steps)
        grammar = self._stored_format(outcome) or self._legacy_format(outcome, record)
        question = self._question(outcome, grammar)
        verdict = task.score(question, record.response)
        start = _first_response(steps, record)
        first = verdict if start is record else task.score(question, start.response)
        if task.judge is not None and verdict.status is AttemptStatus.ANSWERED:
            answer = JudgedAnswer.from_response(record.response, outcome.model)
            judged = _conclude(task.judge, question, answer, judgements)
            verdict, first = apply_judgement((verdict, first), judged)
        origin = VerdictOrigin(record.response_id, grammar)
        return RereadVerdict(outcome, False, verdict, first, origin, "", record.response.text)

    def _record(self, outcome: AttemptResult, steps: Sequence[AttemptStep]) -> AttemptStep:
        origin = self._origins.get(outcome.attempt_id)
        if origin is not None and origin.response_id is not None:
            found = next((one for one in steps if one.response_id == origin.response_id), None)
            if found is None:
                raise _Unreadable(f"response {origin.response_id} is not among those of its attempt")
            return found
        if not steps:
            raise _Unreadable("no response is stored")
        assert outcome.verdict is not None
        failed = [one for one in steps if one.response.failed]
        # Several requests go out at once in some strategies: a failed one need not be the last.
        return (
            failed[-1]
            if failed and outcome.verdict.status in (AttemptStatus.FAILED, AttemptStatus.SKIPPED)
            else steps[-1]
        )

    def _stored_format(self, outcome: AttemptResult) -> AnswerFormat | None:
        origin = self._origins.get(outcome.attempt_id)
        return None if origin is None else origin.answer_format

    def _legacy_format(self, outcome: AttemptResult, record: AttemptStep) -> AnswerFormat:
        found = legacy_answer_format(self._question(outcome, FreeText()), outcome.strategy, record.dialect)
        if found is None:
            raise _Unreadable(f"the answer format of {outcome.task} is not stored")
        return found

    def _question(self, outcome: AttemptResult, grammar: AnswerFormat) -> Question:
        return stored_question(outcome, self._axes[outcome.question_id], grammar)


def _task(name: str) -> Task:
    task = find_task(name)
    if task is None:
        raise _Unreadable(f"no task {name} is installed that reads responses again")
    return task


def _judge_spec(outcome: AttemptResult) -> JudgePlan:
    """How judgements are read: those of a task, or those that a judge was measured by."""
    names = [outcome.task]
    if outcome.task.startswith(CALIBRATION_PREFIX):
        names = [
            name for name in JUDGE_SPECS if name.rpartition("/")[2] == outcome.task.removeprefix(CALIBRATION_PREFIX)
        ]
    judging = _task(names[0]).judge if names else None
    if judging is None:
        raise _Unreadable(f"{outcome.task} is not judged")
    return judging


def _first_response(steps: Sequence[AttemptStep], record: AttemptStep) -> AttemptStep:
    """The response to the same request before it was repeated."""
    tries = [one for one in steps if one.step == (*record.step[:2], 0) and not one.response.failed]
    return record if record.step[2] == 0 or not tries else tries[-1]


def _conclude(
    judge_spec: JudgePlan, question: Question, answer: JudgedAnswer, judgements: Mapping[str, Verdict | None]
) -> Verdict:
    planned = judge_spec.judgements(question, answer)
    found = [judgements.get(one.id) for one in planned]
    verdicts = [one for one in found if one is not None]
    if len(verdicts) < len(found):
        missing = "judgements are not stored" if not verdicts else "some judgements are not stored"
        raise _Unreadable(f"{missing} for the answer that is read from its response")
    return conclude_judged_attempt(question, judge_spec, answer, verdicts)


def _compared_parts(verdict: Verdict) -> tuple[object, ...]:
    return verdict.status, verdict.answer, verdict.score, verdict.reason, canonical_json(dict(verdict.detail))


def _row(run: RunRecord, key: tuple[str, str, bool], verdicts: int, found: Sequence[RereadVerdict]) -> RescoredRow:
    by_change: dict[tuple[str, str], list[RereadVerdict]] = {}
    for one in found:
        if one.after is not None:
            by_change.setdefault((_describe_verdict(one.before), _describe_verdict(one.after)), []).append(one)
    changes = tuple(
        VerdictChange(before, after, len(those), tuple(map(_example, those[:MAX_EXAMPLES])))
        for (before, after), those in sorted(by_change.items())
    )
    unread = Counter(one.reason for one in found if one.after is None)
    return RescoredRow(run.name, key[0], key[1], key[2], verdicts, changes, dict(unread))


def _describe_verdict(verdict: Verdict) -> str:
    return verdict.status.value if verdict.score is None else f"{verdict.status.value}, score {verdict.score:.4g}"


def _example(one: RereadVerdict) -> Example:
    assert one.after is not None
    outcome = one.outcome
    text = " ".join(one.response.split())
    short = text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
    return Example(
        outcome.attempt_id, outcome.item_id, outcome.trial, _answer_text(one.before), _answer_text(one.after), short
    )


def _answer_text(verdict: Verdict) -> str | None:
    return verdict.reason if verdict.answer is None else verdict.answer


def _row_lines(row: RescoredRow) -> Iterator[str]:
    what = "judgements by" if row.judgements else "answers of"
    yield f"{row.task}, {what} {row.model}, run {row.run}: {row.verdicts:,} verdicts, {row.changed:,} changed"
    for change in row.changes:
        yield f"  {change.n:,} from {change.before!r} to {change.after!r}"
        for one in change.examples:
            yield f"    item {one.item}, trial {one.trial}: {one.before!r} is now {one.after!r}"
            yield f"      {one.response}"
    for reason, n in row.unread.items():
        yield f"  {n:,} not read again: {reason}"
