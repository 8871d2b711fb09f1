"""Describing things by their order among others of their kind and size that stand in a row or in a column.

A line is what people see as one: steps in it are even, or something holds it together. It is told only where its words
fit no other line, be it of other looks or another number of things."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median, median_low

from affordance.author.questions.rivals import Rivals, vague
from affordance.author.questions.things import (
    ABOUT_IN_LINE,
    INSIDE,
    MOST_COUNTED,
    Ranked,
    Scene,
    Thing,
    nearest,
    number,
    ordinal,
    part_of,
    plural,
    x_of,
    y_of,
)
from affordance.core.geometry import Box, bounding_box
from affordance.grounding.look_alikes import look_alike_groups

EVEN = 0.2  # by which steps of a line may differ
LEAST = 3  # of a line on a screen that is not known completely: two say nothing of steps
BREAK = 2.0  # times the usual step: from there on another line starts
FILLED = 0.6  # of what holds a line together that the line takes up along it

Line = Sequence[Thing]


def in_lines(things: Sequence[Thing], anchors: Sequence[Thing], rivals: Rivals, scene: Scene) -> Ranked:
    """`anchors` have texts that a line may be told to stand next to."""
    by_id = {one.id: one for one in things}
    for group in look_alike_groups([(one.id, one.kind, one.box) for one in things], None):
        rows = _rows([by_id[name] for name in group])
        if all(len(row) == 1 for row in rows):
            column = [row[0] for row in rows]
            if max(map(x_of, column)) - min(map(x_of, column)) <= column[0].box.x2 - column[0].box.x1:
                for run in _runs(column, "column"):
                    yield from _ordered(run, "column", anchors, rivals, scene)
            continue
        for row in rows:
            for run in _runs(row, "row"):
                yield from _ordered(run, "row", anchors, rivals, scene)
        if scene.complete:
            yield from _in_grid(rows, rivals, scene)


def _in_grid(rows: Sequence[Line], rivals: Rivals, scene: Scene) -> Ranked:
    """By row and place in it, where all rows are alike and nothing else is in line."""
    members = [one for row in rows for one in row]
    if not 1 < len(rows) <= MOST_COUNTED or len({len(row) for row in rows}) > 1 or vague(members[0].kind):
        return
    down = [row[0] for row in rows]
    if _step(down, "column") is None or not all(_counts(row, "row", rivals, scene) for row in rows):
        return
    if not all(abs(x_of(one) - x_of(other)) <= EVEN * _extent(one, "row") for one, other in pairwise(down)):
        return
    if rivals.only_line(members, "row"):
        for place, row in enumerate(rows):
            where = f"in the {ordinal(place)} of {number(len(rows))} rows"
            yield from ((one.id, 7, f"{_nth(row, at, 'row')} {where}") for at, one in enumerate(row))


def _ordered(line: Line, shape: str, anchors: Sequence[Thing], rivals: Rivals, scene: Scene) -> Ranked:
    if not _counts(line, shape, rivals, scene):
        return
    where = [(3, f"in the {shape} {near}") for near in _next_to(line, anchors, rivals, scene)]
    if not vague(line[0].kind):
        box = bounding_box([one.box for one in line])
        part = part_of(box, scene.size)
        near_by = rivals.near_by(part)
        if rivals.only_line(line, shape):
            where.append((1, f"in a {shape}"))
        elif box.intersection_area(near_by) >= box.area and rivals.only_line(line, shape, near_by):
            where.append((4, f"in a {shape} in the {part} of the screen"))
    for place, one in enumerate(line):
        yield from ((one.id, rank, f"{_nth(line, place, shape)} {said}") for rank, said in where)


def _counts(line: Line, shape: str, rivals: Rivals, scene: Scene) -> bool:
    """Whether everybody counts the same things in a line: none is missing, and none of other looks goes on with it."""
    if not 1 < len(line) <= MOST_COUNTED:
        return False
    step = _step(line, shape)
    others = rivals.of(line)
    if (step is None or len(line) < LEAST) and not (scene.complete and _together(line, shape, others, scene)):
        return False
    reach = step if step is not None else max(_steps(line, shape))
    if any(_goes_on(one.box, line, shape, BREAK * reach) for one in others):
        return False
    if scene.complete:
        return True
    across, down = (reach, 0.0) if shape == "row" else (0.0, reach)
    boxes = [one.box for one in line]
    ends = _moved(boxes[0], -across, -down), _moved(boxes[-1], across, down)
    return not any(scene.one_more(boxes, end) for end in ends)


def _together(line: Line, shape: str, others: Line, scene: Scene) -> bool:
    """Whether something that is filled by a line, and has nothing else of the kind, holds it together; or two that are
    no farther apart than they are long."""
    box, axis = bounding_box([one.box for one in line]), 0 if shape == "row" else 1
    length = box.xyxy[axis + 2] - box.xyxy[axis]
    if len(line) < LEAST and max(_steps(line, shape)) <= BREAK * _extent(line[0], shape):
        return True
    return any(
        box.intersection_area(holder) >= INSIDE * box.area
        and length >= FILLED * (holder.xyxy[axis + 2] - holder.xyxy[axis])
        and not any(one.box.intersection_area(holder) > 0 for one in others)
        for holder in scene.containers
    )


def _goes_on(box: Box, line: Line, shape: str, reach: float) -> bool:
    """Whether a box is in line with others, among them or next to an end of them."""
    whole, axis = bounding_box([one.box for one in line]).xyxy, 0 if shape == "row" else 1
    mine, cross = box.xyxy, 1 - axis
    shared = min(mine[cross + 2], whole[cross + 2]) - max(mine[cross], whole[cross])
    if shared < 0.5 * min(mine[cross + 2] - mine[cross], whole[cross + 2] - whole[cross]):
        return False
    return max(mine[axis] - whole[axis + 2], whole[axis] - mine[axis + 2]) < reach - _extent(line[0], shape)


def _runs(line: Line, shape: str) -> Iterator[Line]:
    """A line, divided where the way from one to the next is much longer than usual."""
    steps = _steps(line, shape)
    if not steps:
        return
    usual, start = median_low(steps), 0
    for place, step in enumerate(steps, 1):
        if step > BREAK * usual:
            yield line[start:place]
            start = place
    yield line[start:]


def _steps(line: Line, shape: str) -> list[float]:
    return [after - before for before, after in pairwise(map(x_of if shape == "row" else y_of, line))]


def _step(line: Line, shape: str) -> float | None:
    """From one to the next; None where that varies."""
    steps = _steps(line, shape)
    step = median(steps)
    return step if all(abs(one - step) <= EVEN * step for one in steps) else None


def _extent(thing: Thing, shape: str) -> float:
    box = thing.box
    return box.x2 - box.x1 if shape == "row" else box.y2 - box.y1


def _moved(box: Box, across: float, down: float) -> Box:
    return Box(box.space, box.x1 + across, box.y1 + down, box.x2 + across, box.y2 + down)


def _nth(line: Line, place: int, shape: str) -> str:
    start = "left" if shape == "row" else "top"
    return f"the {ordinal(place)} from the {start} of {number(len(line))} similar {plural(line[0].kind)}"


def _next_to(line: Line, anchors: Sequence[Thing], rivals: Rivals, scene: Scene) -> list[str]:
    """Texts that a whole line stands next to, the nearest on each side; seen from there, nothing of the kind is
    nearer."""
    box, members = bounding_box([one.box for one in line]), {one.id for one in line}
    whole = Thing("", line[0].kind, box)
    others = [one for one in anchors if one.id not in members]
    found = []
    # As seen from the line: a text on its left is what it stands right of.
    for side, back, said in (
        ("above", "below", "just below"),
        ("left", "right", "right of"),
        ("below", "above", "just above"),
        ("right", "left", "left of"),
    ):
        near = nearest(box, others, side, scene.size)
        if near is None or scene.parted(box, near.box):
            continue
        lines = [whole, *(one for one in rivals.of(line) if one.id != near.id)]
        if nearest(near.box, lines, back, scene.size, ABOUT_IN_LINE) is whole:
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
