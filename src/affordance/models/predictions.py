"""Predictions of other tools, from a file.

A line of JSONL is `{"item": ..., "trial": 0, "reply": "..."}`, with "question" and a question's id in place of "item"
if an item has several questions; "trial" is 0 if left out. In place of "reply" a location may be given:
`"box": {"space": "pixel", "xyxy": [...]}`, `"point": {"space": "pixel", "xy": [...]}` or `"absent": true`.

A result file of ScreenSpot-Pro is a JSON object with "details". In each, `pred` is a point in pixels of the image
`img_path` for the expression `prompt_to_evaluate`, whose truth is `bbox`. A `pred` that is null was not parsed by the
tool that wrote the file, and is no answer here either.
"""

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
_MAX_EXTENTS = 2  # extents: what misses the image is nearer than that
_MIN_LOCATIONS = 5  # fewer may be what a model said


def wrong_units(locations: Iterable[Location | None]) -> str:
    """A message if nearly all locations of a file are in one coordinate space and none of them is in its units; else
    empty. A few locations near the corner or outside the image are what a model said."""
    numbers: dict[CoordinateSpace, list[tuple[float, ...]]] = {}
    for one in locations:
        if one is not None and not isinstance(one, Absent):
            numbers.setdefault(one.space, []).append(one.xyxy if isinstance(one, Box) else (one.x, one.y))
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
    """Whether numbers are fractions; 0 and 1 alone may be pixels."""
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
    """One entry of a ScreenSpot-Pro result; other fields are ignored."""

    model_config = ConfigDict(extra="ignore")

    img_path: str
    prompt_to_evaluate: str
    pred: _Two | None
    bbox: Annotated[list[_Finite], Field(min_length=4, max_length=4)] | None = None
    raw_response: Any = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """A response, or the location that another tool parsed from it."""

    response: str = ""
    location: Location | None = None
    unparsed_text: str = ""  # a response that the other tool could not parse

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
        """The prediction with the name of the image, the expression and, if stated, the truth."""
        found = self.by_image.get((question.tags.get("picture", ""), question.prompt_fields["expression"]), [])
        boxes = [list(box.xyxy) for box in TargetTruth.target_from_text(question.truth).boxes]
        return next((one for bbox, one in found if bbox is None or not boxes or bbox in boxes), None)


def count_unmatched(predictions: PredictionSet, questions: Iterable[Question]) -> int:
    """The number of predictions that match none of the questions."""
    known: set[str] = set()
    pictures: set[tuple[str, str]] = set()
    for question in questions:
        known |= {question.id, question.item}
        pictures.add((question.tags.get("picture", ""), question.prompt_fields.get("expression", "")))
    return sum(key[1] not in known for key in predictions.by_key) + sum(
        len(found) for key, found in predictions.by_image.items() if key not in pictures
    )


def read_predictions(path: Path) -> PredictionSet:
    """The predictions of a file.

    Raises:
        DataError: there are none, one cannot be read, or all are in other units than the file says.
    """
    details = _find_details(path)
    found = (
        PredictionSet(by_key=_read_lines(path))
        if details is None
        else PredictionSet(by_image=_read_details(details, path))
    )
    if not (found.by_key or found.by_image):
        raise DataError("expected at least one prediction, found none", path)
    if problem := wrong_units(one.location for one in found.all()):
        lines = '"point": {"space": "unit", "xy": [X, Y]}'
        remedy = f"multiply by the size of each image, or write JSONL with {lines}"
        if details is None:
            remedy = 'state the units in "space": pixel, unit (shares) or mille (thousandths)'
        raise DataError(f"{problem}; {remedy}", path)
    return found


def _read_details(details: list[Any], path: Path) -> dict[tuple[str, str], list[tuple[list[float] | None, Prediction]]]:
    by_picture: dict[tuple[str, str], list[tuple[list[float] | None, Prediction]]] = {}
    for number, detail in enumerate(details, 1):
        try:
            one = _Detail.model_validate(detail)
        except ValidationError as error:
            raise DataError(f"details, entry {number}: {format_validation_error(error)}", path) from None
        prediction = Prediction(unparsed_text=str(one.raw_response or ""))
        if one.pred is not None:
            prediction = Prediction(location=Point(CoordinateSpace.PIXEL, *one.pred))
        key = (one.img_path.replace("\\", "/").rpartition("/")[2], one.prompt_to_evaluate)
        others = by_picture.setdefault(key, [])
        if any(bbox == one.bbox for bbox, _ in others):
            raise DataError(f"details, entry {number}: {key[0]}, {key[1]!r} with this bbox occurs twice", path)
        others.append((one.bbox, prediction))
    return by_picture


def _find_details(path: Path) -> list[Any] | None:
    """The entries of a result file; None for JSONL."""
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
                raise DataError(f"{kind} {value!r}, trial {one.trial}, occurs twice", path, number)
            found[key] = Prediction(one.reply or "", _location_of(one))
    return found


def _location_of(line: _Line) -> Location | None:
    if line.absent:
        return ABSENT
    if line.point is not None:
        return Point(CoordinateSpace(line.point.space), *line.point.xy)
    box: Box | None = line.box
    return box
