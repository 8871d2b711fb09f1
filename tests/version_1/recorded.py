"""Comparing what comes out today with what was recorded."""

import math
from collections.abc import Mapping
from typing import Any


def assert_contains(expected: Any, found: Any, where: str = "") -> None:
    """Fails unless `found` has every value of `expected`. Objects may have more fields, lists not more elements."""
    at = where or "the value"
    if isinstance(expected, Mapping):
        assert isinstance(found, Mapping), f"{at}: expected an object, found {found!r}"
        missing = sorted(set(expected) - set(found))
        assert not missing, f"{at}: {missing} missing"
        for key, value in expected.items():
            assert_contains(value, found[key], f"{where}/{key}")
    elif isinstance(expected, list):
        assert isinstance(found, list), f"{at}: expected a list, found {found!r}"
        assert len(found) == len(expected), f"{at}: expected {len(expected)} elements, found {len(found)}: {found!r}"
        for number, (one, other) in enumerate(zip(expected, found, strict=True)):
            assert_contains(one, other, f"{where}/{number}")
    elif isinstance(expected, float) and isinstance(found, int | float) and not isinstance(found, bool):
        assert math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-12), f"{at}: expected {expected}, found {found}"
    else:
        assert type(found) is type(expected), f"{at}: expected {expected!r}, found {found!r}"
        assert found == expected, f"{at}: expected {expected!r}, found {found!r}"
