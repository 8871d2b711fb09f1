"""Error reviews of a run: which studies have people tag its failures, and what came of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.attempt import AttemptResult
from affordance.judging.failures import failure_kind
from affordance.ledger import Ledger
from affordance.models.counting import valid_answers
from affordance.report.error_shares import FailureReview, TagShares, answer_tags, tag_shares
from affordance.report.numbers import MISSING, count_noun, format_count, format_interval, format_percent
from affordance.report.results import RunResults

ERRORS = "errors"  # the form of such a study


@dataclass(frozen=True, slots=True)
class ErrorReview:
    study: str
    drawn: int  # attempts
    failures: int  # that they were drawn from
    synthetic: bool  # whether the answers are made up
    found: TagShares


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """As a page shows it; a line for each tag."""

    run: str
    study: str
    finding: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    note: str


def load_error_reviews(results: RunResults) -> dict[str, tuple[ErrorReview, ...]]:
    """Of these results, by run; those that nobody has said anything in yet are left out."""
    found: dict[str, tuple[ErrorReview, ...]] = {}
    for one in results.ledger.latest_documents(kind=Kind.STUDY):
        if one.document.get("form") == ERRORS and one.document.get("run") in results.outcomes:
            study = read_record(one, Study)
            groups = results.outcomes[study.run].values()
            outcomes = {one.attempt_id: one for group in groups for one in group if one.attempt_id in study.drawn}
            if (review := error_review(results.ledger, study, outcomes)) is not None:
                found[study.run] = (*found.get(study.run, ()), review)
    return found


def reviewed_outcomes(ledger: Ledger, study: Study) -> dict[str, AttemptResult]:
    """The attempts that a study is about, by id; those that are not there are left out."""
    run = ledger.find_run(study.run)
    return {one.attempt_id: one for one in ledger.attempt_results(run.id) if one.attempt_id in study.drawn}


def error_review(ledger: Ledger, study: Study, outcomes: Mapping[str, AttemptResult]) -> ErrorReview | None:
    """What people found, over those attempts that are among the `outcomes`; None before anybody has said anything."""
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


def error_tables(reviews: Mapping[str, Sequence[ErrorReview]]) -> list[ErrorTable]:
    """By run."""
    return [_table(run, one) for run, found in reviews.items() for one in found]


def _table(run: str, review: ErrorReview) -> ErrorTable:
    found = review.found
    models = list(found.n_by_model)
    of_each = [f"{model}, % of {format_count(n)}" for model, n in found.n_by_model.items()] if len(models) > 1 else []
    several = found.agreement is not None
    return ErrorTable(
        run=run,
        study=review.study,
        finding=_finding(review),
        columns=("attempts", "share, %", "95% interval", *(["kappa"] if several else []), *of_each),
        lines=tuple(
            (
                one.tag,
                (
                    format_count(one.attempts),
                    format_percent(one.share),
                    format_interval(one.interval),
                    *([MISSING if one.kappa is None else f"{one.kappa:.2f}"] if several else []),
                    *(format_percent(one.by_model[model]) for model in models if of_each),
                ),
            )
            for one in found.tags
        ),
        note=_note(found),
    )


def _weights(drawn: Mapping[str, float], reviewed: set[str], outcomes: Mapping[str, AttemptResult]) -> dict[str, float]:
    """Of those that were reviewed. The others are made up for by those of the same model that failed alike."""
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
    made_up = " What they say is made up." if review.synthetic else ""
    return (
        f"{count_noun(found.reviewers, 'reviewer')} looked at {format_count(found.n)} of "
        f"{count_noun(review.drawn, 'attempt')} that were drawn from "
        f"{count_noun(review.failures, 'failure')}.{made_up} "
        f"Most often it is “{first.tag}”: {format_percent(first.share)}% ({format_interval(first.interval)})."
    )


def _note(found: TagShares) -> str:
    said = (
        "Shares are of all failures that attempts were drawn from, weighted for how; an attempt may have "
        "several tags. Of several reviewers each has an equal part. Intervals take attempts as independent."
    )
    if found.agreement is None:
        return f"{said} No attempt was reviewed twice, so nothing is known of how far reviewers agree."
    one = found.agreement
    return (
        f"{said} Of {count_noun(one.n, 'attempt')} with at least two reviews {format_percent(one.equal)}% "
        f"({format_interval(one.interval)}) got the same tags from all; kappa is {one.measure} on whether to "
        "give a tag."
    )
