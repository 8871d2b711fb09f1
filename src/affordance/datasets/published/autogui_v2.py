"""AutoGUI-v2: which of its sets a file has is told by its columns."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.errors import DataError
from affordance.datasets.dataset import ReadResult
from affordance.datasets.items import DatasetHeader
from affordance.datasets.published import autogui_choices, autogui_places
from affordance.datasets.published.rows import RawRow, read_rows
from affordance.datasets.published.screen_builder import ChoiceRow, ExpectedCount, ImageLocator, TargetRow, build_items

FILES = ("*.jsonl", "*.json")
UNRELEASED = "FuncElemCap has not been released by its authors; this reads it for those who have it"


@dataclass(frozen=True, slots=True)
class AutoGUISubset:
    """One of the published sets. `columns` tell it from the others. Where `items` is the number of its items, `parts`
    are those with a value of a tag or with an action."""

    name: str
    columns: frozenset[str]
    convert: Callable[[RawRow, ImageLocator], TargetRow | ChoiceRow]
    item_count: int | None = None
    tag_counts: dict[str, dict[str, int]] = field(default_factory=dict)


SUBSETS = (
    AutoGUISubset(
        "FuncElemCap",
        frozenset({"choices", "correct_answer", "target_element", "interaction_type"}),
        autogui_choices.element_question,
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
        autogui_places.element_target,
        1076,
        {"action": {"drag": 36, "right click": 21, "double click": 23, "long press": 16, "type": 14}},
    ),
    AutoGUISubset(
        "FuncRegionGnd-v2",
        frozenset({"image_name", "correct_bbox", "option_bboxes", "question"}),
        autogui_places.region_target,
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
        autogui_choices.region_question,
    ),
    AutoGUISubset(
        "FuncRegionCap-v2",
        frozenset({"annotated_image_name", "option_labels", "question", "correct_answer"}),
        autogui_choices.region_question,
        447,
    ),
    AutoGUISubset(
        "older region questions, multi",
        frozenset({"entry_id", "annotated_image_path", "options", "correct_answers"}),
        autogui_choices.older_region_question,
    ),
    AutoGUISubset(
        "older region questions",
        frozenset({"entry_id", "annotated_image_path", "options", "correct_answer"}),
        autogui_choices.older_region_question,
    ),
)  # fmt: skip


def read(path: Path, cache: Path | None) -> ReadResult:
    if not path.exists():
        raise DataError(_missing_path_message(path), path)
    pictures = ImageLocator(path, cache)
    seen: Counter[str] = Counter()

    def convert(row: RawRow) -> TargetRow | ChoiceRow:
        found = _subset_of(row)
        seen[found.name] += 1
        return found.convert(row, pictures)

    def header(kind: str) -> DatasetHeader:
        return _header(kind, sorted(seen))

    def counts(found: Sequence[TargetRow | ChoiceRow]) -> list[ExpectedCount]:
        return _counts(next(one for one in SUBSETS if one.name in seen), found) if len(seen) == 1 else []

    return build_items(pictures, read_rows(path, FILES), convert, header, counts)


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
    said = "expected a local file or folder, found nothing there; is the path right?"
    if "funcelemcap" in path.name.lower():
        return f"expected a local file or folder, found nothing there: {UNRELEASED}"
    if "autogui" in path.name.lower() and len(path.parts) == 2:
        return "expected a local file or folder, found nothing there; if it is a name on the hub, download it first"
    return said


def _header(kind: str, names: Sequence[str]) -> DatasetHeader:
    return DatasetHeader(
        format=1,
        kind="choice" if kind == "choice" else "screen",
        name=f"AutoGUI-v2 {' + '.join(names)}" if names else "AutoGUI-v2",
        licence="MIT",
        provenance="ZJULiHongxin/AutoGUI-v2",
        synthetic=False,
    )


def _counts(subset: AutoGUISubset, items: Sequence[TargetRow | ChoiceRow]) -> list[ExpectedCount]:
    """Parts are looked at only where the whole is there."""
    if subset.item_count is None:
        return []
    if subset.item_count != len(items):
        return [ExpectedCount("items", subset.item_count, len(items))]
    return [
        ExpectedCount(f"items with {tag} {value!r}", expected, sum(_value(one, tag) == value for one in items))
        for tag, values in subset.tag_counts.items()
        for value, expected in values.items()
    ]


def _value(item: TargetRow | ChoiceRow, tag: str) -> object:
    return item.values.get("action") if tag == "action" else item.values["tags"].get(tag)
