"""The provider `affordance/MODEL` inside Inspect, as `affordance/oracle` or `affordance/openai:NAME@BASE_URL`."""

from base64 import b64decode
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    Content,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    RetryDecision,
    modelapi,
)
from inspect_ai.model import Model as InspectsModel
from inspect_ai.tool import ToolChoice, ToolInfo

from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec
from affordance.core.model_name import ModelName
from affordance.core.requests import Message, Request, Response
from affordance.integrations.inspect.conversion import RequestFailed, to_model_output
from affordance.integrations.inspect.inspect_model import InspectModel
from affordance.models.adaptation import send_adapted
from affordance.models.model import Model, ModelContext
from affordance.models.providers import PROVIDERS, Provider
from affordance.models.registry import build_model

PROVIDER = "affordance"


def wrap_inspect_model(
    model: InspectsModel, context: ModelContext, providers: Mapping[str, Provider] = PROVIDERS
) -> Model:
    """A model that Inspect lends us, as ours: under the name and address, and with the parameters, that it has outside
    of Inspect. One of ours there has its own."""
    name = ModelName("inspect", str(model), model.explicit_base_url)
    if isinstance(model.api, AffordanceAPI):
        return _HostedModel(name, model, model.api.hosted_model(context, providers), context, providers)
    return InspectModel(name, model, context, owned=False)


@dataclass(frozen=True, slots=True)
class HostedRequest:
    """What a model of ours is told beside Inspect's messages."""

    request: Request
    context: ModelContext  # the same object throughout a task: a model is built once for it
    providers: Mapping[str, Provider] = field(default_factory=lambda: PROVIDERS)


CURRENT_REQUEST: ContextVar[HostedRequest] = ContextVar("affordance_asking")


class _HostedModel(InspectModel):
    """A model of ours that Inspect asks: its own name and parameters, by way of Inspect."""

    def __init__(
        self,
        name: ModelName,
        model: InspectsModel,
        hosted: Model,
        context: ModelContext,
        providers: Mapping[str, Provider],
    ) -> None:
        super().__init__(name, model, context, owned=False)
        self.name, self.base_url = hosted.name, hosted.base_url
        self.dialect, self.answers_by_question = hosted.dialect, hosted.answers_by_question
        self._hosted = hosted
        self._context = context
        self._providers = providers

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return self._hosted.request_parameters(parameters)

    def generate_config(self, parameters: Mapping[str, Json]) -> GenerateConfig:
        return GenerateConfig()  # the parameters are in the ask

    async def send(self, request: Request) -> Response:
        token = CURRENT_REQUEST.set(HostedRequest(request, self._context, self._providers))
        try:
            return await super().send(request)
        finally:
            CURRENT_REQUEST.reset(token)


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
        self._built: dict[int, tuple[ModelContext, Model]] = {}
        self._closing: dict[int, AsyncGenerator[None]] = {}  # of those that have been asked

    def hosted_model(self, context: ModelContext, providers: Mapping[str, Provider]) -> Model:
        """The model of ours, built once for these surroundings."""
        if id(context) not in self._built:
            model = build_model(self._name, replace(context, media_loader=_SentMediaLoader()), providers)
            self._built[id(context)] = context, model
        return self._built[id(context)][1]

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002  # as every provider has it
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        asking = CURRENT_REQUEST.get(None)
        if asking is None:
            raise UserError(f"{PROVIDER}/{self._name} answers questions of Affordance's own tasks, and this is another")
        ask, shown = _request_from_messages(asking.request, input)
        model = self.hosted_model(asking.context, asking.providers)
        await self._close_on_loop_end(asking.context, model)
        token = _SENT_MEDIA.set(shown)
        try:
            reply = await send_adapted(model, ask)
        finally:
            _SENT_MEDIA.reset(token)
        if reply.failed:
            raise RequestFailed(reply)
        return to_model_output(reply)

    def should_retry(self, ex: Exception) -> RetryDecision:
        return ex.decision() if isinstance(ex, RequestFailed) else RetryDecision.no()

    async def aclose(self) -> None:
        for closing in list(self._closing.values()):
            await closing.aclose()
        for _, model in self._built.values():
            await model.close()
        self._built.clear()

    async def _close_on_loop_end(self, context: ModelContext, model: Model) -> None:
        """Inspect closes no model when an evaluation ends, but its event loop ends, and then every generator that is
        still open. In another loop the model is built again."""
        key = id(context)
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


_SENT_MEDIA: ContextVar[Mapping[str, bytes]] = ContextVar("affordance_shown")  # pictures in base64, by their digests


@dataclass(frozen=True, slots=True)
class _SentMediaLoader:
    """The gallery of what Inspect has sent."""

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]:
        return [b64decode(image) for image in await self.load_base64(media)]

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        return [_SENT_MEDIA.get()[one.digest] for one in media]

    def release(self, images: Sequence[bytes]) -> None:
        return


def _request_from_messages(request: Request, messages: Sequence[ChatMessage]) -> tuple[Request, dict[str, bytes]]:
    """The ask as it came through Inspect, and its pictures."""
    expected = iter(request.media)
    shown: dict[str, bytes] = {}

    def part(content: Content) -> str | MediaSpec:
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
        raise UserError(f"{PROVIDER}: expected {len(request.media)} pictures, {missing} of them did not come through")
    return replace(request, messages=heard), shown
