"""`affordance data fetch` and `affordance data push`."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import DryRun, Json, Yes
from affordance.console.output import print_json
from affordance.console.progress import DownloadProgress, StepProgress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.integrations.hub.manifest import FetchManifest
    from affordance.integrations.hub.planning import FetchPlan, FetchRequest
    from affordance.integrations.hub.sources import PublishedDataset
    from affordance.integrations.hub.store import DownloadStore

MAX_LISTED = 20  # files and failed images; --json and the report have all


def fetch(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="animint, autogui-v2, osworld-g, screenspot, screenspot-v2, screenspot-pro, wiserui; or "
            "hub:OWNER/NAME, github:OWNER/NAME.",
            autocompletion=completion.published_names,
        ),
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder for the files; files in it are not downloaded again.")
    ],
    place: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="URL|FOLDER", help="A mirror of the hub or of the source, or a folder that has it."
        ),
    ] = None,
    revision: Annotated[
        str | None,
        typer.Option("--revision", metavar="REV", help="Commit, tag or branch.", show_default="the pinned commit"),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="GLOB", help="Fetch matching files only; * also matches slashes (repeatable)."),
    ] = None,
    accept_licence: Annotated[
        bool, typer.Option("--accept-licence", help="Confirm that you accept the licence.")
    ] = False,
    dry_run: DryRun = False,
    offline: Annotated[bool, typer.Option("--offline", help="Use downloaded files only.")] = False,
    table: Annotated[
        Path | None,
        typer.Option("--json-file", metavar="FILE", help="Published WiserUI_Bench.json, for wiserui."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Download a published benchmark: pinned and verified. Exit code 3: some of it could not be downloaded.

    HF_ENDPOINT names another hub, HF_TOKEN gives access to what is gated. Sources can be changed and added in
    affordance.toml, under [sources.NAME].

    \b
    Examples:
      affordance data fetch screenspot-v2 screenspot --accept-licence
      affordance data fetch autogui-v2 autogui --only "*.json" --dry-run
      affordance data fetch hub:OWNER/NAME mine --from https://hub.example.org --accept-licence
      affordance data fetch wiserui wiserui --json-file WiserUI_Bench.json --accept-licence
    """
    from affordance.core.config import find_config, read_config
    from affordance.core.errors import UserError
    from affordance.integrations.hub.fetching import fetch_dataset
    from affordance.integrations.hub.planning import FetchRequest, earlier_fetch, plan_fetch
    from affordance.integrations.hub.sources import find_published
    from affordance.integrations.hub.store import DownloadStore

    source = find_published(name, read_config(find_config(Path.cwd())).sources)
    if revision is not None:
        source = source.at_revision(revision)
    if table is not None and not source.pictures:
        raise UserError(
            f"--json-file is for sets that are lists of pictures, found {name!r}; take files with --from FOLDER"
        )
    request = FetchRequest(name, source, folder, place, tuple(only or ()), offline)
    store = DownloadStore(cache_dir())
    if source.pictures:
        if not dry_run:
            _confirm_licence(source.licence, source, accept_licence)
        return _fetch_images(request, store, table, dry_run, as_json)
    if not dry_run and (before := earlier_fetch(request)) is not None:
        _print_result(request, before, 0, as_json)
        return EXIT_OK
    if not dry_run and source.licence is not None:
        _confirm_licence(source.licence, source, accept_licence)
    planned = plan_fetch(request, store)
    if dry_run:
        _print_plan(planned, as_json)
        return EXIT_OK
    if source.licence is None:
        _confirm_licence(planned.licence, source, accept_licence)
    with DownloadProgress(planned.missing_bytes) as tick:
        manifest = fetch_dataset(planned, store, tick=tick)
    _print_result(request, manifest, planned.missing_bytes, as_json)
    return EXIT_OK


