"""The executor: sends the requests of a plan, stores every response before its verdict, and resumes."""

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import LedgerError
from affordance.core.requests import CallSettings, Request, RequestStep, Response, request_key, transcript
from affordance.evaluation.attempts import (
    AttemptResponses,
    answer_format,
    apply_judgement,
    conclude_judged_attempt,
    gather_all,
    has_answer,
    is_finished,
    plan_judgement,
    run_attempt,
    score_attempt,
)
from affordance.evaluation.budget import Budget, BudgetReached, cost_of_run
from affordance.evaluation.interrupts import INTERRUPTED, Interrupted, handle_interrupts, run_async
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import PlannedAttempt
from affordance.evaluation.progress import ModelProgress, RunProgress
from affordance.evaluation.request_queue import RequestQueue
from affordance.evaluation.response_store import CommitWaiter, ResponseCache
from affordance.evaluation.study_runs import changed_answers
from affordance.evaluation.unsaved_responses import UnsavedResponse, describe_saved
from affordance.ledger import Lease, Ledger, RequestRecord, RunRecord, VerdictOrigin
from affordance.models.adaptation import AdaptiveModel, read_adaptations, write_adaptations
from affordance.models.model import Model, request_lookup_id
from affordance.tasks.scoring import JudgedAnswer, JudgePlan

PLAN_BATCH_SIZE = 1000  # attempts that are recorded in one write
GC_THRESHOLD = 10_000  # new objects; Python's 700 are those of a dozen requests
LEASE_CHECK_SECONDS = 0.05
PROGRESS_SECONDS = 0.25  # between two reports of progress


@dataclass(frozen=True, slots=True)
class JudgeQueue:
    """The judge's queue, and what its requests are sent with."""

    queue: RequestQueue
    call_settings: Mapping[str, CallSettings]  # by judged task


