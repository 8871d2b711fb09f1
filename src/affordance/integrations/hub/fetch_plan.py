"""Plans of fetches: which files the sources of a published dataset have, and which of them are not in the cache."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from affordance.core.digest import digest
from affordance.core.errors import InvalidOption, UnknownName, UserError
from affordance.core.http import public_url
from affordance.core.paths import cache_dir
from affordance.datasets.folder import HEADER_FILE
from affordance.datasets.published import PUBLISHED_DATASETS
from affordance.datasets.published.published_dataset import (
    DatasetSource,
    GitHubArchive,
    GitHubFile,
    HubRepo,
    PublishedDataset,
)
from affordance.integrations.hub.github import GITHUB_URL
from affordance.integrations.hub.hub_repository import hub_endpoint, is_cached, list_hub_repo
from affordance.integrations.hub.manifest import FetchedFile, FetchedSource, FetchManifest, read_manifest
from affordance.integrations.hub.tables import TABLE_PATTERN

UNKNOWN_LICENCE = "unknown"
_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_REVISION = re.compile(r"[\w./-]+")


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """One source with its files. `files` is None where only the download shows which there are."""

    source: DatasetSource
    commit: str | None = None
    licence: str | None = None
    files: tuple[FetchedFile, ...] | None = None
    unselected: tuple[FetchedFile, ...] = ()  # files of the source that were not chosen
    missing_bytes: int = 0  # not in the cache yet

    @property
    def place(self) -> str:
        return public_url(hub_endpoint()) if isinstance(self.source, HubRepo) else GITHUB_URL

    def with_files(self, files: Sequence[FetchedFile], only: Sequence[str]) -> "PlannedSource":
        """The source with its files, of which the patterns of the source and of `only` select some."""
        chosen = select_files(files, _patterns(self.source), only)
        names = {one.path for one in chosen}
        return replace(self, files=chosen, unselected=tuple(one for one in files if one.path not in names))


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What a fetch downloads and writes."""

    dataset: PublishedDataset
    folder: Path
    only: tuple[str, ...]
    offline: bool
    sources: tuple[PlannedSource, ...]

    @property
    def files(self) -> list[FetchedFile]:
        """All files, with their paths in the fetched folder."""
        return [file.in_folder(one.source.folder) for one in self.sources for file in one.files or ()]

    @property
    def size(self) -> int:
        return sum(one.size for one in self.files)

    @property
    def missing_bytes(self) -> int:
        return sum(one.missing_bytes for one in self.sources)

    @property
    def licence(self) -> str:
        """The licence of the dataset, else those that the cards of its repositories state."""
        stated = dict.fromkeys(one.licence for one in self.sources if one.licence is not None)
        return self.dataset.licence or ", ".join(stated) or UNKNOWN_LICENCE

    def manifest(self) -> FetchManifest:
        return FetchManifest(
            name=self.dataset.name,
            licence=self.licence,
            only=self.only,
            parts=tuple(_fetched_source(one) for one in self.sources),
        )

    def check_not_empty(self) -> None:
        """Raise `UserError` where no file matches the patterns of a source, or of `only`."""
        empty = [one for one in self.sources if one.files is not None and not one.files]
        if empty and (not self.only or len(empty) == len(self.sources)):
            wanted = ", ".join(self.only or _patterns(empty[0].source))
            raise UserError(f"{self.dataset.name}: no file of {empty[0].source.repo} matches {wanted}")


def find_published(name: str, revision: str | None = None) -> PublishedDataset:
    """A published dataset by its name, or `hub:OWNER/NAME[@REVISION]` and `github:OWNER/NAME[@REVISION]`."""
    kind, colon, rest = name.partition(":")
    if not (colon and kind in ("hub", "github")):
        known = {key: row for key, row in PUBLISHED_DATASETS.items() if row.sources}
        if name not in known:
            raise UnknownName("published dataset", name, [*known, "hub:OWNER/NAME"])
        return known[name] if revision is None else _at_revision(known[name], revision)
    repo, _, given = rest.partition("@")
    if not _REPO.fullmatch(repo) or ".." in repo.split("/"):
        raise UserError(f"expected {kind}:OWNER/NAME[@REVISION], found {name!r}")
    source: DatasetSource = HubRepo(repo) if kind == "hub" else GitHubArchive(repo)
    # What the repository holds is known when it is read.
    found = PublishedDataset(name=name, title=repo, kind="screen", licence="", citation="", sources=(source,))
    wanted = revision or given
    return _at_revision(found, wanted) if wanted else found


