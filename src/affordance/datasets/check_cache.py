"""Number of errors that a check finds, cached by the content checked: unchanged images are not decoded again."""

import json
from contextlib import suppress
from pathlib import Path

from affordance import __version__
from affordance.core.digest import digest
from affordance.core.files import atomic_write
from affordance.datasets.check import check_result
from affordance.datasets.dataset import Dataset, ReadResult, Severity

_CHECK_VERSION = 2  # increase it when a check finds other errors than before; releases differ by themselves


def count_errors(result: ReadResult, dataset: Dataset, cache: Path) -> int:
    """Number of errors that a check finds in a dataset, and in the result from which it was made."""
    issues = [[str(issue.severity), str(issue)] for issue in result.issues]
    key = digest("check", __version__, _CHECK_VERSION, dataset.digest(), issues)
    path = cache / "checks" / key[:2] / f"{key}.json"
    count = _read(path)
    if count is None:
        count = sum(issue.severity is Severity.ERROR for issue in check_result(result))
        with suppress(OSError):  # a cache must not make a call fail
            atomic_write(path, json.dumps({"errors": count}).encode())
    return count


def _read(path: Path) -> int | None:
    """The cached number; None where there is none or the file is damaged."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    errors = found.get("errors") if isinstance(found, dict) else None
    return errors if isinstance(errors, int) and not isinstance(errors, bool) and errors >= 0 else None