class Executor:
    """Makes the attempts of a run.

    A response is committed to the ledger before it is used. Verdicts, and links between attempts and responses, are
    not waited for: they can be recomputed, and the ledger writes in order. If it cannot write, the next response
    raises.

    Attributes:
        unsaved: responses that the ledger could not store.
    """

    def __init__(
        self,
        ledger: Ledger,
        run: RunRecord,
        budget: Budget,
        progress: RunProgress,
        judge: JudgeQueue | None = None,
        lease: Lease | None = None,
    ) -> None:
        self.unsaved: list[UnsavedResponse] = []
        self._ledger = ledger
        self._run = run.id
        self._budget = budget
        self._progress = progress
        self._judge_queue = judge
        self._lease = lease
        self._responses = ResponseCache(ledger, run)
        self._commits = CommitWaiter(ledger)
        self._new_judgement_keys: set[str] = set()  # request keys of judgements that this command has sent
        self._in_flight: dict[str, asyncio.Future[tuple[Response, int]]] = {}
        self._queues: list[RequestQueue] = []
        self._adaptive_models: dict[str, AdaptiveModel] = {}  # by name
        self._recorded_adaptations: dict[str, int] = {}  # by model, how many of its adaptations are in the ledger
        self._recording = asyncio.Lock()
        self._bug: Exception | None = None

    async def execute(self, work: Sequence[tuple[RequestQueue, Sequence[PlannedAttempt]]], concurrency: int) -> None:
        """Make all attempts. Returns when they have ended, or after an interrupt."""
        self.attach_queues([queue for queue, _ in work] + ([self._judge_queue.queue] if self._judge_queue else []))
        async with asyncio.TaskGroup() as group:
            for queue, attempts in work:
                remaining = iter(attempts)
                for _ in range(min(concurrency, len(attempts))):
                    group.create_task(self._worker(queue, remaining))
        if self._bug is not None:
            raise self._bug

    def attach_queues(self, queues: list[RequestQueue]) -> None:
        """Connect queues with the run: an interrupt closes them, they report pauses, they wait for the lease, and
        their models have the adaptations that the run has recorded."""
        self._queues = queues
        known = read_adaptations(self._ledger, self._run)
        for queue in queues:
            queue.pauses = self._progress.pauses
            queue.wait_for_permission = self._wait_for_lease
            if isinstance(model := queue.model, AdaptiveModel):
                own = [one for one in known if one.model == model.name]
                model.adapt(own)
                self._adaptive_models[model.name], self._recorded_adaptations[model.name] = model, len(own)

    async def record_attempts(self, attempts: Sequence[PlannedAttempt]) -> None:
        for start in range(0, len(attempts), PLAN_BATCH_SIZE):
            batch = attempts[start : start + PLAN_BATCH_SIZE]
            entries = [(one.attempt, one.question.task, one.question) for one in batch]
            await self._commits.wait(self._ledger.add_attempts(entries))

    def interrupt(self, reason: str) -> None:
        """Send nothing more. Requests in flight are waited for, stored and scored."""
        self._progress.stop_reason = self._progress.stop_reason or reason
        for queue in self._queues:
            queue.close()
        self._budget.close()

    async def _wait_for_lease(self) -> None:
        """Wait until the lease is renewed if that was not done in time, as another process may have taken it."""
        lease = self._lease
        if lease is None or lease.permits_requests:
            return
        deadline = time.monotonic() + self._ledger.retry_seconds
        while not lease.permits_requests and not self._progress.stop_reason:
            if lease.lost_reason:
                self.interrupt(lease.lost_reason)
            elif time.monotonic() > deadline:
                seconds = self._ledger.retry_seconds
                self.interrupt(f"cannot write to the ledger {self._ledger.location} for {seconds:g} s")
            await asyncio.sleep(LEASE_CHECK_SECONDS)

    async def _worker(self, queue: RequestQueue, attempts: Iterator[PlannedAttempt]) -> None:
        for planned in attempts:
            if self._progress.stop_reason:
                return
            try:
                await self.make_attempt(queue, planned)
            except Interrupted:
                return
            except (BudgetReached, LedgerError) as error:
                self._progress.over_budget = isinstance(error, BudgetReached)
                self.interrupt(str(error))
                return
            except Exception as bug:  # noqa: BLE001  # raised by `execute`, once requests in flight are stored
                self._bug = self._bug or bug
                self.interrupt("a bug")
                return

    async def make_attempt(self, queue: RequestQueue, planned: PlannedAttempt) -> tuple[Response, Verdict]:
        """Make one attempt; its last response and its verdict."""
        answer, origin = await self._run_attempt(queue, planned)
        verdict, first = score_attempt(planned, answer)
        if planned.judge_spec is not None and verdict.status is AttemptStatus.ANSWERED:
            judged = await self._judge(planned, planned.judge_spec, answer.last)
            verdict, first = apply_judgement((verdict, first), judged)
        self._ledger.add_verdict(planned.attempt.id, verdict, first, origin)
        self._progress.count_verdict(queue.model.name, verdict, queue.stop_reason)
        if self._progress.cost is not None:
            self._progress.cost = self._budget.spent
        return answer.last, verdict

    async def _run_attempt(
        self, queue: RequestQueue, planned: PlannedAttempt
    ) -> tuple[AttemptResponses, VerdictOrigin]:
        """The responses of an attempt, and what its verdict is read from."""
        response_ids: dict[RequestStep, int] = {}
        answer = await run_attempt(planned, partial(self._respond, queue, response_ids))
        return answer, VerdictOrigin(response_ids[answer.request.step], answer_format(planned, answer.request))

    async def _judge(self, subject: PlannedAttempt, judge_spec: JudgePlan, response: Response) -> Verdict:
        """The verdict of an attempt whose response the judge scores."""
        judge = self._judge_queue
        if judge is None:
            raise AssertionError("a judged task was planned without a judge")
        judged = JudgedAnswer.from_response(response, subject.attempt.model)
        planned = [
            plan_judgement(subject, judge_spec, question, judge.call_settings[question.task])
            for question in judge_spec.judgements(subject.question, judged)
        ]
        self._ledger.add_attempts([(one.attempt, one.question.task, one.question) for one in planned])
        verdicts = await gather_all(self._make_judgement(judge.queue, one) for one in planned)
        return conclude_judged_attempt(subject.question, judge_spec, judged, verdicts)

    async def _make_judgement(self, queue: RequestQueue, planned: PlannedAttempt) -> Verdict:
        answer, origin = await self._run_attempt(queue, planned)
        verdict, _ = score_attempt(planned, answer)
        self._progress.models[queue.model.name].stop_reason = queue.stop_reason
        self._ledger.add_verdict(planned.attempt.id, verdict, origin=origin)
        return verdict

    async def _respond(
        self, queue: RequestQueue, response_ids: dict[RequestStep, int], planned: PlannedAttempt, request: Request
    ) -> Response:
        """The response to a request: from the ledger, from an equal request in flight, or from the model. It is in the
        ledger, and its id is added to `response_ids`."""
        text = transcript(request)
        lookup_id = request_lookup_id(queue.model, request, planned.call_settings)
        key = request_key(planned.call_settings, text, request.trial, request.step, lookup_id)
        known = None if key in self._in_flight else await self._responses.find(key)
        stored = None if known is None else await self._stored_response(planned, request, key, known)
        if stored is not None and known is not None:
            response, response_id = stored, known
        elif (pending := self._in_flight.get(key)) is not None:
            response, response_id = await pending
        else:
            response, response_ids[request.step] = await self._send(queue, planned, request, key, text)
            return response
        self._progress.models[queue.model.name].cached += 1
        self._ledger.link_response(planned.attempt.id, request.step, response_id)
        response_ids[request.step] = response_id
        return response

    async def _stored_response(
        self, planned: PlannedAttempt, request: Request, key: str, response_id: int
    ) -> Response | None:
        """The response in the ledger. An unparsed judgement of an earlier command is requested again, once by each
        command."""
        response = await self._responses.get(response_id)
        is_judgement = bool(planned.attempt.judged_attempt_id)
        if is_judgement and key not in self._new_judgement_keys and not has_answer(planned, request, response):
            return None
        return response

    async def _send(
        self, queue: RequestQueue, planned: PlannedAttempt, request: Request, key: str, text: str
    ) -> tuple[Response, int]:
        """The response of the model, and its id in the ledger. Equal requests wait for it meanwhile."""
        pending: asyncio.Future[tuple[Response, int]] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = pending
        try:
            await self._commits.wait_until_current()
            async with queue.unsaved:
                response, sent = await queue.send(request)
                self._progress.models[queue.model.name].sent += sent > 0
                record = RequestRecord(
                    key, planned.call_settings, request.question, text, request.media, planned.question.source_paths
                )
                unsaved = UnsavedResponse(self._run, planned.attempt.id, request.step, record, response, sent)
                response_id = await self._store(unsaved, queue.model.name)
            if not response.failed:
                self._responses.add(key, response_id)
                if planned.attempt.judged_attempt_id:
                    self._new_judgement_keys.add(key)
            pending.set_result((response, response_id))
            return response, response_id
        except BaseException as error:
            if not pending.done():
                pending.set_exception(error)
                pending.exception()  # nothing may be waiting for it
            raise
        finally:
            del self._in_flight[key]

    async def _store(self, new: UnsavedResponse, model: str) -> int:
        """Commit a response; its id. One that cannot be written is among the `unsaved`."""
        try:
            await self._record_adaptations(model)
            written = self._ledger.add_response(
                new.attempt, new.step, new.request_record, new.response, run=self._run, requests=new.requests
            )
            return await self._commits.wait(written)
        except LedgerError:
            self.unsaved.append(new)
            raise

    async def _record_adaptations(self, name: str) -> None:
        """Record the adaptations of a model that are new."""
        model = self._adaptive_models.get(name)
        if model is None or len(model.adaptations) == self._recorded_adaptations[name]:
            return
        async with self._recording:  # or an earlier state could be written after a later one
            found, before = model.adaptations, self._recorded_adaptations[name]
            if len(found) > before:
                await asyncio.to_thread(write_adaptations, self._ledger, self._run, found)
                self._recorded_adaptations[name] = len(found)
                self._progress.adaptations += found[before:]


