"""AutoGUI-v2: what elements and regions of screens do. The columns of a row show which of its sets it is from.

Grounding sets have a target per row: elements with boxes in thousandths, regions with boxes in pixels. Boxes of
elements may be those from before people corrected them, so they are not exact to the pixel. Captioning sets have a
choice question per row.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.dataset import ReadResult
from affordance.datasets.items import DatasetHeader, ItemKind
from affordance.datasets.published.image_locator import ImageLocator
from affordance.datasets.published.published_dataset import ExpectedCount, HubRepo, PublishedDataset
from affordance.datasets.published.rows import RawRow, read_rows, without_none
from affordance.datasets.published.screen_builder import (
    BuiltRow,
    ChoiceRow,
    ConvertRow,
    TargetRow,
    build_items,
    image_stem,
)
from affordance.datasets.taxonomies import canonical_action, region_type_tags

PLATFORM_OF_SOURCE = {
    "screenspot_pro": "desktop",
    "osworld_g": "desktop",
    "agentnet": "desktop",
    "amex": "mobile",
    "androidcontrol": "mobile",
    "guiodyssey": "mobile",
}  # of the source datasets with screens of one platform
BOX_KEYS = ("bbox", "revised bbox", "revised_bbox")


def _element_target(row: RawRow, images: ImageLocator) -> TargetRow:
    """A row of FuncElemGnd."""
    box = row.box("bbox", CoordinateSpace.MILLE)
    action = canonical_action(row.text("action_type"))
    group = row.text_or_none("group_index")
    outcomes = row.json_value("interaction_outcomes")
    published = without_none(
        functionality=row.text_or_none("functionality"),
        interaction_outcomes=outcomes if isinstance(outcomes, dict) else None,
    )
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
        "published": published,
    }
    label = "-".join(part for part in (group, row.text_or_none("id"), action.replace(" ", "_")) if part is not None)
    return _target_row(row, images, values, label)


def _region_target(row: RawRow, images: ImageLocator) -> TargetRow:
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
        "description": _option_text(row, "option_descriptions", right),
        "group": row.text_or_none("group_id"),
        "alike": [other for place, other in enumerate(boxes) if place != right],
        "tags": _region_tags(row, right) | {"group_size": str(len(boxes))},
        "published": without_none(functionality=_option_text(row, "option_functionalities", right)),
    }
    label = "-".join(
        part for part in (row.text_or_none("group_id"), _option_text(row, "option_region_ids", right)) if part
    )
    return _target_row(row, images, values, label, remark if box != boxes[right] else None)


def _region_tags(row: RawRow, right: int) -> dict[str, str]:
    """The publisher's classes of the right option."""
    leaf = _option_text(row, "option_region_types", right)
    tags = without_none(
        density_shipped=_option_text(row, "option_density_classes", right),
        area_shipped=_option_text(row, "option_area_classes", right),
        source=row.text_or_none("dataset_name"),
    )
    return tags | region_type_tags(leaf)


def _option_text(row: RawRow, column: str, index: int) -> str | None:
    """The value of an option in a column of lists; None where there is no such column or value."""
    found = row.sequence(column) if row.has(column) else []
    one = found[index] if index < len(found) else None
    if one is None or one == "":
        return None
    if isinstance(one, (str, int)):
        return str(one)
    raise row.error(f"expected text in {column!r}, found {short_repr(one)}")


def _look_alike_boxes(row: RawRow, target: Box) -> list[Box]:
    """The boxes of the other members of the look-alike group, where they are stated."""
    members = row.json_value("similar_elements")
    if isinstance(members, dict):
        members = list(members.values())
    if members is None:
        return []
    if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
        raise row.error(f"expected a list of elements in 'similar_elements', found {short_repr(members)}")
    stated = [next((member[name] for name in BOX_KEYS if member.get(name)), None) for member in members]
    boxes = [row.as_box(one, "similar_elements", CoordinateSpace.MILLE) for one in stated if one is not None]
    return [box for box in boxes if box != target]


