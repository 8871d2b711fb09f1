"""Error tags that people gave to failed attempts: shares, intervals and agreement of reviewers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.attempts import AttemptResult
from affordance.core.formatting import Unit, count_noun, format_count, format_interval, format_percent
from affordance.core.json_text import Json
from affordance.core.table import Cell, Column, Table
from affordance.judging.sampling import failure_kind
from affordance.ledger import Ledger
from affordance.models.study_documents import valid_answers
from affordance.report.results import RunResults
from affordance.stats import Interval, cohen_kappa, effective_count, fleiss_kappa, wilson_interval

COHEN, FLEISS = "Cohen's kappa", "Fleiss' kappa"  # of two reviewers who did all, and of any


@dataclass(frozen=True, slots=True)
class FailureReview:
    """The tags that one reviewer gave to one attempt, by normalised spelling."""

    attempt: str
    reviewer: str
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TagShare:
    tag: str  # in the most frequent spelling
    attempts: int  # with this tag
    share: float  # of all failures
    interval: Interval  # 95%
    by_model: Mapping[str, float]  # of the failures of each
    kappa: float | None  # of the reviewers, on whether to give it


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """Agreement of reviewers, on attempts with at least two reviews."""

    n: int
    equal: float  # share on which all of them gave the same tags
    interval: Interval
    measure: str  # what the kappa of a tag is


@dataclass(frozen=True, slots=True)
class TagShares:
    n: int  # attempts that were reviewed
    reviewers: int
    n_by_model: Mapping[str, int]
    tags: tuple[TagShare, ...]  # the most frequent first
    agreement: ReviewerAgreement | None


def answer_tags(given: Mapping[str, Json]) -> dict[str, str]:
    """The tags of an answer as written, by normalised spelling: case and white space do not matter."""
    found = given.get("tags")
    written = [" ".join(str(tag).split()) for tag in found] if isinstance(found, list | tuple) else []
    return {tag.casefold(): tag for tag in written if tag}


def tag_shares(reviews: Sequence[FailureReview], weights: Mapping[str, float], models: Mapping[str, str]) -> TagShares:
    """Shares of tags. `weights` is the number of failures that each attempt represents. Several reviewers of an attempt
    have equal weight. Intervals are Wilson's, at the effective number of attempts."""
    by_attempt: dict[str, list[FailureReview]] = {}
    for one in sorted(reviews, key=lambda one: one.reviewer):
        by_attempt.setdefault(one.attempt, []).append(one)
    several = [found for found in by_attempt.values() if len(found) > 1]
    tags = dict.fromkeys(tag for one in reviews for tag in one.tags)
    shares = [_share(tag, by_attempt, weights, models, several) for tag in tags]
    return TagShares(
        n=len(by_attempt),
        reviewers=len({one.reviewer for one in reviews}),
        n_by_model=dict(sorted(Counter(models[attempt] for attempt in by_attempt).items())),
        tags=tuple(sorted(shares, key=lambda one: (-one.share, one.tag))),
        agreement=_agreement(several),
    )


def _share(
    tag: str,
    by_attempt: Mapping[str, Sequence[FailureReview]],
    weights: Mapping[str, float],
    models: Mapping[str, str],
    several: Sequence[Sequence[FailureReview]],
) -> TagShare:
    said = {name: sum(tag in one.tags for one in found) / len(found) for name, found in by_attempt.items()}
    spelled = Counter(one.tags[tag] for found in by_attempt.values() for one in found if tag in one.tags)
    share = _mean(said, weights)
    all_models = sorted({models[attempt] for attempt in said})
    return TagShare(
        tag=max(sorted(spelled), key=lambda one: spelled[one]),
        attempts=sum(value > 0 for value in said.values()),
        share=share,
        interval=wilson_interval(share, effective_count(np.array([weights[attempt] for attempt in said]))),
        by_model={
            model: _mean({name: value for name, value in said.items() if models[name] == model}, weights)
            for model in all_models
        },
        kappa=_kappa([[str(tag in one.tags) for one in found] for found in several], _reviewers(several)),
    )


