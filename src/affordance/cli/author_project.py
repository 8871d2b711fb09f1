"""`affordance author init`, `select`, `status`, `cost`, `export` and `import`."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import DatasetName, Json, Licence, NewFolder, Seed, Synthetic
from affordance.console.output import print_json
from affordance.console.progress import StepProgress
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.exchange.results import LeftOut
    from affordance.author.standing import Standing
    from affordance.author.taking_in import TakenIn

MAX_LISTED = 10  # of one kind; the others are counted
QUESTION_KINDS = ("ground element", "ground region", "outcome element", "outcome region")

ProjectFolder = Annotated[Path, typer.Argument(metavar="PROJECT", help="The project's folder.")]
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="AFFORDANCE_PROJECT_DB",
        help="Postgres URL of the project.",
        show_default="the database in its folder",
    ),
]


def init(
    project: ProjectFolder,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Images, videos, folders of them, or SPECs of datasets."),
    ],
    db: Db = None,
    platform: Annotated[
        str | None,
        typer.Option("--platform", metavar="P", help="Platform of all sources.", show_default="by shape"),
    ] = None,
    fps: Annotated[
        float | None,
        typer.Option("--fps", min=0.01, metavar="F", help="Take F frames per second of videos as screens."),
    ] = None,
    name: DatasetName = "",
    licence: Licence = "",
    synthetic: Synthetic = False,
    as_json: Json = False,
) -> int:
    """Create a project from images, videos, folders or datasets, or add to it.

    Images become screens, videos become clips. Near duplicates are detected; originals are never changed. Exit code 3:
    some sources could not be imported.

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

    frames = None if fps is None else Fraction(fps).limit_denominator(1000)
    given = sort_out(sources, frames, cache_dir())  # before an empty project is created
    if not (project / FILE).is_file():
        create_project(project, db, name, licence or "unknown", synthetic)
    about = read_about(project)
    wanted = {"name": name or about.name, "licence": licence or about.licence}
    for what, there in (("name", about.name), ("licence", about.licence)):
        if wanted[what] != there:
            raise UserError(f"{project} is a project with the {what} {there!r}; it cannot become {wanted[what]!r}")
    if synthetic and not about.synthetic:
        raise UserError(f"{project} is a project whose content is not synthetic", option="synthetic")
    with open_project(project, db) as opened, StepProgress("files and datasets") as advance:
        taken = take_in(opened, given, platform, frames, advance)
    if as_json:
        print_json(taken.told())
    else:
        print_import_result(project, taken)
    if taken.broken and not any(one.added or one.known for _, one in taken.kinds()):
        return EXIT_USER_ERROR
    return EXIT_INCOMPLETE if taken.broken else EXIT_OK


def print_import_result(project: Path, taken: "TakenIn", where: TextIO | None = None) -> None:
    from affordance.core.formatting import count_noun

    parts = [
        count_noun(len(one.added), f"new {what}") + (f", {one.known} were there already" if one.known else "")
        for what, one in taken.kinds()
    ]
    print(f"{project}: {'; '.join(parts)}", file=where)
    if (screens := taken.screens) is not None:
        print_list([f"{one} nearly equals {other}" for one, other in screens.copies.items()], "near duplicates", where)
        print_list([f"{one}: {', '.join(done)}" for one, done in screens.repaired.items()], "converted images", where)
    if (clips := taken.clips) is not None:
        print_list(clips.motionless, "no motion in", where)
        print_list(clips.notes, "corrected", where)
    if (pairs := taken.pairs) is not None:
        print_list(pairs.notes, "corrected", where)
    print_list(taken.broken, "not imported", where)


