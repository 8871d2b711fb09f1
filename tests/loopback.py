"""A real HTTP server on loopback that speaks chat-completions and embeddings, and fails in every way tests ask for."""

import asyncio
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from patience import PATIENCE
from threaded_server import ThreadedServer


@dataclass
class Seen:
    """One request as the server got it."""

    body: dict[str, Any]
    headers: dict[str, str]
    number: int  # of this ask: 1 when it comes for the first time
    key: str

    @property
    def text(self) -> str:
        parts = self.body["messages"][0]["content"]
        return "".join(part["text"] for part in parts if part["type"] == "text")

    @property
    def images(self) -> list[str]:
        parts = self.body["messages"][0]["content"]
        return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]

    def letter_of(self, option: str) -> str:
        found = re.search(rf"^([A-Z])\. {option}\b", self.text, re.MULTILINE)
        assert found is not None
        return found[1]


Behaviour = Callable[[Seen, web.Request], Awaitable[web.StreamResponse]]


def completion(text: str, *, served_as: str = "served-model", **changes: Any) -> web.Response:
    """A usual answer; `changes` go into its only choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **changes}
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return web.json_response({"model": served_as, "choices": [choice], "usage": usage})


async def says_move(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion(f"{seen.letter_of('Move')}\nIt goes from left to right.")


def after(seconds: float, behaviour: Behaviour = says_move) -> Behaviour:
    async def late(seen: Seen, request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return await behaviour(seen, request)

    return late


@dataclass
class Loopback(ThreadedServer):
    """`with Loopback(behaviour) as server:` serves at `server.url` from a thread of its own."""

    behaviour: Behaviour = says_move
    seen: list[Seen] = field(default_factory=list)
    answered: Counter[str] = field(default_factory=Counter)  # by ask
    most_at_once: int = 0
    most_answers: float = math.inf  # those that are left get none until `go_on`
    port: int = 0  # 0 for any that is free
    url: str = ""

    def go_on(self) -> None:
        self.most_answers = math.inf
        self.loop.call_soon_threadsafe(self._more.set)

    def settle(self) -> None:
        """Waits until whoever has asked is gone, and nothing is left to be answered: `seen` is complete."""
        asyncio.run_coroutine_threadsafe(self._settled(), self.loop).result(PATIENCE)

    @property
    def counts(self) -> Counter[str]:
        return Counter(one.key for one in self.seen)

    async def start(self) -> None:
        self._more, self._at_once = asyncio.Event(), 0
        app = web.Application(client_max_size=64 * 2**20)
        for path in ("/v1/chat/completions", "/v1/embeddings"):
            app.router.add_post(path, self._handle)
        self.url = f"{await self.serve(app, self.port)}/v1"

    async def _settled(self) -> None:
        rounds = 0  # of the loop, one after the other: who has knocked is let in, and is heard, in the next ones
        while rounds < 5:
            await asyncio.sleep(0.01)
            assert self.runner.server is not None
            rounds = 0 if self._at_once or self.runner.server.connections else rounds + 1

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        key = hashlib.sha256(raw).hexdigest()
        seen = Seen(json.loads(raw), dict(request.headers), self.counts[key] + 1, key)
        self.seen.append(seen)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            response = await self.behaviour(seen, request)
            while self.answered.total() >= self.most_answers:
                self._more.clear()
                await self._more.wait()
            self.answered[key] += 1
            return response
        finally:
            self._at_once -= 1
