"""The runner: makes attempts, asks, writes every reply as it comes, and computes verdicts."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from affordance.core.ask import CallSettings, Request, RequestStep, Response, request_key, transcript
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.core.errors import LedgerError
from affordance.evaluation.attempts import (
    AttemptResponses,
    PlannedAttempt,
    answer_format,
    apply_judgement,
    conclude_judged_attempt,
    has_answer,
    plan_judgement,
    run_attempt,
    score_attempt,
)
from affordance.evaluation.budget import Budget, BudgetReached
from affordance.evaluation.commits import CommitWaiter
from affordance.evaluation.concurrency_limit import Interrupted
from affordance.evaluation.gather import gather_all
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.request_queue import RequestQueue
from affordance.evaluation.response_cache import ResponseCache
from affordance.evaluation.unsaved_responses import UnsavedResponse
from affordance.ledger import Lease, Ledger, RequestRecord, VerdictOrigin
from affordance.models.adaptation import AdaptiveModel, read_adaptations, write_adaptations
from affordance.models.base import request_lookup_id
from affordance.tasks.task import Judging

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

    async def _judge(self, subject: PlannedAttempt, judge_spec: Judging, response: Response) -> Verdict:
        """Put a reply to the judge."""
        bench = self._judge_queue
        if bench is None:
            raise AssertionError("a judged task was planned without a judge")
        planned = [
            plan_judgement(subject, judge_spec, question, bench.call_settings[question.task])
            for question in judge_spec.judgements(subject.question, response)
        ]
        entries = [(one.attempt, one.question.task, one.question) for one in planned]
        self._ledger.add_attempts(entries)
        verdicts = await gather_all(self._make_judgement(bench.queue, one) for one in planned)
        return conclude_judged_attempt(subject.question, judge_spec, response, verdicts)

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
