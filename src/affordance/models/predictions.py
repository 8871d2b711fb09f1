"""Predictions of others, from a file.

A line of JSONL is `{"item": ..., "trial": 0, "reply": "..."}`, with "question" and a question's id in place of "item"
where an item is asked about in several ways; "trial" is 0 if left out. In place of "reply" a place may be given:
`"box": {"space": "pixel", "xyxy": [...]}`, `"point": {"space": "pixel", "xy": [...]}` or `"absent": true`.

A result file of ScreenSpot-Pro is a JSON object with "details"; of each, `pred` is a point in pixels of the picture
`img_path`, said of `prompt_to_evaluate`, whose truth is `bbox`. A `pred` that is null could not be read there, and is
not read here either: it is no answer."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.core.question import LocationFormat, Question
from affordance.core.validation import format_validation_error
from affordance.datasets.items import BoxField
from affordance.grounding.location_scoring import TargetTruth
from affordance.grounding.locations import ABSENT, Absent, Location

_EXTENTS = {CoordinateSpace.UNIT: 1, CoordinateSpace.MILLE: 1000}
_MAX_EXTENTS = 2  # extents: what misses the picture is nearer than that
_MIN_LOCATIONS = 5  # places; fewer may well be what a model said


def wrong_units(locations: Iterable[Location | None]) -> str:
    """What was expected and found where nearly all of a file is said to be in one space, and none of that is in its
    units. Empty where nothing is odd: some places near the corner, or beside the picture, are what a model said."""
    numbers: dict[CoordinateSpace, list[tuple[float, ...]]] = {}
    for place in locations:
        if place is not None and not isinstance(place, Absent):
            numbers.setdefault(place.space, []).append(place.xyxy if isinstance(place, Box) else (place.x, place.y))
    total = sum(map(len, numbers.values()))
    for space, found in numbers.items():
        if len(found) < max(_MIN_LOCATIONS, 0.9 * total):
            continue
        extent = _EXTENTS.get(space)
        if extent is not None and all(max(one) > _MAX_EXTENTS * extent for one in found):
            return f"expected numbers from 0 to {extent}, as {str(space)!r} has them, found only larger ones"
        if space is not CoordinateSpace.UNIT and _are_fractions(found):
            units = "pixels" if space is CoordinateSpace.PIXEL else "thousandths"
            return f"expected {units}, found only numbers from 0 to 1"
    return ""


def _are_fractions(found: Iterable[tuple[float, ...]]) -> bool:
    """Corners alone may be pixels."""
    flat = [number for one in found for number in one]
    return all(0 <= number <= 1 for number in flat) and any(0 < number < 1 for number in flat)


_Finite = Annotated[float, Field(allow_inf_nan=False)]
_Two = Annotated[list[_Finite], Field(min_length=2, max_length=2)]
_Key = tuple[str, str, int]  # item or question, its id, and the trial


class _Spot(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    space: Literal["pixel", "unit", "mille"]
    xy: _Two


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)

    item: str | None = None
    question: str | None = None
    trial: int = 0
    reply: str | None = None
    box: BoxField | None = None
    point: _Spot | None = None
    absent: Literal[True] | None = None

    @model_validator(mode="after")
    def _check_fields(self) -> "_Line":
        if not (self.item or self.question):
            raise ValueError('expected "item" or "question"')
        if [self.reply, self.box, self.point, self.absent].count(None) != 3:
            raise ValueError('expected one of "reply", "box", "point" and "absent"')
        return self


class _Detail(BaseModel):
    """Of a ScreenSpot-Pro result; what we do not need is not looked at."""

    model_config = ConfigDict(extra="ignore")

    img_path: str
    prompt_to_evaluate: str
    pred: _Two | None
    bbox: Annotated[list[_Finite], Field(min_length=4, max_length=4)] | None = None
    raw_response: Any = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was said: a reply as it came, or the place that others read out of it."""

    response: str = ""
    location: Location | None = None
    unparsed_text: str = ""  # what others could make nothing of

    def in_pixels(self, size: tuple[int, int]) -> Location:
        assert self.location is not None
        return (
            self.location if isinstance(self.location, Absent) else self.location.to_space(CoordinateSpace.PIXEL, *size)
        )


