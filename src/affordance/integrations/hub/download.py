"""One file, from wherever it is into the store: gone on with where it was cut, and verified before it is taken."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import aiohttp

from affordance.core.errors import UserError
from affordance.core.http import public_url
from affordance.integrations.hub.durable import disk_errors, file_lock
from affordance.integrations.hub.listing import RemoteFile
from affordance.integrations.hub.store import DownloadStore
from affordance.integrations.hub.web import HubClient, RangeNotSatisfiable, TransientError

BLOCK_BYTES = 2**18
MAX_ATTEMPTS = 2  # a file that came wrong is fetched once more, from the beginning
LFS_POINTER = b"version https://git-lfs.github.com/spec/"

Tick = Callable[[int], None]  # so many bytes more, or fewer where they were for nothing


async def download_file(web: HubClient, store: DownloadStore, remote: RemoteFile, tick: Tick) -> None:
    with file_lock(store.part(remote), remote.path):
        if await asyncio.to_thread(store.has, remote):
            store.part(remote).unlink(missing_ok=True)
            return
        for _ in range(MAX_ATTEMPTS):
            if "://" in remote.place:
                await _resume(web, store.part(remote), remote, tick)
            else:
                await asyncio.to_thread(_copy, store.part(remote), remote, tick)
            _reject_lfs_pointer(store.part(remote), remote)
            if await asyncio.to_thread(store.accept_part, remote):
                return
            tick(-remote.size)
    raise UserError(
        f"{public_url(remote.place)}: expected {remote.size} bytes with the checksum {remote.checksum}, found others, "
        f"{MAX_ATTEMPTS} times; nothing of it is kept: try again later, or a mirror with --from"
    )


async def _resume(web: HubClient, part: Path, remote: RemoteFile, tick: Tick) -> None:
    def here() -> int:
        return part.stat().st_size if part.is_file() else 0

    async def attempt() -> None:
        start = here()
        if start > remote.size:
            _truncate(part, tick)
            start = 0
        if start == remote.size:
            return
        try:
            async with web.open(remote.place, start) as response:
                if start and not _is_continuation(response, start):
                    _truncate(part, tick)
                await _receive(response, part, remote, tick)
        except RangeNotSatisfiable:
            _truncate(part, tick)
            raise
        if here() < remote.size:
            raise TransientError(
                f"{public_url(remote.place)}: expected {remote.size} bytes, found {here()} and then the end"
            )

    await web.retry(attempt, here)


async def _receive(response: aiohttp.ClientResponse, part: Path, remote: RemoteFile, tick: Tick) -> None:
    with disk_errors(part), part.open("ab") as file:
        async for block in response.content.iter_chunked(BLOCK_BYTES):
            file.write(block)
            file.flush()
            tick(len(block))
            if file.tell() > remote.size:
                return  # it is another file; who compares will see


def _is_continuation(response: aiohttp.ClientResponse, start: int) -> bool:
    """Whether the server sends what was asked for, and not all from the beginning."""
    return response.status == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {start}-")


def _truncate(part: Path, tick: Tick) -> None:
    tick(-part.stat().st_size)
    with disk_errors(part), part.open("rb+") as file:
        file.truncate()


def _reject_lfs_pointer(part: Path, remote: RemoteFile) -> None:
    """A file that only says which large file should be there is whole, and still of no use."""
    with part.open("rb") as file:
        if file.read(len(LFS_POINTER)) != LFS_POINTER:
            return
    part.unlink()
    raise UserError(
        f"{public_url(remote.place)}: expected the file, found where a large one would be; get it with git lfs, and "
        "give that folder with --from"
    )


def _copy(part: Path, remote: RemoteFile, tick: Tick) -> None:
    with disk_errors(part), part.open("wb") as file:
        try:
            with Path(remote.place).open("rb") as content:
                while block := content.read(BLOCK_BYTES):
                    file.write(block)
                    tick(len(block))
        except FileNotFoundError:
            raise UserError(f"--from: expected a file {remote.place}, found none; is the folder whole?") from None
