"""ScreenSpot and ScreenSpot-v2: instructions on screenshots of phones, desktops and web pages.

The publishers' JSON has boxes as x, y, width and height in pixels; the tables on the hub have corners as shares."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from affordance.core.geometry import CoordinateSpace
from affordance.datasets.dataset import ReadResult
from affordance.datasets.items import DatasetHeader
from affordance.datasets.published.rows import RawRow, read_rows
from affordance.datasets.published.screen_builder import ChoiceRow, ExpectedCount, ImageLocator, TargetRow, build_items

FILES = ("screenspot_*_v2.json", "screenspot_*.json")
INSTRUCTIONS = {
    "ScreenSpot": {"mobile": 502, "desktop": 334, "web": 436},
    "ScreenSpot-v2": {"mobile": 501, "desktop": 334, "web": 437},
}
PLATFORMS = {
    "ios": "mobile",
    "android": "mobile",
    "windows": "desktop",
    "macos": "desktop",
    "shop": "web",
    "gitlab": "web",
    "forum": "web",
    "tool": "web",
}


def read(path: Path, cache: Path | None) -> ReadResult:
    pictures = ImageLocator(path, cache)
    seen: Counter[str] = Counter()

    def target_row(row: RawRow) -> TargetRow:
        seen[_version(path, row)] += 1
        return _target_row(row, pictures)

    def name() -> str:
        return max(seen, key=lambda one: seen[one], default="ScreenSpot")

    return build_items(
        pictures,
        read_rows(path, FILES),
        target_row,
        lambda kind: _header(name()),
        lambda found: _counts(name(), found),
    )


def _version(path: Path, row: RawRow) -> str:
    """The columns are the same; only names tell."""
    told = any("v2" in one.lower() for one in (path.resolve().name, row.place.path.name))
    return "ScreenSpot-v2" if told else "ScreenSpot"


def _target_row(row: RawRow, images: ImageLocator) -> TargetRow:
    in_pixels = row.has("img_filename")
    picture = images.locate(row, ("image", "img_filename", "file_name"))
    source = row.text_or_none("data_source")
    shipped = {"ui_type": row.text_or_none("data_type"), "source": source}
    return TargetRow(
        image=picture,
        image_name=row.text_or_none("img_filename") or row.text_or_none("file_name") or picture.media,
        size=images.size(row, picture, row.size("img_size")),
        values={
            "level": "element",
            "intent": row.text("instruction"),
            "box": row.box("bbox", CoordinateSpace.PIXEL if in_pixels else CoordinateSpace.UNIT, sized=in_pixels),
            "tags": {tag: value for tag, value in shipped.items() if value is not None},
        },
        platform=_platform(row, source),
    )


def _platform(row: RawRow, source: str | None) -> str | None:
    named = [platform for platform in ("mobile", "desktop", "web") if f"_{platform}" in row.place.path.stem]
    return named[0] if named else PLATFORMS.get((source or "").lower())


def _header(name: str) -> DatasetHeader:
    return DatasetHeader(
        format=1,
        kind="screen",
        name=name,
        licence="Apache-2.0",
        provenance={"ScreenSpot": "njucckevin/SeeClick", "ScreenSpot-v2": "OS-Copilot/ScreenSpot-v2"}[name],
        synthetic=False,
    )


def _counts(name: str, found: Sequence[TargetRow | ChoiceRow]) -> list[ExpectedCount]:
    """A file of one platform is a whole of its own."""
    platforms = {one.platform for one in found if isinstance(one, TargetRow)}
    expected = INSTRUCTIONS[name]
    if len(platforms) == 1 and (only := platforms.pop()) in expected:
        return [ExpectedCount(f"{only} instructions", expected[only], len(found))]
    return [ExpectedCount("instructions", sum(expected.values()), len(found))]