def execute_plan(
    models: ModelSet, ledger: Ledger, run: RunRecord, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> RunProgress:
    """Execute what is left of a plan.

    The first interrupt (Ctrl-C or SIGTERM) sends nothing more and waits for requests in flight; the second discards
    them.

    Raises:
        LeaseHeld: another process executes the same run with one of these models.
    """
    with ledger.lease(run, models.paid_models()) as lease:
        return run_async(_execute_plan(models, ledger, run, on_progress, lease))


async def _execute_plan(
    models: ModelSet, ledger: Ledger, run: RunRecord, on_progress: Callable[[RunProgress], None], lease: Lease
) -> RunProgress:
    models.check_resumable(run, ledger.call_settings(run.id))
    budget = Budget(models.execution.budget, cost_of_run(ledger, run.id, models.prices), models.media_size)
    progress = RunProgress(cost=None if models.models_without_price() else budget.spent, warnings=models.warnings)
    queues = {model.name: _make_queue(models, model, budget) for model in models.models}
    executor = Executor(ledger, run, budget, progress, _judge_queue(models, budget, queues), lease)
    statuses = ledger.statuses(run.id)
    work: list[tuple[RequestQueue, list[PlannedAttempt]]] = []
    for model in models.models:
        planned = models.plan_attempts(run, model)
        await executor.record_attempts([one for one in planned if one.attempt.id not in statuses])
        done = {one.attempt.id for one in planned if is_finished(one, model, statuses)}
        done -= changed_answers(ledger, model, [one.attempt for one in planned if one.attempt.id in done])
        left = [one for one in planned if one.attempt.id not in done]
        progress.models[model.name] = ModelProgress(len(planned), len(planned) - len(left))
        work.append((queues[model.name], left))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(models.close)
        _limit_garbage_collection(stack)
        running = asyncio.create_task(executor.execute(work, models.execution.concurrency))
        stack.enter_context(handle_interrupts(executor.interrupt, running.cancel))
        reporting = asyncio.create_task(_report_progress(progress, on_progress))
        stack.callback(reporting.cancel)
        try:
            await running
        except asyncio.CancelledError:
            progress.stop_reason = f"{INTERRUPTED} twice: requests in flight were discarded"
    progress.stop_reason += describe_saved(executor.unsaved, ledger)
    on_progress(progress)
    return progress


def _make_queue(
    models: ModelSet, model: Model, budget: Budget, shared_with: RequestQueue | None = None
) -> RequestQueue:
    execution = models.execution
    return RequestQueue(model, models.prices[model.name], execution.concurrency, execution.retry, budget, shared_with)


def _judge_queue(models: ModelSet, budget: Budget, queues: Mapping[str, RequestQueue]) -> JudgeQueue | None:
    """The judge's queue. If the judge is also one of the models, the limits of the endpoint hold for both queues."""
    judge = models.judge
    if judge is None:
        return None
    same = next((queue for queue in queues.values() if queue.model is judge), None)
    return JudgeQueue(_make_queue(models, judge, budget, same), models.judge_call_settings())


def _limit_garbage_collection(stack: AsyncExitStack) -> None:
    """Keep the garbage collector from walking through the plan again and again: it lives as long as the run, and with
    thousands of questions that costs more than the ledger does."""
    gc.freeze()
    stack.callback(gc.unfreeze)
    stack.callback(gc.set_threshold, *gc.get_threshold())
    gc.set_threshold(GC_THRESHOLD)


async def _report_progress(progress: RunProgress, on_progress: Callable[[RunProgress], None]) -> None:
    while True:
        on_progress(progress)
        await asyncio.sleep(PROGRESS_SECONDS)
