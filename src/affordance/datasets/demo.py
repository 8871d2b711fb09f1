"""The demo data: clips, pairs, screens and outcomes captured from our own pages, bundled with the package.

Media are stored once each, by the digest of their content, and items are compressed. `unpack_demo` writes them as
datasets. `affordance.capture.corpus` creates the bundle."""

import gzip
import json
import shutil
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from affordance.core.digest import digest
from affordance.core.files import create_once
from affordance.datasets.dataset import Dataset, DatasetCollection, merge_datasets
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE, create_empty_folder, load_folder, read_native
from affordance.datasets.generated.primitive_clips import demo_clips

DEMO_DATASETS = ("clips", "pairs", "screens", "outcomes")
MANIFEST = "manifest.json"
MEDIA = "media"


@dataclass(frozen=True, slots=True)
class DemoManifest:
    """Sources and tools of the demo data."""

    sources: dict[str, str]  # digests of the pages, by their path in `demo/`
    versions: dict[str, str]  # of the browser and the encoders
    fonts: dict[str, str]  # the font files used for each family: name and digest
    headers: dict[str, dict[str, Any]]  # of the datasets
    files: dict[str, str]  # digests of all files


def demo_files() -> Traversable:
    """The folder of the demo data in the package."""
    return files("affordance.datasets").joinpath("demo_data")


def read_demo_manifest(root: Traversable | None = None) -> DemoManifest:
    return DemoManifest(**json.loads((root or demo_files()).joinpath(MANIFEST).read_text(encoding="utf-8")))


def unpack_demo(folder: Path, root: Traversable | None = None, names: Sequence[str] = DEMO_DATASETS) -> list[Dataset]:
    """Write demo datasets, each into a new or empty folder below `folder`."""
    root = root or demo_files()
    manifest = read_demo_manifest(root)
    for name in names:
        create_empty_folder(folder / name)
    return [_unpack_dataset(root, manifest, name, folder / name) for name in names]


def _unpack_dataset(root: Traversable, manifest: DemoManifest, name: str, folder: Path) -> Dataset:
    text = gzip.decompress(root.joinpath(f"{name}.jsonl.gz").read_bytes())
    (folder / ITEMS_FILE).write_bytes(text)
    header = json.dumps(manifest.headers[name], ensure_ascii=False, indent=2)
    (folder / HEADER_FILE).write_text(header + "\n", encoding="utf-8")
    reading = read_native(folder)
    for _, item in reading.valid_items():
        for media in item.media_files():
            if not (folder / media).exists():
                with as_file(root.joinpath(*media.split("/"))) as source:
                    shutil.copyfile(source, folder / media)
    return reading.dataset()


UNPACKED_KINDS = ("clip", "pair", "screen", "outcome")


def demo_data(
    cache: Path, kinds: Collection[str], on_progress: Callable[[int, int], None] = lambda *_: None
) -> DatasetCollection:
    """The demo datasets of these kinds, generated or unpacked on first use: clips of primitive effects, and what was
    captured from our own pages.

    Args:
        on_progress: called with the number of clips that are drawn, and of all.
    """
    wanted = [kind for kind in UNPACKED_KINDS if kind in kinds]
    edition = digest("demo", read_demo_manifest().files)[:12]
    folder = create_once(cache / "demo" / f"captured-{edition}", unpack_demo)
    parts = {kind: _captured(folder / f"{kind}s") for kind in wanted}
    if "clip" in parts:
        parts["clip"] = merge_datasets(_without_effects(parts["clip"]), demo_clips(cache, on_progress))
    return DatasetCollection("demo", tuple(parts.values()))


@lru_cache(maxsize=len(UNPACKED_KINDS))  # studies and runs of one process load the same again
def _captured(folder: Path) -> Dataset:
    return load_folder(folder)


def _without_effects(clips: Dataset) -> Dataset:
    """Effects are asked about in the generated clips, which show nothing else."""
    return replace(clips, items=tuple(item.model_copy(update={"effect": None}) for item in clips.items))
