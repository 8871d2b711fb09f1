"""Pictures for models: found by content digest, rendered in threads, kept in the picture cache."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from affordance.core.picture import Picture
from affordance.media import Darkroom


class RenderedGallery:
    """Decoding and encoding release the interpreter's lock, so a few threads use the cores there are."""

    def __init__(self, folder: Path, threads: int = 2) -> None:
        self._files: dict[str, Path] = {}
        self._darkroom = Darkroom(folder, self._files)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="darkroom")

    def locate(self, files: Mapping[str, Path]) -> None:
        """Say where sources lie. Asks do not: a path may give the truth away."""
        self._files.update(files)

    async def encoded(self, pictures: Sequence[Picture]) -> list[bytes]:
        return await self._in_thread(self._darkroom.rendered, pictures)

    async def base64(self, pictures: Sequence[Picture]) -> list[bytes]:
        ready = self._darkroom.recall(pictures)
        return ready if ready is not None else await self._in_thread(self._darkroom.base64, pictures)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    async def _in_thread(
        self, render: Callable[[Sequence[Picture]], list[bytes]], pictures: Sequence[Picture]
    ) -> list[bytes]:
        return await asyncio.get_running_loop().run_in_executor(self._pool, render, pictures)
