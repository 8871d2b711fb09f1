"""What outcomes tell about the convention a model speaks."""

from collections.abc import Iterable

from affordance.core.attempt import COUNTED, Outcome
from affordance.core.box import Box
from affordance.grounding.conventions import Convention, Order
from affordance.grounding.dialects import Dialect
from affordance.grounding.inference import Probe
from affordance.grounding.selection import sent_size
from affordance.grounding.truths import Truth, centre


def probes(outcomes: Iterable[Outcome], dialect: Dialect) -> list[Probe]:
    """The model's own numbers beside the truth, for targets that are boxes; without numbers where there are none."""
    found = []
    for outcome in outcomes:
        if outcome.verdict is None or outcome.verdict.ended not in COUNTED:
            continue
        truth = Truth.target_from_text(outcome.truth)
        if truth.boxes:
            numbers = outcome.verdict.detail.get("numbers")
            found.append(_probe(numbers, truth.boxes[0], truth, dialect))
    return found


def _probe(numbers: object, box: Box, truth: Truth, dialect: Dialect) -> Probe:
    said = tuple(float(number) for number in numbers) if isinstance(numbers, list | tuple) and numbers else None
    return Probe(said, box, truth.size, sent_size(dialect, truth.size))


def hits(found: Iterable[Probe], convention: Convention) -> int:
    """How many answers, read by a convention, point into their targets."""
    count = 0
    for probe in found:
        if probe.numbers is not None and len(probe.numbers) in (2, 4):
            point = centre(convention.place(probe.numbers, probe.size, probe.sent))
            count += probe.box.contains(point.x, point.y)
    return count


def in_words(dialect: Dialect) -> str:
    """A dialect's convention as a sentence would have it."""
    grid, order = dialect.convention.grid, dialect.convention.order
    numbers = dict(zip("abc", grid.numbers, strict=False))
    return f"{_GRIDS[grid.kind].format(**numbers)}; boxes as {_ORDERS[order]}"


_GRIDS = {
    "original": "pixels of the picture as it is",
    "sent": "pixels of the picture as it is sent",
    "unit": "shares of width and height, 0 to 1",
    "percent": "percent of width and height",
    "mille": "thousandths of width and height",
    "side": "pixels of the picture shrunk to at most {a} on its longest side",
    "area": "pixels of the picture shrunk to at most {a} on its longest side and {b:,} in all",
    "tiles": "pixels of the picture shrunk to at most {a} on its longest and {b} on its shortest side",
    "smart": "pixels of the picture as smart resizing leaves it (sides multiples of {a}, at most {c:,} pixels)",
}
_ORDERS = {
    Order.XYXY: "two corners, x first",
    Order.YXYX: "two corners, y first",
    Order.XYWH: "a corner, width and height",
}
