"""OSWorld-G and OSWorld-G refined: instructions on desktop screenshots.

A target is a box, a polygon, or refused: it is not on the screen."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from affordance.core.geometry import CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.dataset import ReadResult
from affordance.datasets.published.image_locator import ImageLocator
from affordance.datasets.published.published_dataset import ExpectedCount, GitHubArchive, PublishedDataset
from affordance.datasets.published.rows import RawRow
from affordance.datasets.published.screen_builder import BuiltRow, ScreenReader, TargetRow

REFINED_FILE = "OSWorld-G_refined.json"


def _target(row: RawRow, images: ImageLocator) -> TargetRow:
    image = images.locate(row, ("image", "image_path"))
    kinds = row.sequence("GUI_types") if row.has("GUI_types") else []
    values: dict[str, Any] = {"level": "element", "intent": row.text("instruction"), **_location(row)}
    if kinds:
        values["tags"] = {"ui_types": ", ".join(str(kind) for kind in kinds)}
    return TargetRow(
        id=row.text("id"),
        image=image,
        image_name=row.text_or_none("image_path") or image.media,
        size=images.size(row, image, row.size("image_size")),
        platform="desktop",
        values=values,
    )


def _location(row: RawRow) -> dict[str, Any]:
    kind = row.text("box_type")
    if kind == "refusal":
        return {"absent": True}
    if kind == "bbox":
        return {"box": row.box("box_coordinates", CoordinateSpace.PIXEL, sized=True)}
    if kind != "polygon":
        raise row.error(f"expected box_type bbox, polygon or refusal, found {kind!r}")
    numbers = row.sequence("box_coordinates")
    if len(numbers) < 6 or len(numbers) % 2 or not all(type(number) in (int, float) for number in numbers):
        raise row.error(f"expected x and y of three or more points in 'box_coordinates', found {short_repr(numbers)}")
    return {"polygon": [[float(x), float(y)] for x, y in zip(numbers[::2], numbers[1::2], strict=True)]}


def _counts(dataset: PublishedDataset, rows: Sequence[BuiltRow]) -> list[ExpectedCount]:
    refusals = sum(bool(one.values.get("absent")) for one in rows)
    return [
        ExpectedCount("tasks", dataset.expected["tasks"], len(rows)),
        ExpectedCount("refusals", dataset.expected["refusals"], refusals),
    ]


_READER = ScreenReader(
    _target, files=("OSWorld-G.json", "tasks.json", "annotations*.json", "OSWorld-G*.json"), counts=_counts
)


def _read_either(dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
    """`osworld-g:PATH` also reads the file of refined instructions, under their own name."""
    return _READER(OSWORLD_G_REFINED if path.name == REFINED_FILE else dataset, path, cache)


OSWORLD_G = PublishedDataset(
    name="osworld-g",
    title="OSWorld-G",
    description="instructions on desktop screenshots, 54 of them about things that are not there",
    kind="screen",
    licence="Apache-2.0",
    terms="According to the authors' repository. The screenshots show the work of others.",
    citation="Xie et al.: Scaling Computer-Use Grounding via UI Decomposition and Synthesis, arXiv:2505.13227",
    provenance="xlang-ai/OSWorld-G",
    notes="No commit is known: the branch is pinned by the first download.",
    sources=(
        GitHubArchive(
            "xlang-ai/OSWorld-G",
            "main",
            files=("benchmark/OSWorld-G.json", "benchmark/OSWorld-G_refined.json", "benchmark/images/*"),
            read_from="benchmark",
        ),
    ),
    reader=_read_either,
    expected={"tasks": 564, "refusals": 54},
)

OSWORLD_G_REFINED = replace(
    OSWORLD_G,
    name="osworld-g-refined",
    title="OSWorld-G refined",
    description="the tasks of OSWorld-G with instructions that need no knowledge of the application",
    reader=replace(_READER, files=(REFINED_FILE,)),
)
