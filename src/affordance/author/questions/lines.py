"""Describing things by their order among others of their kind and size that stand in a row or in a column."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from affordance.author.questions.things import (
    MOST_COUNTED,
    Ranked,
    Scene,
    Thing,
    around,
    nearest,
    number,
    ordinal,
    part_of,
    plural,
    x_of,
    y_of,
)
from affordance.core.box import Box
from affordance.grounding.alike import look_alike_groups

EVEN = 0.2  # by which steps of a line may differ
LEAST = 3  # of a line on a screen that is not known completely: two say nothing of steps
# No words for a look, or none that goes with a row or a column of them.
VAGUE = ("element", "control", "area", "region", "group", "section", "container", "block", "row", "column", "list")

_OPPOSITE = {"left": "right", "top": "bottom"}


def in_lines(things: Sequence[Thing], anchors: Sequence[Thing], scene: Scene) -> Ranked:
    """`anchors` have texts that a line may be told to stand next to."""
    by_id = {one.id: one for one in things}
    for group in look_alike_groups([(one.id, one.kind, one.box) for one in things], None):
        rows = _rows([by_id[name] for name in group])
        if all(len(row) == 1 for row in rows):
            line = [row[0] for row in rows]
            aligned = max(map(x_of, line)) - min(map(x_of, line)) <= line[0].box.x2 - line[0].box.x1
            yield from _ordered(line, "top", "column" if aligned else "", anchors, scene)
            continue
        for row in rows:
            yield from _ordered(row, "left", "row", anchors, scene)
        if scene.complete and 1 < len(rows) <= MOST_COUNTED:
            for place, row in enumerate(rows):
                where = f"in the {ordinal(place)} of {number(len(rows))} rows"
                if 1 < len(row) <= MOST_COUNTED:
                    yield from ((one.id, 7, f"{_nth(row, at, 'left')} {where}") for at, one in enumerate(row))


def _ordered(line: Sequence[Thing], start: str, shape: str, anchors: Sequence[Thing], scene: Scene) -> Ranked:
    within = f" in a {shape}" if shape else ""
    next_to = _next_to(line, anchors, scene.size) if shape and len(line) > 1 else []
    # Which are meant is hard to see of things that stand anyhow, or whose kind is no word for a look.
    unanchored = 8 if not shape else 5 if line[0].kind.endswith(VAGUE) else 1
    for one, nth in _counted(line, start, shape, scene):
        yield one.id, unanchored, f"{nth}{within}"
        for near in next_to:
            yield one.id, 3, f"{nth} in the {shape} {near}"
        yield one.id, 4 if shape else 8, f"{nth}{within} in the {part_of(around(line), scene.size)} of the screen"


def _counted(line: Sequence[Thing], start: str, shape: str, scene: Scene) -> list[tuple[Thing, str]]:
    """The members of a line with their place in it, as far as it can be counted. On a screen of which not all is known
    it takes even steps, so that none is missing within, and an end at which no further one is."""
    if not 1 < len(line) <= MOST_COUNTED:
        return []
    if scene.complete:
        return [(one, _nth(line, place, start)) for place, one in enumerate(line)]
    if len(line) < LEAST or not shape or (step := _step(line, shape)) is None:
        return []
    across, down = (step, 0.0) if shape == "row" else (0.0, step)
    boxes = [one.box for one in line]
    first = not scene.one_more(boxes, _moved(boxes[0], -across, -down))
    last = not scene.one_more(boxes, _moved(boxes[-1], across, down))
    if first and last:
        return [(one, _nth(line, place, start)) for place, one in enumerate(line)]
    several = f"of several similar {plural(line[0].kind)}"
    if first:
        return [(one, f"the {ordinal(place)} from the {start} {several}") for place, one in enumerate(line)]
    if last:
        return [
            (one, f"the {ordinal(n)} from the {_OPPOSITE[start]} {several}") for n, one in enumerate(reversed(line))
        ]
    return []


def _step(line: Sequence[Thing], shape: str) -> float | None:
    """From one to the next; None where that varies."""
    steps = [after - before for before, after in pairwise(map(x_of if shape == "row" else y_of, line))]
    step = median(steps)
    return step if all(abs(one - step) <= EVEN * step for one in steps) else None


def _moved(box: Box, across: float, down: float) -> Box:
    return Box(box.space, box.x1 + across, box.y1 + down, box.x2 + across, box.y2 + down)


def _nth(line: Sequence[Thing], place: int, start: str) -> str:
    return f"the {ordinal(place)} from the {start} of {number(len(line))} similar {plural(line[0].kind)}"


def _next_to(line: Sequence[Thing], anchors: Sequence[Thing], size: tuple[int, int]) -> list[str]:
    """Texts that a whole line stands next to, the nearest on each side."""
    box, members = around(line), {one.id for one in line}
    others = [one for one in anchors if one.id not in members]
    found = []
    # As seen from the line: a text on its left is what it stands right of.
    for side, said in (("above", "just below"), ("left", "right of"), ("below", "just above"), ("right", "left of")):
        if (near := nearest(box, others, side, size)) is not None:
            found.append(f"{said} “{near.text}”")
    return found


def _rows(things: Sequence[Thing]) -> list[list[Thing]]:
    """From top to bottom, each from left to right. Things of about one size are in one row if they overlap by half."""
    rows: list[list[Thing]] = []
    for one in sorted(things, key=lambda thing: (y_of(thing), x_of(thing), thing.id)):
        if rows and y_of(one) - y_of(rows[-1][0]) <= (one.box.y2 - one.box.y1) / 2:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [sorted(row, key=lambda thing: (x_of(thing), thing.id)) for row in rows]
