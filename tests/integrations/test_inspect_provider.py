"""`affordance/MODEL` inside Inspect: models of ours are asked by way of it, and lose nothing on the way."""

import asyncio
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web
from inspect_ai.model import ChatMessageUser as User
from inspect_ai.model import ContentImage, ContentText, GenerateConfig, get_model

import inspect_loop
from affordance.core.errors import UserError
from affordance.core.media_spec import ImageSpec, MediaSpec, VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.question import Question, YesNo
from affordance.core.requests import Message, Request, Response
from affordance.integrations.inspect.provider import CURRENT_REQUEST, HostedRequest, wrap_inspect_model
from affordance.models.model import ModelContext
from affordance.models.registry import build_model
from errors import raises
from loopback import Behaviour, Loopback, Seen, completion

pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")  # Inspect's

IMAGES = {"0e": b"Zmlyc3Q=", "0f": b"c2Vjb25k", "0d": b"bW92aW5n"}
FIRST, SECOND, MOVING = ImageSpec("0e"), ImageSpec("0f"), VideoSpec("0d")
ONCE = GenerateConfig(max_retries=0)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-123456")
    monkeypatch.setenv(inspect_loop.KEY_VARIABLE, "sk-loop-123456")


class MemoryMediaLoader:
    """A gallery whose pictures are known bytes."""

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]:
        return [b64decode(image) for image in await self.load_base64(media)]

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        return [IMAGES[one.source] for one in media]

    def release(self, images: Sequence[bytes]) -> None:
        return


def surroundings(truth: str = "") -> ModelContext:
    return ModelContext(
        MemoryMediaLoader(), lambda id_: Question("motion/effect", id_, {}, (), {}, YesNo(), truth, source_paths={})
    )


def an_ask(*parts: Any, **changes: Any) -> Request:
    messages = (Message("system", ("Be brief.",)), Message("user", parts))
    return Request("q", messages, YesNo(), **{"parameters": {"temperature": 0.5}, **changes})


async def says_yes(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("<think>Hm.</think>Yes", finish_reason="length")


def complains(status: int, message: str, **headers: str) -> Behaviour:
    async def behaviour(_: Seen, __: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.json_response({"error": {"message": message}}, status=status, headers=named)

    return behaviour


def both_ways(url: str, ask: Request) -> tuple[Response, Response]:
    """A reply by way of Inspect, and the same without it."""

    async def go() -> tuple[Response, Response]:
        around = surroundings()
        async with get_model(f"affordance/openai:m@{url}", memoize=False, config=ONCE) as theirs:
            through = await wrap_inspect_model(theirs, around).send(ask)
        model = build_model(ModelName.parse(f"openai:m@{url}"), around)
        try:
            return through, await model.send(ask)
        finally:
            await model.close()

    through, direct = asyncio.run(go())
    return replace(through, seconds=0.0), replace(direct, seconds=0.0)


def test_a_model_of_ours_sends_and_gives_the_same_by_way_of_inspect() -> None:
    with Loopback(says_yes) as server:
        ask = an_ask("One", FIRST, "the same", FIRST, "another", SECOND, "and a film", MOVING)
        through, direct = both_ways(server.url, ask)
    assert through == direct
    assert len(server.seen) == 2
    assert server.seen[0].body == server.seen[1].body


@pytest.mark.parametrize(
    "behaviour",
    [
        complains(429, "slower", Retry_After="7"),
        complains(500, "oops"),
        complains(401, "who are you"),
        complains(400, "At most 1 image(s) may be provided"),
    ],
    ids=["throttled", "broken", "a wrong key", "too many pictures"],
)
def test_a_failure_comes_through_as_it_is(behaviour: Behaviour) -> None:
    with Loopback(behaviour) as server:
        through, direct = both_ways(server.url, an_ask("Is it?", FIRST))
    assert through == direct
    assert through.failed


NAMES = {
    "affordance/oracle": ("oracle:default", "", "default", True),
    "affordance/oracle:qwen3-vl": ("oracle:qwen3-vl", "", "qwen3-vl", True),
    "affordance/baseline:random": ("baseline:random", "", "default", True),
    "affordance/openai:m@http://127.0.0.1:9/v1": (
        "openai:m@http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1", "", False,
    ),
    "affordance/openai:m@http://me:planted@127.0.0.1:9/v1": (
        "openai:m@http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1", "", False,
    ),
    "loop/some/model": ("inspect:loop/some/model", "inspect:loop", "", False),
}  # fmt: skip


def test_models_have_the_names_that_they_have_outside() -> None:
    for name, expected in NAMES.items():
        theirs = get_model(name, memoize=False)
        ours = wrap_inspect_model(theirs, surroundings())
        assert (ours.name, ours.base_url, ours.dialect, ours.answers_by_question) == expected
        assert "planted" not in str(theirs)


def test_a_base_url_may_be_given_as_inspect_does() -> None:
    ours = wrap_inspect_model(
        get_model("affordance/openai:m", base_url="http://127.0.0.1:9/v1", memoize=False), surroundings()
    )
    assert (ours.name, ours.request_parameters({"temperature": 0})) == (
        "openai:m@http://127.0.0.1:9/v1",
        {"temperature": 0},
    )
    theirs = wrap_inspect_model(get_model("loop/m", base_url="http://127.0.0.1:9/v1", memoize=False), surroundings())
    assert (theirs.name, theirs.request_parameters({"temperature": 0})) == (
        "inspect:loop/m@http://127.0.0.1:9/v1",
        {"temperature": 0.0},
    )


def test_a_name_that_is_wrong_is_reported_before_anything_is_asked() -> None:
    for name, data in (
        ("affordance/baseline:pixel", ("'pixel'", "'pixels'")),
        ("affordance/replay:gone.jsonl", ("gone.jsonl",)),
        ("affordance/opnai:m", ("'opnai'", "'openai'")),
    ):
        theirs = get_model(name, memoize=False)
        with raises(UserError, *data):
            wrap_inspect_model(theirs, surroundings())


def test_questions_of_other_tasks_are_not_its_own() -> None:
    theirs = get_model("affordance/oracle", memoize=False)
    with raises(UserError, "affordance/oracle"):
        asyncio.run(theirs.generate("Hi"))


PICTURE = ContentImage(image="data:image/png;base64,Zmlyc3Q=")


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ([ContentText(text="Is it?")], ("1 ",)),
        ([PICTURE, PICTURE], ("image",)),
    ],
)
def test_pictures_that_were_lost_on_the_way_are_no_answer(content: list[Any], data: tuple[str, ...]) -> None:
    async def go() -> None:
        CURRENT_REQUEST.set(HostedRequest(an_ask("Is it?", FIRST), surroundings()))
        await get_model("affordance/oracle", memoize=False).generate([User(content=content)])

    with raises(UserError, *data):
        asyncio.run(go())
