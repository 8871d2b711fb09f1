"""A real HTTP server on loopback that hands out pictures, and fails in every way that tests ask for."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self

from aiohttp import web

from patience import PATIENCE

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
class PictureServer:
    """`with PictureServer({"/a.png": sends(...)}) as server:` serves at `server.url`."""

    paths: dict[str, Respond]
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    most_at_once: int = 0
    url: str = ""

    @property
    def counts(self) -> Counter[str]:
        return Counter(path for path, _ in self.seen)

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop, self._at_once = asyncio.get_running_loop(), asyncio.Event(), 0
        app = web.Application()
        app.router.add_get("/{path:.*}", self._handle)
        runner = web.AppRunner(app, shutdown_timeout=0.2)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        ready.set()
        await self._stop.wait()
        await runner.cleanup()

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