def _at_revision(dataset: PublishedDataset, revision: str) -> PublishedDataset:
    if len(dataset.sources) > 1:
        raise InvalidOption(
            "revision",
            f"{dataset.name} has {len(dataset.sources)} repositories; fetch one of them as hub:OWNER/NAME@REVISION",
        )
    if not _REVISION.fullmatch(revision) or ".." in revision.split("/"):
        raise InvalidOption("revision", f"expected a commit, tag or branch, found {revision!r}")
    return replace(dataset, sources=(replace(dataset.sources[0], revision=revision),))


def find_earlier_fetch(dataset: PublishedDataset, folder: Path, *, only: Sequence[str] = ()) -> FetchManifest | None:
    """The manifest of an earlier fetch of the same files, if all of them are unchanged in the folder."""
    manifest = read_manifest(folder)
    if manifest is None or manifest.only != tuple(only):
        return None
    if [_source_digest(one) for one in dataset.sources] != [part.source for part in manifest.parts]:
        return None
    for source, part in zip(dataset.sources, manifest.parts, strict=True):
        if source.revision not in (part.revision, part.commit):
            return None
    return None if manifest.damaged_files(folder) else manifest


def plan_fetch(
    dataset: PublishedDataset, folder: Path, *, only: Sequence[str] = (), offline: bool = False
) -> FetchPlan:
    """Ask the sources which files they have. Nothing is downloaded.

    A branch that was fetched into the folder before stays at the commit of that fetch."""
    before = read_manifest(folder)
    planned = []
    for source in dataset.sources:
        earlier = before.source_in(source.folder) if before is not None else None
        same = earlier is not None and (earlier.repo, earlier.revision) == (source.repo, source.revision)
        planned.append(_plan_source(source, earlier.commit if earlier is not None and same else None, only, offline))
    plan = FetchPlan(dataset, folder, tuple(only), offline, tuple(planned))
    plan.check_not_empty()
    return plan


def _plan_source(source: DatasetSource, commit: str | None, only: Sequence[str], offline: bool) -> PlannedSource:
    if not isinstance(source, HubRepo):
        return PlannedSource(source, commit)
    cache = cache_dir()
    listing = list_hub_repo(replace(source, revision=commit or source.revision), cache, offline=offline)
    planned = PlannedSource(source, listing.commit, listing.licence).with_files(listing.files, only)
    files = planned.files or ()
    if not only and any(one.path == HEADER_FILE for one in listing.files):
        # The tables repeat what the files of our own format hold.
        files = tuple(one for one in files if not fnmatchcase(one.path, TABLE_PATTERN))
    missing = sum(one.size for one in files if not is_cached(source, listing.commit, one.path, cache))
    return replace(planned, files=files, missing_bytes=missing)


def select_files(files: Sequence[FetchedFile], *choices: Sequence[str]) -> tuple[FetchedFile, ...]:
    """The files that match a pattern of each choice; an empty choice matches all."""
    return tuple(
        file
        for file in files
        if all(not patterns or any(fnmatchcase(file.path, one) for one in patterns) for patterns in choices)
    )


def _patterns(source: DatasetSource) -> Sequence[str]:
    return (source.path,) if isinstance(source, GitHubFile) else source.files


def _fetched_source(planned: PlannedSource) -> FetchedSource:
    source = planned.source
    return FetchedSource(
        folder=source.folder,
        source=_source_digest(source),
        kind=_source_kind(source),
        repo=source.repo,
        revision=source.revision,
        commit=planned.commit,
        place=planned.place,
        files=planned.files or (),
    )


def _source_kind(source: DatasetSource) -> str:
    return "hub" if isinstance(source, HubRepo) else "github"


def _source_digest(source: DatasetSource) -> str:
    """Identity of a source but for its revision, as `fetch.json` has stored it since version 1."""
    identity = {
        "kind": _source_kind(source),
        "repo": source.repo,
        "files": list(_patterns(source)),
        "urls": [],
        "folder": source.folder,
    }
    return digest("part", identity)
