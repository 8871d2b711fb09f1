"""Questions, their ids, and the formats in which answers are requested."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from affordance.core.digest import digest
from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One option of a choice."""

    letter: str  # A, B... in the prompt
    name: str  # in answers and truths
    label: str  # its text in the prompt, which begins with the name


@dataclass(frozen=True, slots=True)
class SingleChoice:
    """One option by its letter in the first line, followed by a reason."""

    options: tuple[AnswerOption, ...]  # in the order of the prompt


@dataclass(frozen=True, slots=True)
class MultipleChoice:
    """All options that apply, as letters separated by commas."""

    options: tuple[AnswerOption, ...]  # in the order of the prompt


@dataclass(frozen=True, slots=True)
class LocationFormat:
    """A location in an image, in a coordinate dialect (see `affordance.grounding`)."""

    dialect: str  # by name
    level: str  # element or region
    size: tuple[int, int]  # width and height of the image
    sent: tuple[int, int]  # and of the image as it is sent
    absent: bool = False  # whether the prompt says how to answer that nothing matches


@dataclass(frozen=True, slots=True)
class PairChoice:
    """One of two words in the last line, after `More effective:`."""

    first: str = "First"  # the word for the first design
    second: str = "Second"  # and for the second


@dataclass(frozen=True, slots=True)
class FreeText:
    """Free text: an intermediate step, or an explanation."""


@dataclass(frozen=True, slots=True)
class RatingScale:
    """A whole number from `low` to `high`, in a JSON object with a reason."""

    low: int  # the lowest rating
    high: int  # the highest rating

    def share_of(self, score: float) -> float:
        """A rating as a share of the scale: 0 at its lower end, 1 at its upper end."""
        return (score - self.low) / (self.high - self.low)

    def score_of(self, share: float) -> float:
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True, slots=True)
class YesNo:
    """The word Yes or the word No."""


AnswerFormat = SingleChoice | MultipleChoice | LocationFormat | PairChoice | FreeText | RatingScale | YesNo

_CLASSES_BY_KIND: dict[str, type[AnswerFormat]] = {  # as they are stored
    "single_choice": SingleChoice,
    "multiple_choice": MultipleChoice,
    "location": LocationFormat,
    "pair_choice": PairChoice,
    "free_text": FreeText,
    "rating": RatingScale,
    "yes_no": YesNo,
}
_KINDS_BY_CLASS = {kind: name for name, kind in _CLASSES_BY_KIND.items()}
_FIELDS_BY_CLASS = {kind: [field.name for field in fields(kind)] for kind in _KINDS_BY_CLASS}


def answer_format_to_json(answer_format: AnswerFormat) -> dict[str, Json]:
    """An answer format as JSON, as it is stored with a verdict."""
    # Not `dataclasses.asdict`, which copies everything: this runs for every verdict.
    stored: dict[str, Json] = {name: getattr(answer_format, name) for name in _FIELDS_BY_CLASS[type(answer_format)]}
    if isinstance(answer_format, SingleChoice | MultipleChoice):
        stored["options"] = [
            {"letter": one.letter, "name": one.name, "label": one.label} for one in answer_format.options
        ]
    return {"kind": _KINDS_BY_CLASS[type(answer_format)], **stored}


def answer_format_from_json(stored: Mapping[str, Any]) -> AnswerFormat:
    """The answer format of stored JSON. Raises ValueError if it is of a later version."""
    values = dict(stored)
    kind = values.pop("kind", None)
    try:
        if kind in ("single_choice", "multiple_choice"):
            values["options"] = tuple(AnswerOption(**option) for option in values["options"])
        elif kind == "location":
            values |= {name: tuple(values[name]) for name in ("size", "sent")}
        return _CLASSES_BY_KIND[kind](**values)
    except (KeyError, TypeError) as error:
        raise ValueError(f"expected an answer format, found one of kind {kind!r} ({error})") from None


def question_id(task: str, item: str, axes: Mapping[str, Json]) -> str:
    """H(task, item, axes). The axes are what varies by design (order, option permutation, cues, expression, goal).
    Wording, dialect, strategy and trial are not among them, so that results of models and prompt versions stay
    comparable."""
    return digest("question", task, item, dict(axes))


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its truth. It never leaves the executor: models get a `Request`."""

    task: str  # name
    item: str  # id of the item it is about
    axes: Mapping[str, Json]  # what varies by design, such as option order; part of the id
    media: tuple[MediaSpec, ...]  # images and videos in the order of the prompt
    prompt_fields: Mapping[str, str]  # values of the prompt's placeholders
    answer_format: AnswerFormat  # in which the answer is requested
    truth: str  # as text, in the form that the task's scorer compares with
    source_paths: Mapping[str, Path]  # paths of media sources by content digest
    tags: Mapping[str, str] = field(default_factory=dict)  # by which reports break results down
    cluster: str = ""  # what was sampled; attempts of one cluster are dependent
    id: str = field(init=False)  # digest of task, item and axes: the same for every model

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", question_id(self.task, self.item, self.axes))
        if not self.cluster:
            object.__setattr__(self, "cluster", self.item)