def _target_row(
    row: RawRow, images: ImageLocator, values: dict[str, Any], label: str, warning: str | None = None
) -> TargetRow:
    image = images.locate(row, ("image", "image_name"))
    name = row.text("image_name")
    source = row.text_or_none("dataset_name")
    return TargetRow(
        image=image,
        image_name=name,
        size=images.size(row, image, row.size("image_size")),
        values={key: value for key, value in values.items() if value is not None},
        label=f"{image_stem(name)}:{label}",
        platform=PLATFORM_OF_SOURCE.get((source or "").lower()),
        source=source,
        warning=warning,
    )


TARGET_ORIGIN = "target"  # of the right option
# Origins of distractors by the publisher's names.
ORIGINS = {
    "hard_negative": "hard",
    "easy_negative": "easy",
    "generated_negative": "generated",
    "reranked_gemini_generated": "generated",
    "reranked_pred_answer_normalized": "generated",  # written after wrong answers of models
    "candidate_backup": "generated",
}


def _element_question(row: RawRow, images: ImageLocator) -> ChoiceRow:
    """A row of FuncElemCap. The question refers to the element in a rectangle, as in the paper; the question of the
    row, which names the element in words, is kept."""
    choices = row.json_value("choices")
    if not isinstance(choices, dict) or not all(isinstance(one, dict) for one in choices.values()):
        raise row.error(f"expected options by their letters in 'choices', found {short_repr(choices)}")
    letters = sorted(choices)
    right = _answer_indices(row, [row.text("correct_answer")], letters)
    target = row.json_value("target_element")
    if not isinstance(target, dict):
        raise row.error(f"expected an element with its box in 'target_element', found {short_repr(target)}")
    action = canonical_action(row.text("interaction_type"))
    values = {
        "level": "element",
        "target": row.as_box(target.get("bbox"), "target_element", CoordinateSpace.MILLE),
        "action": action,
        "question": f"What is the result of this action on the element in the red rectangle: {action}?",
        "options": [_option(choices[one], "text", "candidate_type", n in right) for n, one in enumerate(letters)],
        "tags": without_none(
            density_shipped=row.text_or_none("density_class"),
            group_size=row.text_or_none("num_elements_in_group"),
            source=row.text_or_none("dataset_name"),
        ),
        "published": without_none(question=row.text_or_none("question")),
    }
    label = f"{image_stem(row.text('image_name'))}:{row.text_or_none('group_index')}-{action.replace(' ', '_')}"
    return ChoiceRow(_choice_values(row, images, ("image", "image_name"), values, right, False), label=label)


def _region_question(row: RawRow, images: ImageLocator) -> ChoiceRow:
    """A row of FuncRegionCap-v2, with one or several right answers."""
    labels = [str(one) for one in row.sequence("option_labels")]
    texts = row.sequence("option_contexts" if row.has("option_contexts") else "option_functionalities")
    if len(texts) != len(labels):
        raise row.error(f"expected as many options as labels ({len(labels)}), found {len(texts)}")
    several = row.has("correct_answers")
    letters = row.sequence("correct_answers") if several else [row.text("correct_answer")]
    right = _answer_indices(row, letters, labels)
    index = "correct_option_indices" if several else "correct_option_idx"
    stated = (row.sequence(index) if several else [row.whole(index)]) if row.has(index) else right
    if sorted(stated) != right:
        raise row.error(f"expected {index} to agree with the answers {letters}, found {short_repr(stated)}")
    values = {
        "level": "region",
        "question": row.text("question"),
        "options": [
            _option({"text": text, "source": _option_text(row, "option_sources", n)}, "text", "source", n in right)
            for n, text in enumerate(texts)
        ],
        "tags": _region_tags(row, right[0]),
    }
    columns = ("annotated_image", "annotated_image_name")
    label = image_stem(row.text("annotated_image_name"))
    return ChoiceRow(
        _choice_values(row, images, columns, values, right, several), label=f"{label}-multi" if several else label
    )


