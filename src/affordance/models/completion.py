"""The body of a chat completion as a response. Pure: from status, headers and body."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.http import public_url
from affordance.core.requests import FinishReason, Response, TokenUsage
from affordance.models.error_body import states_error, unwrap_error
from affordance.models.provider_errors import RETRYABLE, error_response, parse_error, to_one_line

_MAX_READ = 4000  # bytes of a body that is not JSON
_MAX_SHOWN = 200  # characters of it


_TAG = re.compile(r"<(script|style|head)\b.*?(?:</\1\s*>|\Z)|<[^>]*>", re.IGNORECASE | re.DOTALL)


def parse_completion(status: int, headers: Mapping[str, str], body: bytes) -> Response:
    return parse_body(status, headers, body, _parse_choice)


def parse_body(
    status: int, headers: Mapping[str, str], body: bytes, parse: Callable[[dict[str, Any]], Response]
) -> Response:
    """What `parse` makes of a successful body; an error response for any other."""
    if 300 <= status < 400 and "Location" in headers:
        return _redirect(status, headers["Location"])
    try:
        found = json.loads(body)
    except RecursionError:
        return error_response(f"status {status}: the JSON is nested too deeply", permanent=status not in RETRYABLE)
    except ValueError:
        return _not_json(status, headers, body)
    first = found[0] if isinstance(found, list) and found else found
    if status != 200 or (isinstance(first, dict) and states_error(first)):
        return _provider_error(status, found)
    if not isinstance(found, dict):
        return error_response(f"status {status}: expected a JSON object, found {type(found).__name__}", permanent=True)
    return parse(found)


def _redirect(status: int, to: str) -> Response:
    """The error for a redirect, which is not followed: a key goes to no other address. The target is shown without
    secrets."""
    where = f"; if that is right, give its base URL: {public_url(to)}" if to.startswith(("http://", "https://")) else ""
    return error_response(f"status {status}: expected a response, found a redirect{where}", permanent=True)


def _not_json(status: int, headers: Mapping[str, str], body: bytes) -> Response:
    """The error for a body that is no JSON. JSON that is cut off or damaged is temporary; a page or a text is not."""
    kind = headers.get("Content-Type", "").partition(";")[0]
    start = body[:_MAX_READ].decode("utf-8", "replace")
    if status == 200 and (damage := _damage(kind, start, body)):
        return error_response(f"status 200: expected JSON, found {damage}", permanent=False)
    found = f"{kind} that is not JSON" if "json" in kind else kind or "no content type"
    hint = "; is the base URL right? It usually ends in /v1" if status in (200, 404, 405) else ""
    began = _visible(start)[:_MAX_SHOWN] or "nothing"
    return parse_error(status, f"expected JSON, found {found}{hint}; it begins: {began}", is_final=True)


def _damage(kind: str, start: str, body: bytes) -> str:
    """How the JSON of a body is damaged; empty if it never was JSON."""
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
    """The text of a page without tags; any other text as it is."""
    return to_one_line(_TAG.sub(" ", text)) or to_one_line(text)


def _provider_error(status: int, found: Any) -> Response:
    error = unwrap_error(found)
    actual = error.status if error.status is not None and (status == 200 or error.is_wrapped) else status
    message = error.message or "no message"
    return parse_error(actual, message, error.codes, error.parameters, is_final=error.is_text)


def _parse_choice(found: dict[str, Any]) -> Response:
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return error_response("status 200: expected a choice with a message, found none", permanent=False)
    if choice.get("finish_reason") == "error":
        return error_response("status 200: the provider stopped with an error", permanent=False)
    text, thinking = _text_and_thinking(message.get("content"))
    refusal = message.get("refusal")
    reasoning = message.get("reasoning_content") or message.get("reasoning") or thinking
    return Response(
        text=refusal if isinstance(refusal, str) and refusal and not text else text,
        reasoning=reasoning if isinstance(reasoning, str) else "",
        finish=_finish_reason(choice.get("finish_reason"), refusal),
        usage=parse_usage(found.get("usage")),
        served_by=str(found.get("model") or ""),
    )


def _text_and_thinking(content: Any) -> tuple[str, str]:
    """The text and the thinking of a message. Its content is a string or a list of parts."""
    if isinstance(content, str):
        return content, ""
    return _join_parts(content, "text"), _join_parts(content, "thinking")


def _join_parts(content: Any, kind: str) -> str:
    """The texts of the parts of one kind. A part holds a string, or a list of parts."""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    found = [part.get(kind) for part in parts if part.get("type") == kind]
    return "".join(inner if isinstance(inner, str) else _join_parts(inner, "text") for inner in found)


def _finish_reason(reason: Any, refusal: Any) -> FinishReason:
    if refusal or reason == "content_filter":
        return FinishReason.REFUSAL
    return FinishReason.LENGTH if reason in ("length", "max_tokens") else FinishReason.STOP


def parse_usage(found: Any) -> TokenUsage:
    if not isinstance(found, dict):
        return TokenUsage()
    details = found.get("completion_tokens_details")
    return TokenUsage(
        input=_count(found.get("prompt_tokens")),
        output=_count(found.get("completion_tokens")),
        reasoning=_count(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
    )


def _count(value: Any) -> int | None:
    """A count that a database can hold; providers send other values too."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None
