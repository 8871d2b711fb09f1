"""Rows of Parquet and Arrow files, a few at a time: a table of screenshots need not fit into memory."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance.core.errors import DataError, UserError

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_PER_BATCH = 16
HUB_EXTRA_HINT = "pip install 'affordance[hub]'"


def read_arrow(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a file by its suffix, `.parquet` or `.arrow`."""
    try:
        import pyarrow as pa
    except ImportError:
        raise UserError(
            f"{path}: reading {path.suffix} files needs pyarrow; install it with: {HUB_EXTRA_HINT}"
        ) from None
    if not path.is_file():
        raise DataError("expected a file, found nothing there; is the dataset complete?", path)
    try:
        for batch in _parquet(path) if path.suffix == ".parquet" else _arrow(path):
            yield from batch.to_pylist()
    except (pa.ArrowException, UnicodeDecodeError) as error:
        first = (str(error).splitlines() or ["damaged"])[0]
        raise DataError(f"expected a {path.suffix[1:]} file, found another or a damaged one ({first})", path) from None


def _parquet(path: Path) -> "Iterator[pa.RecordBatch]":
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        yield from file.iter_batches(batch_size=ROWS_PER_BATCH)


def _arrow(path: Path) -> "Iterator[pa.RecordBatch]":
    """`datasets` writes streams; files with an index begin with a magic word."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as source:
        if source.read(6) == b"ARROW1":
            file = pa.ipc.open_file(source)
            batches: Iterator[pa.RecordBatch] = (file.get_batch(n) for n in range(file.num_record_batches))
        else:
            source.seek(0)
            batches = iter(pa.ipc.open_stream(source))
        for batch in batches:
            for start in range(0, batch.num_rows, ROWS_PER_BATCH):
                yield batch.slice(start, ROWS_PER_BATCH)
