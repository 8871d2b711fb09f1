"""Images and videos for model clients: rendered in threads, kept in the render cache."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from affordance.core.media_spec import MediaSpec
from affordance.media import RenderCache

MAX_BYTES_IN_USE = 64 * 2**20  # bytes


class ThreadedMediaLoader:
    """Loads rendered media in a few threads; decoding and encoding release the interpreter's lock.

    Base64 text counts as in use until it is released. Above `MAX_BYTES_IN_USE`, further requests wait.
    """

    def __init__(self, render_cache: RenderCache, threads: int = 2) -> None:
        self._render_cache = render_cache
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="media-loader")
        self._loading = asyncio.Semaphore(threads)
        self._bytes_in_use = 0
        self._released = asyncio.Event()

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]:
        """Encoded files, in the order given."""
        return await self._run_in_thread(self._render_cache.get, media)

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        """Base64 text, in the order given; pass it to `release` after use."""
        images = self._render_cache.peek_base64(media) if self._bytes_in_use < MAX_BYTES_IN_USE else None
        if images is None:
            # One after the other: the size is known only after loading.
            async with self._loading:
                while self._bytes_in_use >= MAX_BYTES_IN_USE:
                    self._released.clear()
                    await self._released.wait()
                images = await self._run_in_thread(self._render_cache.get_base64, media)
        self._bytes_in_use += sum(map(len, images))
        return images

    def size(self, spec: MediaSpec) -> tuple[int, ...]:
        """Width and height of an image or video as it is sent, and of a video the number of its frames."""
        return self._render_cache.size(spec)

    def release(self, images: Sequence[bytes]) -> None:
        """Count loaded text as no longer in use."""
        self._bytes_in_use -= sum(map(len, images))
        self._released.set()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    async def _run_in_thread(
        self, render: Callable[[Sequence[MediaSpec]], list[bytes]], media: Sequence[MediaSpec]
    ) -> list[bytes]:
        return await asyncio.get_running_loop().run_in_executor(self._pool, render, media)
