"""ScreenSpot-Pro: instructions on high-resolution screenshots of professional applications. Corners in pixels."""

from affordance.core.geometry import CoordinateSpace
from affordance.datasets.published.image_locator import ImageLocator
from affordance.datasets.published.published_dataset import HubRepo, PublishedDataset
from affordance.datasets.published.rows import RawRow, without_none
from affordance.datasets.published.screen_builder import ScreenReader, TargetRow


def _target(row: RawRow, images: ImageLocator) -> TargetRow:
    image = images.locate(row, ("image", "img_filename"))
    return TargetRow(
        id=row.text_or_none("id"),
        image=image,
        image_name=row.text_or_none("img_filename") or image.media,
        size=images.size(row, image, row.size("img_size")),
        platform=row.text_or_none("platform"),
        values={
            "level": "element",
            "intent": row.text("instruction"),
            "box": row.box("bbox", CoordinateSpace.PIXEL),
            "tags": without_none(
                ui_type=row.text_or_none("ui_type"),
                application=row.text_or_none("application"),
                application_group=row.text_or_none("group"),
            ),
        },
    )


SCREENSPOT_PRO = PublishedDataset(
    name="screenspot-pro",
    title="ScreenSpot-Pro",
    description="instructions on high-resolution screenshots of professional applications",
    kind="screen",
    licence="MIT",
    terms="According to its card in public copies. The screenshots show the work of others.",
    citation="Li et al.: ScreenSpot-Pro, arXiv:2504.07981",
    provenance="likaixin/ScreenSpot-Pro",
    sources=(
        HubRepo(
            "likaixin/ScreenSpot-Pro",
            "ad1a3ed1f5ead31cf29eeb142ec63b478ccc131f",
            files=("annotations/*.json", "images/*.png"),
            size_bytes=3_400_000_000,
        ),
    ),
    reader=ScreenReader(_target, files=("annotations/*.json", "*.json")),
    expected={"instructions": 1581},
)
