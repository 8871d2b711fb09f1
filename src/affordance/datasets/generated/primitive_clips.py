"""The dataset of primitive effects: generated clips in our format."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from affordance.datasets import Clip, Dataset, DatasetHeader, create_once, load_folder, new_dataset_folder, write_folder
from affordance.datasets.generated.primitive_drawing import FPS, PrimitiveClip, canonical_clip, render_frames
from affordance.datasets.generated.primitive_variants import random_clips
from affordance.datasets.taxonomies import EFFECTS
from affordance.media import write_video


def write_clip(clip: PrimitiveClip, path: Path) -> None:
    """Writes the clip as H.264 in MP4, 60 frames a second exactly; an existing file is replaced. Flat areas and clean
    edges compress so well that near-lossless quality still gives files of some ten kilobytes."""
    write_video(path, render_frames(clip), FPS)


EDITION = 1  # of the demo clips; raise it when what is drawn changes


def make_primitive_clips(
    folder: Path, count: int | None = None, seed: int = 0, on_progress: Callable[[int, int], None] = lambda *_: None
) -> Dataset:
    """Write the seven clips in their canonical form, or `count` randomized variants of each. The folder must be new
    or empty. `advance` is told how many of how many clips are done."""
    chosen = _select_clips(count, seed)
    with new_dataset_folder(folder):
        on_progress(0, len(chosen))  # the first clip takes seconds, too
        for number, (name, variant) in enumerate(chosen.items()):
            write_clip(variant, folder / "media" / f"{name}.mp4")
            on_progress(number + 1, len(chosen))
        records = [
            Clip(id=name, video=f"media/{name}.mp4", platform="synthetic", effect=variant.effect)
            for name, variant in chosen.items()
        ]
        described = "canonical" if count is None else f"{count} variants, seed {seed}"
        header = DatasetHeader(
            format=1,
            kind="clip",
            name="primitives" if count is None else f"primitives-{count}x-seed{seed}",
            licence="CC0-1.0",
            provenance=f"Seven primitive effects drawn by `affordance data make primitives` ({described})",
            synthetic=True,
        )
        write_folder(folder, header, records)
    return load_folder(folder)


def demo_clips(cache: Path, on_progress: Callable[[int, int], None] = lambda *_: None) -> Dataset:
    """The seven clips in their canonical form, made on first use. `advance` is told how far that is."""
    return load_folder(
        create_once(cache / "demo" / f"primitives-{EDITION}", partial(make_primitive_clips, on_progress=on_progress))
    )


def _select_clips(count: int | None, seed: int) -> dict[str, PrimitiveClip]:
    if count is None:
        return {effect: canonical_clip(effect) for effect in EFFECTS}
    return {
        f"{effect}-{number:03d}": variant
        for effect in EFFECTS
        for number, variant in enumerate(random_clips(effect, count, seed))
    }
