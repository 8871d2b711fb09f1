"""The columns of the tables that are published: what of a record is of use to somebody who has never heard of us."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from affordance.datasets import ActionOutcome, ChoiceQuestion, Clip, Dataset, Pair, Record, Screen

Type = Literal["image", "string", "int64", "bool", "strings", "int64s"]


@dataclass(frozen=True, slots=True)
class HubColumn:
    """`of` gives the value of a record; for an image, the name of the file."""

    name: str
    type: Type
    meaning: str
    value: Callable[[Any], Any]


def _field(name: str, kind: Type, meaning: str) -> HubColumn:
    return HubColumn(name, kind, meaning, lambda record: getattr(record, name))


COLUMNS: dict[type[Record], tuple[HubColumn, ...]] = {
    Clip: (
        _field("video", "string", "the video, a file beside the tables"),
        _field("platform", "string", "mobile, web, desktop"),
        _field("context", "string", "the situation that the animation happens in"),
        _field("effect", "string", "the primitive effect that it is, where it is one"),
        _field("purpose", "string", "what it is for"),
        _field("start_frame", "int64", "where the animation begins"),
        _field("end_frame", "int64", "and where it ends"),
        _field("effect_responses", "strings", "what people say happens"),
        _field("meaning_responses", "strings", "what people say it means"),
    ),
    Pair: (
        HubColumn("first", "image", "one design", lambda pair: pair.images[0]),
        HubColumn("second", "image", "the other design of the same page", lambda pair: pair.images[1]),
        _field("winner", "int64", "0 for the first, 1 for the second, nothing where nobody knows"),
        _field("evidence", "string", "why that is the winner: tested, voted or constructed"),
        _field("goal", "string", "what the page is to achieve"),
        _field("page_type", "string", "what kind of page it is"),
        _field("industry", "string", "whose page it is"),
        _field("device", "string", "web or mobile"),
        HubColumn("rationales", "strings", "why it won", lambda pair: [one.reason for one in pair.rationales]),
    ),
    Screen: (
        _field("image", "image", "the screenshot"),
        _field("width", "int64", "of the screenshot, in pixels"),
        _field("height", "int64", "of the screenshot, in pixels"),
        _field("platform", "string", "mobile, web, desktop"),
    ),
    ActionOutcome: (
        _field("image", "image", "the screen before the action"),
        _field("action", "string", "what was done"),
        _field("sentence", "string", "what happened"),
        _field("after", "image", "what looks different afterwards, cut out"),
    ),
    ChoiceQuestion: (
        _field("image", "image", "the picture that is asked about"),
        _field("level", "string", "element or region"),
        _field("action", "string", "what is done to it"),
        _field("multiple", "bool", "whether all right answers are asked for"),
        _field("question", "string", "what is asked"),
        HubColumn("options", "strings", "the possible answers", lambda asked: [one.text for one in asked.options]),
        _field("answers", "int64s", "the right ones, counted from 0"),
    ),
}
ID = _field("id", "string", "the name of the item")
RECORD = HubColumn("record", "string", "all that is known of it, as JSON", lambda record: record)


def columns_of(kind: type[Record]) -> tuple[HubColumn, ...]:
    return (ID, *COLUMNS[kind], RECORD)


def cell_value(column: HubColumn, item: Record, line: str, dataset: Dataset) -> Any:
    """As the table holds it: an image with its bytes."""
    if column is RECORD:
        return line
    found = column.value(item)
    if column.type != "image" or found is None:
        return found
    return {"bytes": dataset.file(found).read_bytes(), "path": found}


def image_files(columns: Sequence[HubColumn], item: Record, dataset: Dataset) -> list[Path]:
    named = [column.value(item) for column in columns if column.type == "image"]
    return [dataset.file(name) for name in named if name is not None]
