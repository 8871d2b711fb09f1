"""What asyncio only logs is an error of the test in which it is logged: an exception that nobody took, a task that was
dropped while it waited."""

import logging
import sys
from collections.abc import Iterator

import pytest


class Unheard(logging.Handler):
    """Collects what is logged while tests run. Later it is printed, which scripts/run-tests.py finds."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        self.is_printing = False

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        if "/playwright/" in text:
            return  # it drops its tasks of requests that a test left unanswered
        if self.is_printing:
            print(text, file=sys.stderr)
        else:
            self.found.append(text)


_unheard = Unheard()


def pytest_configure() -> None:
    logging.getLogger("asyncio").addHandler(_unheard)


def pytest_unconfigure() -> None:
    _unheard.is_printing = True
    for text in _unheard.found:
        print(text, file=sys.stderr)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    yield
    found, _unheard.found = _unheard.found, []
    if found:
        pytest.fail("asyncio has logged:\n" + "\n".join(found), pytrace=False)
