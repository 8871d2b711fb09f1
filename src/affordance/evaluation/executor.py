"""The executor: sends the requests of a plan, stores every response before its verdict, and resumes."""

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import LedgerError, UserError
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
from affordance.evaluation.unsaved_responses import UnsavedResponse, save_unsaved
from affordance.ledger import Lease, Ledger, RequestRecord, RunRecord, VerdictOrigin
from affordance.models.adaptation import AdaptiveModel, read_adaptations, write_adaptations
from affordance.models.model import Model, request_lookup_id
from affordance.models.parameters import without_null
from affordance.tasks.scoring import JudgedAnswer, JudgePlan

LEASE_CHECK_SECONDS = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class JudgeQueue:
    """The judge: its lane, and where its asks go."""

    queue: RequestQueue
    call_settings: Mapping[str, CallSettings]  # by judged task


class Executor:
    """Replies are waited for until they are in the ledger. Verdicts and links between attempts and replies are not:
    they can be had again from the replies, and the ledger writes them in order. If it cannot, the next reply tells.

    In the progress a judge has asks but no attempts: those are part of the ones that it judges."""

    def __init__(
        self,
        ledger: Ledger,
        commits: CommitWaiter,
        run: str,
        responses: ResponseCache,
        budget: Budget,
        progress: RunProgress,
        judge_queue: "JudgeQueue | None" = None,
        lease: Lease | None = None,
    ) -> None:
        self._ledger = ledger
        self._run = run
        self._responses = responses
        self._new_judgement_keys: set[str] = set()  # request keys of judgements that this command has asked for
        self._in_flight: dict[str, asyncio.Future[tuple[Response, int]]] = {}
        self._commits = commits
        self._budget = budget
        self._progress = progress
        self._judge_queue = judge_queue
        self._lease = lease
        self._queues: list[RequestQueue] = []
        self._adaptive_models: dict[str, AdaptiveModel] = {}  # by name
        self._recorded_adaptations: dict[str, int] = {}  # by model, how many of its adaptations are in the ledger
        self._recording = asyncio.Lock()
        self._bug: Exception | None = None
        self.unsaved: list[UnsavedResponse] = []  # replies that the ledger could not take

    async def execute(self, work: Sequence[tuple[RequestQueue, Sequence[PlannedAttempt]]], concurrency: int) -> None:
        """Make all attempts. Returns when they have ended, or when nothing more may be asked."""
        self.attach_queues([lane for lane, _ in work] + ([self._judge_queue.queue] if self._judge_queue else []))
        async with asyncio.TaskGroup() as group:
            for lane, planned in work:
                queue = iter(planned)
                for _ in range(min(concurrency, len(planned))):
                    group.create_task(self._worker(lane, queue))
        if self._bug is not None:
            raise self._bug

    def attach_queues(self, queues: list[RequestQueue]) -> None:
        """These are closed when the work is interrupted, and the progress tells when they have to wait. What the run
        has found out about parameters of their models holds from the start."""
        self._queues = queues
        known = read_adaptations(self._ledger, self._run)
        for lane in queues:
            lane.pauses = self._progress.pauses
            lane.wait_for_permission = self._wait_for_lease
            if isinstance(model := lane.model, AdaptiveModel):
                own = [one for one in known if one.model == model.name]
                model.adapt(own)
                self._adaptive_models[model.name], self._recorded_adaptations[model.name] = model, len(own)

    def interrupt(self, why: str) -> None:
        """Ask nothing more; what is under way is waited for, written and scored."""
        self._progress.stop_reason = self._progress.stop_reason or why
        for lane in self._queues:
            lane.close()
        self._budget.close()

    async def _wait_for_lease(self) -> None:
        """Waits until the lease is renewed where that was not done for too long; another process may have it."""
        lease = self._lease
        if lease is None or lease.permits_requests:
            return
        deadline = time.monotonic() + self._ledger.retry_seconds
        while not lease.permits_requests and not self._progress.stop_reason:
            if lease.lost_reason:
                self.interrupt(lease.lost_reason)
            elif time.monotonic() > deadline:
                self.interrupt(
                    f"cannot write to the ledger {self._ledger.location} for {self._ledger.retry_seconds:g} s"
                )
            await asyncio.sleep(LEASE_CHECK_SECONDS)

    async def _worker(self, queue: RequestQueue, attempts: Iterator[PlannedAttempt]) -> None:
        for planned in attempts:
            if self._progress.stop_reason:
                return
            try:
                await self.make_attempt(queue, planned)
            except Interrupted:
                return
            except (BudgetReached, LedgerError) as reached:
                self._progress.over_budget = isinstance(reached, BudgetReached)
                self.interrupt(str(reached))
                return
            except Exception as bug:  # noqa: BLE001  # told in `run`, once what is under way has been written
                self._bug = self._bug or bug
                self.interrupt("a bug")
                return

    async def make_attempt(self, queue: RequestQueue, planned: PlannedAttempt) -> tuple[Response, Verdict]:
        """Make one attempt; gives its last reply and how it ended."""
        answer, origin = await self._run_attempt(queue, planned)
        verdict, first = score_attempt(planned, answer)
        if planned.judge_spec is not None and verdict.status is AttemptStatus.ANSWERED:
            judged = await self._judge(planned, planned.judge_spec, answer.last)
            verdict, first = apply_judgement((verdict, first), judged)
        self._ledger.add_verdict(planned.attempt.id, verdict, first, origin)
        counts = self._progress.models[queue.model.name]
        counts.statuses[verdict.status] += 1
        if verdict.counted_score is None:
            counts.reasons[verdict.reason] += 1
        counts.stop_reason = queue.stop_reason
        if self._progress.cost is not None:
            self._progress.cost = self._budget.spent
        return answer.last, verdict

    async def _run_attempt(
        self, queue: RequestQueue, planned: PlannedAttempt
    ) -> tuple[AttemptResponses, VerdictOrigin]:
        """What a strategy comes to, and from which response that is read."""
        responses: dict[RequestStep, int] = {}
        answer = await run_attempt(planned, partial(self._respond, queue, responses))
        return answer, VerdictOrigin(responses[answer.request.step], answer_format(planned, answer.request))

    async def _judge(self, subject: PlannedAttempt, judge_spec: JudgePlan, response: Response) -> Verdict:
        """Put a reply to the judge."""
        bench = self._judge_queue
        if bench is None:
            raise AssertionError("a judged task was planned without a judge")
        judged = JudgedAnswer.from_response(response, subject.attempt.model)
        planned = [
            plan_judgement(subject, judge_spec, question, bench.call_settings[question.task])
            for question in judge_spec.judgements(subject.question, judged)
        ]
        entries = [(one.attempt, one.question.task, one.question) for one in planned]
        self._ledger.add_attempts(entries)
        verdicts = await gather_all(self._make_judgement(bench.queue, one) for one in planned)
        return conclude_judged_attempt(subject.question, judge_spec, judged, verdicts)

    async def _make_judgement(self, queue: RequestQueue, planned: PlannedAttempt) -> Verdict:
        answer, origin = await self._run_attempt(queue, planned)
        verdict, _ = score_attempt(planned, answer)
        self._progress.models[queue.model.name].stop_reason = queue.stop_reason
        self._ledger.add_verdict(planned.attempt.id, verdict, origin=origin)
        return verdict

    async def _respond(
        self, queue: RequestQueue, responses: dict[RequestStep, int], planned: PlannedAttempt, request: Request
    ) -> Response:
        """From the ledger, from an equal ask under way, or from the model. In each case the reply is in the ledger
        before anybody goes on, and its id among the `responses`."""
        text = transcript(request)
        lookup_id = request_lookup_id(queue.model, request, planned.call_settings)
        key = request_key(planned.call_settings, text, request.trial, request.step, lookup_id)
        counts = self._progress.models[queue.model.name]
        known = None if key in self._in_flight else await self._responses.find(key)
        if known is not None and (stored := self._stored_response(planned, request, key, known)) is not None:
            counts.cached += 1
            reply, reply_id = stored, known
        elif (under_way := self._in_flight.get(key)) is not None:
            counts.cached += 1
            reply, reply_id = await under_way
        else:
            reply, responses[request.step] = await self._send_to_model(queue, planned, request, key, text)
            return reply
        self._ledger.link_response(planned.attempt.id, request.step, reply_id)
        responses[request.step] = reply_id
        return reply

    def _stored_response(
        self, planned: PlannedAttempt, request: Request, key: str, response_id: int
    ) -> Response | None:
        """The reply in the ledger. A judgement of an earlier command that cannot be read is asked for again, once by
        each command."""
        reply = self._ledger.get_response(response_id)
        is_judgement = bool(planned.attempt.judged_attempt_id)
        if is_judgement and key not in self._new_judgement_keys and not has_answer(planned, request, reply):
            return None
        return reply

    async def _send_to_model(
        self, queue: RequestQueue, planned: PlannedAttempt, request: Request, key: str, text: str
    ) -> tuple[Response, int]:
        promise: asyncio.Future[tuple[Response, int]] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = promise
        try:
            await self._commits.wait_until_current()
            async with queue.unsaved:
                reply, requests = await queue.send(request)
                self._progress.models[queue.model.name].sent += requests > 0
                asked = RequestRecord(
                    key, planned.call_settings, request.question, text, request.media, planned.question.source_paths
                )
                try:
                    await self._record_adaptations(queue.model.name)
                    written = self._ledger.add_response(
                        planned.attempt.id, request.step, asked, reply, run=self._run, requests=requests
                    )
                    reply_id = await self._commits.wait(written)
                except LedgerError:
                    self.unsaved.append(
                        UnsavedResponse(self._run, planned.attempt.id, request.step, asked, reply, requests)
                    )
                    raise
            if not reply.failed:
                self._responses.add(key, reply_id)
                if planned.attempt.judged_attempt_id:
                    self._new_judgement_keys.add(key)
            promise.set_result((reply, reply_id))
            return reply, reply_id
        except BaseException as error:
            if not promise.done():
                promise.set_exception(error)
                promise.exception()  # nobody may be waiting for it
            raise
        finally:
            del self._in_flight[key]

    async def _record_adaptations(self, name: str) -> None:
        """What was found out about the parameters of a model since the last time."""
        model = self._adaptive_models.get(name)
        if model is None or len(model.adaptations) == self._recorded_adaptations[name]:
            return
        async with self._recording:  # or an earlier state could be written after a later one
            found, before = model.adaptations, self._recorded_adaptations[name]
            if len(found) > before:
                await asyncio.to_thread(write_adaptations, self._ledger, self._run, found)
                self._recorded_adaptations[name] = len(found)
                self._progress.adaptations += found[before:]


