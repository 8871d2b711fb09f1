"""The desk: questions that come up while the work goes on, put to models one by one.

A run knows all its questions beforehand; making a benchmark does not, for what is asked next depends on what was said.
Everything else is the same: replies are in the ledger before anybody goes on, nothing is asked twice, asks go out as
fast as the endpoint copes, and a budget holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from affordance.core.ask import CallSettings, Message, Request, Response
from affordance.core.attempt import Attempt, AttemptStatus, PromptTexts, RequestGenerator, Verdict
from affordance.core.digest import Json
from affordance.core.errors import LedgerError
from affordance.core.grammar import FreeText
from affordance.core.picture import MediaSpec
from affordance.core.question import Question
from affordance.evaluation.attempts import PlannedAttempt
from affordance.evaluation.budget import Budget, BudgetReached
from affordance.evaluation.commits import CommitWaiter
from affordance.evaluation.concurrency_limit import Interrupted
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.request_queue import RequestQueue
from affordance.evaluation.response_cache import ResponseCache
from affordance.evaluation.runner import Executor
from affordance.evaluation.unsaved_responses import save_unsaved
from affordance.ledger import Ledger, RunRecord
from affordance.models.base import Model
from affordance.tasks.verdicts import conclude

T = TypeVar("T")

MODEL, CHECKER, EMBEDDER = "model", "checker", "embedder"  # the parts that models play
_STRATEGY = "desk"


@dataclass(frozen=True, slots=True)
class AdHocQuestion(Generic[T]):
    """One thing to be asked. `read` gives the value of a reply's text, or says in one line why there is none; then it
    is asked again, as often as there are temperatures."""

    task: str  # author/divide
    item: str  # the screen
    axes: Mapping[str, Json]  # what tells it from other inquiries about the item: a node, a box, a round
    parts: tuple[str | MediaSpec, ...]  # the message: texts and pictures, in order
    parse: Callable[[str], T | str]
    temperatures: tuple[float, ...] = (0.0,)
    parameters: Mapping[str, Json] = field(default_factory=dict)  # others than the temperature


@dataclass(frozen=True, slots=True)
class AdHocAnswer(Generic[T]):
    """What came of an inquiry: a value, or the reason why there is none. `failed` is the provider's fault: ask again
    another time."""

    value: T | None
    reason: str = ""
    failed: bool = False
    attempt: str = ""  # the last one's id in the ledger
    text: str = ""  # what the model said


@dataclass(frozen=True, slots=True)
class RoleModel:
    """A model at the desk: its lane, and the parameters that the user gives it."""

    queue: RequestQueue
    parameters: Mapping[str, Json] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        return self.queue.model


class AdHocClient:
    """Models by the parts they play; one may play several. What was interrupted is told as failed: it is asked with the
    next command."""

    def __init__(
        self,
        ledger: Ledger,
        run: RunRecord,
        role_models: Mapping[str, RoleModel],
        files: Mapping[str, Path],
        prompts_digest: str,
        budget: Budget,
        progress: RunProgress,
    ) -> None:
        self.progress = progress
        self._ledger = ledger
        self._run = run
        self._role_models = role_models
        self._files = files
        self._prompts_digest = prompts_digest
        self._executor = Executor(ledger, CommitWaiter(ledger), run.id, ResponseCache(ledger, run), budget, progress)
        self._executor.attach_queues(list({id(seat.queue): seat.queue for seat in role_models.values()}.values()))

    def has_role(self, role: str) -> bool:
        return role in self._role_models

    def model_name(self, role: str) -> str:
        """Whose words they are."""
        return self._role_models[role].model.name

    async def ask(self, role: str, question: AdHocQuestion[T]) -> AdHocAnswer[T]:
        """Put it to the model that plays this part."""
        said: AdHocAnswer[T] = AdHocAnswer(None, "not asked", failed=True)
        for trial, temperature in enumerate(question.temperatures):
            said = await self._ask_once(self._role_models[role], question, trial, temperature)
            if said.value is not None or said.failed:
                break
        return said

    def interrupt(self, why: str) -> None:
        """Ask nothing more; what is under way is waited for and kept."""
        self._executor.interrupt(why)

    def save_unsaved(self) -> None:
        """Save replies that the ledger could not take; they go into it with the next command."""
        kept = [one for one in self._executor.unsaved if not one.response.failed]
        if kept and (path := save_unsaved(kept, self._ledger)) is not None:
            self.progress.stop_reason += f"; {len(kept)} replies are saved in {path} and go into the ledger next time"

    async def _ask_once(
        self, role_model: RoleModel, question: AdHocQuestion[T], trial: int, temperature: float
    ) -> AdHocAnswer[T]:
        reader = _AnswerParser(question.parse)
        planned = self._plan_attempt(role_model, question, reader, trial, temperature)
        self._ledger.add_attempts([(planned.attempt, question.task, planned.question)])
        self.progress.models[role_model.model.name].planned += 1
        try:
            reply, verdict = await self._executor.make_attempt(role_model.queue, planned)
        except Interrupted:
            return AdHocAnswer(None, self.progress.stop_reason or "interrupted", failed=True)
        except (BudgetReached, LedgerError) as reached:
            self.interrupt(str(reached))
            return AdHocAnswer(None, str(reached), failed=True)
        if verdict.status is not AttemptStatus.ANSWERED:
            failed = verdict.status is AttemptStatus.FAILED
            return AdHocAnswer(None, verdict.reason, failed, planned.attempt.id, reply.text)
        return AdHocAnswer(reader.value, "", False, planned.attempt.id, reply.text)

    def _plan_attempt(
        self,
        role_model: RoleModel,
        inquiry: AdHocQuestion[T],
        parser: "_AnswerParser[T]",
        trial: int,
        temperature: float,
    ) -> PlannedAttempt:
        sources = {part.source for part in inquiry.parts if not isinstance(part, str)}
        question = Question(
            inquiry.task,
            inquiry.item,
            inquiry.axes,
            tuple(part for part in inquiry.parts if not isinstance(part, str)),
            {},
            FreeText(),
            "",
            {source: self._files[source] for source in sorted(sources) if source in self._files},
        )
        parameters = role_model.model.request_parameters(
            {"temperature": temperature, **inquiry.parameters, **role_model.parameters}
        )
        address = CallSettings(role_model.model.name, role_model.model.base_url, "", self._prompts_digest, parameters)
        attempt = Attempt(self._run.id, question.id, role_model.model.name, _STRATEGY, trial)
        return PlannedAttempt(attempt, question, _strategy(inquiry.parts), {}, parser, address)


def _strategy(parts: tuple[str | MediaSpec, ...]) -> Callable[[Question, PromptTexts], RequestGenerator]:
    def once(question: Question, _: PromptTexts) -> RequestGenerator:
        (reply,) = yield [Request(question.id, (Message("user", parts),), question.answer_format)]
        return reply

    return once


class _AnswerParser(Generic[T]):
    """Reads a reply once, and keeps the value for whoever asked; the ledger keeps that there was one."""

    def __init__(self, parse: Callable[[str], T | str]) -> None:
        self.value: T | None = None
        self._parse = parse

    def __call__(self, _: Question, reply: Response) -> Verdict:
        return conclude(reply, self._verdict)

    def _verdict(self, text: str) -> Verdict | str:
        found = self._parse(text)
        if isinstance(found, str):
            return found
        self.value = found
        return Verdict(AttemptStatus.ANSWERED)
