"""`affordance author export` and `import`: a project to other formats, and from them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from affordance.cli.author_project import Db, ProjectFolder, print_list
from affordance.cli.command_group import EXIT_INCOMPLETE
from affordance.cli.options import Json
from affordance.console.output import print_json
from affordance.core.errors import UserError

if TYPE_CHECKING:
    from affordance.author.exchange.results import LeftOut

ASKED = ("ground element", "ground region", "outcome element", "outcome region")  # what questions are counted as

Out = Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder.")]


def export(
    project: ProjectFolder,
    out: Out,
    format_: Annotated[
        Literal["own", "cache", "columns", "coco", "label-studio", "pictures"],
        typer.Option(
            "--format",
            metavar="F",
            help="own: datasets that `affordance run` evaluates; cache and columns: as AutoGUI-v2 publishes them; "
            "coco, label-studio, or pictures.",
        ),
    ] = "own",
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Write the benchmark, or what there is of it. What people rejected and what checks dropped is left out, and told.

    Exit code 3: there are screens of which something could not be read; the rest was written.

    \b
    Examples:
      affordance author export shop -o shop-benchmark
      affordance run function/ground-element --data shop-benchmark --model openai:gpt-5
      affordance author export shop -o shop-coco --format coco
      affordance author export motion -o motion-clips
    """
    from affordance.author.exchange.results import Facts, LeftOut
    from affordance.author.giving_out import give_out
    from affordance.author.project import open_project
    from affordance.author.standing import out_of_date

    unread: dict[str, LeftOut] = {}  # by screen: they are gone through twice
    with open_project(project, db, read_only=True) as opened:
        about = opened.about
        facts = Facts(about.name, about.licence, synthetic=about.synthetic)

        def cannot_read(screen: str, error: UserError) -> None:
            unread[screen] = LeftOut(screen, f"screen that cannot be read: {error}")

        written = give_out(opened, out, facts, format_, cannot_read)
        written.notes += out_of_date(opened)
    written.left_out += unread.values()
    if as_json:
        print_json({"folder": out, "written": written})
    else:
        counts = ", ".join(f"{count:,} {what}" for what, count in written.counts.items() if count)
        print(f"{out}: {counts or 'nothing'}")
        print_list([f"{why} ({count})" for why, count in written.reasons().items()], "left out")
        print_list([f"{one.what}: {one.reason}" for one in unread.values()], "cannot be read")
        print_list(written.notes, "notes")
        if tasks := _tasks(written.counts):
            print(f"\naffordance run {' '.join(tasks)} --data {out} --model M")
    raise typer.Exit(EXIT_INCOMPLETE if unread else 0)


def import_(
    project: ProjectFolder,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A folder with an export, or with AutoGUI-v2's cache.")],
    format_: Annotated[
        Literal["own", "cache"] | None,
        typer.Option("--format", metavar="own|cache", help="Of the folder.", show_default="as it tells"),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Bring screens, regions, corrections and questions into a project, which is made where there is none.

    Originals and corrections become revisions, each by whom it was made. The same again changes nothing. Exit code 3:
    some of it could not be used; the rest was taken.

    \b
    Example:
      affordance author import shop autogui-v2-cache/
    """
    from affordance.author.exchange.bringing import bring_in
    from affordance.author.exchange.formats import read
    from affordance.author.project import FILE, create_project, open_project
    from affordance.core.formatting import count_noun

    imported = read(path, format_)
    if not (project / FILE).is_file():
        create_project(project, db)
    with open_project(project, db) as opened:
        brought = bring_in(opened, imported)
    if as_json:
        print_json(brought)
    else:
        known = f", {brought.known} were there already" if brought.known else ""
        print(f"{project}: {count_noun(len(brought.screens), 'new screen')}{known}")
        kinds = [f"{count:,} of {kind}" for kind, count in sorted(brought.revisions.items())]
        print_list(kinds, "new revisions")
        print_list(_print_result(brought.left_out), "left out")
        print_list(brought.notes, "notes")
    raise typer.Exit(EXIT_INCOMPLETE if brought.left_out else 0)


def _tasks(counts: Counter[str]) -> list[str]:
    """What can be asked about what was written."""
    found = [f"function/{'-'.join(what.split())}" for what in counts if what in ASKED]
    others = (
        ("purposes", "motion/purpose"),
        ("descriptions of meanings", "motion/meaning"),
        ("pairs", "behavior/choice"),
    )
    return found + [task for what, task in others if counts[what]]


def _print_result(left_out: "Sequence[LeftOut]") -> list[str]:
    return [f"{one.what}: {one.reason}" for one in left_out]
