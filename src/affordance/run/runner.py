"""The runner: makes attempts, asks, writes every reply as it comes, and computes verdicts."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from affordance.core.ask import Address, Ask, Reply, Step, request_key, transcript
from affordance.core.attempt import Ended, Verdict
from affordance.core.errors import LedgerError
from affordance.ledger import Asked, Lease, Ledger, VerdictOrigin
from affordance.models.adaptation import Adapting, read_adaptations, write_adaptations
from affordance.models.base import request_lookup_id
from affordance.run.budget import Budget, BudgetReached
from affordance.run.commits import Commits
from affordance.run.driving import (
    Answer,
    Planned,
    answer_format,
    concluded,
    drive,
    has_answer,
    judgement,
    once_judged,
    read_answer,
)
from affordance.run.lane import Lane
from affordance.run.limiter import Interrupted
from affordance.run.progress import Progress
from affordance.run.rescue import Rescued
from affordance.run.response_cache import ResponseCache
from affordance.run.together import together
from affordance.suites.task import Judging

UNRENEWED_PAUSE = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Bench:
    """The judge: its lane, and where its asks go."""

    lane: Lane
    addresses: Mapping[str, Address]  # by judged task


class Runner:
    """Replies are waited for until they are in the ledger. Verdicts and links between attempts and replies are not:
    they can be had again from the replies, and the ledger writes them in order. If it cannot, the next reply tells.

    In the progress a judge has asks but no attempts: those are part of the ones that it judges."""

    def __init__(
        self,
        ledger: Ledger,
        commits: Commits,
        run: str,
        responses: ResponseCache,
        budget: Budget,
        progress: Progress,
        bench: "Bench | None" = None,
        lease: Lease | None = None,
    ) -> None:
        self._ledger = ledger
        self._run = run
        self._responses = responses
        self._judged_now: set[str] = set()  # request keys of judgements that this command has asked for
        self._under_way: dict[str, asyncio.Future[tuple[Reply, int]]] = {}
        self._commits = commits
        self._budget = budget
        self._progress = progress
        self._bench = bench
        self._lease = lease
        self._lanes: list[Lane] = []
        self._adapting: dict[str, Adapting] = {}  # by name
        self._recorded: dict[str, int] = {}  # by model, how many of its adaptations are in the ledger
        self._recording = asyncio.Lock()
        self._bug: Exception | None = None
        self.unwritten: list[Rescued] = []  # replies that the ledger could not take

    async def run(self, work: Sequence[tuple[Lane, Sequence[Planned]]], concurrency: int) -> None:
        """Make all attempts. Returns when they have ended, or when nothing more may be asked."""
        self.attend([lane for lane, _ in work] + ([self._bench.lane] if self._bench else []))
        async with asyncio.TaskGroup() as group:
            for lane, planned in work:
                queue = iter(planned)
                for _ in range(min(concurrency, len(planned))):
                    group.create_task(self._worker(lane, queue))
        if self._bug is not None:
            raise self._bug

    def attend(self, lanes: list[Lane]) -> None:
        """These are closed when the work is interrupted, and the progress tells when they have to wait. What the run
        has found out about parameters of their models holds from the start."""
        self._lanes = lanes
        known = read_adaptations(self._ledger, self._run)
        for lane in lanes:
            lane.pauses = self._progress.pauses
            lane.permitted = self._permitted
            if isinstance(model := lane.model, Adapting):
                own = [one for one in known if one.model == model.name]
                model.adapt(own)
                self._adapting[model.name], self._recorded[model.name] = model, len(own)

    def interrupt(self, why: str) -> None:
        """Ask nothing more; what is under way is waited for, written and scored."""
        self._progress.interrupted = self._progress.interrupted or why
        for lane in self._lanes:
            lane.close()
        self._budget.close()

    async def _permitted(self) -> None:
        """Waits until the lease is renewed where that was not done for too long; another process may have it."""
        lease = self._lease
        if lease is None or lease.permits_requests:
            return
        deadline = time.monotonic() + self._ledger.patience
        while not lease.permits_requests and not self._progress.interrupted:
            if lease.lost:
                self.interrupt(lease.lost)
            elif time.monotonic() > deadline:
                self.interrupt(f"cannot write to the ledger {self._ledger.where} for {self._ledger.patience:g} s")
            await asyncio.sleep(UNRENEWED_PAUSE)

    async def _worker(self, lane: Lane, queue: Iterator[Planned]) -> None:
        for planned in queue:
            if self._progress.interrupted:
                return
            try:
                await self.make(lane, planned)
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

    async def make(self, lane: Lane, planned: Planned) -> tuple[Reply, Verdict]:
        """Make one attempt; gives its last reply and how it ended."""
        answer, origin = await self._drive(lane, planned)
        verdict, first = read_answer(planned, answer)
        if planned.judging is not None and verdict.ended is Ended.ANSWERED:
            judged = await self._judge(planned, planned.judging, answer.last)
            verdict, first = once_judged((verdict, first), judged)
        self._ledger.add_verdict(planned.attempt.id, verdict, first, origin)
        counts = self._progress.models[lane.model.name]
        counts.ended[verdict.ended] += 1
        if verdict.counted is None:
            counts.reasons[verdict.reason] += 1
        counts.stopped = lane.stopped
        if self._progress.spent is not None:
            self._progress.spent = self._budget.spent
        return answer.last, verdict

    async def _drive(self, lane: Lane, planned: Planned) -> tuple[Answer, VerdictOrigin]:
        """What a strategy comes to, and from which response that is read."""
        responses: dict[Step, int] = {}
        answer = await drive(planned, partial(self._reply, lane, responses))
        return answer, VerdictOrigin(responses[answer.ask.step], answer_format(planned, answer.ask))

    async def _judge(self, subject: Planned, judging: Judging, reply: Reply) -> Verdict:
        """Put a reply to the judge."""
        bench = self._bench
        if bench is None:
            raise AssertionError("a judged task was planned without a judge")
        planned = [
            judgement(subject, judging, question, bench.addresses[question.task])
            for question in judging.questions(subject.question, reply)
        ]
        entries = [(one.attempt, one.question.task, one.question) for one in planned]
        self._ledger.plan(entries)
        verdicts = await together(self._judgement(bench.lane, one) for one in planned)
        return concluded(subject.question, judging, reply, verdicts)

    async def _judgement(self, lane: Lane, planned: Planned) -> Verdict:
        answer, origin = await self._drive(lane, planned)
        verdict, _ = read_answer(planned, answer)
        self._progress.models[lane.model.name].stopped = lane.stopped
        self._ledger.add_verdict(planned.attempt.id, verdict, origin=origin)
        return verdict

    async def _reply(self, lane: Lane, responses: dict[Step, int], planned: Planned, ask: Ask) -> Reply:
        """From the ledger, from an equal ask under way, or from the model. In each case the reply is in the ledger
        before anybody goes on, and its id among the `responses`."""
        text = transcript(ask)
        lookup_id = request_lookup_id(lane.model, ask, planned.address)
        key = request_key(planned.address, text, ask.trial, ask.step, lookup_id)
        counts = self._progress.models[lane.model.name]
        known = None if key in self._under_way else await self._responses.find(key)
        if known is not None and (stored := self._stored(planned, ask, key, known)) is not None:
            counts.cached += 1
            reply, reply_id = stored, known
        elif (under_way := self._under_way.get(key)) is not None:
            counts.cached += 1
            reply, reply_id = await under_way
        else:
            reply, responses[ask.step] = await self._ask_model(lane, planned, ask, key, text)
            return reply
        self._ledger.add_step(planned.attempt.id, ask.step, reply_id)
        responses[ask.step] = reply_id
        return reply

    def _stored(self, planned: Planned, ask: Ask, key: str, known: int) -> Reply | None:
        """The reply in the ledger. A judgement of an earlier command that cannot be read is asked for again, once by
        each command."""
        reply = self._ledger.reply(known)
        is_judgement = bool(planned.attempt.subject)
        if is_judgement and key not in self._judged_now and not has_answer(planned, ask, reply):
            return None
        return reply

    async def _ask_model(self, lane: Lane, planned: Planned, ask: Ask, key: str, text: str) -> tuple[Reply, int]:
        promise: asyncio.Future[tuple[Reply, int]] = asyncio.get_running_loop().create_future()
        self._under_way[key] = promise
        try:
            await self._commits.caught_up()
            async with lane.unsaved:
                reply, requests = await lane.ask(ask)
                self._progress.models[lane.model.name].asked += requests > 0
                asked = Asked(key, planned.address, ask.question, text, ask.visuals, planned.question.files)
                try:
                    await self._record_adaptations(lane.model.name)
                    written = self._ledger.add_reply(
                        planned.attempt.id, ask.step, asked, reply, run=self._run, requests=requests
                    )
                    reply_id = await self._commits.of(written)
                except LedgerError:
                    self.unwritten.append(Rescued(self._run, planned.attempt.id, ask.step, asked, reply, requests))
                    raise
            if not reply.failed:
                self._responses.add(key, reply_id)
                if planned.attempt.subject:
                    self._judged_now.add(key)
            promise.set_result((reply, reply_id))
            return reply, reply_id
        except BaseException as error:
            if not promise.done():
                promise.set_exception(error)
                promise.exception()  # nobody may be waiting for it
            raise
        finally:
            del self._under_way[key]

    async def _record_adaptations(self, name: str) -> None:
        """What was found out about the parameters of a model since the last time."""
        model = self._adapting.get(name)
        if model is None or len(model.adaptations) == self._recorded[name]:
            return
        async with self._recording:  # or an earlier state could be written after a later one
            found, before = model.adaptations, self._recorded[name]
            if len(found) > before:
                await asyncio.to_thread(write_adaptations, self._ledger, self._run, found)
                self._recorded[name] = len(found)
                self._progress.adaptations += found[before:]
