"""Kill -9 in the middle, start again, and count at the server."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from affordance.core.attempt import Ended
from affordance.datasets import Dataset
from affordance.ledger import open_ledger
from loopback import Loopback, after

CONCURRENCY = 8


def command(clips: Dataset, server: Loopback, ledger: Path, *more: str) -> list[str]:
    model = f"openai:test@{server.url}"
    return [
        *(sys.executable, "-m", "affordance", "run", "motion/effect", "--model", model, "--data", str(clips.root)),
        *("--ledger", str(ledger), "--concurrency", str(CONCURRENCY), "--quiet", *more),
    ]


def environment(pictures: Path) -> dict[str, str]:
    return {**os.environ, "AFFORDANCE_CACHE": str(pictures)}


def wait_until_answered(server: Loopback, number: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while server.answered.total() < number:
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.002)


def start_again(again: list[str], pictures: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(again, env=environment(pictures), capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize("kill_after", [5, 25, 45])
def test_kill_and_start_again(clips: Dataset, pictures: Path, tmp_path: Path, kill_after: int) -> None:
    ledger = tmp_path / "ledger.db"
    with Loopback(after(0.05)) as server:
        process = subprocess.Popen(command(clips, server, ledger), env=environment(pictures))
        wait_until_answered(server, kill_after, process)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        time.sleep(0.2)  # what was under way at the server comes to its end
        with open_ledger(ledger, read_only=True) as opened:
            kept = len(opened.cached())
        asked_before = len(server.seen)
        assert kept >= kill_after - CONCURRENCY - 4, "replies that were answered long before the kill must be there"

        finished = start_again(command(clips, server, ledger), pictures)
        assert finished.returncode == 0, finished.stderr.decode()
        counts = server.counts
        repeated = [key for key, count in counts.items() if count > 1]
        assert len(counts) == 70, "nothing is missing"
        assert len(server.seen) == 70 + len(repeated)
        assert len(repeated) <= asked_before - kept, "no ask whose reply was in the ledger is repeated"
        assert len(repeated) <= CONCURRENCY, "repeats are at most the asks in flight"
    with open_ledger(ledger, read_only=True) as opened:
        (summary,) = opened.runs()
        assert summary.attempts.planned == 70
        assert summary.attempts.ended == {Ended.ANSWERED: 70}


def test_ctrl_c_finishes_what_is_under_way(clips: Dataset, pictures: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    with Loopback(after(0.2)) as server:
        process = subprocess.Popen(
            command(clips, server, ledger), env=environment(pictures), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        wait_until_answered(server, 10, process)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
        assert process.returncode == 3, told.decode()
        asked = len(server.seen)
        assert asked < 70
        assert server.answered.total() == asked
        with open_ledger(ledger, read_only=True) as opened:
            (summary,) = opened.runs()
            assert summary.attempts.ended == {Ended.ANSWERED: asked}
        lines = told.decode().strip().splitlines()
        assert len(lines) == 1
        assert "incomplete: interrupted" in lines[0]
        assert "run the same command again to go on" in lines[0]
        resumed = start_again(command(clips, server, ledger, "--name", summary.run.name), pictures)
        assert resumed.returncode == 0
        assert len(server.seen) == 70
