"""A ledger that cannot be written: nothing that was paid for is lost."""

import os
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import UserError
from affordance.core.requests import CallSettings, Response
from affordance.evaluation import unsaved_responses as rescue
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.unsaved_responses import UnsavedResponse, import_unsaved, save_unsaved
from affordance.ledger import RequestRecord, open_ledger
from errors import assert_carries, raises
from loopback import Loopback, after
from patience import PATIENCE, until


@contextmanager
def locked_after(answers: int, path: str, server: Loopback, seconds: float = PATIENCE) -> Iterator[None]:
    """The database's lock is taken after so many answers, and kept to the end of the block or for so long. Until it is
    taken nothing more is answered."""
    over = threading.Event()

    def work() -> None:
        until(lambda: server.answered.total() >= answers)
        with sqlite3.connect(path, isolation_level=None, timeout=PATIENCE) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            server.go_on()
            over.wait(seconds)
            connection.execute("ROLLBACK")
        connection.close()

    server.most_answers = answers
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_replies_that_cannot_be_written_are_saved_and_brought_in(request_for: Callable[..., RunRequest]) -> None:
    with Loopback(after(0.05)) as server:
        request = request_for(f"openai:test@{server.url}", trials=10, ledger_timeout=1.0)
        execute_run(request_for("oracle", trials=10))  # so that there is a ledger to lock
        with locked_after(10, request.ledger, server):
            run, progress = execute_run(request)
        assert_carries(progress.stop_reason, f"{request.ledger}.rescue.jsonl")
        assert Path(f"{request.ledger}.rescue.jsonl").exists()
        asked = len(server.seen)
        assert asked < 70
        execute_run(request)
        assert not Path(f"{request.ledger}.rescue.jsonl").exists()
        assert len(server.seen) == 70, "no ask was repeated"
    with open_ledger(request.ledger, read_only=True) as ledger:
        found = [one for one in ledger.attempt_results(run.id) if one.model != "oracle:default"]
    assert [one.verdict.status for one in found if one.verdict] == [AttemptStatus.ANSWERED] * 70


def test_a_ledger_that_comes_back_loses_nothing(request_for: Callable[..., RunRequest]) -> None:
    with Loopback(after(0.02)) as server:
        request = request_for(f"openai:test@{server.url}", trials=10, ledger_timeout=PATIENCE)
        execute_run(request_for("oracle", trials=10))
        with locked_after(10, request.ledger, server, seconds=1.0):
            _, progress = execute_run(request)
        assert progress.complete
        assert len(server.seen) == 70


def reply_of(run: str) -> UnsavedResponse:
    return UnsavedResponse(
        run, "attempt", (0, 0, 0), RequestRecord(f"key-{run}", CallSettings("test:m"), "q", "[]"), Response("B"), 1
    )


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, of a user who has no folder for data."""
    folder, no_folder = tmp_path / "temporary", tmp_path / "file"
    folder.mkdir()
    no_folder.touch()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(no_folder))
    return folder


def test_without_room_beside_the_ledger_they_are_in_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    (tmp_path / "l.db.rescue.jsonl").mkdir()
    with open_ledger(tmp_path / "l.db") as ledger:
        path = save_unsaved([reply_of("one")], ledger)
        assert path is not None
        assert path.is_relative_to(tmp_path / "home")
        assert path.stat().st_mode & 0o077 == 0
        (tmp_path / "l.db.rescue.jsonl").rmdir()
        assert import_unsaved(ledger) == 1
        assert set(ledger.reusable_response_ids()) == {"key-one"}
    assert not path.exists()


@pytest.mark.parametrize("secret", ["", "?sslpassword=secret", "?password=secret&application_name=x"])
def test_a_ledger_in_postgres_is_known_by_its_address_without_secrets(postgres_url: str, secret: str) -> None:
    with open_ledger(f"{postgres_url}{secret.replace('?', '&')}") as one, open_ledger(postgres_url) as other:
        assert one.fingerprint == other.fingerprint == other.legacy_fingerprint
        assert "secret" not in one.location


def test_what_an_earlier_version_saved_for_postgres_comes_in(
    tmp_path: Path, postgres_url: str, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder in which it was run, also under the name that it gave a URL with secrets."""
    monkeypatch.chdir(tmp_path)
    with open_ledger(f"{postgres_url}&sslpassword=secret") as ledger:
        assert ledger.legacy_fingerprint != ledger.fingerprint
        for number, (folder, mark) in enumerate(
            [
                (tmp_path, ledger.fingerprint),
                (tmp_path, ledger.legacy_fingerprint),
                (temporary, ledger.legacy_fingerprint),
            ]
        ):
            path = folder / f"affordance-{mark}.rescue.jsonl"
            path.touch(0o600)
            path.write_text(reply_of(str(number)).to_json_line())
        assert import_unsaved(ledger) == 3
        assert set(ledger.reusable_response_ids()) == {"key-0", "key-1", "key-2"}


