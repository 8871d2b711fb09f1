"""Rows as files: JSON lines beside a folder of pictures, or parquet with the pictures in it. Pictures are as models are
sent them: upright, on white, as PNG. Their names are their content's, and tell no winner."""

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance import media
from affordance.core.errors import UserError
from affordance.core.picture import ImageSpec
from affordance.datasets.published.tables import HUB_EXTRA_HINT
from affordance.integrations.preferences.rows import PreferenceRow

if TYPE_CHECKING:
    import pyarrow as pa

IMAGES = "images"  # the column, and the folder
ROWS_PER_BATCH = 32  # rows, each with its pictures, that are in memory

# What `datasets` is told of the columns: values by their type, messages as lists of parts.
_VALUE = {name: {"dtype": name, "_type": "Value"} for name in ("string", "bool", "int64", "float64")}
_TEXT, _PICTURE = _VALUE["string"], {"_type": "Image"}
_MESSAGES = [{"role": _TEXT, "content": [{"type": _TEXT, "text": _TEXT}]}]
_FEATURES: dict[str, Any] = {
    "prompt": _MESSAGES,
    "chosen": _MESSAGES,
    "rejected": _MESSAGES,
    IMAGES: {"feature": _PICTURE, "_type": "Sequence"},
    "item": _TEXT,
    "dataset": _TEXT,
    "digest": _TEXT,
    "synthetic": _VALUE["bool"],
    "signal": _TEXT,
    "votes": _VALUE["int64"],
    "agreement": _VALUE["float64"],
    "order": _TEXT,
}


def write_jsonl(path: Path, rows: Iterable[PreferenceRow]) -> None:
    """`images` are paths from the folder above that of the file."""
    folder = path.parent.parent
    (folder / IMAGES).mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            for picture in row.images:
                if not (name := folder / _name(picture)).exists():
                    name.write_bytes(*media.render([picture], row.files))
            file.write(json.dumps(row.columns([_name(one) for one in row.images]), ensure_ascii=False) + "\n")


def write_parquet(path: Path, rows: Iterable[PreferenceRow]) -> None:
    """As `datasets` reads it, with the pictures in the rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as parquet
    except ImportError:
        raise UserError(f"writing parquet files needs pyarrow; install it with: {HUB_EXTRA_HINT}") from None
    schema = pa.schema(
        [(name, _type(feature)) for name, feature in _FEATURES.items()],
        metadata={"huggingface": json.dumps({"info": {"features": _FEATURES}})},
    )
    waiting = iter(rows)
    with parquet.ParquetWriter(path, schema) as writer:
        while some := [row.columns(_embedded(row)) for row in islice(waiting, ROWS_PER_BATCH)]:
            writer.write_batch(pa.RecordBatch.from_pylist(some, schema=schema))


WRITERS = {"jsonl": write_jsonl, "parquet": write_parquet}


def _name(spec: ImageSpec) -> str:
    return f"{IMAGES}/{spec.source}.png"


def _embedded(row: PreferenceRow) -> list[dict[str, Any]]:
    found = media.render(row.images, row.files)
    names = [Path(_name(one)).name for one in row.images]
    return [{"bytes": data, "path": name} for data, name in zip(found, names, strict=True)]


def _type(feature: Any) -> "pa.DataType":
    import pyarrow as pa

    if isinstance(feature, list):
        return pa.list_(_type(feature[0]))
    match feature.get("_type"):
        case "Image":
            return pa.struct([("bytes", pa.binary()), ("path", pa.string())])
        case "Sequence":
            return pa.list_(_type(feature["feature"]))
        case "Value":
            return pa.type_for_alias(feature["dtype"])
    return pa.struct([(name, _type(part)) for name, part in feature.items()])
