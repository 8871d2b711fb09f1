"""`acme-csv:FILE`: a table with a screenshot, a box on it and what that does, in each row.

image,left,top,right,bottom,does
shots/cart.png,812,604,930,640,Takes the visitor to the payment
"""

from affordance.plugins import Box, ImageLocator, PublishedDataset, RawRow, ScreenReader, Space, TargetRow


def target(row: RawRow, images: ImageLocator) -> TargetRow:
    image = images.locate(row, ("image",))
    try:
        box = Box(Space.PIXEL, *(float(row.text(side)) for side in ("left", "top", "right", "bottom")))
    except ValueError as error:
        raise row.error(f"expected a box in pixels: {error}") from None
    return TargetRow(
        image=image,
        image_name=image.media,
        size=images.size(row, image, None),
        values={"level": "element", "box": box, "functionality": row.text("does")},
    )


ACME_CSV = PublishedDataset(
    name="acme-csv",
    title="Acme",
    description="what the controls of our own screens do",
    kind="screen",
    licence="unknown",
    citation="",
    provenance="acme-csv",
    reader=ScreenReader(target, files=("*.csv",)),
)
