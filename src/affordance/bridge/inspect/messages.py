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

from affordance.core.ask import Ask, Finish, Message, Reply, Usage
from affordance.core.complaints import first_complaint
from affordance.core.digest import Json
from affordance.core.errors import UnknownName, UserError
from affordance.core.picture import Footage, Visual
from affordance.models.completion import failure, read_error

# What may be set of a model. The rest of their configuration says how it is reached, which is the runner's to say.
PARAMETERS = (
    "best_of", "cache_prompt", "effort", "extra_body", "frequency_penalty", "logit_bias", "logprobs",
    "max_tokens", "presence_penalty", "reasoning_effort", "reasoning_mode", "reasoning_summary", "reasoning_tokens",
    "response_schema", "seed", "stop_seqs", "temperature", "top_k", "top_logprobs", "top_p", "verbosity",
)  # fmt: skip
# How chat-completions calls the same.
_ALSO = {"max_completion_tokens": "max_tokens", "stop": "stop_seqs"}

_MESSAGES: Mapping[str, Callable[..., ChatMessage]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


def chat_messages(ask: Ask, images: Sequence[bytes]) -> list[ChatMessage]:
    """The messages of an ask. `images` are its pictures and videos in base64, in the order of `ask.visuals`: what
    `Gallery.base64` lends."""
    remaining = iter(images)
    return [_MESSAGES[message.role](content=_contents(message, remaining)) for message in ask.messages]


def _contents(message: Message, images: Iterator[bytes]) -> str | list[Content]:
    if len(message.parts) == 1 and isinstance(message.parts[0], str):
        return message.parts[0]
    return [ContentText(text=part) if isinstance(part, str) else _shown(part, next(images)) for part in message.parts]


def _shown(visual: Visual, image: bytes) -> Content:
    if isinstance(visual, Footage):
        return ContentVideo(video=f"data:video/mp4;base64,{image.decode('ascii')}", format="mp4")
    return ContentImage(image=f"data:image/{visual.encode.format};base64,{image.decode('ascii')}")


def config_of(parameters: Mapping[str, Json]) -> GenerateConfig:
    """Parameters as Inspect takes them; one that it does not know is the user's mistake."""
    named = {_ALSO.get(name, name): value for name, value in parameters.items()}
    for name in named:
        if name == "extra_headers":
            raise UserError(
                "extra_headers is not a parameter to set: it would be recorded; keys are in the environment"
            )
        if name not in PARAMETERS:
            raise UnknownName("parameter of a model of Inspect", name, (*PARAMETERS, *_ALSO))
    if isinstance(stop := named.get("stop_seqs"), str):
        named["stop_seqs"] = [stop]
    try:
        return GenerateConfig.model_validate(named)
    except ValidationError as error:
        raise UserError(f"parameter of a model of Inspect: {first_complaint(error)}") from None


def parameters_of(config: GenerateConfig) -> dict[str, Json]:
    """What is set in a configuration, in the one spelling that goes into the key of an ask."""
    return config.model_dump(mode="json", include=set(PARAMETERS), exclude_none=True)


def reply_of(output: ModelOutput) -> Reply:
    """What a provider of Inspect answered. Thinking is kept apart, and a failure is a reply too."""
    if not output.choices:
        return failure(output.error or "expected a choice with a message, found none", permanent=False)
    choice = output.choices[0]
    content = choice.message.content
    parts: Sequence[Content] = [ContentText(text=content)] if isinstance(content, str) else content
    texts = [part for part in parts if isinstance(part, ContentText)]
    said = "".join(part.text for part in texts)
    if choice.stop_reason == "model_length" and output.usage is None:
        # Not an answer that was cut: the provider turned the request down, and what it said stands where answers do.
        return read_error(None, output.error or said, ["context_length_exceeded"])
    refused = choice.stop_reason == "content_filter" or any(part.refusal for part in texts)
    cut = choice.stop_reason in ("max_tokens", "model_length")
    return Reply(
        text=said or (output.error or "" if refused else ""),
        reasoning="".join(_thought(part) for part in parts if isinstance(part, ContentReasoning)),
        finish=Finish.REFUSAL if refused else Finish.LENGTH if cut else Finish.STOP,
        usage=_usage(output.usage),
        seconds=output.time or 0.0,
        served_by=output.model,
    )


def _thought(part: ContentReasoning) -> str:
    """What is redacted is not readable: then there may be a summary."""
    return part.summary or "" if part.redacted else part.reasoning


def _usage(usage: ModelUsage | None) -> Usage:
    """Inspect counts what came from a provider's cache apart; here it is input like any other."""
    if usage is None:
        return Usage()
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return Usage(usage.input_tokens + cached, usage.output_tokens, usage.reasoning_tokens)
