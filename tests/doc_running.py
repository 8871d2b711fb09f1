"""A reader who does what a page says: one folder for each page, blocks in order, and what is shown must be printed."""

import contextlib
import csv
import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from affordance.cli.defaults import load_defaults
from affordance.cli.main import app, run_command
from doc_blocks import Block, Page
from doc_commands import complaint, simple, words, wrong_with
from patience import PATIENCE

PRINTED_AT = ("127.0.0.1:8000", "localhost:8000")  # where pages say that a model is

REASONS = {  # why a block may not be run
    "needs a key",
    "needs the network",
    "needs files of your own",
    "starts a server for people",
    "takes minutes",
}
TEXT = {"text", "csv", "html", "yaml", "css", "mermaid"}  # what is shown, and is no command
_COMMANDS = re.compile(r"^(\$ |affordance |make |pip |python |inspect )", re.MULTILINE)
_MARKED = ("|", "||", ">", ">>", "<", ";", "&")  # what needs a shell


class _Output(io.StringIO):
    """Standard output; `all` has standard error too, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.all = io.StringIO()

    def write(self, text: str) -> int:
        self.all.write(text)
        return super().write(text)


@dataclass
class Reader:
    folder: Path  # an empty one
    server: str  # host and port of the model
    patch: pytest.MonkeyPatch
    runs: bool = True  # whether commands and snippets are carried out; else they are only parsed
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def follow(self, page: Page) -> None:
        self.patch.chdir(self.folder)
        for line, command in page.inline:
            for arguments in simple(command.replace("…", "")):
                wrong = complaint(arguments[1:], whole=False) if arguments[0] == "affordance" else ""
                assert not wrong, f"{page.name}:{line}: {wrong}"
        for block in page.blocks:
            self._take(block, f"{page.name}:{block.line}")

    def _take(self, block: Block, where: str) -> None:
        unknown = block.remarks.keys() - {"not run", "exits"}
        assert not unknown, f"{where}: nobody knows the remark {unknown}"
        if not block.run:
            reason = block.remarks["not run"]
            assert reason in REASONS, f"{where}: {reason!r} is no reason; expected one of {sorted(REASONS)}"
        if block.title and block.run:
            self._write(block)
        run = block.run and self.runs
        match block.language:
            case "console":
                self._console(block, where)
            case "python" if run and not block.title:
                code = compile("\n" * block.line + block.text, where, "exec")
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(code, self.namespace)
            case "python":
                compile(block.text, where, "exec")
            case "pycon" if run:
                self._session(block, where)
            case "pycon":
                doctest.DocTestParser().get_examples(block.text, where)
            case "toml":
                tomllib.loads(block.text)
            case "json":
                json.loads(block.text)
            case "jsonl":
                for line in block.text.splitlines():
                    json.loads(line)
            case language:
                assert language in TEXT, f"{where}: expected a block to say what it is, found {language!r}"
                assert not _COMMANDS.search(block.text), f"{where}: commands belong into a console block"
                if language == "csv":
                    assert len({len(row) for row in csv.reader(io.StringIO(block.text))}) == 1, where

    def _write(self, block: Block) -> None:
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._here(block.text), encoding="utf-8")
        if path.name == "affordance.toml":
            load_defaults(get_command(app), path)

    def _console(self, block: Block, where: str) -> None:
        steps = _steps(block.text)
        assert steps, f"{where}: expected lines that begin with `$ `"
        for number, (line, shown) in enumerate(steps):
            wanted = int(block.remarks.get("exits", 0)) if number == len(steps) - 1 else 0
            wrong = wrong_with(line) if not wanted else ""
            assert not wrong, f"{where}: {line}\n{wrong}"
            if not block.run or not self.runs:
                continue
            code, printed, results = self._run(self._here(line))
            assert code == wanted, f"{where}: $ {line}\nended with {code}, expected {wanted}\n{printed}"
            if shown.strip():
                told = f"{where}: $ {line}\nshown:\n{shown}\nprinted:\n{printed}"
                assert any(_agree(self._there(shown), self._there(one)) for one in (printed, results)), told

    def _run(self, line: str) -> tuple[int, str, str]:
        """The exit code, all that is printed, and results alone: progress is gone from a terminal when it is over."""
        told = _Output()
        if any(word in _MARKED for word in words(line)):
            return self._shell(line, told), told.getvalue(), told.getvalue()
        code = 0
        for command in simple(line):
            program, *arguments = [one for word in command for one in _expanded(word)]
            match program:
                case "affordance":
                    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told.all):
                        code = run_command(arguments)
                case "cd":
                    self.patch.chdir(arguments[0])
                case "export":
                    self.patch.setenv(*arguments[0].split("=", 1))
                case _:
                    code = self._shell(shlex.join([program, *arguments]), told)
            if code:
                break
        return code, told.all.getvalue(), told.getvalue()

    def _shell(self, line: str, told: io.StringIO) -> int:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", line],
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        told.write(done.stdout)
        return done.returncode

    def _session(self, block: Block, where: str) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self.namespace, where, where, block.line)
        told = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=told.write, clear_globs=False)
        self.namespace.update(test.globs)
        assert not runner.failures, told.getvalue()

    def _there(self, text: str) -> str:
        """As the page has it."""
        return text.replace(self.server, PRINTED_AT[0]).replace(PRINTED_AT[1], PRINTED_AT[0])

    def _here(self, text: str) -> str:
        for printed in PRINTED_AT:
            text = text.replace(printed, self.server)
        return text


def _steps(text: str) -> list[tuple[str, str]]:
    """Commands, and what is shown below each."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), ""))
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (found[-1][0].removesuffix("\\") + line.removeprefix("> ").strip(), "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def _agree(shown: str, printed: str) -> bool:
    """Whether what is shown is what was printed; `...` stands for any lines, or for any part of one."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"\n"
        for line in shown.strip("\n").splitlines()
    )
    text = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, text) is not None


def _expanded(word: str) -> list[str]:
    """Files that a word stands for, as a shell has it."""
    found = sorted(str(path) for path in Path().glob(word)) if re.search(r"[*?]", word) else []
    return found or [word]
