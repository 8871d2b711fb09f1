"""An aiohttp server on loopback in a thread of its own: `with` starts and stops it."""

import asyncio
import threading
from abc import ABC, abstractmethod
from asyncio.trsock import TransportSocket
from typing import Self

from aiohttp import web

from patience import PATIENCE


class ThreadedServer(ABC):
    @abstractmethod
    async def start(self) -> None:
        """Called in the loop of the thread; serves applications by `self.serve`."""

    async def serve(self, app: web.Application, port: int = 0) -> str:
        """Returns the address; port 0 is any that is free."""
        self.runner = runner = web.AppRunner(app, shutdown_timeout=0.2)
        self._runners.append(runner)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        (socket,) = site._server.sockets
        self._listening.append(socket)
        return f"http://127.0.0.1:{socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(ready)), daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    async def _run(self, ready: threading.Event) -> None:
        self.loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._runners: list[web.AppRunner] = []
        self._listening: list[TransportSocket] = []
        await self.start()
        ready.set()
        await self._stopping.wait()
        # Python leaves a connection open that is let in while its server is closed; that takes some rounds of the loop.
        for socket in self._listening:
            self.loop.remove_reader(socket.fileno())
        for _ in range(3):
            await asyncio.sleep(0)
        for runner in self._runners:
            assert runner.server is not None
            for site in [*runner.sites]:
                await site.stop()
            for _ in range(5):  # who was let in before that is among the connections after some rounds of the loop
                await asyncio.sleep(0)
            transports = [one.transport for one in runner.server.connections if one.transport is not None]
            await runner.cleanup()
            for transport in transports:  # what has not been sent would keep them open
                transport.abort()