def test_what_is_in_the_folder_for_temporary_files_is_for_one_ledger_alone(tmp_path: Path, temporary: Path) -> None:
    """Two of the same name, and no room beside the first."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    blocked = tmp_path / "here" / "l.db.rescue.jsonl"
    with open_ledger(tmp_path / "here" / "l.db") as ledger:
        blocked.mkdir()
        path = save_unsaved([reply_of("one")], ledger)
        assert path is not None
        assert path.parent == temporary
        assert save_unsaved([reply_of("two")], ledger) == path
        blocked.rmdir()
    assert path.stat().st_mode & 0o077 == 0, "what models have said is nobody else's"
    with open_ledger(tmp_path / "there" / "l.db") as other:
        assert import_unsaved(other) == 0
    with open_ledger(tmp_path / "here" / "l.db") as ledger:
        assert import_unsaved(ledger) == 2
        assert set(ledger.reusable_response_ids()) == {"key-one", "key-two"}
        assert import_unsaved(ledger) == 0
    assert not path.exists()


def test_what_somebody_else_has_put_there_is_not_taken(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_ledger(tmp_path / "l.db") as ledger:
        (tmp_path / "l.db.rescue.jsonl").mkdir()
        path = save_unsaved([reply_of("one")], ledger)
        (tmp_path / "l.db.rescue.jsonl").rmdir()
        assert path is not None
        monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
        assert import_unsaved(ledger) == 0
        path.rename(temporary / "elsewhere")
        path.symlink_to(temporary / "elsewhere")
        monkeypatch.undo()
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        assert import_unsaved(ledger) == 0


@pytest.mark.parametrize("line", ['{"a": 1}', "{}", '["}', '{"reply": 3}', '{"reply": {"usage": {}}}', '{"reply":{"}'])
def test_a_line_that_is_something_else_is_told_and_nothing_is_taken(tmp_path: Path, temporary: Path, line: str) -> None:
    path = tmp_path / "l.db.rescue.jsonl"
    path.write_text(reply_of("one").to_json_line() + line + "\n")
    with open_ledger(tmp_path / "l.db") as ledger:
        with raises(UserError, f"{path}:2"):
            import_unsaved(ledger)
        assert ledger.reusable_response_ids() == {}
        assert path.exists()


def test_half_a_line_of_a_killed_process_spoils_nothing(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "l.db.rescue.jsonl"
    path.write_text(reply_of("one").to_json_line() + reply_of("two").to_json_line()[:50])
    with open_ledger(tmp_path / "l.db") as ledger:
        assert save_unsaved([reply_of("three")], ledger) == path
        assert import_unsaved(ledger) == 2
        assert set(ledger.reusable_response_ids()) == {"key-one", "key-three"}


def test_where_only_half_of_it_finds_room_it_goes_elsewhere_whole(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "l.db.rescue.jsonl"
    path.write_text(reply_of("one").to_json_line())
    before = path.read_bytes()
    written = os.write

    def full(file: int, data: bytes) -> int:
        if os.path.samestat(os.fstat(file), path.stat()):
            if os.fstat(file).st_size > len(before):
                raise OSError(28, "No space left on device")
            return written(file, data[:30])
        return written(file, data)

    with open_ledger(tmp_path / "l.db") as ledger:
        monkeypatch.setattr(rescue.os, "write", full)
        found = save_unsaved([reply_of("two")], ledger)
        assert found is not None
        assert found.parent == temporary
        assert path.read_bytes() == before
        assert import_unsaved(ledger) == 2
