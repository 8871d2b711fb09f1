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

from affordance.run._pieces import RETRIES, Done, Lost, do, do_pickled, opened

P = TypeVar("P")
R = TypeVar("R")

_GRACE = 5.0  # seconds a process has to end by itself


class LocalEngine:
    """Processes of this machine. One that dies costs the piece that it held: another process does it again, up to three
    times. Started anew and not forked: no lock and no connection is inherited. With 0 processes all is done in this
    one."""

    def __init__(self, processes: int | None = None) -> None:
        """As many as there are cores, unless it is said."""
        self._most = (os.cpu_count() or 1) if processes is None else processes

    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[Done[R], None, None]:
        if self._most == 0:
            yield from (do(function, index, piece) for index, piece in enumerate(pieces))
            return
        pickled = pickle.dumps(function)
        todo = deque(range(len(pieces)))
        deaths: dict[int, int] = {}
        idle: list[_Worker] = []
        busy: dict[object, _Worker] = {}  # by connection
        try:
            while todo or busy:
                while todo and len(busy) < self._most:
                    worker = idle.pop() if idle else _Worker(pickled)
                    busy[worker.connection] = worker
                    piece = todo.popleft()
                    worker.give(piece, pickle.dumps(pieces[piece]))
                for ready in wait([worker.connection for worker in busy.values()]):
                    worker = busy.pop(ready)
                    reply = worker.reply()
                    if reply is not None:
                        idle.append(worker)
                        yield opened(reply, worker.piece)
                        continue
                    worker.kill()
                    deaths[worker.piece] = deaths.get(worker.piece, 0) + 1
                    if deaths[worker.piece] <= RETRIES:
                        todo.appendleft(worker.piece)
                    else:
                        yield Done(worker.piece, error=Lost())
            for worker in idle:
                worker.end()
        finally:
            for worker in (*idle, *busy.values()):
                worker.kill()


class Threads:
    """Threads of this process, for work that releases the interpreter's lock: nothing is pickled, nothing gets lost."""

    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[Done[R], None, None]:
        from affordance.media import in_threads

        def one(index: int) -> Done[R]:
            return do(function, index, pieces[index])

        yield from in_threads(one, range(len(pieces)))


class _Worker:
    """A process with a pipe to it. It ends when the pipe does, so it outlives nobody by more than a piece."""

    def __init__(self, function: bytes) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.piece = -1
        self._process = context.Process(target=_work, args=(theirs, function), daemon=True)
        # Once it runs, starting a process leaves our mask alone: to start it would let interrupts in again.
        resource_tracker.ensure_running()
        with _without_interrupts():
            self._process.start()
        theirs.close()

    def give(self, piece: int, pickled: bytes) -> None:
        self.piece = piece
        with suppress(OSError):  # it died while it was idle, which the reply says
            self.connection.send((piece, pickled))

    def reply(self) -> bytes | None:
        """None: it is dead."""
        try:
            return self.connection.recv_bytes()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        self.connection.close()
        self._process.join(_GRACE)

    def kill(self) -> None:
        self.connection.close()
        self._process.kill()
        self._process.join()


def _work(connection: "Connection[Any, Any]", function: bytes) -> None:
    do_piece = partial(do_pickled, function)
    for piece, given in _received(connection):
        with suppress(OSError):  # nobody listens any more, which the next one says
            connection.send_bytes(do_piece(piece, given))


def _received(connection: "Connection[Any, Any]") -> Iterator[tuple[int, bytes]]:
    with suppress(EOFError, OSError):
        while True:
            yield connection.recv()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process started in here never sees a Ctrl-C, which the terminal sends to all: it is stopped by us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
