"""OSWorld-G: instructions on desktop screenshots. A target is a box, a polygon, or refused: it is not there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from affordance.core.geometry import CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.dataset import ReadResult
from affordance.datasets.items import DatasetHeader
from affordance.datasets.published.rows import RawRow, read_rows
from affordance.datasets.published.screen_builder import ChoiceRow, ExpectedCount, ImageLocator, TargetRow, build_items

FILES = ("OSWorld-G.json", "tasks.json", "annotations*.json", "OSWorld-G*.json")
SPACE = CoordinateSpace.PIXEL
TASKS, REFUSALS = 564, 54


def read(path: Path, cache: Path | None) -> ReadResult:
    pictures = ImageLocator(path, cache)
    return build_items(pictures, read_rows(path, FILES), lambda row: _target_row(row, pictures), _header, _counts)


def _target_row(row: RawRow, images: ImageLocator) -> TargetRow:
    picture = images.locate(row, ("image", "image_path"))
    kinds = row.sequence("GUI_types") if row.has("GUI_types") else []
    values: dict[str, Any] = {"level": "element", "intent": row.text("instruction"), **_location_fields(row)}
    if kinds:
        values["tags"] = {"ui_types": ", ".join(str(kind) for kind in kinds)}
    return TargetRow(
        image=picture,
        image_name=row.text_or_none("image_path") or picture.media,
        size=images.size(row, picture, row.size("image_size")),
        values=values,
        id=row.text("id"),
        platform="desktop",
    )


def _location_fields(row: RawRow) -> dict[str, Any]:
    kind = row.text("box_type")
    if kind == "refusal":
        return {"absent": True}
    if kind == "bbox":
        return {"box": row.box("box_coordinates", SPACE, sized=True)}
    if kind != "polygon":
        raise row.error(f"expected box_type bbox, polygon or refusal, found {kind!r}")
    numbers = row.sequence("box_coordinates")
    if len(numbers) < 6 or len(numbers) % 2 or not all(type(number) in (int, float) for number in numbers):
        raise row.error(f"expected x and y of three or more points in 'box_coordinates', found {short_repr(numbers)}")
    return {"polygon": [[float(x), float(y)] for x, y in zip(numbers[::2], numbers[1::2], strict=True)]}


def _header(kind: str) -> DatasetHeader:
    return DatasetHeader(
        format=1,
        kind="screen",
        name="OSWorld-G",
        licence="Apache-2.0",
        provenance="xlang-ai/OSWorld-G",
        synthetic=False,
    )


def _counts(found: Sequence[TargetRow | ChoiceRow]) -> list[ExpectedCount]:
    refused = sum(bool(one.values.get("absent")) for one in found)
    return [ExpectedCount("tasks", TASKS, len(found)), ExpectedCount("refusals", REFUSALS, refused)]
