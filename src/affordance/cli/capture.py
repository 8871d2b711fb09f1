"""`affordance capture`: screens, outcomes and animations from a real browser."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from affordance.cli import capture_corpus
from affordance.cli.command_group import CommandGroup
from affordance.cli.options import Browser, Json, Workers
from affordance.console.progress import StepProgress

app = CommandGroup(
    help="""Capture screens, outcomes of actions and animations in a real browser.

    It opens pages as they are, and lets them talk to nobody but their own origin.

    \b
    Examples:
      affordance capture page shop.html -o screens
      affordance capture outcomes screens
      affordance capture animation spinner.html -o clips
    """
)

Allow = Annotated[
    list[str] | None,
    typer.Option(metavar="ORIGIN", help="Let pages talk to this origin; repeatable. By default to none but their own."),
]


@app.command("page")
def page(
    source: Annotated[str, typer.Argument(metavar="URL|FILE|FOLDER", help="A page, or a folder of HTML files.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder for the dataset.")],
    size: Annotated[
        list[str] | None, typer.Option(metavar="WxH", help="Size of the window; repeatable.", show_default="1280x800")
    ] = None,
    ratio: Annotated[
        list[float] | None,
        typer.Option(min=0.5, max=4, metavar="R", help="Pixels per CSS pixel; repeatable.", show_default="1"),
    ] = None,
    theme: Annotated[
        list[str] | None, typer.Option(metavar="light|dark", help="Repeatable.", show_default="light")
    ] = None,
    locale: Annotated[
        list[str] | None, typer.Option(metavar="L", help="Such as de-DE; repeatable.", show_default="en-US")
    ] = None,
    vary: Annotated[
        str, typer.Option(metavar="V,...", help="Also variants: theme, zoom, locale, font, moved, or all.")
    ] = "",
    other_locale: Annotated[str, typer.Option(metavar="L", help="The locale of the variant `locale`.")] = "de-DE",
    boxes: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also draw the boxes on the screens, to look at.")
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Of the dataset.", show_default="that of DIR")] = "",
    licence: Annotated[str, typer.Option(metavar="L", help="Of the pages.")] = "unknown",
    synthetic: Annotated[bool, typer.Option("--synthetic", help="Say that the pages were made for this.")] = False,
    allow: Allow = None,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> None:
    """Capture pages as screens: a picture, every element that can be operated, and the tree of regions.

    Interrupted, the same command goes on where it was.

    \b
    Examples:
      affordance capture page demo/apps -o screens --synthetic
      affordance capture page shop.html -o screens --size 1280x800 --size 390x844 --ratio 2 --theme dark
      affordance capture page https://example.org/ -o screens --vary theme,zoom --boxes looked-at
    """
    import asyncio

    from affordance.capture.drawing import draw_boxes
    from affordance.capture.looks import Look, read_locale, read_size, read_theme, read_variations
    from affordance.capture.screens import About, capture_screens, plan
    from affordance.capture.sources import open_site
    from affordance.core.formatting import count_noun

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
            capture_screens(site, wanted, out, about=about, browser=browser, workers=workers, advance=advance)
        )
    if boxes is not None:
        draw_boxes(out, boxes)
    told: dict[str, Any] = {
        "screens": counts.screens,
        "elements": counts.elements,
        "regions": counts.regions,
        "left_out": dict(counts.left_out.most_common()),
        "lost": counts.lost,
        "folder": str(out),
    }
    if as_json:
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        screens, elements = count_noun(counts.screens, "screen"), count_noun(counts.elements, "element")
        print(f"{out}: {screens}, {elements}, {count_noun(counts.regions, 'region')}")
        _print_left_out(counts.left_out)
        for name, why in counts.lost.items():
            print(f"lost: {name}: {why}")
    raise typer.Exit(3 if counts.lost else 0)


@app.command("animation")
def animation(
    source: Annotated[str, typer.Argument(metavar="URL|FILE|FOLDER", help="A page, or a folder of HTML files.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder for the dataset.")],
    trigger: Annotated[
        str, typer.Option(metavar="load|hover|click|script", help="What sets the animation off.")
    ] = "load",
    target: Annotated[
        str | None, typer.Option(metavar="SELECTOR", help="What is hovered or clicked, as a CSS selector.")
    ] = None,
    script: Annotated[str | None, typer.Option(metavar="JAVASCRIPT", help="What is run to set it off.")] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size of the window.")] = "800x500",
    ratio: Annotated[float, typer.Option(min=0.5, max=4, metavar="R", help="Pixels per CSS pixel.")] = 1.0,
    theme: Annotated[str, typer.Option(metavar="light|dark", help="As the page is told.")] = "light",
    locale: Annotated[str, typer.Option(metavar="L", help="Such as de-DE.")] = "en-US",
    seconds: Annotated[
        float, typer.Option(min=0.1, max=60, metavar="S", help="The longest; what never ends is cut there.")
    ] = 4.0,
    still: Annotated[
        float, typer.Option(min=0.05, max=60, metavar="S", help="Seconds without any change after which it is over.")
    ] = 0.5,
    twins: Annotated[
        str, typer.Option(metavar="T,...", help="Also twins: reversed, easing, slower, faster, or all.")
    ] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Video that keeps every pixel; few players show it.")] = False,
    strips: Annotated[Path | None, typer.Option(metavar="DIR", help="Also filmstrips, to look at.")] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Of the dataset.", show_default="that of DIR")] = "",
    licence: Annotated[str, typer.Option(metavar="L", help="Of the pages.")] = "unknown",
    synthetic: Annotated[bool, typer.Option("--synthetic", help="Say that the pages were made for this.")] = False,
    allow: Allow = None,
    browser: Browser = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Film animations at 60 frames a second, each frame exact because the page's clock is held.

    The record tells what moves, where, when and how. A note NAME.toml beside
    NAME.html may hold trigger, target, script, size, seconds and still, and what
    people write: platform, context, input, purpose, effect_responses,
    meaning_responses. Interrupted, the same command goes on where it was.

    \b
    Examples:
      affordance capture animation spinner.html -o clips --strips looked-at
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
    from affordance.core.formatting import count_noun
    from affordance.media import VideoQuality

    shooting = Shooting(
        read_trigger(trigger),
        target,
        script,
        Look(*read_size(size), ratio, read_theme(theme), read_locale(locale)),
        seconds,
        still,
        tuple(read_twins(twins)),
        VideoQuality.EXACT if exact else VideoQuality.FINE,
    )
    site = open_site(source, allow or [])
    wanted = plan_animations(site, shooting)
    with StepProgress("animations") as advance:
        about = About(name, licence, synthetic)
        counts = asyncio.run(
            capture_animations(
                site, wanted, out, shooting, about=about, browser=browser, workers=workers, advance=advance
            )
        )
    if strips is not None:
        draw_filmstrips(out, strips)
    told: dict[str, Any] = {
        "clips": counts.clips,
        "twins": counts.twins,
        "effects": dict(counts.effects.most_common()),
        "odd": counts.odd,
        "lost": counts.lost,
        "folder": str(out),
    }
    if as_json:
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        effects = ", ".join(f"{number} {effect}" for effect, number in counts.effects.most_common())
        print(
            f"{out}: {count_noun(counts.clips, 'clip')}, {count_noun(counts.twins, 'twin')} ({effects or 'no effects'})"
        )
        for name, why in counts.odd.items():
            print(f"odd: {name}: {why}")
        for name, why in counts.lost.items():
            print(f"lost: {name}: {why}")
    raise typer.Exit(3 if counts.lost else 0)


@app.command("outcomes")
def outcomes(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A dataset from `affordance capture page`.")],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="OUT", help="Folder for the outcomes.", show_default="DIR/outcomes"),
    ] = None,
    action: Annotated[
        list[str] | None,
        typer.Option(metavar="A", help="Only this action; repeatable.", show_default="all that apply"),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, max=5, metavar="N", help="Also sequences of up to N actions.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N tries.")] = None,
    source: Annotated[
        str | None, typer.Option(metavar="SRC", help="Where the pages are now, if they have moved.")
    ] = None,
    allow: Allow = None,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> None:
    """Carry out every action on every element, twice, each time in a fresh context, and keep what repeats.

    Interrupted, the same command goes on where it was.

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
    target = out or dataset.root / "outcomes"
    with StepProgress("tries") as advance:
        counts = asyncio.run(
            capture_outcomes(
                dataset, site, target, actions=actions, steps=steps, limit=limit, browser=browser, workers=workers,
                advance=advance,
            )
        )  # fmt: skip
    if as_json:
        told = {"kept": dict(counts.kept), "left_out": dict(counts.left_out), "broken": counts.broken}
        print(json.dumps({**told, "folder": str(target)}, indent=2, ensure_ascii=False))
        raise typer.Exit(3 if counts.broken else 0)
    kept = ", ".join(f"{number} {what}" for what, number in counts.kept.most_common())
    print(f"{target}: {counts.kept.total()} outcomes kept ({kept})")
    _print_left_out(counts.left_out)
    for name, why in counts.broken.items():
        print(f"broken: {name}: {why}")
    raise typer.Exit(3 if counts.broken else 0)


app.command("corpus")(capture_corpus.corpus)


def _print_left_out(left_out: Counter[str]) -> None:
    for why, number in left_out.most_common():
        print(f"left out: {number:>5}  {why}")
