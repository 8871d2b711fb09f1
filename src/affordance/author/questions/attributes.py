"""What is known of a target besides the question: how crowded it is there, how large it is, how many look like it.

Raw values go with each question. Classes need cut points, and these belong to the split that is exported."""

from collections.abc import Mapping, Sequence

from affordance.author.records import QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.box import Box
from affordance.grounding.density import (
    area_class,
    area_cuts,
    area_percent,
    cut_points,
    density_class,
    nid_count,
    nid_gauss,
)

COUNT, GAUSS, AREA, GROUP = "nid_count", "nid_gauss", "area_percent", "group_size"
COUNT_CLASS, GAUSS_CLASS, AREA_CLASS = "density_class_count", "density_class", "area_class"

Cuts = dict[str, dict[str, list[float]]]  # by split, then by attribute


def attributes(screen: ScreenState, boxes: Sequence[Box], group_sizes: Sequence[int]) -> list[dict[str, str]]:
    """Of each target, in pixels of the screen. Density is missing where the elements of the screen are not known."""
    corners = [box.xyxy for box in boxes]
    found = [
        {AREA: f"{percent:.6g}", GROUP: str(members)}
        for percent, members in zip(area_percent(corners, screen.size), group_sizes, strict=True)
    ]
    if screen.elements is None or not boxes:
        return found
    centres = [(one.box.centre.x, one.box.centre.y) for one in screen.elements.elements]
    counts, sums = nid_count(corners, centres), nid_gauss(corners, centres, screen.size)
    return [
        {COUNT: str(int(count)), GAUSS: f"{float(total):.6g}", **rest}
        for rest, count, total in zip(found, counts, sums, strict=True)
    ]


def with_classes(questions: Mapping[str, QuestionRecord]) -> tuple[dict[str, QuestionRecord], Cuts]:
    """The questions of an export with their classes, and the cut points that made them, to be kept with it. There are
    cut points of its own for each form and level (`ground/element`), over all its questions, so that none may be among
    them that is not exported. A value that is missing has no class."""
    cuts: Cuts = {}
    for split in dict.fromkeys(map(_split, questions.values())):
        mine = [one for one in questions.values() if _split(one) == split]
        for attribute, make in ((COUNT, cut_points), (GAUSS, cut_points), (AREA, area_cuts)):
            if values := [value for one in mine if (value := _number(one, attribute)) is not None]:
                cuts.setdefault(split, {})[attribute] = list(make(values))
    classed = {name: _classed(one, cuts.get(_split(one), {})) for name, one in questions.items()}
    return classed, {split: cuts[split] for split in sorted(cuts)}


def _classed(question: QuestionRecord, cuts: Mapping[str, Sequence[float]]) -> QuestionRecord:
    classes: dict[str, str] = {}
    for attribute, name in ((COUNT, COUNT_CLASS), (GAUSS, GAUSS_CLASS)):
        if (value := _number(question, attribute)) is not None:
            low, high = cuts[attribute]
            classes[name] = str(density_class(value, (low, high)))
    if (percent := _number(question, AREA)) is not None:
        low, middle, high = cuts[AREA]
        classes[AREA_CLASS] = str(area_class(percent, (low, middle, high)))
    return question.model_copy(update={"attributes": {**question.attributes, **classes}})


def _split(question: QuestionRecord) -> str:
    return f"{question.form}/{question.level}"


def _number(question: QuestionRecord, attribute: str) -> float | None:
    found = question.attributes.get(attribute)
    return None if found is None else float(found)
