"""What workers of engines do in tests: importable, and told apart by what they leave in a folder."""

import os
import sys
import time
from collections import Counter
from pathlib import Path

from affordance.core.errors import DataError
from affordance.evaluation.engines import get_engine

HELD, DYING = 3, 5  # pieces
HANGING = 900  # seconds: longer than anybody waits

Order = tuple[Path, int]  # a folder and a piece


class Odd(Exception):
    """Cannot be unpickled: it wants two arguments and keeps one."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def squared(number: int) -> int:
    return number * number


def threads() -> tuple[int, dict[str, str]]:
    import cv2

    return cv2.getNumThreads(), {name: value for name, value in os.environ.items() if name.endswith("_NUM_THREADS")}


def strange(number: int) -> object:
    match number:
        case 0:
            raise ValueError("zero")
        case 1:
            raise DataError("bad line", Path("items.jsonl"), 7)
        case 2:
            raise Odd(3, 4)
        case 3:
            return lambda: number
        case _:
            return threads()


def note(order: Order) -> int:
    """Leave a file that says who began which piece, and give the piece."""
    folder, piece = order
    (folder / f"{piece}-{os.getpid()}").touch()
    return piece


def held(order: Order) -> int:
    """One piece waits to be killed, the first time it is done."""
    folder, piece = order
    first = not begun(folder, piece)
    note(order)
    if piece == HELD and first:
        time.sleep(HANGING)
    return piece


def dying(order: Order) -> int:
    if note(order) == DYING:
        os._exit(9)
    return order[1]


def waiting(order: Order) -> int:
    note(order)
    time.sleep(HANGING)
    return order[1]


def begun(folder: Path, piece: int) -> list[int]:
    """The processes that began a piece."""
    return [int(path.name.partition("-")[2]) for path in folder.glob(f"{piece}-*")]


def tries(folder: Path) -> Counter[int]:
    return Counter(int(path.name.partition("-")[0]) for path in folder.iterdir())


if __name__ == "__main__":
    from engine_work import waiting as work  # by the name that workers import

    for _ in get_engine(sys.argv[1], processes=2, address="local").map(work, [(Path(sys.argv[2]), 0)]):
        pass