PLAN_BATCH_SIZE = 1000


GC_THRESHOLD = 10_000  # new objects; Python's 700 are those of a dozen asks


def execute_plan(
    models: ModelSet, ledger: Ledger, run: RunRecord, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> RunProgress:
    """Carry the job out, or what of it is left. Ctrl-C (and SIGTERM) ask nothing more and wait for what is under
    way; a second one drops that too. `watch` is called now and then with how things stand. Raises `LeaseHeld` where
    another process does the same."""
    with ledger.lease(run, models.paid_models()) as lease:
        return run_async(_execute_plan(models, ledger, run, on_progress, lease))


async def _execute_plan(
    models: ModelSet, ledger: Ledger, run: RunRecord, on_progress: Callable[[RunProgress], None], lease: Lease
) -> RunProgress:
    ended = ledger.statuses(run.id)
    _check_call_settings(models, ledger, run)
    budget = Budget(models.execution.budget, cost_of_run(ledger, run.id, models.prices), models.media_size)
    progress = RunProgress(cost=None if models.models_without_price() else budget.spent, warnings=models.warnings)
    commits = CommitWaiter(ledger)
    work: list[tuple[RequestQueue, list[PlannedAttempt]]] = []
    for model in models.models:
        planned = models.plan_attempts(run, model)
        await _record_plan(ledger, commits, [one for one in planned if one.attempt.id not in ended])
        done = {one.attempt.id for one in planned if is_finished(one, model, ended)}
        done -= changed_answers(ledger, model, [one.attempt for one in planned if one.attempt.id in done])
        left = [one for one in planned if one.attempt.id not in done]
        progress.models[model.name] = ModelProgress(len(planned), len(planned) - len(left))
        work.append((_make_queue(models, model, budget), left))
    bench = None
    if (judge := models.judge) is not None:
        beside = next((lane for lane, _ in work if lane.model is judge), None)
        bench = JudgeQueue(_make_queue(models, judge, budget, beside), models.judge_call_settings())
    runner = Executor(ledger, commits, run.id, ResponseCache(ledger, run), budget, progress, bench, lease)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(models.close)
        _limit_garbage_collection(stack)
        running = asyncio.create_task(runner.execute(work, models.execution.concurrency))
        stack.enter_context(handle_interrupts(runner.interrupt, running.cancel))
        watcher = asyncio.create_task(_report_progress(progress, on_progress))
        stack.callback(watcher.cancel)
        try:
            await running
        except asyncio.CancelledError:
            progress.stop_reason = f"{INTERRUPTED} twice: what was under way is dropped"
    if runner.unsaved:
        progress.stop_reason += _save_unsaved(runner.unsaved, ledger)
    on_progress(progress)
    return progress


def _limit_garbage_collection(stack: AsyncExitStack) -> None:
    """Keep the garbage collector from walking through the plan again and again: it lives as long as the run, and with
    thousands of questions that costs more than the ledger does. Asks under way are hardly ever garbage either."""
    gc.freeze()
    stack.callback(gc.unfreeze)
    stack.callback(gc.set_threshold, *gc.get_threshold())
    gc.set_threshold(GC_THRESHOLD)


def _make_queue(
    models: ModelSet, model: Model, budget: Budget, shared_with: RequestQueue | None = None
) -> RequestQueue:
    return RequestQueue(
        model, models.prices[model.name], models.execution.concurrency, models.execution.retry, budget, shared_with
    )


async def _record_plan(ledger: Ledger, commits: CommitWaiter, planned: Sequence[PlannedAttempt]) -> None:
    for start in range(0, len(planned), PLAN_BATCH_SIZE):
        entries = [(one.attempt, one.question.task, one.question) for one in planned[start : start + PLAN_BATCH_SIZE]]
        await commits.wait(ledger.add_attempts(entries))


def _check_call_settings(models: ModelSet, ledger: Ledger, run: RunRecord) -> None:
    """A run that goes on must ask its models in the same way as before."""
    before = ledger.call_settings(run.id)
    for name, model in {model.name: model for model in models.all_models()}.items():
        now = models.all_call_settings(name)
        # Another command of the same run may ask the judge as one of its models.
        possible = [*now, *(models.call_settings(model, task) for task in models.plan.config.tasks)]
        as_now = {(one.settings_digest, one.dialect) for one in possible}  # the prompts are in the run's record
        for stored in before.get(name, []):
            address = replace(stored, parameters=without_null(stored.parameters))  # that version 1 sent
            if (address.settings_digest, address.dialect) not in as_now:
                was, is_now = _describe_call_settings(address), _describe_call_settings(now[0])
                raise UserError(f"run {run.name!r} asked {name} {was}, now it is {is_now}; give another --name")


def _describe_call_settings(call_settings: CallSettings) -> str:
    spoken = f" in the dialect {call_settings.dialect}" if call_settings.dialect else ""
    return f"at {call_settings.base_url or 'this computer'} with parameters {call_settings.parameters_text}{spoken}"


def _save_unsaved(unsaved: list[UnsavedResponse], ledger: Ledger) -> str:
    kept = [one for one in unsaved if not one.response.failed]
    if not kept:
        return ""
    path = save_unsaved(kept, ledger)
    if path is None:
        return f"; {len(kept)} replies could not be saved anywhere"
    return f"; {len(kept)} replies are saved in {path} and go into the ledger with the next run"


async def _report_progress(progress: RunProgress, on_progress: Callable[[RunProgress], None]) -> None:
    while True:
        on_progress(progress)
        await asyncio.sleep(0.25)
