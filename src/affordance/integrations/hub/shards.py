"""Items as parquet files with the pictures inside, as the `datasets` library and the hub's viewer read them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance.core.errors import UserError
from affordance.datasets import Dataset, Record
from affordance.datasets.folder import ITEMS_FILE
from affordance.datasets.published.tables import HUB_EXTRA_HINT, ROWS_PER_BATCH
from affordance.datasets.records import ITEM_TYPES
from affordance.integrations.hub.columns import HubColumn, cell_value, columns_of, image_files
from affordance.integrations.hub.durable import disk_errors

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER, SPLIT = "data", "test"  # a benchmark is for testing
PATTERN = f"{FOLDER}/{SPLIT}-*-of-*.parquet"
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
        file = out / FOLDER / f"{SPLIT}-{number:05}-of-{len(shards):05}.parquet"
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


def _split_by_size(dataset: Dataset, columns: Sequence[HubColumn], max_bytes: int) -> Iterator[list[Record]]:
    some: list[Record] = []
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
