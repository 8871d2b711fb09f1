"""How many errors checks of datasets found, by the content that was checked: unchanged images are not decoded again."""

import json
from contextlib import suppress
from pathlib import Path

from affordance import __version__
from affordance.core.digest import digest
from affordance.core.files import atomic_write
from affordance.datasets.check import check_reading
from affordance.datasets.dataset import Dataset, ReadResult, Severity

# Raise it when a check finds other errors than before; each release of affordance checks for itself anyway.
_RULES = 1


def count_errors(reading: ReadResult, dataset: Dataset, cache: Path) -> int:
    """How many errors a check finds in a dataset; `reading` is what it was made from."""
    stated = [[finding.level, finding.message] for finding in reading.findings]
    key = digest("check", __version__, _RULES, dataset.digest(), stated)
    path = cache / "checks" / key[:2] / f"{key}.json"
    known = _read(path)
    if known is None:
        known = sum(finding.level is Severity.ERROR for finding in check_reading(reading))
        with suppress(OSError):  # a cache is never a reason to fail
            atomic_write(path, json.dumps({"errors": known}).encode())
    return known


def _read(path: Path) -> int | None:
    """None where nothing is known, or the file is damaged."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    errors = found.get("errors") if isinstance(found, dict) else None
    return errors if isinstance(errors, int) and not isinstance(errors, bool) and errors >= 0 else None
