"""Asks and replies: one call to a model, and what came back.

An ask holds nothing from which the truth can be reached: no item id, no path, no label; a test walks the object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from affordance.core.digest import digest, digest_text
from affordance.core.json_text import Json, canonical_json, json_string
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.question import AnswerFormat

RequestStep = tuple[int, int, int]  # round of the strategy, place in the round, re-asking


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # system or user
    parts: tuple[str | MediaSpec, ...]  # texts and pictures, in the order in which they are sent


@dataclass(frozen=True, slots=True)
class Request:
    question: str  # the question's id
    messages: tuple[Message, ...]  # what is sent, all of it
    answer_format: AnswerFormat  # in what form the answer is asked for
    prompt_fields: Mapping[str, str] = field(default_factory=dict)  # what stands in the messages, by placeholder
    parameters: Mapping[str, Json] = field(default_factory=dict)  # sampling, as it is sent
    trial: int = 0  # of the attempt, from 0; another one is asked anew
    step: RequestStep = (0, 0, 0)  # round of the strategy, place in the round, re-asking

    @property
    def images(self) -> tuple[ImageSpec, ...]:
        """All pictures in the order in which the model is shown them."""
        return tuple([visual for visual in self.media if isinstance(visual, ImageSpec)])

    @property
    def media(self) -> tuple[MediaSpec, ...]:
        """All pictures and videos in the order in which the model is shown them."""
        return tuple([part for message in self.messages for part in message.parts if not isinstance(part, str)])


@dataclass(frozen=True, slots=True)
class CallSettings:
    """Whom an ask goes to, as far as it can change the reply."""

    model: str
    base_url: str = ""  # without secrets
    dialect: str = ""
    prompt_digest: str = ""  # digest of the prompt pack
    parameters: Mapping[str, Json] = field(default_factory=dict)
    digest: str = field(init=False, compare=False)
    settings_digest: str = field(init=False, compare=False)  # of what is sent: neither dialect nor pack
    parameters_text: str = field(init=False, compare=False)  # as canonical JSON

    def __post_init__(self) -> None:
        text = canonical_json(self.parameters)
        parts = (self.model, self.base_url, self.dialect, self.prompt_digest, text)
        object.__setattr__(self, "parameters_text", text)
        object.__setattr__(self, "digest", digest("address", *parts))
        object.__setattr__(self, "settings_digest", digest("call", self.model, self.base_url, text))


def transcript(ask: Request) -> str:
    """The messages as canonical JSON, with digests in place of pictures and videos: what the ledger keeps."""
    return f"[{','.join([_message_json(message) for message in ask.messages])}]"


def _message_json(message: Message) -> str:
    # Piece by piece: the encoder takes several times as long to make its way through lists of strings.
    return f"[{json_string(message.role)},[{','.join([_part_json(part) for part in message.parts])}]]"


def _part_json(part: str | MediaSpec) -> str:
    if isinstance(part, str):
        return json_string(part)
    return f'{{"{"picture" if isinstance(part, ImageSpec) else "video"}":"{part.digest}"}}'


def request_key(call: CallSettings, transcript_text: str, trial: int, step: RequestStep, lookup_id: str = "") -> str:
    """The cache key of a request: H(model, base URL, messages, parameters, trial, step).

    Rendered bytes are never hashed. What is not sent is not in it: changing a prompt file or a dialect changes the keys
    of those requests only whose messages it changes. `lookup_id` is what a model knows of a request in addition to its
    messages (see `lookup_id_of`)."""
    return _make_key("request", call.settings_digest, transcript_text, trial, step, lookup_id)


def lookup_id_of(question: str, call: CallSettings) -> str:
    """The lookup id of a request: empty for models that are sent nothing but its messages.

    Args:
        question: the question's id, and the edition of the answer to it where that may change, for models that answer
            by the question; two questions in the same words about one image are two requests to them. Else empty.
        address: Models without a URL run in this process. They are given the answer format too, and write coordinates
            in its dialect, which the messages may not name."""
    return " ".join(filter(None, (question, "" if call.base_url else call.dialect)))


def legacy_request_key(
    call: CallSettings, transcript_text: str, trial: int, step: RequestStep, question: str = ""
) -> str:
    """The key of the same request in version 1: dialect and prompt pack were part of it."""
    return _make_key("ask", call.digest, transcript_text, trial, step, question)


def _make_key(
    kind: str, settings_digest: str, transcript_text: str, trial: int, step: RequestStep, lookup_id: str
) -> str:
    number, place, retry = step
    return digest_text(f"{kind} {settings_digest} {trial} {number} {place} {retry} {transcript_text}{lookup_id}")


class FinishReason(StrEnum):
    """Why a reply ended."""

    STOP = "stop"  # the model was done
    LENGTH = "length"  # the token limit cut it
    REFUSAL = "refusal"  # the model or a content filter declined
    ERROR = "error"  # the provider failed; there is no reply to score
    UNSUPPORTED = "unable"  # by what is known beforehand, this model cannot be asked this; nothing was sent


class ErrorKind(StrEnum):
    """What an error is about, where its words or its status say so."""

    OTHER = "other"
    PARAMETER = "parameter"  # the model does not take a parameter that was sent
    ADAPTED = "adapted"  # the same, and the model leaves it out from now on: send the request again at once
    OUTPUT_LIMIT = "output limit"  # max_tokens is more than the model can write
    TOO_LARGE = "too large"  # more than the model or its server takes in one request; a smaller one may do
    INPUT = "input"  # the model does not take images, or videos
    CONTENT = "content"  # a content filter declined the request
    QUOTA = "quota"  # there is no money, or the account may not use the model at all


_FAILED_REASONS = (FinishReason.ERROR, FinishReason.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens as the provider counted them; None where it did not say."""

    input: int | None = None  # of what was sent
    output: int | None = None  # of what came back
    reasoning: int | None = None  # for thinking


@dataclass(frozen=True, slots=True)
class Response:
    text: str = ""  # what was said, as it came
    reasoning: str = ""  # kept apart: an answer is never read out of it
    finish: FinishReason = FinishReason.STOP  # why it ended
    error: str = ""  # one line, for Finish.ERROR and Finish.UNABLE
    permanent: bool = False  # of an error: asking again will not help
    retry_after: float | None = None  # of an error: seconds the provider asked us to wait
    throttled: bool = False  # of an error: the provider wants fewer requests
    usage: TokenUsage = TokenUsage()  # tokens
    seconds: float = 0.0  # from asking to the end of the reply
    served_by: str = ""  # the model's name as the provider states it
    sent: bool = True  # of an error: False where nothing was sent, so that there is nothing to count or to pay
    kind: ErrorKind = ErrorKind.OTHER  # of an error
    parameters: tuple[str, ...] = ()  # of an error: the parameters that it names

    @property
    def failed(self) -> bool:
        """Whether there is nothing in it to read."""
        return self.finish in _FAILED_REASONS
