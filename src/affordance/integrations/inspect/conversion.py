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

# What may be set of a model. The rest of their configuration says how it is reached, which is the runner's to say.
PARAMETERS = (
    "best_of", "cache_prompt", "effort", "extra_body", "frequency_penalty", "logit_bias", "logprobs",
    "max_tokens", "presence_penalty", "reasoning_effort", "reasoning_mode", "reasoning_summary", "reasoning_tokens",
    "response_schema", "seed", "stop_seqs", "temperature", "top_k", "top_logprobs", "top_p", "verbosity",
)  # fmt: skip
# How chat-completions calls the same.
_PARAMETER_ALIASES = {"max_completion_tokens": "max_tokens", "stop": "stop_seqs"}

_MESSAGES: Mapping[str, Callable[..., ChatMessage]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


def to_chat_messages(request: Request, images: Sequence[bytes]) -> list[ChatMessage]:
    """The messages of an ask. `images` are its pictures and videos in base64, in the order of `ask.visuals`: what
    `Gallery.base64` lends."""
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
    """Parameters as Inspect takes them; one that it does not know is the user's mistake."""
    named = {_PARAMETER_ALIASES.get(name, name): value for name, value in parameters.items()}
    for name in named:
        if name == "extra_headers":
            raise UserError(
                "extra_headers is not a parameter to set: it would be recorded; keys are in the environment"
            )
        if name not in PARAMETERS:
            raise UnknownName("parameter of a model of Inspect", name, (*PARAMETERS, *_PARAMETER_ALIASES))
    if isinstance(stop := named.get("stop_seqs"), str):
        named["stop_seqs"] = [stop]
    try:
        return GenerateConfig.model_validate(named)
    except ValidationError as error:
        raise UserError(f"parameter of a model of Inspect: {format_validation_error(error)}") from None


def from_generate_config(config: GenerateConfig) -> dict[str, Json]:
    """What is set in a configuration, in the one spelling that goes into the key of an ask."""
    return config.model_dump(mode="json", include=set(PARAMETERS), exclude_none=True)


def to_response(output: ModelOutput) -> Response:
    """What a provider of Inspect answered. Thinking is kept apart, and a failure is a reply too."""
    if not output.choices:
        return error_response(output.error or "expected a choice with a message, found none", permanent=False)
    choice = output.choices[0]
    content = choice.message.content
    parts: Sequence[Content] = [ContentText(text=content)] if isinstance(content, str) else content
    texts = [part for part in parts if isinstance(part, ContentText)]
    said = "".join(part.text for part in texts)
    if choice.stop_reason == "model_length" and output.usage is None:
        # Not an answer that was cut: the provider turned the request down, and what it said stands where answers do.
        return parse_error(None, output.error or said, ["context_length_exceeded"])
    refused = choice.stop_reason == "content_filter" or any(part.refusal for part in texts)
    cut = choice.stop_reason in ("max_tokens", "model_length")
    return Response(
        text=said or (output.error or "" if refused else ""),
        reasoning="".join(_reasoning_text(part) for part in parts if isinstance(part, ContentReasoning)),
        finish=FinishReason.REFUSAL if refused else FinishReason.LENGTH if cut else FinishReason.STOP,
        usage=_token_usage(output.usage),
        seconds=output.time or 0.0,
        served_by=output.model,
    )


def _reasoning_text(part: ContentReasoning) -> str:
    """What is redacted is not readable: then there may be a summary."""
    return part.summary or "" if part.redacted else part.reasoning


def _token_usage(usage: ModelUsage | None) -> TokenUsage:
    """Inspect counts what came from a provider's cache apart; here it is input like any other."""
    if usage is None:
        return TokenUsage()
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return TokenUsage(usage.input_tokens + cached, usage.output_tokens, usage.reasoning_tokens)


_CONNECTION = (OSError, aiohttp.ClientError, httpx.TransportError)  # what a provider has not looked at itself


class RequestFailed(Exception):
    """A model of ours has failed inside Inspect. The message is the reply's error."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.error)
        self.reply = response

    def decision(self) -> RetryDecision:
        """Whether Inspect is to ask again."""
        if self.reply.permanent:
            return RetryDecision.no()
        again = RetryDecision.rate_limit if self.reply.throttled else RetryDecision.transient
        return again(self.reply.retry_after)


def response_from_error(error: Exception, model: Model) -> Response:
    """What `Model.generate` raised, as the failure that it is. What the error is about says whether to ask again; where
    its words are not known, the provider does, else the status."""
    cause = _cause(error)
    if isinstance(cause, RequestFailed):
        return cause.reply
    message, status = error_text(cause), _status(cause)
    told = f"{type(cause).__name__}: {message}" if status is None else message
    known = parse_error(status, told, [str(getattr(cause, name, "")) for name in ("code", "type")])
    if not known.failed or known.kind is not ErrorKind.OTHER:
        return known
    decision = model.api.should_retry(cause)
    if not isinstance(decision, RetryDecision):
        decision = RetryDecision.transient() if decision else RetryDecision.no()
    if decision or status in RETRYABLE or isinstance(cause, _CONNECTION):
        throttled = decision.kind == "rate_limit" or status in RATE_LIMITED
        return error_response(known.error, permanent=False, throttled=throttled, retry_after=decision.retry_after)
    return error_response(known.error, permanent=True)


def error_text(error: BaseException) -> str:
    """What an error says, in one line; Inspect writes some of its own for a terminal, with colours."""
    message = getattr(error, "message", None)
    said = message if isinstance(message, str) and message else str(error)
    try:
        plain = Text.from_markup(said).plain if "[/" in said else said
    except MarkupError:
        plain = said
    return " ".join(plain.split()).removeprefix("ERROR: ") or "no message"


def _cause(error: Exception) -> Exception:
    """Without what Inspect has put around it: that it gave up, and the request in full, with its pictures."""
    found: BaseException = (error.last_attempt.exception() or error) if isinstance(error, RetryError) else error
    if hasattr(found, "provider_message") and found.__cause__ is not None:
        found = found.__cause__
    return found if isinstance(found, Exception) else error


def _status(error: Exception) -> int | None:
    """The status of an answer, under the names that libraries have for it."""
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
    """A reply as Inspect's providers give it."""
    thought = [ContentReasoning(reasoning=response.reasoning)] if response.reasoning else []
    output = ModelOutput.from_content(
        response.served_by,
        [*thought, ContentText(text=response.text)] if thought else response.text,
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
