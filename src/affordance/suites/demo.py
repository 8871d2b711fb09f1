"""The demo data that tasks are asked about where the user names none."""

from collections.abc import Collection as Many
from pathlib import Path

from affordance.core.digest import digest
from affordance.datasets import Collection, made_once, read_folder
from affordance.datasets.demo import read_manifest, unpack
from affordance.suites.motion.make import demo_clips

UNPACKED = ("pair", "screen", "outcome")


def demo_data(cache: Path, kinds: Many[str]) -> Collection:
    """The datasets of these kinds, made or unpacked on first use: generated clips of primitive effects, and what was
    captured from our own pages."""
    parts = [demo_clips(cache)] if "clip" in kinds else []
    wanted = [kind for kind in UNPACKED if kind in kinds]
    if wanted:
        edition = digest("demo", read_manifest().files)[:12]
        folder = made_once(cache / "demo" / f"captured-{edition}", unpack)
        parts += [read_folder(folder / f"{kind}s") for kind in wanted]
    return Collection("demo", tuple(parts))
