"""The demo data: clips, pairs, screens and outcomes captured from our own pages, which come with the package.

They are kept small: media under the digest of their content, each once, and records compressed. `unpack` turns them
into datasets as any others. `affordance.capture.corpus` makes them."""

import gzip
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from affordance.datasets.dataset import Dataset
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE, create_empty_folder, read_native

DEMO_DATASETS = ("clips", "pairs", "screens", "outcomes")
MANIFEST = "manifest.json"
MEDIA = "media"


@dataclass(frozen=True, slots=True)
class DemoManifest:
    """What the demo data was captured from and with."""

    sources: dict[str, str]  # digests of the pages, by their path in `demo/`
    versions: dict[str, str]  # of what made the pixels: the browser, the encoders
    fonts: dict[str, str]  # what this family was drawn with: name and digest
    headers: dict[str, dict[str, Any]]  # of the datasets
    files: dict[str, str]  # digests of all that is packed


def demo_files() -> Traversable:
    """Where the demo data lies in the package."""
    return files("affordance.datasets").joinpath("demo_data")


def read_demo_manifest(root: Traversable | None = None) -> DemoManifest:
    return DemoManifest(**json.loads((root or demo_files()).joinpath(MANIFEST).read_text(encoding="utf-8")))


def unpack_demo(folder: Path, root: Traversable | None = None, names: Sequence[str] = DEMO_DATASETS) -> list[Dataset]:
    """Write demo datasets into folders of their own, which are new or empty."""
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
