"""Requests and responses: one call to a model and its result.

A request holds nothing that leads to the truth: no item id, no path, no label; a test walks the object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from affordance.core.digest import digest, digest_text
from affordance.core.json_text import Json, canonical_json, json_string
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.question import AnswerFormat

RequestStep = tuple[int, int, int]  # round of the strategy, position in the round, retry after an unparsed response


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # system or user
    parts: tuple[str | MediaSpec, ...]  # texts, images and videos in the order in which they are sent


@dataclass(frozen=True, slots=True)
class Request:
    question: str  # the question's id
    messages: tuple[Message, ...]  # everything that is sent
    answer_format: AnswerFormat  # in which the answer is requested
    prompt_fields: Mapping[str, str] = field(default_factory=dict)  # texts of the messages by placeholder
    parameters: Mapping[str, Json] = field(default_factory=dict)  # of sampling, as they are sent
    trial: int = 0  # of the attempt, from 0; each trial is a request of its own
    step: RequestStep = (0, 0, 0)

    @property
    def images(self) -> tuple[ImageSpec, ...]:
        """All images in the order in which they are sent."""
        return tuple([visual for visual in self.media if isinstance(visual, ImageSpec)])

    @property
    def media(self) -> tuple[MediaSpec, ...]:
        """All images and videos in the order in which they are sent."""
        return tuple([part for message in self.messages for part in message.parts if not isinstance(part, str)])


@dataclass(frozen=True, slots=True)
class CallSettings:
    """Where requests are sent and how, as far as it can change the response."""

    model: str
    base_url: str = ""  # without secrets
    dialect: str = ""
    prompt_digest: str = ""  # digest of the prompt pack
    parameters: Mapping[str, Json] = field(default_factory=dict)
    digest: str = field(init=False, compare=False)
    settings_digest: str = field(init=False, compare=False)  # of what is sent: without dialect and prompt pack
    parameters_text: str = field(init=False, compare=False)  # as canonical JSON

    def __post_init__(self) -> None:
        text = canonical_json(self.parameters)
        parts = (self.model, self.base_url, self.dialect, self.prompt_digest, text)
        object.__setattr__(self, "parameters_text", text)
        object.__setattr__(self, "digest", digest("address", *parts))
        object.__setattr__(self, "settings_digest", digest("call", self.model, self.base_url, text))


def transcript(request: Request) -> str:
    """The messages as canonical JSON with digests in place of images and videos, as the ledger stores them."""
    return f"[{','.join([_message_json(message) for message in request.messages])}]"


def _message_json(message: Message) -> str:
    # In pieces: the JSON encoder takes several times as long for lists of strings.
    return f"[{json_string(message.role)},[{','.join([_part_json(part) for part in message.parts])}]]"


def _part_json(part: str | MediaSpec) -> str:
    if isinstance(part, str):
        return json_string(part)
    return f'{{"{"picture" if isinstance(part, ImageSpec) else "video"}":"{part.digest}"}}'


def request_key(call: CallSettings, transcript_text: str, trial: int, step: RequestStep, lookup_id: str = "") -> str:
    """The cache key of a request: H(model, base URL, messages, parameters, trial, step).

    Rendered bytes are never hashed. Only what is sent counts: a changed prompt or dialect changes the keys of requests
    whose messages it changes. `lookup_id` is what a model knows in addition to the messages (see `lookup_id_of`)."""
    return _make_key("request", call.settings_digest, transcript_text, trial, step, lookup_id)


def lookup_id_of(question: str, call: CallSettings) -> str:
    """The lookup id of a request: empty for models that get nothing but its messages.

    Args:
        question: For models that answer by question, its id, with the edition of the answer if that can change: two
            questions in the same words about one image are two requests to them. Else empty.
        call: Models without a URL run in this process. They also get the answer format and write coordinates in its
            dialect, which the messages may not name."""
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
    """Why a response ended."""

    STOP = "stop"  # the model was finished
    LENGTH = "length"  # the token limit ended it
    REFUSAL = "refusal"  # the model or a content filter declined
    ERROR = "error"  # the provider failed; there is no response to score
    UNSUPPORTED = "unable"  # a known limit of the model rules the request out; nothing was sent


class ErrorKind(StrEnum):
    """The cause of an error, if its message or status names one."""

    OTHER = "other"
    PARAMETER = "parameter"  # the model does not accept a parameter that was sent
    ADAPTED = "adapted"  # the same; the client leaves it out from now on, so send the request again at once
    OUTPUT_LIMIT = "output limit"  # max_tokens exceeds the model's limit
    TOO_LARGE = "too large"  # for the model or its server; a smaller request may succeed
    INPUT = "input"  # the model does not accept images or videos
    CONTENT = "content"  # a content filter declined the request
    QUOTA = "quota"  # no credit is left, or the account may not use the model


_FAILED_REASONS = (FinishReason.ERROR, FinishReason.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens as the provider counted them; None if it did not."""

    input: int | None = None  # of the request
    output: int | None = None  # of the response
    reasoning: int | None = None  # for thinking


@dataclass(frozen=True, slots=True)
class Response:
    text: str = ""  # as it was received
    reasoning: str = ""  # separate: answers are never parsed from it
    finish: FinishReason = FinishReason.STOP  # why it ended
    error: str = ""  # one line, for FinishReason.ERROR and UNSUPPORTED
    permanent: bool = False  # of an error: a retry cannot succeed
    retry_after: float | None = None  # of an error: seconds to wait, as the provider stated
    throttled: bool = False  # of an error: the rate limit was exceeded
    usage: TokenUsage = TokenUsage()  # tokens
    seconds: float = 0.0  # from sending the request to the end of the response
    served_by: str = ""  # the model's name as the provider states it
    sent: bool = True  # of an error: False if nothing was sent, so that nothing is counted or paid
    kind: ErrorKind = ErrorKind.OTHER  # of an error
    parameters: tuple[str, ...] = ()  # of an error: the parameters it names

    @property
    def failed(self) -> bool:
        """Whether there is no text to parse."""
        return self.finish in _FAILED_REASONS
