"""`affordance data fetch`: a published benchmark from where it lies to a folder."""

import shlex
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import Json
from affordance.cli.places import cache_dir
from affordance.console.output import print_json
from affordance.console.progress import DownloadProgress, StepProgress

if TYPE_CHECKING:
    from affordance.integrations.hub.manifest import FetchManifest
    from affordance.integrations.hub.planning import FetchPlan, FetchRequest
    from affordance.integrations.hub.sources import PublishedDataset
    from affordance.integrations.hub.store import DownloadStore

TOLD = 20  # files that are listed, and pictures that could not be had; all of them are in --json and in the report


def _names() -> list[str]:
    """For a shell to offer. Only the names are read, which is quick."""
    return [*tomllib.loads((files("affordance.integrations.hub") / "sources.toml").read_text(encoding="utf-8")), "hub:"]


def fetch(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="animint, autogui-v2, osworld-g, screenspot, screenspot-v2, screenspot-pro, wiserui; or "
            "hub:OWNER/NAME, github:OWNER/NAME.",
            autocompletion=_names,
        ),
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to; what is there already is not fetched again.")
    ],
    place: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="URL|FOLDER", help="A mirror of the hub or of the source, or a folder that has it."
        ),
    ] = None,
    revision: Annotated[
        str | None, typer.Option(metavar="REV", help="A commit, tag or branch instead of the pinned one.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only files that match; * also matches slashes. Repeatable."),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="You have read the licence and keep to it.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be fetched, and stop.")] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Make no request: only from what was fetched before.")
    ] = False,
    table: Annotated[
        Path | None,
        typer.Option(
            "--json-file", metavar="FILE", help="For wiserui: the published WiserUI_Bench.json, if you have it."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Fetch a published benchmark: pinned, verified, and only once. Exit code 3: some of it could not be had this time.

    HF_ENDPOINT names another hub, HF_TOKEN gives access to what is gated. Sources can be changed and added in
    affordance.toml, under [sources.NAME].

    \b
    Examples:
      affordance data fetch screenspot-v2 screenspot --accept
      affordance data fetch autogui-v2 autogui --only "*.json" --dry-run
      affordance data fetch hub:OWNER/NAME mine --from https://hub.example.org --accept
      affordance data fetch wiserui wiserui --json-file WiserUI_Bench.json --accept
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
            _confirm_licence(source.licence, source, accept)
        _fetch_pictures(request, store, table, dry_run, as_json)
    if not dry_run and (before := earlier_fetch(request)) is not None:
        _print_result(request, before, 0, as_json)
        return
    if not dry_run and source.licence is not None:
        _confirm_licence(source.licence, source, accept)
    planned = plan_fetch(request, store)
    if dry_run:
        _print_plan(planned, as_json)
        return
    if source.licence is None:
        _confirm_licence(planned.licence, source, accept)
    with DownloadProgress(planned.missing_bytes) as tick:
        manifest = fetch_dataset(planned, store, tick=tick)
    _print_result(request, manifest, planned.missing_bytes, as_json)


def _confirm_licence(licence: str | None, source: "PublishedDataset", accept: bool) -> None:
    from affordance.core.errors import UserError
    from affordance.integrations.hub.store import format_bytes

    sizes = [part.size for part in source.parts if part.size is not None]
    size = f"{'about' if len(sizes) == len(source.parts) else 'more than'} {format_bytes(sum(sizes))}" if sizes else ""
    for line in (source.title, _licence(licence, source), source.citation, size, source.notes):
        if line:
            print(line, file=sys.stderr)
    if accept:
        return
    if not sys.stdin.isatty():
        raise UserError("expected --accept after you have read the licence above; nothing was fetched")
    if not typer.confirm("Do you keep to it?", err=True):
        raise UserError("the licence was not accepted; nothing was fetched")


def _licence(licence: str | None, source: "PublishedDataset") -> str:
    return f"licence: {licence}" + (f". {source.terms}" if source.terms else "")


def _fetch_pictures(
    request: "FetchRequest", store: "DownloadStore", table: Path | None, dry_run: bool, as_json: bool
) -> None:
    from affordance.core.errors import UserError
    from affordance.core.formatting import count_noun
    from affordance.datasets.published.wiserui_images import (
        REPORT_FILE,
        TABLE_FILE,
        DownloadStatus,
        fetch_wiserui_images,
    )
    from affordance.integrations.hub.fetching import download_files
    from affordance.integrations.hub.planning import plan_fetch

    folder = request.folder
    if table is None and not (folder / TABLE_FILE).is_file():
        planned = plan_fetch(request, store)
        if dry_run:
            _print_plan(planned, as_json)
            raise typer.Exit
        table = download_files(planned, store)[0]
    if dry_run:
        print(f"{request.name}: the table is there; its pictures would be asked for at their sources")
        raise typer.Exit
    if request.offline:
        raise UserError(f"--offline: the pictures of {request.name} lie at their sources; fetch them with the network")
    with StepProgress("pictures") as advance:
        found = fetch_wiserui_images(folder, table, advance=advance)
    there = len(found.records) - found.count(DownloadStatus.UNAVAILABLE) - found.count(DownloadStatus.FAILED)
    if as_json:
        print_json({"name": request.name, "folder": folder, "pictures": there, "tried": list(found.records)})
        raise typer.Exit(EXIT_OK if found.complete else EXIT_INCOMPLETE)
    for outcome in (DownloadStatus.UNAVAILABLE, DownloadStatus.FAILED):
        listed = [one for one in found.records if one.outcome == outcome]
        for one in listed[:TOLD]:
            print(f"{outcome}: {one.image}: {one.reason}")
        if len(listed) > TOLD:
            print(f"{outcome}: and {len(listed) - TOLD} more, see {folder / REPORT_FILE}")
    print(f"{folder}: {count_noun(there, 'picture')} of {len(found.records)}; report in {folder / REPORT_FILE}")
    raise typer.Exit(EXIT_OK if found.complete else EXIT_INCOMPLETE)


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
        for one in files[:TOLD]:
            print(f"  {format_bytes(one.size):>9}  {one.path}")
        if len(files) > TOLD:
            rest = sum(one.size for one in files[TOLD:])
            print(f"  {format_bytes(rest):>9}  in {count_noun(len(files) - TOLD, 'other file')}")
    here = planned.size - planned.missing_bytes
    print(
        f"\n{count_noun(len(planned.files), 'file')}, {format_bytes(planned.size)}"
        f"{f', {format_bytes(here)} of them here already' if here else ''}; nothing was fetched"
    )


def _print_result(request: "FetchRequest", manifest: "FetchManifest", coming: int, as_json: bool) -> None:
    from affordance.core.formatting import count_noun
    from affordance.integrations.hub.store import format_bytes

    steps = _next_steps(request, manifest)
    if as_json:
        print_json({**manifest.model_dump(mode="json"), "folder": request.folder, "fetched": coming, "next": steps})
        return
    sizes = [one.size for part in manifest.parts for one in part.files]
    came = f"{format_bytes(coming)} fetched" if coming else "nothing to fetch"
    print(f"{request.folder}: {count_noun(len(sizes), 'file')}, {format_bytes(sum(sizes))}, all verified; {came}")
    for part in manifest.parts:
        if part.commit is not None and part.revision != part.commit:
            print(f"{part.repo}: {part.revision} is {part.commit} here, and stays so in this folder")
    for step in steps:
        print(f"next: {step}")


def _next_steps(request: "FetchRequest", manifest: "FetchManifest") -> list[str]:
    from affordance.datasets.folder import HEADER_FILE

    own = any(one.path == HEADER_FILE for part in manifest.parts for one in part.files)
    prefix = "" if own else f"{request.source.format or 'FORMAT'}:"
    places = [request.folder / part.folder / part.read for part in request.source.parts]
    return [f"affordance data check {shlex.quote(f'{prefix}{place}')}" for place in places]
