"""What errors of providers and servers are about, in their own words."""

import json
from typing import Any

import pytest

from affordance.core.requests import ErrorKind, FinishReason, Response, TokenUsage
from affordance.models.completion import parse_completion
from affordance.models.error_body import unwrap_error
from affordance.models.provider_errors import ERROR_TABLE, find_error, parse_error
from errors import assert_carries

LARGE, INPUT, PARAMETER = ErrorKind.TOO_LARGE, ErrorKind.INPUT, ErrorKind.PARAMETER
OUTPUT, QUOTA, CONTENT, OTHER = ErrorKind.OUTPUT_LIMIT, ErrorKind.QUOTA, ErrorKind.CONTENT, ErrorKind.OTHER


def read(status: int, body: Any) -> Response:
    return parse_completion(status, {}, json.dumps(body).encode())


# Status, code, message, kind, the parameters named.
SAID: list[tuple[int, str, str, ErrorKind, tuple[str, ...]]] = [
    # OpenAI
    (400, "unsupported_parameter", "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
     "'max_completion_tokens' instead.", PARAMETER, ("max_tokens",)),
    (400, "unsupported_value", "Unsupported value: 'temperature' does not support 0 with this model. Only the default "
     "(1) value is supported.", PARAMETER, ("temperature",)),
    (400, "unknown_parameter", "Unknown parameter: 'response_format'.", PARAMETER, ("response_format",)),
    (400, "unsupported_value", "No.", PARAMETER, ()),
    (400, "", "Unrecognized request arguments supplied: logprobs, seed", PARAMETER, ("logprobs", "seed")),
    (400, "context_length_exceeded", "Too much.", LARGE, ()),
    (400, "", "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. "
     "Please reduce the length of the messages.", LARGE, ()),
    (400, "invalid_value", "max_tokens is too large: 99. This model supports at most 64 completion tokens", OUTPUT, ()),
    (429, "rate_limit_exceeded", "Request too large for m on tokens per min (TPM): Limit 3, Requested 4", LARGE, ()),
    (400, "", "Invalid value: 'video_url'. Supported values are: 'text'.", INPUT, ()),
    (400, "content_filter", "The response was filtered.", CONTENT, ()),
    (400, "ResponsibleAIPolicyViolation", "The response was filtered.", CONTENT, ()),
    (400, "data_inspection_failed", "Input data may contain inappropriate content.", CONTENT, ()),
    (429, "insufficient_quota", "You exceeded your current quota.", QUOTA, ()),
    (402, "insufficient_credits", "No credits.", QUOTA, ()),
    # Anthropic
    (400, "", "`temperature` is deprecated for this model.", PARAMETER, ("temperature",)),
    (400, "", "`top_p` may only be set to 1 when thinking is enabled or in adaptive mode.", PARAMETER, ("top_p",)),
    (400, "", "`temperature` and `top_p` cannot both be specified for this model.", PARAMETER, ("top_p",)),
    (400, "", "top_k: Extra inputs are not permitted", PARAMETER, ("top_k",)),
    (400, "", "prompt is too long: 207368 tokens > 200000 maximum", LARGE, ()),
    (400, "", "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", LARGE, ()),
    (400, "", "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed "
     "size: 8000 pixels", LARGE, ()),
    (400, "", "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum", LARGE, ()),
    (413, "request_too_large", "Request exceeds the maximum size", LARGE, ()),
    (400, "request_too_large", "Request exceeds the maximum size", LARGE, ()),
    # Google
    (400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8).", LARGE, ()),
    (400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.", LARGE, ()),
    (400, "INVALID_ARGUMENT", 'Invalid JSON payload received. Unknown name "topK": Cannot find field.', PARAMETER,
     ("top_k",)),
    (429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: requests, limit: 0, model: gemini", QUOTA, ()),
    (413, "", "Request Entity Too Large", LARGE, ()),
    # Routers and other providers
    (404, "404", "No endpoints found that support image input", INPUT, ()),
    (404, "", "No endpoints found that support input video", INPUT, ()),
    (400, "", "The messages are too long to fit into the model", LARGE, ()),
    (400, "", "Invalid request: Your request exceeded model token limit: 262144 (requested: 425573)", LARGE, ()),
    (400, "3051", "Prompt contains 40000 tokens, too large for model with 32768 maximum length", LARGE, ()),
    (400, "", "Too many images in request", LARGE, ()),
    (400, "", "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", LARGE, ()),
    (400, "", "This model does not support 'reasoning_effort' value 'none'", PARAMETER, ("reasoning_effort",)),
    (400, "", "Model grok-4 does not support parameter presencePenalty.", PARAMETER, ("presence_penalty",)),
    (400, "", "Please reduce the length of the messages or completion.", LARGE, ()),
    (400, "", "`logprobs` is not supported with this model", PARAMETER, ("logprobs",)),
    (403, "", "The context window limit was exceeded", LARGE, ()),
    (400, "", "Current length is 9000 while limit is 8192", LARGE, ()),
    # Local servers
    (400, "BadRequestError", "At most 1 image(s) may be provided in one request.", LARGE, ()),
    (400, "BadRequestError", "At most 0 video(s) may be provided in one prompt.", LARGE, ()),
    (400, "BadRequestError", "You set image=2 in `--limit-mm-per-prompt`, but passed 3", LARGE, ()),
    (400, "BadRequestError", "The decoder prompt (length 10127) is longer than the maximum model length of 8192.",
     LARGE, ()),
    (400, "BadRequestError", "You passed 9 input tokens, but the model's context length is only 8 tokens.", LARGE, ()),
    (400, "BadRequestError", "max_tokens=9 cannot be greater than max_model_len=8. Please request fewer output tokens.",
     OUTPUT, ()),
    (400, "BadRequestError", "Image dimensions 9x9 (81 pixels) exceed the maximum of 64 pixels.", LARGE, ()),
    (400, "BadRequestError", "some/model is not a multimodal model", INPUT, ()),
    (400, "BadRequestError", "Image count 5 exceeds limit 2 per request.", LARGE, ()),
    (400, "BadRequestError", "The input (9 tokens) is longer than the model's context length (8 tokens).", LARGE, ()),
    (400, "exceed_context_size_error", "request (9 tokens) exceeds the available context size (8 tokens)", LARGE, ()),
    (500, "server_error", "image input is not supported - hint: you may need to provide the mmproj", INPUT, ()),
    (400, "", "unsupported content[].type", INPUT, ()),
    (400, "", "the input length exceeds the context length", LARGE, ()),
    (400, "", "the prompt is longer than the context length currently available to the model", LARGE, ()),
    (400, "", '"llama3" does not support thinking', PARAMETER, ("reasoning_effort",)),
    (400, "", "image URLs are not currently supported, please use base64 encoded data instead", INPUT, ()),
    (400, "", "Trying to keep the first 9 tokens when context the overflows.", LARGE, ()),
    (400, "", "Reached context length of 4096 tokens with model (arch: qwen3vlmoe)", LARGE, ()),
    (400, "", "Model does not support images. Please use a model that does", INPUT, ()),
    (422, "validation", "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9", LARGE, ()),
    (422, "", "Unexpected fields in the request: {'top_k', 'seed'}", PARAMETER, ("top_k", "seed")),
    # Nothing of this kind
    (400, "", "Failed to decode video_url: connection refused", OTHER, ()),
    (429, "", "The maximum context length of all requests is reached, try again", OTHER, ()),
    (429, "", "Quota exceeded, limit: 0.5", OTHER, ()),
    (401, "invalid_api_key", "Invalid key", OTHER, ()),
    (404, "", "No endpoints found that support tool use", OTHER, ()),
    (503, "", "image input is not supported at the moment", OTHER, ()),
]  # fmt: skip


@pytest.mark.parametrize(("status", "code", "message", "kind", "parameters"), SAID, ids=lambda value: str(value)[:40])
def test_what_an_error_is_about(
    status: int, code: str, message: str, kind: ErrorKind, parameters: tuple[str, ...]
) -> None:
    reply = read(status, {"error": {"message": message, "code": code}})
    if kind is CONTENT:
        assert (reply.finish, reply.text, reply.usage) == (FinishReason.REFUSAL, message, TokenUsage(0, 0))
        return
    assert (reply.finish, reply.kind, reply.parameters) == (FinishReason.ERROR, kind, parameters)
    assert reply.permanent is (kind is not OTHER or status not in (429, 503))
    assert_carries(reply.error, status, message)
    assert kind in (OTHER, PARAMETER) or len(reply.error) > len(f"status {status}: {message}"), "it says what to do"


def test_every_row_has_an_example() -> None:
    found = [find_error(status, f"{code} {message}") for status, code, message, *_ in SAID]
    without = [row for row in ERROR_TABLE if not any(one is not None and one[0] is row for one in found)]
    assert [f"{row.source}: {row.pattern}" for row in without] == []


def test_an_error_may_name_its_parameter_beside_the_message() -> None:
    body = {"error": {"message": "No.", "code": "unsupported_value", "param": "reasoning_effort"}}
    assert read(400, body).parameters == ("reasoning_effort",)
    assert read(500, body).kind is OTHER, "a server that fails says nothing of parameters"


GOOGLE = {"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED"}}

# Body, message, status, parameters.
BODIES: dict[str, tuple[Any, str, int | None, tuple[str, ...]]] = {
    "usual": ({"error": {"message": "boom", "code": "x", "param": "n"}}, "boom", None, ("n",)),
    "list": ([GOOGLE], "Slow down.", 429, ()),
    "in a message": ({"error": {"message": json.dumps(GOOGLE, indent=1), "code": 500}}, "Slow down.", 429, ()),
    "behind words": ({"error": {"message": f"Bad: {json.dumps(GOOGLE)}"}}, "Slow down.", 429, ()),
    "twice in a message": (
        {"error": {"message": json.dumps({"error": {"message": json.dumps([GOOGLE])}})}}, "Slow down.", 429, (),
    ),
    "raw": (
        {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": json.dumps(GOOGLE)}}},
        "Provider returned error: Slow down.", 429, (),
    ),
    "raw text": (
        {"error": {"message": "Provider returned error", "code": 502, "metadata": {"raw": "gone"}}},
        "Provider returned error: gone", 502, (),
    ),
    "raw object": ({"error": {"message": "E", "metadata": {"raw": GOOGLE}}}, "E: Slow down.", 429, ()),
    "flat": ({"object": "error", "message": "boom", "code": 400}, "boom", 400, ()),
    "text": ({"error": "boom"}, "boom", None, ()),
    "detail": ({"detail": "boom"}, "boom", None, ()),
    "details": (
        {"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs are not permitted"}]},
        "body.top_k: Extra inputs are not permitted", None, ("top_k",),
    ),
    "details in a message": (
        {"object": "error", "message": {"detail": [{"loc": ["body", "n"], "msg": "No"}]}}, "body.n: No", None, ("n",),
    ),
    "errors": ({"success": False, "errors": [{"message": "boom", "code": 5021}]}, "boom", None, ()),
    "number as text": ({"error": {"message": "boom", "code": "404"}}, "boom", 404, ()),
    "braces that are no JSON": ({"error": {"message": "fields {'a'}: no"}}, "fields {'a'}: no", None, ()),
    "nothing": ({}, "", None, ()),
    "a number": ({"error": 7}, "7", None, ()),
}  # fmt: skip


@pytest.mark.parametrize(("body", "message", "status", "parameters"), BODIES.values(), ids=BODIES.keys())
def test_errors_are_unwrapped(body: Any, message: str, status: int | None, parameters: tuple[str, ...]) -> None:
    found = unwrap_error(body)
    assert (found.message, found.status, found.parameters) == (message, status, parameters)


def test_a_status_within_an_error_counts_where_the_outer_one_is_another_servers() -> None:
    assert (read(200, [GOOGLE]).throttled, read(200, [GOOGLE]).permanent) == (True, False)
    wrapped = {"error": {"message": json.dumps(GOOGLE)}}
    assert (read(400, wrapped).throttled, read(500, wrapped).permanent) == (True, False)
    assert not read(400, [GOOGLE]).throttled, "the server that was asked knows its own status"


def test_errors_without_a_status_are_known_by_their_words() -> None:
    assert parse_error(None, "prompt is too long: 9 > 8").kind is LARGE
    assert parse_error(None, "RateLimitError: insufficient_quota").kind is QUOTA
    reply = parse_error(None, "something else")
    assert (reply.kind, reply.permanent) == (OTHER, True)
