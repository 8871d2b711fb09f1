"""What a chat-completions endpoint answered, as a reply. Pure: from status, headers and body."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from affordance.core.ask import Finish, Reply, Usage
from affordance.core.names import public_url

TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
THROTTLING = frozenset({429, 503, 529})
BEGINNING = 1000  # bytes of an answer that is not JSON
NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached", "insufficient_credits")

_TOO_LONG = "show it fewer pictures, such as with --most-frames, or serve it with more context"

# How servers say that a model cannot be shown this much or this at all, and what to do about it.
_CANNOT = (
    (
        r"at most \d+ \w+(\(s\))? may be provided|limit-mm-per-prompt|too many (images|videos)",
        "show it fewer pictures, such as with --most-frames, or raise the server's limit (vLLM: --limit-mm-per-prompt)",
    ),
    (
        r"no endpoints found that support \S*\s*(image|video)|(does not|doesn't) support (image|video)"
        r"|not a multimodal model|invalid value: '(image|video)_url'",
        "ask it with another --input, or ask another model",
    ),
    (
        r"maximum context length|maximum model length|context_length_exceeded|prompt is too long"
        r"|too long to fit into the model",
        _TOO_LONG,
    ),
)
_UNABLE = tuple((re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in _CANNOT)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # a terminal would carry them out


def read_completion(status: int, headers: Mapping[str, str], body: bytes) -> Reply:
    return read_answer(status, headers, body, _read_choice)


def read_answer(status: int, headers: Mapping[str, str], body: bytes, read: Callable[[dict[str, Any]], Reply]) -> Reply:
    """The reply that `read` makes of a good answer; of any other, the failure that it is."""
    if 300 <= status < 400 and "Location" in headers:
        return _redirect(status, headers["Location"])
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return _not_json(status, headers, body)
    if not isinstance(found, dict):
        return failure(f"status {status}: expected a JSON object, found {type(found).__name__}", permanent=True)
    if status != 200 or found.get("error"):
        return _provider_error(status, found)
    return read(found)


def failure(message: str, *, permanent: bool, throttled: bool = False, retry_after: float | None = None) -> Reply:
    """An error as a reply. It is one line and may be long: who knows the secrets cuts it, after removing them."""
    line = " ".join(_CONTROL.sub(" ", message).split())
    return Reply(finish=Finish.ERROR, error=line, permanent=permanent, throttled=throttled, retry_after=retry_after)


def _redirect(status: int, to: str) -> Reply:
    """They are not followed: a key is sent to nobody but whom the user named. Where to is told without what may be
    secret in it, as in all addresses; within the same server it goes without saying."""
    where = f"; if that is right, give its base URL: {public_url(to)}" if to.startswith(("http://", "https://")) else ""
    return failure(f"status {status}: expected an answer, found a redirect{where}", permanent=True)


def _not_json(status: int, headers: Mapping[str, str], body: bytes) -> Reply:
    kind = headers.get("Content-Type", "no content type").partition(";")[0]
    found = f"{kind} that is not JSON" if "json" in kind else kind
    message = f"status {status}: expected JSON, found {found}"
    if status in TRANSIENT:
        return failure(message, permanent=False, throttled=status in THROTTLING)
    hint = "is the base URL right? It usually ends in /v1"
    start = body[:BEGINNING].decode("utf-8", "replace")
    return failure(f"{message}; {hint}. It begins {start!r}", permanent=True)


def _provider_error(status: int, found: dict[str, Any]) -> Reply:
    error = found.get("error") or found
    detail = error if isinstance(error, dict) else {"message": error}
    code = detail.get("code")
    actual = code if status == 200 and isinstance(code, int) else status
    message = str(detail.get("message") or detail.get("detail") or "no message")
    broke = any(word in (code, detail.get("type")) for word in NO_MONEY)
    if (
        actual not in TRANSIENT
        and not broke
        and (never := unable(f"status {actual}: {message}", str(code))) is not None
    ):
        return never
    return failure(
        f"status {actual}: {message}",
        permanent=broke or (actual not in TRANSIENT and actual != 200),
        throttled=actual in THROTTLING,
    )


def unable(complaint: str, code: str = "") -> Reply | None:
    """The reply where a model can never be asked what it was asked, with what to do; None for any other complaint."""
    advice = next((advice for pattern, advice in _UNABLE if pattern.search(f"{code} {complaint}")), None)
    return None if advice is None else _never(advice, complaint)


def too_long(complaint: str) -> Reply:
    """The reply where a model was asked more than it can take in."""
    return _never(_TOO_LONG, complaint)


def _never(advice: str, complaint: str) -> Reply:
    line = f"the model cannot be asked this: {advice} ({complaint})"
    return replace(failure(line, permanent=True), finish=Finish.UNABLE)


def _read_choice(found: dict[str, Any]) -> Reply:
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return failure("status 200: expected a choice with a message, found none", permanent=False)
    if choice.get("finish_reason") == "error":
        return failure("status 200: the provider broke off with an error", permanent=False)
    text, thinking = _contents(message.get("content"))
    refusal = message.get("refusal")
    reasoning = message.get("reasoning_content") or message.get("reasoning") or thinking
    return Reply(
        text=refusal if isinstance(refusal, str) and refusal and not text else text,
        reasoning=reasoning if isinstance(reasoning, str) else "",
        finish=_finish(choice.get("finish_reason"), refusal),
        usage=usage_of(found.get("usage")),
        served_by=str(found.get("model") or ""),
    )


def _contents(content: Any) -> tuple[str, str]:
    """Text and thinking of a message, whose content is a string or a list of parts."""
    if isinstance(content, str):
        return content, ""
    return _joined(content, "text"), _joined(content, "thinking")


def _joined(content: Any, kind: str) -> str:
    """The parts of one kind. What is in a part is a string, or again a list of parts that hold text."""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    found = [part.get(kind) for part in parts if part.get("type") == kind]
    return "".join(inner if isinstance(inner, str) else _joined(inner, "text") for inner in found)


def _finish(reason: Any, refusal: Any) -> Finish:
    if refusal or reason == "content_filter":
        return Finish.REFUSAL
    return Finish.LENGTH if reason in ("length", "max_tokens") else Finish.STOP


def usage_of(found: Any) -> Usage:
    if not isinstance(found, dict):
        return Usage()
    details = found.get("completion_tokens_details")
    return Usage(
        input=_count(found.get("prompt_tokens")),
        output=_count(found.get("completion_tokens")),
        reasoning=_count(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
    )


def _count(value: Any) -> int | None:
    """A count that a database can hold; providers have been seen to send anything."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None
