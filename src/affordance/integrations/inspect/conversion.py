"""Messages, parameters, responses and errors in Inspect's types and in ours."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import aiohttp
import httpx
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    ContentVideo,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    StopReason,
)
from pydantic import ValidationError
from rich.errors import MarkupError
from rich.text import Text
from tenacity import RetryError

from affordance.core.errors import UnknownName, UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec, VideoSpec
from affordance.core.requests import ErrorKind, FinishReason, Message, Request, Response, TokenUsage
from affordance.core.validation import format_validation_error
from affordance.models.provider_errors import RATE_LIMITED, RETRYABLE, error_response, parse_error

# Parameters of a model. The other fields of Inspect's configuration are about how requests are sent.
PARAMETERS = (
    "best_of", "cache_prompt", "effort", "extra_body", "frequency_penalty", "logit_bias", "logprobs",
    "max_tokens", "presence_penalty", "reasoning_effort", "reasoning_mode", "reasoning_summary", "reasoning_tokens",
    "response_schema", "seed", "stop_seqs", "temperature", "top_k", "top_logprobs", "top_p", "verbosity",
)  # fmt: skip
# Names of the same parameters in chat completions.
_PARAMETER_ALIASES = {"max_completion_tokens": "max_tokens", "stop": "stop_seqs"}

_MESSAGES: Mapping[str, Callable[..., ChatMessage]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


def to_chat_messages(request: Request, images: Sequence[bytes]) -> list[ChatMessage]:
    """The messages of a request. `images` are its images and videos in base64, in the order of `request.media`."""
    remaining = iter(images)
    return [_MESSAGES[message.role](content=_contents(message, remaining)) for message in request.messages]


def _contents(message: Message, images: Iterator[bytes]) -> str | list[Content]:
    if len(message.parts) == 1 and isinstance(message.parts[0], str):
        return message.parts[0]
    return [
        ContentText(text=part) if isinstance(part, str) else _media_content(part, next(images))
        for part in message.parts
    ]


def _media_content(spec: MediaSpec, image: bytes) -> Content:
    if isinstance(spec, VideoSpec):
        return ContentVideo(video=f"data:video/mp4;base64,{image.decode('ascii')}", format="mp4")
    return ContentImage(image=f"data:image/{spec.encoding.format};base64,{image.decode('ascii')}")


def to_generate_config(parameters: Mapping[str, Json]) -> GenerateConfig:
    """Parameters as Inspect's configuration. Raises `UserError` for a parameter that Inspect does not have."""
    named = {_PARAMETER_ALIASES.get(name, name): value for name, value in parameters.items()}
    for name in named:
        if name == "extra_headers":
            raise UserError("extra_headers cannot be set, as parameters are recorded; put keys into the environment")
        if name not in PARAMETERS:
            raise UnknownName("model parameter of Inspect", name, (*PARAMETERS, *_PARAMETER_ALIASES))
    if isinstance(stop := named.get("stop_seqs"), str):
        named["stop_seqs"] = [stop]
    try:
        return GenerateConfig.model_validate(named)
    except ValidationError as error:
        raise UserError(f"model parameter of Inspect: {format_validation_error(error)}") from None


def from_generate_config(config: GenerateConfig) -> dict[str, Json]:
    """The parameters that a configuration sets, in the spelling that request keys depend on."""
    return config.model_dump(mode="json", include=set(PARAMETERS), exclude_none=True)


def to_response(output: ModelOutput) -> Response:
    """The response of a provider of Inspect, with its reasoning apart from the text. A failure is a response too."""
    if not output.choices:
        return error_response(output.error or "expected a choice with a message, found none", permanent=False)
    choice = output.choices[0]
    content = choice.message.content
    parts: Sequence[Content] = [ContentText(text=content)] if isinstance(content, str) else content
    texts = [part for part in parts if isinstance(part, ContentText)]
    text = "".join(part.text for part in texts)
    if choice.stop_reason == "model_length" and output.usage is None:
        # The provider rejected the request, and its message is in the place of the answer.
        return parse_error(None, output.error or text, ["context_length_exceeded"])
    refused = choice.stop_reason == "content_filter" or any(part.refusal for part in texts)
    cut = choice.stop_reason in ("max_tokens", "model_length")
    return Response(
        text=text or (output.error or "" if refused else ""),
        reasoning="".join(_reasoning_text(part) for part in parts if isinstance(part, ContentReasoning)),
        finish=FinishReason.REFUSAL if refused else FinishReason.LENGTH if cut else FinishReason.STOP,
        usage=_token_usage(output.usage),
        seconds=output.time or 0.0,
        served_by=output.model,
    )


