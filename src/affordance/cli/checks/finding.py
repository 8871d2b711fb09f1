"""What a check found."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.errors import UserError


class CheckState(StrEnum):
    OK = "ok"
    MISSING = "missing"  # something that is optional, and not there
    WRONG = "wrong"  # something that is needed, or was asked for, and does not work


@dataclass(frozen=True, slots=True)
class CheckResult:
    name: str
    state: CheckState
    text: str
    remedy: str = ""  # how to get what is missing, or mend what is wrong


Check = Callable[[], Iterable[CheckResult]]


def run_check(check: Check, name: str) -> Iterator[CheckResult]:
    """What a check yields; where it fails in a way that nobody thought of, that is a finding, too."""
    try:
        yield from check()
    except UserError as error:
        yield CheckResult(name, CheckState.WRONG, str(error))
    except Exception as error:  # noqa: BLE001  # the other checks are to be made all the same
        yield CheckResult(name, CheckState.WRONG, f"cannot be checked: {type(error).__name__}: {error}")


def format_size(number: float) -> str:
    """Bytes as people read them."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"