def _older_region_question(row: RawRow, images: ImageLocator) -> ChoiceRow:
    """A question of the older files: without boxes, the rectangle is drawn in the stored image."""
    options = row.sequence("options")
    if not all(isinstance(one, dict) for one in options):
        raise row.error(f"expected a list of options in 'options', found {short_repr(options)}")
    labels = [str(one.get("label")) for one in options]
    several = row.has("correct_answers")
    letters = row.sequence("correct_answers") if several else [row.text("correct_answer")]
    right = _answer_indices(row, letters, labels)
    marked = [place for place, one in enumerate(options) if one.get("is_correct") is True]
    if marked != right:
        raise row.error(f"expected options marked as correct to be the answers {letters}, found {short_repr(marked)}")
    truth = options[right[0]]
    values = {
        "level": "region",
        "question": row.text("question"),
        "options": [_option(one, "option_context", "source", place in right) for place, one in enumerate(options)],
        "tags": without_none(
            density_shipped=_nested_text(truth, "metrics", "density", "density_class"),
            area_shipped=_nested_text(truth, "metrics", "area", "area_class"),
            source=row.text_or_none("source_dataset"),
        )
        | region_type_tags(_nested_text(truth, "region_type")),
    }
    entry = row.text("entry_id")
    columns = ("annotated_image", "annotated_image_path")
    return ChoiceRow(
        _choice_values(row, images, columns, values, right, several), id=f"{entry}-multi" if several else entry
    )


def _answer_indices(row: RawRow, letters: Sequence[object], labels: Sequence[str]) -> list[int]:
    """Indexes of the right options."""
    unknown = [letter for letter in letters if letter not in labels]
    if unknown or not letters or len(set(labels)) < len(labels):
        raise row.error(
            f"expected answers among the options {short_repr(list(labels))}, found {short_repr(list(letters))}"
        )
    return sorted({labels.index(str(letter)) for letter in letters})


def _option(found: Mapping[str, Any], text: str, source: str, right: bool) -> dict[str, Any]:
    shipped = found.get(source)
    origin = TARGET_ORIGIN if right else ORIGINS.get(str(shipped))
    origins = without_none(origin=origin, source=shipped)
    return {"text": found.get(text), **origins}


def _choice_values(
    row: RawRow,
    images: ImageLocator,
    columns: Sequence[str],
    values: dict[str, Any],
    right: Sequence[int],
    several: bool,
) -> dict[str, Any]:
    size = row.size("image_size")
    stated = {} if size is None else {"image_size": list(size)}
    image = images.locate(row, columns).media
    return {"image": image, "answers": list(right), "multiple": several, **values, **stated}


def _nested_text(found: Any, *path: str) -> str | None:
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) and found else None


_FILES = ("*.jsonl", "*.json")
UNRELEASED = "FuncElemCap is not released by its authors; this reads it for those who have it"


@dataclass(frozen=True, slots=True)
class AutoGUISubset:
    """One of the published sets."""

    name: str
    columns: frozenset[str]  # by which its rows are recognised
    convert: ConvertRow
    item_count: int | None = None
    tag_counts: dict[str, dict[str, int]] = field(default_factory=dict)  # items with a value of a tag, or an action


SUBSETS = (
    AutoGUISubset(
        "FuncElemCap",
        frozenset({"choices", "correct_answer", "target_element", "interaction_type"}),
        _element_question,
        788,
        {
            "action": {
                "click": 200, "hover": 200, "drag": 162, "right click": 55, "double click": 56, "long press": 13,
                "type": 93,
            }
        },
    ),
    AutoGUISubset(
        "FuncElemGnd",
        frozenset({"image_name", "bbox", "question", "action_type"}),
        _element_target,
        1076,
        {"action": {"drag": 36, "right click": 21, "double click": 23, "long press": 16, "type": 14}},
    ),
    AutoGUISubset(
        "FuncRegionGnd-v2",
        frozenset({"image_name", "correct_bbox", "option_bboxes", "question"}),
        _region_target,
        442,
        {
            "region type": {
                "Primary Interface Containers": 26, "Global Navigation & Structure": 280, "Content & Data Display": 35,
                "Interaction & Input": 25, "Contextual & Temporary Regions": 31, "Others": 45,
            },
            "density_shipped": {"sparse": 142, "medium": 167, "dense": 133},
        },
    ),
    AutoGUISubset(
        "FuncRegionCap-v2 multi",
        frozenset({"annotated_image_name", "option_labels", "question", "correct_answers"}),
        _region_question,
    ),
    AutoGUISubset(
        "FuncRegionCap-v2",
        frozenset({"annotated_image_name", "option_labels", "question", "correct_answer"}),
        _region_question,
        447,
    ),
    AutoGUISubset(
        "older region questions, multi",
        frozenset({"entry_id", "annotated_image_path", "options", "correct_answers"}),
        _older_region_question,
    ),
    AutoGUISubset(
        "older region questions",
        frozenset({"entry_id", "annotated_image_path", "options", "correct_answer"}),
        _older_region_question,
    ),
)  # fmt: skip