def _confirm_licence(licence: str | None, source: "PublishedDataset", accepted: bool) -> None:
    from affordance.core.errors import UserError
    from affordance.integrations.hub.store import format_bytes

    sizes = [part.size for part in source.parts if part.size is not None]
    size = f"{'about' if len(sizes) == len(source.parts) else 'more than'} {format_bytes(sum(sizes))}" if sizes else ""
    for line in (source.title, _licence(licence, source), source.citation, size, source.notes):
        if line:
            print(line, file=sys.stderr)
    if accepted:
        return
    if not sys.stdin.isatty():
        raise UserError("confirm with --accept-licence that you accept the licence above; nothing was downloaded")
    if not typer.confirm("Do you accept it?", err=True):
        raise UserError("the licence was not accepted; nothing was downloaded")


def _licence(licence: str | None, source: "PublishedDataset") -> str:
    return f"licence: {licence}" + (f". {source.terms}" if source.terms else "")


def _fetch_images(
    request: "FetchRequest", store: "DownloadStore", table: Path | None, dry_run: bool, as_json: bool
) -> int:
    from affordance.core.errors import UserError
    from affordance.core.formatting import count_noun
    from affordance.datasets.published.wiserui_images import (
        FAILED,
        REPORT_FILE,
        TABLE_FILE,
        UNAVAILABLE,
        fetch_wiserui_images,
    )
    from affordance.integrations.hub.fetching import download_files
    from affordance.integrations.hub.planning import plan_fetch

    folder = request.folder
    if table is None and not (folder / TABLE_FILE).is_file():
        planned = plan_fetch(request, store)
        if dry_run:
            _print_plan(planned, as_json)
            return EXIT_OK
        table = download_files(planned, store)[0]
    if dry_run:
        if as_json:
            print_json({"name": request.name, "folder": folder, "table": table or folder / TABLE_FILE})
        else:
            print(f"{request.name}: the table is available; its images would be downloaded from their sources")
        return EXIT_OK
    if request.offline:
        raise UserError(f"the images of {request.name} are at their sources and need the network", option="offline")
    with StepProgress("images") as advance:
        found = fetch_wiserui_images(folder, table, advance=advance)
    there = len(found.records) - found.count(UNAVAILABLE) - found.count(FAILED)
    if as_json:
        print_json({"name": request.name, "folder": folder, "pictures": there, "tried": list(found.records)})
        return EXIT_OK if found.complete else EXIT_INCOMPLETE
    for outcome in (UNAVAILABLE, FAILED):
        listed = [one for one in found.records if one.outcome == outcome]
        for one in listed[:MAX_LISTED]:
            print(f"{outcome}: {one.image}: {one.reason}")
        if len(listed) > MAX_LISTED:
            print(f"{outcome}: and {len(listed) - MAX_LISTED} more, see {folder / REPORT_FILE}")
    print(f"{folder}: {count_noun(there, 'image')} of {len(found.records)}; report in {folder / REPORT_FILE}")
    return EXIT_OK if found.complete else EXIT_INCOMPLETE


def _print_plan(planned: "FetchPlan", as_json: bool) -> None:
    from affordance.core.formatting import count_noun
    from affordance.integrations.hub.store import format_bytes

    if as_json:
        print_json(
            {**planned.manifest().model_dump(mode="json"), "bytes": planned.size, "coming": planned.missing_bytes}
        )
        return
    source = planned.request.source
    print(f"{planned.request.name}: {source.title}" if source.title else planned.request.name)
    print(_licence(planned.licence, source))
    for part in planned.parts:
        files = part.listing.files
        at = f" at {part.listing.commit}" if part.listing.commit is not None else ""
        print(f"\n{part.part.repo or part.part.kind}{at}, from {part.place}")
        for one in files[:MAX_LISTED]:
            print(f"  {format_bytes(one.size):>9}  {one.path}")
        if len(files) > MAX_LISTED:
            rest = sum(one.size for one in files[MAX_LISTED:])
            print(f"  {format_bytes(rest):>9}  in {count_noun(len(files) - MAX_LISTED, 'other file')}")
    here = planned.size - planned.missing_bytes
    print(
        f"\n{count_noun(len(planned.files), 'file')}, {format_bytes(planned.size)}"
        f"{f', {format_bytes(here)} of them downloaded already' if here else ''}; nothing was downloaded"
    )


