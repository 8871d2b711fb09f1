"""Requests outside a plan: questions that arise during authoring and in the studio, sent one by one.

Responses are stored before they are used, no request is repeated, and a budget holds, as in a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from affordance.core.attempts import Attempt, AttemptStatus, PromptTexts, RequestGenerator, Verdict
from affordance.core.errors import LedgerError, UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
from affordance.core.question import FreeText, Question
from affordance.core.requests import CallSettings, Message, Request, Response
from affordance.evaluation.budget import Budget, BudgetReached, require_price
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.executor import Executor
from affordance.evaluation.interrupts import Interrupted
from affordance.evaluation.plan import PlannedAttempt
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.request_queue import RequestQueue
from affordance.evaluation.unsaved_responses import describe_saved
from affordance.ledger import Ledger, RunRecord
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.family import Price
from affordance.models.model import Model, ModelContext
from affordance.models.profile import find_price, without_limits
from affordance.models.registry import build_model
from affordance.models.token_cost import max_output_tokens
from affordance.tasks.scoring import verdict_of_text

T = TypeVar("T")

MODEL, CHECKER, EMBEDDER = "model", "checker", "embedder"  # the parts that models play
_STRATEGY = "desk"


@dataclass(frozen=True, slots=True)
class AdHocQuestion(Generic[T]):
    """A question outside a plan. `parse` gives the value of a response's text, or says in one line why there is none;
    then the request is repeated, as often as there are temperatures."""

    task: str  # author/divide
    item: str  # the screen
    axes: Mapping[str, Json]  # what distinguishes it from other questions about the item: a node, a box, a round
    parts: tuple[str | MediaSpec, ...]  # the message: texts and images, in order
    parse: Callable[[str], T | str]
    temperatures: tuple[float, ...] = (0.0,)
    parameters: Mapping[str, Json] = field(default_factory=dict)  # others than the temperature


@dataclass(frozen=True, slots=True)
class AdHocAnswer(Generic[T]):
    """The answer to a question: a value, or the reason why there is none. `failed` is the provider's fault: a later
    command repeats the request."""

    value: T | None
    reason: str = ""
    failed: bool = False
    attempt: str = ""  # the last one's id in the ledger
    text: str = ""  # the response


@dataclass(frozen=True, slots=True)
class RoleModel:
    """A model in a role: its queue, and the parameters that the user gives it."""

    queue: RequestQueue
    parameters: Mapping[str, Json] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        return self.queue.model


class AdHocClient:
    """Sends requests outside a plan to models by role; a model may have several roles. A question that was interrupted
    has failed: the next command repeats it."""

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
        self._executor = Executor(ledger, run, budget, progress)
        self._executor.attach_queues(list({id(seat.queue): seat.queue for seat in role_models.values()}.values()))

    def has_role(self, role: str) -> bool:
        return role in self._role_models

    def model_name(self, role: str) -> str:
        """The name of the model in a role."""
        return self._role_models[role].model.name

    async def ask(self, role: str, question: AdHocQuestion[T]) -> AdHocAnswer[T]:
        """The answer of the model in a role."""
        answer: AdHocAnswer[T] = AdHocAnswer(None, "not sent", failed=True)
        for trial, temperature in enumerate(question.temperatures):
            answer = await self._ask_once(self._role_models[role], question, trial, temperature)
            if answer.value is not None or answer.failed:
                break
        return answer

    def interrupt(self, why: str) -> None:
        """Send nothing more; requests in flight are waited for and stored."""
        self._executor.interrupt(why)

    def save_unsaved(self) -> None:
        """Save responses that the ledger could not store. The next command imports them."""
        self.progress.stop_reason += describe_saved(self._executor.unsaved, self._ledger)

    async def _ask_once(
        self, role_model: RoleModel, question: AdHocQuestion[T], trial: int, temperature: float
    ) -> AdHocAnswer[T]:
        parser = _AnswerParser(question.parse)
        planned = self._plan_attempt(role_model, question, parser, trial, temperature)
        self._ledger.add_attempts([(planned.attempt, question.task, planned.question)])
        self.progress.models[role_model.model.name].planned += 1
        try:
            response, verdict = await self._executor.make_attempt(role_model.queue, planned)
        except Interrupted:
            return AdHocAnswer(None, self.progress.stop_reason or "interrupted", failed=True)
        except (BudgetReached, LedgerError) as reached:
            self.interrupt(str(reached))
            return AdHocAnswer(None, str(reached), failed=True)
        if verdict.status is not AttemptStatus.ANSWERED:
            failed = verdict.status is AttemptStatus.FAILED
            return AdHocAnswer(None, verdict.reason, failed, planned.attempt.id, response.text)
        return AdHocAnswer(parser.value, "", False, planned.attempt.id, response.text)

    def _plan_attempt(
        self,
        role_model: RoleModel,
        question: AdHocQuestion[T],
        parser: "_AnswerParser[T]",
        trial: int,
        temperature: float,
    ) -> PlannedAttempt:
        sources = {part.source for part in question.parts if not isinstance(part, str)}
        asked = Question(
            question.task,
            question.item,
            question.axes,
            tuple(part for part in question.parts if not isinstance(part, str)),
            {},
            FreeText(),
            "",
            {source: self._files[source] for source in sorted(sources) if source in self._files},
        )
        parameters = role_model.model.request_parameters(
            {"temperature": temperature, **question.parameters, **role_model.parameters}
        )
        model = role_model.model
        settings = CallSettings(model.name, model.base_url, "", self._prompts_digest, parameters)
        attempt = Attempt(self._run.id, asked.id, model.name, _STRATEGY, trial)
        return PlannedAttempt(attempt, asked, _strategy(question.parts), {}, parser, settings)


def _strategy(parts: tuple[str | MediaSpec, ...]) -> Callable[[Question, PromptTexts], RequestGenerator]:
    def once(question: Question, _: PromptTexts) -> RequestGenerator:
        (response,) = yield [Request(question.id, (Message("user", parts),), question.answer_format)]
        return response

    return once


class _AnswerParser(Generic[T]):
    """Parses a response once, and keeps the value for the caller; the ledger keeps that there was one."""

    def __init__(self, parse: Callable[[str], T | str]) -> None:
        self.value: T | None = None
        self._parse = parse

    def __call__(self, _: Question, response: Response) -> Verdict:
        return verdict_of_text(response, self._verdict)

    def _verdict(self, text: str) -> Verdict | str:
        found = self._parse(text)
        if isinstance(found, str):
            return found
        self.value = found
        return Verdict(AttemptStatus.ANSWERED)


@dataclass(frozen=True, slots=True)
class AdHocModels:
    by_role: Mapping[str, RoleModel]
    budget: Budget
    prices: Mapping[str, Price]  # by the names of models
    all_priced: bool = True  # whether the cost is known
    models: list[Model] = field(default_factory=list)

    async def close(self) -> None:
        for model in self.models:
            await model.close()


def build_ad_hoc_models(
    names: Mapping[str, ModelName],
    media_loader: ThreadedMediaLoader,
    execution: ExecutionConfig,
    parameters: Mapping[str, Json],
    seed: int = 0,
) -> AdHocModels:
    """The models by role. Raises `UserError` for whatever the user must correct before the first request."""
    context = ModelContext(
        media_loader, _refuse_lookup, seed, execution.timeout, execution.model_options, key_env=execution.key_env
    )
    budget = Budget(execution.budget, media_size=media_loader.size)
    prices: dict[str, Price] = {}
    queues: dict[tuple[str, bool], RequestQueue] = {}
    by_role: dict[str, RoleModel] = {}
    priced = True
    for role, name in names.items():
        if name.provider in BUILTIN_PROVIDERS:
            raise UserError(f"{name} answers only what is known already, and makes no benchmark; name a model")
        embeds = role == EMBEDDER
        own = {} if embeds else {**parameters, **without_limits(execution.model_options.get(str(name), {}))}
        if (key := (str(name), embeds)) not in queues:
            model = _build(role, name, context, execution)
            price = find_price(name, execution.prices)
            priced = priced and price is not None
            limited = embeds or max_output_tokens(own) is not None
            prices[model.name] = require_price(str(name), price, limited, execution.budget, "give --set max_tokens=N")
            queues[key] = RequestQueue(model, prices[model.name], execution.concurrency, execution.retry, budget)
        by_role[role] = RoleModel(queues[key], own)
    return AdHocModels(by_role, budget, prices, priced, [queue.model for queue in queues.values()])


def _build(role: str, name: ModelName, context: ModelContext, execution: ExecutionConfig) -> Model:
    if role == EMBEDDER:
        from affordance.models.embeddings import build_embedding_model

        return build_embedding_model(name, context, execution.providers)
    return build_model(name, context, execution.providers)


def _refuse_lookup(question: str) -> Question:
    raise AssertionError(f"no ad hoc model looks up its question, found {question}")
