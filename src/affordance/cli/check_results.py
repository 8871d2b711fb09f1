"""Results of the checks of `affordance doctor`, and how they are printed."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.errors import UserError

WIDTH = 100
STATE_WIDTH = 9  # columns
NAME_WIDTH = 18


class CheckState(StrEnum):
    OK = "ok"
    MISSING = "missing"  # something optional that is not installed
    WRONG = "wrong"  # something required, or asked for, that does not work


STYLES = {CheckState.OK: "green", CheckState.MISSING: "yellow", CheckState.WRONG: "bold red"}


@dataclass(frozen=True, slots=True)
class CheckResult:
    name: str
    state: CheckState
    text: str
    remedy: str = ""  # how to install or correct it


Check = Callable[[], Iterable[CheckResult]]


def run_check(check: Check, name: str) -> Iterator[CheckResult]:
    """The results of a check; an unexpected error is a result, too."""
    try:
        yield from check()
    except UserError as error:
        yield CheckResult(name, CheckState.WRONG, str(error))
    except Exception as error:  # noqa: BLE001  # the other checks run all the same
        yield CheckResult(name, CheckState.WRONG, f"cannot be checked: {type(error).__name__}: {error}")


def print_results(topic: str, found: Sequence[CheckResult]) -> None:
    """Under the topic one line per result, its state in words and in colour."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    width = min(WIDTH, console.width) if console.is_terminal else WIDTH
    console.print(Text(topic, "bold"))
    for one in found:
        whole = len(one.name) <= NAME_WIDTH
        head = Text.assemble(
            "  ", (str(one.state).ljust(STATE_WIDTH), STYLES[one.state]), one.name.ljust(NAME_WIDTH + 1)
        )
        indent = " " * (2 + STATE_WIDTH + NAME_WIDTH + 1)
        lines = _wrap(one.text, width - len(indent))
        remedies = _wrap(one.remedy, width - len(indent)) if one.remedy else []
        console.print(Text.assemble(head, lines.pop(0)) if whole and lines else head, soft_wrap=True)
        for line in lines:
            console.print(Text(f"{indent}{line}"), soft_wrap=True)
        for line in remedies:
            console.print(Text(f"{indent}{line}", "cyan"), soft_wrap=True)
    console.print()


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), max(20, width), break_on_hyphens=False, break_long_words=False)
