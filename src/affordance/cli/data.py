"""`affordance data`: download, make, check, convert and publish datasets."""

import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import data_convert, data_hub
from affordance.cli.command_group import EXIT_OK, EXIT_USER_ERROR, CommandGroup
from affordance.cli.options import Json, Seed, Spec
from affordance.console.output import print_json
from affordance.console.progress import StepProgress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.datasets.statistics import DatasetStatistics, NumberSummary

BAR_WIDTH = 30  # characters of the longest bar
MAX_VALUES = 14  # of one distribution

app = CommandGroup(
    help="""Download, make, check, convert and publish datasets.

    A SPEC is a folder in our own format, or FORMAT:PATH with a published one: animint, autogui-v2, osworld-g,
    osworld-g-refined, pairs, screenspot, screenspot-v2, screenspot-pro, wiserui.

    \b
    Examples:
      affordance data check animint:AniMINT
      affordance data stats screens
      affordance data import recordings -o clips
    """
)
make = CommandGroup(
    help="""Make a dataset without any input.

    \b
    Examples:
      affordance data make demo demo-data
      affordance data make primitives clips
    """
)
app.add_typer(make, name="make")
app.command("fetch")(data_hub.fetch)
app.command("push")(data_hub.push)
app.command("clean")(data_convert.clean)
app.command("split")(data_convert.split)
app.command("import")(data_convert.import_)
app.command("prepare")(data_convert.prepare)
app.command("preferences")(data_convert.preferences)


@make.command("primitives")
def primitives(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    variants: Annotated[
        int | None,
        typer.Option(
            "--variants", min=1, metavar="K", help="Random variants per effect.", show_default="the canonical form"
        ),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Render the seven primitive effects as 3-second 60-fps clips.

    \b
    Examples:
      affordance data make primitives clips
      affordance data make primitives clips-20 --variants 20 --seed 7
    """
    from affordance.datasets.generated.primitive_clips import make_primitive_clips

    with StepProgress("clips") as advance:
        made = make_primitive_clips(folder, variants, seed, advance)
    if as_json:
        print_json({"folder": folder, "items": len(made.items)})
    else:
        print(folder)


@make.command("demo")
def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    as_json: Json = False,
) -> None:
    """Unpack the demo data of the package: datasets of clips, pairs, screens and outcomes.

    All of it is synthetic, captured from pages made for it.

    \b
    Example:
      affordance data make demo demo-data
    """
    from affordance.datasets.demo import unpack_demo

    made = unpack_demo(folder)
    if as_json:
        print_json([{"folder": one.root, "kind": one.header.kind, "items": len(one.items)} for one in made])
        return
    for one in made:
        print(f"{one.root}: {len(one.items)} items")


@app.command("check")
def check(spec: Spec, as_json: Json = False) -> int:
    """Check a dataset for errors. Exit code 0: nothing worse than warnings.

    Videos are decoded to the end.

    \b
    Examples:
      affordance data check clips
      affordance data check osworld-g:OSWorld-G/benchmark
    """
    from affordance.core.formatting import count_noun
    from affordance.datasets import expand_spec
    from affordance.datasets.check import check_dataset, limit_per_code
    from affordance.datasets.dataset import Severity

    checked = {}
    for member in expand_spec(spec):
        with StepProgress("videos decoded") as advance:
            checked[member] = check_dataset(member, cache_dir(), advance)
    errors = 0
    for member, found in checked.items():
        wrong, warnings = found.count(Severity.ERROR), found.count(Severity.WARNING)
        errors += wrong
        if not as_json:
            for one in limit_per_code(found.issues):
                print(f"{one.severity}: {one}")
            name = f" ({found.name})" if found.name and found.name != Path(member).name else ""
            print(f"{member}{name}: {count_noun(wrong, 'error')}, {count_noun(warnings, 'warning')}")
    if as_json:
        print_json(
            [
                {
                    "dataset": member,
                    "level": one.severity,
                    "code": one.code,
                    "message": str(one),
                    "item": one.item,
                    "target": one.target,
                }
                for member, found in checked.items()
                for one in found.issues
            ]
        )
    return EXIT_USER_ERROR if errors else EXIT_OK


@app.command("stats")
def stats(spec: Spec, as_json: Json = False) -> None:
    """Count the content of a dataset: items, sizes, types, actions, lengths of questions, options, groups.

    \b
    Examples:
      affordance data stats screens
      affordance data stats autogui-v2:AutoGUIv2-FuncElemGnd --json
    """
    from affordance.datasets import expand_spec, load_dataset
    from affordance.datasets.statistics import describe_dataset
    from affordance.grounding.density import density_distribution

    found = []
    for member in expand_spec(spec):
        dataset = load_dataset(member, cache_dir())
        crowded = density_distribution(dataset)
        one = describe_dataset(dataset)
        found.append(replace(one, distributions=(*one.distributions, *([crowded] if crowded is not None else []))))
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for number, one in enumerate(found):
        print("\n" * (number > 0), end="")
        _print_statistics(one)


def _print_statistics(found: "DatasetStatistics") -> None:
    from affordance.core.formatting import Unit, format_count
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    print(f"{found.name}: {', '.join(f'{format_count(number)} {name}' for name, number in found.counts.items())}")
    if found.summaries:
        print()
        names = ("n", "mean", "min", "25%", "median", "75%", "max")
        columns = (Column("value"), *(Column(name, align="right") for name in names))
        rows = [(one.name, format_count(one.n), *map(_short, _numbers(one))) for one in found.summaries]
        print_table(Table.of("summaries", "", columns, rows))
    for one in found.distributions:
        print()
        largest = max(number for _, number in one.counts)
        body = [
            (value, number, number / one.total, "█" * math.ceil(BAR_WIDTH * number / largest))
            for value, number in one.counts[:MAX_VALUES]
        ]
        hidden = one.counts[MAX_VALUES:]
        others = format_count(sum(number for _, number in hidden))
        note = f"and {len(hidden)} other values, {others} {one.of}" if hidden else ""
        columns = (
            Column(one.name),
            Column(one.of, unit=Unit.COUNT),
            Column("share", unit=Unit.PERCENT),
            Column("bar", " "),
        )
        print_table(Table.of(one.name, "", columns, body, [note]))


def _numbers(summary: "NumberSummary") -> tuple[float, ...]:
    quartiles = summary.lower_quartile, summary.median, summary.upper_quartile
    return summary.mean, summary.low, *quartiles, summary.high


def _short(number: float) -> str:
    return f"{number:,.1f}" if abs(number) >= 10 or number == int(number) else f"{number:.3g}"
