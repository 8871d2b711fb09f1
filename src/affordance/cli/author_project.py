"""`affordance author init`, `select`, `status` and `cost`: a project and how it stands."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import Json
from affordance.cli.places import cache_dir
from affordance.console.output import print_json
from affordance.console.progress import StepProgress

if TYPE_CHECKING:
    from affordance.author.standing import Standing
    from affordance.author.taking_in import TakenIn

TOLD = 10  # things of one kind that are listed; the rest is counted

ProjectFolder = Annotated[Path, typer.Argument(metavar="PROJECT", help="The project's folder.")]
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="AFFORDANCE_PROJECT_DB",
        help="postgresql://... of a project in Postgres; nothing for one whose database is in its folder.",
        show_default=False,
    ),
]


def init(
    project: ProjectFolder,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="IMAGES...", help="Pictures, videos, folders of them, or SPECs of datasets."),
    ],
    db: Db = None,
    platform: Annotated[
        str | None,
        typer.Option(metavar="P", help="Of all of them, such as mobile or web.", show_default="by their shape"),
    ] = None,
    fps: Annotated[
        float | None,
        typer.Option(min=0.01, metavar="F", help="Take F frames a second of videos as screens, and no clips."),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Of the benchmark.", show_default="that of PROJECT")] = "",
    licence: Annotated[str, typer.Option(metavar="L", help="Of the screens.", show_default="unknown")] = "",
    synthetic: Annotated[bool, typer.Option("--synthetic", help="The screens were made up.")] = False,
    as_json: Json = False,
) -> None:
    """Make a project of screens or clips, or add some to one. Nearly equal screens are found, originals never changed.

    Pictures are screens and videos are clips; datasets say what they are. Exit code 3: some of what was given could not
    be taken; the rest was.

    \b
    Examples:
      affordance author init shop screenshots/
      affordance author init shop recording.mp4 --fps 0.5
      affordance author init motion recordings/
      affordance author init motion animint:AniMINT
      affordance author init shop captured/ --db postgresql://me@db/shop
    """
    from affordance.author.project import FILE, create_project, open_project, read_about
    from affordance.author.taking_in import sort_out, take_in
    from affordance.core.errors import UserError

    frames = None if fps is None else Fraction(fps).limit_denominator(1000)
    given = sort_out(sources, frames, cache_dir())  # before a project is made of nothing
    if not (project / FILE).is_file():
        create_project(project, db, name, licence or "unknown", synthetic)
    about = read_about(project)
    asked = {"name": name or about.name, "licence": licence or about.licence}
    for what, there in (("name", about.name), ("licence", about.licence)):
        if asked[what] != there:
            raise UserError(f"{project} is a project with the {what} {there!r}; it cannot become {asked[what]!r}")
    with open_project(project, db) as opened, StepProgress("files and datasets") as advance:
        taken = take_in(opened, given, platform, frames, advance)
    if as_json:
        print_json(taken.told())
    else:
        print_import_result(project, taken)
    if taken.broken and not any(one.added or one.known for _, one in taken.kinds()):
        raise typer.Exit(EXIT_USER_ERROR)
    raise typer.Exit(EXIT_INCOMPLETE if taken.broken else EXIT_OK)


def print_import_result(project: Path, taken: "TakenIn", where: TextIO | None = None) -> None:
    from affordance.core.formatting import count_noun

    parts = [
        count_noun(len(one.added), f"new {what}") + (f", {one.known} were there already" if one.known else "")
        for what, one in taken.kinds()
    ]
    print(f"{project}: {'; '.join(parts)}", file=where)
    if (screens := taken.screens) is not None:
        print_list(
            [f"{one} nearly equals {other}" for one, other in screens.copies.items()], "look-alike pictures", where
        )
        print_list([f"{one}: {', '.join(done)}" for one, done in screens.repaired.items()], "converted pictures", where)
    if (clips := taken.clips) is not None:
        print_list(clips.motionless, "nothing moves in", where)
        print_list(clips.notes, "put right", where)
    if (pairs := taken.pairs) is not None:
        print_list(pairs.notes, "put right", where)
    print_list(taken.broken, "not taken", where)


def select(
    project: ProjectFolder,
    db: Db = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="A seeded sample of N of them.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the sample.")] = 0,
    with_groups: Annotated[
        bool, typer.Option("--with-groups", help="Only screens with a group of look-alikes (run elements first).")
    ] = False,
    with_copies: Annotated[bool, typer.Option("--with-copies", help="Also those that nearly equal another.")] = False,
    platform: Annotated[str | None, typer.Option(metavar="P", help="Only those of a platform.")] = None,
    screens: Annotated[
        list[str] | None, typer.Option("--screen", metavar="ID", help="Only this one; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Choose which screens go on. The others stay in the project, put aside; a new choice replaces the one before.

    \b
    Examples:
      affordance author select shop
      affordance author select shop --with-groups --sample 100 --seed 7
    """
    from affordance.author.project import open_project
    from affordance.author.screens.selecting import Wanted
    from affordance.author.screens.selecting import select as choose
    from affordance.core.formatting import count_noun

    wanted = Wanted(sample, seed, with_groups, with_copies, platform, tuple(screens or ()))
    with open_project(project, db) as opened:
        chosen = choose(opened, wanted)
    if as_json:
        print_json(chosen)
        return
    print(f"{project}: {count_noun(len(chosen.on), 'screen')} of {len(chosen.on) + len(chosen.aside)} go on")
    reasons = Counter(chosen.aside.values())
    print_list([f"{why} ({count})" for why, count in reasons.most_common()], "put aside")


