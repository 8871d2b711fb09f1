"""The provider `affordance/MODEL` inside Inspect, as `affordance/oracle` or `affordance/openai:NAME@BASE_URL`."""

from base64 import b64decode
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
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
from affordance.integrations.inspect._compat import close_at_loop_end
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
    """A model of Inspect as a model of Affordance, with the name, URL and parameters that it has outside of Inspect.

    A model of Affordance inside Inspect keeps its own."""
    name = ModelName("inspect", str(model), model.explicit_base_url)
    if isinstance(model.api, AffordanceAPI):
        return _HostedModel(name, model, model.api.hosted_model(context, providers), context, providers)
    return InspectModel(name, model, context, owned=False)


@dataclass(frozen=True, slots=True)
class HostedRequest:
    """What a hosted model needs in addition to Inspect's messages."""

    request: Request
    context: ModelContext  # the same object throughout a session: a model is built once for it
    providers: Mapping[str, Provider] = field(default_factory=lambda: PROVIDERS)


CURRENT_REQUEST: ContextVar[HostedRequest] = ContextVar("affordance_asking")


class _HostedModel(InspectModel):
    """A model of Affordance that is called through Inspect, with its own name and parameters."""

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
        return GenerateConfig()  # the parameters are in the request

    async def close(self) -> None:
        if isinstance(self._model.api, AffordanceAPI):
            await self._model.api.close_model(self._context)

    async def send(self, request: Request) -> Response:
        token = CURRENT_REQUEST.set(HostedRequest(request, self._context, self._providers))
        try:
            return await super().send(request)
        finally:
            CURRENT_REQUEST.reset(token)


class AffordanceAPI(ModelAPI):
    """The provider. The hosted model receives the messages and images as Inspect sent them; the task adds the question
    and the answer format."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # the signature of every provider
        **_: Any,
    ) -> None:
        name = ModelName.parse(model_name)
        super().__init__(str(name), base_url, api_key, [], config)  # without secrets: logs hold it
        self._name = name if name.base_url or not base_url else replace(name, base_url=base_url)
        # By identity of the context, as tasks that run at the same time share the provider.
        self._built: dict[int, tuple[ModelContext, Model]] = {}
        self._closing: dict[int, AsyncGenerator[None]] = {}

    def hosted_model(self, context: ModelContext, providers: Mapping[str, Provider]) -> Model:
        """The hosted model, built once for a context."""
        if id(context) not in self._built:
            model = build_model(self._name, replace(context, media_loader=_SentMediaLoader()), providers)
            self._built[id(context)] = context, model
        return self._built[id(context)][1]

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002  # the signature of every provider
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        request = CURRENT_REQUEST.get(None)
        if request is None:
            raise UserError(f"{PROVIDER}/{self._name} works with Affordance's own tasks only")
        received, media = _request_from_messages(request.request, input)
        model = self.hosted_model(request.context, request.providers)
        if id(request.context) not in self._closing:
            closing = close_at_loop_end(partial(self.close_model, request.context))
            self._closing[id(request.context)] = await closing
        token = _SENT_MEDIA.set(media)
        try:
            response = await send_adapted(model, received)
        finally:
            _SENT_MEDIA.reset(token)
        if response.failed:
            raise RequestFailed(response)
        return to_model_output(response)

    def should_retry(self, ex: Exception) -> RetryDecision:
        return ex.decision() if isinstance(ex, RequestFailed) else RetryDecision.no()

    async def close_model(self, context: ModelContext) -> None:
        """Close the model that was built for a context, if there is one."""
        self._closing.pop(id(context), None)
        if (built := self._built.pop(id(context), None)) is not None:
            await built[1].close()

    async def aclose(self) -> None:
        for context, _ in list(self._built.values()):
            await self.close_model(context)


@modelapi(name=PROVIDER)
def affordance() -> type[ModelAPI]:
    """The provider, under the name that Inspect knows it by."""
    return AffordanceAPI


_SENT_MEDIA: ContextVar[Mapping[str, bytes]] = ContextVar("affordance_media")  # base64 by digest


@dataclass(frozen=True, slots=True)
class _SentMediaLoader:
    """A media loader of the images and videos that Inspect sent."""

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]:
        return [b64decode(image) for image in await self.load_base64(media)]

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        return [_SENT_MEDIA.get()[one.digest] for one in media]

    def release(self, images: Sequence[bytes]) -> None:
        return


def _request_from_messages(request: Request, messages: Sequence[ChatMessage]) -> tuple[Request, dict[str, bytes]]:
    """The request as it came through Inspect, and its images and videos in base64."""
    expected = iter(request.media)
    media: dict[str, bytes] = {}

    def part(content: Content) -> str | MediaSpec:
        if isinstance(content, ContentText):
            return content.text
        spec = next(expected, None)
        if spec is None or not isinstance(content, (ContentImage, ContentVideo)):
            raise UserError(f"{PROVIDER}: expected the images of the question, found {content.type} in addition")
        url = content.image if isinstance(content, ContentImage) else content.video
        media[spec.digest] = url.partition(";base64,")[2].encode()
        return spec

    received = tuple(
        Message(one.role, (one.content,) if isinstance(one.content, str) else tuple(part(each) for each in one.content))
        for one in messages
    )
    if missing := len(list(expected)):
        raise UserError(f"{PROVIDER}: expected {len(request.media)} images, {missing} of them were not sent")
    return replace(request, messages=received), media
