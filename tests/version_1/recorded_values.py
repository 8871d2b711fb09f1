"""Recorded values of version 1: how they are read, and how they are compared with what is found today."""

import csv
import io
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

VERSION_1 = Path(__file__).parents[1] / "data" / "version-1"

# What a row of a list is known by, where it has these fields; other lists are compared by position.
IDENTITIES = (
    ("run", "task", "form", "model", "strategy"),
    ("by", "value"),
    ("form", "n"),
    ("item", "asked", "better"),
    ("name",),
    ("base_url", "parameters", "dialect"),  # where requests went: no database promises an order
)


DROPPED = frozenset({"bootstrap"})  # keys of version 1 without a successor: the second interval of a paired difference


def expected(name: str) -> Any:
    return json.loads((VERSION_1 / "expected" / name).read_text("utf-8"))


def copy_runs(folder: Path) -> Path:
    return shutil.copytree(VERSION_1 / "runs", folder / "runs")


def assert_contains(wanted: Any, found: Any, where: str = "") -> None:
    """Every recorded value is found. Mappings may have more keys, and lists of rows with an identity more rows."""
    if isinstance(wanted, Mapping):
        assert isinstance(found, Mapping), f"{where}: {found!r} instead of a mapping"
        for key, value in wanted.items():
            if key in DROPPED:
                continue
            assert key in found, f"{where}: {key!r} is missing"
            assert_contains(value, found[key], f"{where}/{key}")
    elif isinstance(wanted, list):
        assert isinstance(found, list), f"{where}: {found!r} instead of a list"
        _assert_contains_rows(wanted, found, where)
    elif isinstance(wanted, float):
        assert isinstance(found, int | float), f"{where}: {found!r} instead of {wanted!r}"
        assert math.isclose(wanted, found, rel_tol=1e-9, abs_tol=1e-9), f"{where}: {found!r} instead of {wanted!r}"
    else:
        assert found == wanted, f"{where}: {found!r} instead of {wanted!r}"


def _assert_contains_rows(wanted: list[Any], found: Sequence[Any], where: str) -> None:
    keys = next((keys for keys in IDENTITIES if _have(wanted, keys) and _have(found, keys)), None)
    if keys is None:
        assert len(found) == len(wanted), f"{where}: {len(found)} entries instead of {len(wanted)}"
        for place, (one, other) in enumerate(zip(wanted, found, strict=True)):
            assert_contains(one, other, f"{where}[{place}]")
        return
    by_identity = {_identity(row, keys): row for row in found}
    for row in wanted:
        identity = _identity(row, keys)
        assert identity in by_identity, f"{where}: no row {identity}"
        assert_contains(row, by_identity[identity], f"{where}{identity}")


def _identity(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return json.dumps([row[key] for key in keys], sort_keys=True)


def _have(rows: Sequence[Any], keys: tuple[str, ...]) -> bool:
    """Whether these fields tell all rows apart."""
    if not rows or not all(isinstance(row, Mapping) and all(key in row for key in keys) for row in rows):
        return False
    return len({_identity(row, keys) for row in rows}) == len(rows)


def csv_numbers(text: str) -> dict[tuple[str, ...], dict[str, float | str]]:
    """The lines of an export by what they are about; numbers as numbers."""
    about = ("run", "task", "model", "strategy", "form", "by", "group", "metric")
    lines = list(csv.DictReader(io.StringIO(text)))
    return {
        tuple(line[key] for key in about): {key: _number(value) for key, value in line.items() if key not in about}
        for line in lines
    }


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
