"""`affordance data import`, `prepare`, `clean`, `split` and `preferences`."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import LEDGER, DatasetName, Json, Ledger, Licence, NewFolder, Seed, Spec
from affordance.console.output import dataclass_fields, print_json, print_warning
from affordance.console.progress import StepProgress
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir
from affordance.evaluation.engines import EngineName, get_engine

if TYPE_CHECKING:
    from affordance.author.recordings import RecordingImport

MEGABYTE = 1_000_000


def import_(
    clips: Annotated[
        list[Path],
        typer.Argument(metavar="CLIPS...", help="Recordings (mp4, mov, webm, gif, webp, apng) or folders of them."),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="A dataset of clips; new ones are added.")
    ],
    name: DatasetName = "",
    licence: Licence = "",
    as_json: Json = False,
) -> int:
    """Build a dataset from recordings. Region, start and end are detected by motion; people fill in the rest.

    Repeated with more clips, it adds the new ones and changes nothing else. Exit code 3: some could not be read.

    \b
    Examples:
      affordance data import recordings -o clips --name onboarding --licence "CC BY 4.0"
      affordance data import login.mov cart.gif -o clips
    """
    from affordance.author.recordings import import_clips

    with StepProgress("clips") as advance:
        found = import_clips(clips, output, name or None, licence or None, advance)
    if as_json:
        print_json({"folder": output, **dataclass_fields(found)})
    else:
        _print_imported(found, output)
    if found.broken:
        return EXIT_INCOMPLETE if found.added or found.known else EXIT_USER_ERROR
    return EXIT_OK


def _print_imported(found: "RecordingImport", folder: Path) -> None:
    from affordance.core.formatting import count_noun

    for error in found.broken:
        print_warning(f"excluded: {error}")
    if found.motionless:
        print(f"no motion in: {', '.join(found.motionless)}; draw their regions yourself, or exclude them")
    there = f", {len(found.known)} already there" if found.known else ""
    wrong = f", {len(found.broken)} excluded" if found.broken else ""
    print(f"{folder}: {count_noun(len(found.added), 'new clip')}{there}{wrong}")
    if found.open:
        fields = ", ".join(f"{field} ({count})" for field, count in found.open.items())
        print(f"fill in: {fields} in {folder / 'items.jsonl'}; then affordance data check {folder}")


def prepare(
    spec: Spec,
    fps: Annotated[
        float, typer.Option("--fps", metavar="F", min=0.01, max=240, help="Frames per second, as for the run.")
    ] = 10,
    motion: Annotated[bool, typer.Option("--motion", help="Also render the motion cue.")] = False,
    max_frames: Annotated[
        int | None, typer.Option("--max-frames", metavar="N", min=1, help="Maximum frames per clip, as for the run.")
    ] = None,
    engine: Annotated[
        EngineName,
        typer.Option(
            "--engine",
            metavar="local|ray",
            help="Run on this machine or on Ray, whose nodes must share the dataset and AFFORDANCE_CACHE.",
        ),
    ] = EngineName.LOCAL,
    as_json: Json = False,
) -> int:
    """Render the frames of all clips into the cache, as the motion tasks need them.

    A run does so itself; after this command it waits for models only. Frames in the cache are not rendered again. Exit
    code 3: some clips could not be rendered.

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
            max_frames=max_frames,
            engine=None if engine is EngineName.LOCAL else get_engine(engine),
            advance=advance,
        )
    if as_json:
        print_json({"folder": pictures, **dataclass_fields(found), "fits": found.fits})
        return EXIT_INCOMPLETE if found.broken or found.missing else EXIT_OK
    for error in found.broken:
        print_warning(f"excluded: {error}")
    if found.missing:
        print_warning(f"excluded: {count_noun(found.missing, 'clip')} without a video")
    if not found.fits:
        print_warning(f"larger than the cache ({RENDER_CACHE_BYTES / MEGABYTE:,.0f} MB); the first frames were removed")
    size = f"{found.size / MEGABYTE:,.1f} MB"
    print(f"{pictures}: {count_noun(found.clips, 'clip')}, {count_noun(found.pictures, 'frame')}, {size}")
    return EXIT_INCOMPLETE if found.broken or found.missing else EXIT_OK


