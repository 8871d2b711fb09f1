"""Agreement of annotators for each measure, and the majority vote."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.stats.agreement import Label, MeasurementLevel, kappa_for_raters, krippendorff_alpha

ValuesByMeasure = Mapping[str, Json]  # by what is measured


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """The agreement of annotators on one measure. Undefined numbers are None: kappa needs the same number of annotators
    at every item, and IoU boxes."""

    measure: str
    level: MeasurementLevel
    items: int  # with two or more answers
    answers: int  # to these items
    alpha: float | None
    kappa: float | None
    kappa_of: str  # Cohen or Fleiss; empty without kappa
    iou: float | None  # mean over pairs of annotators, then over items


def annotator_agreement(answers: Mapping[str, Mapping[str, ValuesByMeasure]]) -> list[AnnotatorAgreement]:
    """The agreement on each measure, in the order of their names.

    Args:
        answers: By item and annotator, the values of measures.
    """
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
    if len({len(row) for row in rows.values()}) != 1:
        return None, ""
    return kappa_for_raters(list(rows.values()))


def _mean_iou(rows: Iterable[Mapping[str, Json]]) -> float | None:
    """The mean over pairs of annotators, then over items. Two annotators who both marked nothing have an IoU of 1; one
    who marked nothing has 0 with all others."""
    means = [fmean(_iou(*couple) for couple in combinations(row.values(), 2)) for row in rows]
    return fmean(means) if means else None


def _iou(one: Json, other: Json) -> float:
    return _box(one).iou(_box(other)) if _is_box(one) and _is_box(other) else float(one == other)


def _box(numbers: Json) -> Box:
    assert isinstance(numbers, list)
    return Box(CoordinateSpace.PIXEL, *numbers)


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """The result of a vote: the label, or None without a majority, and the votes of the most frequent label."""

    label: str | None
    votes: int
    voters: int
    unanimous: bool


def majority_vote(answers: Sequence[str | None]) -> MajorityVote:
    """The label with more than half of the votes of all voters. A voter with an unparsed answer (None) votes for no
    label but counts as a voter."""
    if isinstance(answers, str) or not len(answers):
        raise ValueError(f"expected the answers of at least one voter, found {answers!r}")
    counts = Counter(answer for answer in answers if answer is not None)
    label, votes = max(counts.items(), key=lambda pair: pair[1], default=(None, 0))
    return MajorityVote(
        label if 2 * votes > len(answers) else None, votes, len(answers), unanimous=votes == len(answers)
    )
