"""Whether a process has ended: its number alone does not say."""

import subprocess
import sys
from dataclasses import replace

from affordance.core.processes import has_ended, this_process
from patience import until


def test_a_process_that_runs_has_not_ended() -> None:
    assert not has_ended(this_process())


def test_a_killed_process_has_ended_before_and_after_it_is_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        found = replace(this_process(), pid=process.pid, started="")
        assert not has_ended(found), "when it was started is not known, and it runs"
        process.kill()
        until(lambda: has_ended(replace(found, started="1")))
        process.wait()
        assert has_ended(found)


def test_another_process_of_the_same_number_is_not_the_same() -> None:
    ours = this_process()
    assert ours.started
    assert has_ended(replace(ours, started=f"{ours.started}0"))


def test_nothing_is_known_of_processes_of_other_computers() -> None:
    assert not has_ended(replace(this_process(), machine="another", pid=2**22 + 1))
