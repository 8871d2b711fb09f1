"""A model of Inspect's as one of ours."""

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspect_ai.model import GenerateConfig, Model
from inspect_ai.util import LimitExceededError

from affordance.bridge.inspect.faults import fault_of
from affordance.bridge.inspect.messages import chat_messages, config_of, parameters_of, reply_of
from affordance.bridge.inspect.model import NO_KEY
from affordance.core.ask import Ask, Reply
from affordance.core.digest import Json
from affordance.core.names import ModelName, public_url
from affordance.models.base import Surroundings
from affordance.models.completion import failure
from affordance.models.limits import limits_of, refusal
from affordance.models.posting import scrubbed, secrets_of, without, without_key
from affordance.models.profiles import fit
from affordance.models.providers import Endpoint
from affordance.models.secrets import secrets_around

# How often and how many at once is the runner's to say: it keeps to what it is told, and Inspect is to ask just once.
_ONCE = GenerateConfig(max_retries=0, max_connections=10_000, adaptive_connections=False, cache=False)
_SHORTEST_KEY = 12  # characters; what is shorter may be a word of an answer


class InspectModel:
    """A failure is a reply too, and nothing that it gives holds a key, whoever repeats one. `alone` is one that nobody
    else asks: then the runner paces and repeats asks. One that Inspect lends us is asked as Inspect is told to."""

    dialect = ""
    by_question = False

    def __init__(self, name: ModelName, model: Model, surroundings: Surroundings, *, alone: bool) -> None:
        self.name = str(name)
        self.base_url = public_url(model.api.base_url or f"inspect:{name.model.partition('/')[0]}")
        self._name = name
        self._model = model
        self._alone = alone
        self._gallery = surroundings.gallery
        self._timeout = surroundings.timeout if alone else None
        self._limits = limits_of(name, surroundings.own.get(self.name, {}))
        self._parameters: Mapping[str, Json] | None = None  # those that the configuration below was made from
        self._config = GenerateConfig()

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return parameters_of(config_of(fit(self._name, parameters)))

    def refusal(self, ask: Ask) -> Reply | None:
        return refusal(self._name, self._limits, ask)

    async def reply(self, ask: Ask) -> Reply:
        if (refused := self.refusal(ask)) is not None:
            return refused
        images = await self._gallery.base64(ask.visuals) if ask.visuals else []
        started = time.perf_counter()
        try:
            reply = await self._asked(ask, images)
        finally:
            self._gallery.give_back(images)
        api, seconds = self._model.api, time.perf_counter() - started
        sent = secrets_sent(api.base_url, api.api_key, api.api_key_vars)
        around = [*sent, *secrets_around()]  # models do not know the others, so answers are left alone
        told = replace(reply, error=without(around, reply.error), served_by=without(around, reply.served_by))
        return scrubbed(told, sent, seconds)

    async def close(self) -> None:
        if self._alone:
            await self._model.api.aclose()

    def configured(self, parameters: Mapping[str, Json]) -> GenerateConfig:
        """How Inspect is to ask with these parameters."""
        if parameters is not self._parameters:
            config = config_of(parameters)
            self._parameters, self._config = parameters, config.merge(_ONCE) if self._alone else config
        return self._config

    async def _asked(self, ask: Ask, images: Sequence[bytes]) -> Reply:
        config = self.configured(ask.parameters)
        asking = self._model.generate(chat_messages(ask, images), config=config)
        try:
            async with asyncio.timeout(self._timeout) as limit:
                # Inspect keeps what it did, pictures and all, as long as the task lives: so it gets one of its own.
                return reply_of(await (asyncio.create_task(asking) if self._alone else asking))
        except LimitExceededError:
            raise  # the user's limit on a sample of Inspect's
        except Exception as error:  # noqa: BLE001  # each provider raises the errors of its own library
            if limit.expired():
                return failure(f"{self.base_url} did not answer within {self._timeout:g} s", permanent=False)
            reply = fault_of(error, self._model)
            refused = self._model.api.api_key == NO_KEY and reply.error.startswith("status 401")
            return without_key(reply) if refused else reply


def secrets_sent(base_url: str | None, key: str | None, variables: Sequence[str]) -> list[str]:
    """What a model's endpoint is sent, and may repeat in an answer: its keys, and what is in the URL beside the
    address."""
    keys = {value.strip() for name in variables if (value := os.environ.get(name))} | ({key} if key else set())
    known = sorted((one for one in keys if len(one) >= _SHORTEST_KEY), key=len, reverse=True)
    return [*known, *secrets_of(Endpoint(base_url or "", None))]
