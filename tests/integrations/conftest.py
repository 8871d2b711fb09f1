"""Inspect leaves streams of anyio unclosed, which is no fault of the tests that run it."""

import pytest

UNCLOSED = "ignore:Unclosed <MemoryObject:ResourceWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "inspect" in item.path.name or item.path.name == "test_import_log.py":
            item.add_marker(pytest.mark.filterwarnings(UNCLOSED))