def _reasoning_text(part: ContentReasoning) -> str:
    """The reasoning, or its summary where it is redacted."""
    return part.summary or "" if part.redacted else part.reasoning


def _token_usage(usage: ModelUsage | None) -> TokenUsage:
    """Token usage. Inspect counts cached input apart; here it is input."""
    if usage is None:
        return TokenUsage()
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return TokenUsage(usage.input_tokens + cached, usage.output_tokens, usage.reasoning_tokens)


_CONNECTION_ERRORS = (OSError, aiohttp.ClientError, httpx.TransportError)  # those that a provider does not translate


class RequestFailed(Exception):
    """A request of a hosted model has failed. The message is the error of the response."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.error)
        self.response = response

    def decision(self) -> RetryDecision:
        """Whether Inspect should send the request again."""
        if self.response.permanent:
            return RetryDecision.no()
        decision = RetryDecision.rate_limit if self.response.throttled else RetryDecision.transient
        return decision(self.response.retry_after)


def response_from_error(error: Exception, model: Model) -> Response:
    """An exception of `Model.generate` as a failed response.

    Whether it is permanent depends on its message; where that is not known, on the provider, then on the status.
    """
    cause = _cause(error)
    if isinstance(cause, RequestFailed):
        return cause.response
    message, status = error_text(cause), _status(cause)
    described = f"{type(cause).__name__}: {message}" if status is None else message
    known = parse_error(status, described, [str(getattr(cause, name, "")) for name in ("code", "type")])
    if not known.failed or known.kind is not ErrorKind.OTHER:
        return known
    decision = model.api.should_retry(cause)
    if not isinstance(decision, RetryDecision):
        decision = RetryDecision.transient() if decision else RetryDecision.no()
    if decision or status in RETRYABLE or isinstance(cause, _CONNECTION_ERRORS):
        throttled = decision.kind == "rate_limit" or status in RATE_LIMITED
        return error_response(known.error, permanent=False, throttled=throttled, retry_after=decision.retry_after)
    return error_response(known.error, permanent=True)


def error_text(error: BaseException) -> str:
    """The message of an error in one line, without the colours that Inspect writes for terminals."""
    message = getattr(error, "message", None)
    text = message if isinstance(message, str) and message else str(error)
    try:
        plain = Text.from_markup(text).plain if "[/" in text else text
    except MarkupError:
        plain = text
    return " ".join(plain.split()).removeprefix("ERROR: ") or "no message"


def _cause(error: Exception) -> Exception:
    """The provider's error, without Inspect's wrappers, which hold the whole request with its images."""
    found: BaseException = (error.last_attempt.exception() or error) if isinstance(error, RetryError) else error
    if hasattr(found, "provider_message") and found.__cause__ is not None:
        found = found.__cause__
    return found if isinstance(found, Exception) else error


def _status(error: Exception) -> int | None:
    """The HTTP status of an error, under the names that libraries use for it."""
    for name in ("status_code", "status", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and 100 <= value < 1000:
            return value
    return None


_STOP_REASONS: Mapping[FinishReason, StopReason] = {
    FinishReason.STOP: "stop",
    FinishReason.LENGTH: "max_tokens",
    FinishReason.REFUSAL: "content_filter",
}


def to_model_output(response: Response) -> ModelOutput:
    """A response as Inspect's providers return it."""
    reasoning = [ContentReasoning(reasoning=response.reasoning)] if response.reasoning else []
    output = ModelOutput.from_content(
        response.served_by,
        [*reasoning, ContentText(text=response.text)] if reasoning else response.text,
        _STOP_REASONS[response.finish],
    )
    output.usage = _model_usage(response.usage)
    return output


def _model_usage(usage: TokenUsage) -> ModelUsage | None:
    if usage.input is None and usage.output is None:
        return None
    read, written = usage.input or 0, usage.output or 0
    return ModelUsage(
        input_tokens=read, output_tokens=written, total_tokens=read + written, reasoning_tokens=usage.reasoning
    )