def select(
    project: ProjectFolder,
    db: Db = None,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, metavar="N", help="Random sample of N screens.")
    ] = None,
    seed: Seed = 0,
    with_groups: Annotated[
        bool, typer.Option("--with-groups", help="Only screens with similar elements (run elements first).")
    ] = False,
    with_copies: Annotated[bool, typer.Option("--with-copies", help="Include near duplicates.")] = False,
    platform: Annotated[
        str | None, typer.Option("--platform", metavar="P", help="Only screens of this platform.")
    ] = None,
    screens: Annotated[
        list[str] | None, typer.Option("--screen", metavar="ID", help="Only this screen (repeatable).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Select the screens to process. The others stay in the project, excluded; a new selection replaces the last.

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
    print(f"{project}: {count_noun(len(chosen.on), 'screen')} of {len(chosen.on) + len(chosen.aside)} selected")
    reasons = Counter(chosen.aside.values())
    print_list([f"{why} ({count})" for why, count in reasons.most_common()], "excluded")


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
    """Show the cost of a project by stage, and an estimate of the rest at the same price per screen.

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
        Column("remaining", unit=Unit.COUNT), Column("cost_remaining", "cost remaining", Unit.USD),
    )  # fmt: skip
    rows = [
        (one.stage, one.asks, one.input_tokens, one.output_tokens, "?" if one.cost is None else one.cost, one.screens,
         one.left, "?" if one.rest is None else one.rest)
        for one in found
    ]  # fmt: skip
    priced = [one.cost for one in found if one.cost is not None]
    total = f"${sum(priced):.2f} so far" + ("" if len(priced) == len(found) else ", without models of unknown price")
    note = f"{total}. A ? needs a price in affordance.toml, or a first screen."
    print_table(Table.of("costs", "", columns, rows, [note]))


def _print_status(found: "Standing") -> None:
    from affordance.core.formatting import Unit, count_noun
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    aside = sum(found.aside.values())
    known = f"{aside} excluded, {found.copies} near duplicates"
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
    print_list([f"{why} ({count})" for why, count in found.aside.most_common()], "excluded")
    print_list([f"{screen}: {why}" for screen, why in found.unreadable.items()], "cannot be read")
    for stage in found.stages:
        print_list([f"{screen}: {why}" for screen, why in stage.pending.items() if why], f"{stage.stage} pending")
        print_list([f"{screen}: {why}" for screen, why in stage.failed.items()], f"{stage.stage} failed")
    print_list([f"{why} ({count})" for why, count in found.dropped.most_common()], "dropped questions")


def print_list(lines: list[str], what: str, where: TextIO | None = None) -> None:
    """Print the first lines under a heading, on standard output unless `where` says otherwise; nothing for none."""
    if lines:
        print(f"\n{what}:", file=where)
        for line in lines[:MAX_LISTED]:
            print(f"  {line}", file=where)
        if len(lines) > MAX_LISTED:
            print(f"  and {len(lines) - MAX_LISTED} more (--json lists all)", file=where)


def export(
    project: ProjectFolder,
    output: NewFolder,
    format_: Annotated[
        Literal["own", "cache", "columns", "coco", "label-studio", "images", "pictures"],
        typer.Option(
            "--format",
            metavar="F",
            help="own (for `affordance run`), coco or images.",
        ),
    ] = "own",
    db: Db = None,
    as_json: Json = False,
) -> int:
    """Export the benchmark. Rejected and dropped questions are excluded and listed.

    Exit code 3: some screens could not be read; the rest was written.

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

        written = give_out(opened, output, facts, "pictures" if format_ == "images" else format_, cannot_read)
        written.notes += out_of_date(opened)
    written.left_out += unread.values()
    if as_json:
        print_json({"folder": output, "written": written})
    else:
        counts = ", ".join(f"{count:,} {what}" for what, count in written.counts.items() if count)
        print(f"{output}: {counts or 'nothing'}")
        print_list([f"{why} ({count})" for why, count in written.reasons().items()], "excluded")
        print_list([f"{one.what}: {one.reason}" for one in unread.values()], "cannot be read")
        print_list(written.notes, "notes")
        if tasks := _tasks(written.counts):
            print(f"\naffordance run {' '.join(tasks)} --data {output} --model M")
    return EXIT_INCOMPLETE if unread else EXIT_OK


def import_(
    project: ProjectFolder,
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder with an export, or with a cache of AutoGUI-v2.")
    ],
    format_: Annotated[
        Literal["own", "cache"] | None,
        typer.Option("--format", metavar="own|cache", help="Format of the folder.", show_default="detected"),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> int:
    """Import screens, regions, corrections and questions into a project, which is created if it does not exist.

    Originals and corrections become revisions with their authors. Importing the same again changes nothing. Exit code
    3: some of it could not be used.

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
        print_list(_describe_excluded(brought.left_out), "excluded")
        print_list(brought.notes, "notes")
    return EXIT_INCOMPLETE if brought.left_out else EXIT_OK


def _tasks(counts: Counter[str]) -> list[str]:
    """Tasks of which the export has questions."""
    found = [f"function/{'-'.join(what.split())}" for what in counts if what in QUESTION_KINDS]
    others = (
        ("purposes", "motion/purpose"),
        ("descriptions of meanings", "motion/meaning"),
        ("pairs", "behavior/choice"),
    )
    return found + [task for what, task in others if counts[what]]


def _describe_excluded(left_out: "Sequence[LeftOut]") -> list[str]:
    return [f"{one.what}: {one.reason}" for one in left_out]
