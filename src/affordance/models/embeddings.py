"""The client of embeddings endpoints: one text, one request, one vector.

Endpoints accept several texts in one request; the ledger keeps one response per request, so no text is embedded twice.
The vector is stored in the text of the response, as JSON with base64 of 32-bit floats: a quarter of the size of
decimals.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import aiohttp
import numpy as np
from numpy.typing import NDArray

from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.core.requests import Request, Response
from affordance.models.completion import parse_body, parse_usage
from affordance.models.http import HttpEndpoint
from affordance.models.model import Model, ModelContext, unsupported_response
from affordance.models.parameters import without_null
from affordance.models.provider_errors import error_response
from affordance.models.providers import PROVIDERS, Endpoint, Provider, find_endpoint

MAX_DIMENSIONS = 2**16

# Parameters of models that generate text, which an embeddings endpoint may refuse.
_GENERATION_PARAMETERS = frozenset(
    {"temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "seed", "stop", "n", "reasoning_effort"}
)


class EmbeddingClient:
    """A model at an embeddings endpoint. It is sent the text of a request; an image is an error."""

    dialect = ""
    answers_by_question = False

    def __init__(self, name: ModelName, endpoint: Endpoint, context: ModelContext) -> None:
        self.name = str(name)
        self._model = name.model
        self._endpoint = HttpEndpoint(endpoint, "/embeddings", context.timeout)
        self.base_url = self._endpoint.base_url

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return {name: value for name, value in without_null(parameters).items() if name not in _GENERATION_PARAMETERS}

    async def send(self, request: Request) -> Response:
        if request.media:
            return unsupported_response(f"{self.name} embeds texts only, found an image")
        text = "\n".join(part for message in request.messages for part in message.parts if isinstance(part, str))
        body = {**self.request_parameters(request.parameters), "model": self._model, "input": text}
        return await self._endpoint.post(aiohttp.JsonPayload(body), _parse_embedding)

    async def close(self) -> None:
        await self._endpoint.close()


def build_embedding_model(
    name: ModelName, context: ModelContext, providers: Mapping[str, Provider] = PROVIDERS
) -> Model:
    """The embeddings model of a name; raises a `UserError` if it is unknown or lacks a key."""
    return EmbeddingClient(name, find_endpoint(name, providers, context.key_env), context)


def write_embedding(vector: NDArray[np.float32]) -> str:
    """A vector as the text of a response."""
    content = b64encode(np.asarray(vector, "<f4").tobytes()).decode()
    return json.dumps({"embedding": content, "dimensions": len(vector)})


def read_embedding(text: str) -> NDArray[np.float32] | str:
    """The vector in the text of a response, or in one line what is wrong with it."""
    try:
        found = json.loads(text)
        content, dimensions = found["embedding"], found["dimensions"]
        vector = np.frombuffer(b64decode(content, validate=True), "<f4")
    except (ValueError, TypeError, KeyError, RecursionError):
        return "expected an embedding as base64 of 32-bit floats with its dimensions, found something else"
    return _vector_error(vector) or (
        np.asarray(vector, np.float32)
        if len(vector) == dimensions
        else f"expected an embedding of {dimensions} numbers, found {len(vector)}"
    )


def _parse_embedding(status: int, headers: Mapping[str, str], body: bytes) -> Response:
    return parse_body(status, headers, body, _parse_vector)


def _parse_vector(found: dict[str, Any]) -> Response:
    data = found.get("data")
    first = data[0] if isinstance(data, list) and data else None
    vector = _read_numbers(first.get("embedding") if isinstance(first, dict) else None)
    if isinstance(vector, str):
        return error_response(
            f"status 200: {vector}; does {found.get('model') or 'this model'} make embeddings?", permanent=True
        )
    return Response(
        text=write_embedding(vector), usage=parse_usage(found.get("usage")), served_by=str(found.get("model") or "")
    )


def _read_numbers(found: Any) -> NDArray[np.float32] | str:
    """The vector of a response: a list of numbers, or base64 if the user requested that."""
    try:
        if isinstance(found, str):
            vector = np.frombuffer(b64decode(found, validate=True), "<f4")
        elif isinstance(found, list) and len(found) <= MAX_DIMENSIONS and all(type(n) in (int, float) for n in found):
            with np.errstate(over="ignore"):  # infinity is an error below
                vector = np.array(found, np.float64).astype("<f4")
        else:
            return "expected an embedding of numbers, found none"
    except (ValueError, OverflowError):
        return "expected an embedding of numbers, found something else"
    return _vector_error(vector) or vector


def _vector_error(vector: NDArray[np.float32]) -> str:
    if not 0 < len(vector) <= MAX_DIMENSIONS:
        return f"expected an embedding of 1 to {MAX_DIMENSIONS} numbers, found {len(vector)}"
    return (
        ""
        if np.isfinite(vector).all() and vector.any()
        else "expected an embedding with a direction, found zeros, NaN or infinity"
    )
