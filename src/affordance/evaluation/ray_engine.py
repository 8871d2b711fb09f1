"""Pieces of work on a Ray cluster."""

import os
import pickle
import socket
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from affordance.core.errors import AffordanceError, UserError
from affordance.evaluation.engines import RETRIES, WorkerLost, WorkResult, run_pickled, unpickle_result

P = TypeVar("P")
R = TypeVar("R")

_PIECES_PER_CORE = (
    4  # pieces handed over for each core, so that none waits for the next and a cluster that grows sees why
)
_CONNECT_SECONDS = 10.0  # until a cluster has answered
_START_TRIES = 3  # tries to start one of our own
_OBJECT_STORE = 128 << 20  # bytes: what travels here is small
# Set before Ray is imported, unless the user did: no usage report, no warning about graphics cards, and
# not a word about dead workers on our standard output, where results belong.
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_task_oom_retries": str(RETRIES),  # for ever by default
    "RAY_DEFAULT_OBJECT_STORE_MAX_MEMORY_BYTES": str(_OBJECT_STORE),
}


class RayEngine:
    """A Ray cluster: the one at `address`, else that of RAY_ADDRESS, else a new one on this machine for as long as the
    work takes (`local` is always that); a process that is connected already stays with its cluster. Every node needs
    this package. Ray repeats the pieces of a lost worker or node, up to three times each.

    A cluster that happens to run on this machine is not joined without a request: it may belong to another user, whose
    results this process would unpickle, or end with the command that started it."""

    def __init__(self, address: str | None = None) -> None:
        self._address = address

    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[WorkResult[R], None, None]:
        pickled = pickle.dumps(function)
        with _connect(self._address) as ray:
            run = ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)(run_pickled)
            sent = ray.put(pickled)
            todo = deque(range(len(pieces)))
            under_way: dict[Any, int] = {}
            try:
                while todo or under_way:
                    room = _PIECES_PER_CORE * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(under_way)
                    for piece in [todo.popleft() for _ in range(min(room, len(todo)))]:
                        under_way[run.remote(sent, piece, pickle.dumps(pieces[piece]))] = piece
                    for ready in ray.wait(list(under_way))[0]:
                        yield _fetch_result(ray, ready, under_way.pop(ready))
            finally:
                for reference in under_way:
                    ray.cancel(reference, force=True)


def _fetch_result(ray: Any, reference: Any, piece: int) -> WorkResult[Any]:
    try:
        return unpickle_result(ray.get(reference), piece)
    except ray.exceptions.RayTaskError as error:  # not the function's, whose errors come as results
        last = str(error).strip().splitlines()[-1]
        return WorkResult(
            piece, error=AffordanceError(f"a Ray worker cannot run this package: {last}; install it on all nodes")
        )
    except ray.exceptions.RayError:
        return WorkResult(piece, error=WorkerLost())


@contextmanager
def _connect(address: str | None) -> Iterator[Any]:
    ray = _import_ray()
    if ray.is_initialized():
        yield ray
        return
    where = address or os.environ.get("RAY_ADDRESS") or "local"
    try:
        _check_reachable(where)
        _initialize(ray, where)
    except (OSError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        if where == "local":
            raise UserError(
                f"expected Ray to start here, it did not: {reason}; try again when this computer has less to do, or "
                "use --engine local"
            ) from None
        raise UserError(
            f"expected a Ray cluster at {where}, found none that can be used: {reason}; "
            "start one with `ray start --head` (one that asks for a token wants RAY_AUTH_MODE=token here too), or set "
            "RAY_ADDRESS=local"
        ) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _initialize(ray: Any, address: str) -> None:
    """Of a cluster of our own Ray gives up when its parts do not meet within some seconds: too soon on a computer with
    much to do, where the next try finds most of what it reads in memory."""
    for last in (*[False] * (_START_TRIES - 1), True):
        try:
            ray.init(address=address, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
            return
        except BaseException as error:
            _stop_partial_cluster(ray, error)
            if type(error) is not Exception:  # what it raises then is of no kind
                raise
            if last or address != "local":
                raise RuntimeError(str(error)) from None


def _stop_partial_cluster(ray: Any, error: BaseException) -> None:
    """Ray leaves the parts of a cluster that failed to start running until this process ends. Only the frame in which
    it failed has them."""
    ray.shutdown()
    for frame, _ in traceback.walk_tb(error.__traceback__):
        node = frame.f_locals.get("self")
        if isinstance(node, ray._private.node.Node):
            node.kill_all_processes(check_alive=False, allow_graceful=True)
            return


def _check_reachable(address: str) -> None:
    """Without this check, Ray reports an address without a cluster after two minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()


def _import_ray() -> Any:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise UserError("the engine `ray` needs Ray: pip install 'affordance[ray]'") from None
    return ray