def status(project: ProjectFolder, db: Db = None, as_json: Json = False) -> None:
    """What is done, pending, out of date and failed, and why.

    \b
    Example:
      affordance author status shop
    """
    from affordance.author.project import open_project
    from affordance.author.standing import standing

    with open_project(project, db, read_only=True) as opened:
        found = standing(opened)
    if as_json:
        print_json(found)
    else:
        _print_status(found)


def cost(project: ProjectFolder, db: Db = None, as_json: Json = False) -> None:
    """What the project cost so far, by stage, and what the rest will cost at the same price a screen.

    \b
    Example:
      affordance author cost shop
    """
    from affordance.author.project import open_project
    from affordance.author.standing import costs
    from affordance.cli.run import execution_config
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    prices = execution_config(1, 1.0, None).prices
    with open_project(project, db, read_only=True) as opened:
        found = costs(opened, prices)
    if as_json:
        print_json(found)
        return
    columns = (
        Column("stage"), Column("requests", unit=Unit.COUNT), Column("input tokens", unit=Unit.COUNT),
        Column("output tokens", unit=Unit.COUNT), Column("cost", unit=Unit.USD), Column("screens", unit=Unit.COUNT),
        Column("left", unit=Unit.COUNT), Column("rest", "cost of the rest", Unit.USD),
    )  # fmt: skip
    rows = [
        (one.stage, one.asks, one.input_tokens, one.output_tokens, "?" if one.cost is None else one.cost, one.screens,
         one.left, "?" if one.rest is None else one.rest)
        for one in found
    ]  # fmt: skip
    priced = [one.cost for one in found if one.cost is not None]
    total = f"${sum(priced):.2f} so far" + ("" if len(priced) == len(found) else ", without the models of no price")
    note = f"{total}. “?” is unknown: no price in affordance.toml, or nothing done yet to estimate from."
    print_table(Table.of("costs", "", columns, rows, [note]))


def _print_status(found: "Standing") -> None:
    from affordance.core.formatting import Unit, count_noun
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    aside = sum(found.aside.values())
    known = f"{aside} put aside, {found.copies} nearly equal to another"
    print(f"{found.name}: {count_noun(found.screens, 'screen')}, {known}")
    parts = [
        f"{found.regions:,} regions ({found.corrected:,} corrected by people)",
        f"{found.elements:,} elements",
        *(f"{count:,} {level} groups" for level, count in sorted(found.groups.items())),
        *(f"{count:,} {kind} questions" for kind, count in sorted(found.questions.items())),
    ]
    print("; ".join(parts) + "\n")
    counts = [Column(name, unit=Unit.COUNT) for name in ("done", "outdated", "pending", "failed")]
    rows = [(one.stage, one.done, len(one.outdated), len(one.pending), len(one.failed)) for one in found.stages]
    print_table(Table.of("stages", "", ["stage", *counts], rows))
    print_list([f"{why} ({count})" for why, count in found.aside.most_common()], "put aside")
    print_list([f"{screen}: {why}" for screen, why in found.unreadable.items()], "cannot be read")
    for stage in found.stages:
        print_list([f"{screen}: {why}" for screen, why in stage.pending.items() if why], f"{stage.stage} pending")
        print_list([f"{screen}: {why}" for screen, why in stage.failed.items()], f"{stage.stage} failed")
    print_list([f"{why} ({count})" for why, count in found.dropped.most_common()], "dropped questions")


def print_list(lines: list[str], what: str, where: TextIO | None = None) -> None:
    """Some of many lines under a heading, on standard output unless `where` says otherwise; nothing where there are
    none."""
    if lines:
        print(f"\n{what}:", file=where)
        for line in lines[:TOLD]:
            print(f"  {line}", file=where)
        if len(lines) > TOLD:
            print(f"  and {len(lines) - TOLD} more (--json lists all)", file=where)
