"""A real HTTP server on loopback that hands out pictures, and fails in every way that tests ask for."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from threaded_server import ThreadedServer

Respond = Callable[[web.Request, int], Awaitable[web.StreamResponse]]


def sends(content: bytes, kind: str = "image/png") -> Respond:
    async def respond(request: web.Request, number: int) -> web.StreamResponse:
        return web.Response(body=content, content_type=kind)

    return respond


def fails(status: int, times: int, then: Respond, **headers: str) -> Respond:
    """The first so many times."""

    async def respond(request: web.Request, number: int) -> web.StreamResponse:
        if number <= times:
            return web.Response(status=status, headers={name.replace("_", "-"): text for name, text in headers.items()})
        return await then(request, number)

    return respond


def moves(to: str) -> Respond:
    async def respond(request: web.Request, number: int) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": to})

    return respond


def hangs() -> Respond:
    async def respond(request: web.Request, number: int) -> web.StreamResponse:
        await asyncio.sleep(600)
        return web.Response()

    return respond


@dataclass
class PictureServer(ThreadedServer):
    """`with PictureServer({"/a.png": sends(...)}) as server:` serves at `server.url`."""

    paths: dict[str, Respond]
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    most_at_once: int = 0
    url: str = ""

    @property
    def counts(self) -> Counter[str]:
        return Counter(path for path, _ in self.seen)

    async def start(self) -> None:
        self._at_once = 0
        app = web.Application()
        app.router.add_get("/{path:.*}", self._handle)
        self.url = await self.serve(app)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        self.seen.append((request.path, dict(request.headers)))
        self.times.append(time.monotonic())
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            respond = self.paths.get(request.path)
            return await respond(request, self.counts[request.path]) if respond else web.Response(status=404)
        finally:
            self._at_once -= 1
