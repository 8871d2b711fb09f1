"""`affordance data fetch`, `clean` and `split`: pairs of designs, from a list of URLs to pictures to be asked about."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.exits import INCOMPLETE
from affordance.cli.places import cache_folder
from affordance.cli.progress import Steps

TOLD = 20  # pictures that could not be had; all of them are in the report

LICENCE = """\
WiserUI-Bench is published under CC BY-NC-SA 4.0: name its authors, do not use it commercially, pass on what you make
of it under the same licence. Its pictures lie at GoodUI, VWO and abtest.design and belong to them and to the companies
they show. Each of some 500 addresses is asked once, with pauses; it takes a few minutes.
"""

Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A dataset folder, or FORMAT:PATH with a published dataset.")]
New = Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder.")]


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The set to fetch: wiserui.")],
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to; what is there already is not fetched again.")
    ],
    table: Annotated[
        Path | None,
        typer.Option("--json-file", metavar="FILE", help="The published WiserUI_Bench.json, if it is not in DIR yet."),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="You have read the licence and keep to it.")] = False,
) -> None:
    """Fetch the pictures of a set that is published as a list of URLs. Exit code 3: some could not be had this time.

    \b
    Examples:
      affordance data fetch wiserui wiserui --json-file WiserUI_Bench.json --accept
      affordance data fetch wiserui wiserui --accept
    """
    from affordance.core.errors import UnknownName, UserError
    from affordance.datasets.fetch import FAILED, NOT_THERE, REPORT, fetch_wiserui
    from affordance.report.numbers import counted

    if name != "wiserui":
        raise UnknownName("set to fetch", name, ["wiserui"])
    print(LICENCE, file=sys.stderr)
    if not accept:
        raise UserError("expected --accept after you have read the licence above; nothing was fetched")
    with Steps("pictures") as advance:
        found = fetch_wiserui(folder, table, advance=advance)
    for outcome in (NOT_THERE, FAILED):
        listed = [one for one in found.tried if one.outcome == outcome]
        for one in listed[:TOLD]:
            print(f"{outcome}: {one.image}: {one.reason}")
        if len(listed) > TOLD:
            print(f"{outcome}: and {len(listed) - TOLD} more, see {folder / REPORT}")
    there = len(found.tried) - found.count(NOT_THERE) - found.count(FAILED)
    print(f"{folder}: {counted(there, 'picture')} of {len(found.tried)}; report in {folder / REPORT}")
    raise typer.Exit(0 if found.complete else INCOMPLETE)


def clean(
    spec: Spec,
    out: New,
    everything: Annotated[
        bool, typer.Option("--all", help="Look at all pictures, not only those of sources that draw markers (GoodUI).")
    ] = False,
) -> None:
    """Write a dataset without the markers that somebody drew onto screenshots of pairs.

    Originals, masks and pictures of before and after are kept in DIR/media: look at them.

    \b
    Example:
      affordance data clean wiserui:wiserui -o wiserui-clean
    """
    from affordance.datasets import read_dataset
    from affordance.datasets.clean import clean as write_clean
    from affordance.report.numbers import counted

    dataset = read_dataset(spec, cache_folder())
    with Steps("pairs") as advance:
        found = write_clean(dataset, out, everything=everything, advance=advance)
    if found.left_out:
        print(f"left out: {counted(found.left_out, 'pair')} without pictures")
    if found.doubtful:
        print(f"look at: {', '.join(found.doubtful)}; much of a picture is masked, and may be the page's own colour")
    print(f"{out}: {counted(found.pairs, 'pair')}, {len(found.cleaned)} of them with markers removed")


def split(
    spec: Spec,
    out: New,
    confirm: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Proposals that a person has confirmed: cut those pairs.")
    ] = None,
) -> None:
    """Propose where to cut pairs that are one picture of two designs; with --confirm, cut them.

    A proposal is a picture with both designs outlined, and an entry in DIR/proposals.json for a person to correct and
    confirm, with which of the two won.

    \b
    Examples:
      affordance data split wiserui:wiserui -o cuts
      affordance data split wiserui:wiserui -o wiserui-cut --confirm cuts/proposals.json
    """
    from affordance.datasets import read_dataset
    from affordance.datasets.split import PROPOSALS, cut, propose
    from affordance.report.numbers import counted

    dataset = read_dataset(spec, cache_folder())
    with Steps("pairs") as advance:
        found = propose(dataset, out, advance) if confirm is None else cut(dataset, out, confirm, advance)
    single = f"{counted(found.single, 'pair')} of {found.pairs} are one picture"
    if confirm is None:
        if found.without:
            print(f"no gutter found, cut in the middle: {', '.join(found.without)}")
        print(f"{out / PROPOSALS}: {single}; look at {out / 'pictures'}, correct and confirm")
        return
    if found.without:
        print(f"not confirmed, left as they are: {', '.join(found.without)}")
    print(f"{out}: {single}, {found.done} of them cut")
