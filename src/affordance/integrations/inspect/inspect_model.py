"""Models of Inspect as models of Affordance."""

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

# The executor retries and limits concurrency, so Inspect must send each request once.
_SINGLE_ATTEMPT = GenerateConfig(max_retries=0, max_connections=10_000, adaptive_connections=False, cache=False)
_MIN_KEY_LENGTH = 12  # characters; a shorter value may be a word of an answer


class InspectModel:
    """A model of Inspect. Failures are responses, and no response holds a key.

    An `owned` model is used by the executor alone, which retries and limits requests; any other one belongs to an
    evaluation of Inspect, which does so.
    """

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
        self._parameters: Mapping[str, Json] | None = None  # of the cached configuration
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
            response = await self._generate(request, images)
        finally:
            self._media_loader.release(images)
        api, seconds = self._model.api, time.perf_counter() - started
        sent = known_secrets(api.base_url, api.api_key, api.api_key_vars)
        every = [*sent, *environment_secrets()]  # the model cannot know the others, so its text is left alone
        response = replace(response, error=redact(every, response.error), served_by=redact(every, response.served_by))
        return redact_response(response, sent, seconds)

    async def close(self) -> None:
        if self._owned:
            await self._model.api.aclose()

    def generate_config(self, parameters: Mapping[str, Json]) -> GenerateConfig:
        """Inspect's configuration for these parameters."""
        if parameters is not self._parameters:
            config = to_generate_config(parameters)
            self._parameters, self._config = parameters, config.merge(_SINGLE_ATTEMPT) if self._owned else config
        return self._config

    async def _generate(self, request: Request, images: Sequence[bytes]) -> Response:
        config = self.generate_config(request.parameters)
        generating = self._model.generate(to_chat_messages(request, images), config=config)
        try:
            async with asyncio.timeout(self._timeout) as limit:
                # Inspect keeps events with all images as long as the asyncio task lives, so each request has its own.
                return to_response(await (asyncio.create_task(generating) if self._owned else generating))
        except LimitExceededError:
            raise  # a limit that the user set on samples
        except Exception as error:  # noqa: BLE001  # each provider raises the errors of its own library
            if limit.expired():
                return error_response(f"{self.base_url} did not answer within {self._timeout:g} s", permanent=False)
            response = response_from_error(error, self._model)
            needs_key = self._model.api.api_key == NO_KEY and response.error.startswith("status 401")
            return with_key_hint(response) if needs_key else response


def known_secrets(base_url: str | None, key: str | None, variables: Sequence[str]) -> list[str]:
    """Secrets that an endpoint receives and may repeat in a response: keys, and user, password and query of its URL."""
    keys = {value.strip() for name in variables if (value := os.environ.get(name))} | ({key} if key else set())
    known = sorted((one for one in keys if len(one) >= _MIN_KEY_LENGTH), key=len, reverse=True)
    return [*known, *endpoint_secrets(Endpoint(base_url or "", None))]
