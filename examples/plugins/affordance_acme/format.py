"""`acme-csv:FILE`: a table with a screenshot, a box on it and what that does, in each row.

image,left,top,right,bottom,does
shots/cart.png,812,604,930,640,Takes the visitor to the payment
"""

from pathlib import Path

from affordance.plugins import (
    Box,
    DatasetHeader,
    RawRow,
    ReadResult,
    Screen,
    Space,
    Target,
    decode_image,
    read_csv,
    read_items,
)


def read(path: Path, cache: Path | None) -> ReadResult:
    """`cache` is a folder for pictures that lie inside of tables, which these do not."""
    header = DatasetHeader(
        format=1, kind="screen", name=path.stem, licence="unknown", provenance="acme-csv", synthetic=False
    )  # fmt: skip
    rows = read_items(read_csv(path), lambda row, number: screen(row, number, path.parent), "row")
    return ReadResult(path.parent, header, tuple(rows))


def screen(row: RawRow, number: int, folder: Path) -> Screen:
    image = row.text("image")
    if not (folder / image).is_file():
        raise row.error(f"expected the picture {image!r} in {folder}, found no such file")
    height, width = decode_image((folder / image).read_bytes()).shape[:2]
    try:
        box = Box(Space.PIXEL, *(float(row.text(side)) for side in ("left", "top", "right", "bottom")))
    except ValueError as error:
        raise row.error(f"expected a box in pixels: {error}") from None
    target = Target(id="target", level="element", box=box, functionality=row.text("does"))
    return Screen(id=f"{number:04d}", image=image, width=width, height=height, targets=[target])
