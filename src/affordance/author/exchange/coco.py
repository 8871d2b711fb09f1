"""Regions and elements as COCO detections: `annotations/instances.json`, and the pictures in `images`.

Categories are the types of the taxonomy, with their parents as supercategories, and the roles of elements."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from affordance.author.exchange.boxed import OTHER, Boxed, boxed, labels
from affordance.author.exchange.files import (
    copy_picture,
    empty_folder,
    folder_path,
    number,
    picture_path,
    write_listed,
)
from affordance.author.exchange.kept import kept
from affordance.author.exchange.results import Exported, Facts, States
from affordance.author.state import ScreenState

FILE = "annotations/instances.json"


def write_coco(states: States, folder: Path, facts: Facts) -> Exported:
    """Write into a new or empty folder. The root, which is the whole screen, is no detection."""
    told = Exported()
    images: dict[str, dict[str, Any]] = {}
    named: set[tuple[str, str]] = set()

    def visit(state: ScreenState) -> None:
        path = picture_path(state, folder_path(state.id))
        images[state.id] = {"file_name": path, "width": state.shot.width, "height": state.shot.height, "license": 1}
        named.update(one.labelled for one in boxed(state, told))

    screens = kept(states, told, visit).some()
    empty_folder(folder)
    places = {name: place for place, name in enumerate(screens.ids, 1)}
    numbers = {label: place for place, label in enumerate(labels(named), 1)}
    before = {
        "info": {"description": facts.name, "version": "1.0", "contributor": facts.provenance},
        "licenses": [{"id": 1, "name": facts.licence, "url": ""}],
        "images": [{"id": place, **images[name]} for name, place in places.items()],
    }
    after = {
        "categories": [
            {"id": place, "name": name, "supercategory": parent} for (parent, name), place in numbers.items()
        ]
    }

    def annotations() -> Iterator[dict[str, Any]]:
        for state in screens:
            copy_picture(state, folder / "images", folder_path(state.id))
            for one in boxed(state, Exported()):
                told.counts["annotations"] += 1
                yield {"id": told.counts["annotations"], **_annotation(places[state.id], one, numbers)}

    told.counts.update({"screens": len(screens), "annotations": 0, "categories": len(numbers)})
    opening, closing = (json.dumps(part, ensure_ascii=False, indent=1) for part in (before, after))
    head = opening.removesuffix("\n}") + ',\n "annotations": ['
    write_listed(folder / FILE, head, annotations(), "\n ]," + closing.removeprefix("{") + "\n", depth=2)
    return told


def _annotation(image: int, one: Boxed, numbers: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    x1, y1, x2, y2 = (number(edge) for edge in one.box.xyxy)
    return {
        "image_id": image,
        # Somebody may have given it another label since the labels were looked up.
        "category_id": numbers.get(one.labelled, numbers[OTHER, OTHER]),
        "bbox": [x1, y1, number(x2 - x1), number(y2 - y1)],
        "area": number(one.box.area),
        "segmentation": [[x1, y1, x2, y1, x2, y2, x1, y2]],
        "iscrowd": 0,
        "attributes": one.told(),
    }
