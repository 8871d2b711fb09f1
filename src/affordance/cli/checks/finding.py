"""What a check found."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.errors import UserError


class State(StrEnum):
    OK = "ok"
    MISSING = "missing"  # something that is optional, and not there
    WRONG = "wrong"  # something that is needed, or was asked for, and does not work


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    state: State
    text: str
    remedy: str = ""  # how to get what is missing, or mend what is wrong


Check = Callable[[], Iterable[Finding]]


def found_by(check: Check, name: str) -> Iterator[Finding]:
    """What a check yields; where it fails in a way that nobody thought of, that is a finding, too."""
    try:
        yield from check()
    except UserError as error:
        yield Finding(name, State.WRONG, str(error))
    except Exception as error:  # noqa: BLE001  # the other checks are to be made all the same
        yield Finding(name, State.WRONG, f"cannot be checked: {type(error).__name__}: {error}")


def size(number: float) -> str:
    """Bytes as people read them."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"