def _read(dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
    if not path.exists():
        raise DataError(_missing_path_message(path), path)
    images = ImageLocator(path, cache)
    seen: Counter[str] = Counter()

    def convert(row: RawRow) -> BuiltRow:
        subset = _subset_of(row)
        seen[subset.name] += 1
        return subset.convert(row, images)

    def header(kind: ItemKind) -> DatasetHeader:
        return dataset.header(kind, f"{dataset.title} {' + '.join(sorted(seen))}" if seen else "")

    def counts(rows: Sequence[BuiltRow]) -> list[ExpectedCount]:
        return _counts(next(one for one in SUBSETS if one.name in seen), rows) if len(seen) == 1 else []

    return build_items(images, read_rows(path, _FILES), convert, header, counts)


def _subset_of(row: RawRow) -> AutoGUISubset:
    columns = {name for name, value in row.values.items() if value is not None}
    for one in SUBSETS:
        if one.columns <= columns:
            return one
    nearest = max(SUBSETS, key=lambda one: len(one.columns & columns) / len(one.columns))
    lacks = ", ".join(sorted(nearest.columns - columns))
    raise row.error(
        f"expected the columns of an AutoGUI-v2 set, found none of them whole; {nearest.name} lacks {lacks}"
    )


def _missing_path_message(path: Path) -> str:
    if "funcelemcap" in path.name.lower():
        return f"expected a local file or folder, found nothing there: {UNRELEASED}"
    if "autogui" in path.name.lower() and len(path.parts) == 2:
        return "expected a local file or folder, found nothing there; if it is a name on the hub, download it first"
    return "expected a local file or folder, found nothing there; is the path right?"


def _counts(subset: AutoGUISubset, rows: Sequence[BuiltRow]) -> list[ExpectedCount]:
    """Counts by tag are compared only where the total is right."""
    if subset.item_count is None:
        return []
    if subset.item_count != len(rows):
        return [ExpectedCount("items", subset.item_count, len(rows))]
    return [
        ExpectedCount(f"items with {tag} {value!r}", expected, sum(_value(one, tag) == value for one in rows))
        for tag, values in subset.tag_counts.items()
        for value, expected in values.items()
    ]


def _value(row: BuiltRow, tag: str) -> object:
    return row.values.get("action") if tag == "action" else row.values["tags"].get(tag)


AUTOGUI_V2 = PublishedDataset(
    name="autogui-v2",
    title="AutoGUI-v2",
    description="what regions and elements of screens do",
    kind="screen",
    licence="MIT",
    terms="According to the authors' repository. The screenshots come from other datasets with their own licences.",
    citation="Li et al.: AutoGUI-v2, github.com/ZJULiHongxin/AutoGUI-v2",
    provenance="ZJULiHongxin/AutoGUI-v2",
    notes="No commits are known: the branches are pinned by the first download. FuncElemCap is not released.",
    sources=(
        HubRepo("AutoGUI/AutoGUIv2-FuncElemGnd", folder="FuncElemGnd", size_bytes=1_220_000_000),
        HubRepo("HongxinLi/AutoGUIv2-FuncRegionGnd-v2", folder="FuncRegionGnd-v2"),
        HubRepo("HongxinLi/AutoGUIv2-FuncRegionCap-v2", folder="FuncRegionCap-v2"),
    ),
    reader=_read,
)
