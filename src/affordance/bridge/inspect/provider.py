"""`affordance/MODEL` inside Inspect: any model of ours answers there, as `affordance/oracle` or
`affordance/openai:NAME@BASE_URL`."""

from base64 import b64decode
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    StopReason,
    modelapi,
)
from inspect_ai.model import Model as InspectsModel
from inspect_ai.tool import ToolChoice, ToolInfo

from affordance.bridge.inspect.faults import Unanswered
from affordance.bridge.inspect.inspected import InspectModel
from affordance.core.ask import Ask, Finish, Message, Reply, Usage
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.core.picture import Visual
from affordance.models.adaptation import reply_adapted
from affordance.models.base import Model, Surroundings
from affordance.models.providers import PROVIDERS, Provider
from affordance.models.registry import build

PROVIDER = "affordance"
_STOPPED: Mapping[Finish, StopReason] = {
    Finish.STOP: "stop",
    Finish.LENGTH: "max_tokens",
    Finish.REFUSAL: "content_filter",
}


def of_inspect(
    model: InspectsModel, surroundings: Surroundings, providers: Mapping[str, Provider] = PROVIDERS
) -> Model:
    """A model that Inspect lends us, as ours: under the name and address, and with the parameters, that it has outside
    of Inspect. One of ours there has its own."""
    name = ModelName("inspect", str(model), model.explicit_base_url)
    if isinstance(model.api, AffordanceAPI):
        return _Hosted(name, model, model.api.behind(surroundings, providers), surroundings, providers)
    return InspectModel(name, model, surroundings, alone=False)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a model of ours is told beside Inspect's messages."""

    ask: Ask
    surroundings: Surroundings  # the same object throughout a task: a model is built once for it
    providers: Mapping[str, Provider] = field(default_factory=lambda: PROVIDERS)


UNDER_WAY: ContextVar[Asking] = ContextVar("affordance_asking")


class _Hosted(InspectModel):
    """A model of ours that Inspect asks: its own name and parameters, by way of Inspect."""

    def __init__(
        self,
        name: ModelName,
        model: InspectsModel,
        behind: Model,
        surroundings: Surroundings,
        providers: Mapping[str, Provider],
    ) -> None:
        super().__init__(name, model, surroundings, alone=False)
        self.name, self.base_url = behind.name, behind.base_url
        self.dialect, self.by_question = behind.dialect, behind.by_question
        self._behind = behind
        self._surroundings = surroundings
        self._providers = providers

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return self._behind.sent(parameters)

    def configured(self, parameters: Mapping[str, Json]) -> GenerateConfig:
        return GenerateConfig()  # the parameters are in the ask

    async def reply(self, ask: Ask) -> Reply:
        token = UNDER_WAY.set(Asking(ask, self._surroundings, self._providers))
        try:
            return await super().reply(ask)
        finally:
            UNDER_WAY.reset(token)


