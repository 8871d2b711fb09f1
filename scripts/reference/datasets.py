"""Formats of datasets, and the fields of records."""

import inspect

from pydantic import BaseModel

from affordance.datasets.folder import ITEM_TYPES
from affordance.datasets.items import DatasetHeader
from affordance.datasets.published import PUBLISHED_DATASETS
from reference.fields import fields_table, parts_of
from reference.markdown import code, plain, table


def page() -> str:
    """All kinds, and each part once, after the first kind that has it."""
    said = [
        "# Datasets: formats and records",
        "A dataset in our own format is a folder with `dataset.json`, `items.jsonl` and files; the [guide]"
        "(../datasets.md) says how they belong together. Anything else is `FORMAT:PATH`:",
        table(
            ("format", "what is read"),
            [
                (code(f"{name}:PATH"), plain(f"{row.title}: {row.description}"))
                for name, row in PUBLISHED_DATASETS.items()
            ],
        ),
        'A box is `{"space": "pixel", "xyxy": [x1, y1, x2, y2]}`, where the space is `pixel`, `unit` or `mille`. '
        "Fields that are not listed here survive a round trip.",
        "## dataset.json",
        fields_table(DatasetHeader),
    ]
    seen: set[type[BaseModel]] = set()
    for kind, record in ITEM_TYPES.items():
        said += [f"## {kind}", *_told(record)]
        for part in parts_of(record):
            if part not in seen:
                seen.add(part)
                said += [f"### {part.__name__}", *_told(part)]
    return "\n\n".join(part for part in said if part)


def _told(record: type[BaseModel]) -> list[str]:
    return [plain(inspect.cleandoc(record.__doc__ or "")), fields_table(record)]
