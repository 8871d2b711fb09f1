"""Pairs of designs of a project, and what people say of them."""

from typing import Annotated, Literal

from pydantic import Field

from affordance.core.validation import StrictModel
from affordance.datasets import DesignPair
from affordance.datasets.items import BoxField, NonEmptyStr

Size = Annotated[list[Annotated[int, Field(gt=0)]], Field(min_length=2, max_length=2)]  # width and height
Spot = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(min_length=2, max_length=2)]  # x and y


class Designs(DesignPair):
    """A pair, with what is known of its files, in the order of the images. Its rationales are documents of their own
    (`Reason`), of which those that it came with are the first. `origin` says where it is from: dataset and id there. A
    pair that was put `aside` is in no study and no export; `note` says why."""

    digests: Annotated[list[NonEmptyStr], Field(min_length=2, max_length=2)]
    sizes: Annotated[list[Size], Field(min_length=2, max_length=2)]
    origin: str = ""
    aside: bool = False
    note: str = ""


class Reason(StrictModel):
    """Why the winner won, with one of the twelve laws. They are told in the order of their `place`, and of their names
    where that is the same. `meets` is what a review found missing, if it was written for that. `gone`: it was taken
    back."""

    reason: NonEmptyStr
    law: str | None = None
    neutral: str | None = None
    place: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    meets: str = ""
    gone: bool = False


class Review(StrictModel):
    """What one person finds in one round of review: rationales that are irrelevant, by name, and what is missing, in
    words. `done`: they are through with the pair; `seen` are the rationales that were there then."""

    round: Annotated[int, Field(ge=1)]
    seen: list[str] = []
    irrelevant: list[str] = []
    missing: list[str] = []
    note: str = ""
    done: bool = False


class Brush(StrictModel):
    """One stroke of a brush on a mask, in pixels of the picture."""

    points: Annotated[list[Spot], Field(min_length=1, max_length=4000)]
    radius: Annotated[float, Field(gt=0, le=500)]
    erase: bool = False


class Mask(StrictModel):
    """What is to be painted over in one picture of a pair: the markers that are found by themselves, unless `found` is
    false, and then the brushes one after the other. `accepted`: the picture without them takes its place. `clean`: a
    person has looked, and there is nothing to remove."""

    found: bool = True
    brushes: Annotated[list[Brush], Field(max_length=400)] = []
    accepted: bool = False
    clean: bool = False


class Halves(StrictModel):
    """Where a picture of two designs is cut, and which side won; as in the proposals of `data split`. `boxes` are the
    first and the second design. `symmetry` (None: no gutter was found) and `note` are of who proposed it."""

    boxes: Annotated[list[BoxField], Field(min_length=2, max_length=2)]
    symmetry: float | None = None
    note: str = ""
    winner: Literal["first", "second"] | None = None
    confirmed: bool = False
    single: bool = True  # False: it is no picture of two designs
