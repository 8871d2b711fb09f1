"""Fetching what is planned, and putting it into place as a whole."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from affordance.bridge.hub.checksums import matches
from affordance.bridge.hub.download import download
from affordance.bridge.hub.durable import alone, link_or_copy, telling
from affordance.bridge.hub.listing import MANIFEST, Remote
from affordance.bridge.hub.manifest import Manifest, read_manifest, write_manifest
from affordance.bridge.hub.planning import Plan
from affordance.bridge.hub.protocols import base_of, token_for
from affordance.bridge.hub.store import Store, free_bytes, same_disk, size_text
from affordance.bridge.hub.web import PATIENT, Web
from affordance.core.errors import UserError
from affordance.datasets.polite import Manners

AT_ONCE = 4  # files
SPARE = 16 * 2**20  # bytes that a disk is left with


def fetch(
    planned: Plan,
    store: Store,
    *,
    manners: Manners = PATIENT,
    tick: Callable[[int], None] = lambda more: None,
) -> Manifest:
    """Fetch what is missing, then put all into the folder. Whatever stops it, it can be gone on with."""
    request = planned.request
    with alone(store.lock(request.folder), f"into {request.folder}"):
        _nothing_in_the_way(planned)
        download_all(planned, store, manners=manners, tick=tick)
        manifest = planned.manifest()
        _put_into_place(planned, store, manifest)
    return manifest


def download_all(
    planned: Plan,
    store: Store,
    *,
    manners: Manners = PATIENT,
    tick: Callable[[int], None] = lambda more: None,
) -> list[Path]:
    """Into the store and no further; where the files are there, in the order of the plan."""
    request = planned.request
    if planned.missing and request.offline:
        raise UserError(
            f"--offline: {len(planned.missing)} of {len(planned.files)} files are not here, the first is "
            f"{planned.missing[0].path!r}; fetch them once with the network"
        )
    _room_for(planned, store)
    if planned.missing:
        asyncio.run(_download(planned, store, manners, tick))
    return [store.file(one) for one in planned.files]


async def _download(planned: Plan, store: Store, manners: Manners, tick: Callable[[int], None]) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(web: Web, remote: Remote) -> None:
        async with gate:
            await download(web, store, remote, tick)

    hubs = [base_of(part.part, planned.request.place) for part in planned.parts if part.part.kind == "hub"]
    token = token_for(hubs[0]) if hubs and planned.request.from_folder is None else None
    try:
        async with Web(token, manners) as web, asyncio.TaskGroup() as group:
            for remote in planned.missing:
                group.create_task(one(web, remote))
    except* UserError as errors:  # as when the disk is full: one of them says it
        raise errors.exceptions[0] from None


def _nothing_in_the_way(planned: Plan) -> None:
    """What is in the folder and is not what was fetched may be somebody's work."""
    root = planned.request.folder
    before = read_manifest(root) if root.is_dir() else None
    known = {root / part.folder / one.path: one for part in (before.parts if before else ()) for one in part.files}
    for file, remote in _targets(planned, root):
        if not file.parent.resolve().is_relative_to(root.resolve()):
            raise UserError(f"expected folders in {root}, found a link that leads out of it: {file.parent}; remove it")
        if not file.is_symlink() and not file.exists():
            continue
        old = known.get(file)
        if matches(file, remote.size, remote.checksum) or (old is not None and matches(file, old.size, old.checksum)):
            continue
        raise UserError(f"{file} is there, and is not what would be fetched; move it away, or choose another DIR")


def _room_for(planned: Plan, store: Store) -> None:
    folder = planned.request.folder
    needed = {store.root: planned.coming}
    if not same_disk(store.root, folder):
        needed[folder] = planned.size
    for place, size in needed.items():
        if size and (free := free_bytes(place)) < size + SPARE:
            raise UserError(
                f"expected room for {size_text(size)} on the disk of {place}, found {size_text(free)}; make room, "
                "choose with --only, or set AFFORDANCE_CACHE to a larger disk"
            )


def _put_into_place(planned: Plan, store: Store, manifest: Manifest) -> None:
    """All beside, and then under its name at once. A folder that has something in it already gets one file after
    another, and the manifest last."""
    root = planned.request.folder.resolve()
    beside = root.with_name(f".{root.name}.fetching")
    with telling(root):
        shutil.rmtree(beside, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
    for file, remote in _targets(planned, beside):
        link_or_copy(store.file(remote), file)
    write_manifest(beside, manifest)
    with telling(root):
        if not root.exists() or not (any(root.iterdir()) or Path.cwd().is_relative_to(root)):
            beside.replace(root)
            return
        (root / MANIFEST).unlink(missing_ok=True)
        for file, _ in _targets(planned, root):
            file.parent.mkdir(parents=True, exist_ok=True)
            (beside / file.relative_to(root)).replace(file)
        (beside / MANIFEST).replace(root / MANIFEST)
        shutil.rmtree(beside)


def _targets(planned: Plan, root: Path) -> Iterator[tuple[Path, Remote]]:
    for part in planned.parts:
        for one in part.listing.files:
            yield root / part.part.folder / one.path, one
