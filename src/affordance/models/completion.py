"""What a chat-completions endpoint answered, as a reply. Pure: from status, headers and body."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from affordance.core.ask import ErrorKind, Finish, Reply, Usage
from affordance.core.names import public_url
from affordance.models.error_body import states_error, unwrap_error
from affordance.models.error_table import THROTTLING, TRANSIENT, find_error

_READ = 4000  # bytes of an answer that is not JSON
_SHOWN = 200  # characters of it
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # a terminal would carry them out
_TAG = re.compile(r"<(script|style|head)\b.*?(?:</\1\s*>|\Z)|<[^>]*>", re.IGNORECASE | re.DOTALL)


def read_completion(status: int, headers: Mapping[str, str], body: bytes) -> Reply:
    return read_answer(status, headers, body, _read_choice)


def read_answer(status: int, headers: Mapping[str, str], body: bytes, read: Callable[[dict[str, Any]], Reply]) -> Reply:
    """The reply that `read` makes of a good answer; of any other, the failure that it is."""
    if 300 <= status < 400 and "Location" in headers:
        return _redirect(status, headers["Location"])
    try:
        found = json.loads(body)
    except RecursionError:
        return failure(f"status {status}: the JSON is nested too deeply", permanent=status not in TRANSIENT)
    except ValueError:
        return _not_json(status, headers, body)
    first = found[0] if isinstance(found, list) and found else found
    if status != 200 or (isinstance(first, dict) and states_error(first)):
        return _provider_error(status, found)
    if not isinstance(found, dict):
        return failure(f"status {status}: expected a JSON object, found {type(found).__name__}", permanent=True)
    return read(found)


def failure(
    message: str,
    *,
    permanent: bool,
    throttled: bool = False,
    retry_after: float | None = None,
    kind: ErrorKind = ErrorKind.OTHER,
    parameters: tuple[str, ...] = (),
) -> Reply:
    """An error as a reply. It is one line and may be long: who knows the secrets cuts it, after removing them."""
    return Reply(
        finish=Finish.ERROR,
        error=_one_line(message),
        permanent=permanent,
        throttled=throttled,
        retry_after=retry_after,
        kind=kind,
        parameters=parameters,
    )


def read_error(
    status: int | None,
    message: str,
    codes: Sequence[str] = (),
    parameters: tuple[str, ...] = (),
    *,
    is_final: bool = False,
) -> Reply:
    """What a provider's error is as a reply: by its words, else by its status.

    Args:
        status: None where it is not known.
        codes: the error's code and type, where it has them.
        parameters: those that it names beside the message.
        is_final: whether status 200 is no reason to ask again.
    """
    line = message if status is None else f"status {status}: {message}"
    found = find_error(status, " ".join((*codes, message)))
    if found is None:
        permanent = status not in TRANSIENT and (status != 200 or is_final)
        return failure(line, permanent=permanent, throttled=status in THROTTLING)
    row, names = found
    if row.kind is ErrorKind.CONTENT:
        # No provider charges for what its filter declines before the model sees it.
        return Reply(_one_line(message), finish=Finish.REFUSAL, usage=Usage(0, 0))
    if row.kind is ErrorKind.PARAMETER:
        named = names or ((row.about,) if row.about else parameters)
        return failure(line, permanent=True, kind=row.kind, parameters=named)
    return failure(f"{row.advice} ({line})", permanent=True, kind=row.kind, parameters=names)


def _one_line(message: str) -> str:
    return " ".join(_CONTROL.sub(" ", message).split())


def _redirect(status: int, to: str) -> Reply:
    """They are not followed: a key is sent to nobody but whom the user named. Where to is told without what may be
    secret in it, as in all addresses; within the same server it goes without saying."""
    where = f"; if that is right, give its base URL: {public_url(to)}" if to.startswith(("http://", "https://")) else ""
    return failure(f"status {status}: expected an answer, found a redirect{where}", permanent=True)


def _not_json(status: int, headers: Mapping[str, str], body: bytes) -> Reply:
    """An answer that is cut off or damaged on the way is asked for again; a page or a text is what was meant."""
    kind = headers.get("Content-Type", "").partition(";")[0]
    start = body[:_READ].decode("utf-8", "replace")
    if status == 200 and (damage := _damage(kind, start, body)):
        return failure(f"status 200: expected JSON, found {damage}", permanent=False)
    found = f"{kind} that is not JSON" if "json" in kind else kind or "no content type"
    hint = "; is the base URL right? It usually ends in /v1" if status in (200, 404, 405) else ""
    began = _visible(start)[:_SHOWN] or "nothing"
    return read_error(status, f"expected JSON, found {found}{hint}; it begins: {began}", is_final=True)


def _damage(kind: str, start: str, body: bytes) -> str:
    """How the JSON of an answer came to harm; empty where it never was JSON."""
    if not body and kind != "text/html":
        return "nothing"
    if start.lstrip()[:1] in ("{", "["):
        return f"JSON that breaks off or is damaged ({len(body)} bytes)"
    try:
        body.decode()
    except UnicodeDecodeError:
        return f"bytes that are not UTF-8 ({len(body)} bytes)"
    return ""


def _visible(text: str) -> str:
    """The words of a page; of anything else, all of it."""
    return _one_line(_TAG.sub(" ", text)) or _one_line(text)


def _provider_error(status: int, found: Any) -> Reply:
    error = unwrap_error(found)
    actual = error.status if error.status is not None and (status == 200 or error.is_wrapped) else status
    message = error.message or "no message"
    return read_error(actual, message, error.codes, error.parameters, is_final=error.is_text)


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
