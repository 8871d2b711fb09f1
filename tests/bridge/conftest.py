"""Inspect leaves streams of anyio unclosed: they are collected here, so that no other test is blamed for them."""

import gc
import warnings
from collections.abc import Iterator

import pytest

UNCLOSED = r"ignore:Unclosed <MemoryObject:ResourceWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "inspect" in item.path.name or item.path.name == "test_import_log.py":
            item.add_marker(pytest.mark.filterwarnings(UNCLOSED))


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    yield
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Unclosed <MemoryObject", ResourceWarning)
        gc.collect()
