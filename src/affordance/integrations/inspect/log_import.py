"""Import of Inspect logs into the ledger, as if the executor had sent the requests itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import Attempt, AttemptStatus
from affordance.core.errors import DataError
from affordance.core.question import Question, answer_format_from_json
from affordance.core.requests import CallSettings, RequestStep, Response
from affordance.core.validation import format_validation_error
from affordance.evaluation.executor import PLAN_BATCH_SIZE
from affordance.evaluation.plan import named_run
from affordance.evaluation.rescore import reread_verdicts
from affordance.integrations.inspect.log_files import InspectLog
from affordance.integrations.inspect.log_schema import LoggedAttempt, LoggedRequest, LogHeader
from affordance.integrations.inspect.log_verification import verify_plan, verify_requests
from affordance.ledger import Ledger, RunRecord, VerdictOrigin, WriteFuture

PlannedAttempts = dict[str, tuple[Attempt, str, Question]]  # attempt, task and question by attempt id
_StepKey = tuple[str, RequestStep, str, Response]  # attempt, step, request key and response


@dataclass(frozen=True, slots=True)
class LogImport:
    """What the import of one log wrote into the ledger."""

    file: str
    run: str
    task: str
    model: str
    planned: int  # attempts
    missing: int  # attempts without a verdict
    attempts: int  # attempts that were new
    replies: int  # responses that were new
    remark: str


def import_inspect_log(log: InspectLog, ledger: Ledger, name: str | None = None, data: str | None = None) -> LogImport:
    """Write a log into a ledger, then score its responses again. Finished attempts of the ledger stay as they are.

    Args:
        log: The log.
        ledger: The ledger.
        name: The name of the run. Default: the one that its settings give.
        data: The dataset, if it is not where the log says.

    Raises:
        DataError: The log contradicts itself or its dataset; nothing was written.
        UserError: The ledger has another run of that name; nothing was written.
    """
    header = log.header
    try:
        attempts = verify_requests(header, log.attempts)
        unverified = verify_plan(header, data)
        run = named_run(name or header.name, header.settings, header.dataset)
        planned = _planned_attempts(header, run)
        stored = ledger.begin_run(run)
        writer = _LogWriter(ledger, stored, header)
        writer.write_plan(planned)
        writer.write_attempts([_with_run(one, stored) for one in attempts])
    except (ValueError, KeyError) as error:
        reason = format_validation_error(error) if isinstance(error, ValidationError) else str(error)
        raise DataError(f"expected what Affordance writes into a log, found: {reason}", log.path) from None
    rescored = _rescore(ledger, stored)
    statuses = ledger.statuses(stored.id)
    missing = sum(statuses.get(attempt, AttemptStatus.FAILED) is AttemptStatus.FAILED for attempt in planned)
    return LogImport(
        str(log.path), stored.name, header.task, header.model.model, len(planned), missing, writer.attempts,
        writer.replies, "; ".join(_remarks(unverified, rescored)),
    )  # fmt: skip


def _rescore(ledger: Ledger, run: RunRecord) -> int:
    """Read responses again whose verdicts are by the parsers of today; how many verdicts differ. The new ones count."""
    changed, written = 0, None
    for one in reread_verdicts(ledger, run):
        if one.after is not None and one.is_changed and one.outcome.parser_version == PARSER_VERSION:
            written = ledger.add_verdict(one.outcome.attempt_id, one.after, one.first, one.origin)
            changed += 1
    if written is not None:
        written.result()
    return changed


def _remarks(unverified: str, rescored: int) -> Iterator[str]:
    if unverified:
        yield f"the plan was not compared with the dataset: {unverified}; --data names the dataset"
    if rescored:
        yield f"{rescored} stored verdicts differ from the recomputed ones, which count"


def _planned_attempts(header: LogHeader, run: RunRecord) -> PlannedAttempts:
    found: PlannedAttempts = {}
    for logged, strategy, trial in header.planned_attempts():
        question = logged.question()
        attempt = Attempt(run.id, question.id, header.model.model, strategy, trial)
        found[attempt.id] = attempt, question.task, question
    return found


def _with_run(logged: LoggedAttempt, run: RunRecord, subject: str = "") -> LoggedAttempt:
    """An attempt of the run in the ledger; the ids of its judgements depend on it."""
    renamed = logged.model_copy(update={"run": run.id, "subject": subject})
    judgements = tuple(_with_run(one, run, renamed.attempt().id) for one in logged.judgements)
    return renamed.model_copy(update={"judgements": judgements})


class _LogWriter:
    """Writes what the ledger does not hold yet."""

    def __init__(self, ledger: Ledger, run: RunRecord, header: LogHeader) -> None:
        self.attempts = self.replies = 0
        self._ledger = ledger
        self._run = run
        self._model = header.model.call_settings()
        self._judge = header.judge.call_settings() if header.judge is not None else None
        self._cached: dict[str, int] = {}
        self._new: dict[str, tuple[Response, WriteFuture[int]]] = {}  # responses of this import, by request key
        self._stored_steps: dict[_StepKey, int] = {}  # responses of unfinished attempts
        self._responses: dict[tuple[str, RequestStep], int | WriteFuture[int]] = {}  # response ids by attempt and step
        self._last: WriteFuture[int] | WriteFuture[None] | None = None  # the latest; earlier ones finish before it

    def write_plan(self, planned: PlannedAttempts) -> None:
        """Write all attempts of the plan, whether the log has them or not."""
        entries = list(planned.values())
        for start in range(0, len(entries), PLAN_BATCH_SIZE):
            self._ledger.add_attempts(entries[start : start + PLAN_BATCH_SIZE]).result()

    def write_attempts(self, samples: Sequence[LoggedAttempt]) -> None:
        """Write requests, responses, judgements and verdicts of unfinished attempts."""
        statuses = self._ledger.statuses(self._run.id)
        left = [one for one in samples if statuses.get(one.attempt().id, AttemptStatus.FAILED) is AttemptStatus.FAILED]
        parts = [one for logged in left for one in (logged, *logged.judgements)]
        fresh_run = self._run.id if self._run.fresh else None
        keys = [request.key for one in parts for request in one.steps]
        self._cached = self._ledger.response_ids_by_key(keys, fresh_run=fresh_run)
        known = self._ledger.steps_of([one.attempt().id for one in parts])
        self._stored_steps = {
            (attempt, step.step, step.key, _as_stored(step.response)): step.response_id
            for attempt, steps in known.items()
            for step in steps
        }
        written = []
        for logged in left:
            has_new_verdict = logged.verdict is not None and logged.attempt().id not in statuses
            keys_of_steps = [key for one in (logged, *logged.judgements) for key in _step_keys(one)]
            if has_new_verdict or any(key not in self._stored_steps for key in keys_of_steps):
                self._write_attempt(logged)
                written.append(logged)
        if self._last is not None:
            self._last.result()  # now all responses have ids
        for logged in written:
            for one in (*logged.judgements, logged):
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
            assert self._judge is not None, "judgements were verified"
            self._write_steps(one, self._judge)

    def _write_steps(self, logged: LoggedAttempt, settings: CallSettings) -> None:
        attempt = logged.attempt().id
        for request, key in zip(logged.steps, _step_keys(logged), strict=True):
            step = request.step
            if key in self._stored_steps:
                self._responses[attempt, step] = self._stored_steps[key]
                continue
            if (known := self._stored_response_id(request)) is not None:
                self._last = self._ledger.link_response(attempt, step, known)
                self._responses[attempt, step] = known
                continue
            record = logged.request_record(request, settings)
            self._last = written = self._ledger.add_response(attempt, step, record, request.reply, run=self._run.id)
            self._new[request.key] = request.reply, written
            self._responses[attempt, step] = written
            self.replies += 1

    def _stored_response_id(self, request: LoggedRequest) -> int | None:
        """The same response to the same request in the ledger, which the executor would have reused."""
        if request.reply.failed:
            return None
        if request.key in self._new:
            response, written = self._new[request.key]
            return written.result() if response == request.reply else None
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


def _step_keys(logged: LoggedAttempt) -> list[_StepKey]:
    attempt = logged.attempt().id
    return [(attempt, request.step, request.key, _as_stored(request.reply)) for request in logged.steps]


def _as_stored(response: Response) -> Response:
    """A response as a ledger returns it: without the time to wait."""
    return replace(response, retry_after=None, throttled=False)
