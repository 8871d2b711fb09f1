"""How tests check errors: by type, exit code and the data they carry (path, line, name, option, number), never by the
sentence around the data."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

E = TypeVar("E", bound=BaseException)

USER_ERROR = 2  # exit codes
INCOMPLETE = 3


@contextmanager
def raises(
    kind: type[E], *data: object, path: Path | None = None, line: int | None = None
) -> Iterator[pytest.ExceptionInfo[E]]:
    """`pytest.raises`. The error's message is one line with all of the data in it; `path` and `line`
    are those of a `DataError`."""
    with pytest.raises(kind) as caught:
        yield caught
    assert_carries(str(caught.value), *data)
    if path is not None:
        assert getattr(caught.value, "path", None) == path
    if line is not None:
        assert getattr(caught.value, "line", None) == line


def assert_carries(message: str, *data: object) -> None:
    """The message is one line that has all of the data in it."""
    assert message.strip()
    assert "\n" not in message.strip(), message
    missing = [one for one in data if str(one) not in message]
    assert not missing, f"{missing} not in {message!r}"


def assert_user_error(
    result: subprocess.CompletedProcess[str], *data: object, code: int = USER_ERROR, output: str = ""
) -> None:
    """A command has ended with this code, has printed nothing but `output`, and its last line on standard error has
    all of the data in it."""
    assert (result.returncode, result.stdout) == (code, output), result.stderr
    assert "Traceback" not in result.stderr
    assert_carries(result.stderr.strip().splitlines()[-1], *data)
