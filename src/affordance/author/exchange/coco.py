"""Regions and elements as COCO detections: `annotations/instances.json`, and the pictures in `images`.

Categories are the types of the taxonomy, with their parents as supercategories, and the roles of elements."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from affordance.author.exchange.boxed import Boxed, boxed, labels
from affordance.author.exchange.files import copy_picture, empty_folder, folder_path, number, write_json
from affordance.author.exchange.kept import selected
from affordance.author.exchange.results import Exported, Facts
from affordance.author.state import ScreenState
from affordance.core.errors import UserError

FILE = "annotations/instances.json"


def write_coco(states: Iterable[ScreenState], folder: Path, facts: Facts) -> Exported:
    """Write into a new or empty folder. The root, which is the whole screen, is no detection."""
    told = Exported()
    kept = selected(states, told)
    if not kept:
        raise UserError("expected screens to export, found none that are selected and have their picture")
    empty_folder(folder)
    found = [(state, boxed(state, told)) for state in kept]
    known = labels(one for _, some in found for one in some)
    numbers = {label: place for place, label in enumerate(known, 1)}
    images = [_image(place, state, folder) for place, (state, _) in enumerate(found, 1)]
    annotations = [
        {"id": place, **one} for place, one in enumerate(_annotations([some for _, some in found], numbers), 1)
    ]
    document = {
        "info": {"description": facts.name, "version": "1.0", "contributor": facts.provenance},
        "licenses": [{"id": 1, "name": facts.licence, "url": ""}],
        "images": images,
        "annotations": annotations,
        "categories": [
            {"id": place, "name": name, "supercategory": parent} for (parent, name), place in numbers.items()
        ],
    }
    write_json(folder / FILE, document, indent=1)
    told.counts.update({"screens": len(images), "annotations": len(annotations), "categories": len(numbers)})
    return told


def _image(place: int, state: ScreenState, folder: Path) -> dict[str, Any]:
    path = copy_picture(state, folder / "images", folder_path(state.id))
    return {"id": place, "file_name": path, "width": state.shot.width, "height": state.shot.height, "license": 1}


def _annotations(found: Iterable[list[Boxed]], numbers: dict[tuple[str, str], int]) -> Iterator[dict[str, Any]]:
    for image, some in enumerate(found, 1):
        for one in some:
            x1, y1, x2, y2 = (number(edge) for edge in one.box.xyxy)
            yield {
                "image_id": image,
                "category_id": numbers[one.parent_label, one.label],
                "bbox": [x1, y1, number(x2 - x1), number(y2 - y1)],
                "area": number(one.box.area),
                "segmentation": [[x1, y1, x2, y1, x2, y2, x1, y2]],
                "iscrowd": 0,
                "attributes": one.told(),
            }
