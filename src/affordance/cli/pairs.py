"""`affordance data clean` and `split`: pictures of pairs of designs, until they can be asked about."""

from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.options import Json, Spec
from affordance.cli.places import cache_dir
from affordance.console.output import dataclass_fields, print_json
from affordance.console.progress import StepProgress

New = Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder.")]


def clean(
    spec: Spec,
    out: New,
    everything: Annotated[
        bool, typer.Option("--all", help="Look at all pictures, not only those of sources that draw markers (GoodUI).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a dataset without the markers that somebody drew onto screenshots of pairs.

    Originals, masks and pictures of before and after are kept in DIR/media: look at them.

    \b
    Example:
      affordance data clean wiserui:wiserui -o wiserui-clean
    """
    from affordance.author.marker_removal import remove_markers as write_clean
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_dataset

    dataset = load_dataset(spec, cache_dir())
    with StepProgress("pairs") as advance:
        found = write_clean(dataset, out, all_pairs=everything, advance=advance)
    if as_json:
        print_json({"folder": out, **dataclass_fields(found)})
        return
    if found.left_out:
        print(f"left out: {count_noun(found.left_out, 'pair')} without pictures")
    if found.doubtful:
        print(f"look at: {', '.join(found.doubtful)}; much of a picture is masked, and may be the page's own colour")
    print(f"{out}: {count_noun(found.pairs, 'pair')}, {len(found.cleaned)} of them with markers removed")


def split(
    spec: Spec,
    out: New,
    confirm: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Proposals that a person has confirmed: cut those pairs.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Propose where to cut pairs that are one picture of two designs; with --confirm, cut them.

    A proposal is a picture with both designs outlined, and an entry in DIR/proposals.json for a person to correct and
    confirm, with which of the two won.

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
            propose_splits(dataset, out, advance) if confirm is None else apply_splits(dataset, out, confirm, advance)
        )
    if as_json:
        print_json({"folder": out, **dataclass_fields(found)})
        return
    single = f"{count_noun(found.single, 'pair')} of {found.pairs} are one picture"
    if confirm is None:
        if found.without:
            print(f"no gutter found, cut in the middle: {', '.join(found.without)}")
        print(f"{out / PROPOSALS_FILE}: {single}; look at {out / 'pictures'}, correct and confirm")
        return
    if found.without:
        print(f"not confirmed, left as they are: {', '.join(found.without)}")
    print(f"{out}: {single}, {found.done} of them cut")
