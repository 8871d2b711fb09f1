"""`inspect:PROVIDER/MODEL` against a real server on loopback: it is asked and fails as the chat client does."""

import asyncio
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from pydantic import JsonValue

import inspect_loop  # registers the provider
from affordance.core.errors import UserError
from affordance.core.media_spec import ImageEncoding, ImageFormat, ImageSpec, VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.question import Question, YesNo
from affordance.core.requests import ErrorKind, FinishReason, Message, Request, Response, TokenUsage
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.integrations.inspect.conversion import (
    from_generate_config,
    to_chat_messages,
    to_generate_config,
    to_model_output,
    to_response,
)
from affordance.ledger import open_ledger
from affordance.models.model import ModelContext
from affordance.models.profile import find_family, find_price
from affordance.models.registry import build_model
from affordance.tasks.registry import resolve_tasks
from behavior_data import because, pair, write_pairs
from cases import case
from errors import assert_carries, raises
from loopback import Behaviour, Loopback, Seen, after, completion
from patience import PATIENCE

pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")  # Inspect's

KEY = "sk-planted-0123456789"
SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, outage_timeout=0.0)
IMAGE = b"iVBORw0KGgo="


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(inspect_loop.KEY_VARIABLE, KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


class OneImage:
    """A gallery in which all pictures look alike."""

    in_use = 0

    async def load(self, media: Any) -> list[bytes]:
        raise AssertionError("nobody needs to look at them")

    async def load_base64(self, media: Any) -> list[bytes]:
        self.in_use += len(media)
        return [IMAGE] * len(media)

    def release(self, images: Any) -> None:
        self.in_use -= len(images)


def _nobody(_: str) -> Question:
    raise AssertionError("it has no business with questions")


def asked(name: str, *asks: Request, timeout: float = PATIENCE) -> list[Response]:
    gallery = OneImage()

    async def go() -> list[Response]:
        model = build_model(ModelName.parse(name), ModelContext(gallery, _nobody, timeout=timeout))
        try:
            return [await model.send(one) for one in asks]
        finally:
            await model.close()
            assert not transcript().events  # or the pictures of all asks would stay in memory

    replies = asyncio.run(go())
    assert gallery.in_use == 0
    return replies


def an_ask(*parts: Any, **changes: Any) -> Request:
    return Request("q", (Message("user", parts or ("Is it?",)),), YesNo(), **changes)


def answers(body: Any, status: int = 200, **headers: str) -> Behaviour:
    async def behaviour(_: Seen, __: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, str):
            return web.Response(text=body, status=status, headers=named)
        return web.json_response(body, status=status, headers=named)

    return behaviour


def complains(status: int, message: str, code: str | None = None, **headers: str) -> Behaviour:
    return answers({"error": {"message": message, "code": code}}, status, **headers)


async def says_yes(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("Yes")


async def cuts(_: Seen, request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


def test_it_is_sent_what_the_chat_client_sends() -> None:
    jpeg = ImageSpec("0f", encoding=ImageEncoding(ImageFormat.JPEG, 80))
    messages = (
        Message("system", ("Be brief.",)),
        Message("user", ("First", ImageSpec("0e"), "then", jpeg, VideoSpec("0d"))),
    )
    ask = Request("q", messages, YesNo(), parameters={"temperature": 0.5, "max_tokens": 7})
    with Loopback(says_yes) as server:
        (theirs,) = asked(f"inspect:loop/some-model@{server.url}", ask)
        (ours,) = asked(f"openai:some-model@{server.url}", ask)
    first, second = server.seen
    assert first.body == second.body
    assert (
        replace(theirs, seconds=0)
        == replace(ours, seconds=0)
        == Response("Yes", usage=TokenUsage(100, 10), served_by="served-model")
    )


FAILURES = {
    "throttled": (complains(429, "slower", Retry_After="7"), ("429", "slower")),
    "throttled without saying how long": (complains(429, "slower"), ("429", "slower")),
    "overloaded": (complains(503, "later"), ("503", "later")),
    "broken": (complains(500, "oops"), ("500", "oops")),
    "in conflict": (complains(409, "locked"), ("409", "locked")),
    "a wrong key": (complains(401, "who are you"), ("401", "who are you")),
    "no money": (complains(429, "pay", "insufficient_quota"), ("429", "pay")),
    "too many pictures": (complains(400, "At most 1 image(s) may be provided"), ("At most 1 image(s)",)),
    "too long": (complains(400, "see docs", "context_length_exceeded"), ("see docs",)),
    "no such model": (complains(404, "no such model"), ("404", "no such model")),
    "a cut connection": (cuts, ()),
}


def test_it_fails_as_the_chat_client_does() -> None:
    for name, (behaviour, data) in FAILURES.items():
        with Loopback(behaviour) as server:
            (theirs,) = asked(f"inspect:loop/some-model@{server.url}", an_ask())
            (ours,) = asked(f"openai:some-model@{server.url}", an_ask())
            assert len(server.seen) == 2, "the runner repeats asks, and nobody else"
        kinds = [(one.finish, one.permanent, one.throttled, one.retry_after) for one in (theirs, ours)]
        with case(name):
            assert kinds[0] == kinds[1]
            assert theirs.failed
            assert_carries(theirs.error, *data)


def test_an_answer_that_takes_too_long_is_given_up_and_nobody_there_is_told() -> None:
    with Loopback(after(600, says_yes)) as server:
        (late,) = asked(f"inspect:loop/m@{server.url}", an_ask(), timeout=0.2)
        assert (late.permanent, late.throttled) == (False, False)
        assert_carries(late.error, server.url, "0.2 s")
        gone = server.url
    (nobody,) = asked(f"inspect:loop/m@{gone}", an_ask())
    assert (nobody.finish, nobody.permanent) == (FinishReason.ERROR, False)


def test_what_a_provider_does_not_foresee_is_a_failure_too() -> None:
    with Loopback(answers({"model": "m", "choices": []})) as server:
        (reply,) = asked(f"inspect:loop/m@{server.url}", an_ask())
    assert (reply.finish, reply.permanent) == (FinishReason.ERROR, True)
    assert_carries(reply.error, "IndexError")


def output(*parts: Content, reason: str = "stop", **changes: Any) -> ModelOutput:
    choice = ChatCompletionChoice(message=ChatMessageAssistant(content=list(parts)), stop_reason=reason)  # type: ignore[arg-type]
    return ModelOutput(model="m", choices=[choice], **changes)


USED = ModelUsage(
    input_tokens=5, output_tokens=3, input_tokens_cache_read=2, input_tokens_cache_write=1, reasoning_tokens=2
)
SAID = ContentText(text="Yes")

OUTPUTS = {
    "an answer in pieces": (output(SAID, ContentText(text=" sir")), Response("Yes sir", served_by="m")),
    "thinking apart": (
        output(ContentReasoning(reasoning="Hm."), SAID, usage=USED),
        Response("Yes", "Hm.", usage=TokenUsage(8, 3, 2), served_by="m"),
    ),
    "thinking that is not shown": (
        output(ContentReasoning(reasoning="gAAAA", redacted=True, summary="It thought."), SAID),
        Response("Yes", "It thought.", served_by="m"),
    ),
    "cut": (output(SAID, reason="max_tokens"), Response("Yes", finish=FinishReason.LENGTH, served_by="m")),
    "cut by the context": (
        output(SAID, reason="model_length", usage=USED),
        Response("Yes", finish=FinishReason.LENGTH, usage=TokenUsage(8, 3, 2), served_by="m"),
    ),
    "refused": (output(SAID, reason="content_filter"), Response("Yes", finish=FinishReason.REFUSAL, served_by="m")),
    "refused in so many words": (
        output(ContentText(text="I cannot", refusal=True)),
        Response("I cannot", finish=FinishReason.REFUSAL, served_by="m"),
    ),
    "refused without a word": (
        output(reason="content_filter", error="blocked"),
        Response("blocked", finish=FinishReason.REFUSAL, served_by="m"),
    ),
    "whatever else": (output(SAID, reason="unknown"), Response("Yes", served_by="m")),
    "nothing": (ModelOutput(model="m", error="none today"), Response(finish=FinishReason.ERROR, error="none today")),
}


def test_what_inspect_gives_is_read_as_a_reply() -> None:
    for name, (given, expected) in OUTPUTS.items():
        with case(name):
            assert to_response(given) == expected


def test_a_prompt_that_is_too_long_is_no_answer() -> None:
    reply = to_response(output(ContentText(text="prompt is too long: 9 > 8"), reason="model_length"))
    assert (reply.finish, reply.kind, reply.permanent) == (FinishReason.ERROR, ErrorKind.TOO_LARGE, True)
    assert_carries(reply.error, "prompt is too long: 9 > 8")


def test_a_reply_of_ours_comes_back_from_inspect_as_it_was() -> None:
    for finish, usage in product(
        (FinishReason.STOP, FinishReason.LENGTH, FinishReason.REFUSAL),
        (TokenUsage(), TokenUsage(3, 4), TokenUsage(3, 4, 2)),
    ):
        for reply in (
            Response("Yes", finish=finish, usage=usage),
            Response("", "Hm.", finish=finish, usage=usage, served_by="m"),
        ):
            assert to_response(to_model_output(reply)) == reply


PARAMETERS: dict[str, tuple[dict[str, JsonValue], dict[str, JsonValue]]] = {
    "numbers in one spelling": ({"temperature": 0, "max_tokens": 9}, {"temperature": 0.0, "max_tokens": 9}),
    "the names of chat-completions": (
        {"max_completion_tokens": 9, "stop": "."},
        {"max_tokens": 9, "stop_seqs": ["."]},
    ),
    "thinking": ({"reasoning_effort": "low", "seed": 3}, {"reasoning_effort": "low", "seed": 3}),
    "what is not set": ({"temperature": None}, {}),
}


def test_parameters_have_one_spelling() -> None:
    for name, (given, expected) in PARAMETERS.items():
        with case(name):
            assert (
                from_generate_config(to_generate_config(given))
                == from_generate_config(to_generate_config(expected))
                == expected
            )


UNKNOWN: list[tuple[dict[str, JsonValue], tuple[str, ...]]] = [
    ({"temprature": 0}, ("'temprature'", "'temperature'")),
    ({"max_retries": 3}, ("'max_retries'",)),
    ({"extra_headers": {"x-key": "k"}}, ("extra_headers",)),
    ({"temperature": "warm"}, ("temperature",)),
]


def test_parameters_that_nobody_knows_are_the_users_mistake() -> None:
    for given, data in UNKNOWN:
        with case(given), raises(UserError, *data):
            to_generate_config(given)


def test_how_a_model_is_reached_is_no_parameter_of_it() -> None:
    config = GenerateConfig(temperature=1, max_retries=3, max_connections=4, timeout=5, extra_headers={"x-key": "k"})
    assert from_generate_config(config) == {"temperature": 1}


def test_a_single_text_stays_a_text_and_a_webp_says_so() -> None:
    (message,) = to_chat_messages(an_ask("Is it?"), [])
    assert message.content == "Is it?"
    webp = ImageSpec("0f", time=Fraction(1), encoding=ImageEncoding(ImageFormat.WEBP))
    ((image,),) = (message.content for message in to_chat_messages(an_ask(webp), [IMAGE]))
    assert image.image == "data:image/webp;base64,iVBORw0KGgo="  # type: ignore[union-attr]


MISTAKES: dict[str, tuple[str, ...]] = {
    "inspect:loop": ("inspect:PROVIDER/MODEL[@BASE_URL]", "'inspect:loop'"),
    "inspect:lop/m": ("'lop'", "'loop'"),
    "inspect:affordance/oracle": ("inspect:affordance/oracle", "'oracle'"),
    "inspect:anthropic/m": ("pip install anthropic",),
    "inspect:loop/m": (inspect_loop.KEY_VARIABLE,),
}


def test_what_is_missing_is_reported_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(inspect_loop.KEY_VARIABLE)
    for name, data in MISTAKES.items():
        with case(name), raises(UserError, *data):
            asked(name)


def test_an_estimate_needs_no_key(request_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the model nor of the judge, and finds what was asked before."""
    with Loopback(tells) as server:
        named = f"inspect:loop/m@{server.url}", f"inspect:loop/judge@{server.url}"
        request = request_for("behavior/rationale", named[0], judge=named[1])
        monkeypatch.delenv(inspect_loop.KEY_VARIABLE)
        foreseen = estimate_run(request)
        assert [one.model for one in foreseen] == list(named)
        assert all(one.asks for one in foreseen)
        assert not server.seen
        with raises(UserError, "LOOP_API_KEY"):
            execute_run(request)
        monkeypatch.setenv(inspect_loop.KEY_VARIABLE, KEY)
        assert execute_run(request)[1].complete
        monkeypatch.delenv(inspect_loop.KEY_VARIABLE)
        assert [one.asks for one in estimate_run(request)] == [0, 0]


def test_without_inspect_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with raises(UserError, "inspect:loop/m", "pip install 'affordance[inspect]'"):
        asked("inspect:loop/m")


def test_its_own_name_tells_price_and_dialect() -> None:
    name = ModelName.parse("inspect:anthropic/claude-sonnet-4")
    assert find_price(name, {}) == find_price(ModelName.parse("anthropic:claude-sonnet-4"), {}) is not None
    assert find_family(name.model)[0].dialect == "claude"


@pytest.fixture
def request_for(tmp_path: Path) -> Iterator[Any]:
    data = write_pairs(tmp_path / "data", *(pair(f"p{n}", 0, rationales=[because("It is larger.")]) for n in range(2)))

    def make(task: str, *models: str, **changes: Any) -> RunRequest:
        return RunRequest(
            config=RunConfig(tasks=tuple(resolve_tasks([task])), trials=1, **changes),
            data=data,
            models=tuple(ModelName.parse(model) for model in models),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(retry=SHORT, concurrency=4),
        )

    return make


async def tells(seen: Seen, _: web.Request) -> web.StreamResponse:
    """Repeats what nobody may know."""
    told = f"You have {KEY}, and sent {seen.headers['Authorization']}"
    return completion(f"A\n{told}" if seen.images else f"No\n{told}")


def test_a_run_with_a_judge_resumes_and_holds_no_secret(request_for: Any, tmp_path: Path) -> None:
    with Loopback(tells) as server:
        url = server.url.replace("http://", "http://planted-user:planted-password@")
        request = request_for("behavior/rationale", f"inspect:loop/m@{url}", judge=f"inspect:loop/judge@{url}")
        run, progress = execute_run(request)
        assert progress.complete
        assert progress.models[f"inspect:loop/m@{server.url}"].sent == 2
        asked_first = len(server.seen)
        assert execute_run(request)[1].complete
        assert len(server.seen) == asked_first
    with open_ledger(request.ledger, read_only=True) as ledger:
        verdicts = [one.verdict for one in ledger.attempt_results(run.id)]
        assert [one.status for one in verdicts if one is not None] == ["answered"] * 2
        (address,) = ledger.call_settings(run.id)[f"inspect:loop/m@{server.url}"]
        assert address.base_url == server.url
        assert address.parameters == {"temperature": 0.2}
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"[key]" in written
    for secret in (KEY, "planted-password", b64encode(b"planted-user:planted-password").decode()):
        assert secret.encode() not in written


def test_words_of_an_answer_are_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of others are in no error; an answer can only repeat what its model was sent."""
    monkeypatch.setenv("ROOM_PASSWORD", "more effective")
    monkeypatch.setenv("OPENAI_KEY", "sk-another-0123456789")

    async def says(_: Seen, __: web.Request) -> web.StreamResponse:
        return completion(f"The first is more effective. {KEY}")

    with Loopback(says) as server:
        (answer,) = asked(f"inspect:loop/m@{server.url}", an_ask())
    assert answer.text == "The first is more effective. [key]"
    with Loopback(complains(401, "no sk-another-0123456789 here")) as server:
        (failed,) = asked(f"inspect:loop/m@{server.url}", an_ask())
    assert failed.error == "status 401: no [key] here"


def test_a_wrong_key_is_told_and_not_repeated(request_for: Any) -> None:
    behaviour = complains(401, f"Incorrect API key provided: {KEY}")
    with Loopback(behaviour) as server:
        _, progress = execute_run(request_for("behavior/choice", f"inspect:loop/m@{server.url}"))
    ((reason, count),) = progress.models[f"inspect:loop/m@{server.url}"].reasons.items()
    assert (reason, count) == ("status 401: Incorrect API key provided: [key]", 4)
    assert not progress.complete
