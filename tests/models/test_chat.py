"""The client against a real server on loopback: what it sends, and what it makes of every way to answer."""

import asyncio
import base64
import errno
import json
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from aiohttp import web
from model_samples import ask, picture, surroundings

from affordance.core.json_text import Json
from affordance.core.media_spec import ImageEncoding, ImageFormat
from affordance.core.model_name import ModelName
from affordance.core.question import YesNo
from affordance.core.requests import FinishReason, Message, Request, Response, TokenUsage
from affordance.models import http
from affordance.models.chat import ChatClient
from affordance.models.providers import Endpoint
from errors import assert_carries
from loopback import Behaviour, Loopback, Seen, after, completion
from patience import PATIENCE

KEY = "sk-planted-0123456789"
CONTENT = {"red": b"\x89PNG red \xff\x00", "blue": b"\x89PNG blue"}

Where = Callable[[str], Endpoint]


async def says_b(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("B")


def answers(body: Any, status: int = 200, **headers: str) -> Behaviour:
    async def behaviour(_: Seen, __: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, str):
            return web.Response(text=body, status=status, content_type="text/html", headers=named)
        return web.json_response(body, status=status, headers=named)

    return behaviour


def plainly(url: str) -> Endpoint:
    return Endpoint(url, None)


def with_key(url: str) -> Endpoint:
    return Endpoint(url, KEY)


async def asked(
    where: Endpoint, *asks: Request, name: str = "vllm:some/model", timeout: float = PATIENCE
) -> list[Response]:
    model = ChatClient(ModelName.parse(name), where, surroundings(content=CONTENT, timeout=timeout))
    try:
        return [await model.send(one) for one in asks]
    finally:
        await model.close()


def put(
    behaviour: Behaviour, one: Request | None = None, where: Where = plainly, timeout: float = PATIENCE
) -> tuple[Response, Loopback]:
    """One ask put to a server that behaves in a certain way."""
    with Loopback(behaviour) as server:
        (reply,) = asyncio.run(asked(where(server.url), one or ask(), timeout=timeout))
    return reply, server


def test_text_and_pictures_arrive_in_their_order() -> None:
    one = ask("First:", picture("red"), "then:", picture("blue"), picture("red"), 'Wörter "in" \\ Anführung\n')
    _, server = put(says_b, one)
    (seen,) = server.seen
    (message,) = seen.body["messages"]
    assert message["role"] == "user"
    kinds = [part.get("text") or "picture" for part in message["content"]]
    assert kinds == ["First:", "picture", "then:", "picture", "picture", 'Wörter "in" \\ Anführung\n']
    decoded = [base64.b64decode(url.removeprefix("data:image/png;base64,"), validate=True) for url in seen.images]
    assert decoded == [CONTENT["red"], CONTENT["blue"], CONTENT["red"]]


@pytest.mark.parametrize(
    ("kind", "mime"), [(ImageFormat.PNG, "png"), (ImageFormat.JPEG, "jpeg"), (ImageFormat.WEBP, "webp")]
)
def test_a_data_url_says_what_it_holds(kind: ImageFormat, mime: str) -> None:
    _, server = put(says_b, ask(picture("red", encoding=ImageEncoding(kind))))
    assert server.seen[0].images[0].startswith(f"data:image/{mime};base64,")


def test_several_messages() -> None:
    messages = (
        Message("system", ("Be brief.",)),
        Message("user", (picture("red"), "Which?")),
        Message("assistant", ("B",)),
    )
    _, server = put(says_b, Request("q", (*messages, Message("user", ("Sure?",))), YesNo()))
    found = server.seen[0].body["messages"]
    assert [message["role"] for message in found] == ["system", "user", "assistant", "user"]
    assert [len(message["content"]) for message in found] == [1, 2, 1, 1]


def test_model_and_parameters_are_sent_and_nothing_else() -> None:
    _, server = put(says_b, ask(parameters={"temperature": 0, "max_tokens": 5, "stop": ["\n"]}))
    body = server.seen[0].body
    assert {name: value for name, value in body.items() if name != "messages"} == {
        "model": "some/model",
        "temperature": 0,
        "max_tokens": 5,
        "stop": ["\n"],
    }
    text = json.dumps(body)
    assert '"q"' not in text  # neither the question's id
    assert '"trial"' not in text


def test_each_ask_is_sent_with_its_own_parameters() -> None:
    sent: list[dict[str, Json]] = [{"temperature": 0}, {"temperature": 1}, {}, {"temperature": 0}]
    with Loopback(says_b) as server:
        asyncio.run(asked(Endpoint(server.url, None), *[ask(parameters=one) for one in sent]))
    assert [seen.body.get("temperature") for seen in server.seen] == [0, 1, None, 0]


def test_a_large_request_arrives_whole() -> None:
    content = {"large": bytes(range(256)) * 12_000}
    with Loopback(says_b) as server:

        async def large() -> Response:
            model = ChatClient(ModelName.parse("vllm:m"), Endpoint(server.url, None), surroundings(content=content))
            try:
                return await model.send(ask(picture("large")))
            finally:
                await model.close()

        assert asyncio.run(large()).text == "B"
    assert base64.b64decode(server.seen[0].images[0].partition(",")[2]) == content["large"]


# address, key -> header
AUTHORIZATIONS = {
    "key": ("http://", KEY, f"Bearer {KEY}"),
    "nothing": ("http://", None, None),
    "user info": ("http://user:p%40ss@", None, "Basic " + base64.b64encode(b"user:p@ss").decode()),
    "user alone": ("http://token@", None, "Basic " + base64.b64encode(b"token").decode()),
    "key before user info": ("http://user:pass@", KEY, f"Bearer {KEY}"),
}


@pytest.mark.parametrize(("scheme", "key", "expected"), AUTHORIZATIONS.values(), ids=AUTHORIZATIONS.keys())
def test_authorization(scheme: str, key: str | None, expected: str | None) -> None:
    reply, server = put(says_b, where=lambda url: Endpoint(url.replace("http://", scheme), key))
    assert reply.text == "B"
    assert server.seen[0].headers.get("Authorization") == expected
    assert server.seen[0].headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("?api-version=2024-06-01&x=%20y", "/v1/chat/completions?api-version=2024-06-01&x=%20y"),
        ("/?key=s", "/v1/chat/completions?key=s"),
        ("#fragment", "/v1/chat/completions"),
    ],
)
def test_a_query_is_kept(tail: str, expected: str) -> None:
    paths: list[str] = []

    async def notes(_: Seen, request: web.Request) -> web.StreamResponse:
        paths.append(request.raw_path)
        return completion("B")

    reply, _ = put(notes, where=lambda url: Endpoint(url + tail, None))
    assert (reply.text, paths) == ("B", [expected])


