"""`affordance data`: make and check datasets."""

import json
from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.options import Json
from affordance.cli.progress import Steps

app = typer.Typer(no_args_is_help=True, help="Make and check datasets.")
make = typer.Typer(no_args_is_help=True, help="Make a dataset.")
app.add_typer(make, name="make")


@make.command("primitives")
def primitives(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    variants: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="K randomized variants of each effect, not the canonical form."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Seeds the variants.")] = 0,
) -> None:
    """Render the seven primitive effects as 3-second 60-fps clips.

    \b
    Examples:
      affordance data make primitives clips
      affordance data make primitives clips-20 --variants 20 --seed 7
    """
    from affordance.suites.motion.make import make_primitives

    with Steps("clips") as advance:
        make_primitives(folder, variants, seed, advance)
    print(folder)


@make.command("demo")
def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Unpack the demo data that comes with the package: clips, pairs, screens and outcomes, each a dataset.

    All of it is synthetic: captured from pages that were made for it.

    \b
    Example:
      affordance data make demo demo-data
    """
    from affordance.datasets.demo import unpack

    for dataset in unpack(folder):
        print(f"{dataset.root}: {len(dataset.items)} items")


@app.command("check")
def check(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A dataset folder.")],
    as_json: Json = False,
) -> None:
    """Look for everything that can be wrong with a dataset. Exit code 0: nothing worse than warnings.

    \b
    Example:
      affordance data check clips
    """
    from affordance.datasets import locate
    from affordance.datasets.check import Level
    from affordance.datasets.check import check as check_folder
    from affordance.report.numbers import counted

    findings = list(check_folder(locate(spec)))
    errors = sum(finding.level is Level.ERROR for finding in findings)
    if as_json:
        print(json.dumps([{"level": finding.level, "message": finding.message} for finding in findings], indent=2))
    else:
        for finding in findings:
            print(f"{finding.level}: {finding.message}")
        print(f"{spec}: {counted(errors, 'error')}, {counted(len(findings) - errors, 'warning')}")
    raise typer.Exit(2 if errors else 0)
