"""The parsers on the labelled responses of tests/data/responses: false voids and false readings stay below limits."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType


def _benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "parsers.py"
    spec = importlib.util.spec_from_file_location("parsers", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PARSERS = _benchmark()
ROWS = list(PARSERS.corpus_rows())
MOST_FALSE_VOIDS = 0.003  # of well-formed rows
MOST_FALSE_READINGS = 0


def test_the_corpus_is_large_and_mostly_blind() -> None:
    kinds = Counter(row.kind for row in ROWS)
    assert kinds["well-formed"] >= 600
    assert kinds["malformed"] >= 300
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert sum(row.origin == "blind" for row in ROWS) >= len(ROWS) / 2
    assert len({row.family for row in ROWS}) == 20
    assert len({row.format for row in ROWS}) == 6


def test_labels_fit_their_kind() -> None:
    for row in ROWS:
        assert ("status" in row.expected) is (row.kind == "malformed"), row.id


def test_rates_stay_below_the_limits() -> None:
    wrong = {row.id: found for row in ROWS if (found := PARSERS.mistake(row))}
    voids = [name for name, (kind, _) in wrong.items() if kind == PARSERS.VOID]
    readings = [name for name, (kind, _) in wrong.items() if kind == PARSERS.READING]
    well_formed = sum(row.kind == "well-formed" for row in ROWS)
    assert len(readings) <= MOST_FALSE_READINGS, readings
    assert len(voids) <= MOST_FALSE_VOIDS * well_formed, voids
