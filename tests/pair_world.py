"""Pairs of designs that are drawn here: with markers, as one picture of two, or plain; as a dataset or in a project."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.author.project import create_project, open_project
from affordance.author.taking_in import sort_out, take_in
from affordance.datasets.folder import write_folder
from affordance.datasets.items import DatasetHeader
from affordance.datasets.pairs import DesignPair
from affordance.media import encode_image

Pixels = NDArray[np.uint8]
Drawn = Mapping[str, Sequence[Pixels]]  # both designs of pairs, by id

SIZE = (480, 320)
LINE = (118, 84, 121)  # the colour of a drawn marker
MARKED, SINGLE, PLAIN = "marked", "single", "plain"  # ids of pairs


def design(seed: int, size: tuple[int, int] = SIZE) -> Pixels:
    """A page with a header, a photo and a button, each seed with others; below it is empty."""
    width, height = size
    pixels = np.full((height, width, 3), 246, np.uint8)
    cv2.rectangle(pixels, (0, 0), (width, 49), (30, 60 + 9 * seed % 40, 70), -1)
    blocks = np.random.default_rng(seed).integers(60, 220, (4, (width - 32) // 40, 1), np.uint8)
    pixels[50:210, 16 : 16 + 40 * blocks.shape[1]] = blocks.repeat(40, axis=0).repeat(40, axis=1)
    x = 24 + 9 * seed % 40
    cv2.rectangle(pixels, (x, 150), (x + 90, 190), (20, 120, 60 + 9 * seed % 60), -1)
    cv2.putText(pixels, "Buy", (x + 28, 176), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1, cv2.LINE_AA)
    return pixels


def marked(seed: int) -> Pixels:
    """A design with a line that somebody drew, which is found, and a blot in another colour, which is not."""
    pixels = design(seed)
    cv2.line(pixels, (400, 230), (400, 290), LINE, 3)
    cv2.circle(pixels, (60, 270), 6, (30, 160, 40), -1)
    return pixels


def composite(first: int, second: int) -> Pixels:
    """Two designs beside each other, with a gutter."""
    between = np.full((SIZE[1], 24, 3), 255, np.uint8)
    return np.hstack((design(first), between, design(second)))


def pictures() -> dict[str, tuple[Pixels, Pixels]]:
    both = composite(3, 4)
    return {MARKED: (marked(1), design(2)), SINGLE: (both, both), PLAIN: (design(5), design(6))}


def alike(one: Pixels, other: Pixels) -> bool:
    """Whether nobody sees a difference: what is filled in is seldom exact."""
    return one.shape == other.shape and bool(np.abs(one.astype(int) - other).max() <= 8)


def write_pairs(folder: Path, pairs: Drawn | None = None, **values: Mapping[str, Any]) -> Path:
    """A dataset of pairs in our own format, of which the second design won; `values` are other fields, by id."""
    (folder / "media").mkdir(parents=True)
    items = []
    for name, both in (pictures() if pairs is None else pairs).items():
        images = [f"media/{name}-{place}.png" for place in (0, 1)]
        for path, pixels in zip(images, both, strict=True):
            (folder / path).write_bytes(encode_image(pixels))
        given = {"id": name, "images": images, "winner": 1, "goal": "More people buy.", **values.get(name, {})}
        items.append(DesignPair.model_validate(given))
    header = DatasetHeader(format=1, kind="pair", name="pairs", licence="CC0-1.0", provenance="drawn", synthetic=True)
    write_folder(folder, header, items)
    return folder


def make_pairs(folder: Path, pairs: Drawn | None = None, **values: Mapping[str, Any]) -> Path:
    """A project with these pairs."""
    spec = write_pairs(folder.parent / f"{folder.name}-dataset", pairs, **values)
    create_project(folder, name="Designs", licence="CC0-1.0", synthetic=True)
    with open_project(folder) as project:
        take_in(project, sort_out([str(spec)]))
    return folder
