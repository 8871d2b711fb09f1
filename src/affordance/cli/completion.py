"""Completion in shells. Typer speaks their protocols; here are what its form for bash lacks, and silence: whatever goes
wrong while somebody types, nothing is printed between their words."""

import os
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

from affordance.core.errors import UserError

VARIABLE = "_AFFORDANCE_COMPLETE"  # set by what `--install-completion` writes: `complete_` and the shell
BREAKS = ":="  # bash begins a new word at each of them
OPTIONS = frozenset({"--install-completion", "--show-completion"})


def complete(command: Any) -> int:
    """Answer a shell; the exit code is a part of the answer."""
    out, code = StringIO(), 0
    words = os.environ.get("COMP_WORDS", "")
    cut = ""
    try:
        if os.environ[VARIABLE].endswith("_bash"):
            joined, number, cut = _join_words(words.split("\n"), int(os.environ["COMP_CWORD"]))
            os.environ.update({"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(number)})
        with redirect_stdout(out), redirect_stderr(StringIO()):
            command.main([], "affordance", standalone_mode=False)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except Exception:  # noqa: BLE001  # as above: who types is not to be told
        return 0
    for line in filter(None, out.getvalue().splitlines()):
        print(line.removeprefix(cut))
    return code


def check_shell(arguments: Sequence[str]) -> None:
    """Before typer takes no shell for one that it does not know."""
    if OPTIONS.isdisjoint(arguments):
        return
    from typer._completion_shared import _get_shell_name  # what typer itself goes by

    if _get_shell_name() is None:
        raise UserError(
            "cannot tell which shell this is; expected to be started from bash, zsh or fish: type the command there"
        )


def _join_words(words: list[str], number: int) -> tuple[list[str], int, str]:
    """Words as they were typed, which of them is completed, and what of that bash leaves as it is."""
    found: list[str] = []
    wanted, cut = 0, ""
    for place, word in enumerate(words):
        breaks = word != "" and not word.strip(BREAKS)
        if found and (breaks or (place and words[place - 1] and not words[place - 1].strip(BREAKS))):
            before, found[-1] = found[-1], found[-1] + word
        else:
            before = ""
            found.append(word)
        if place == number:
            wanted, cut = len(found) - 1, found[-1] if breaks else before
    return found, wanted, cut
