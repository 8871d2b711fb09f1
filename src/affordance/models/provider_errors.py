"""The table of errors of providers and servers, and the response that each becomes.

The first row that matches counts. A row says whose words it matches, at which status, what the error is about, which
parameter or limit it names, and what the user can do. The words are those of the providers' documentation and of the
servers' sources.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affordance.core.requests import ErrorKind, FinishReason, Response, TokenUsage

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
RATE_LIMITED = frozenset({429, 503, 529})

_PARAMETER_STATUSES: frozenset[int | None] = frozenset({400, 422})  # statuses at which a parameter is refused
_ANY_STATUS: frozenset[int | None] = frozenset({None, *range(200, 600)})

_TOO_LONG = "send fewer images (--max-frames N), or serve the model with a longer context"
_TOO_MANY = "send fewer images (--max-frames N), or raise the server's limit (vLLM: --limit-mm-per-prompt)"
_TOO_HEAVY = "send fewer or smaller images (--max-frames N)"
_NO_INPUT = "use another --input, or another model"
_LESS_OUTPUT = "lower max_tokens (--set max_tokens=N)"
_LEAVE_OUT = "change this parameter, or leave it out"
_REWORD = "the provider's filter declined it"
_PAY = "check the quota and billing of this account"


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One kind of error. The pattern is searched in the error's code, type and message, ignoring case. Its group `name`
    is the parameter that the error is about."""

    source: str  # the provider or server with these words; for readers of this table only
    pattern: str
    kind: ErrorKind
    subject: str  # the parameter or limit; empty if the pattern or the error's `param` names it
    advice: str
    statuses: frozenset[int | None] | None = None  # where it applies; None: everywhere but at `RATE_LIMITED`


def _rows(
    kind: ErrorKind, subject: str, advice: str, *patterns: tuple[str, str], at: frozenset[int | None] | None = None
) -> list[ErrorRow]:
    return [ErrorRow(source, pattern, kind, subject, advice, at) for source, pattern in patterns]


ERROR_TABLE: tuple[ErrorRow, ...] = (
    *_rows(
        ErrorKind.CONTENT, "content filter", _REWORD,
        ("OpenAI", r"\bcontent_filter\b|\bcontent_policy_violation\b"),
        ("Azure", r"ResponsibleAIPolicyViolation"),
        ("Alibaba", r"\bdata_inspection_failed\b"),
    ),
    *_rows(
        ErrorKind.QUOTA, "billing", _PAY,
        ("OpenAI", r"insufficient_quota|billing_hard_limit_reached"),
        ("OpenRouter", r"insufficient_credits"),
        at=_ANY_STATUS,
    ),
    *_rows(ErrorKind.QUOTA, "quota", _PAY, ("Google", r"\blimit: 0\b(?!\.)"), at=frozenset({403, 429})),
    *_rows(
        ErrorKind.INPUT, "images or videos", _NO_INPUT,
        ("OpenRouter", r"no endpoints found that support \S*\s*(image|video)"),
        ("llama.cpp", r"(image|video) input is not supported|unsupported content\[\]\.type"),
        ("LM Studio", r"(does not|doesn't) support (image|video)"),
        ("vLLM", r"not a multimodal model"),
        ("OpenAI", r"invalid value: '(image|video)_url'"),
        ("Ollama", r"image urls are not currently supported|invalid message format"),
    ),
    *_rows(
        ErrorKind.TOO_LARGE, "number of images", _TOO_MANY,
        ("vLLM", r"at most \d+ \w+(\(s\))? may be provided|limit-mm-per-prompt"),
        ("SGLang", r"count \d+ exceeds limit \d+ per request"),
        ("Mistral", r"too many (images|videos)"),
    ),
    *_rows(
        ErrorKind.OUTPUT_LIMIT, "max_tokens", _LESS_OUTPUT,
        ("OpenAI", r"max(_completion)?_tokens is too large"),
        ("vLLM", r"cannot be greater than max_model_len|request fewer output tokens"),
    ),
    *_rows(
        ErrorKind.TOO_LARGE, "context", _TOO_LONG,
        ("OpenAI, DeepSeek", r"maximum context length|context_length_exceeded"),
        ("Anthropic", r"prompt is too long|exceed context limit"),
        ("Google", r"exceeds the maximum number of tokens allowed"),
        ("Moonshot", r"exceeded model token limit"),
        ("Mistral", r"too large for model with|input too large"),
        ("xAI", r"maximum prompt length|\bprompt length\b.*exceed"),
        ("Groq", r"reduce the length"),
        ("Cloudflare", r"context window limit"),
        ("Cerebras", r"current length is \d+ while limit is"),
        ("OpenRouter", r"too long to fit into the model"),
        ("vLLM", r"maximum model length|context length is only"),
        ("SGLang", r"longer than the model's context length"),
        ("llama.cpp", r"exceeds the available context size|exceed_context_size"),
        ("Ollama", r"input length exceeds|longer than the context length"),
        ("LM Studio", r"context the overflows|reached context length"),
        ("TGI", r"tokens \+ `max_new_tokens"),
    ),
    *_rows(
        ErrorKind.TOO_LARGE, "tokens per minute", _TOO_LONG, ("OpenAI, Groq", r"request too large for"),
        at=frozenset({400, 413, 429}),
    ),
    *_rows(
        ErrorKind.TOO_LARGE, "size of images", _TOO_HEAVY,
        ("Anthropic", r"exceeds? max allowed size|image exceeds \d+ MB"),
        ("Google", r"size exceeds the limit"),
        ("vLLM", r"image dimensions .* exceed the maximum"),
    ),
    *_rows(ErrorKind.TOO_LARGE, "size of the request", _TOO_HEAVY, ("Anthropic", r"request_too_large")),
    *_rows(ErrorKind.TOO_LARGE, "size of the request", _TOO_HEAVY, ("nginx, Cloudflare", r""), at=frozenset({413})),
    *_rows(
        ErrorKind.PARAMETER, "", _LEAVE_OUT,
        ("OpenAI", r"(?:unsupported parameter|unsupported value|unknown parameter): '(?P<name>\w+)'"),
        ("Azure", r"unrecognized request arguments? supplied: (?P<name>\w+(?:, ?\w+)*)"),
        ("Anthropic", r"`(?P<name>\w+)` (?:is deprecated|may only be set to)"),
        ("Anthropic", r"`temperature` and `(?P<name>top_p)` cannot both be specified"),
        ("Mistral", r"(?P<name>\w+): extra inputs are not permitted"),
        ("Google", r'unknown name \\?"(?P<name>\w+)'),
        ("xAI", r"does not support '(?P<name>\w+)' value"),
        ("xAI", r"(?:does not support parameter|not supported on this model:) '?(?P<name>\w+)"),
        ("Groq", r"[`'](?P<name>\w+)[`'] is (?:not supported|unsupported)"),
        ("transformers serve", r"unexpected fields in the request: (?P<name>\{[^}]*\})"),
        ("OpenAI", r"\b(?:unsupported_parameter|unsupported_value|unknown_parameter)\b"),
        at=_PARAMETER_STATUSES,
    ),
    *_rows(
        ErrorKind.PARAMETER, "reasoning_effort", _LEAVE_OUT,
        ("Ollama", r"does not support thinking|invalid reasoning value"), at=_PARAMETER_STATUSES,
    ),
)  # fmt: skip

