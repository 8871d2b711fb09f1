"""The published columns as parquet, with the pictures in them: what AutoGUI-v2 has on the hub, a folder for each set.

`affordance run ... --data autogui-v2:FOLDER/SET` reads them, and so do programs that were written for the originals."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance.author.exchange.column_rows import (
    Row,
    about_screen,
    element_choice_row,
    element_row,
    region_choice_row,
    region_row,
)
from affordance.author.exchange.files import empty_folder
from affordance.author.exchange.kept import Asked, questions
from affordance.author.exchange.results import Exported, Facts, States
from affordance.author.exchange.tags import Classes, survey
from affordance.core.errors import MediaError, UserError
from affordance.datasets.published.arrow_tables import HUB_EXTRA_HINT

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as parquet

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
_MAKERS: Mapping[str, Callable[[Asked, Classes, Mapping[str, Any]], Row | str]] = {
    "FuncElemGnd": element_row,
    "FuncElemCap": element_choice_row,
    "FuncRegionGnd-v2": region_row,
    "FuncRegionCap-v2": region_choice_row,
    "FuncRegionCap-v2-multi": region_choice_row,
}


def write_columns(states: States, folder: Path, facts: Facts) -> Exported:
    """Write the sets for which there are questions into a new or empty folder."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise UserError(f"writing parquet files needs pyarrow; install it with: {HUB_EXTRA_HINT}") from None
    told = Exported()
    fits = _Fits()
    kept, found = survey(states, told, fits.look)
    if not fits.numbered:
        raise UserError(_nothing(told, fits))
    empty_folder(folder)
    with ExitStack() as stack:
        tables: dict[str, _Table] = {}
        for name in [one for one in _SETS if one in fits.numbered]:
            path = folder / name / FILE
            path.parent.mkdir(parents=True)
            schema = _schema(name, fits.numbered[name])
            tables[name] = _Table(name, stack.enter_context(parquet.ParquetWriter(path, schema)), schema, told)
        for state in kept:
            about = about_screen(state, facts)
            asked = [(one, _MAKERS[_set_of(one)](one, found, about)) for one in questions(state, Exported())]
            for one, row in asked:
                if isinstance(row, str):
                    told.omit(one.subject, f"{one.record.level} question that this format has no room for: {row}")
                elif (table := tables.get(_set_of(one))) is None:
                    told.omit(one.subject, f"{one.record.level} question that was made during the export")
                else:
                    table.add(row)
            told.counts["screens"] += bool(asked)
        for table in tables.values():
            table.flush()
    return told


@dataclass(slots=True)
class _Fits:
    """What the first look at all questions is for: which sets there are, and which of their columns are numbers."""

    numbered: dict[str, dict[str, bool]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)

    def look(self, asked: Asked) -> None:
        name = _set_of(asked)
        row = _MAKERS[name](asked, Classes({}), {"image_name": ""})
        if isinstance(row, str):
            self.reasons[row] += 1
            return
        whole = self.numbered.setdefault(name, {})
        for column, kind in _SETS[name].items():
            if kind == "id?":
                whole[column] = whole.get(column, True) and isinstance(row.values[column], int)


@dataclass(slots=True)
class _Table:
    """A set as it is written. Only some rows, and their pictures, are in memory."""

    name: str
    writer: "parquet.ParquetWriter"
    schema: "pa.Schema"
    told: Exported
    rows: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        if len(self.rows) == AT_ONCE:
            self.flush()

    def flush(self) -> None:
        import pyarrow as pa

        found = []
        for row in self.rows:
            try:
                found.append({name: self._value(name, value) for name, value in row.whole().items()})
            except (MediaError, OSError) as error:
                self.told.omit(row.asked.subject, f"question whose picture cannot be read: {error}")
        if found:
            self.writer.write_batch(pa.RecordBatch.from_pylist(found, schema=self.schema))
        self.told.counts[self.name] += len(found)
        self.rows.clear()

    def _value(self, name: str, value: object) -> object:
        import pyarrow as pa

        return str(value) if self.schema.field(name).type == pa.string() and isinstance(value, int) else value


def _nothing(told: Exported, fits: _Fits) -> str:
    why = (fits.reasons + Counter(one.reason for one in told.left_out)).most_common(1)
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


def _schema(name: str, numbered: Mapping[str, bool]) -> "pa.Schema":
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
    kinds = {
        column: kind if kind != "id?" else _WHOLE if numbered[column] else _TEXT for column, kind in _SETS[name].items()
    }
    features = {column: _feature(kind) for column, kind in kinds.items()}
    about = json.dumps({"info": {"features": features}})
    return pa.schema([(column, types[kind]) for column, kind in kinds.items()], metadata={"huggingface": about})


def _feature(kind: str) -> dict[str, Any]:
    if kind == _PICTURE:
        return {"_type": "Image"}
    if kind.startswith("list<"):
        return {"feature": _feature(kind[5:-1]), "_type": "Sequence"}
    return {"dtype": kind, "_type": "Value"}
