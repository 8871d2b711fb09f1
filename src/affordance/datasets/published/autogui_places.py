"""AutoGUI-v2's grounding sets: elements with boxes in thousandths, regions with boxes in pixels.

Boxes of elements may be those from before people corrected them, so nobody should take them for exact to the pixel."""

from typing import Any

from affordance.core.box import Box, Space
from affordance.datasets.actions import canonical_action
from affordance.datasets.published.gather import Wanted, stem
from affordance.datasets.published.pictures import Pictures
from affordance.datasets.published.region_types import bucket
from affordance.datasets.published.rows import Row, shown

PLATFORMS = {
    "screenspot_pro": "desktop",
    "osworld_g": "desktop",
    "agentnet": "desktop",
    "amex": "mobile",
    "androidcontrol": "mobile",
    "guiodyssey": "mobile",
}  # those that have screens of one kind only
BOX_NAMES = ("bbox", "revised bbox", "revised_bbox")


def element(row: Row, pictures: Pictures) -> Wanted:
    """A row of FuncElemGnd."""
    box = row.box("bbox", Space.MILLE)
    action = canonical_action(row.text("action_type"))
    group = row.text_or_none("group_index")
    outcomes = row.nested("interaction_outcomes")
    published = {
        "functionality": row.text_or_none("functionality"),
        "interaction_outcomes": outcomes if isinstance(outcomes, dict) else None,
    }
    values = {
        "level": "element",
        "box": box,
        "functionality": row.text("question"),
        "description": row.text_or_none("description"),
        "intent": row.text_or_none("action_intent"),
        "action": action,
        "group": group,
        "alike": _alike(row, box),
        "tags": present(
            density_shipped=row.text_or_none("density_class"),
            group_size=str(row.whole("num_similar_elements")) if row.has("num_similar_elements") else None,
            source=row.text_or_none("dataset_name"),
        ),
        "published": {name: value for name, value in published.items() if value is not None},
    }
    label = "-".join(part for part in (group, row.text_or_none("id"), action.replace(" ", "_")) if part is not None)
    return _wanted(row, pictures, values, label)


def region(row: Row, pictures: Pictures) -> Wanted:
    """A row of FuncRegionGnd-v2."""
    boxes = [row.as_box(one, "option_bboxes", Space.PIXEL) for one in row.sequence("option_bboxes")]
    right = row.whole("correct_option_idx")
    if not 0 <= right < len(boxes):
        raise row.error(f"expected correct_option_idx from 0 to {len(boxes) - 1}, found {right}")
    box = row.box("correct_bbox", Space.PIXEL)
    remark = (
        f"expected correct_bbox to be option {right}'s {shown(list(boxes[right].xyxy))}, found {shown(list(box.xyxy))}"
    )
    values = {
        "level": "region",
        "box": box,
        "functionality": row.text("question"),
        "description": option(row, "option_descriptions", right),
        "group": row.text_or_none("group_id"),
        "alike": [other for place, other in enumerate(boxes) if place != right],
        "tags": region_tags(row, right) | {"group_size": str(len(boxes))},
        "published": present(functionality=option(row, "option_functionalities", right)),
    }
    label = "-".join(part for part in (row.text_or_none("group_id"), option(row, "option_region_ids", right)) if part)
    return _wanted(row, pictures, values, label, remark if box != boxes[right] else None)


def region_tags(row: Row, right: int) -> dict[str, str]:
    """What the publisher says of the option that is right."""
    leaf = option(row, "option_region_types", right)
    tags = present(
        density_shipped=option(row, "option_density_classes", right),
        area_shipped=option(row, "option_area_classes", right),
        source=row.text_or_none("dataset_name"),
    )
    return tags | leaf_tags(leaf)


def leaf_tags(leaf: str | None) -> dict[str, str]:
    return {"region type": bucket(leaf), **({"region leaf": leaf} if leaf else {})}


def option(row: Row, column: str, place: int) -> str | None:
    """What a column of lists says of an option; None where there is no such column, or nothing in it."""
    found = row.sequence(column) if row.has(column) else []
    one = found[place] if place < len(found) else None
    if one is None or one == "":
        return None
    if isinstance(one, (str, int)):
        return str(one)
    raise row.error(f"expected text in {column!r}, found {shown(one)}")


def present(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}


def _alike(row: Row, target: Box) -> list[Box]:
    """The boxes of the other members of its group, where they are told."""
    members = row.nested("similar_elements")
    if isinstance(members, dict):
        members = list(members.values())
    if members is None:
        return []
    if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
        raise row.error(f"expected a list of elements in 'similar_elements', found {shown(members)}")
    told = [next((member[name] for name in BOX_NAMES if member.get(name)), None) for member in members]
    boxes = [row.as_box(one, "similar_elements", Space.MILLE) for one in told if one is not None]
    return [box for box in boxes if box != target]


def _wanted(row: Row, pictures: Pictures, values: dict[str, Any], label: str, remark: str | None = None) -> Wanted:
    picture = pictures.of(row, ("image", "image_name"))
    name = row.text("image_name")
    source = row.text_or_none("dataset_name")
    return Wanted(
        picture=picture,
        name=name,
        size=pictures.size(row, picture, row.size("image_size")),
        values={key: value for key, value in values.items() if value is not None},
        label=f"{stem(name)}:{label}",
        platform=PLATFORMS.get((source or "").lower()),
        source=source,
        remark=remark,
    )
