"""Results as JSON on standard output."""

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from affordance.core.errors import UserError


def print_json(value: object) -> None:
    """Dataclasses as objects. Not by `asdict`, which cannot copy a Counter."""
    print(json.dumps(value, indent=2, ensure_ascii=False, default=_plain))


def dataclass_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by name."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _plain(value: object) -> object:
    if is_dataclass(value):
        return dataclass_fields(value)
    if isinstance(value, (Path, UserError)):
        return str(value)
    if isinstance(value, (set, frozenset, tuple)):
        return sorted(value)
    raise TypeError(f"cannot be written as JSON: {type(value).__name__}")
