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

from affordance.datasets.folder import HEADER, ITEMS, Dataset, new_folder, open_folder

NAMES = ("clips", "pairs", "screens", "outcomes")
MANIFEST = "manifest.json"
MEDIA = "media"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the demo data was captured from and with."""

    sources: dict[str, str]  # digests of the pages, by their path in `demo/`
    versions: dict[str, str]  # of what made the pixels: the browser, the encoders
    fonts: dict[str, str]  # what this family was drawn with: name and digest
    headers: dict[str, dict[str, Any]]  # of the datasets
    files: dict[str, str]  # digests of all that is packed


def packed() -> Traversable:
    """Where the demo data lies in the package."""
    return files("affordance.datasets").joinpath("demo_data")


def read_manifest(root: Traversable | None = None) -> Manifest:
    return Manifest(**json.loads((root or packed()).joinpath(MANIFEST).read_text(encoding="utf-8")))


def unpack(folder: Path, root: Traversable | None = None, names: Sequence[str] = NAMES) -> list[Dataset]:
    """Write demo datasets into folders of their own, which are new or empty."""
    root = root or packed()
    manifest = read_manifest(root)
    for name in names:
        new_folder(folder / name)
    return [_unpacked(root, manifest, name, folder / name) for name in names]


def _unpacked(root: Traversable, manifest: Manifest, name: str, folder: Path) -> Dataset:
    text = gzip.decompress(root.joinpath(f"{name}.jsonl.gz").read_bytes())
    (folder / ITEMS).write_bytes(text)
    header = json.dumps(manifest.headers[name], ensure_ascii=False, indent=2)
    (folder / HEADER).write_text(header + "\n", encoding="utf-8")
    reading = open_folder(folder)
    for _, item in reading.records():
        for media in item.media():
            if not (folder / media).exists():
                with as_file(root.joinpath(*media.split("/"))) as source:
                    shutil.copyfile(source, folder / media)
    return reading.dataset()
