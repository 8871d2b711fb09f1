"""`affordance capture`: screens, outcomes and animations from a browser."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, CommandGroup
from affordance.cli.options import Allow, Browser, DatasetName, Json, Licence, NewFolder, Synthetic, Workers
from affordance.console.output import print_json
from affordance.console.progress import StepProgress

if TYPE_CHECKING:
    from affordance.capture.animations import Counts as ClipCounts
    from affordance.capture.screens import Counts as ScreenCounts

app = CommandGroup(
    help="""Capture screens, outcomes of actions and animations in a browser.

    Pages are loaded unmodified. Requests to other origins are blocked.

    \b
    Examples:
      affordance capture page shop.html -o screens
      affordance capture outcomes screens
      affordance capture animation spinner.html -o clips
    """
)


@app.command("page")
def page(
    source: Annotated[str, typer.Argument(metavar="URL|FILE|FOLDER", help="A page, or a folder of HTML files.")],
    output: NewFolder,
    size: Annotated[
        list[str] | None,
        typer.Option("--size", metavar="WxH", help="Window size (repeatable).", show_default="1280x800"),
    ] = None,
    ratio: Annotated[
        list[float] | None,
        typer.Option(
            "--ratio", min=0.5, max=4, metavar="R", help="Pixels per CSS pixel (repeatable).", show_default="1"
        ),
    ] = None,
    theme: Annotated[
        list[str] | None,
        typer.Option("--theme", metavar="light|dark", help="Colour scheme (repeatable).", show_default="light"),
    ] = None,
    locale: Annotated[
        list[str] | None,
        typer.Option("--locale", metavar="L", help="Locale such as de-DE (repeatable).", show_default="en-US"),
    ] = None,
    vary: Annotated[
        str,
        typer.Option("--vary", metavar="V,...", help="Also capture variants: theme, zoom, locale, font, moved, all."),
    ] = "",
    other_locale: Annotated[str, typer.Option("--other-locale", metavar="L", help="Locale of that variant.")] = "de-DE",
    boxes: Annotated[Path | None, typer.Option("--boxes", metavar="DIR", help="Also draw the boxes, into DIR.")] = None,
    name: DatasetName = "",
    licence: Licence = "unknown",
    synthetic: Synthetic = False,
    allow: Allow = None,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> int:
    """Capture pages as screens with element boxes and regions.

    The same command resumes an interrupted capture.

    \b
    Examples:
      affordance capture page demo/apps -o screens --synthetic
      affordance capture page shop.html -o screens --size 1280x800 --size 390x844 --ratio 2 --theme dark
      affordance capture page https://example.org/ -o screens --vary theme,zoom --boxes boxes
    """
    import asyncio

    from affordance.capture.drawing import draw_boxes
    from affordance.capture.looks import Look, read_locale, read_size, read_theme, read_variations
    from affordance.capture.screens import About, capture_screens, plan
    from affordance.capture.sources import open_site

    looks = [
        Look(*read_size(one_size), one_ratio, read_theme(one_theme), read_locale(one_locale))
        for one_size in size or ["1280x800"]
        for one_ratio in ratio or [1.0]
        for one_theme in theme or ["light"]
        for one_locale in locale or ["en-US"]
    ]
    site = open_site(source, allow or [])
    wanted = plan(site, looks, read_variations(vary), read_locale(other_locale))
    with StepProgress("screens") as advance:
        about = About(name, licence, synthetic)
        counts = asyncio.run(
            capture_screens(site, wanted, output, about=about, browser=browser, workers=workers, advance=advance)
        )
    if boxes is not None:
        draw_boxes(output, boxes)
    _print_screens(counts, output, as_json)
    return EXIT_INCOMPLETE if counts.lost else EXIT_OK


@app.command("animation")
def animation(
    source: Annotated[str, typer.Argument(metavar="URL|FILE|FOLDER", help="A page, or a folder of HTML files.")],
    output: NewFolder,
    trigger: Annotated[
        str, typer.Option("--trigger", metavar="load|hover|click|script", help="What starts the animation.")
    ] = "load",
    target: Annotated[
        str | None, typer.Option("--target", metavar="SELECTOR", help="Element to hover or click, as a CSS selector.")
    ] = None,
    script: Annotated[str | None, typer.Option("--script", metavar="JS", help="Script to run.")] = None,
    size: Annotated[str, typer.Option("--size", metavar="WxH", help="Window size.")] = "800x500",
    ratio: Annotated[float, typer.Option("--ratio", min=0.5, max=4, metavar="R", help="Pixels per CSS pixel.")] = 1.0,
    theme: Annotated[str, typer.Option("--theme", metavar="light|dark", help="Colour scheme.")] = "light",
    locale: Annotated[str, typer.Option("--locale", metavar="L", help="Locale such as de-DE.")] = "en-US",
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, max=60, metavar="S", help="Maximum length.")] = 4.0,
    idle: Annotated[
        float, typer.Option("--idle", min=0.05, max=60, metavar="S", help="Stop after S seconds without change.")
    ] = 0.5,
    twins: Annotated[
        str, typer.Option("--twins", metavar="T,...", help="Also record twins: reversed, easing, slower, faster, all.")
    ] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Lossless video; few players show it.")] = False,
    strips: Annotated[
        Path | None, typer.Option("--strips", metavar="DIR", help="Also write filmstrips to DIR.")
    ] = None,
    name: DatasetName = "",
    licence: Licence = "unknown",
    synthetic: Synthetic = False,
    allow: Allow = None,
    browser: Browser = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> int:
    """Record animations at 60 frames per second with exact ground truth; the page's clock advances frame by frame.

    The record says what moves, where, when and how. A file NAME.toml next to NAME.html may set trigger, target, script,
    size, seconds and still, and what people write: platform, context, input, purpose, effect_responses,
    meaning_responses. The same command resumes an interrupted capture.

    \b
    Examples:
      affordance capture animation spinner.html -o clips --strips strips
      affordance capture animation menu.html -o clips --trigger click --target "#open"
      affordance capture animation menu.html -o clips --twins reversed,slower
      affordance capture animation demo/animations -o clips --synthetic
    """
    import asyncio

    from affordance.capture.animations import Shooting, capture_animations, plan_animations
    from affordance.capture.drawing import draw_filmstrips
    from affordance.capture.looks import Look, read_locale, read_size, read_theme
    from affordance.capture.notes import read_trigger
    from affordance.capture.screens import About
    from affordance.capture.sources import open_site
    from affordance.capture.twins import read_twins
    from affordance.media import VideoQuality

    shooting = Shooting(
        read_trigger(trigger),
        target,
        script,
        Look(*read_size(size), ratio, read_theme(theme), read_locale(locale)),
        seconds,
        idle,
        tuple(read_twins(twins)),
        VideoQuality.EXACT if exact else VideoQuality.FINE,
    )
    site = open_site(source, allow or [])
    wanted = plan_animations(site, shooting)
    with StepProgress("animations") as advance:
        about = About(name, licence, synthetic)
        counts = asyncio.run(
            capture_animations(
                site, wanted, output, shooting, about=about, browser=browser, workers=workers, advance=advance
            )
        )
    if strips is not None:
        draw_filmstrips(output, strips)
    _print_clips(counts, output, as_json)
    return EXIT_INCOMPLETE if counts.lost else EXIT_OK


@app.command("outcomes")
def outcomes(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A dataset from `affordance capture page`.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="A new or empty folder.", show_default="outcomes in the dataset"
        ),
    ] = None,
    action: Annotated[
        list[str] | None,
        typer.Option(
            "--action", metavar="A", help="Perform only this action (repeatable).", show_default="all that apply"
        ),
    ] = None,
    steps: Annotated[
        int, typer.Option("--steps", min=1, max=5, metavar="N", help="Also try sequences of up to N actions.")
    ] = 1,
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", min=1, metavar="N", help="Only the first N trials.")
    ] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="SRC", help="Where the pages are now.")] = None,
    allow: Allow = None,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> int:
    """Perform every action on every element twice, each time in a new context, and record what repeats.

    The same command resumes an interrupted capture.

    \b
    Examples:
      affordance capture outcomes screens
      affordance capture outcomes screens -o outcomes --action click --action type --steps 2
    """
    import asyncio

    from affordance.capture.actions import read_action
    from affordance.capture.outcomes import capture_outcomes
    from affordance.capture.sources import reopen_site
    from affordance.datasets import load_dataset

    dataset = load_dataset(folder)
    site = reopen_site(dataset.header, dataset.root, source, allow or [])
    actions = [read_action(one) for one in action] if action else None
    target = output or dataset.root / "outcomes"
    with StepProgress("trials") as advance:
        counts = asyncio.run(
            capture_outcomes(
                dataset, site, target, actions=actions, steps=steps, limit=limit, browser=browser, workers=workers,
                advance=advance,
            )
        )  # fmt: skip
    if as_json:
        record = {"kept": dict(counts.kept), "left_out": dict(counts.left_out), "broken": counts.broken}
        print_json({**record, "folder": target})
        return EXIT_INCOMPLETE if counts.broken else EXIT_OK
    kept = ", ".join(f"{number} {what}" for what, number in counts.kept.most_common())
    print(f"{target}: {counts.kept.total()} outcomes recorded ({kept})")
    _print_excluded(counts.left_out)
    for name, why in counts.broken.items():
        print(f"failed: {name}: {why}")
    return EXIT_INCOMPLETE if counts.broken else EXIT_OK


def _print_screens(counts: "ScreenCounts", output: Path, as_json: bool) -> None:
    from affordance.core.formatting import count_noun

    record: dict[str, Any] = {
        "screens": counts.screens,
        "elements": counts.elements,
        "regions": counts.regions,
        "left_out": dict(counts.left_out.most_common()),
        "lost": counts.lost,
        "folder": output,
    }
    if as_json:
        print_json(record)
    else:
        screens, elements = count_noun(counts.screens, "screen"), count_noun(counts.elements, "element")
        print(f"{output}: {screens}, {elements}, {count_noun(counts.regions, 'region')}")
        _print_excluded(counts.left_out)
        for name, why in counts.lost.items():
            print(f"failed: {name}: {why}")


def _print_clips(counts: "ClipCounts", output: Path, as_json: bool) -> None:
    from affordance.core.formatting import count_noun

    record: dict[str, Any] = {
        "clips": counts.clips,
        "twins": counts.twins,
        "effects": dict(counts.effects.most_common()),
        "odd": counts.odd,
        "lost": counts.lost,
        "folder": output,
    }
    if as_json:
        print_json(record)
    else:
        effects = ", ".join(f"{number} {effect}" for effect, number in counts.effects.most_common())
        print(
            f"{output}: {count_noun(counts.clips, 'clip')}, {count_noun(counts.twins, 'twin')} "
            f"({effects or 'no effects'})"
        )
        for name, why in counts.odd.items():
            print(f"suspicious: {name}: {why}")
        for name, why in counts.lost.items():
            print(f"failed: {name}: {why}")


def _print_excluded(left_out: Counter[str]) -> None:
    for why, number in left_out.most_common():
        print(f"excluded: {number:>5}  {why}")
