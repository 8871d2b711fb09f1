"""Items as parquet tables with the images inside, as the `datasets` library and the hub's viewer read them."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from affordance.core.errors import UserError
from affordance.datasets import ActionOutcome, ChoiceItem, Clip, Dataset, DesignPair, Item, Screen
from affordance.datasets.folder import ITEM_TYPES, ITEMS_FILE
from affordance.datasets.published.arrow_tables import HUB_EXTRA_HINT, ROWS_PER_BATCH
from affordance.integrations.hub.manifest import disk_errors

if TYPE_CHECKING:
    import pyarrow as pa


ColumnType = Literal["image", "string", "int64", "bool", "strings", "int64s"]


@dataclass(frozen=True, slots=True)
class HubColumn:
    """A column. `value` returns the value of an item; for an image, the path of its file."""

    name: str
    type: ColumnType
    meaning: str
    value: Callable[[Any], Any]


def _field(name: str, kind: ColumnType, meaning: str) -> HubColumn:
    return HubColumn(name, kind, meaning, lambda item: getattr(item, name))


COLUMNS: dict[type[Item], tuple[HubColumn, ...]] = {
    Clip: (
        _field("video", "string", "the video, a file next to the tables"),
        _field("platform", "string", "mobile, web, desktop"),
        _field("context", "string", "the situation of the animation"),
        _field("effect", "string", "the primitive effect, if it is one"),
        _field("purpose", "string", "the purpose of the animation"),
        _field("start_frame", "int64", "the first frame of the animation"),
        _field("end_frame", "int64", "the last frame of the animation"),
        _field("effect_responses", "strings", "descriptions of the effect by people"),
        _field("meaning_responses", "strings", "descriptions of the meaning by people"),
    ),
    DesignPair: (
        HubColumn("first", "image", "one design", lambda pair: pair.images[0]),
        HubColumn("second", "image", "the other design of the same page", lambda pair: pair.images[1]),
        _field("winner", "int64", "0 for the first, 1 for the second, empty if unknown"),
        _field("evidence", "string", "evidence for the winner: tested, voted or constructed"),
        _field("goal", "string", "the goal of the page"),
        _field("page_type", "string", "the type of the page"),
        _field("industry", "string", "the industry of the page"),
        _field("device", "string", "web or mobile"),
        HubColumn("rationales", "strings", "reasons why it won", lambda pair: [one.reason for one in pair.rationales]),
    ),
    Screen: (
        _field("image", "image", "the screenshot"),
        _field("width", "int64", "width in pixels"),
        _field("height", "int64", "height in pixels"),
        _field("platform", "string", "mobile, web, desktop"),
    ),
    ActionOutcome: (
        _field("image", "image", "the screen before the action"),
        _field("action", "string", "the action"),
        _field("sentence", "string", "the outcome"),
        _field("after", "image", "the part of the screen that changed, after the action"),
    ),
    ChoiceItem: (
        _field("image", "image", "the image"),
        _field("level", "string", "element or region"),
        _field("action", "string", "the action on the target"),
        _field("multiple", "bool", "whether all correct answers are to be selected"),
        _field("question", "string", "the question"),
        HubColumn("options", "strings", "the options", lambda item: [one.text for one in item.options]),
        _field("answers", "int64s", "indices of the correct options, from 0"),
    ),
}
ID = _field("id", "string", "the id of the item")
RECORD = HubColumn("record", "string", "the item as JSON", lambda item: item)


def columns_of(kind: type[Item]) -> tuple[HubColumn, ...]:
    """The columns of a kind of items: its id, what is useful on its own, and the whole item."""
    return (ID, *COLUMNS[kind], RECORD)


def cell_value(column: HubColumn, item: Item, line: str, dataset: Dataset) -> Any:
    """A cell of the table; an image is its path and bytes."""
    if column is RECORD:
        return line
    found = column.value(item)
    if column.type != "image" or found is None:
        return found
    return {"bytes": dataset.media_path(found).read_bytes(), "path": found}


def image_files(columns: Sequence[HubColumn], item: Item, dataset: Dataset) -> list[Path]:
    """The files of the image columns of an item."""
    named = [column.value(item) for column in columns if column.type == "image"]
    return [dataset.media_path(name) for name in named if name is not None]


TABLE_FOLDER, SPLIT = "data", "test"  # a benchmark is for testing
TABLE_PATTERN = f"{TABLE_FOLDER}/{SPLIT}-*-of-*.parquet"
MAX_FILE_BYTES = 300 * 10**6  # of images in one file


def write_parquet(dataset: Dataset, out: Path, max_bytes: int = MAX_FILE_BYTES) -> list[Path]:
    """Write the items of a dataset as parquet files with at most `max_bytes` of images each; the files."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise UserError(f"writing parquet needs pyarrow; install it with: {HUB_EXTRA_HINT}") from None
    columns = columns_of(ITEM_TYPES[dataset.header.kind])
    schema = _schema(columns)
    lines = dict(zip((item.id for item in dataset.items), _lines(dataset), strict=True))
    shards = list(_split_by_size(dataset, columns, max_bytes))
    written = []
    for number, items in enumerate(shards):
        file = out / TABLE_FOLDER / f"{SPLIT}-{number:05}-of-{len(shards):05}.parquet"
        with disk_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with pq.ParquetWriter(file, schema) as writer:
                for start in range(0, len(items), ROWS_PER_BATCH):
                    some = items[start : start + ROWS_PER_BATCH]
                    rows = [
                        {one.name: cell_value(one, item, lines[item.id], dataset) for one in columns} for item in some
                    ]
                    writer.write_batch(_batch(rows, schema))
        written.append(file)
    return written


def _lines(dataset: Dataset) -> Iterator[str]:
    """The lines of the dataset's file of items, which are in the order of its items."""
    with (dataset.root / ITEMS_FILE).open(encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file)


def _split_by_size(dataset: Dataset, columns: Sequence[HubColumn], max_bytes: int) -> Iterator[list[Item]]:
    some: list[Item] = []
    size = 0
    for item in dataset.items:
        more = sum(file.stat().st_size for file in image_files(columns, item, dataset))
        if some and size + more > max_bytes:
            yield some
            some, size = [], 0
        some.append(item)
        size += more
    yield some


def _batch(rows: list[dict[str, Any]], schema: "pa.Schema") -> "pa.RecordBatch":
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(rows, schema=schema)


def _schema(columns: Sequence[HubColumn]) -> "pa.Schema":
    import pyarrow as pa

    types = {
        "image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        "string": pa.string(),
        "int64": pa.int64(),
        "bool": pa.bool_(),
        "strings": pa.list_(pa.string()),
        "int64s": pa.list_(pa.int64()),
    }
    features = {"info": {"features": {one.name: _feature(one.type) for one in columns}}}
    return pa.schema([(one.name, types[one.type]) for one in columns], metadata={"huggingface": json.dumps(features)})


def _feature(kind: str) -> dict[str, Any]:
    """A column type as the `datasets` library names it."""
    if kind == "image":
        return {"_type": "Image"}
    if kind.endswith("s"):
        return {"feature": _feature(kind[:-1]), "_type": "Sequence"}
    return {"dtype": kind, "_type": "Value"}
