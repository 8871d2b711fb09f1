"""Engines: our own work, which sends no request, in processes of this machine, in threads, or on a Ray cluster.

An engine calls a function on each piece of a list and yields the results as they finish. The function and the pieces
must be picklable, and the files and databases that they name must be reachable under the same name in every worker. A
piece may be done more than once, when a worker dies after the work and before its result arrives: what it writes must
be the same each time."""

import os
import pickle
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar, cast

from affordance.core.errors import AffordanceError, UserError

P = TypeVar("P")
R = TypeVar("R")

_EXIT_SECONDS = 5.0  # seconds a process has to end by itself
RETRIES = 3  # of a piece whose worker died
THREAD_COUNT_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


class WorkerLost(UserError):
    """The worker process died each time it had this piece."""

    def __init__(self, message: str = f"its worker process died {RETRIES + 1} times; give workers more memory") -> None:
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class WorkResult(Generic[R]):
    """What became of the piece with this index: a value, or what the function raised, or `Lost`."""

    index: int
    value: R | None = None
    error: Exception | None = None

    def result(self) -> R:
        """The value; raises the error."""
        if self.error is not None:
            raise self.error
        return cast(R, self.value)


def run_piece(function: Callable[[Any], R], index: int, argument: Any) -> WorkResult[R]:
    try:
        return WorkResult(index, function(argument))
    except Exception as error:  # noqa: BLE001  # raised by `WorkResult.result`
        return WorkResult(index, error=error)


def run_pickled(function: bytes, index: int, argument: bytes) -> bytes:
    """`do` in a worker. It uses one thread: there are as many workers as cores."""
    _use_one_thread()
    try:
        done = run_piece(_unpickle_function(function), index, pickle.loads(argument))
        if done.error is not None:
            done = WorkResult(index, error=_portable_error(done.error))
        return pickle.dumps(done)
    except Exception as error:  # noqa: BLE001  # cannot be pickled or unpickled: the same
        return pickle.dumps(WorkResult(index, error=_portable_error(error)))


def unpickle_result(pickled: bytes, index: int) -> WorkResult[Any]:
    try:
        return cast(WorkResult[Any], pickle.loads(pickled))
    except Exception as error:  # noqa: BLE001  # unpickling a value may raise anything
        return WorkResult(index, error=error)


@lru_cache(maxsize=1)
def _unpickle_function(function: bytes) -> Callable[[Any], Any]:
    return cast(Callable[[Any], Any], pickle.loads(function))


def _portable_error(error: Exception) -> Exception:
    """As it is, with the worker's traceback as a note; where it cannot be pickled and back, its words."""
    where = f"in a worker:\n{''.join(traceback.format_exception(error))}".rstrip()
    portable = error
    if not _can_be_pickled(error):
        words = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
        portable = (UserError if isinstance(error, UserError) else AffordanceError)(words)
    portable.add_note(where)
    return portable


def _can_be_pickled(error: Exception) -> bool:
    try:
        again = pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001  # an __init__ of its own raises whatever it likes
        return False
    return type(again) is type(error) and str(again) == str(error)


def _use_one_thread() -> None:
    """Libraries that are loaded later read the variables."""
    for name in THREAD_COUNT_VARIABLES:
        os.environ[name] = "1"
    if (cv2 := sys.modules.get("cv2")) is not None:
        cv2.setNumThreads(1)


class Engine(Protocol):
    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[WorkResult[R], None, None]:
        """The result of each piece, in the order in which they finish. An error of the function is the result of its
        piece, which is not tried again. Closing the generator stops the work."""


class EngineName(StrEnum):
    LOCAL = "local"  # this machine
    RAY = "ray"  # a Ray cluster


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


def get_engine(name: str, *, processes: int | None = None, address: str | None = None) -> Engine:
    """`processes` is for the local engine, `address` for Ray."""
    from affordance.evaluation.ray_engine import RayEngine  # it is an extra, and needs this module

    match EngineName(name):
        case EngineName.LOCAL:
            return LocalEngine(processes)
        case EngineName.RAY:
            return RayEngine(address)
