"""Fetching what is planned, and putting it into place as a whole."""

import asyncio
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from affordance.core.errors import UserError
from affordance.datasets.image_downloader import DownloadPolicy
from affordance.integrations.hub.checksums import matches_checksum
from affordance.integrations.hub.download import download_file
from affordance.integrations.hub.durable import disk_errors, file_lock, link_or_copy
from affordance.integrations.hub.listing import MANIFEST, UNFINISHED, RemoteFile
from affordance.integrations.hub.manifest import (
    FetchedFile,
    FetchManifest,
    earlier_files,
    known_files,
    write_manifest,
    write_unfinished,
)
from affordance.integrations.hub.planning import FetchPlan, fetched_file
from affordance.integrations.hub.protocols import base_url, token_for
from affordance.integrations.hub.store import DownloadStore, format_bytes, free_bytes, same_disk
from affordance.integrations.hub.web import HUB_POLICY, HubClient

CONCURRENT_FILES = 4  # files
SPARE_BYTES = 16 * 2**20  # bytes that a disk is left with


def fetch_dataset(
    planned: FetchPlan,
    store: DownloadStore,
    *,
    policy: DownloadPolicy = HUB_POLICY,
    tick: Callable[[int], None] = lambda more: None,
) -> FetchManifest:
    """Fetch what is missing, then put all into the folder. Whatever stops it, it can be gone on with."""
    request = planned.request
    with file_lock(store.lock(request.folder), f"into {request.folder}"):
        with disk_errors(request.folder):
            _check_targets(planned)
        download_files(planned, store, policy=policy, tick=tick)
        manifest = _manifest_with_kept_files(planned)
        _move_into_place(planned, store, manifest)
    return manifest


def download_files(
    planned: FetchPlan,
    store: DownloadStore,
    *,
    policy: DownloadPolicy = HUB_POLICY,
    tick: Callable[[int], None] = lambda more: None,
) -> list[Path]:
    """Into the store and no further; where the files are there, in the order of the plan."""
    request = planned.request
    if planned.missing and request.offline:
        raise UserError(
            f"--offline: {len(planned.missing)} of {len(planned.files)} files are not here, the first is "
            f"{planned.missing[0].path!r}; fetch them once with the network"
        )
    _check_free_space(planned, store)
    if planned.missing:
        asyncio.run(_download(planned, store, policy, tick))
    return [store.file(one) for one in planned.files]


async def _download(
    planned: FetchPlan, store: DownloadStore, policy: DownloadPolicy, tick: Callable[[int], None]
) -> None:
    gate = asyncio.Semaphore(CONCURRENT_FILES)

    async def one(web: HubClient, remote: RemoteFile) -> None:
        async with gate:
            await download_file(web, store, remote, tick)

    hubs = [base_url(part.part, planned.request.mirror) for part in planned.parts if part.part.kind == "hub"]
    token = token_for(hubs[0]) if hubs and planned.request.from_folder is None else None
    try:
        async with HubClient(token, policy) as web, asyncio.TaskGroup() as group:
            for remote in planned.missing:
                group.create_task(one(web, remote))
    except* UserError as errors:  # as when the disk is full: one of them says it
        raise errors.exceptions[0] from None


def _check_targets(planned: FetchPlan) -> None:
    """What is in the folder and is not what was fetched may be somebody's work."""
    root = planned.request.folder
    known = known_files(root)
    for file, remote in _targets(planned, root):
        if not file.parent.resolve().is_relative_to(root.resolve()):
            raise UserError(f"expected folders in {root}, found a link that leads out of it: {file.parent}; remove it")
        if not file.is_symlink() and not file.exists():
            continue
        before = known.get(file.relative_to(root).as_posix(), [])
        if matches_checksum(file, remote.size, remote.checksum) or any(one.is_at(root) for one in before):
            continue
        raise UserError(f"{file} is there, and is not what would be fetched; move it away, or choose another DIR")


def _check_free_space(planned: FetchPlan, store: DownloadStore) -> None:
    folder = planned.request.folder
    needed = {store.root: planned.missing_bytes}
    if not same_disk(store.root, folder):
        needed[folder] = planned.size
    for place, size in needed.items():
        if size and (free := free_bytes(place)) < size + SPARE_BYTES:
            raise UserError(
                f"expected room for {format_bytes(size)} on the disk of {place}, found {format_bytes(free)}; make "
                "room, choose with --only, or set AFFORDANCE_CACHE to a larger disk"
            )


def _move_into_place(planned: FetchPlan, store: DownloadStore, manifest: FetchManifest) -> None:
    """All beside, and then under its name at once. A folder that has something in it already gets one file after
    another, and the manifest last; until then there is a list of all that may be in it."""
    root = planned.request.folder.resolve()
    beside = root.with_name(f".{root.name}.fetching")
    with disk_errors(root):
        shutil.rmtree(beside, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
    for file, remote in _targets(planned, beside):
        link_or_copy(store.file(remote), file)
    write_manifest(beside, manifest)
    with disk_errors(root):
        if not root.exists() or not (any(root.iterdir()) or Path.cwd().is_relative_to(root)):
            beside.replace(root)
            return
        before, named = earlier_files(root, manifest), {one.path for one in manifest.files}
        write_unfinished(root, before.union(manifest.files))
        _remove([one for one in before if one.path not in named], root)
        for file, _ in _targets(planned, root):
            file.parent.mkdir(parents=True, exist_ok=True)
            (beside / file.relative_to(root)).replace(file)
        (beside / MANIFEST).replace(root / MANIFEST)
        (root / UNFINISHED).unlink()
        shutil.rmtree(beside)


def _manifest_with_kept_files(planned: FetchPlan) -> FetchManifest:
    """What is fetched now, and what was before and the source still has so, though it is not asked for now."""
    root, manifest = planned.request.folder, planned.manifest()
    known = known_files(root)
    parts = []
    for part, fetched in zip(planned.parts, manifest.parts, strict=True):
        others = {file.under(fetched.folder): file for file in map(fetched_file, part.others)}
        stays = [file for there, file in others.items() if there in known.get(there.path, []) and there.is_at(root)]
        parts.append(fetched.model_copy(update={"files": (*fetched.files, *stays)}))
    return manifest.model_copy(update={"parts": tuple(parts)})


def _remove(files: Iterable[FetchedFile], root: Path) -> None:
    """Only what is still as it was fetched, and the folders that are empty then."""
    for one in files:
        file = root / one.path
        if not file.parent.resolve().is_relative_to(root) or not one.is_at(root):
            continue
        file.unlink()
        for folder in file.relative_to(root).parents[:-1]:
            if any((root / folder).iterdir()):
                break
            (root / folder).rmdir()


def _targets(planned: FetchPlan, root: Path) -> Iterator[tuple[Path, RemoteFile]]:
    for part in planned.parts:
        for one in part.listing.files:
            yield root / part.part.folder / one.path, one
