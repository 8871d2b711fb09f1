"""The published columns as parquet, with the pictures in them: what AutoGUI-v2 has on the hub, a folder for each set.

`affordance run ... --data autogui-v2:FOLDER/SET` reads them, and so do programs that were written for the originals."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance.author.exchange.column_rows import (
    Row,
    element_choice_row,
    element_row,
    region_choice_row,
    region_row,
)
from affordance.author.exchange.files import empty_folder
from affordance.author.exchange.kept import Asked, questions, selected
from affordance.author.exchange.results import Exported, Facts
from affordance.author.exchange.tags import Classes, classes
from affordance.author.state import ScreenState
from affordance.core.errors import UserError
from affordance.datasets.published.tables import INSTALL

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 32  # rows, each with its picture, that are in memory
FILE = "data/test-00000-of-00001.parquet"

_TEXT, _WHOLE, _PICTURE = "string", "int32", "image"
_TEXTS, _WHOLES, _NUMBERS, _BOXES = "list<string>", "list<int32>", "list<float64>", "list<list<int32>>"

# The columns of each set, in their order. `id?` are numbers as published where all are, otherwise text.
_ABOUT = {"image_name": _TEXT, "dataset_name": _TEXT, "image_size": _WHOLES, "question": _TEXT}
_OPTIONS = {
    "num_options": _WHOLE, "option_labels": _TEXTS, "option_region_ids": _TEXTS, "option_region_types": _TEXTS,
    "option_area_classes": _TEXTS, "option_density_classes": _TEXTS,
}  # fmt: skip
_SETS: dict[str, dict[str, str]] = {
    "FuncElemGnd": {
        "image": _PICTURE, **_ABOUT, "action_intent": _TEXT, "action_type": _TEXT, "group_index": "id?",
        "visual_similarity": _TEXT, "id": "id?", "bbox": _NUMBERS, "description": _TEXT, "functionality": _TEXT,
        "interaction_outcomes": _TEXT, "similar_elements": _TEXT, "num_similar_elements": _WHOLE,
        "density_class": _TEXT,
    },
    "FuncElemCap": {
        "dataset_name": _TEXT, "image": _PICTURE, "image_name": _TEXT, "image_size": _WHOLES, "question": _TEXT,
        "statepred_candidates_string": _TEXT, "description_candidates_string": _TEXT, "interaction_type": _TEXT,
        "choices": _TEXT, "correct_answer": _TEXT, "explanation": _TEXT, "group_index": "id?",
        "visual_similarity": _TEXT, "target_element": _TEXT, "num_elements_in_group": _WHOLE, "density_class": _TEXT,
    },
    "FuncRegionGnd-v2": {
        "image": _PICTURE, **_ABOUT, "correct_answer": _TEXT, "correct_option_idx": _WHOLE, "correct_bbox": _WHOLES,
        "explanation": _TEXT, **_OPTIONS, "option_bboxes": _BOXES, "option_descriptions": _TEXTS,
        "option_functionalities": _TEXTS, "group_id": _TEXT, "group_description": _TEXT, "generation_mode": _TEXT,
    },
    "FuncRegionCap-v2": {
        "annotated_image": _PICTURE, "annotated_image_name": _TEXT, "dataset_name": _TEXT, "image_size": _WHOLES,
        "question": _TEXT, "correct_answer": _TEXT, "correct_option_idx": _WHOLE, "target_region_id": _TEXT,
        **_OPTIONS, "option_contexts": _TEXTS, "option_functionalities": _TEXTS, "option_sources": _TEXTS,
        "group_id": _TEXT, "generation_mode": _TEXT,
    },
}  # fmt: skip
_SETS["FuncRegionCap-v2-multi"] = {
    **{name: kind for name, kind in _SETS["FuncRegionCap-v2"].items() if not name.startswith("correct_")},
    "correct_answers": _TEXTS,
    "correct_option_indices": _WHOLES,
    "num_correct": _WHOLE,
}
_MAKERS: Mapping[str, Callable[[Asked, Classes, Facts], Row | str]] = {
    "FuncElemGnd": element_row,
    "FuncElemCap": element_choice_row,
    "FuncRegionGnd-v2": region_row,
    "FuncRegionCap-v2": region_choice_row,
    "FuncRegionCap-v2-multi": region_choice_row,
}


def write_columns(states: Iterable[ScreenState], folder: Path, facts: Facts) -> Exported:
    """Write the sets for which there are questions into a new or empty folder."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise UserError(f"writing parquet files needs pyarrow; install it with: {INSTALL}") from None
    told = Exported()
    kept = selected(states, told)
    asked = questions(kept, told)
    found = classes(asked)
    rows: dict[str, list[Row]] = {name: [] for name in _SETS}
    for one in asked:
        name = _set_of(one)
        row = _MAKERS[name](one, found, facts)
        if isinstance(row, str):
            told.omit(one.subject, f"{one.record.level} question that this format has no room for: {row}")
        else:
            rows[name].append(row)
    if not any(rows.values()):
        raise UserError(_nothing(told))
    empty_folder(folder)
    for name, some in rows.items():
        if some:
            path = folder / name / FILE
            path.parent.mkdir(parents=True)
            schema = _schema(name, some)
            with parquet.ParquetWriter(path, schema) as writer:
                for batch in _batches(some, schema):
                    writer.write_batch(batch)
            told.counts[name] = len(some)
    told.counts["screens"] = len({one.state.id for one in asked})
    return told


