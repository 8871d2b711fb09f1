"""The desk: questions that come up while the work goes on, put to models one by one.

A run knows all its questions beforehand; making a benchmark does not, for what is asked next depends on what was said.
Everything else is the same: replies are in the ledger before anybody goes on, nothing is asked twice, asks go out as
fast as the endpoint copes, and a budget holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from affordance.core.ask import Address, Ask, Message, Reply
from affordance.core.attempt import Attempt, Ended, Prompts, Steps, Verdict
from affordance.core.digest import Json
from affordance.core.errors import LedgerError
from affordance.core.grammar import Words
from affordance.core.picture import Visual
from affordance.core.question import Question
from affordance.ledger import Ledger, Run
from affordance.models.base import Model
from affordance.run.budget import Budget, BudgetReached
from affordance.run.commits import Commits
from affordance.run.driving import Planned
from affordance.run.lane import Lane
from affordance.run.limiter import Interrupted
from affordance.run.progress import Progress
from affordance.run.rescue import save
from affordance.run.response_cache import ResponseCache
from affordance.run.runner import Runner
from affordance.suites.verdicts import conclude

T = TypeVar("T")

MODEL, CHECKER, EMBEDDER = "model", "checker", "embedder"  # the parts that models play
_STRATEGY = "desk"


@dataclass(frozen=True, slots=True)
class Inquiry(Generic[T]):
    """One thing to be asked. `read` gives the value of a reply's text, or says in one line why there is none; then it
    is asked again, as often as there are temperatures."""

    task: str  # author/divide
    item: str  # the screen
    axes: Mapping[str, Json]  # what tells it from other inquiries about the item: a node, a box, a round
    parts: tuple[str | Visual, ...]  # the message: texts and pictures, in order
    read: Callable[[str], T | str]
    temperatures: tuple[float, ...] = (0.0,)
    parameters: Mapping[str, Json] = field(default_factory=dict)  # others than the temperature


@dataclass(frozen=True, slots=True)
class Said(Generic[T]):
    """What came of an inquiry: a value, or the reason why there is none. `failed` is the provider's fault: ask again
    another time."""

    value: T | None
    reason: str = ""
    failed: bool = False
    attempt: str = ""  # the last one's id in the ledger
    text: str = ""  # what the model said


@dataclass(frozen=True, slots=True)
class Seat:
    """A model at the desk: its lane, and the parameters that the user gives it."""

    lane: Lane
    own: Mapping[str, Json] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        return self.lane.model


class Desk:
    """Models by the parts they play; one may play several. What was interrupted is told as failed: it is asked with the
    next command."""

    def __init__(
        self,
        ledger: Ledger,
        run: Run,
        seats: Mapping[str, Seat],
        files: Mapping[str, Path],
        pack: str,
        budget: Budget,
        progress: Progress,
    ) -> None:
        self.progress = progress
        self._ledger = ledger
        self._run = run
        self._seats = seats
        self._files = files
        self._pack = pack
        self._runner = Runner(ledger, Commits(ledger), run.id, ResponseCache(ledger, run), budget, progress)
        self._runner.attend(list({id(seat.lane): seat.lane for seat in seats.values()}.values()))

    def plays(self, role: str) -> bool:
        return role in self._seats

    def name(self, role: str) -> str:
        """Whose words they are."""
        return self._seats[role].model.name

    async def ask(self, role: str, inquiry: Inquiry[T]) -> Said[T]:
        """Put it to the model that plays this part."""
        said: Said[T] = Said(None, "not asked", failed=True)
        for trial, temperature in enumerate(inquiry.temperatures):
            said = await self._once(self._seats[role], inquiry, trial, temperature)
            if said.value is not None or said.failed:
                break
        return said

    def interrupt(self, why: str) -> None:
        """Ask nothing more; what is under way is waited for and kept."""
        self._runner.interrupt(why)

    def rescue(self) -> None:
        """Save replies that the ledger could not take; they go into it with the next command."""
        kept = [one for one in self._runner.unwritten if not one.reply.failed]
        if kept and (path := save(kept, self._ledger)) is not None:
            self.progress.interrupted += f"; {len(kept)} replies are saved in {path} and go into the ledger next time"

    async def _once(self, seat: Seat, inquiry: Inquiry[T], trial: int, temperature: float) -> Said[T]:
        reader = _Reader(inquiry.read)
        planned = self._planned(seat, inquiry, reader, trial, temperature)
        self._ledger.plan([(planned.attempt, inquiry.task, planned.question)])
        self.progress.models[seat.model.name].planned += 1
        try:
            reply, verdict = await self._runner.make(seat.lane, planned)
        except Interrupted:
            return Said(None, self.progress.interrupted or "interrupted", failed=True)
        except (BudgetReached, LedgerError) as reached:
            self.interrupt(str(reached))
            return Said(None, str(reached), failed=True)
        if verdict.ended is not Ended.ANSWERED:
            failed = verdict.ended is Ended.FAILED
            return Said(None, verdict.reason, failed, planned.attempt.id, reply.text)
        return Said(reader.value, "", False, planned.attempt.id, reply.text)

    def _planned(
        self, seat: Seat, inquiry: Inquiry[T], reader: "_Reader[T]", trial: int, temperature: float
    ) -> Planned:
        sources = {part.source for part in inquiry.parts if not isinstance(part, str)}
        question = Question(
            inquiry.task,
            inquiry.item,
            inquiry.axes,
            tuple(part for part in inquiry.parts if not isinstance(part, str)),
            {},
            Words(),
            "",
            {source: self._files[source] for source in sorted(sources) if source in self._files},
        )
        parameters = seat.model.sent({"temperature": temperature, **inquiry.parameters, **seat.own})
        address = Address(seat.model.name, seat.model.base_url, "", self._pack, parameters)
        attempt = Attempt(self._run.id, question.id, seat.model.name, _STRATEGY, trial)
        return Planned(attempt, question, _strategy(inquiry.parts), {}, reader, address)


def _strategy(parts: tuple[str | Visual, ...]) -> Callable[[Question, Prompts], Steps]:
    def once(question: Question, _: Prompts) -> Steps:
        (reply,) = yield [Ask(question.id, (Message("user", parts),), question.grammar)]
        return reply

    return once


class _Reader(Generic[T]):
    """Reads a reply once, and keeps the value for whoever asked; the ledger keeps that there was one."""

    def __init__(self, read: Callable[[str], T | str]) -> None:
        self.value: T | None = None
        self._read = read

    def __call__(self, _: Question, reply: Reply) -> Verdict:
        return conclude(reply, self._verdict)

    def _verdict(self, text: str) -> Verdict | str:
        found = self._read(text)
        if isinstance(found, str):
            return found
        self.value = found
        return Verdict(Ended.ANSWERED)
