"""scripts/run-tests.py fails a run that leaves something open, or an exception unheard, also after the last test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

ROOT = Path(__file__).parents[1]

# Each test passes by itself. What is left behind is found while tests run, and fails one of them.
IN_TESTS = {
    "session": """
        import aiohttp

        def test_it():
            asyncio.run(left())

        async def left():
            aiohttp.ClientSession()
    """,
    "coroutine": """
        async def never():
            pass

        def test_it():
            never()
    """,
    "thread": """
        def test_it():
            thread = threading.Thread(target=lambda: 1 / 0)
            thread.start()
            thread.join()
    """,
    "finalizer": """
        class Thing:
            def __del__(self):
                raise ValueError("nobody hears this")

        def test_it():
            Thing()
    """,
    "file": """
        def test_it():
            open(__file__)
    """,
    "task": """
        async def fail():
            raise ValueError("nobody hears this")

        async def begin():
            asyncio.create_task(fail())
            await asyncio.sleep(0)

        def test_it():
            asyncio.run(begin())
    """,
}
# What is found at the end of the process, when pytest has counted.
AT_THE_END = {
    "session": """
        import aiohttp

        KEPT = []

        def test_it():
            asyncio.run(left())

        async def left():
            KEPT.append(aiohttp.ClientSession())
    """,
    "thread": """
        GO_ON = threading.Event()

        def late():
            GO_ON.wait()
            raise ValueError("nobody hears this")

        def test_it():
            threading.Thread(target=late).start()
            threading._register_atexit(GO_ON.set)
    """,
    "finalizer": """
        class Thing:
            def __del__(self):
                raise ValueError("nobody hears this")

        KEPT = Thing()

        def test_it():
            pass
    """,
}
CLEAN = "def test_it():\n    print('nothing is left')\n"


def run_tests(folder: Path, sources: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    (folder / "test_first.py").write_text("def test_it():\n    pass\n", "utf-8")
    for name, source in sources.items():
        lines = [line.removeprefix(8 * " ") for line in source.splitlines()]
        (folder / f"test_{name}.py").write_text("\n".join(["import asyncio, threading", *lines, ""]), "utf-8")
    plugins = [part for name in ("pytest_timeout", "workers", "unheard", "no:cacheprovider") for part in ("-p", name)]
    command = [sys.executable, "scripts/run-tests.py", "-c", "pyproject.toml", *plugins]
    return subprocess.run(
        [*command, f"--basetemp={folder}.temp", *options, str(folder)],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": "tests",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },  # they take a quarter of the time
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_what_tests_leave_behind_fails_them(tmp_path: Path) -> None:
    done = run_tests(tmp_path / "tests", IN_TESTS, "--workers", "2")
    assert done.returncode == 1, done.stdout
    failed = set(re.findall(r"^(?:FAILED|ERROR) test_(\w+)\.py::", done.stdout, re.MULTILINE))
    assert failed == set(IN_TESTS), done.stdout


@pytest.mark.parametrize("name", AT_THE_END)
def test_what_is_left_at_the_end_fails_the_run(name: str, tmp_path: Path) -> None:
    done = run_tests(tmp_path / "tests", {name: AT_THE_END[name]}, "--workers", "2")
    assert "2 passed" in done.stdout
    assert done.returncode == 1, done.stdout


def test_a_run_that_leaves_nothing_passes(tmp_path: Path) -> None:
    done = run_tests(tmp_path / "tests", {"clean": CLEAN}, "--workers", "2")
    assert done.returncode == 0, done.stdout