class AffordanceAPI(ModelAPI):
    """It answers what it is sent: the words of Inspect's messages, and the pictures as they are in them. From the task
    that asks it knows which question it is about and how answers are written."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # as every provider has it
        **_: Any,
    ) -> None:
        name = ModelName.parse(model_name)
        super().__init__(str(name), base_url, api_key, [], config)  # in public: their logs have it
        self._name = name if name.base_url or not base_url else replace(name, base_url=base_url)
        # By identity, each with what it was built from: tasks that run at the same time share the provider.
        self._built: dict[int, tuple[Surroundings, Model]] = {}
        self._closing: dict[int, AsyncGenerator[None]] = {}  # of those that have been asked

    def behind(self, surroundings: Surroundings, providers: Mapping[str, Provider]) -> Model:
        """The model of ours, built once for these surroundings."""
        if id(surroundings) not in self._built:
            model = build(self._name, replace(surroundings, gallery=_Sent()), providers)
            self._built[id(surroundings)] = surroundings, model
        return self._built[id(surroundings)][1]

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002  # as every provider has it
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        asking = UNDER_WAY.get(None)
        if asking is None:
            raise UserError(f"{PROVIDER}/{self._name} answers questions of Affordance's own tasks, and this is another")
        ask, shown = _heard(asking.ask, input)
        model = self.behind(asking.surroundings, asking.providers)
        await self._close_with_the_loop(asking.surroundings, model)
        token = _SHOWN.set(shown)
        try:
            reply = await reply_adapted(model, ask)
        finally:
            _SHOWN.reset(token)
        if reply.failed:
            raise Unanswered(reply)
        return output_of(reply)

    def should_retry(self, ex: Exception) -> RetryDecision:
        return ex.decision() if isinstance(ex, Unanswered) else RetryDecision.no()

    async def aclose(self) -> None:
        for closing in list(self._closing.values()):
            await closing.aclose()
        for _, model in self._built.values():
            await model.close()
        self._built.clear()

    async def _close_with_the_loop(self, surroundings: Surroundings, model: Model) -> None:
        """Inspect closes no model when an evaluation ends, but its event loop ends, and then every generator that is
        still open. In another loop the model is built again."""
        key = id(surroundings)
        if key in self._closing:
            return

        async def closing() -> AsyncGenerator[None]:
            try:
                yield
            finally:
                del self._closing[key], self._built[key]
                await model.close()

        self._closing[key] = generator = closing()
        await anext(generator)


@modelapi(name=PROVIDER)
def affordance() -> type[ModelAPI]:
    return AffordanceAPI


_SHOWN: ContextVar[Mapping[str, bytes]] = ContextVar("affordance_shown")  # pictures in base64, by their digests


@dataclass(frozen=True, slots=True)
class _Sent:
    """The gallery of what Inspect has sent."""

    async def encoded(self, pictures: Sequence[Visual]) -> list[bytes]:
        return [b64decode(image) for image in await self.base64(pictures)]

    async def base64(self, pictures: Sequence[Visual]) -> list[bytes]:
        return [_SHOWN.get()[one.digest] for one in pictures]

    def give_back(self, images: Sequence[bytes]) -> None:
        return


def _heard(ask: Ask, messages: Sequence[ChatMessage]) -> tuple[Ask, dict[str, bytes]]:
    """The ask as it came through Inspect, and its pictures."""
    expected = iter(ask.visuals)
    shown: dict[str, bytes] = {}

    def part(content: Content) -> str | Visual:
        if isinstance(content, ContentText):
            return content.text
        visual = next(expected, None)
        if visual is None or not isinstance(content, (ContentImage, ContentVideo)):
            raise UserError(f"{PROVIDER}: expected the pictures of the question, found {content.type} beside them")
        url = content.image if isinstance(content, ContentImage) else content.video
        shown[visual.digest] = url.partition(";base64,")[2].encode()
        return visual

    heard = tuple(
        Message(one.role, (one.content,) if isinstance(one.content, str) else tuple(part(each) for each in one.content))
        for one in messages
    )
    if missing := len(list(expected)):
        raise UserError(f"{PROVIDER}: expected {len(ask.visuals)} pictures, {missing} of them did not come through")
    return replace(ask, messages=heard), shown


def output_of(reply: Reply) -> ModelOutput:
    """A reply as Inspect's providers give it."""
    thought = [ContentReasoning(reasoning=reply.reasoning)] if reply.reasoning else []
    output = ModelOutput.from_content(
        reply.served_by,
        [*thought, ContentText(text=reply.text)] if thought else reply.text,
        _STOPPED[reply.finish],
    )
    output.usage = _usage(reply.usage)
    return output


def _usage(usage: Usage) -> ModelUsage | None:
    if usage.input is None and usage.output is None:
        return None
    read, written = usage.input or 0, usage.output or 0
    return ModelUsage(
        input_tokens=read, output_tokens=written, total_tokens=read + written, reasoning_tokens=usage.reasoning
    )
