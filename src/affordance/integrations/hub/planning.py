"""What a fetch would fetch: what there is at the source, and what of it is here already."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from affordance.core.errors import UserError
from affordance.core.http import public_url
from affordance.datasets.folder import HEADER_FILE
from affordance.datasets.image_downloader import DownloadPolicy
from affordance.integrations.hub.listing import Listing, RemoteFile
from affordance.integrations.hub.manifest import FetchedFile, FetchedPart, FetchManifest, is_unfinished, read_manifest
from affordance.integrations.hub.protocols import base_url, list_folder, list_part, token_for
from affordance.integrations.hub.sources import DatasetPart, PublishedDataset
from affordance.integrations.hub.store import DownloadStore
from affordance.integrations.hub.tables import TABLE_PATTERN as TABLES
from affordance.integrations.hub.web import HUB_POLICY, HubClient

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """What a user wants. `place` is a mirror or a folder to take it from instead of the usual place."""

    name: str
    source: PublishedDataset
    folder: Path
    mirror: str | None = None
    only: tuple[str, ...] = ()
    offline: bool = False

    @property
    def from_folder(self) -> Path | None:
        return Path(self.mirror) if self.mirror is not None and "://" not in self.mirror else None


@dataclass(frozen=True, slots=True)
class PlannedPart:
    part: DatasetPart
    place: str  # without secrets
    listing: Listing
    others: tuple[RemoteFile, ...]  # that the source has, and that are not wanted now


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """`missing` are the files that are not in the store yet, and `coming` the bytes of them that are not either."""

    request: FetchRequest
    parts: tuple[PlannedPart, ...]
    missing: tuple[RemoteFile, ...]
    missing_bytes: int

    @property
    def files(self) -> list[RemoteFile]:
        return [one for part in self.parts for one in part.listing.files]

    @property
    def size(self) -> int:
        return sum(one.size for one in self.files)

    @property
    def licence(self) -> str:
        told = [part.listing.licence for part in self.parts if part.listing.licence is not None]
        return self.request.source.licence or ", ".join(dict.fromkeys(told)) or UNKNOWN

    def manifest(self) -> FetchManifest:
        return FetchManifest(
            name=self.request.name,
            licence=self.licence,
            only=self.request.only,
            parts=tuple(_fetched_part(one) for one in self.parts),
        )


def earlier_fetch(request: FetchRequest) -> FetchManifest | None:
    """What an earlier fetch of the same has put into the folder, if all of it is still there as it was."""
    manifest = read_manifest(request.folder)
    if manifest is None or manifest.only != request.only or is_unfinished(request.folder):
        return None
    if [part.identity for part in request.source.parts] != [part.source for part in manifest.parts]:
        return None
    for part, before in zip(request.source.parts, manifest.parts, strict=True):
        if part.revision not in (before.revision, before.commit):
            return None
        if part.repo and before.commit is None and not request.offline:
            return None  # from a plain folder, which may have changed, or is not what is asked for now
    return None if manifest.damaged_files(request.folder) else manifest


def plan_fetch(request: FetchRequest, store: DownloadStore, policy: DownloadPolicy = HUB_POLICY) -> FetchPlan:
    """Ask what there is, and look what is here already. Nothing is fetched yet."""
    folder = request.from_folder
    if folder is not None:
        listings = [list_folder(folder, part) for part in request.source.parts]
    else:
        listings = asyncio.run(_listings(request, store, policy))
    parts = []
    for part, listing in zip(request.source.parts, listings, strict=True):
        chosen = listing.select(part.files, request.only)
        if not request.only and any(one.path == HEADER_FILE for one in listing.files):
            chosen = chosen.exclude(TABLES)  # of our own format, they are for others
        place = str(folder) if folder is not None else public_url(base_url(part, request.mirror))
        others = tuple(sorted({*listing.files} - {*chosen.files}, key=lambda one: one.path))
        parts.append(PlannedPart(part, place, chosen, others))
    empty = [one for one in parts if not one.listing.files]
    if empty and (not request.only or len(empty) == len(parts)):
        wanted = ", ".join(request.only or empty[0].part.files)
        raise UserError(f"{request.name}: expected files that match {wanted}, found none in {empty[0].part.repo}")
    distinct = {one.checksum: one for part in parts for one in part.listing.files}
    missing = tuple(one for one in distinct.values() if not store.has(one))
    return FetchPlan(request, tuple(parts), missing, sum(store.missing_bytes(one) for one in missing))


async def _listings(request: FetchRequest, store: DownloadStore, policy: DownloadPolicy) -> list[Listing]:
    """A branch that was fetched into this folder before is what it was then."""
    before = read_manifest(request.folder) if request.folder.is_dir() else None
    found = []
    for part in request.source.parts:
        old = before.part(part.folder) if before is not None else None
        if old is not None and (old.repo, old.revision) == (part.repo, part.revision) and old.commit is not None:
            part = part.model_copy(update={"revision": old.commit})
        found.append(await _listing(part, request, store, policy))
    return found


async def _listing(part: DatasetPart, request: FetchRequest, store: DownloadStore, policy: DownloadPolicy) -> Listing:
    base = base_url(part, request.mirror)
    key = f"{part.kind} {public_url(base)} {part.repo} "
    known = store.listings.load(key + part.revision) if part.repo and (part.pinned or request.offline) else None
    if known is not None:
        return known.with_base_url(base)
    if request.offline and part.repo:
        raise UserError(
            f"--offline: nothing is known here of {part.repo} at {part.revision}; fetch it once with the network, or "
            "give a folder with --from"
        )
    async with HubClient(token_for(base) if part.kind == "hub" else None, policy) as web:
        found = await list_part(web, part, base, mirror=request.mirror is not None)
    for revision in {part.revision, found.commit} - {None}:
        store.listings.store(f"{key}{revision}", found)
    return found.with_base_url(base)


def fetched_file(remote: RemoteFile) -> FetchedFile:
    return FetchedFile(path=remote.path, size=remote.size, checksum=remote.checksum)


def _fetched_part(planned: PlannedPart) -> FetchedPart:
    part, listing = planned.part, planned.listing
    return FetchedPart(
        folder=part.folder,
        source=part.identity,
        kind=part.kind,
        repo=part.repo,
        revision=part.revision,
        commit=listing.commit,
        place=planned.place,
        files=tuple(map(fetched_file, listing.files)),
    )
