"""Import of Inspect logs into the ledger, as if the executor had sent the requests itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

from pydantic import ValidationError

from affordance.core.attempts import Attempt, AttemptStatus
from affordance.core.errors import DataError
from affordance.core.question import Question, answer_format_from_json
from affordance.core.requests import CallSettings, RequestStep, Response
from affordance.core.validation import format_validation_error
from affordance.evaluation.executor import PLAN_BATCH_SIZE
from affordance.evaluation.plan import named_run
from affordance.integrations.inspect.log_files import InspectLog
from affordance.integrations.inspect.log_schema import LoggedAttempt, LoggedRequest, LogHeader
from affordance.integrations.inspect.log_verification import verify_verdicts, with_current_keys
from affordance.ledger import Ledger, RunRecord, VerdictOrigin, WriteFuture

PlannedAttempts = dict[str, tuple[Attempt, str, Question]]  # by attempt id, as the ledger takes it


@dataclass(frozen=True, slots=True)
class LogImport:
    """What came of one log."""

    file: str
    run: str
    task: str
    model: str
    planned: int  # attempts
    missing: int  # of those, still to be made
    attempts: int  # that were written, beside those that were there
    replies: int  # that were written
    remark: str


def import_inspect_log(log: InspectLog, ledger: Ledger, name: str | None = None, data: str | None = None) -> LogImport:
    """Put a log into a ledger, where what has ended stays as it is. Raises where the log contradicts itself or its
    dataset, and where the ledger has another run of that name; then nothing is written. `data` is where the dataset
    lies, if not where it was."""
    header, samples = log.header, list(log.attempts)
    try:
        run = named_run(name or header.name, header.settings, header.dataset)
        planned = _planned_attempts(header, run)
        strange = next((one for one in samples if _with_run(one, run).attempt().id not in planned), None)
        if strange is not None:
            raise ValueError(f"an attempt at item {strange.question.item!r} that its own plan does not have")
        samples = with_current_keys(header, samples)
        remark = _verification_remark(header, run, [_with_run(one, run) for one in samples], data)
        stored = ledger.begin_run(run)
        intake = _LogWriter(ledger, stored, header)
        intake.write_plan(planned)
        intake.write_attempts([_with_run(one, stored) for one in samples])
    except (ValueError, KeyError) as error:
        found = format_validation_error(error) if isinstance(error, ValidationError) else str(error)
        raise DataError(f"expected what Affordance writes into a log, found: {found}", log.path) from None
    now = ledger.statuses(stored.id)
    missing = sum(now.get(attempt, AttemptStatus.FAILED) is AttemptStatus.FAILED for attempt in planned)
    return LogImport(
        str(log.path), stored.name, header.task, header.model.model, len(planned), missing, intake.attempts,
        intake.replies, remark,
    )  # fmt: skip


def _verification_remark(header: LogHeader, run: RunRecord, samples: Sequence[LoggedAttempt], data: str | None) -> str:
    """What is to be said where verdicts are taken as they are."""
    if header.version != version("affordance"):
        return f"written by Affordance {header.version}, and verdicts stay as they were then"
    unknown = verify_verdicts(header, run, samples, data)
    return f"its verdicts were not compared with its replies: {unknown}; --data names its dataset" if unknown else ""


def _planned_attempts(header: LogHeader, run: RunRecord) -> PlannedAttempts:
    found: PlannedAttempts = {}
    for told, strategy, trial in header.planned_attempts():
        question = told.question()
        attempt = Attempt(run.id, question.id, header.model.model, strategy, trial)
        found[attempt.id] = attempt, question.task, question
    return found


def _with_run(logged: LoggedAttempt, run: RunRecord, subject: str = "") -> LoggedAttempt:
    """An attempt under the name that the run has in the ledger: the ids of judgements follow."""
    renamed = logged.model_copy(update={"run": run.id, "subject": subject})
    judgements = tuple(_with_run(one, run, renamed.attempt().id) for one in logged.judgements)
    return renamed.model_copy(update={"judgements": judgements})


class _LogWriter:
    """Writes what the ledger does not have yet."""

    def __init__(self, ledger: Ledger, run: RunRecord, header: LogHeader) -> None:
        self.attempts = self.replies = 0
        self._ledger = ledger
        self._run = run
        self._model = header.model.call_settings()
        self._judge = header.judge.call_settings() if header.judge is not None else None
        self._cached: dict[str, int] = {}
        self._new: dict[str, tuple[Response, WriteFuture[int]]] = {}  # replies that were just written, by request key
        self._stored_steps: dict[
            tuple[str, RequestStep, str, Response], int
        ] = {}  # steps of attempts that have not ended well
        self._responses: dict[tuple[str, RequestStep], int | WriteFuture[int]] = {}  # what attempts used, by its id
        self._last: WriteFuture[int] | WriteFuture[None] | None = None  # all before it are written when it is

    def write_plan(self, planned: PlannedAttempts) -> None:
        entries = list(planned.values())
        for start in range(0, len(entries), PLAN_BATCH_SIZE):
            self._ledger.add_attempts(entries[start : start + PLAN_BATCH_SIZE]).result()

    def write_attempts(self, samples: Sequence[LoggedAttempt]) -> None:
        ended = self._ledger.statuses(self._run.id)
        left = [one for one in samples if ended.get(one.attempt().id, AttemptStatus.FAILED) is AttemptStatus.FAILED]
        parts = [one for made in left for one in (made, *made.judgements)]
        fresh_run = self._run.id if self._run.fresh else None
        keys = [said.key for one in parts for said in one.steps]
        self._cached = self._ledger.response_ids_by_key(keys, fresh_run=fresh_run)
        known = self._ledger.steps_of([one.attempt().id for one in parts])
        self._stored_steps = {
            (attempt, step.step, step.key, _as_stored(step.response)): step.response_id
            for attempt, steps in known.items()
            for step in steps
        }
        brought = []
        for made in left:
            told = made.verdict is not None and made.attempt().id not in ended
            if told or any(
                place not in self._stored_steps for one in (made, *made.judgements) for place in _step_keys(one)
            ):
                self._write_attempt(made)
                brought.append(made)
        if self._last is not None:
            self._last.result()  # all responses have their ids then
        for made in brought:
            for one in (*made.judgements, made):
                self._write_verdict(one)
        if self._last is not None:
            self._last.result()

    def _write_attempt(self, logged: LoggedAttempt) -> None:
        self.attempts += 1
        self._write_steps(logged, self._model)
        if logged.judgements:
            self._ledger.add_attempts(
                [(one.attempt(), one.question.task, one.question.question()) for one in logged.judgements]
            )
        for one in logged.judgements:
            assert self._judge is not None, "it was checked"
            self._write_steps(one, self._judge)

    def _write_steps(self, logged: LoggedAttempt, address: CallSettings) -> None:
        attempt = logged.attempt().id
        for said, place in zip(logged.steps, _step_keys(logged), strict=True):
            if place in self._stored_steps:
                self._responses[attempt, said.step] = self._stored_steps[place]
                continue
            if (known := self._stored_response_id(said)) is not None:
                self._last = self._ledger.link_response(attempt, said.step, known)
                self._responses[attempt, said.step] = known
                continue
            asked = logged.request_record(said, address)
            self._last = written = self._ledger.add_response(attempt, said.step, asked, said.reply, run=self._run.id)
            self._new[said.key] = said.reply, written
            self._responses[attempt, said.step] = written
            self.replies += 1

    def _stored_response_id(self, request: LoggedRequest) -> int | None:
        """The same reply to the same ask in the ledger, which the runner would have used again."""
        if request.reply.failed:
            return None
        if request.key in self._new:
            reply, written = self._new[request.key]
            return written.result() if reply == request.reply else None
        found = self._cached.get(request.key)
        return found if found is not None and self._ledger.get_response(found) == _as_stored(request.reply) else None

    def _write_verdict(self, logged: LoggedAttempt) -> None:
        if logged.verdict is not None:
            first = logged.first.verdict() if logged.first is not None else None
            origin = self._origin(logged)
            self._last = self._ledger.add_verdict(logged.attempt().id, logged.verdict.verdict(), first, origin)

    def _origin(self, logged: LoggedAttempt) -> VerdictOrigin | None:
        if (origin := logged.origin) is None:
            return None
        found = self._responses[logged.attempt().id, origin.step]
        response = found if isinstance(found, int) else found.result()
        return VerdictOrigin(response, answer_format_from_json(origin.answer_format), origin.parser_version)


def _step_keys(logged: LoggedAttempt) -> list[tuple[str, RequestStep, str, Response]]:
    return [(logged.attempt().id, said.step, said.key, _as_stored(said.reply)) for said in logged.steps]


def _as_stored(response: Response) -> Response:
    """As it is read from a ledger: how long to wait is not kept."""
    return replace(response, retry_after=None, throttled=False)
