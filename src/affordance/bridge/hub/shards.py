"""Items as parquet files with the pictures inside, as the `datasets` library and the hub's viewer read them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance.bridge.hub.columns import Column, columns_of, images_of, value_of
from affordance.bridge.hub.durable import telling
from affordance.core.errors import UserError
from affordance.datasets import Dataset, Record
from affordance.datasets.folder import ITEMS
from affordance.datasets.published.tables import INSTALL, ROWS_AT_ONCE
from affordance.datasets.records import KINDS

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER, SPLIT = "data", "test"  # a benchmark is for testing
PATTERN = f"{FOLDER}/{SPLIT}-*-of-*.parquet"
LARGEST = 300 * 10**6  # bytes of pictures in one file


def write_shards(dataset: Dataset, out: Path, largest: int = LARGEST) -> list[Path]:
    """In the order of the items; a new file before one would become larger than that."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise UserError(f"writing parquet needs pyarrow; install it with: {INSTALL}") from None
    columns = columns_of(KINDS[dataset.header.kind])
    schema = _schema(columns)
    lines = dict(zip((item.id for item in dataset.items), _lines(dataset), strict=True))
    shards = list(_divided(dataset, columns, largest))
    written = []
    for number, items in enumerate(shards):
        file = out / FOLDER / f"{SPLIT}-{number:05}-of-{len(shards):05}.parquet"
        with telling(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with pq.ParquetWriter(file, schema) as writer:
                for start in range(0, len(items), ROWS_AT_ONCE):
                    some = items[start : start + ROWS_AT_ONCE]
                    rows = [
                        {one.name: value_of(one, item, lines[item.id], dataset) for one in columns} for item in some
                    ]
                    writer.write_batch(_batch(rows, schema))
        written.append(file)
    return written


def _lines(dataset: Dataset) -> Iterator[str]:
    """As they are in the folder, whose items are sorted as those of the dataset are."""
    with (dataset.root / ITEMS).open(encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file)


def _divided(dataset: Dataset, columns: Sequence[Column], largest: int) -> Iterator[list[Record]]:
    some: list[Record] = []
    size = 0
    for item in dataset.items:
        more = sum(file.stat().st_size for file in images_of(columns, item, dataset))
        if some and size + more > largest:
            yield some
            some, size = [], 0
        some.append(item)
        size += more
    yield some


def _batch(rows: list[dict[str, Any]], schema: "pa.Schema") -> "pa.RecordBatch":
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(rows, schema=schema)


def _schema(columns: Sequence[Column]) -> "pa.Schema":
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