def _mean(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    total = sum(weights[name] for name in values)
    return min(1.0, sum(weights[name] * value for name, value in values.items()) / total)


def _agreement(several: Sequence[Sequence[FailureReview]]) -> ReviewerAgreement | None:
    if not several:
        return None
    equal = sum(len({frozenset(one.tags) for one in found}) == 1 for found in several) / len(several)
    measure = COHEN if len(_reviewers(several)) == 2 else FLEISS
    return ReviewerAgreement(len(several), equal, wilson_interval(equal, len(several)), measure)


def _kappa(ratings: Sequence[Sequence[str]], reviewers: set[str]) -> float | None:
    if len(reviewers) != 2:
        return fleiss_kappa(ratings)
    found = cohen_kappa([first for first, _ in ratings], [second for _, second in ratings])
    return None if found is None else found.kappa


def _reviewers(several: Sequence[Sequence[FailureReview]]) -> set[str]:
    return {one.reviewer for found in several for one in found}


ERRORS = "errors"  # the form of such a study


@dataclass(frozen=True, slots=True)
class ErrorReview:
    study: str
    drawn: int  # attempts
    failures: int  # that they were sampled from
    synthetic: bool  # whether the answers are simulated
    found: TagShares


def load_error_reviews(results: RunResults) -> dict[str, tuple[ErrorReview, ...]]:
    """Of these results, by run; reviews without answers are left out."""
    found: dict[str, tuple[ErrorReview, ...]] = {}
    for one in results.ledger.documents.latest(kind=Kind.STUDY):
        if one.document.get("form") == ERRORS and one.document.get("run") in results.outcomes:
            study = read_record(one, Study)
            groups = results.outcomes[study.run].values()
            outcomes = {one.attempt_id: one for group in groups for one in group if one.attempt_id in study.drawn}
            if (review := error_review(results.ledger, study, outcomes)) is not None:
                found[study.run] = (*found.get(study.run, ()), review)
    return found


def reviewed_outcomes(ledger: Ledger, study: Study) -> dict[str, AttemptResult]:
    """The attempts of a study by id, as far as they exist."""
    run = ledger.find_run(study.run)
    return {one.attempt_id: one for one in ledger.attempt_results(run.id) if one.attempt_id in study.drawn}


def error_review(ledger: Ledger, study: Study, outcomes: Mapping[str, AttemptResult]) -> ErrorReview | None:
    """The result of a review, over attempts among the `outcomes`; None without answers."""
    drawn = {name: weight for name, weight in study.drawn.items() if name in outcomes}
    reviews = [
        FailureReview(one.item, one.seat, tags)
        for one in valid_answers(ledger, study.name)
        if one.item in drawn and (tags := answer_tags(one.given))
    ]
    if not reviews:
        return None
    weights = _weights(drawn, {one.attempt for one in reviews}, outcomes)
    models = {name: outcomes[name].model for name in drawn}
    failures = round(sum(drawn.values()))
    return ErrorReview(study.name, len(drawn), failures, study.synthetic, tag_shares(reviews, weights, models))


def error_tables(reviews: Mapping[str, Sequence[ErrorReview]]) -> list[Table]:
    """One table for each review, by run."""
    return [_table(run, one) for run, found in reviews.items() for one in found]


def _table(run: str, review: ErrorReview) -> Table:
    found = review.found
    models = list(found.n_by_model) if len(found.n_by_model) > 1 else []
    several = found.agreement is not None
    columns = (
        Column("tag"), Column("attempts", unit=Unit.COUNT), Column("share", unit=Unit.PERCENT),
        *([Column("kappa", unit=Unit.RATIO)] if several else []),
        *(Column(model, f"{model}\nof {format_count(found.n_by_model[model])}", Unit.PERCENT) for model in models),
    )  # fmt: skip
    rows = [
        (
            one.tag,
            one.attempts,
            Cell(one.share, one.interval),
            *([one.kappa] if several else []),
            *(one.by_model[model] for model in models),
        )
        for one in found.tags
    ]
    title = f"Error review of run {run}, study {review.study}"
    return Table.of(f"reviews/{run}/{review.study}", title, columns, rows, _notes(found), finding=_finding(review))


def _weights(drawn: Mapping[str, float], reviewed: set[str], outcomes: Mapping[str, AttemptResult]) -> dict[str, float]:
    """Weights of the reviewed attempts. They also represent unreviewed ones of the same model and kind of failure."""
    strata: dict[tuple[str, str | None], list[str]] = {}
    for name in drawn:
        strata.setdefault((outcomes[name].model, failure_kind(outcomes[name])), []).append(name)
    found: dict[str, float] = {}
    for names in strata.values():
        kept = [name for name in names if name in reviewed]
        more = sum(drawn[name] for name in names) / sum(drawn[name] for name in kept) if kept else 0.0
        found |= {name: drawn[name] * more for name in kept}
    return found


def _finding(review: ErrorReview) -> str:
    found, first = review.found, review.found.tags[0]
    synthetic = " Their answers are simulated." if review.synthetic else ""
    return (
        f"{count_noun(found.reviewers, 'reviewer')} tagged {format_count(found.n)} of "
        f"{count_noun(review.drawn, 'attempt')} sampled from {count_noun(review.failures, 'failure')}.{synthetic} "
        f"Most frequent: “{first.tag}”, {format_percent(first.share)}% ({format_interval(first.interval)})."
    )


def _notes(found: TagShares) -> list[str]:
    notes = [
        "Shares of all failures, weighted by sampling. An attempt may have several tags; several reviewers of one "
        "attempt have equal weight. Intervals treat attempts as independent."
    ]
    if (one := found.agreement) is None:
        return [*notes, "No attempt was reviewed twice, so the agreement of reviewers is unknown."]
    equal = f"{format_percent(one.equal)}% ({format_interval(one.interval)})"
    return [
        *notes,
        f"In {equal} of {count_noun(one.n, 'attempt')} with at least two reviews, all reviewers gave the same tags. "
        f"Kappa is {one.measure} for giving the tag.",
    ]
