"""Videos in asks: what the client sends, which models it does not send them to, and how servers say no."""

import asyncio
import base64
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from aiohttp import web
from model_samples import ask, picture, surroundings

from affordance.core.config import ConfigFile
from affordance.core.digest import digest_file
from affordance.core.errors import MediaError, UserError
from affordance.core.media_spec import VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.requests import FinishReason, Request, Response
from affordance.media import RenderCache, write_video
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.chat import ChatClient
from affordance.models.model import ModelContext
from affordance.models.profile import image_limits, without_limits
from affordance.models.providers import PROVIDERS, Endpoint, ImageLimits
from errors import assert_carries, raises
from loopback import Loopback, Seen, completion

FRAMES = 24


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bar that grows, 24 frames at 30 a second."""
    frames = [np.full((48, 96, 3), 240, np.uint8) for _ in range(FRAMES)]
    for number, pixels in enumerate(frames):
        pixels[16:32, : 4 * number + 2] = (20, 90, 200)
    path = tmp_path_factory.mktemp("clips") / "bar.mp4"
    write_video(path, frames, 30)
    return path


@pytest.fixture
def gallery(clip: Path, tmp_path: Path) -> Iterator[ThreadedMediaLoader]:
    rendered = ThreadedMediaLoader(RenderCache(tmp_path / "pictures", {digest_file(clip): clip}))
    yield rendered
    rendered.close()


async def says_b(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("B")


async def replies(model: ChatClient, *asks: Request) -> list[Response]:
    try:
        return [await model.send(one) for one in asks]
    finally:
        await model.close()


def length(url: str) -> int:
    head, _, text = url.partition(",")
    assert head == "data:video/mp4;base64"
    with av.open(io.BytesIO(base64.b64decode(text, validate=True))) as container:
        return sum(1 for _ in container.decode(video=0))


def test_a_video_goes_out_as_a_data_url_in_its_place(clip: Path, gallery: ThreadedMediaLoader) -> None:
    source = digest_file(clip)
    whole, part = VideoSpec(source, max_side=64), VideoSpec(source, end=Fraction(1, 3))
    one = ask("First:", whole, "then", picture(source, time=Fraction(0)), part, whole)
    with Loopback(says_b) as server:
        model = ChatClient(ModelName.parse("vllm:m"), Endpoint(server.url, None), ModelContext(gallery, _unknown))
        (reply,) = asyncio.run(replies(model, one))
    assert reply.text == "B"
    (message,) = server.seen[0].body["messages"]
    kinds = [part["type"] for part in message["content"]]
    assert kinds == ["text", "video_url", "text", "image_url", "video_url", "video_url"]
    videos = [part["video_url"]["url"] for part in message["content"] if part["type"] == "video_url"]
    assert [length(url) for url in videos] == [FRAMES, 10, FRAMES]
    assert all(set(part["video_url"]) == {"url"} for part in message["content"] if part["type"] == "video_url")
    assert gallery._bytes_in_use == 0, "what was lent is given back"


def test_a_broken_clip_is_told_and_not_sent(tmp_path: Path, clip: Path) -> None:
    path = tmp_path / "cut.mp4"
    path.write_bytes(clip.read_bytes()[:-200])
    gallery = ThreadedMediaLoader(RenderCache(tmp_path / "pictures", {"cut": path}))
    with Loopback(says_b) as server:
        model = ChatClient(ModelName.parse("vllm:m"), Endpoint(server.url, None), ModelContext(gallery, _unknown))
        with raises(MediaError, path):
            asyncio.run(replies(model, ask(VideoSpec("cut"))))
        assert not server.seen
    gallery.close()


def _unknown(_: str) -> Any:
    raise AssertionError("a model that is asked has no business with questions")


VIDEO = VideoSpec("red")
REFUSED = {
    "a provider without videos": ("openai:gpt-5", {}, (VIDEO,), ("gpt-5", "--input frames")),
    "said by the user": ("vllm:m", {"video": False}, (VIDEO,), ("--input frames",)),
    "one image, so no video": ("vllm:m", {"most_images": 1}, (VIDEO,), ("--input frames",)),
    "a server that takes videos otherwise": ("transformers:m", {}, (VIDEO,), ("transformers:m", "--input frames")),
    "the same, elsewhere": ("ollama:m@http://localhost:1/v1", {}, (VIDEO,), ("ollama:m", "--input frames")),
    "not documented": ("google:gemini-2.5-pro", {}, (VIDEO,), ("--input frames",)),
    "one image, by a server that takes videos": ("sglang:m", {"most_images": 1}, (VIDEO,), ("--input frames",)),
    "too many images": ("groq:m", {}, (picture("red"),) * 6, ("5", "6")),
    "too many, says the user": ("vllm:m", {"most_images": 1}, (picture("red"),) * 2, ("1", "2")),
}  # fmt: skip


@pytest.mark.parametrize(("name", "own", "shown", "data"), REFUSED.values(), ids=REFUSED.keys())
def test_what_a_model_does_not_take_is_not_sent(
    name: str, own: dict[str, Any], shown: tuple[Any, ...], data: tuple[str, ...]
) -> None:
    with Loopback(says_b) as server:
        around = surroundings(content={"red": b"x"}, model_options={name: own})
        model = ChatClient(ModelName.parse(name), Endpoint(server.url, None), around)
        (reply,) = asyncio.run(replies(model, ask("Which?", *shown)))
        assert not server.seen
    assert (reply.finish, reply.permanent) == (FinishReason.UNSUPPORTED, True)
    assert_carries(reply.error, *data, f'[models."{name}"]', "affordance.toml")


SENT = {
    "nobody said": ("together:m", {}, (VIDEO, VIDEO)),
    "a server that takes them": ("vllm:m", {}, (VIDEO, VIDEO)),
    "another": ("sglang:m@http://localhost:1/v1", {}, (VIDEO,)),
    "a router": ("openrouter:qwen/qwen3-vl", {}, (VIDEO,)),
    "a newer server": ("transformers:m", {"video": True}, (VIDEO,)),
    "a server of one's own": ("openai:m@http://localhost:1/v1", {}, (VIDEO,)),
    "the user knows better": ("openai:gpt-5", {"video": True}, (VIDEO,)),
    "one image, and videos": ("vllm:m", {"most_images": 1, "video": True}, (VIDEO, picture("red"))),
    "as many as it takes": ("groq:m", {}, (picture("red"),) * 5),
    "more than others take": ("groq:m", {"most_images": 9}, (picture("red"),) * 9),
    "no video, but none is shown": ("vllm:m", {"video": False}, (picture("red"),)),
}


@pytest.mark.parametrize(("name", "own", "shown"), SENT.values(), ids=SENT.keys())
def test_what_a_model_takes_is_sent(name: str, own: dict[str, Any], shown: tuple[Any, ...]) -> None:
    with Loopback(says_b) as server:
        around = surroundings(content={"red": b"x"}, model_options={name: own})
        model = ChatClient(ModelName.parse(name), Endpoint(server.url, None), around)
        (reply,) = asyncio.run(replies(model, ask("Which?", *shown)))
        assert reply.finish is FinishReason.STOP
        (seen,) = server.seen
    assert not {"video", "most_images"} & seen.body.keys()


def test_local_providers_are_local() -> None:
    local = {name: provider for name, provider in PROVIDERS.items() if provider.is_local}
    assert set(local) == {"llamacpp", "lmstudio", "ollama", "sglang", "transformers", "vllm"}
    assert all(provider.base_url.startswith("http://localhost:") for provider in local.values())


def test_an_error_of_a_server_that_is_not_known_says_that_there_was_a_video() -> None:
    async def fails(_: Seen, __: web.Request) -> web.StreamResponse:
        return web.json_response({"detail": "Incorrect format used for the file."}, status=422)

    with Loopback(fails) as server:
        around = surroundings(content={"red": b"x"})
        model = ChatClient(ModelName.parse(f"openai:m@{server.url}"), Endpoint(server.url, None), around)
        with_video, without = asyncio.run(replies(model, ask("Which?", VIDEO), ask("Which?", picture("red"))))
    assert with_video.finish is without.finish is FinishReason.ERROR
    assert_carries(with_video.error, without.error, "--input frames")
    assert "--input frames" not in without.error


def test_limits_come_out_of_the_file_and_parameters_stay() -> None:
    config = ConfigFile.model_validate({"models": {"vllm:m": {"max_tokens": 10, "video": False, "most_images": 3}}})
    own = config.models["vllm:m"]
    assert without_limits(own) == {"max_tokens": 10}
    assert image_limits(ModelName.parse("vllm:m"), own) == ImageLimits(3, False)


@pytest.mark.parametrize(
    "own", [{"video": "no"}, {"most_images": True}, {"most_images": -1}, {"most_images": "1"}], ids=str
)
def test_limits_that_are_none(own: dict[str, Any]) -> None:
    ((name, value),) = own.items()
    with raises(UserError, name, repr(value)):
        image_limits(ModelName.parse("vllm:m"), own)


def test_no_images_at_all_is_a_limit() -> None:
    assert image_limits(ModelName.parse("vllm:m"), {"most_images": 0}).max_images == 0
