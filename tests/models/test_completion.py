"""What endpoints answer, as replies: a table of good, odd and broken answers."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.requests import FinishReason, Response, TokenUsage
from affordance.models.completion import parse_completion
from affordance.models.provider_errors import error_response
from errors import assert_carries


def body(
    content: Any = "B", finish: Any = "stop", message: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    said = {"role": "assistant", "content": content, **(message or {})}
    return {"model": "m-2025", "choices": [{"message": said, "finish_reason": finish}], **changes}


def read(answer: Any, status: int = 200, **headers: str) -> Response:
    raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return parse_completion(status, {name.replace("_", "-"): value for name, value in headers.items()}, raw)


ANSWERS = {
    "plain": (body(), "B", "", FinishReason.STOP),
    "empty": (body(""), "", "", FinishReason.STOP),
    "null": (body(None), "", "", FinishReason.STOP),
    "no content": ({"choices": [{"message": {}}]}, "", "", FinishReason.STOP),
    "no finish reason": (body(finish=None), "B", "", FinishReason.STOP),
    "unheard-of finish reason": (body(finish="because"), "B", "", FinishReason.STOP),
    "cut": (body("It fa", "length"), "It fa", "", FinishReason.LENGTH),
    "cut, as others say": (body("It fa", "max_tokens"), "It fa", "", FinishReason.LENGTH),
    "filtered": (body("", "content_filter"), "", "", FinishReason.REFUSAL),
    "refused": (body(None, message={"refusal": "I can't."}), "I can't.", "", FinishReason.REFUSAL),
    "refused after words": (body("Well,", message={"refusal": "I can't."}), "Well,", "", FinishReason.REFUSAL),
    "not refused": (body(message={"refusal": None}), "B", "", FinishReason.STOP),
    "not refused, empty": (body(message={"refusal": ""}), "B", "", FinishReason.STOP),
    "reasoning_content": (body(message={"reasoning_content": "Hm"}), "B", "Hm", FinishReason.STOP),
    "reasoning": (body(message={"reasoning": "Hm"}), "B", "Hm", FinishReason.STOP),
    "reasoning without an answer": (body("", message={"reasoning": "B"}), "", "B", FinishReason.STOP),
    "reasoning that is no text": (body(message={"reasoning": {"text": "Hm"}}), "B", "", FinishReason.STOP),
    "parts": (
        body([{"type": "text", "text": "B\n"}, {"type": "text", "text": "why"}]),
        "B\nwhy",
        "",
        FinishReason.STOP,
    ),
    "thinking part": (
        body([{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "B"}]),
        "B",
        "Hm",
        FinishReason.STOP,
    ),
    "thinking in parts": (
        body([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}, {"type": "text", "text": "B"}]),
        "B",
        "Hm",
        FinishReason.STOP,
    ),
    "parts of other kinds": (
        body([{"type": "image"}, "x", None, {"type": "text"}, {"type": "text", "text": None}]),
        "",
        "",
        FinishReason.STOP,
    ),
    "content that is no text": (body(7), "", "", FinishReason.STOP),
    "two choices": ({"choices": [*body("A")["choices"], *body("B")["choices"]]}, "A", "", FinishReason.STOP),
    "an empty error beside it": (body(error=None), "B", "", FinishReason.STOP),
}


def test_answers() -> None:
    for name, (answer, *expected) in ANSWERS.items():
        reply = read(answer)
        assert [reply.text, reply.reasoning, reply.finish] == expected, name
        assert reply.error == "", name


def test_who_answered() -> None:
    assert read(body()).served_by == "m-2025"
    assert read(body(model=None)).served_by == ""


USAGES = {
    "none": (None, TokenUsage()),
    "counted": ({"prompt_tokens": 5, "completion_tokens": 2}, TokenUsage(5, 2)),
    "reasoning": (
        {"prompt_tokens": 5, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 7}},
        TokenUsage(5, 9, 7),
    ),
    "nought": ({"prompt_tokens": 0, "completion_tokens": 0}, TokenUsage(0, 0)),
    "half": ({"completion_tokens": 2}, TokenUsage(None, 2)),
    "nonsense": ({"prompt_tokens": -1, "completion_tokens": "2", "completion_tokens_details": []}, TokenUsage()),
    "bools": ({"prompt_tokens": True, "completion_tokens": None}, TokenUsage()),
    "no object": ([1, 2], TokenUsage()),
}


def test_usage() -> None:
    for name, (found, expected) in USAGES.items():
        assert read(body(usage=found)).usage == expected, name


def error(**detail: Any) -> dict[str, Any]:
    return {"error": {"message": "boom", **detail}}


# answer, status, data of the error, permanent, throttled
FAILURES = {
    "bad request": (error(), 400, ("400", "boom"), True, False),
    "no key": (error(code="invalid_api_key"), 401, ("401", "boom"), True, False),
    "no money": (error(), 402, ("402", "boom"), True, False),
    "forbidden": (error(), 403, ("403", "boom"), True, False),
    "no such model": (error(), 404, ("404", "boom"), True, False),
    "too late": (error(), 408, ("408", "boom"), False, False),
    "conflict": (error(), 409, ("409", "boom"), False, False),
    "too large": (error(), 413, ("413", "boom"), True, False),
    "not understood": (error(), 422, ("422", "boom"), True, False),
    "too many": (error(), 429, ("429", "boom"), False, True),
    "too many, and never more": (error(code="insufficient_quota"), 429, ("429", "boom"), True, False),
    "never more, by type": (error(type="insufficient_quota"), 429, ("429", "boom"), True, False),
    "server": (error(), 500, ("500", "boom"), False, False),
    "gateway": (error(), 502, ("502", "boom"), False, False),
    "unavailable": (error(), 503, ("503", "boom"), False, True),
    "overloaded": (error(), 529, ("529", "boom"), False, True),
    "error as text": ({"error": "boom"}, 400, ("400", "boom"), True, False),
    "error as a list": ({"error": ["boom"]}, 400, ("400", "boom"), True, False),
    "no error object": ({"message": "boom"}, 400, ("400", "boom"), True, False),
    "null error, message beside it": ({"error": None, "message": "boom"}, 400, ("400", "boom"), True, False),
    "detail": ({"detail": "boom"}, 404, ("404", "boom"), True, False),
    "nothing said": ({}, 500, ("500",), False, False),
    "200 with a number": (error(code=429), 200, ("429", "boom"), False, True),
    "200 with a permanent number": (error(code=400), 200, ("400", "boom"), True, False),
    "200 with a word": (error(code="server_error"), 200, ("200", "boom"), False, False),
    "200 with a word for no money": (error(code="insufficient_quota"), 200, ("200", "boom"), True, False),
    "200 with no code": (error(), 200, ("200", "boom"), False, False),
    "200 with an error as text": ({"error": "boom"}, 200, ("200", "boom"), True, False),
    "200 and an answer beside the error": (body(error={"message": "boom"}), 200, ("200", "boom"), False, False),
    "empty choices": ({"choices": []}, 200, (), False, False),
    "no choices": ({}, 200, (), False, False),
    "choices of nothing": ({"choices": [None]}, 200, (), False, False),
    "choices as text": ({"choices": "B"}, 200, (), False, False),
    "message as text": (
        {"choices": [{"message": "B"}]},
        200,
        (),
        False,
        False,
    ),
    "broke off": (body("B", "error"), 200, (), False, False),
    "list": ([], 200, ("list",), True, False),
    "text": ("B", 200, ("str",), True, False),
    "page": (
        b"<html>\n<b>Hi</b>",
        200,
        ("200", "text/html"),
        True,
        False,
    ),
    "page of a gateway": (b"<html>", 502, ("502", "text/html"), False, False),
    "page of a throttle": (b"<html>", 429, ("429", "text/html"), False, True),
    "nothing": (b"", 200, ("200", "text/html"), True, False),
    "cut JSON": (b'{"choices": [', 200, ("200", "13"), False, False),
    "abyss": (b"[" * 100_000, 200, ("200",), True, False),
    "not UTF-8": (b"\xff\xfe\xfd", 200, ("200", "3"), False, False),
    "cut JSON of an error": (b'{"error": ', 400, ("400", '{"error":'), True, False),
    "text as JSON, of a gateway": ("boom", 502, ("502", "boom"), False, False),
    "beginning of a page": (
        b"<html><style>b {</style><h1>Bad\n request</h1>",
        400,
        ("400", "Bad request"),
        True,
        False,
    ),
    "beginning of a text of a gateway": (b"upstream timed out", 504, ("504", "upstream timed out"), False, False),
    "redirect": (b"", 302, ("302",), True, False),
}


@pytest.mark.parametrize(("answer", "status", "data", "permanent", "throttled"), FAILURES.values(), ids=FAILURES.keys())
def test_failures(answer: Any, status: int, data: tuple[str, ...], permanent: bool, throttled: bool) -> None:
    reply = read(answer, status, Content_Type="text/html; charset=utf-8")
    assert reply.finish is FinishReason.ERROR
    assert_carries(reply.error, *data)
    assert (reply.permanent, reply.throttled, reply.text) == (permanent, throttled, "")


@pytest.mark.parametrize("message", ["two\nlines", "a\r\nb\tc", " \x0b x "])
def test_an_error_is_one_line(message: str) -> None:
    assert len(error_response(message, permanent=True).error.splitlines()) == 1


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
keys = st.sampled_from(
    sorted(
        {"choices", "message", "content", "error", "code", "finish_reason", "usage", "refusal", "reasoning", "type"}
        | {"text", "thinking", "model", "prompt_tokens", "completion_tokens_details", "detail"}
    )
)
trees = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@settings(max_examples=50)
@given(
    trees | st.builds(body, trees, trees, st.dictionaries(keys, trees, max_size=3)),
    st.sampled_from([200, 400, 429, 500]),
)
def test_whatever_is_answered_becomes_a_reply(answer: Any, status: int) -> None:
    reply = read(answer, status)
    assert isinstance(reply.text, str)
    assert isinstance(reply.reasoning, str)
    assert bool(reply.error) == (reply.finish is FinishReason.ERROR)


@settings(max_examples=40)
@given(st.binary(max_size=60), st.text(max_size=20), st.sampled_from([200, 204, 302, 429, 500]))
def test_whatever_comes_becomes_a_reply(raw: bytes, wait: str, status: int) -> None:
    assert isinstance(read(raw, status, Retry_After=wait), Response)
