"""Pieces of work in processes of this machine, and in threads of this process."""

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from affordance.evaluation.work_pieces import RETRIES, WorkerLost, WorkResult, run_pickled, run_piece, unpickle_result

P = TypeVar("P")
R = TypeVar("R")

_EXIT_SECONDS = 5.0  # seconds a process has to end by itself


class LocalEngine:
    """Processes of this machine. If one dies, another does its piece again, up to three times. Processes are spawned
    and not forked: they inherit no lock and no connection. With 0 processes the work is done in this one."""

    def __init__(self, processes: int | None = None) -> None:
        """One process per core unless `processes` is given."""
        self._max_processes = (os.cpu_count() or 1) if processes is None else processes

    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[WorkResult[R], None, None]:
        if self._max_processes == 0:
            yield from (run_piece(function, index, piece) for index, piece in enumerate(pieces))
            return
        pickled = pickle.dumps(function)
        todo = deque(range(len(pieces)))
        deaths: dict[int, int] = {}
        idle: list[_Worker] = []
        busy: dict[object, _Worker] = {}  # by connection
        try:
            while todo or busy:
                while todo and len(busy) < self._max_processes:
                    worker = idle.pop() if idle else _Worker(pickled)
                    busy[worker.connection] = worker
                    piece = todo.popleft()
                    worker.send_piece(piece, pickle.dumps(pieces[piece]))
                for ready in wait([worker.connection for worker in busy.values()]):
                    worker = busy.pop(ready)
                    result = worker.receive_result()
                    if result is not None:
                        idle.append(worker)
                        yield unpickle_result(result, worker.piece)
                        continue
                    worker.kill()
                    deaths[worker.piece] = deaths.get(worker.piece, 0) + 1
                    if deaths[worker.piece] <= RETRIES:
                        todo.appendleft(worker.piece)
                    else:
                        yield WorkResult(worker.piece, error=WorkerLost())
            for worker in idle:
                worker.stop()
        finally:
            for worker in (*idle, *busy.values()):
                worker.kill()


class ThreadEngine:
    """Threads of this process, for work that releases the interpreter's lock: nothing is pickled, nothing gets lost."""

    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[WorkResult[R], None, None]:
        from affordance.core.threads import map_threads

        def one(index: int) -> WorkResult[R]:
            return run_piece(function, index, pieces[index])

        yield from map_threads(one, range(len(pieces)))


class _Worker:
    """A process with a pipe to it. It ends when the pipe is closed, so it ends after its parent at most by a piece."""

    def __init__(self, function: bytes) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.piece = -1
        self._process = context.Process(target=_run_worker, args=(theirs, function), daemon=True)
        # Once it runs, starting a process leaves our mask alone: to start it would let interrupts in again.
        resource_tracker.ensure_running()
        with _block_interrupts():
            self._process.start()
        theirs.close()

    def send_piece(self, piece: int, pickled: bytes) -> None:
        self.piece = piece
        with suppress(OSError):  # it died while it was idle, as the next receive shows
            self.connection.send((piece, pickled))

    def receive_result(self) -> bytes | None:
        """None: it is dead."""
        try:
            return self.connection.recv_bytes()
        except (EOFError, OSError):
            return None

    def stop(self) -> None:
        self.connection.close()
        self._process.join(_EXIT_SECONDS)

    def kill(self) -> None:
        self.connection.close()
        self._process.kill()
        self._process.join()


def _run_worker(connection: "Connection[Any, Any]", function: bytes) -> None:
    do_piece = partial(run_pickled, function)
    for piece, given in _receive_pieces(connection):
        with suppress(OSError):  # the pipe is closed, as the next receive shows
            connection.send_bytes(do_piece(piece, given))


def _receive_pieces(connection: "Connection[Any, Any]") -> Iterator[tuple[int, bytes]]:
    with suppress(EOFError, OSError):
        while True:
            yield connection.recv()


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """A process started in here never sees a Ctrl-C, which the terminal sends to all: it is stopped by us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
