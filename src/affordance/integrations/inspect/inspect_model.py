"""A model of Inspect as one of ours."""

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspect_ai.model import GenerateConfig, Model
from inspect_ai.util import LimitExceededError

from affordance.core.http import public_url
from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.core.requests import Request, Response
from affordance.integrations.inspect.conversion import (
    from_generate_config,
    response_from_error,
    to_chat_messages,
    to_generate_config,
    to_response,
)
from affordance.integrations.inspect.model import NO_KEY
from affordance.models.chat import check_limits
from affordance.models.http import with_key_hint
from affordance.models.model import ModelContext
from affordance.models.profile import resolve_profile
from affordance.models.provider_errors import error_response
from affordance.models.providers import Endpoint
from affordance.models.redaction import endpoint_secrets, environment_secrets, redact, redact_response

# How often and how many at once is the runner's to say: it keeps to what it is told, and Inspect is to ask just once.
_SINGLE_ATTEMPT = GenerateConfig(max_retries=0, max_connections=10_000, adaptive_connections=False, cache=False)
_SHORTEST_KEY = 12  # characters; what is shorter may be a word of an answer


class InspectModel:
    """A failure is a reply too, and nothing that it gives holds a key, whoever repeats one. `alone` is one that nobody
    else asks: then the runner paces and repeats asks. One that Inspect lends us is asked as Inspect is told to."""

    dialect = ""
    answers_by_question = False

    def __init__(self, name: ModelName, model: Model, context: ModelContext, *, owned: bool) -> None:
        self.name = str(name)
        self.base_url = public_url(model.api.base_url or f"inspect:{name.model.partition('/')[0]}")
        self._name = name
        self._model = model
        self._owned = owned
        self._media_loader = context.media_loader
        self._timeout = context.timeout if owned else None
        self._profile = resolve_profile(name, context.model_options.get(self.name, {}))
        self._parameters: Mapping[str, Json] | None = None  # those that the configuration below was made from
        self._config = GenerateConfig()

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return from_generate_config(to_generate_config(self._profile.parameters.apply(parameters)))

    def check_limits(self, request: Request) -> Response | None:
        return check_limits(self._profile, request)

    async def send(self, request: Request) -> Response:
        if (refused := self.check_limits(request)) is not None:
            return refused
        images = await self._media_loader.load_base64(request.media) if request.media else []
        started = time.perf_counter()
        try:
            reply = await self._generate(request, images)
        finally:
            self._media_loader.release(images)
        api, seconds = self._model.api, time.perf_counter() - started
        sent = known_secrets(api.base_url, api.api_key, api.api_key_vars)
        around = [*sent, *environment_secrets()]  # models do not know the others, so answers are left alone
        told = replace(reply, error=redact(around, reply.error), served_by=redact(around, reply.served_by))
        return redact_response(told, sent, seconds)

    async def close(self) -> None:
        if self._owned:
            await self._model.api.aclose()

    def generate_config(self, parameters: Mapping[str, Json]) -> GenerateConfig:
        """How Inspect is to ask with these parameters."""
        if parameters is not self._parameters:
            config = to_generate_config(parameters)
            self._parameters, self._config = parameters, config.merge(_SINGLE_ATTEMPT) if self._owned else config
        return self._config

    async def _generate(self, request: Request, images: Sequence[bytes]) -> Response:
        config = self.generate_config(request.parameters)
        asking = self._model.generate(to_chat_messages(request, images), config=config)
        try:
            async with asyncio.timeout(self._timeout) as limit:
                # Inspect keeps what it did, pictures and all, as long as the task lives: so it gets one of its own.
                return to_response(await (asyncio.create_task(asking) if self._owned else asking))
        except LimitExceededError:
            raise  # the user's limit on a sample of Inspect's
        except Exception as error:  # noqa: BLE001  # each provider raises the errors of its own library
            if limit.expired():
                return error_response(f"{self.base_url} did not answer within {self._timeout:g} s", permanent=False)
            reply = response_from_error(error, self._model)
            refused = self._model.api.api_key == NO_KEY and reply.error.startswith("status 401")
            return with_key_hint(reply) if refused else reply


def known_secrets(base_url: str | None, key: str | None, variables: Sequence[str]) -> list[str]:
    """What a model's endpoint is sent, and may repeat in an answer: its keys, and what is in the URL beside the
    address."""
    keys = {value.strip() for name in variables if (value := os.environ.get(name))} | ({key} if key else set())
    known = sorted((one for one in keys if len(one) >= _SHORTEST_KEY), key=len, reverse=True)
    return [*known, *endpoint_secrets(Endpoint(base_url or "", None))]