def test_a_usual_answer() -> None:
    reply, _ = put(says_b)
    assert 0 < reply.seconds < PATIENCE
    assert replace(reply, seconds=0) == Response("B", usage=TokenUsage(100, 10), served_by="served-model")


def said(content: Any, finish: str = "stop", **message: Any) -> Any:
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": finish}]}


ANSWERS = {
    "reasoning is kept apart": (said("B", reasoning_content="A or B?"), Response("B", reasoning="A or B?")),
    "content as parts": (said([{"type": "text", "text": "B"}, {"type": "text", "text": "\nx"}]), Response("B\nx")),
    "refusal": (said(None, refusal="No."), Response("No.", finish=FinishReason.REFUSAL)),
    "content filter": (said("", "content_filter"), Response("", finish=FinishReason.REFUSAL)),
    "length": (said("It", "length"), Response("It", finish=FinishReason.LENGTH)),
    "empty": (said(""), Response("")),
    "not only ASCII": (said("Größe 寸法 🎬"), Response("Größe 寸法 🎬")),
}


@pytest.mark.parametrize(("body", "expected"), ANSWERS.values(), ids=ANSWERS.keys())
def test_answers(body: Any, expected: Response) -> None:
    reply, _ = put(answers(body))
    assert replace(reply, seconds=0) == expected


def failed(
    data: tuple[str, ...], permanent: bool, throttled: bool = False, wait: Any = None
) -> tuple[tuple[str, ...], bool, bool, Any]:
    return data, permanent, throttled, wait


FAILURES = {
    "empty choices": (answers({"choices": []}), failed((), False)),
    "page": (answers("<html>Hello</html>"), failed(("text/html",), True)),
    "200, code as a number": (answers({"error": {"code": 503, "message": "x"}}), failed(("503", "x"), False, True)),
    "200, code as a word": (answers({"error": {"code": "overloaded", "message": "x"}}), failed(("200", "x"), False)),
    "200, no code": (answers({"error": {"message": "x"}}), failed(("200", "x"), False)),
    "400": (answers({"error": {"message": "x"}}, 400), failed(("400", "x"), True)),
    "401": (answers({"error": {"message": "x"}}, 401), failed(("401", "x"), True)),
    "404": (answers("<html>", 404), failed(("404",), True)),
    "429, seconds": (
        answers({"error": {"message": "x"}}, 429, Retry_After="3"),
        failed(("429", "x"), False, True, 3.0),
    ),
    "500": (answers({"error": {"message": "x"}}, 500), failed(("500", "x"), False)),
    "503, page": (answers("<html>", 503, Retry_After="1"), failed(("503",), False, True, 1.0)),
    "path that is not there": (answers("404: Not Found", 404), failed(("404",), True)),
}


