"""A piece of work on its way to a worker and back, for all engines alike.

Function, pieces and results travel pickled, and are unpickled where somebody can be told that it did not work."""

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
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


class Lost(UserError):
    """The worker died each time it had this piece."""

    def __init__(
        self, message: str = f"its worker died {RETRIES + 1} times; more memory for a worker may help"
    ) -> None:
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """What became of the piece with this index: a value, or what the function raised, or `Lost`."""

    piece: int
    value: R | None = None
    error: Exception | None = None

    def result(self) -> R:
        """The value; raises the error."""
        if self.error is not None:
            raise self.error
        return cast(R, self.value)


def do(function: Callable[[Any], R], piece: int, given: Any) -> Done[R]:
    try:
        return Done(piece, function(given))
    except Exception as error:  # noqa: BLE001  # it is for whoever listens
        return Done(piece, error=error)


def do_pickled(function: bytes, piece: int, given: bytes) -> bytes:
    """`do` in a worker. It uses one thread: there are as many workers as cores."""
    _stay_single_threaded()
    try:
        done = do(_unpickled(function), piece, pickle.loads(given))
        if done.error is not None:
            done = Done(piece, error=_portable(done.error))
        return pickle.dumps(done)
    except Exception as error:  # noqa: BLE001  # cannot be pickled or unpickled: the same
        return pickle.dumps(Done(piece, error=_portable(error)))


def opened(pickled: bytes, piece: int) -> Done[Any]:
    try:
        return cast(Done[Any], pickle.loads(pickled))
    except Exception as error:  # noqa: BLE001  # values are anybody's, and so is what unpickling them raises
        return Done(piece, error=error)


@lru_cache(maxsize=1)
def _unpickled(function: bytes) -> Callable[[Any], Any]:
    return cast(Callable[[Any], Any], pickle.loads(function))


def _portable(error: Exception) -> Exception:
    """As it is, with the worker's traceback as a note; where it cannot be pickled and back, its words."""
    where = f"in a worker:\n{''.join(traceback.format_exception(error))}".rstrip()
    portable = error
    if not _survives(error):
        words = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
        portable = (UserError if isinstance(error, UserError) else AffordanceError)(words)
    portable.add_note(where)
    return portable


def _survives(error: Exception) -> bool:
    try:
        again = pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001  # an __init__ of its own raises whatever it likes
        return False
    return type(again) is type(error) and str(again) == str(error)


def _stay_single_threaded() -> None:
    """Libraries that are loaded later read the variables."""
    for name in ONE_THREAD:
        os.environ[name] = "1"
    if (cv2 := sys.modules.get("cv2")) is not None:
        cv2.setNumThreads(1)
