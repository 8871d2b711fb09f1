"""Copying pairs into a new dataset in our own format, with images under names that reveal no winner."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from affordance import media
from affordance.core.errors import UserError
from affordance.datasets.dataset import Dataset
from affordance.datasets.items import DatasetHeader
from affordance.datasets.pairs import DesignPair


def complete_pairs(dataset: Dataset, what: str) -> Iterator[tuple[str, DesignPair]]:
    """The pairs that have both of their images, each with a name for files."""
    for number, item in enumerate(dataset.items):
        if not isinstance(item, DesignPair):
            raise UserError(f"expected pairs of designs to {what}, found a dataset of kind {dataset.header.kind!r}")
        if not dataset.missing_media.intersection(item.images):
            yield (item.id if re.fullmatch(r"[\w-]{1,80}", item.id) else f"item-{number}"), item


def with_provenance(header: DatasetHeader, what: str) -> DatasetHeader:
    """The header with what was done to the images added to its provenance, once."""
    if what in header.provenance:
        return header
    return header.model_copy(update={"provenance": f"{header.provenance}; {what}"})


def copy_pair(dataset: Dataset, pair: DesignPair, name: str, folder: Path) -> DesignPair:
    """Copy a pair to the new folder, with its images and the extra files that exist."""
    images = [copy_media(dataset, image, f"media/{name}-{place}", folder) for place, image in enumerate(pair.images)]
    for path in pair.extra_files():
        if not dataset.media_path(path).is_file():
            continue  # kept for reference, and not needed
        copy_media(dataset, path, path.removesuffix(Path(path).suffix), folder)
    return pair.model_copy(update={"images": images})


def copy_media(dataset: Dataset, source: str, stem: str, folder: Path) -> str:
    """Copy a file to the new folder, with the suffix of its format; returns its path there."""
    file = dataset.media_path(source)
    path = f"{stem}{media.probe(file).format.suffix or file.suffix}"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / path)
    return path


def move_media(folder: Path, path: str, stem: str) -> str:
    """Rename an image of the folder; returns its new path."""
    to = f"{stem}{Path(path).suffix}"
    (folder / to).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).replace(folder / to)
    return to