def outcome(reply: Response) -> tuple[bool, bool, float | None]:
    assert reply.finish is FinishReason.ERROR
    assert reply.text == ""
    assert "\n" not in reply.error
    return reply.permanent, reply.throttled, reply.retry_after


@pytest.mark.parametrize(("behaviour", "expected"), FAILURES.values(), ids=FAILURES.keys())
def test_failures(behaviour: Behaviour, expected: tuple[tuple[str, ...], bool, bool, Any]) -> None:
    reply, _ = put(behaviour)
    assert_carries(reply.error, *expected[0])
    assert outcome(reply) == expected[1:]


def test_a_date_to_wait_for() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=1800), usegmt=True)
    reply, _ = put(answers({"error": {"message": "x"}}, 429, Retry_After=soon))
    assert outcome(reply) == (False, True, pytest.approx(1800, abs=300))


async def cuts_at_once(_: Seen, request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def cuts_in_the_middle(_: Seen, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


@pytest.mark.parametrize("behaviour", [cuts_at_once, cuts_in_the_middle])
def test_a_cut_connection_may_be_tried_again(behaviour: Behaviour) -> None:
    reply, server = put(behaviour)
    assert outcome(reply) == (False, False, None)
    assert_carries(reply.error, server.url)


def test_a_server_that_hangs() -> None:
    reply, server = put(after(600, says_b), timeout=0.2)
    assert outcome(reply) == (False, False, None)
    assert_carries(reply.error, server.url, "0.2")
    assert 0.1 < reply.seconds < 300


def test_a_server_that_dribbles() -> None:
    """The limit is on the whole answer: a byte now and then does not keep an ask alive."""

    async def dribbles(_: Seen, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(12_000):
            await response.write(b" ")
            await asyncio.sleep(0.05)
        return response

    reply, _ = put(dribbles, timeout=0.3)
    assert_carries(reply.error, "0.3")


def test_nobody_there() -> None:
    with Loopback() as server:
        url = server.url
    (reply,) = asyncio.run(asked(Endpoint(url.replace("http://", "http://me:hunter2@"), None), ask()))
    assert outcome(reply) == (False, False, None)
    assert_carries(reply.error, url, os.strerror(errno.ECONNREFUSED))
    assert "hunter2" not in reply.error
    assert not reply.sent


def test_a_host_that_says_nothing_is_known_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "CONNECT_SECONDS", 0.2)
    with socket.socket() as full:  # nobody accepts: what comes after the first ones is dropped
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        with ExitStack() as stack:
            for _ in range(2):
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(full.getsockname())
            url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
            (reply,) = asyncio.run(asked(Endpoint(url, None), ask(), timeout=30))
    assert outcome(reply) == (False, False, None)
    assert_carries(reply.error, url, "0.2")
    assert not reply.sent


@pytest.mark.parametrize("url", ["htp://127.0.0.1/v1", "http://127.0.0.1:99999/v1", "http:///v1"])
def test_what_is_no_address(url: str) -> None:
    (reply,) = asyncio.run(asked(Endpoint(url, None), ask()))
    assert outcome(reply)[0] is True


@pytest.mark.parametrize("status", [301, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with Loopback(says_b) as elsewhere:
        reply, _ = put(answers("", status, Location=f"{elsewhere.url}/chat/completions"), where=with_key)
    assert elsewhere.seen == []
    assert outcome(reply) == (True, False, None)
    assert_carries(reply.error, status)


@pytest.mark.parametrize(
    ("location", "named"),
    [
        ("https://user:SECRET@other.example/v1?key=SECRET#SECRET", "https://other.example/v1"),
        ("/login?key=SECRET&next=https://other.example/SECRET", ""),
        ("//user:SECRET@other.example/v1", ""),
    ],
)
def test_where_a_redirect_leads_to_is_named_without_secrets(location: str, named: str) -> None:
    reply, _ = put(answers("", 302, Location=location))
    assert_carries(reply.error, 302, named)
    assert "SECRET" not in reply.error
    assert ("other.example" in reply.error) is bool(named)


def echo(place: str) -> Behaviour:
    """An endpoint that repeats the header it was sent, somewhere in its answer."""

    async def behaviour(_: Seen, request: web.Request) -> web.StreamResponse:
        secret = request.headers["Authorization"].partition(" ")[2]
        bodies = {
            "text": said(f"B, and {secret}!"),
            "reasoning": said("B", reasoning=f"They sent {secret}."),
            "refusal": said(None, refusal=f"No, {secret}."),
            "model": {**said("B"), "model": f"m-{secret}"},
            "error": {"error": {"message": f"Incorrect key: {secret}."}},
            "late error": {"error": {"message": "x" * 375 + secret}},
            "page": f"<html>{secret}</html>",
            "late page": "<html>" + "x" * 40 + secret,
            "very late page": "<html>" + "x" * 985 + secret,
        }
        body = bodies[place]
        if isinstance(body, str):
            return web.Response(text=body, content_type="text/html")
        return web.json_response(body, status=401 if "error" in place else 200)

    return behaviour


PLACES = ["text", "reasoning", "refusal", "model", "error", "late error", "page", "late page", "very late page"]


@pytest.mark.parametrize("place", PLACES)
def test_a_key_that_comes_back_is_scrubbed(place: str) -> None:
    reply, _ = put(echo(place), where=with_key)
    for value in (reply.text, reply.reasoning, reply.error, reply.served_by):
        assert KEY[:8] not in value  # not even a part of it, where an error was cut
    assert "[key]" in reply.text + reply.reasoning + reply.error + reply.served_by or "late" in place


@pytest.mark.parametrize("place", PLACES)
def test_user_info_that_comes_back_is_scrubbed(place: str) -> None:
    reply, _ = put(echo(place), where=lambda url: Endpoint(url.replace("http://", "http://me:hunter2@"), None))
    token = base64.b64encode(b"me:hunter2").decode()
    for value in (reply.text, reply.reasoning, reply.error, reply.served_by):
        assert token[:8] not in value
        assert "hunter2" not in value


IN_THE_QUERY = {  # of a base URL: what an answer says, and what is stored of it
    "code=hunter2-hunter2": ("It was hunter2-hunter2.", "It was [key]."),
    "api-key=hunter2": ("It was hunter2.", "It was [key]."),
    "apiKey=hunter2": ("It was hunter2.", "It was [key]."),
    "access_token=hunter2": ("It was hunter2.", "It was [key]."),
    "X-Amz-Signature=hunter2": ("It was hunter2.", "It was [key]."),
    "sig=hunter%2F2": ("It was hunter/2 or hunter%2F2.", "It was [key] or [key]."),
    "session=0123456789abcdef01234567": ("It was 0123456789abcdef01234567.", "It was [key]."),
    "api-version=2024-06-01": ("The date 2024-06-01.", "The date 2024-06-01."),
    "deployment=search": ("The search button.", "The search button."),
    "region=northeurope": ("The northeurope tab.", "The northeurope tab."),
    "model=gpt-4o-2024-08-06": ("The gpt-4o-2024-08-06 row.", "The gpt-4o-2024-08-06 row."),
    "deployment=search&key=hunter2": ("The search button, hunter2.", "The search button, [key]."),
}


@pytest.mark.parametrize("query", IN_THE_QUERY)
def test_keys_in_the_query_are_scrubbed_and_nothing_else_is(query: str) -> None:
    answer, stored = IN_THE_QUERY[query]
    reply, _ = put(answers(said(answer, reasoning=answer)), where=lambda url: Endpoint(f"{url}?{query}", None))
    assert (reply.text, reply.reasoning) == (stored, stored)


def test_a_long_error_is_cut() -> None:
    reply, _ = put(answers({"error": {"message": "long " * 10_000}}, 500))
    assert len(reply.error) <= 400


@pytest.mark.parametrize(("size", "fits"), [(2**20 - 200, True), (2**20 + 1, False)])
def test_a_giant_answer(size: int, fits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_RESPONSE_BYTES", 2**20)
    reply, _ = put(answers(said("x" * size)))
    if fits:
        assert len(reply.text) == size
    else:
        assert outcome(reply) == (True, False, None)
        assert_carries(reply.error, 2**20)


def test_one_connection_serves_many_asks_and_closing_twice_is_fine() -> None:
    ports: set[int] = set()

    async def notes(_: Seen, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        ports.add(request.transport.get_extra_info("peername")[1])
        return completion("B")

    with Loopback(notes) as server:

        async def several() -> None:
            model = ChatClient(ModelName.parse("vllm:m"), Endpoint(server.url, None), surroundings())
            for _ in range(3):
                assert (await model.send(ask())).text == "B"
            await model.close()
            await model.close()

        asyncio.run(several())
    assert len(ports) == 1


def test_a_model_that_was_never_asked_can_be_closed() -> None:
    asyncio.run(asked(Endpoint("http://127.0.0.1:9/v1", None)))


def test_names_and_addresses_show_no_secret() -> None:
    name = ModelName.parse("vllm:m@http://me:hunter2@h/v1?k=hunter3")
    model = ChatClient(name, Endpoint("http://me:hunter2@h/v1?k=hunter3", "hunter4"), surroundings())
    assert (model.name, model.base_url) == ("vllm:m@http://h/v1", "http://h/v1")
    assert "hunter" not in repr(model)


def test_parameters_are_fitted_to_the_model() -> None:
    model = ChatClient(ModelName.parse("openai:o3@http://h/v1"), Endpoint("http://h/v1", None), surroundings())
    assert model.request_parameters({"temperature": 0, "max_tokens": 9}) == {"max_completion_tokens": 9}
