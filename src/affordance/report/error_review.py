"""Error reviews of a run: which studies have people tag its failures, and what came of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.attempt import Outcome
from affordance.ledger import Ledger
from affordance.models.counting import counted_answers
from affordance.report.error_shares import Review, Shares, shares_of, tags_of
from affordance.report.numbers import DASH, count, counted, interval, percent
from affordance.report.results import Results
from affordance.run.failures import failure_of

ERRORS = "errors"  # the form of such a study


@dataclass(frozen=True, slots=True)
class ErrorReview:
    study: str
    drawn: int  # attempts
    failures: int  # that they were drawn from
    synthetic: bool  # whether the answers are made up
    found: Shares


@dataclass(frozen=True, slots=True)
class Table:
    """As a page shows it; a line for each tag."""

    run: str
    study: str
    finding: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    note: str


def error_reviews(results: Results) -> dict[str, tuple[ErrorReview, ...]]:
    """Of these results, by run; those that nobody has said anything in yet are left out."""
    found: dict[str, tuple[ErrorReview, ...]] = {}
    for one in results.ledger.documents(kind=Kind.STUDY):
        if one.document.get("form") == ERRORS and one.document.get("run") in results.outcomes:
            study = read_record(one, Study)
            groups = results.outcomes[study.run].values()
            outcomes = {one.attempt: one for group in groups for one in group if one.attempt in study.drawn}
            if (review := error_review(results.ledger, study, outcomes)) is not None:
                found[study.run] = (*found.get(study.run, ()), review)
    return found


def drawn_outcomes(ledger: Ledger, study: Study) -> dict[str, Outcome]:
    """The attempts that a study is about, by id; those that are not there are left out."""
    run = ledger.find_run(study.run)
    return {one.attempt: one for one in ledger.outcomes(run.id) if one.attempt in study.drawn}


def error_review(ledger: Ledger, study: Study, outcomes: Mapping[str, Outcome]) -> ErrorReview | None:
    """What people found, over those attempts that are among the `outcomes`; None before anybody has said anything."""
    drawn = {name: weight for name, weight in study.drawn.items() if name in outcomes}
    reviews = [
        Review(one.item, one.seat, tags)
        for one in counted_answers(ledger, study.name)
        if one.item in drawn and (tags := tags_of(one.given))
    ]
    if not reviews:
        return None
    weights = _weights(drawn, {one.attempt for one in reviews}, outcomes)
    models = {name: outcomes[name].model for name in drawn}
    failures = round(sum(drawn.values()))
    return ErrorReview(study.name, len(drawn), failures, study.synthetic, shares_of(reviews, weights, models))


def tables(reviews: Mapping[str, Sequence[ErrorReview]]) -> list[Table]:
    """By run."""
    return [_table(run, one) for run, found in reviews.items() for one in found]


def _table(run: str, review: ErrorReview) -> Table:
    found = review.found
    models = list(found.n_by_model)
    of_each = [f"{model}, % of {count(n)}" for model, n in found.n_by_model.items()] if len(models) > 1 else []
    several = found.agreement is not None
    return Table(
        run=run,
        study=review.study,
        finding=_finding(review),
        columns=("attempts", "share, %", "95% interval", *(["kappa"] if several else []), *of_each),
        lines=tuple(
            (
                one.tag,
                (
                    count(one.attempts),
                    percent(one.share),
                    interval(one.interval),
                    *([DASH if one.kappa is None else f"{one.kappa:.2f}"] if several else []),
                    *(percent(one.by_model[model]) for model in models if of_each),
                ),
            )
            for one in found.tags
        ),
        note=_note(found),
    )


def _weights(drawn: Mapping[str, float], reviewed: set[str], outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """Of those that were reviewed. The others are made up for by those of the same model that failed alike."""
    strata: dict[tuple[str, str | None], list[str]] = {}
    for name in drawn:
        strata.setdefault((outcomes[name].model, failure_of(outcomes[name])), []).append(name)
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
        f"{counted(found.reviewers, 'reviewer')} looked at {count(found.n)} of "
        f"{counted(review.drawn, 'attempt')} that were drawn from {counted(review.failures, 'failure')}.{made_up} "
        f"Most often it is “{first.tag}”: {percent(first.share)}% ({interval(first.interval)})."
    )


def _note(found: Shares) -> str:
    said = (
        "Shares are of all failures that attempts were drawn from, weighted for how; an attempt may have "
        "several tags. Of several reviewers each has an equal part. Intervals take attempts as independent."
    )
    if found.agreement is None:
        return f"{said} No attempt was reviewed twice, so nothing is known of how far reviewers agree."
    one = found.agreement
    return (
        f"{said} Of {counted(one.n, 'attempt')} with at least two reviews {percent(one.equal)}% "
        f"({interval(one.interval)}) got the same tags from all; kappa is {one.measure} on whether to give a tag."
    )
