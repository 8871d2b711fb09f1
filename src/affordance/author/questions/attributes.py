"""What is known of a target besides the question: how crowded it is there, how large it is, how many look like it.

Raw values go with each question. Classes need cut points, and these belong to the split that is exported."""

from collections.abc import Iterable, Mapping, Sequence

from affordance.author.records import QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
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
    """The questions of an export with their classes, and the cut points that made them, to be kept with it."""
    cuts = cuts_of(questions.values())
    return {name: classed(one, cuts) for name, one in questions.items()}, cuts


def cuts_of(questions: Iterable[QuestionRecord]) -> Cuts:
    """Cut points of its own for each form and level (`ground/element`), over all its questions, so that none may be
    among them that is not exported. Only numbers are kept on the way."""
    values: dict[str, dict[str, list[float]]] = {}
    for one in questions:
        for attribute in (COUNT, GAUSS, AREA):
            if (value := _number(one, attribute)) is not None:
                values.setdefault(_split(one), {}).setdefault(attribute, []).append(value)
    return {
        split: {
            attribute: list((area_cuts if attribute == AREA else cut_points)(found[attribute]))
            for attribute in (COUNT, GAUSS, AREA)
            if attribute in found
        }
        for split, found in sorted(values.items())
    }


def classed(question: QuestionRecord, cuts: Cuts) -> QuestionRecord:
    """With its classes by the cut points of its form and level. A value that is missing has no class."""
    mine = cuts.get(_split(question), {})
    classes: dict[str, str] = {}
    for attribute, name in ((COUNT, COUNT_CLASS), (GAUSS, GAUSS_CLASS)):
        if attribute in mine and (value := _number(question, attribute)) is not None:
            low, high = mine[attribute]
            classes[name] = str(density_class(value, (low, high)))
    if AREA in mine and (percent := _number(question, AREA)) is not None:
        low, middle, high = mine[AREA]
        classes[AREA_CLASS] = str(area_class(percent, (low, middle, high)))
    return question.model_copy(update={"attributes": {**question.attributes, **classes}})


def _split(question: QuestionRecord) -> str:
    return f"{question.form}/{question.level}"


def _number(question: QuestionRecord, attribute: str) -> float | None:
    found = question.attributes.get(attribute)
    return None if found is None else float(found)
