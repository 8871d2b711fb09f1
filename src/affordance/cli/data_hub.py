"""`affordance data fetch` and `affordance data push`."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import DryRun, Json, Yes
from affordance.console.output import is_quiet, print_json
from affordance.console.progress import StepProgress

if TYPE_CHECKING:
    from affordance.datasets.published.published_dataset import PublishedDataset
    from affordance.integrations.hub.fetch import FetchResult
    from affordance.integrations.hub.fetch_plan import FetchPlan

MAX_LISTED = 20  # files, and images that are missing; all of them are in --json and in the report


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
        Path | None,
        typer.Argument(metavar="DIR", help="Target folder (default: the cache, where `--data NAME` finds it)."),
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
        typer.Option("--json-file", metavar="FILE", help="For wiserui: a copy of WiserUI_Bench.json."),
    ] = None,
    user_agent: Annotated[
        str | None,
        typer.Option("--user-agent", metavar="TEXT", help="For wiserui: name to send to image hosts (default: ours)."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Fetch a published dataset: pinned, verified, downloaded once. Exit code 3: some images failed this time.

    HF_TOKEN gives access to gated datasets; HF_ENDPOINT names another hub.

    \b
    Examples:
      affordance data fetch screenspot-v2 screenspot --accept-licence
      affordance data fetch autogui-v2 autogui --only "*.json" --dry-run
      affordance data fetch wiserui wiserui --json-file WiserUI_Bench.json --accept-licence
    """
    from affordance.core.errors import InvalidOption
    from affordance.integrations.hub.fetch import FetchResult, default_folder, run_fetch
    from affordance.integrations.hub.fetch_plan import find_earlier_fetch, find_published, plan_fetch

    dataset = find_published(name, revision)
    target, patterns = folder or default_folder(dataset), tuple(only or ())
    if table is not None and not dataset.images_elsewhere:
        raise InvalidOption("json_file", f"expected wiserui as NAME, found {name!r}")
    if user_agent is not None and not dataset.images_elsewhere:
        raise InvalidOption("user_agent", f"expected wiserui as NAME, found {name!r}")
    if dataset.images_elsewhere and not dry_run:
        _confirm_licence(dataset, dataset.licence, accept_licence)
        return _fetch_images(dataset, target, table, offline, user_agent, as_json)
    if not dry_run and (before := find_earlier_fetch(dataset, target, only=patterns)) is not None:
        _print_result(dataset, FetchResult(target, before), as_json)
        return EXIT_OK
    if not dry_run and dataset.licence:
        _confirm_licence(dataset, dataset.licence, accept_licence)
    plan = plan_fetch(dataset, target, only=patterns, offline=offline)
    if dry_run:
        _print_plan(plan, as_json)
        return EXIT_OK
    if not dataset.licence:
        _confirm_licence(dataset, plan.licence, accept_licence)
    _print_result(dataset, run_fetch(plan, show_progress=not is_quiet()), as_json)
    return EXIT_OK


def _confirm_licence(dataset: "PublishedDataset", licence: str, accepted: bool) -> None:
    from affordance.core.errors import UserError
    from affordance.core.formatting import format_bytes

    sizes = [one.size_bytes for one in dataset.sources if one.size_bytes is not None]
    prefix = "about" if len(sizes) == len(dataset.sources) else "more than"
    size = f"{prefix} {format_bytes(sum(sizes))}" if sizes else ""
    about = (_describe_dataset(dataset), _describe_licence(dataset, licence), dataset.citation, size, dataset.notes)
    print("\n".join(line for line in about if line), file=sys.stderr)
    if accepted:
        return
    if not sys.stdin.isatty():
        raise UserError("the licence above is not accepted; read it and add --accept-licence. Nothing was fetched")
    if not typer.confirm("Accept the licence?", err=True):
        raise UserError("the licence was not accepted; nothing was fetched")


def _describe_dataset(dataset: "PublishedDataset") -> str:
    return f"{dataset.title}: {dataset.description}" if dataset.description else dataset.title


def _describe_licence(dataset: "PublishedDataset", licence: str) -> str:
    return f"licence: {licence}" + (f". {dataset.terms}" if dataset.terms else "")


