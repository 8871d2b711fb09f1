"""`affordance data import` and `prepare`: recordings of one's own, and clips rendered before they are asked about."""

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_USER_ERROR
from affordance.cli.options import Json, Spec
from affordance.cli.places import cache_dir
from affordance.console.output import dataclass_fields, print_json
from affordance.console.progress import StepProgress
from affordance.evaluation.engines import EngineName, get_engine

if TYPE_CHECKING:
    from affordance.author.recordings import RecordingImport

MEGABYTE = 1_000_000


def import_(
    clips: Annotated[
        list[Path], typer.Argument(metavar="CLIPS...", help="Recordings (mp4, mov, webm, gif, webp, apng) or folders.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A dataset of clips; new ones are added.")],
    name: Annotated[str | None, typer.Option(metavar="N", help="What it is called; otherwise as the folder.")] = None,
    licence: Annotated[str | None, typer.Option(metavar="L", help="Under which the clips may be used.")] = None,
    as_json: Json = False,
) -> None:
    """Make a dataset of recordings: region, start and end found by motion, what only people know left open.

    Again with more clips, it adds those that are new and changes nothing that is there. Exit code 3: some could not be
    read.

    \b
    Examples:
      affordance data import recordings -o clips --name onboarding --licence "CC BY 4.0"
      affordance data import login.mov cart.gif -o clips
    """
    from affordance.author.recordings import import_clips

    with StepProgress("clips") as advance:
        found = import_clips(clips, out, name, licence, advance)
    if as_json:
        print_json({"folder": out, **dataclass_fields(found)})
    else:
        _print_imported(found, out)
    if found.broken:
        raise typer.Exit(EXIT_INCOMPLETE if found.added or found.known else EXIT_USER_ERROR)


def _print_imported(found: "RecordingImport", out: Path) -> None:
    from affordance.core.formatting import count_noun

    for error in found.broken:
        print(f"left out: {error}", file=sys.stderr)
    if found.motionless:
        print(f"nothing moves in: {', '.join(found.motionless)}; draw their regions yourself, or leave them out")
    there = f", {len(found.known)} there already" if found.known else ""
    wrong = f", {len(found.broken)} left out" if found.broken else ""
    print(f"{out}: {count_noun(len(found.added), 'new clip')}{there}{wrong}")
    if found.open:
        fields = ", ".join(f"{field} ({count})" for field, count in found.open.items())
        print(f"fill in: {fields} in {out / 'items.jsonl'}; then affordance data check {out}")


def prepare(
    spec: Spec,
    fps: Annotated[float, typer.Option(metavar="F", min=0.01, max=240, help="Frames per second, as for the run.")] = 10,
    motion: Annotated[bool, typer.Option("--motion", help="Also the blended frames of the motion cue.")] = False,
    most_frames: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="At most N frames of a clip, as for the run.")
    ] = None,
    engine: Annotated[
        EngineName,
        typer.Option(
            metavar="local|ray",
            help="`local`: the cores of this machine. `ray`: the Ray cluster of RAY_ADDRESS, or a new one here. All "
            "its nodes must reach the dataset and the cache folder (AFFORDANCE_CACHE) under the same paths.",
        ),
    ] = EngineName.LOCAL,
    as_json: Json = False,
) -> None:
    """Render the frames of all clips into the picture cache, as the motion tasks will ask for them.

    A run does so itself when it comes to it; prepared, it only waits for models. What is in the cache already is not
    rendered again. Exit code 3: some clips could not be rendered.

    \b
    Examples:
      affordance data prepare animint:AniMINT
      affordance data prepare clips --fps 5 --motion
      RAY_ADDRESS=head:6379 AFFORDANCE_CACHE=/shared/cache affordance data prepare /shared/clips --engine ray
    """
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_collection
    from affordance.evaluation.prerender import RENDER_CACHE_BYTES, prerender_clips

    data, pictures = load_collection(spec, cache_dir()), cache_dir() / "pictures"
    with StepProgress("clips") as advance:
        found = prerender_clips(
            data,
            pictures,
            Fraction(str(fps)),
            motion=motion,
            max_frames=most_frames,
            engine=None if engine is EngineName.LOCAL else get_engine(engine),
            advance=advance,
        )
    if as_json:
        print_json({"folder": pictures, **dataclass_fields(found), "fits": found.fits})
        raise typer.Exit(EXIT_INCOMPLETE if found.broken or found.missing else 0)
    for error in found.broken:
        print(f"left out: {error}", file=sys.stderr)
    if found.missing:
        print(f"left out: {count_noun(found.missing, 'clip')} without a video", file=sys.stderr)
    if not found.fits:
        print(
            f"they are more than the cache holds ({RENDER_CACHE_BYTES / MEGABYTE:,.0f} MB); the first are gone",
            file=sys.stderr,
        )
    size = f"{found.size / MEGABYTE:,.1f} MB"
    print(f"{pictures}: {count_noun(found.clips, 'clip')}, {count_noun(found.pictures, 'picture')}, {size}")
    raise typer.Exit(EXIT_INCOMPLETE if found.broken or found.missing else 0)
