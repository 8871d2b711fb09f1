"""Several processes on one ledger, and the sudden end of one."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ledger_process import PLANNED
from ledger_samples import an_ask

from affordance.ledger import Ledger, open_ledger
from patience import PATIENCE

SCRIPT = Path(__file__).parent / "ledger_process.py"
ENDLESS = 10**9


def test_what_was_committed_survives_kill_9(where: str) -> None:
    with a_process(where, "killed", ENDLESS) as process:
        told = _ids(process, lines=8)
        process.kill()
    with open_ledger(where) as ledger:
        assert told <= _check_whole(ledger, "killed")
        number = ledger.add_reply("after", (0, 0, 0), an_ask("0"), ledger.reply(min(told)), run="r").result()
        assert number > max(told)


def test_two_processes_make_and_fill_one_ledger(where: str) -> None:
    with a_process(where, "a", 100) as one, a_process(where, "b", 100) as two:
        ids = [_ids(process, lines=20) for process in (one, two)]
        assert [process.wait(PATIENCE) for process in (one, two)] == [0, 0]
    assert [len(of_one) for of_one in ids] == [100, 100]
    assert ids[0].isdisjoint(ids[1])
    with open_ledger(where) as ledger:
        assert _check_whole(ledger, "a") == ids[0]
        assert _check_whole(ledger, "b") == ids[1]
        assert len(ledger.cached()) == 100
        assert set(ledger.cached().values()) <= ids[0] | ids[1]


def test_processes_that_open_a_new_ledger_at_once_do_not_disturb_each_other(where: str) -> None:
    script = f"""
import sys
from affordance.ledger import open_ledger
input()
open_ledger(sys.argv[1], patience={PATIENCE}).close()
"""
    command = [sys.executable, "-c", script, where]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate(timeout=PATIENCE)[1] for process in processes] == [""] * 4
    with open_ledger(where, read_only=True) as ledger:
        assert ledger.runs() == []


@contextmanager
def a_process(where: str, name: str, count: int) -> Iterator[subprocess.Popen[str]]:
    """A writing process that has opened the ledger and begins as it is waited for."""
    command = [sys.executable, str(SCRIPT), where, name, str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
            yield process
        finally:
            process.kill()


def _ids(process: subprocess.Popen[str], lines: int) -> set[int]:
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return {int(number) for _ in range(lines) for number in process.stdout.readline().split()}


def _check_whole(ledger: Ledger, name: str) -> set[int]:
    """Whether every record of the run is there as a whole or not at all; the ids of its replies."""
    run = next(summary for summary in ledger.runs() if summary.run.name == name)
    assert run.attempts.planned % PLANNED == 0
    [usage] = ledger.usage(run.run.id)  # joined with the asks
    found = [step for number in range(usage.replies) for step in ledger.steps(f"{name}-{number}")]
    assert len(found) == usage.replies
    return {step.reply_id for step in found}
