"""The client of embeddings endpoints against a real server on loopback."""

import asyncio
import base64
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from model_samples import ask, picture, surroundings

from affordance.core.errors import MissingApiKey
from affordance.core.model_name import ModelName
from affordance.core.requests import FinishReason, Request, Response, TokenUsage
from affordance.models.embeddings import EmbeddingClient, build_embedding_model, read_embedding, write_embedding
from affordance.models.providers import Endpoint
from errors import assert_carries, raises
from loopback import Behaviour, Loopback, Seen, after
from patience import PATIENCE

KEY = "sk-planted-0123456789"
VECTOR = [0.25, -0.5, 1.0]


def says(embedding: Any, status: int = 200, **more: Any) -> Behaviour:
    async def behaviour(_: Seen, __: web.Request) -> web.StreamResponse:
        data = [{"object": "embedding", "index": 0, "embedding": embedding}]
        usage = {"prompt_tokens": 7, "total_tokens": 7}
        return web.json_response({"data": data, "model": "served", "usage": usage, **more}, status=status)

    return behaviour


def put(
    behaviour: Behaviour, one: Request | None = None, key: str | None = None, tail: str = "", timeout: float = PATIENCE
) -> tuple[Response, Loopback]:
    async def asked(url: str) -> Response:
        name = ModelName.parse("vllm:some/embedder")
        model = EmbeddingClient(name, Endpoint(url + tail, key), surroundings(timeout=timeout))
        try:
            return await model.send(one or ask("A row of the list."))
        finally:
            await model.close()

    with Loopback(behaviour) as server:
        reply = asyncio.run(asked(server.url))
    return reply, server


def test_a_vector() -> None:
    reply, server = put(says(VECTOR), key=KEY)
    assert (reply.finish, reply.usage, reply.served_by) == (FinishReason.STOP, TokenUsage(input=7), "served")
    found = read_embedding(reply.text)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == VECTOR
    (seen,) = server.seen
    assert seen.body == {"model": "some/embedder", "input": "A row of the list."}
    assert seen.headers["Authorization"] == f"Bearer {KEY}"


def test_a_vector_as_base64() -> None:
    reply, server = put(
        says(base64.b64encode(np.array(VECTOR, "<f4").tobytes()).decode()),
        ask("Text", parameters={"encoding_format": "base64", "dimensions": 3, "temperature": 0.0, "max_tokens": 5}),
    )
    found = read_embedding(reply.text)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == VECTOR
    sent = server.seen[0].body  # what is about writing is not sent
    assert sent == {"model": "some/embedder", "input": "Text", "encoding_format": "base64", "dimensions": 3}


@pytest.mark.parametrize(
    "embedding",
    [
        pytest.param(None, id="nothing"),
        pytest.param([], id="empty"),
        pytest.param([0.0, 0.0], id="zeros"),
        pytest.param([1e300, 1.0], id="too large"),
        pytest.param([10**400, 1.0], id="far too large"),
        pytest.param(["1", "2"], id="texts"),
        pytest.param([True, False], id="truths"),
        pytest.param([[1.0]], id="of tokens"),
        pytest.param("%%%", id="no base64"),
        pytest.param("AAA=", id="half a number"),
        pytest.param([1.0] * (2**16 + 1), id="too many"),
    ],
)
def test_an_answer_without_a_vector_is_a_failure(embedding: Any) -> None:
    reply, _ = put(says(embedding))
    assert (reply.finish, reply.permanent) == (FinishReason.ERROR, True)
    assert_carries(reply.error)


def test_the_longest_vector_is_one() -> None:
    reply, _ = put(says([1.0] * 2**16))
    assert reply.finish is FinishReason.STOP


@pytest.mark.parametrize(
    ("behaviour", "permanent", "error"),
    [
        pytest.param(says(VECTOR, status=429, error={"message": "slow down"}), False, "slow down", id="throttled"),
        pytest.param(says(VECTOR, status=404, error={"message": "no such model"}), True, "no such model", id="unknown"),
        pytest.param(says(VECTOR, data=[]), True, "", id="no data"),
    ],
)
def test_failures_are_replies(behaviour: Behaviour, permanent: bool, error: str) -> None:
    reply, _ = put(behaviour)
    assert (reply.finish, reply.permanent) == (FinishReason.ERROR, permanent)
    assert error in reply.error


def test_a_server_that_hangs() -> None:
    reply, _ = put(after(600, says(VECTOR)), timeout=0.5)
    assert (reply.finish, reply.permanent) == (FinishReason.ERROR, False)
    assert_carries(reply.error, "0.5")


def test_secrets_are_scrubbed_and_redirects_not_followed() -> None:
    reply, _ = put(says(VECTOR, status=401, error={"message": f"bad key {KEY}"}), key=KEY)
    assert_carries(reply.error, 401, "bad key [key]")
    assert KEY not in reply.error

    async def away(_: Seen, __: web.Request) -> web.StreamResponse:
        raise web.HTTPTemporaryRedirect("/v1/embeddings?again")

    reply, server = put(away, key=KEY)
    assert reply.failed
    assert len(server.seen) == 1


def test_a_picture_is_not_sent() -> None:
    reply, server = put(says(VECTOR), ask("Look:", picture("red")))
    assert (reply.finish, reply.permanent) == (FinishReason.UNSUPPORTED, True)
    assert server.seen == []


def test_built_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_embedding_model(
        ModelName.parse("vllm:some/embedder@http://u:secret12@127.0.0.1:9/v1?k=v"), surroundings()
    )
    assert model.base_url == "http://127.0.0.1:9/v1"
    assert "secret12" not in model.name
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with raises(MissingApiKey, "OPENAI_API_KEY"):
        build_embedding_model(ModelName.parse("openai:text-embedding-3-large"), surroundings())


@settings(max_examples=40)
@given(arrays(np.float32, st.integers(1, 40), elements=st.floats(-1e6, 1e6, width=32)))
def test_round_trip(vector: np.ndarray) -> None:
    found = read_embedding(write_embedding(vector))
    if vector.any():
        assert isinstance(found, np.ndarray)
        assert found.tolist() == vector.tolist()
    else:
        assert isinstance(found, str)


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{}", '{"embedding": 3, "dimensions": 1}', '{"embedding": "AAA", "dimensions": 1}',
     '{"embedding": "AACAPw==", "dimensions": 2}', '{"embedding": "AADAfw==", "dimensions": 1}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_embedding_is_told_in_one_line(text: str) -> None:
    found = read_embedding(text)
    assert isinstance(found, str)
    assert_carries(found)
