"""The path of one question, from the command line to the report row: how many functions and modules it passes."""

import json
import sys
import threading
from pathlib import Path
from types import FrameType

import pytest

import affordance
from affordance.cli.main import run_command
from affordance.datasets import Dataset
from loopback import Loopback

PACKAGE = str(Path(affordance.__file__).parent)
MAX_FUNCTIONS, MAX_MODULES = 640, 115  # methods and properties included; lower them when the path gets shorter


def test_the_path_of_a_question_is_short(
    clips: Dataset, pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Named functions that run, in all threads, apart from those that run while modules are imported."""
    monkeypatch.setenv("AFFORDANCE_CACHE", str(pictures))
    monkeypatch.chdir(tmp_path)
    with Loopback() as server:
        command = ["run", "motion/effect", "--data", str(clips.root), "--limit", "1", "--trials", "1", "--json"]
        command += ["--model", f"openai:test@{server.url}"]
        assert run_command([*command, "--name", "imports"]) == 0  # imports everything
        capfd.readouterr()
        passed: set[tuple[str, str]] = set()

        def profile(frame: FrameType, event: str, _: object) -> None:
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<"):
                passed.add((code.co_filename, code.co_qualname))

        threading.setprofile(profile)
        sys.setprofile(profile)
        try:
            assert run_command([*command, "--name", "profiled", "--fresh"]) == 0
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        assert len(server.seen) == 2
    (row,) = json.loads(capfd.readouterr().out)
    assert row["n"] == 1
    modules = {file for file, _ in passed}
    print(f"one question passes {len(passed)} functions in {len(modules)} modules")
    assert len(passed) <= MAX_FUNCTIONS
    assert len(modules) <= MAX_MODULES
