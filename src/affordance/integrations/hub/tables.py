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
from affordance.integrations.hub.durable import disk_errors

if TYPE_CHECKING:
    import pyarrow as pa


ColumnType = Literal["image", "string", "int64", "bool", "strings", "int64s"]


@dataclass(frozen=True, slots=True)
class HubColumn:
    """`of` gives the value of a record; for an image, the name of the file."""

    name: str
    type: ColumnType
    meaning: str
    value: Callable[[Any], Any]


def _field(name: str, kind: ColumnType, meaning: str) -> HubColumn:
    return HubColumn(name, kind, meaning, lambda record: getattr(record, name))


COLUMNS: dict[type[Item], tuple[HubColumn, ...]] = {
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
    DesignPair: (
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
    ChoiceItem: (
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


def columns_of(kind: type[Item]) -> tuple[HubColumn, ...]:
    return (ID, *COLUMNS[kind], RECORD)


def cell_value(column: HubColumn, item: Item, line: str, dataset: Dataset) -> Any:
    """As the table holds it: an image with its bytes."""
    if column is RECORD:
        return line
    found = column.value(item)
    if column.type != "image" or found is None:
        return found
    return {"bytes": dataset.media_path(found).read_bytes(), "path": found}


def image_files(columns: Sequence[HubColumn], item: Item, dataset: Dataset) -> list[Path]:
    named = [column.value(item) for column in columns if column.type == "image"]
    return [dataset.media_path(name) for name in named if name is not None]


TABLE_FOLDER, SPLIT = "data", "test"  # a benchmark is for testing
TABLE_PATTERN = f"{TABLE_FOLDER}/{SPLIT}-*-of-*.parquet"
MAX_FILE_BYTES = 300 * 10**6  # bytes of pictures in one file


def write_parquet(dataset: Dataset, out: Path, max_bytes: int = MAX_FILE_BYTES) -> list[Path]:
    """In the order of the items; a new file before one would become larger than that."""
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
    """As they are in the folder, whose items are sorted as those of the dataset are."""
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
    told = {"info": {"features": {one.name: _feature(one.type) for one in columns}}}
    return pa.schema([(one.name, types[one.type]) for one in columns], metadata={"huggingface": json.dumps(told)})


def _feature(kind: str) -> dict[str, Any]:
    """As the `datasets` library names a type."""
    if kind == "image":
        return {"_type": "Image"}
    if kind.endswith("s"):
        return {"feature": _feature(kind[:-1]), "_type": "Sequence"}
    return {"dtype": kind, "_type": "Value"}