def _fetch_images(
    dataset: "PublishedDataset",
    folder: Path,
    table: Path | None,
    offline: bool,
    user_agent: str | None,
    as_json: bool,
) -> int:
    from affordance.core.formatting import count_noun
    from affordance.datasets.published.wiserui_images import REPORT_FILE, DownloadStatus
    from affordance.integrations.hub.fetch import fetch_listed_images

    with StepProgress("images") as advance:
        result = fetch_listed_images(
            dataset, folder, table=table, offline=offline, user_agent=user_agent, on_progress=advance
        )
    assert result.images is not None, "the images were downloaded"
    found = result.images
    present = len(found.records) - found.count(DownloadStatus.UNAVAILABLE) - found.count(DownloadStatus.FAILED)
    if as_json:
        print_json({"name": dataset.name, "folder": folder, "pictures": present, "tried": list(found.records)})
        return EXIT_OK if found.complete else EXIT_INCOMPLETE
    for outcome in (DownloadStatus.UNAVAILABLE, DownloadStatus.FAILED):
        listed = [one for one in found.records if one.outcome == outcome]
        for one in listed[:MAX_LISTED]:
            print(f"{outcome}: {one.image}: {one.reason}")
        if len(listed) > MAX_LISTED:
            print(f"{outcome}: and {len(listed) - MAX_LISTED} more, see {folder / REPORT_FILE}")
    print(f"{folder}: {count_noun(present, 'image')} of {len(found.records)}; report in {folder / REPORT_FILE}")
    return EXIT_OK if found.complete else EXIT_INCOMPLETE


def _print_plan(plan: "FetchPlan", as_json: bool) -> None:
    from affordance.core.formatting import count_noun, format_bytes

    if as_json:
        print_json({**plan.manifest().model_dump(mode="json"), "bytes": plan.size, "coming": plan.missing_bytes})
        return
    print(_describe_dataset(plan.dataset))
    print(_describe_licence(plan.dataset, plan.licence))
    for one in plan.sources:
        revision = one.commit or one.source.revision
        print(f"\n{one.source.repo} at {revision}, from {one.place}")
        files = one.files or ()
        for file in files[:MAX_LISTED]:
            print(f"  {format_bytes(file.size):>9}  {file.path}")
        if len(files) > MAX_LISTED:
            rest = sum(file.size for file in files[MAX_LISTED:])
            print(f"  {format_bytes(rest):>9}  in {count_noun(len(files) - MAX_LISTED, 'other file')}")
        if one.files is None:
            print("  files are listed when the archive is downloaded")
    cached = plan.size - plan.missing_bytes
    in_cache = f", {format_bytes(cached)} of them in the cache" if cached else ""
    print(f"\n{count_noun(len(plan.files), 'file')}, {format_bytes(plan.size)}{in_cache}; nothing was fetched")


def _print_result(dataset: "PublishedDataset", result: "FetchResult", as_json: bool) -> None:
    from affordance.core.formatting import count_noun, format_bytes

    manifest, steps = result.manifest, _next_steps(dataset, result)
    assert manifest is not None
    if as_json:
        content = manifest.model_dump(mode="json")
        print_json({**content, "folder": result.folder, "fetched": result.fetched_bytes, "next": steps})
        return
    sizes = [one.size for one in manifest.files]
    fetched = f"{format_bytes(result.fetched_bytes)} downloaded" if result.fetched_bytes else "nothing to download"
    print(f"{result.folder}: {count_noun(len(sizes), 'file')}, {format_bytes(sum(sizes))}, all verified; {fetched}")
    for part in manifest.parts:
        if part.commit is not None and part.revision != part.commit:
            print(f"{part.repo}: {part.revision} is {part.commit}; later fetches into this folder use that commit")
    for step in steps:
        print(f"next: {step}")


def _next_steps(dataset: "PublishedDataset", result: "FetchResult") -> list[str]:
    from affordance.datasets.folder import HEADER_FILE
    from affordance.integrations.hub.fetch import default_folder

    is_found_by_name = dataset.reader is not None and len(dataset.sources) == 1
    if is_found_by_name and result.folder == default_folder(dataset):
        return [f"affordance data check {dataset.name}"]
    is_native = result.manifest is not None and any(Path(one.path).name == HEADER_FILE for one in result.manifest.files)
    prefix = "" if is_native else f"{dataset.name}:" if dataset.reader is not None else "FORMAT:"
    folders = [result.folder / one.folder / one.read_from for one in dataset.sources]
    return [f"affordance data check {shlex.quote(f'{prefix}{folder}')}" for folder in folders]


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
    from affordance.core.formatting import count_noun, format_bytes
    from affordance.core.http import public_url
    from affordance.integrations.hub.hub_repository import hub_endpoint
    from affordance.integrations.hub.publish import check_upload_access, export_for_hub, upload_to_hub

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
