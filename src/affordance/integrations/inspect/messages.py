"""Asks, replies and parameters in Inspect's types, with the same meaning as the chat client gives them."""

from collections.abc import Callable, Iterator, Mapping, Sequence

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
    ModelOutput,
    ModelUsage,
)
from pydantic import ValidationError

from affordance.core.ask import FinishReason, Message, Request, Response, TokenUsage
from affordance.core.complaints import format_validation_error
from affordance.core.digest import Json
from affordance.core.errors import UnknownName, UserError
from affordance.core.picture import MediaSpec, VideoSpec
from affordance.models.completion import error_response, parse_error

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
        usage=_usage(output.usage),
        seconds=output.time or 0.0,
        served_by=output.model,
    )


def _reasoning_text(part: ContentReasoning) -> str:
    """What is redacted is not readable: then there may be a summary."""
    return part.summary or "" if part.redacted else part.reasoning


def _usage(usage: ModelUsage | None) -> TokenUsage:
    """Inspect counts what came from a provider's cache apart; here it is input like any other."""
    if usage is None:
        return TokenUsage()
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return TokenUsage(usage.input_tokens + cached, usage.output_tokens, usage.reasoning_tokens)
