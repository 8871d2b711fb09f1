"""Findings on a terminal: under each topic a line for each, its state in words and in colour."""

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from affordance.cli.checks.finding import CheckResult, CheckState

WIDTH = 100
STATES = 9  # columns
STYLES = {CheckState.OK: "green", CheckState.MISSING: "yellow", CheckState.WRONG: "bold red"}
NAMES = 18


def print_findings(topic: str, found: Sequence[CheckResult]) -> None:
    console = Console(highlight=False)
    width = min(WIDTH, console.width) if console.is_terminal else WIDTH
    console.print(Text(topic, "bold"))
    for one in found:
        whole = len(one.name) <= NAMES
        head = Text.assemble("  ", (str(one.state).ljust(STATES), STYLES[one.state]), one.name.ljust(NAMES + 1))
        indent = " " * (2 + STATES + NAMES + 1)
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