def _print_result(request: "FetchRequest", manifest: "FetchManifest", coming: int, as_json: bool) -> None:
    from affordance.core.formatting import count_noun
    from affordance.integrations.hub.store import format_bytes

    steps = _next_steps(request, manifest)
    if as_json:
        print_json({**manifest.model_dump(mode="json"), "folder": request.folder, "fetched": coming, "next": steps})
        return
    sizes = [one.size for part in manifest.parts for one in part.files]
    came = f"{format_bytes(coming)} downloaded" if coming else "nothing to download"
    print(f"{request.folder}: {count_noun(len(sizes), 'file')}, {format_bytes(sum(sizes))}, all verified; {came}")
    for part in manifest.parts:
        if part.commit is not None and part.revision != part.commit:
            print(f"{part.repo}: {part.revision} is {part.commit} here, also when it is fetched again")
    for step in steps:
        print(f"next: {step}")


def _next_steps(request: "FetchRequest", manifest: "FetchManifest") -> list[str]:
    from affordance.datasets.folder import HEADER_FILE

    own = any(one.path == HEADER_FILE for part in manifest.parts for one in part.files)
    prefix = "" if own else f"{request.source.format or 'FORMAT'}:"
    places = [request.folder / part.folder / part.read for part in request.source.parts]
    return [f"affordance data check {shlex.quote(f'{prefix}{place}')}" for place in places]


def push(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A dataset in Affordance's own format.")],
    repo: Annotated[
        str | None,
        typer.Option("--to", metavar="OWNER/NAME", help="Upload to this Hugging Face repository. Needs HF_TOKEN."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="A new or empty folder, or that of an earlier push.",
            show_default="DIR-hub, next to DIR",
        ),
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Create a private repository.")] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Write a dataset card and Parquet files for a dataset, and upload them with --to.

    The folder contains the Affordance format too, so `data fetch hub:OWNER/NAME` returns the same items.

    \b
    Examples:
      affordance data push screens -o screens-hub
      affordance data push screens --to you/screens --private
    """
    from affordance.core.errors import UserError
    from affordance.core.formatting import count_noun
    from affordance.core.http import public_url
    from affordance.integrations.hub.protocols import hub_endpoint
    from affordance.integrations.hub.publish import check_upload_access, export_for_hub, upload_to_hub
    from affordance.integrations.hub.store import format_bytes

    if repo is not None:
        check_upload_access(repo)
    target = output or folder.resolve().with_name(f"{folder.resolve().name}-hub")
    written = export_for_hub(folder, target, repo)
    if not as_json:
        for path, file in sorted(written.files.items())[:MAX_LISTED]:
            print(f"  {format_bytes(file.stat().st_size):>9}  {path}")
        if len(written.files) > MAX_LISTED:
            print(f"  and {count_noun(len(written.files) - MAX_LISTED, 'other file')}")
        print(
            f"{target}: {count_noun(len(written.files), 'file')}, {format_bytes(written.size)}; read "
            f"{target / 'README.md'}"
        )
    address = None
    if repo is not None:
        where = f"{repo} at {public_url(hub_endpoint())}, {'private' if private else 'public'}"
        print(f"to be uploaded: {count_noun(len(written.files), 'file')} to {where}", file=sys.stderr)
        if not yes and not sys.stdin.isatty():
            raise UserError("confirm the upload with --yes; nothing was uploaded")
        if not yes and not typer.confirm("Upload it?", err=True):
            raise UserError("nothing was uploaded")
        address = upload_to_hub(written, repo, private=private)
    if as_json:
        files = {path: file.stat().st_size for path, file in sorted(written.files.items())}
        print_json({"folder": target, "files": files, "bytes": written.size, "uploaded": address})
    elif address is not None:
        print(address)
        print(f"next: affordance data fetch hub:{repo} DIR --accept-licence")
