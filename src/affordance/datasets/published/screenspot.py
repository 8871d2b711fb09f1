"""ScreenSpot and ScreenSpot-v2: instructions on screenshots of phones, desktops and web pages.

The publishers' JSON has boxes as x, y, width and height in pixels; the tables on the hub have corners as shares."""

import re
from collections.abc import Sequence
from pathlib import Path

from affordance.core.geometry import CoordinateSpace
from affordance.datasets.dataset import ReadResult
from affordance.datasets.published.image_locator import ImageLocator
from affordance.datasets.published.published_dataset import ExpectedCount, HubRepo, PublishedDataset
from affordance.datasets.published.rows import RawRow, row_files, without_none
from affordance.datasets.published.screen_builder import BuiltRow, ScreenReader, TargetRow

PLATFORM_OF_SOURCE = {
    "ios": "mobile",
    "android": "mobile",
    "windows": "desktop",
    "macos": "desktop",
    "shop": "web",
    "gitlab": "web",
    "forum": "web",
    "tool": "web",
}
# Files and folders of version 2 as their publishers name them: the columns of both versions are the same.
_VERSION_2 = re.compile(r"screenspot(?:.*[-_. ])?v2(?![0-9a-z])", re.IGNORECASE)


def _target(row: RawRow, images: ImageLocator) -> TargetRow:
    in_pixels = row.has("img_filename")
    image = images.locate(row, ("image", "img_filename", "file_name"))
    source = row.text_or_none("data_source")
    return TargetRow(
        image=image,
        image_name=row.text_or_none("img_filename") or row.text_or_none("file_name") or image.media,
        size=images.size(row, image, row.size("img_size")),
        platform=_platform(row, source),
        values={
            "level": "element",
            "intent": row.text("instruction"),
            "box": row.box("bbox", CoordinateSpace.PIXEL if in_pixels else CoordinateSpace.UNIT, sized=in_pixels),
            "tags": without_none(ui_type=row.text_or_none("data_type"), source=source),
        },
    )


def _platform(row: RawRow, source: str | None) -> str | None:
    named = [platform for platform in ("mobile", "desktop", "web") if f"_{platform}" in row.position.path.stem]
    return named[0] if named else PLATFORM_OF_SOURCE.get((source or "").lower())


def _counts(dataset: PublishedDataset, rows: Sequence[BuiltRow]) -> list[ExpectedCount]:
    """The file of one platform is compared with the count of that platform."""
    platforms = {one.platform for one in rows if isinstance(one, TargetRow)}
    what = "instructions"
    if len(platforms) == 1 and (only := f"{platforms.pop()} instructions") in dataset.expected:
        what = only
    return [ExpectedCount(what, dataset.expected[what], len(rows))]


_READER = ScreenReader(
    _target,
    files=("screenspot_*_v2.json", "screenspot_*.json"),
    counts=_counts,
    image_folders=("", "images", "imgs", "screenspot_imgs", "screenspotv2_image", "screenspotv2_imgs"),
)


def _read_either(dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
    """`screenspot:PATH` also reads version 2, where the publishers' names of files or folders show it."""
    files = row_files(path, _READER.files) if path.is_dir() else [path]
    names = [path.resolve().name, *(file.stem for file in files)]
    return _READER(SCREENSPOT_V2 if any(map(_VERSION_2.search, names)) else dataset, path, cache)


SCREENSPOT = PublishedDataset(
    name="screenspot",
    title="ScreenSpot",
    description="instructions on screenshots of phones, desktops and web pages",
    kind="screen",
    licence="Apache-2.0",
    terms="According to the card of this copy. The screenshots show the work of others.",
    citation="Cheng et al.: SeeClick, arXiv:2401.10935",
    provenance="njucckevin/SeeClick",
    sources=(
        HubRepo(
            "rootsautomation/ScreenSpot",
            "0be08781e2e188582f6131625ae1598d443b4d5d",
            files=("README.md", "data/*.parquet"),
            size_bytes=602_316_816,
        ),
    ),
    reader=_read_either,
    expected={
        "instructions": 1272,
        "mobile instructions": 502,
        "desktop instructions": 334,
        "web instructions": 436,
    },
)

SCREENSPOT_V2 = PublishedDataset(
    name="screenspot-v2",
    title="ScreenSpot-v2",
    description="ScreenSpot with its mistakes corrected",
    kind="screen",
    licence="Apache-2.0",
    terms="According to the card of its authors (OS-Copilot/ScreenSpot-v2). This copy, as tables, states no licence.",
    citation="Wu et al.: OS-Atlas, arXiv:2410.23218",
    provenance="OS-Copilot/ScreenSpot-v2",
    sources=(
        HubRepo(
            "HongxinLi/ScreenSpot_v2",
            "454d6e23deee60a3f7d33b114003edc04e6a983a",
            files=("README.md", "data/*.parquet"),
            folder="ScreenSpot_v2",
            size_bytes=479_000_000,
        ),
    ),
    reader=_READER,
    expected={
        "instructions": 1272,
        "mobile instructions": 501,
        "desktop instructions": 334,
        "web instructions": 437,
    },
)
