"""`affordance data push`: a benchmark of one's own to where others find it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.options import Json
from affordance.console.output import print_json

TOLD = 12  # files that are listed


def push(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A dataset in Affordance's own format.")],
    repo: Annotated[
        str | None, typer.Option("--to", metavar="OWNER/NAME", help="Upload it there, after asking. Needs HF_TOKEN.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="A new or empty folder, or that of an earlier push.",
            show_default="DIR-hub, beside DIR",
        ),
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Only you and those you name can see it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Upload without asking.")] = False,
    as_json: Json = False,
) -> None:
    """Write a dataset card and parquet tables for a benchmark of your own; with --to, upload them to the hub.

    The folder holds Affordance's own format too, so that `data fetch hub:OWNER/NAME` gets the same items back.

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
    target = out or folder.resolve().with_name(f"{folder.resolve().name}-hub")
    written = export_for_hub(folder, target, repo)
    if not as_json:
        for path, file in sorted(written.files.items())[:TOLD]:
            print(f"  {format_bytes(file.stat().st_size):>9}  {path}")
        if len(written.files) > TOLD:
            print(f"  and {count_noun(len(written.files) - TOLD, 'other file')}")
        print(
            f"{target}: {count_noun(len(written.files), 'file')}, {format_bytes(written.size)}; read "
            f"{target / 'README.md'}"
        )
    address = None
    if repo is not None:
        where = f"{repo} at {public_url(hub_endpoint())}, {'private' if private else 'for everybody to see'}"
        print(f"to be uploaded: {count_noun(len(written.files), 'file')} to {where}", file=sys.stderr)
        if not yes and not sys.stdin.isatty():
            raise UserError("expected --yes after you have read what goes where; nothing was uploaded")
        if not yes and not typer.confirm("Upload it?", err=True):
            raise UserError("nothing was uploaded")
        address = upload_to_hub(written, repo, private=private)
    if as_json:
        files = {path: file.stat().st_size for path, file in sorted(written.files.items())}
        print_json({"folder": target, "files": files, "bytes": written.size, "uploaded": address})
    elif address is not None:
        print(address)
        print(f"next: affordance data fetch hub:{repo} DIR --accept")
