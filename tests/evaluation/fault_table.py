"""Everything that may come back from an endpoint instead of an answer, in the words of providers and servers, and what
becomes of an attempt: in the first run, and when the same command is repeated with a healthy server."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from affordance.core.attempts import AttemptStatus
from affordance.models.http import MAX_RESPONSE_BYTES
from loopback import Behaviour, Seen, completion

# What every request is sent with; some faults are about them.
PARAMETERS = {"temperature": 0, "top_p": 0.5, "max_tokens": 64}


@dataclass(frozen=True)
class Expected:
    """How an attempt ends, after how many requests, and the exit code; then the same of the repeated command."""

    ended: AttemptStatus
    requests: int
    exit: int
    again: AttemptStatus
    again_requests: int
    again_exit: int = 0


@dataclass(frozen=True)
class Fault:
    serve: Behaviour
    expected: Expected
    is_shared: bool = False  # whether all attempts at the model make those further requests together, not each
    is_slow: bool = False  # then the client gives up first


REFUSED_FOR_GOOD = Expected(AttemptStatus.FAILED, 1, 3, AttemptStatus.ANSWERED, 1)
TRIED_AGAIN = Expected(AttemptStatus.FAILED, 2, 3, AttemptStatus.ANSWERED, 1)
RECOVERED = Expected(AttemptStatus.ANSWERED, 2, 0, AttemptStatus.ANSWERED, 0)
RECOVERED_LATER = Expected(AttemptStatus.ANSWERED, 3, 0, AttemptStatus.ANSWERED, 0)


def over(ended: AttemptStatus) -> Expected:
    """What is an answer, whatever is in it."""
    return Expected(ended, 1, 0, ended, 0)


async def healthy(seen: Seen, _: web.Request) -> web.StreamResponse:
    if sides := re.findall(r"More effective: <(\w+)/(\w+)>", seen.text):
        return completion(f"Reasons.\nMore effective: {sides[-1][1]}")
    return completion("A\nIt moves." if "Options:" in seen.text else "[20, 20, 60, 60]")


def says(status: int, body: Any, content_type: str = "application/json", **headers: str) -> Behaviour:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()} | {"Content-Type": content_type}

    async def serve(_: Seen, __: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=raw, headers=named)

    return serve


def error(status: int, message: str, **detail: Any) -> Behaviour:
    return says(status, {"error": {"message": message, **detail}})


def throttles(status: int = 429, body: Any = None, **headers: str) -> Fault:
    serve = says(status, {"error": {"message": "Slow down."}} if body is None else body, **headers)
    return Fault(serve, TRIED_AGAIN, is_shared=True)


def at_first(serve: Behaviour) -> Behaviour:
    async def then_healthy(seen: Seen, request: web.Request) -> web.StreamResponse:
        return await (serve if seen.number == 1 else healthy)(seen, request)

    return then_healthy


def refuses(parameters: tuple[str, ...], say: Callable[[str], Behaviour]) -> Behaviour:
    """The first of these that is sent."""

    async def serve(seen: Seen, request: web.Request) -> web.StreamResponse:
        found = next((name for name in parameters if name in seen.body), None)
        return await (healthy if found is None else say(found))(seen, request)

    return serve


def by_openai(name: str) -> Behaviour:
    instead = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
    said = f"Unsupported parameter: '{name}' is not supported with this model.{instead}"
    return error(400, said, type="invalid_request_error", param=name, code="unsupported_parameter")


def answers(content: Any, **changes: Any) -> Behaviour:
    return says(
        200, {"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}], **changes}
    )


async def cuts_at_once(_: Seen, request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


def writes(*pieces: bytes, hangs: bool = False) -> Behaviour:
    """Bytes as they are, and the end of the connection: at once, or when the client gives up."""

    async def serve(_: Seen, request: web.Request) -> web.StreamResponse:
        transport = request.transport
        assert transport is not None
        for piece in pieces:
            transport.write(piece)
        while hangs and not transport.is_closing():
            await asyncio.sleep(0.01)
        transport.close()
        return web.Response()

    return serve


_START = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
_ANSWER = b'{"choices": [{"message": {"content": "A\\nIt moves'
_HTML = b"<!doctype html><html><head><title>Sorry</title></head><body><h1>Bad gateway</h1></body></html>"
_TOO_LONG = "This model's maximum context length is 4096 tokens. However, your messages resulted in 9000 tokens."


def _google(code: int, message: str, status: str, **more: Any) -> list[Any]:
    return [{"error": {"code": code, "message": message, "status": status, **more}}]


def _final(serve: Behaviour) -> Fault:
    return Fault(serve, REFUSED_FOR_GOOD)


def _adapted(serve: Behaviour, expected: Expected) -> Fault:
    return Fault(serve, expected, is_shared=True)


def _retried(serve: Behaviour) -> Fault:
    return Fault(serve, TRIED_AGAIN)


FAULTS: dict[str, Fault] = {
    # The request, the key, the model
    "bad-request": _final(error(400, "boom", type="invalid_request_error")),
    "no-key": _final(error(401, "Invalid key", code="invalid_api_key")),
    "no-money": _final(error(402, "Insufficient credits")),
    "forbidden": _final(error(403, "Not in your country")),
    "no-model": _final(error(404, "The model does not exist", code="model_not_found")),
    "no-method": _final(says(405, b"Method Not Allowed", "text/plain")),
    "validation": _final(says(422, {"detail": [{"loc": ["body", "messages"], "msg": "Field required"}]})),
    "wrong-server": _final(says(400, {"detail": "Server is pinned to 'X'; requested 'Y'."})),
    "not-implemented": _final(error(501, "This is not implemented", type="not_supported_error")),
    "redirect": _final(says(307, b"", "text/plain", Location="http://127.0.0.1:9/elsewhere")),
    "redirect-within": _final(says(301, b"", "text/plain", Location="/v2/chat/completions")),
    "redirect-nowhere": _final(says(300, {})),
    # Pages and texts
    "page": _final(says(200, _HTML, "text/html")),
    "page-404": _final(says(404, _HTML, "text/html")),
    "text": _final(says(200, b"Hello", "text/plain")),
    "text-400": _final(says(400, b"bad request", "text/plain")),
    "stream": _final(says(200, b'data: {"choices": []}\n\n', "text/event-stream")),
    "page-502": _retried(says(502, _HTML, "text/html")),
    "text-504": _retried(says(504, b"upstream request timeout", "text/plain")),
    "page-429": throttles(429, _HTML),
    # Outages
    "server-error": _retried(error(500, "boom")),
    "nothing-said": _retried(says(500, b"")),
    "bad-gateway": _retried(error(502, "boom")),
    "cloudflare-520": _retried(says(520, b"error code: 520", "text/plain")),
    "too-late": _retried(error(408, "boom")),
    "conflict": _retried(error(409, "boom")),
    "too-early": _retried(error(425, "boom")),
    "cut": _retried(cuts_at_once),
    "cut-in-headers": _retried(writes(_START)),
    "cut-in-body": _retried(writes(_START + b"Content-Length: 1000\r\n\r\n" + _ANSWER)),
    "cut-in-chunks": _retried(writes(_START + b"Transfer-Encoding: chunked\r\n\r\n31\r\n" + _ANSWER)),
    "no-http": _retried(writes(b"\x00\x01\x02 what?\r\n\r\n")),
    # Answers that came to harm
    "truncated-json": _retried(says(200, _ANSWER)),
    "not-utf-8": _retried(says(200, _ANSWER + b'\xff\xfe"}}]}')),
    "bytes": _retried(says(200, b"\xff\xfe\xfd\xfc")),
    "empty": _retried(says(200, b"")),
    "no-choices": _retried(says(200, {})),
    "empty-choices": _retried(says(200, {"choices": []})),
    "null-choices": _retried(says(200, {"choices": [None]})),
    "choices-as-text": _retried(says(200, {"choices": "A"})),
    "message-as-text": _retried(says(200, {"choices": [{"message": "A"}]})),
    "broken-off": _retried(says(200, {"choices": [{"message": {"content": "A"}, "finish_reason": "error"}]})),
    "list": _final(says(200, [])),
    "json-text": _final(says(200, "A")),
    "number": _final(says(200, 7)),
    "deep": _final(says(200, b"[" * 100_000)),
    "huge": _final(says(200, b" " * (MAX_RESPONSE_BYTES + 1))),
    # Throttling
    "throttled": throttles(),
    "unavailable": throttles(503),
    "overloaded": throttles(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    "retry-after-0": throttles(Retry_After="0"),
    "retry-after-negative": throttles(Retry_After="-5"),
    "retry-after-past": throttles(Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),
    "retry-after-garbage": throttles(Retry_After="soon"),
    "retry-after-nan": throttles(Retry_After="nan"),
    "retry-after-stamp": throttles(Retry_After="1767225600"),
    "retry-after-ms": throttles(retry_after_ms="0"),
    "retry-after-words": throttles(body={"error": {"message": "Please try again in 2ms."}}),
    "google-throttled": throttles(429, _google(429, "Resource has been exhausted.", "RESOURCE_EXHAUSTED")),
    "google-in-message": throttles(
        500, {"error": {"message": json.dumps(_google(429, "Slow.", "RESOURCE_EXHAUSTED")[0])}}
    ),
    "throttled-at-200": throttles(200, {"error": {"message": "Slow down.", "code": 429}}),
    "router-throttled": throttles(
        502, {"error": {"message": "Provider returned error", "metadata": {"raw": '{"error": {"code": 429}}'}}}
    ),
    "throttled-once": Fault(at_first(error(429, "Slow down.")), RECOVERED),
    "wait-was-asked": Fault(at_first(says(429, {}, Retry_After="0.02")), RECOVERED),
    "outage-once": Fault(at_first(error(500, "boom")), RECOVERED),
    "cut-once": Fault(at_first(cuts_at_once), RECOVERED),
    "truncated-once": Fault(at_first(says(200, _ANSWER)), RECOVERED),
    # Quota
    "no-quota": _final(error(429, "You exceeded your current quota", code="insufficient_quota")),
    "quota-0": _final(says(429, _google(429, "Quota exceeded, limit: 0, model: m", "RESOURCE_EXHAUSTED"))),
    # Errors at status 200
    "error-200": _retried(says(200, {"error": {"message": "upstream is gone"}})),
    "error-200-502": _retried(says(200, {"error": {"message": "upstream is gone", "code": 502}})),
    "error-200-400": _final(says(200, {"error": {"message": "no", "code": "400"}})),
    "error-200-text": _final(says(200, {"error": "The model has crashed."})),
    # Too much for one request
    "openai-context": _final(error(400, _TOO_LONG, code="context_length_exceeded")),
    "anthropic-context": _final(
        says(400, {"type": "error", "error": {"message": "prompt is too long: 9 > 8 maximum"}})
    ),
    "anthropic-output": _final(error(400, "input length and `max_tokens` exceed context limit: 9 + 64 > 8")),
    "anthropic-413": _final(says(413, {"type": "error", "error": {"type": "request_too_large", "message": "no"}})),
    "google-context": _final(
        says(
            400,
            _google(
                400, "The input token count (9) exceeds the maximum number of tokens allowed (8).", "INVALID_ARGUMENT"
            ),
        )
    ),
    "vllm-context": _final(error(400, "Input is 9 tokens, but the model's context length is only 8 tokens.")),
    "vllm-length": _final(error(400, "The decoder prompt (length 9) is longer than the maximum model length of 8.")),
    "vllm-images": _final(error(400, "At most 1 image(s) may be provided in one prompt.", type="BadRequestError")),
    "sglang-images": _final(says(400, {"object": "error", "message": "Image count 5 exceeds limit 2 per request."})),
    "sglang-context": _final(
        says(
            400,
            {
                "object": "error",
                "message": "The input (9 tokens) is longer than the model's context length (8 tokens).",
            },
        )
    ),
    "llama-context": _final(
        error(400, "request (9 tokens) exceeds the available context size (8 tokens)", type="exceed_context_size_error")
    ),
    "ollama-context": _final(error(400, "the input length exceeds the context length")),
    "lm-studio-context": _final(
        says(
            200, {"error": "Trying to keep the first 9 tokens when context the overflows. However, the model is loaded"}
        )
    ),
    "tgi-context": _final(
        says(422, {"error": "`inputs` tokens + `max_new_tokens` must be <= 8. Given: 9", "error_type": "validation"})
    ),
    "mistral-context": _final(
        says(
            400,
            {
                "object": "error",
                "message": "Prompt is too large for model with 8 maximum context length",
                "code": "3051",
            },
        )
    ),
    "moonshot-context": _final(
        error(400, "Invalid request: Your request exceeded model token limit: 8 (requested: 9)")
    ),
    "cloudflare-context": _final(
        says(403, {"errors": [{"message": "The context window limit was exceeded", "code": 5021}]})
    ),
    "cerebras-context": _final(error(400, "Please reduce it. Current length is 9 while limit is 8")),
    "nginx-413": _final(says(413, b"<html><h1>413 Request Entity Too Large</h1></html>", "text/html")),
    "router-context": _final(
        says(200, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": _TOO_LONG}}})
    ),
    "tokens-per-minute": _final(error(429, "Request too large for m on tokens per min (TPM): Limit 8, Requested 9.")),
    # No images
    "llama-images": _final(error(500, "image input is not supported - hint: you may need to provide the mmproj")),
    "lm-studio-images": _final(says(200, {"error": "Model does not support images. Please use a model that does."})),
    "router-images": _final(error(404, "No endpoints found that support image input", code="404")),
    # Filters
    "filtered": Fault(error(400, "declined", code="content_filter"), over(AttemptStatus.REFUSED)),
    "azure-filtered": Fault(
        error(400, "declined", innererror={"code": "ResponsibleAIPolicyViolation"}), over(AttemptStatus.REFUSED)
    ),
    "filtered-answer": Fault(
        says(200, {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
        over(AttemptStatus.REFUSED),
    ),
    "refusal": Fault(says(200, {"choices": [{"message": {"refusal": "I can't."}}]}), over(AttemptStatus.REFUSED)),
    # Parameters
    "rename": _adapted(refuses(("max_tokens",), by_openai), RECOVERED),
    "rename-and-drop": _adapted(refuses(("max_tokens", "temperature"), by_openai), RECOVERED_LATER),
    "value": _adapted(
        refuses(
            ("temperature",), lambda name: error(400, f"Unsupported value: '{name}' does not support 0", param=name)
        ),
        RECOVERED,
    ),
    "deprecated": _adapted(
        refuses(("temperature", "top_p"), lambda name: error(400, f"`{name}` is deprecated for this model.")),
        RECOVERED_LATER,
    ),
    "unexpected": _adapted(
        refuses(("top_p",), lambda name: says(422, {"detail": f"Unexpected fields in the request: {{'{name}'}}"})),
        RECOVERED,
    ),
    "extra-forbidden": _adapted(
        refuses(
            ("top_p",),
            lambda name: says(422, {"detail": [{"loc": ["body", name], "msg": "Extra inputs are not permitted"}]}),
        ),
        RECOVERED,
    ),
    "unknown-to-google": _adapted(
        refuses(
            ("top_p",), lambda name: says(400, _google(400, f'Unknown name "{name}": Cannot find field.', "INVALID"))
        ),
        RECOVERED,
    ),
    "not-sent": _final(by_openai("logit_bias")),
    "no-limit-at-all": _adapted(
        refuses(("max_tokens", "max_completion_tokens"), by_openai),
        Expected(AttemptStatus.FAILED, 2, 3, AttemptStatus.ANSWERED, 1),
    ),
    # Answers that are odd
    "cut-by-the-limit": Fault(
        says(200, {"choices": [{"message": {"content": "Let me look"}, "finish_reason": "length"}]}),
        over(AttemptStatus.TRUNCATED),
    ),
    "says-nothing": Fault(answers(""), over(AttemptStatus.UNPARSED)),
    "says-null": Fault(answers(None), over(AttemptStatus.UNPARSED)),
    "says-a-number": Fault(answers(7), over(AttemptStatus.UNPARSED)),
    "babbles": Fault(answers("Something happens here."), over(AttemptStatus.UNPARSED)),
    "odd-usage": Fault(
        answers("Something.", usage={"prompt_tokens": -1, "completion_tokens": "2"}), over(AttemptStatus.UNPARSED)
    ),
    # Time
    "hangs": Fault(writes(hangs=True), TRIED_AGAIN, is_slow=True),
    "hangs-in-headers": Fault(writes(_START, hangs=True), TRIED_AGAIN, is_slow=True),
    "hangs-in-body": Fault(writes(_START + b"Content-Length: 1000\r\n\r\n{", hangs=True), TRIED_AGAIN, is_slow=True),
}
