"""The demo data that tasks are asked about where the user names none."""

from collections.abc import Callable
from collections.abc import Collection as Many
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from affordance.core.digest import digest
from affordance.datasets import Dataset, DatasetCollection, create_once, load_folder, merge_datasets
from affordance.datasets.demo import read_demo_manifest, unpack_demo
from affordance.tasks.motion.make import demo_clips

UNPACKED_KINDS = ("clip", "pair", "screen", "outcome")


def demo_data(
    cache: Path, kinds: Many[str], on_progress: Callable[[int, int], None] = lambda *_: None
) -> DatasetCollection:
    """The datasets of these kinds, made or unpacked on first use: generated clips of primitive effects, and what was
    captured from our own pages. `advance` is told how many of how many clips are drawn."""
    wanted = [kind for kind in UNPACKED_KINDS if kind in kinds]
    edition = digest("demo", read_demo_manifest().files)[:12]
    folder = create_once(cache / "demo" / f"captured-{edition}", unpack_demo)
    parts = {kind: _captured(folder / f"{kind}s") for kind in wanted}
    if "clip" in parts:
        parts["clip"] = merge_datasets(_without_effects(parts["clip"]), demo_clips(cache, on_progress))
    return DatasetCollection("demo", tuple(parts.values()))


@lru_cache(
    maxsize=len(UNPACKED_KINDS)
)  # studies and runs of one process ask for the same again, and nothing changes it
def _captured(folder: Path) -> Dataset:
    return load_folder(folder)


def _without_effects(clips: Dataset) -> Dataset:
    """Effects are asked about in the generated clips, which show nothing else."""
    return replace(clips, items=tuple(item.model_copy(update={"effect": None}) for item in clips.items))
