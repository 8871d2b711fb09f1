"""AutoGUI-v2: which of its sets a file has is told by its columns."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.errors import DataError
from affordance.datasets.published import autogui_choices, autogui_places
from affordance.datasets.published.gather import Asked, Count, Wanted, gather
from affordance.datasets.published.pictures import Pictures
from affordance.datasets.published.rows import Row, read_rows
from affordance.datasets.reading import Reading
from affordance.datasets.records import Header

FILES = ("*.jsonl", "*.json")
UNRELEASED = "FuncElemCap has not been released by its authors; this reads it for those who have it"


@dataclass(frozen=True, slots=True)
class Set:
    """One of the published sets. `columns` tell it from the others. Where `items` is the number of its items, `parts`
    are those with a value of a tag or with an action."""

    name: str
    columns: frozenset[str]
    convert: Callable[[Row, Pictures], Wanted | Asked]
    items: int | None = None
    parts: dict[str, dict[str, int]] = field(default_factory=dict)


SETS = (
    Set(
        "FuncElemCap",
        frozenset({"choices", "correct_answer", "target_element", "interaction_type"}),
        autogui_choices.elements,
        788,
        {
            "action": {
                "click": 200, "hover": 200, "drag": 162, "right click": 55, "double click": 56, "long press": 13,
                "type": 93,
            }
        },
    ),
    Set(
        "FuncElemGnd",
        frozenset({"image_name", "bbox", "question", "action_type"}),
        autogui_places.element,
        1076,
        {"action": {"drag": 36, "right click": 21, "double click": 23, "long press": 16, "type": 14}},
    ),
    Set(
        "FuncRegionGnd-v2",
        frozenset({"image_name", "correct_bbox", "option_bboxes", "question"}),
        autogui_places.region,
        442,
        {
            "region type": {
                "Primary Interface Containers": 26, "Global Navigation & Structure": 280, "Content & Data Display": 35,
                "Interaction & Input": 25, "Contextual & Temporary Regions": 31, "Others": 45,
            },
            "density_shipped": {"sparse": 142, "medium": 167, "dense": 133},
        },
    ),
    Set(
        "FuncRegionCap-v2 multi",
        frozenset({"annotated_image_name", "option_labels", "question", "correct_answers"}),
        autogui_choices.regions,
    ),
    Set(
        "FuncRegionCap-v2",
        frozenset({"annotated_image_name", "option_labels", "question", "correct_answer"}),
        autogui_choices.regions,
        447,
    ),
    Set(
        "older region questions, multi",
        frozenset({"entry_id", "annotated_image_path", "options", "correct_answers"}),
        autogui_choices.older,
    ),
    Set(
        "older region questions",
        frozenset({"entry_id", "annotated_image_path", "options", "correct_answer"}),
        autogui_choices.older,
    ),
)  # fmt: skip


def read(path: Path, cache: Path | None) -> Reading:
    if not path.exists():
        raise DataError(_nothing_there(path), path)
    pictures = Pictures(path, cache)
    seen: Counter[str] = Counter()

    def convert(row: Row) -> Wanted | Asked:
        found = _set_of(row)
        seen[found.name] += 1
        return found.convert(row, pictures)

    def header(kind: str) -> Header:
        return _header(kind, sorted(seen))

    def counts(found: Sequence[Wanted | Asked]) -> list[Count]:
        return _counts(next(one for one in SETS if one.name in seen), found) if len(seen) == 1 else []

    return gather(pictures, read_rows(path, FILES), convert, header, counts)


def _set_of(row: Row) -> Set:
    columns = {name for name, value in row.values.items() if value is not None}
    for one in SETS:
        if one.columns <= columns:
            return one
    nearest = max(SETS, key=lambda one: len(one.columns & columns) / len(one.columns))
    lacks = ", ".join(sorted(nearest.columns - columns))
    raise row.error(
        f"expected the columns of an AutoGUI-v2 set, found none of them whole; {nearest.name} lacks {lacks}"
    )


def _nothing_there(path: Path) -> str:
    said = "expected a local file or folder, found nothing there; is the path right?"
    if "funcelemcap" in path.name.lower():
        return f"expected a local file or folder, found nothing there: {UNRELEASED}"
    if "autogui" in path.name.lower() and len(path.parts) == 2:
        return "expected a local file or folder, found nothing there; if it is a name on the hub, download it first"
    return said


def _header(kind: str, names: Sequence[str]) -> Header:
    return Header(
        format=1,
        kind="choice" if kind == "choice" else "screen",
        name=f"AutoGUI-v2 {' + '.join(names)}" if names else "AutoGUI-v2",
        licence="MIT",
        provenance="ZJULiHongxin/AutoGUI-v2",
        synthetic=False,
    )


def _counts(found: Set, items: Sequence[Wanted | Asked]) -> list[Count]:
    """Parts are looked at only where the whole is there."""
    if found.items is None:
        return []
    if found.items != len(items):
        return [Count("items", found.items, len(items))]
    return [
        Count(f"items with {tag} {value!r}", expected, sum(_value(one, tag) == value for one in items))
        for tag, values in found.parts.items()
        for value, expected in values.items()
    ]


def _value(item: Wanted | Asked, tag: str) -> object:
    return item.values.get("action") if tag == "action" else item.values["tags"].get(tag)
