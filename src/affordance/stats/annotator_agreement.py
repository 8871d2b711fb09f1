"""Agreement of annotators for each measure, and the majority vote."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.stats.agreement import Label, MeasurementLevel, cohen_kappa, fleiss_kappa, krippendorff_alpha

ValuesByMeasure = Mapping[str, Json]  # by what is measured


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Of one thing that is measured. Numbers that cannot be had are None: kappa wants the same number of people at
    every item, and Cohen's the same two; the overlap is that of boxes, over all couples of people at an item."""

    measure: str
    level: MeasurementLevel
    items: int  # that two or more people answered
    answers: int  # to those
    alpha: float | None
    kappa: float | None
    kappa_of: str  # Cohen or Fleiss; empty where there is none
    iou: float | None


def annotator_agreement(answers: Mapping[str, Mapping[str, ValuesByMeasure]]) -> list[AnnotatorAgreement]:
    """`answers` are the values of each person by item. One entry for each measure, in the order of names."""
    measures = sorted({name for people in answers.values() for values in people.values() for name in values})
    return [_agreement_of_measure(name, answers) for name in measures]


def _agreement_of_measure(measure: str, answers: Mapping[str, Mapping[str, ValuesByMeasure]]) -> AnnotatorAgreement:
    rows = {
        item: {person: values[measure] for person, values in sorted(people.items()) if measure in values}
        for item, people in sorted(answers.items())
    }
    rows = {item: row for item, row in rows.items() if len(row) > 1}
    given = [value for row in rows.values() for value in row.values()]
    boxes = any(_is_box(value) for value in given)
    level = _level(given)
    labels = {item: {person: _label(value) for person, value in row.items()} for item, row in rows.items()}
    kappa, of = (None, "") if boxes else _kappa(labels)
    alpha = None if boxes else krippendorff_alpha([list(row.values()) for row in labels.values()], level)
    iou = _mean_iou(rows.values()) if boxes else None
    return AnnotatorAgreement(measure, level, len(rows), len(given), alpha, kappa, of, iou)


def _level(values: Sequence[Json]) -> MeasurementLevel:
    numbers = all(isinstance(value, int | float) for value in values)
    return "interval" if values and numbers and len(set(map(str, values))) > 2 else "nominal"


def _label(value: Json) -> Label:
    if isinstance(value, int | float):
        return value
    return ", ".join(sorted(map(str, value))) if isinstance(value, list) else str(value)


def _is_box(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(isinstance(one, int | float) for one in value)


def _kappa(rows: Mapping[str, Mapping[str, Label]]) -> tuple[float | None, str]:
    people = {tuple(row) for row in rows.values()}
    if len({len(names) for names in people}) != 1:
        return None, ""
    if len(people) == 1 and len(next(iter(people))) == 2:
        first, second = zip(*(row.values() for row in rows.values()), strict=True)
        found = cohen_kappa(first, second)
        return (None, "") if found is None else (found.kappa, "Cohen")
    kappa = fleiss_kappa([list(row.values()) for row in rows.values()])
    return (None, "") if kappa is None else (kappa, "Fleiss")


def _mean_iou(rows: Iterable[Mapping[str, Json]]) -> float | None:
    """Of an item, the mean over couples; then over items. Two who say that there is none overlap in full, and one who
    does not with nobody else."""
    means = [fmean(_iou(*couple) for couple in combinations(row.values(), 2)) for row in rows]
    return fmean(means) if means else None


def _iou(one: Json, other: Json) -> float:
    return _box(one).iou(_box(other)) if _is_box(one) and _is_box(other) else float(one == other)


def _box(numbers: Json) -> Box:
    assert isinstance(numbers, list)
    return Box(CoordinateSpace.PIXEL, *numbers)


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """How a vote ended. `label` is None for an abstention; `votes` are those of the most frequent label, whether they
    were enough or not; `unanimous` says that all voters gave the same label."""

    label: str | None
    votes: int
    voters: int
    unanimous: bool


def majority_vote(answers: Sequence[str | None]) -> MajorityVote:
    """The label with more than half of the votes of all voters, else an abstention. A voter whose answer cannot be
    read (None) votes for nothing, and still counts as a voter."""
    if isinstance(answers, str) or not len(answers):
        raise ValueError(f"expected the answers of at least one voter, found {answers!r}")
    counts = Counter(answer for answer in answers if answer is not None)
    label, votes = max(counts.items(), key=lambda pair: pair[1], default=(None, 0))
    return MajorityVote(
        label if 2 * votes > len(answers) else None, votes, len(answers), unanimous=votes == len(answers)
    )
