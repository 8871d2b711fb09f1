"""What asyncio only logs is an error of the test in which it is logged: an exception that nobody took, a task that was
dropped while it waited."""

import logging
from collections.abc import Iterator

import pytest


class Unheard(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


_unheard = Unheard()


def pytest_configure() -> None:
    logging.getLogger("asyncio").addHandler(_unheard)


def pytest_unconfigure() -> None:
    """From now on it is printed, which scripts/run-tests.py finds."""
    logging.getLogger("asyncio").removeHandler(_unheard)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    yield
    found, _unheard.found = _unheard.found, []
    if found:
        pytest.fail("asyncio has logged:\n" + "\n".join(found), pytrace=False)
