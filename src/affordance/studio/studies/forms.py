"""How an answer of a person looks: what a page lets them fill in. Each has a kind by which the page knows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Option:
    """`name` is what is kept; `definition` and `examples` (places of films among the blocks) can be opened."""

    name: str
    label: str
    definition: str = ""
    examples: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceForm:
    """One option, or all that apply. With `reason`, a text beside it, which may stay empty."""

    options: tuple[Option, ...]
    several: bool = False
    reason: str = ""  # the label of the text; empty: none
    kind: Literal["choice"] = "choice"


@dataclass(frozen=True, slots=True)
class EitherForm:
    """One of the two pictures, the first or the second as shown."""

    labels: tuple[str, str] = ("First", "Second")
    kind: Literal["either"] = "either"


@dataclass(frozen=True, slots=True)
class PlaceForm:
    """A place in the first picture: a point, or with `box` a box. `absent`: people may say that there is no such
    thing."""

    size: tuple[int, int]
    box: bool = True
    absent: bool = False
    kind: Literal["place"] = "place"


@dataclass(frozen=True, slots=True)
class TextField:
    name: str
    label: str
    hint: str = ""
    rows: int = 3
    longest: int = 2000
    needed: bool = True


@dataclass(frozen=True, slots=True)
class WordsForm:
    fields: tuple[TextField, ...]
    kind: Literal["words"] = "words"


@dataclass(frozen=True, slots=True)
class ScaleForm:
    """A whole number; `words` say what some of them mean."""

    low: int
    high: int
    words: Mapping[int, str] = field(default_factory=dict)
    kind: Literal["scale"] = "scale"


@dataclass(frozen=True, slots=True)
class YesNoForm:
    question: str = ""
    kind: Literal["yes or no"] = "yes or no"


@dataclass(frozen=True, slots=True)
class TagsForm:
    """Tags of one's own, of which `known` are those that were used before, and a note."""

    known: tuple[str, ...] = ()
    kind: Literal["tags"] = "tags"


AnswerForm = ChoiceForm | EitherForm | PlaceForm | WordsForm | ScaleForm | YesNoForm | TagsForm
