"""Rows of human studies: participants, exclusions and agreement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study, why_excluded
from affordance.core.attempts import AttemptResult
from affordance.core.formatting import count_noun, format_count
from affordance.core.json_text import Json
from affordance.core.model_name import STUDY_PREFIX
from affordance.ledger import RunRecord
from affordance.models.study_answers import StudyAnswer, comparable_value
from affordance.models.study_documents import excluded_answers, study_scope, valid_answers
from affordance.report.results import RowKey, RunResults
from affordance.stats import AnnotatorAgreement, annotator_agreement


@dataclass(frozen=True, slots=True)
class ParticipantSummary:
    """The participants of a study, and which answers do not count."""

    counted: int  # participants with at least one answer that counts
    entered: int
    withdrawn: int
    excluded: Mapping[str, int]  # participants by reason
    left_out: Mapping[str, int]  # answers of included participants by reason
    per_item: int
    per_person: int | None  # None: all items
    checks: int  # attention checks per participant
    seed: int
    synthetic: bool  # whether the answers are simulated


def participant_summaries(
    results: RunResults, groups: Mapping[RowKey, Sequence[AttemptResult]]
) -> dict[str, ParticipantSummary]:
    """By model, for models that are studies in the ledger."""
    models = {model for _, _, model, _ in groups if model.startswith(STUDY_PREFIX)}
    if not models:
        return {}
    studies = {study_scope(one.subject): one for one in results.ledger.documents.latest(kind=Kind.STUDY)}
    return {model: _people(results, read_record(studies[model], Study)) for model in models & set(studies)}


def _people(results: RunResults, study: Study) -> ParticipantSummary:
    documents = results.ledger.documents.latest(scope=study_scope(study.name))
    seats = [read_record(one, Seat) for one in documents if one.kind == Kind.SEAT]
    return ParticipantSummary(
        counted=len({one.seat for one in valid_answers(results.ledger, study.name)}),
        entered=len(seats),
        withdrawn=sum(bool(one.withdrawn) for one in seats),
        excluded=dict(Counter(why for one in seats if not one.withdrawn and (why := why_excluded(one, study)))),
        left_out=dict(Counter(excluded_answers(documents).values())),
        per_item=study.per_item,
        per_person=study.per_person,
        checks=study.checks,
        seed=study.seed,
        synthetic=study.synthetic,
    )


def human_label(people: ParticipantSummary) -> str:
    return "people (synthetic)" if people.synthetic else "people"


def describe_participants(people: ParticipantSummary, noun: str) -> str:
    """The participants, their assignment to items, and exclusions."""
    simulated = ", all simulated: these are not answers of people" if people.synthetic else ""
    each = f"every {noun}" if people.per_person is None else f"at most {count_noun(people.per_person, noun)}"
    return (
        f"{count_noun(people.counted, 'participant')}{simulated}. Each {noun} was assigned to "
        f"{count_noun(people.per_item, 'participant')} and each participant saw {each}, none twice; fewest assignments "
        f"first, with seed {people.seed}. {format_count(people.entered)} started: "
        f"{format_count(sum(people.excluded.values()))} excluded{_reasons(people.excluded)}, "
        f"{format_count(people.withdrawn)} withdrawn, {count_noun(sum(people.left_out.values()), 'answer')} left out"
        f"{_reasons(people.left_out)}."
    )


def _reasons(reasons: Mapping[str, int]) -> str:
    return f" ({'; '.join(sorted(reasons))})" if reasons else ""


def agreement_by_row(
    results: RunResults, run: RunRecord, groups: Mapping[RowKey, Sequence[AttemptResult]]
) -> dict[RowKey, tuple[AnnotatorAgreement, ...]]:
    """By row, for rows that are studies in the ledger."""
    keys = [key for key in groups if key[2].startswith(STUDY_PREFIX)]
    if not keys:
        return {}
    axes = results.ledger.question_axes(run.id)
    answers = {model: valid_answers(results.ledger, model.removeprefix(STUDY_PREFIX)) for _, _, model, _ in keys}
    return {key: _of_row(answers[key[2]], {one.question_id for one in groups[key]}, axes) for key in keys}


def _of_row(
    answers: Sequence[StudyAnswer], questions: set[str], axes: Mapping[str, Mapping[str, Json]]
) -> tuple[AnnotatorAgreement, ...]:
    found: dict[str, dict[str, Mapping[str, Json]]] = {}
    for one in answers:
        if one.question in questions:
            found.setdefault(one.item, {})[one.seat] = comparable_value(one.given, axes[one.question])
    return tuple(one for one in annotator_agreement(found) if one.items)


def describe_agreement(one: AnnotatorAgreement) -> str:
    """`alpha 0.71 over 24 items`."""
    if one.iou is not None:
        return f"boxes overlap by {one.iou:.2f} (mean IoU) over {one.items} items"
    alpha = "alpha undefined (all answers are equal)" if one.alpha is None else f"alpha {one.alpha:.2f}"
    return f"{alpha} over {one.items} items"
