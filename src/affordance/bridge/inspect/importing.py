"""Logs of Inspect into the ledger: as the runner would have written them, so that it asks nothing of it again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

from pydantic import ValidationError

from affordance.bridge.inspect.checking import check_verdicts, with_current_keys
from affordance.bridge.inspect.logs import Log
from affordance.bridge.inspect.record import Header, Made, Said
from affordance.core.ask import Address, Reply, Step
from affordance.core.attempt import Attempt, Ended
from affordance.core.complaints import first_complaint
from affordance.core.errors import DataError
from affordance.core.grammar import answer_format_from_json
from affordance.core.question import Question
from affordance.ledger import Ledger, Run, VerdictOrigin, Written
from affordance.run.execute import PLAN_AT_ONCE
from affordance.run.job import run_named

Plan = dict[str, tuple[Attempt, str, Question]]  # by attempt id, as the ledger takes it


@dataclass(frozen=True, slots=True)
class Imported:
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


def bring_in(log: Log, ledger: Ledger, name: str | None = None, data: str | None = None) -> Imported:
    """Put a log into a ledger, where what has ended stays as it is. Raises where the log contradicts itself or its
    dataset, and where the ledger has another run of that name; then nothing is written. `data` is where the dataset
    lies, if not where it was."""
    header, samples = log.header, list(log.made)
    try:
        run = run_named(name or header.name, header.settings, header.dataset)
        planned = _planned(header, run)
        strange = next((one for one in samples if _in_run(one, run).attempt().id not in planned), None)
        if strange is not None:
            raise ValueError(f"an attempt at item {strange.question.item!r} that its own plan does not have")
        samples = with_current_keys(header, samples)
        remark = _checked(header, run, [_in_run(one, run) for one in samples], data)
        stored = ledger.begin_run(run)
        intake = _Intake(ledger, stored, header)
        intake.plan(planned)
        intake.bring_in([_in_run(one, stored) for one in samples])
    except (ValueError, KeyError) as error:
        found = first_complaint(error) if isinstance(error, ValidationError) else str(error)
        raise DataError(f"expected what Affordance writes into a log, found: {found}", log.path) from None
    now = ledger.ended(stored.id)
    missing = sum(now.get(attempt, Ended.FAILED) is Ended.FAILED for attempt in planned)
    return Imported(
        str(log.path), stored.name, header.task, header.model.model, len(planned), missing, intake.attempts,
        intake.replies, remark,
    )  # fmt: skip


def _checked(header: Header, run: Run, samples: Sequence[Made], data: str | None) -> str:
    """What is to be said where verdicts are taken as they are."""
    if header.version != version("affordance"):
        return f"written by Affordance {header.version}, and verdicts stay as they were then"
    unknown = check_verdicts(header, run, samples, data)
    return f"its verdicts were not compared with its replies: {unknown}; --data names its dataset" if unknown else ""


def _planned(header: Header, run: Run) -> Plan:
    found: Plan = {}
    for told, strategy, trial in header.attempts():
        question = told.question()
        attempt = Attempt(run.id, question.id, header.model.model, strategy, trial)
        found[attempt.id] = attempt, question.task, question
    return found


def _in_run(made: Made, run: Run, subject: str = "") -> Made:
    """An attempt under the name that the run has in the ledger: the ids of judgements follow."""
    renamed = made.model_copy(update={"run": run.id, "subject": subject})
    judgements = tuple(_in_run(one, run, renamed.attempt().id) for one in made.judgements)
    return renamed.model_copy(update={"judgements": judgements})


class _Intake:
    """Writes what the ledger does not have yet."""

    def __init__(self, ledger: Ledger, run: Run, header: Header) -> None:
        self.attempts = self.replies = 0
        self._ledger = ledger
        self._run = run
        self._model = header.model.address()
        self._judge = header.judge.address() if header.judge is not None else None
        self._cached: dict[str, int] = {}
        self._new: dict[str, tuple[Reply, Written[int]]] = {}  # replies that were just written, by request key
        self._there: dict[tuple[str, Step, str, Reply], int] = {}  # steps of attempts that have not ended well
        self._responses: dict[tuple[str, Step], int | Written[int]] = {}  # what attempts used, by its id
        self._last: Written[int] | Written[None] | None = None  # all before it are written when it is

    def plan(self, planned: Plan) -> None:
        entries = list(planned.values())
        for start in range(0, len(entries), PLAN_AT_ONCE):
            self._ledger.plan(entries[start : start + PLAN_AT_ONCE]).result()

    def bring_in(self, samples: Sequence[Made]) -> None:
        ended = self._ledger.ended(self._run.id)
        left = [one for one in samples if ended.get(one.attempt().id, Ended.FAILED) is Ended.FAILED]
        parts = [one for made in left for one in (made, *made.judgements)]
        fresh_run = self._run.id if self._run.fresh else None
        keys = [said.key for one in parts for said in one.steps]
        self._cached = self._ledger.response_ids_by_key(keys, fresh_run=fresh_run)
        known = self._ledger.steps_of([one.attempt().id for one in parts])
        self._there = {
            (attempt, step.step, step.key, _kept(step.reply)): step.reply_id
            for attempt, steps in known.items()
            for step in steps
        }
        brought = []
        for made in left:
            told = made.verdict is not None and made.attempt().id not in ended
            if told or any(place not in self._there for one in (made, *made.judgements) for place in _places(one)):
                self._bring(made)
                brought.append(made)
        if self._last is not None:
            self._last.result()  # all responses have their ids then
        for made in brought:
            for one in (*made.judgements, made):
                self._rule(one)
        if self._last is not None:
            self._last.result()

    def _bring(self, made: Made) -> None:
        self.attempts += 1
        self._steps(made, self._model)
        if made.judgements:
            self._ledger.plan([(one.attempt(), one.question.task, one.question.question()) for one in made.judgements])
        for one in made.judgements:
            assert self._judge is not None, "it was checked"
            self._steps(one, self._judge)

    def _steps(self, made: Made, address: Address) -> None:
        attempt = made.attempt().id
        for said, place in zip(made.steps, _places(made), strict=True):
            if place in self._there:
                self._responses[attempt, said.step] = self._there[place]
                continue
            if (known := self._known(said)) is not None:
                self._last = self._ledger.add_step(attempt, said.step, known)
                self._responses[attempt, said.step] = known
                continue
            asked = made.asked(said, address)
            self._last = written = self._ledger.add_reply(attempt, said.step, asked, said.reply, run=self._run.id)
            self._new[said.key] = said.reply, written
            self._responses[attempt, said.step] = written
            self.replies += 1

    def _known(self, said: Said) -> int | None:
        """The same reply to the same ask in the ledger, which the runner would have used again."""
        if said.reply.failed:
            return None
        if said.key in self._new:
            reply, written = self._new[said.key]
            return written.result() if reply == said.reply else None
        found = self._cached.get(said.key)
        return found if found is not None and self._ledger.reply(found) == _kept(said.reply) else None

    def _rule(self, made: Made) -> None:
        if made.verdict is not None:
            first = made.first.verdict() if made.first is not None else None
            origin = self._origin(made)
            self._last = self._ledger.add_verdict(made.attempt().id, made.verdict.verdict(), first, origin)

    def _origin(self, made: Made) -> VerdictOrigin | None:
        if (origin := made.origin) is None:
            return None
        found = self._responses[made.attempt().id, origin.step]
        response = found if isinstance(found, int) else found.result()
        return VerdictOrigin(response, answer_format_from_json(origin.answer_format), origin.parser_version)


def _places(made: Made) -> list[tuple[str, Step, str, Reply]]:
    return [(made.attempt().id, said.step, said.key, _kept(said.reply)) for said in made.steps]


def _kept(reply: Reply) -> Reply:
    """As it is read from a ledger: how long to wait is not kept."""
    return replace(reply, retry_after=None, throttled=False)