_COMPILED = tuple((re.compile(row.pattern, re.IGNORECASE), row) for row in ERROR_TABLE)
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")  # between words, as in `presencePenalty`


def find_error(status: int | None, text: str) -> tuple[ErrorRow, tuple[str, ...]] | None:
    """The first row that matches an error, and the parameters that its words name; None if none matches.

    Args:
        status: None if it is unknown, as for exceptions of a library.
        text: the error's code, type and message.
    """
    for pattern, row in _COMPILED:
        applies = status not in RATE_LIMITED if row.statuses is None else status in row.statuses
        if applies and (match := pattern.search(text)) is not None:
            return row, tuple(_names(match))
    return None


def _names(match: re.Match[str]) -> Iterator[str]:
    """The parameters in the group `name`, in the spelling of chat-completions."""
    for name in re.findall(r"[A-Za-z]\w*", match.groupdict().get("name") or ""):
        yield _CAPITAL.sub("_", name).lower()


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # a terminal would carry them out


def error_response(
    message: str,
    *,
    permanent: bool,
    throttled: bool = False,
    retry_after: float | None = None,
    kind: ErrorKind = ErrorKind.OTHER,
    parameters: tuple[str, ...] = (),
) -> Response:
    """An error as a response. It is one line; it is cut after secrets are removed."""
    return Response(
        finish=FinishReason.ERROR,
        error=to_one_line(message),
        permanent=permanent,
        throttled=throttled,
        retry_after=retry_after,
        kind=kind,
        parameters=parameters,
    )


def parse_error(
    status: int | None,
    message: str,
    codes: Sequence[str] = (),
    parameters: tuple[str, ...] = (),
    *,
    is_final: bool = False,
) -> Response:
    """The response to a provider's error: by its words, else by its status.

    Args:
        status: None if it is unknown.
        message: the error's message.
        codes: the error's code and type.
        parameters: the parameters that it names in addition to the message.
        is_final: whether an error with status 200 is permanent.
    """
    line = message if status is None else f"status {status}: {message}"
    found = find_error(status, " ".join((*codes, message)))
    if found is None:
        permanent = status not in RETRYABLE and (status != 200 or is_final)
        return error_response(line, permanent=permanent, throttled=status in RATE_LIMITED)
    row, names = found
    if row.kind is ErrorKind.CONTENT:
        # Providers do not charge for requests that their filter declines.
        return Response(to_one_line(message), finish=FinishReason.REFUSAL, usage=TokenUsage(0, 0))
    if row.kind is ErrorKind.PARAMETER:
        named = names or ((row.subject,) if row.subject else parameters)
        return error_response(line, permanent=True, kind=row.kind, parameters=named)
    return error_response(f"{row.advice} ({line})", permanent=True, kind=row.kind, parameters=names)


def to_one_line(message: str) -> str:
    return " ".join(_CONTROL.sub(" ", message).split())
