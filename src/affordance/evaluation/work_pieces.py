"""Pieces of work for all engines. Functions, pieces and results are pickled; errors of pickling are results too."""

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from affordance.core.errors import AffordanceError, UserError

R = TypeVar("R")

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
