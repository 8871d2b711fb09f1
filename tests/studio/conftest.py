"""A studio of the project that a module makes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio_world import Server, serving


@pytest.fixture(scope="module")
def server(project: Path) -> Iterator[Server]:
    """Of the project that a module makes, for Ana."""
    with serving(project, "--as", "Ana") as running:
        yield running
