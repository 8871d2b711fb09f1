"""ScreenSpot-Pro: instructions on high-resolution screenshots of professional applications. Corners in pixels."""

from collections.abc import Sequence
from pathlib import Path

from affordance.core.box import Space
from affordance.datasets.published.gather import Asked, Count, Wanted, gather
from affordance.datasets.published.pictures import Pictures
from affordance.datasets.published.rows import Row, read_rows
from affordance.datasets.reading import Reading
from affordance.datasets.records import Header

FILES = ("annotations/*.json", "*.json")
INSTRUCTIONS = 1581
TAGS = {"ui_type": "ui_type", "application": "application", "application_group": "group"}


def read(path: Path, cache: Path | None) -> Reading:
    pictures = Pictures(path, cache)
    return gather(pictures, read_rows(path, FILES), lambda row: _wanted(row, pictures), _header, _counts)


def _wanted(row: Row, pictures: Pictures) -> Wanted:
    picture = pictures.of(row, ("image", "img_filename"))
    tags = {tag: row.text_or_none(column) for tag, column in TAGS.items()}
    return Wanted(
        picture=picture,
        name=row.text_or_none("img_filename") or picture.media,
        size=pictures.size(row, picture, row.size("img_size")),
        values={
            "level": "element",
            "intent": row.text("instruction"),
            "box": row.box("bbox", Space.PIXEL),
            "tags": {tag: value for tag, value in tags.items() if value is not None},
        },
        id=row.text_or_none("id"),
        platform=row.text_or_none("platform"),
    )


def _header(kind: str) -> Header:
    return Header(
        format=1,
        kind="screen",
        name="ScreenSpot-Pro",
        licence="as published by likaixin/ScreenSpot-Pro",
        provenance="likaixin/ScreenSpot-Pro",
        synthetic=False,
    )


def _counts(found: Sequence[Wanted | Asked]) -> list[Count]:
    return [Count("instructions", INSTRUCTIONS, len(found))]