def clean(
    spec: Spec,
    output: NewFolder,
    everything: Annotated[
        bool, typer.Option("--all", help="Inspect every image, not only those of sources known to draw markers.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove drawn markers from screenshots of pairs.

    Originals, masks and images of before and after are written to DIR/media for inspection.

    \b
    Example:
      affordance data clean wiserui:wiserui -o wiserui-clean
    """
    from affordance.author.marker_removal import remove_markers as write_clean
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_dataset

    dataset = load_dataset(spec, cache_dir())
    with StepProgress("pairs") as advance:
        found = write_clean(dataset, output, all_pairs=everything, on_progress=advance)
    if as_json:
        print_json({"folder": output, **dataclass_fields(found)})
        return
    if found.left_out:
        print(f"excluded: {count_noun(found.left_out, 'pair')} without images")
    if found.doubtful:
        print(f"inspect: {', '.join(found.doubtful)}; much of an image is masked, which may be the colour of the page")
    print(f"{output}: {count_noun(found.pairs, 'pair')}, {len(found.cleaned)} of them with markers removed")


def split(
    spec: Spec,
    output: NewFolder,
    confirm: Annotated[
        Path | None, typer.Option("--confirm", metavar="FILE", help="Cut as in this confirmed proposal file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Propose where to cut images that show both designs of a pair; with --confirm, cut them.

    A proposal is an image with both designs outlined, and an entry in DIR/proposals.json to correct and confirm, with
    the winner.

    \b
    Examples:
      affordance data split wiserui:wiserui -o cuts
      affordance data split wiserui:wiserui -o wiserui-cut --confirm cuts/proposals.json
    """
    from affordance.author.pair_splitting import PROPOSALS_FILE, apply_splits, propose_splits
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_dataset

    dataset = load_dataset(spec, cache_dir())
    with StepProgress("pairs") as advance:
        found = (
            propose_splits(dataset, output, advance)
            if confirm is None
            else apply_splits(dataset, output, confirm, advance)
        )
    if as_json:
        print_json({"folder": output, **dataclass_fields(found)})
        return
    single = f"{count_noun(found.single, 'pair')} of {found.pairs} are one image"
    if confirm is None:
        if found.without:
            print(f"no gutter found, cut in the middle: {', '.join(found.without)}")
        print(f"{output / PROPOSALS_FILE}: {single}; inspect {output / 'pictures'}, correct and confirm")
        return
    if found.without:
        print(f"not confirmed, unchanged: {', '.join(found.without)}")
    print(f"{output}: {single}, {found.done} of them cut")


def preferences(
    spec: Spec,
    output: NewFolder,
    source: Annotated[
        str,
        typer.Option(
            "--from", metavar="winner|study:NAME|MODEL", help="Source of the preference; a model needs --run."
        ),
    ] = "winner",
    ledger: Ledger = LEDGER,
    run: Annotated[
        str | None, typer.Option("--run", metavar="NAME", help="Run of behavior/choice with that model.")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="Strategy of that model, where the run has several.",
            autocompletion=completion.strategy_names,
        ),
    ] = None,
    goal: Annotated[
        Literal["shown", "hidden"],
        typer.Option("--goal", metavar="shown|hidden", help="Show or hide the goal of the page in prompts."),
    ] = "shown",
    min_agreement: Annotated[
        float,
        typer.Option("--min-agreement", metavar="A", min=0.5, max=1.0, help="Minimum share of votes for a pair."),
    ] = 0.8,
    test: Annotated[
        float, typer.Option("--test", metavar="SHARE", min=0.0, max=0.9, help="Share of pairs held out.")
    ] = 0.0,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Export pairs as preference data for training: prompt, chosen, rejected and images, as TRL reads it.

    Ties and pairs with too little agreement are excluded and counted. Do not evaluate a model on its training data:
    each row names its item and dataset.

    \b
    Examples:
      affordance data preferences pairs -o preferences
      affordance data preferences pairs -o preferences --test 0.1
      affordance data preferences pairs -o preferences --from study:designs --ledger affordance.db
      affordance data preferences pairs -o preferences --from openai:gpt-5 --run monday
    """
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_collection
    from affordance.integrations.preferences.export import PreferenceOptions, export_preferences, format_exclusions
    from affordance.integrations.preferences.sources import load_preferences

    dataset = load_collection(spec, cache_dir()).of_kind("pair")
    if dataset is None:
        raise UserError(f"expected pairs of designs in {spec}, found none")
    options = PreferenceOptions(goal == "shown", test, seed)
    signals = load_preferences(source, dataset, min_agreement, ledger, run, strategy)
    written = export_preferences(dataset, signals, output, options)
    if as_json:
        print_json(written)
        return
    for split, count in written.rows.items():
        pairs = count_noun(written.pairs[split], "pair")
        print(f"{output / 'data' / f'{split}.jsonl'}: {count_noun(count, 'row')} from {pairs}")
    print(f"source: {', '.join(f'{name} ({count})' for name, count in written.signals.items())}")
    print(f"excluded: {format_exclusions(written.left_out)}")
