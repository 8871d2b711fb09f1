"""Fetching of published datasets into a folder: downloaded once, verified, and never over a user's own files."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from affordance.core.errors import InvalidOption, UserError
from affordance.core.formatting import format_bytes
from affordance.core.paths import cache_dir
from affordance.datasets.published.published_dataset import GitHubFile, HubRepo, PublishedDataset
from affordance.datasets.published.wiserui_images import TABLE_FILE, DownloadReport, fetch_wiserui_images
from affordance.datasets.spec import download_folder
from affordance.integrations.hub.fetch_plan import FetchPlan, PlannedSource, find_earlier_fetch, plan_fetch
from affordance.integrations.hub.github import download_github_archive, download_github_file
from affordance.integrations.hub.hub_repository import download_hub_files
from affordance.integrations.hub.manifest import (
    FetchedFile,
    FetchManifest,
    check_file_names,
    describe_file,
    disk_errors,
    not_cached_error,
    read_manifest,
    write_manifest,
)

READ_ONLY_MODE = 0o444  # the files are shared with the cache
SPARE_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True)
class FetchResult:
    """A fetched folder. A dataset whose images are on other hosts has a report on them in place of a manifest."""

    folder: Path
    manifest: FetchManifest | None
    fetched_bytes: int = 0
    images: DownloadReport | None = None


def default_folder(dataset: PublishedDataset) -> Path:
    """The folder of a dataset that is fetched without one: in the cache, where its name is looked up."""
    return download_folder(dataset.name.replace(":", "--").replace("/", "--"))


def fetch_dataset(
    dataset: PublishedDataset,
    folder: Path | None = None,
    *,
    only: Sequence[str] = (),
    offline: bool = False,
    show_progress: bool = False,
) -> FetchResult:
    """Fetch a published dataset into a folder.

    Args:
        dataset: What `find_published` returns.
        folder: A new folder, or one with an earlier fetch. Default: one in the cache, where `--data NAME` finds it.
        only: Patterns of file names, in which `*` also matches slashes. Default: all files.
        offline: Make no request.
        show_progress: Show progress bars on a terminal.
    """
    target = folder or default_folder(dataset)
    if dataset.images_elsewhere:
        return fetch_listed_images(dataset, target, offline=offline)
    if (before := find_earlier_fetch(dataset, target, only=only)) is not None:
        return FetchResult(target, before)
    return run_fetch(plan_fetch(dataset, target, only=only, offline=offline), show_progress=show_progress)


def fetch_listed_images(
    dataset: PublishedDataset,
    folder: Path,
    *,
    table: Path | None = None,
    offline: bool = False,
    user_agent: str | None = None,
    on_progress: Callable[[int, int], None] = lambda done, planned: None,
) -> FetchResult:
    """Fetch a dataset whose table lists images on other hosts: the table, unless it is given or in the folder, then
    each image from its host."""
    if table is None and not (folder / TABLE_FILE).is_file():
        (source,) = dataset.sources
        assert isinstance(source, GitHubFile), "the table is one file"
        table = download_github_file(source, cache_dir(), offline=offline) / source.path
    if offline:
        raise InvalidOption("offline", f"the images of {dataset.name} are on other hosts; run the command without it")
    images = fetch_wiserui_images(folder, table, user_agent=user_agent, on_progress=on_progress)
    return FetchResult(folder, None, images=images)


def run_fetch(plan: FetchPlan, *, show_progress: bool = False) -> FetchResult:
    """Download what is missing into the cache, then put the files into the folder and write the manifest last."""
    if plan.offline and plan.missing_bytes:
        raise not_cached_error(f"a part of {plan.dataset.name} ({format_bytes(plan.missing_bytes)})")
    _check_free_space(plan)
    _check_targets(plan)
    downloaded = [_download_source(one, plan, show_progress) for one in plan.sources]
    plan = replace(plan, sources=tuple(one for _, one in downloaded))
    plan.check_not_empty()
    _check_targets(plan)
    manifest = _manifest_with_kept_files(plan)
    _place_files(plan, [root for root, _ in downloaded], manifest)
    return FetchResult(plan.folder, manifest, plan.missing_bytes)


def _download_source(planned: PlannedSource, plan: FetchPlan, show_progress: bool) -> tuple[Path, PlannedSource]:
    """The folder in the cache that holds the files, and the source with commit and files."""
    cache, source = cache_dir(), planned.source
    if isinstance(source, HubRepo):
        assert planned.commit is not None, "a repository of the hub was listed"
        files = planned.files or ()
        root = download_hub_files(
            source.repo, planned.commit, files, cache, offline=plan.offline, show_progress=show_progress
        )
        return root, planned
    pinned = replace(source, revision=planned.commit or source.revision)
    if isinstance(pinned, GitHubFile):
        root, commit = download_github_file(pinned, cache, offline=plan.offline), pinned.revision
        paths = [pinned.path]
    else:
        root, commit = download_github_archive(pinned, cache, offline=plan.offline, show_progress=show_progress)
        paths = [file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()]
    files = check_file_names([describe_file(root, path) for path in paths], pinned.repo)
    return root, replace(planned, commit=commit).with_files(files, plan.only)


def _check_free_space(plan: FetchPlan) -> None:
    cache = cache_dir()
    existing = next(one for one in (cache.absolute(), *cache.absolute().parents) if one.is_dir())
    if plan.missing_bytes and shutil.disk_usage(existing).free < plan.missing_bytes + SPARE_BYTES:
        raise UserError(
            f"{plan.missing_bytes:,} bytes are to be downloaded, more than is free on the disk of {cache}; make room, "
            "choose files with --only, or set AFFORDANCE_CACHE to a larger disk"
        )


def _check_targets(plan: FetchPlan) -> None:
    """Raise `UserError` for files in the folder that are not as an earlier fetch left them: they may be the user's
    work and are never replaced."""
    root, before = plan.folder, read_manifest(plan.folder)
    known = {one.path: one for one in before.files} if before is not None else {}
    for file in plan.files:
        target = root / file.path
        if not target.parent.resolve().is_relative_to(root.resolve()):
            raise UserError(f"{target.parent} is a link to a folder outside of {root}; remove it")
        if not target.is_symlink() and not target.exists():
            continue
        if not file.is_at(root) and not (file.path in known and known[file.path].is_at(root)):
            raise UserError(f"{target} exists with different content; move it or choose another folder")


def _place_files(plan: FetchPlan, roots: Sequence[Path], manifest: FetchManifest) -> None:
    folder = plan.folder
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _remove_earlier_files(folder, manifest)
        for one, root in zip(plan.sources, roots, strict=True):
            for file in one.files or ():
                target = file.in_folder(one.source.folder)
                if not target.is_at(folder):
                    _link_or_copy((root / file.path).resolve(), folder / target.path)
        write_manifest(folder, manifest)


def _remove_earlier_files(folder: Path, manifest: FetchManifest) -> None:
    """Remove the unchanged files of an earlier fetch of the same repositories that the new one does not have."""
    if (before := read_manifest(folder)) is None:
        return
    kept = {one.path for one in manifest.files}
    repos = {(part.kind, part.repo) for part in manifest.parts}
    for part in before.parts:
        if before.name == manifest.name or (part.kind, part.repo) in repos:
            for file in part.files:
                _remove_unchanged(file.in_folder(part.folder), folder, kept)


def _remove_unchanged(file: FetchedFile, folder: Path, kept: set[str]) -> None:
    path = folder / file.path
    inside = path.parent.resolve().is_relative_to(folder.resolve())
    if file.path in kept or not inside or not file.is_at(folder):
        return
    path.unlink()
    for parent in path.relative_to(folder).parents[:-1]:
        if any((folder / parent).iterdir()):
            break
        (folder / parent).rmdir()


def _link_or_copy(file: Path, target: Path) -> None:
    """Put a file of the cache under a second name, or a copy where links are not possible."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{os.getpid()}.part")
    try:
        try:
            os.link(file, part)
        except OSError:
            shutil.copyfile(file, part)
        part.chmod(READ_ONLY_MODE)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _manifest_with_kept_files(plan: FetchPlan) -> FetchManifest:
    """The manifest, with files of earlier fetches that the sources still have and `only` leaves out now."""
    manifest, before = plan.manifest(), read_manifest(plan.folder)
    if before is None:
        return manifest
    known = set(before.files)
    parts = []
    for one, part in zip(plan.sources, manifest.parts, strict=True):
        there = [(file, file.in_folder(part.folder)) for file in one.unselected]
        kept = [file for file, target in there if target in known and target.is_at(plan.folder)]
        parts.append(part.model_copy(update={"files": (*part.files, *kept)}))
    return manifest.model_copy(update={"parts": tuple(parts)})