@dataclass(frozen=True, slots=True)
class PredictionSet:
    by_key: Mapping[_Key, Prediction] = field(default_factory=dict)
    by_image: Mapping[tuple[str, str], list[tuple[list[float] | None, Prediction]]] = field(default_factory=dict)

    def all(self) -> Iterator[Prediction]:
        yield from self.by_key.values()
        yield from (one for found in self.by_image.values() for _, one in found)

    def find(self, question: Question, trial: int) -> Prediction | None:
        for key in (("question", question.id, trial), ("item", question.item, trial)):
            if key in self.by_key:
                return self.by_key[key]
        return (
            self._find_by_image(question) if trial == 0 and isinstance(question.answer_format, LocationFormat) else None
        )

    def _find_by_image(self, question: Question) -> Prediction | None:
        """By the picture's name, what was asked, and the truth where it is stated."""
        found = self.by_image.get((question.tags.get("picture", ""), question.prompt_fields["expression"]), [])
        boxes = [list(box.xyxy) for box in TargetTruth.target_from_text(question.truth).boxes]
        return next((one for bbox, one in found if bbox is None or not boxes or bbox in boxes), None)


def count_unmatched(predictions: PredictionSet, questions: Iterable[Question]) -> int:
    """How many predictions are for nothing that is asked."""
    known: set[str] = set()
    pictures: set[tuple[str, str]] = set()
    for question in questions:
        known |= {question.id, question.item}
        pictures.add((question.tags.get("picture", ""), question.prompt_fields.get("expression", "")))
    return sum(key[1] not in known for key in predictions.by_key) + sum(
        len(found) for key, found in predictions.by_image.items() if key not in pictures
    )


def read_predictions(path: Path) -> PredictionSet:
    """Those of a file. Raises a `DataError` where there are none, where one cannot be read, and where all are in other
    units than the file says."""
    details = _find_details(path)
    found = (
        PredictionSet(by_key=_read_lines(path))
        if details is None
        else PredictionSet(by_image=_read_details(details, path))
    )
    if not (found.by_key or found.by_image):
        raise DataError("expected at least one prediction, found none", path)
    if odd := wrong_units(one.location for one in found.all()):
        lines = '"point": {"space": "unit", "xy": [X, Y]}'
        todo = f"multiply by the size of each picture, or write JSONL with {lines}"
        if details is None:
            todo = 'say in "space" what they are: pixel, unit (shares) or mille (thousandths)'
        raise DataError(f"{odd}; {todo}", path)
    return found


def _read_details(details: list[Any], path: Path) -> dict[tuple[str, str], list[tuple[list[float] | None, Prediction]]]:
    by_picture: dict[tuple[str, str], list[tuple[list[float] | None, Prediction]]] = {}
    for number, detail in enumerate(details, 1):
        try:
            one = _Detail.model_validate(detail)
        except ValidationError as error:
            raise DataError(f"details, entry {number}: {format_validation_error(error)}", path) from None
        said = Prediction(unparsed_text=str(one.raw_response or ""))
        if one.pred is not None:
            said = Prediction(location=Point(CoordinateSpace.PIXEL, *one.pred))
        key = (one.img_path.replace("\\", "/").rpartition("/")[2], one.prompt_to_evaluate)
        others = by_picture.setdefault(key, [])
        if any(bbox == one.bbox for bbox, _ in others):
            raise DataError(f"details, entry {number}: {key[0]}, {key[1]!r} with this bbox is there twice", path)
        others.append((one.bbox, said))
    return by_picture


def _find_details(path: Path) -> list[Any] | None:
    """The entries of a result file; None for what is JSONL."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    details = found.get("details") if isinstance(found, dict) else None
    return details if isinstance(details, list) else None


def _read_lines(path: Path) -> dict[_Key, Prediction]:
    found: dict[_Key, Prediction] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                one = _Line.model_validate(json.loads(line))
            except ValidationError as error:
                raise DataError(format_validation_error(error), path, number) from None
            except (ValueError, RecursionError):
                raise DataError('expected a JSON object {"item", "trial", "reply"}', path, number) from None
            kind, value = ("question", one.question) if one.question else ("item", one.item)
            key = (kind, value or "", one.trial)
            if key in found:
                raise DataError(f"{kind} {value!r}, trial {one.trial}, is there twice", path, number)
            found[key] = Prediction(one.reply or "", _location_of(one))
    return found


def _location_of(line: _Line) -> Location | None:
    if line.absent:
        return ABSENT
    if line.point is not None:
        return Point(CoordinateSpace(line.point.space), *line.point.xy)
    box: Box | None = line.box
    return box
