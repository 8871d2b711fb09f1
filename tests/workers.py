"""`pytest --workers N`: tests are collected once, then N forks of that process run them, one file at a time.

Workers that collect for themselves would each import every module again.
"""

import itertools
import os
import signal
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

import pytest

File = list[pytest.Item]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, metavar="N", help="run the files of tests in N processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    option = session.config.option
    if option.workers < 1 or option.collectonly or session.testsfailed:
        return None
    files = [list(items) for _, items in itertools.groupby(session.items, key=lambda item: item.path)]
    files.sort(key=lambda items: items[0].path.stat().st_size, reverse=True)  # what is long is not begun last
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all
    sys.stdout.flush()
    sys.stderr.flush()
    workers: dict[Connection, Worker] = {}
    for number in range(min(option.workers, len(files))):
        here, there = Pipe()
        pid = os.fork()
        if pid == 0:
            here.close()
            for other in workers:
                other.close()
            be_worker(session, there, files, number)
            return True
        there.close()
        workers[here] = Worker(pid, number)
    lead(session, workers, iter(range(len(files))))
    return True


class Worker:
    def __init__(self, pid: int, number: int) -> None:
        self.pid = pid
        self.number = number
        self.running: tuple[str, Any] | None = None  # name and location of the test it is at
        self.failed = False


def lead(session: pytest.Session, workers: dict[Connection, Worker], left: Iterator[int]) -> None:
    """Hands out files and passes on what workers report, until all have ended."""
    hook = session.config.hook
    try:
        while workers:
            for connection in wait(list(workers)):
                assert isinstance(connection, Connection)
                worker = workers[connection]
                try:
                    kind, content = connection.recv()
                except (EOFError, ConnectionResetError):
                    end(session, worker)
                    del workers[connection]
                    continue
                if kind == "next":
                    connection.send(None if session.shouldfail or session.shouldstop else next(left, None))
                elif kind == "start":
                    worker.running = content
                    hook.pytest_runtest_logstart(nodeid=content[0], location=content[1])
                elif kind == "finish":
                    worker.running = None
                    hook.pytest_runtest_logfinish(nodeid=content[0], location=content[1])
                else:
                    report = hook.pytest_report_from_serializable(config=session.config, data=content)
                    worker.failed |= report.failed
                    hook.pytest_runtest_logreport(report=report)
    finally:
        for worker in workers.values():  # only where this process was interrupted
            os.kill(worker.pid, signal.SIGINT)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)


def end(session: pytest.Session, worker: Worker) -> None:
    """A worker ends with 0, or with 1 after tests that failed; anything else is a failure of its own."""
    code = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
    if worker.running is None and (code == 0 or (code == 1 and worker.failed)):
        return
    name, location = worker.running or (f"worker {worker.number}", ("tests", None, f"worker {worker.number}"))
    message = f"worker {worker.number} ended with {code}" + (f" in the middle of {name}" if worker.running else "")
    report = pytest.TestReport(name, location, {}, "failed", message, "call")
    session.config.hook.pytest_runtest_logreport(report=report)


def be_worker(session: pytest.Session, connection: Connection, files: list[File], number: int) -> None:
    """Runs files until none is left. The session then ends as that of any pytest does, with nothing to print."""
    config = session.config
    config.workerinput = {"workerid": f"worker-{number}"}  # type: ignore[attr-defined]  # by which plugins know a worker
    capture = config.pluginmanager.getplugin("capturemanager")
    assert capture is not None
    capture.stop_global_capturing()  # its files are those of the leading process
    capture.start_global_capturing()
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(Reporting(connection, config))
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = factory.getbasetemp() / f"worker-{number}"
    factory._basetemp.mkdir()

    def items() -> Iterator[pytest.Item | None]:
        connection.send(("next", None))
        while (given := connection.recv()) is not None:
            yield from files[given]
            connection.send(("next", None))
        yield None

    for item, following in itertools.pairwise(items()):
        assert item is not None
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            break


class Reporting:
    def __init__(self, connection: Connection, config: pytest.Config) -> None:
        self.connection = connection
        self.config = config

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self.connection.send(("start", (nodeid, location)))

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.connection.send(("finish", (nodeid, location)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.connection.send(("report", data))
