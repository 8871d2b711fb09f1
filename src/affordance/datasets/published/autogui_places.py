"""AutoGUI-v2's grounding sets: elements with boxes in thousandths, regions with boxes in pixels.

Boxes of elements may be those from before people corrected them, so nobody should take them for exact to the pixel."""

from typing import Any

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.published.rows import RawRow
from affordance.datasets.published.screen_builder import ImageLocator, TargetRow, image_stem
from affordance.datasets.taxonomies import canonical_action, region_category

PLATFORMS = {
    "screenspot_pro": "desktop",
    "osworld_g": "desktop",
    "agentnet": "desktop",
    "amex": "mobile",
    "androidcontrol": "mobile",
    "guiodyssey": "mobile",
}  # those that have screens of one kind only
BOX_KEYS = ("bbox", "revised bbox", "revised_bbox")


def element_target(row: RawRow, images: ImageLocator) -> TargetRow:
    """A row of FuncElemGnd."""
    box = row.box("bbox", CoordinateSpace.MILLE)
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
        "alike": _look_alike_boxes(row, box),
        "tags": without_none(
            density_shipped=row.text_or_none("density_class"),
            group_size=str(row.whole("num_similar_elements")) if row.has("num_similar_elements") else None,
            source=row.text_or_none("dataset_name"),
        ),
        "published": {name: value for name, value in published.items() if value is not None},
    }
    label = "-".join(part for part in (group, row.text_or_none("id"), action.replace(" ", "_")) if part is not None)
    return _target_row(row, images, values, label)


def region_target(row: RawRow, images: ImageLocator) -> TargetRow:
    """A row of FuncRegionGnd-v2."""
    boxes = [row.as_box(one, "option_bboxes", CoordinateSpace.PIXEL) for one in row.sequence("option_bboxes")]
    right = row.whole("correct_option_idx")
    if not 0 <= right < len(boxes):
        raise row.error(f"expected correct_option_idx from 0 to {len(boxes) - 1}, found {right}")
    box = row.box("correct_bbox", CoordinateSpace.PIXEL)
    remark = (
        f"expected correct_bbox to be option {right}'s {short_repr(list(boxes[right].xyxy))}, found "
        f"{short_repr(list(box.xyxy))}"
    )
    values = {
        "level": "region",
        "box": box,
        "functionality": row.text("question"),
        "description": option_text(row, "option_descriptions", right),
        "group": row.text_or_none("group_id"),
        "alike": [other for place, other in enumerate(boxes) if place != right],
        "tags": region_tags(row, right) | {"group_size": str(len(boxes))},
        "published": without_none(functionality=option_text(row, "option_functionalities", right)),
    }
    label = "-".join(
        part for part in (row.text_or_none("group_id"), option_text(row, "option_region_ids", right)) if part
    )
    return _target_row(row, images, values, label, remark if box != boxes[right] else None)


def region_tags(row: RawRow, right: int) -> dict[str, str]:
    """What the publisher says of the option that is right."""
    leaf = option_text(row, "option_region_types", right)
    tags = without_none(
        density_shipped=option_text(row, "option_density_classes", right),
        area_shipped=option_text(row, "option_area_classes", right),
        source=row.text_or_none("dataset_name"),
    )
    return tags | region_type_tags(leaf)


def region_type_tags(region_type: str | None) -> dict[str, str]:
    return {"region type": region_category(region_type), **({"region leaf": region_type} if region_type else {})}


def option_text(row: RawRow, column: str, index: int) -> str | None:
    """What a column of lists says of an option; None where there is no such column, or nothing in it."""
    found = row.sequence(column) if row.has(column) else []
    one = found[index] if index < len(found) else None
    if one is None or one == "":
        return None
    if isinstance(one, (str, int)):
        return str(one)
    raise row.error(f"expected text in {column!r}, found {short_repr(one)}")


def without_none(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}


def _look_alike_boxes(row: RawRow, target: Box) -> list[Box]:
    """The boxes of the other members of its group, where they are told."""
    members = row.nested("similar_elements")
    if isinstance(members, dict):
        members = list(members.values())
    if members is None:
        return []
    if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
        raise row.error(f"expected a list of elements in 'similar_elements', found {short_repr(members)}")
    told = [next((member[name] for name in BOX_KEYS if member.get(name)), None) for member in members]
    boxes = [row.as_box(one, "similar_elements", CoordinateSpace.MILLE) for one in told if one is not None]
    return [box for box in boxes if box != target]


def _target_row(
    row: RawRow, images: ImageLocator, values: dict[str, Any], label: str, warning: str | None = None
) -> TargetRow:
    picture = images.locate(row, ("image", "image_name"))
    name = row.text("image_name")
    source = row.text_or_none("dataset_name")
    return TargetRow(
        image=picture,
        image_name=name,
        size=images.size(row, picture, row.size("image_size")),
        values={key: value for key, value in values.items() if value is not None},
        label=f"{image_stem(name)}:{label}",
        platform=PLATFORMS.get((source or "").lower()),
        source=source,
        warning=warning,
    )
