"""What a fetch would fetch: what there is at the source, and what of it is here already."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from affordance.bridge.hub.listing import Listing, Remote
from affordance.bridge.hub.manifest import FetchedPart, File, Manifest, is_unfinished, read_manifest
from affordance.bridge.hub.protocols import base_of, list_folder, list_part, token_for
from affordance.bridge.hub.shards import PATTERN as TABLES
from affordance.bridge.hub.sources import Part, Source
from affordance.bridge.hub.store import Store
from affordance.bridge.hub.web import PATIENT, Web
from affordance.core.errors import UserError
from affordance.core.names import public_url
from affordance.datasets.folder import HEADER
from affordance.datasets.polite import Manners

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Request:
    """What a user wants. `place` is a mirror or a folder to take it from instead of the usual place."""

    name: str
    source: Source
    folder: Path
    place: str | None = None
    only: tuple[str, ...] = ()
    offline: bool = False

    @property
    def from_folder(self) -> Path | None:
        return Path(self.place) if self.place is not None and "://" not in self.place else None


@dataclass(frozen=True, slots=True)
class PlannedPart:
    part: Part
    place: str  # without secrets
    listing: Listing
    others: tuple[Remote, ...]  # that the source has, and that are not wanted now


@dataclass(frozen=True, slots=True)
class Plan:
    """`missing` are the files that are not in the store yet, and `coming` the bytes of them that are not either."""

    request: Request
    parts: tuple[PlannedPart, ...]
    missing: tuple[Remote, ...]
    coming: int

    @property
    def files(self) -> list[Remote]:
        return [one for part in self.parts for one in part.listing.files]

    @property
    def size(self) -> int:
        return sum(one.size for one in self.files)

    @property
    def licence(self) -> str:
        told = [part.listing.licence for part in self.parts if part.listing.licence is not None]
        return self.request.source.licence or ", ".join(dict.fromkeys(told)) or UNKNOWN

    def manifest(self) -> Manifest:
        return Manifest(
            name=self.request.name,
            licence=self.licence,
            only=self.request.only,
            parts=tuple(_fetched(one) for one in self.parts),
        )


def settled(request: Request) -> Manifest | None:
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
    return None if manifest.damaged(request.folder) else manifest


def plan(request: Request, store: Store, manners: Manners = PATIENT) -> Plan:
    """Ask what there is, and look what is here already. Nothing is fetched yet."""
    folder = request.from_folder
    if folder is not None:
        listings = [list_folder(folder, part) for part in request.source.parts]
    else:
        listings = asyncio.run(_listings(request, store, manners))
    parts = []
    for part, listing in zip(request.source.parts, listings, strict=True):
        chosen = listing.only(part.files, request.only)
        if not request.only and any(one.path == HEADER for one in listing.files):
            chosen = chosen.without(TABLES)  # of our own format, they are for others
        place = str(folder) if folder is not None else public_url(base_of(part, request.place))
        others = tuple(sorted({*listing.files} - {*chosen.files}, key=lambda one: one.path))
        parts.append(PlannedPart(part, place, chosen, others))
    empty = [one for one in parts if not one.listing.files]
    if empty and (not request.only or len(empty) == len(parts)):
        wanted = ", ".join(request.only or empty[0].part.files)
        raise UserError(f"{request.name}: expected files that match {wanted}, found none in {empty[0].part.repo}")
    distinct = {one.checksum: one for part in parts for one in part.listing.files}
    missing = tuple(one for one in distinct.values() if not store.has(one))
    return Plan(request, tuple(parts), missing, sum(store.lacks(one) for one in missing))


async def _listings(request: Request, store: Store, manners: Manners) -> list[Listing]:
    """A branch that was fetched into this folder before is what it was then."""
    before = read_manifest(request.folder) if request.folder.is_dir() else None
    found = []
    for part in request.source.parts:
        old = before.part(part.folder) if before is not None else None
        if old is not None and (old.repo, old.revision) == (part.repo, part.revision) and old.commit is not None:
            part = part.model_copy(update={"revision": old.commit})
        found.append(await _listing(part, request, store, manners))
    return found


async def _listing(part: Part, request: Request, store: Store, manners: Manners) -> Listing:
    base = base_of(part, request.place)
    key = f"{part.kind} {public_url(base)} {part.repo} "
    known = store.listings.load(key + part.revision) if part.repo and (part.pinned or request.offline) else None
    if known is not None:
        return known.at(base)
    if request.offline and part.repo:
        raise UserError(
            f"--offline: nothing is known here of {part.repo} at {part.revision}; fetch it once with the network, or "
            "give a folder with --from"
        )
    async with Web(token_for(base) if part.kind == "hub" else None, manners) as web:
        found = await list_part(web, part, base, mirror=request.place is not None)
    for revision in {part.revision, found.commit} - {None}:
        store.listings.keep(f"{key}{revision}", found)
    return found.at(base)


def as_file(remote: Remote) -> File:
    return File(path=remote.path, size=remote.size, checksum=remote.checksum)


def _fetched(planned: PlannedPart) -> FetchedPart:
    part, listing = planned.part, planned.listing
    return FetchedPart(
        folder=part.folder,
        source=part.identity,
        kind=part.kind,
        repo=part.repo,
        revision=part.revision,
        commit=listing.commit,
        place=planned.place,
        files=tuple(map(as_file, listing.files)),
    )
