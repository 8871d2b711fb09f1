"""Kill -9 in the middle, start again, and count at the server."""

import os
import signal
import time
from pathlib import Path

import pytest
from killing import CONCURRENCY, begin, kill_after, run_command, start_again, wait_for_most_answers

from affordance.core.attempts import AttemptStatus
from affordance.datasets import Dataset
from affordance.ledger import open_ledger
from errors import assert_carries
from forked import Forked, surroundings
from loopback import Loopback, after
from patience import until


def command(clips: Dataset, server: Loopback, ledger: Path, *more: str) -> list[str]:
    return run_command("motion/effect", f"openai:test@{server.url}", str(clips.root), ledger, *more)


@pytest.mark.parametrize(
    "answered", [25, pytest.param(5, marks=pytest.mark.long), pytest.param(45, marks=pytest.mark.long)]
)
def test_kill_and_start_again(clips: Dataset, pictures: Path, tmp_path: Path, answered: int) -> None:
    ledger = tmp_path / "ledger.db"
    with Loopback(after(0.05)) as server:
        kill_after(answered, command(clips, server, ledger), server, pictures)
        with open_ledger(ledger, read_only=True) as opened:
            kept = len(opened.reusable_response_ids())
        asked_before = len(server.seen)
        assert kept >= answered - CONCURRENCY - 4, "replies that were answered long before the kill must be there"

        finished = start_again(command(clips, server, ledger), pictures)
        assert finished.returncode == 0, finished.stderr
        counts = server.counts
        repeated = [key for key, count in counts.items() if count > 1]
        assert len(counts) == 70, "nothing is missing"
        assert len(server.seen) == 70 + len(repeated)
        assert len(repeated) <= asked_before - kept, "no ask whose reply was in the ledger is repeated"
        assert len(repeated) <= CONCURRENCY, "repeats are at most the asks in flight"
    with open_ledger(ledger, read_only=True) as opened:
        (summary,) = opened.run_summaries()
        assert summary.attempts.planned == 70
        assert summary.attempts.by_status == {AttemptStatus.ANSWERED: 70}


def test_ctrl_c_finishes_what_is_under_way(clips: Dataset, pictures: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    with Loopback(after(0.05)) as server:
        server.most_answers = 10
        process = begin(command(clips, server, ledger), pictures, tmp_path / "errors.txt")
        wait_for_most_answers(server, process)
        process.send_signal(signal.SIGINT)
        server.go_on()
        code, told = process.wait(), (tmp_path / "errors.txt").read_text("utf-8")
        assert code == 3, told
        asked = len(server.seen)
        assert asked < 70
        assert server.answered.total() == asked
        with open_ledger(ledger, read_only=True) as opened:
            (summary,) = opened.run_summaries()
            assert summary.attempts.by_status == {AttemptStatus.ANSWERED: asked}
        lines = told.strip().splitlines()
        assert len(lines) == 1
        resumed = start_again(command(clips, server, ledger, "--name", summary.run.name), pictures)
        assert resumed.returncode == 0
        assert len(server.seen) == 70


def test_nobody_there_is_told_at_once_and_ctrl_c_ends_the_wait(clips: Dataset, pictures: Path, tmp_path: Path) -> None:
    with Loopback() as server:
        pass
    arguments = [one for one in command(clips, server, tmp_path / "ledger.db")[3:] if one != "--quiet"]
    errors = tmp_path / "errors.txt"
    process = Forked(arguments, surroundings(pictures), Path(os.devnull), errors)
    until(
        lambda: errors.exists() and "cannot connect" in errors.read_text("utf-8"),
        going=lambda: process.code is None,
    )
    (told,) = (line for line in errors.read_text("utf-8").splitlines() if "cannot connect" in line)
    assert_carries(told, server.url, "5 min")
    pressed = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait() == 3
    assert time.monotonic() - pressed < 60, "it would have tried for minutes"