def _nothing(told: Exported) -> str:
    why = Counter(one.reason for one in told.left_out).most_common(1)
    return f"expected questions to export, found none that fit{f'; most often: {why[0][0]}' if why else ''}"


def _set_of(asked: Asked) -> str:
    several = sum(one.origin == "target" for one in asked.record.options) > 1
    match asked.record.form, asked.record.level:
        case "ground", "element":
            return "FuncElemGnd"
        case "ground", "region":
            return "FuncRegionGnd-v2"
        case "outcome", "element":
            return "FuncElemCap"
        case _:
            return "FuncRegionCap-v2-multi" if several else "FuncRegionCap-v2"


def _kinds(name: str, rows: Sequence[Row]) -> dict[str, str]:
    def kind(column: str, declared: str) -> str:
        if declared != "id?":
            return declared
        return _WHOLE if all(isinstance(row.values[column], int) for row in rows) else _TEXT

    return {column: kind(column, declared) for column, declared in _SETS[name].items()}


def _schema(name: str, rows: Sequence[Row]) -> "pa.Schema":
    """With what `datasets` wants to know of the columns."""
    import pyarrow as pa

    types = {
        _TEXT: pa.string(),
        _WHOLE: pa.int32(),
        _PICTURE: pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        _TEXTS: pa.list_(pa.string()),
        _WHOLES: pa.list_(pa.int32()),
        _NUMBERS: pa.list_(pa.float64()),
        _BOXES: pa.list_(pa.list_(pa.int32())),
    }
    kinds = _kinds(name, rows)
    features = {column: _feature(kind) for column, kind in kinds.items()}
    about = json.dumps({"info": {"features": features}})
    return pa.schema([(column, types[kind]) for column, kind in kinds.items()], metadata={"huggingface": about})


def _feature(kind: str) -> dict[str, Any]:
    if kind == _PICTURE:
        return {"_type": "Image"}
    if kind.startswith("list<"):
        return {"feature": _feature(kind[5:-1]), "_type": "Sequence"}
    return {"dtype": kind, "_type": "Value"}


def _batches(rows: Sequence[Row], schema: "pa.Schema") -> Iterator["pa.RecordBatch"]:
    import pyarrow as pa

    for start in range(0, len(rows), AT_ONCE):
        some = [
            {
                name: str(value) if schema.field(name).type == pa.string() and isinstance(value, int) else value
                for name, value in row.whole().items()
            }
            for row in rows[start : start + AT_ONCE]
        ]
        yield pa.RecordBatch.from_pylist(some, schema=schema)
