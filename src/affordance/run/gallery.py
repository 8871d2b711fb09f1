"""Pictures and videos for models: found by content digest, rendered in threads, kept in the picture cache."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from affordance.core.picture import Visual
from affordance.media import Darkroom

MOST_ON_LOAN = 64 * 2**20  # bytes


class RenderedGallery:
    """Decoding and encoding release the interpreter's lock, so a few threads use the cores there are. Pictures are
    lent: while many bytes are out, the next ones are not even loaded."""

    def __init__(self, darkroom: Darkroom, threads: int = 2) -> None:
        self._darkroom = darkroom
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="darkroom")
        self._loading = asyncio.Semaphore(threads)
        self._on_loan = 0
        self._returned = asyncio.Event()

    async def encoded(self, pictures: Sequence[Visual]) -> list[bytes]:
        return await self._in_thread(self._darkroom.rendered, pictures)

    async def base64(self, pictures: Sequence[Visual]) -> list[bytes]:
        images = self._darkroom.recall(pictures) if self._on_loan < MOST_ON_LOAN else None
        if images is None:
            # One after the other: how much the next will take is known only when it is there.
            async with self._loading:
                while self._on_loan >= MOST_ON_LOAN:
                    self._returned.clear()
                    await self._returned.wait()
                images = await self._in_thread(self._darkroom.base64, pictures)
        self._on_loan += sum(map(len, images))
        return images

    def size(self, visual: Visual) -> tuple[int, ...]:
        """Width and height of a picture or video as it is sent, and of a video the number of its frames."""
        return self._darkroom.size(visual)

    def give_back(self, images: Sequence[bytes]) -> None:
        self._on_loan -= sum(map(len, images))
        self._returned.set()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    async def _in_thread(
        self, render: Callable[[Sequence[Visual]], list[bytes]], pictures: Sequence[Visual]
    ) -> list[bytes]:
        return await asyncio.get_running_loop().run_in_executor(self._pool, render, pictures)
