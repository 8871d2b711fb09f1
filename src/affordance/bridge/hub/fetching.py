"""Fetching what is planned, and putting it into place as a whole."""

import asyncio
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from affordance.bridge.hub.checksums import matches
from affordance.bridge.hub.download import download
from affordance.bridge.hub.durable import alone, link_or_copy, telling
from affordance.bridge.hub.listing import MANIFEST, UNFINISHED, Remote
from affordance.bridge.hub.manifest import File, Manifest, files_before, files_known, write_manifest, write_unfinished
from affordance.bridge.hub.planning import Plan, as_file
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
        with telling(request.folder):
            _nothing_in_the_way(planned)
        download_all(planned, store, manners=manners, tick=tick)
        manifest = _with_what_stays(planned)
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
    known = files_known(root)
    for file, remote in _targets(planned, root):
        if not file.parent.resolve().is_relative_to(root.resolve()):
            raise UserError(f"expected folders in {root}, found a link that leads out of it: {file.parent}; remove it")
        if not file.is_symlink() and not file.exists():
            continue
        before = known.get(file.relative_to(root).as_posix(), [])
        if matches(file, remote.size, remote.checksum) or any(one.is_at(root) for one in before):
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
    another, and the manifest last; until then there is a list of all that may be in it."""
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
        before, named = files_before(root, manifest), {one.path for one in manifest.files}
        write_unfinished(root, before.union(manifest.files))
        _remove([one for one in before if one.path not in named], root)
        for file, _ in _targets(planned, root):
            file.parent.mkdir(parents=True, exist_ok=True)
            (beside / file.relative_to(root)).replace(file)
        (beside / MANIFEST).replace(root / MANIFEST)
        (root / UNFINISHED).unlink()
        shutil.rmtree(beside)


def _with_what_stays(planned: Plan) -> Manifest:
    """What is fetched now, and what was before and the source still has so, though it is not asked for now."""
    root, manifest = planned.request.folder, planned.manifest()
    known = files_known(root)
    parts = []
    for part, fetched in zip(planned.parts, manifest.parts, strict=True):
        others = {file.under(fetched.folder): file for file in map(as_file, part.others)}
        stays = [file for there, file in others.items() if there in known.get(there.path, []) and there.is_at(root)]
        parts.append(fetched.model_copy(update={"files": (*fetched.files, *stays)}))
    return manifest.model_copy(update={"parts": tuple(parts)})


def _remove(files: Iterable[File], root: Path) -> None:
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


def _targets(planned: Plan, root: Path) -> Iterator[tuple[Path, Remote]]:
    for part in planned.parts:
        for one in part.listing.files:
            yield root / part.part.folder / one.path, one
