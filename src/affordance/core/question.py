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
    """One option as the model sees it: a letter, and a label whose first words are its `name`."""

    letter: str  # by which it is chosen: A, B...
    name: str  # what it is called in answers and truths
    label: str  # as it stands in the prompt


@dataclass(frozen=True, slots=True)
class SingleChoice:
    """One option by its letter on the first line, the reason after it."""

    options: tuple[AnswerOption, ...]  # in the order in which they are shown


@dataclass(frozen=True, slots=True)
class MultipleChoice:
    """All options that apply, by their letters with commas between them."""

    options: tuple[AnswerOption, ...]  # in the order in which they are shown


@dataclass(frozen=True, slots=True)
class LocationFormat:
    """A place in a picture, said in a dialect (by name, see `affordance.grounding`). Sizes are width and height of
    the picture as it is and as it is sent; `level` is `element` or `region`."""

    dialect: str  # in which coordinates are said, by name
    level: str  # element or region
    size: tuple[int, int]  # width and height of the picture as it is
    sent: tuple[int, int]  # and as the model gets it
    absent: bool = False  # whether the model is told how to say that nothing matches


@dataclass(frozen=True, slots=True)
class PairChoice:
    """One of two words on a last line, after `More effective:`."""

    first: str = "First"  # the word for the first design
    second: str = "Second"  # and for the second


@dataclass(frozen=True, slots=True)
class FreeText:
    """Any words: a step on the way to an answer, or an explanation."""


@dataclass(frozen=True, slots=True)
class RatingScale:
    """A whole number from `low` to `high`, in a JSON object with a reason."""

    low: int  # the least that can be said
    high: int  # the most

    def share_of(self, score: float) -> float:
        """A score as a share of the scale: 0 at its lower end, 1 at its upper end."""
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
    """An answer format as it is stored with a verdict."""
    # Not by `dataclasses.asdict`, which copies whatever it finds: this is done for every verdict.
    stored: dict[str, Json] = {name: getattr(answer_format, name) for name in _FIELDS_BY_CLASS[type(answer_format)]}
    if isinstance(answer_format, SingleChoice | MultipleChoice):
        stored["options"] = [
            {"letter": one.letter, "name": one.name, "label": one.label} for one in answer_format.options
        ]
    return {"kind": _KINDS_BY_CLASS[type(answer_format)], **stored}


def answer_format_from_json(stored: Mapping[str, Any]) -> AnswerFormat:
    """The answer format that was stored. Raises ValueError where it is of a later version."""
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
    """H(task, item, axes). The axes are what varies by design (order, option permutation, cues, expression,
    goal); wording, dialect, strategy and trial are not among them, so that models and prompt versions can be
    paired for ever."""
    return digest("question", task, item, dict(axes))


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its truth. It never leaves the runner: models get an `Ask`."""

    task: str  # its name
    item: str  # the id of what it is about
    axes: Mapping[str, Json]  # what varies by design, such as the order of options; part of the id
    media: tuple[MediaSpec, ...]  # that are shown, in this order
    prompt_fields: Mapping[str, str]  # what the prompt's placeholders stand for
    answer_format: AnswerFormat  # in what form the answer is asked for
    truth: str  # as text, in the form that the task's `read` compares with
    source_paths: Mapping[str, Path]  # where the pictures' sources are, by content digest
    tags: Mapping[str, str] = field(default_factory=dict)  # what a report breaks the numbers down by
    cluster: str = ""  # what was sampled; attempts of one cluster are not independent
    id: str = field(init=False)  # a digest of task, item and axes: the same for every model

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", question_id(self.task, self.item, self.axes))
        if not self.cluster:
            object.__setattr__(self, "cluster", self.item)
