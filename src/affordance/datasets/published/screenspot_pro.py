"""ScreenSpot-Pro: instructions on high-resolution screenshots of professional applications. Corners in pixels."""

from collections.abc import Sequence
from pathlib import Path

from affordance.core.geometry import CoordinateSpace
from affordance.datasets.dataset import ReadResult
from affordance.datasets.items import DatasetHeader
from affordance.datasets.published.rows import RawRow, read_rows
from affordance.datasets.published.screen_builder import ChoiceRow, ExpectedCount, ImageLocator, TargetRow, build_items

FILES = ("annotations/*.json", "*.json")
INSTRUCTIONS = 1581
TAGS = {"ui_type": "ui_type", "application": "application", "application_group": "group"}


def read(path: Path, cache: Path | None) -> ReadResult:
    pictures = ImageLocator(path, cache)
    return build_items(pictures, read_rows(path, FILES), lambda row: _target_row(row, pictures), _header, _counts)


def _target_row(row: RawRow, images: ImageLocator) -> TargetRow:
    picture = images.locate(row, ("image", "img_filename"))
    tags = {tag: row.text_or_none(column) for tag, column in TAGS.items()}
    return TargetRow(
        image=picture,
        image_name=row.text_or_none("img_filename") or picture.media,
        size=images.size(row, picture, row.size("img_size")),
        values={
            "level": "element",
            "intent": row.text("instruction"),
            "box": row.box("bbox", CoordinateSpace.PIXEL),
            "tags": {tag: value for tag, value in tags.items() if value is not None},
        },
        id=row.text_or_none("id"),
        platform=row.text_or_none("platform"),
    )


def _header(kind: str) -> DatasetHeader:
    return DatasetHeader(
        format=1,
        kind="screen",
        name="ScreenSpot-Pro",
        licence="as published by likaixin/ScreenSpot-Pro",
        provenance="likaixin/ScreenSpot-Pro",
        synthetic=False,
    )


def _counts(found: Sequence[TargetRow | ChoiceRow]) -> list[ExpectedCount]:
    return [ExpectedCount("instructions", INSTRUCTIONS, len(found))]
