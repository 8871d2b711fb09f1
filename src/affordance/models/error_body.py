"""The message of an error body, in the forms in which providers and servers write it.

| form | who |
|---|---|
| `{"error": {"message", "type", "code", "param"}}` | OpenAI, vLLM, llama.cpp, Ollama |
| `[{"error": {...}}]`, and the same as JSON in a message | Google |
| `{"error": {"message", "metadata": {"raw": ...}}}` | OpenRouter |
| `{"object": "error", "message": ...}` | SGLang, vLLM before 0.10, Mistral |
| `{"error": "..."}` | LM Studio, TGI |
| `{"detail": "..."}`, `{"detail": [{"loc", "msg"}]}` | FastAPI: transformers serve, Mistral |
| `{"errors": [{"message", "code"}]}` | Cloudflare |
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

_MAX_DEPTH = 12  # objects within objects
_CODES = ("code", "type", "status", "error_type")


@dataclass(frozen=True, slots=True)
class ErrorBody:
    message: str  # may be empty
    codes: tuple[str, ...] = ()  # its code, type and the like, as words
    status: int | None = None  # if the body states one
    parameters: tuple[str, ...] = ()  # that it names in addition to the message
    is_text: bool = False  # whether the body is a text only
    is_wrapped: bool = False  # whether it was within another error


def states_error(found: Mapping[str, Any]) -> bool:
    """Whether a body is an error, whatever the status."""
    if found.get("error") or found.get("object") == "error":
        return True
    return "choices" not in found and "data" not in found and any(found.get(name) for name in ("detail", "errors"))


def unwrap_error(found: Any, depth: int = 0) -> ErrorBody:
    """The error in a body; the innermost one of several."""
    if isinstance(found, str):
        inner = _json_in(found) if depth < _MAX_DEPTH else None
        if inner is None:
            return ErrorBody(found, is_text=True)
        return replace(unwrap_error(inner, depth + 1), is_wrapped=True)
    if isinstance(found, list):
        return unwrap_error(found[0], depth + 1) if found and depth < _MAX_DEPTH else ErrorBody("")
    if not isinstance(found, dict):
        return ErrorBody("" if found is None else str(found))
    for name in ("error", "errors"):
        if found.get(name) and depth < _MAX_DEPTH:
            return _merge_errors(found, unwrap_error(found[name], depth + 1))
    return _unwrap_detail(found, depth)


def _unwrap_detail(found: Mapping[str, Any], depth: int) -> ErrorBody:
    """The error in the object that has the message."""
    own = ErrorBody(
        message="",
        codes=tuple(_codes(found)),
        status=_status(found),
        parameters=(found["param"],) if isinstance(found.get("param"), str) and found["param"] else (),
    )
    message = next((found[name] for name in ("message", "detail", "msg") if found.get(name)), "")
    if isinstance(message, list) and message and all(isinstance(one, dict) and "loc" in one for one in message):
        return replace(own, message=_validation_message(message), parameters=tuple(_parameter_names(message)))
    inner = unwrap_error(message, depth + 1) if depth < _MAX_DEPTH else ErrorBody(str(message))
    raw = found.get("metadata")
    if depth < _MAX_DEPTH and isinstance(raw, dict) and raw.get("raw"):
        deeper = unwrap_error(raw["raw"], depth + 1)
        message = ": ".join(filter(None, (inner.message, deeper.message)))
        inner = replace(deeper, message=message, is_wrapped=True)
    return _merge_errors(found, replace(inner, is_text=False), own)


def _merge_errors(found: Mapping[str, Any], inner: ErrorBody, outer: ErrorBody | None = None) -> ErrorBody:
    """An inner error with the codes, status and parameters of the object around it."""
    codes = outer.codes if outer is not None else tuple(_codes(found))
    return ErrorBody(
        inner.message,
        tuple(dict.fromkeys((*inner.codes, *codes))),
        inner.status if inner.status is not None else outer.status if outer is not None else None,
        inner.parameters or (outer.parameters if outer is not None else ()),
        inner.is_text,
        inner.is_wrapped,
    )


def _json_in(text: str) -> Any:
    """The error that is written as JSON in a text; None if there is none."""
    start = min((place for place in (text.find("{"), text.find("[{")) if place >= 0), default=-1)
    if start < 0:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    first = found[0] if isinstance(found, list) and found else found
    return (
        first if isinstance(first, dict) and any(first.get(name) for name in ("error", "message", "detail")) else None
    )


def _codes(found: Mapping[str, Any]) -> Iterator[str]:
    for name in _CODES:
        if isinstance(value := found.get(name), str | int) and not isinstance(value, bool):
            yield str(value)
    if isinstance(inner := found.get("innererror"), dict):
        yield from _codes(inner)


def _status(found: Mapping[str, Any]) -> int | None:
    """The status of an HTTP error, as a number or as text."""
    for name in ("code", "status"):
        value = found.get(name)
        number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600:
            return number
    return None


def _validation_message(errors: list[dict[str, Any]]) -> str:
    """`body.top_k: Extra inputs are not permitted`"""
    return "; ".join(f"{'.'.join(map(str, _location(one)))}: {one.get('msg', '')}" for one in errors)


def _parameter_names(errors: list[dict[str, Any]]) -> Iterator[str]:
    for one in errors:
        if place := _location(one):
            yield str(place[-1])


def _location(error: dict[str, Any]) -> list[Any]:
    return error["loc"] if isinstance(error["loc"], list) else [error["loc"]]
