"""Where work is done that is ours and not a model's: in processes of this machine, or on a Ray cluster.

An engine does the same to each piece of a list and hands on what comes of it, as it comes. The function and the pieces
must be picklable, and what they name (files, databases) must be reachable under the same name wherever they are done. A
piece may be done more than once, when a worker dies after the work and before the answer: what it writes must be the
same each time."""

from collections.abc import Callable, Generator, Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

from affordance.evaluation.process_engine import LocalEngine, ThreadEngine
from affordance.evaluation.ray_engine import RayEngine
from affordance.evaluation.work_pieces import WorkerLost, WorkResult

__all__ = ["Engine", "EngineName", "LocalEngine", "RayEngine", "ThreadEngine", "WorkResult", "WorkerLost", "get_engine"]

P = TypeVar("P")
R = TypeVar("R")


class Engine(Protocol):
    def map(self, function: Callable[[P], R], pieces: Sequence[P]) -> Generator[WorkResult[R], None, None]:
        """The result of each piece, in the order in which they finish. An error of the function is the result of its
        piece, which is not tried again. Closing the generator stops the work."""


class EngineName(StrEnum):
    LOCAL = "local"  # this machine
    RAY = "ray"  # a Ray cluster


def get_engine(name: str, *, processes: int | None = None, address: str | None = None) -> Engine:
    """`processes` is for the local engine, `address` for Ray."""
    match EngineName(name):
        case EngineName.LOCAL:
            return LocalEngine(processes)
        case EngineName.RAY:
            return RayEngine(address)
