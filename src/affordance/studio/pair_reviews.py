"""Rounds of review of the rationales of pairs: what is open, and how far reviewers agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from affordance.author.pair_records import Reason, Review
from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.stats import kappa_for_raters


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review, and who wrote it."""

    person: str
    review: Review


@dataclass(frozen=True, slots=True)
class RoundAgreement:
    """How far people agree on which rationales are irrelevant, in one round. Only pairs count that two or more are
    through with, and of these the rationales that all of them have seen. `same` is the share of rationales on which all
    agree, `same_pairs` that of pairs in which they agree on each. `kappa` is Cohen's where there are just two reviewers
    and Fleiss' otherwise; None where it is not defined."""

    round: int
    people: tuple[str, ...]
    pairs: int
    rationales: int
    same: float | None
    same_pairs: float | None
    kappa: float | None


def newest_round(reviews: Iterable[Reviewed]) -> int:
    """0 where nobody has begun."""
    return max((one.review.round for one in reviews), default=0)


def open_points(reasons: Mapping[str, Reason], reviews: Iterable[Reviewed]) -> int:
    """How much of what reviewers have found is still to be done: rationales that are irrelevant and stand, and what is
    missing and nobody has written. What counts is what each of them said last."""
    last: dict[str, Review] = {}
    for one in sorted(reviews, key=lambda one: one.review.round):
        if one.review.done:
            last[one.person] = one.review
    standing = {name for name, reason in reasons.items() if not reason.gone}
    met = {reasons[name].meets for name in standing}
    irrelevant = {name for review in last.values() for name in review.irrelevant} & standing
    missing = {line for review in last.values() for line in review.missing} - met
    return len(irrelevant) + len(missing)


def review_agreement(project: Project) -> list[RoundAgreement]:
    """Of all pairs, by round."""
    rounds: dict[int, dict[str, list[Reviewed]]] = {}
    for one in project.ledger.documents.latest(kind=Kind.REVIEW):
        review = read_record(one, Review)
        if review.done:
            person = one.subject.removeprefix(f"{one.scope}/{review.round}-")
            rounds.setdefault(review.round, {}).setdefault(one.scope, []).append(Reviewed(person, review))
    return [agreement_of(number, list(pairs.values())) for number, pairs in sorted(rounds.items())]


def agreement_of(number: int, pairs: Sequence[Sequence[Reviewed]]) -> RoundAgreement:
    """`pairs` has the reviews of each pair that are done."""
    people = sorted({one.person for reviews in pairs for one in reviews})
    rows: list[dict[str, str]] = []  # for each rationale, what people say of it
    whole: list[bool] = []
    for reviews in pairs:
        seen = [set(one.review.seen) for one in reviews]
        names = sorted(set.intersection(*seen)) if len(reviews) > 1 else []
        if not names:
            continue
        found = [{one.person: _said(one.review, name) for one in reviews} for name in names]
        whole.append(all(_same(row) for row in found))
        rows += found
    return RoundAgreement(
        round=number,
        people=tuple(people),
        pairs=len(whole),
        rationales=len(rows),
        same=sum(_same(row) for row in rows) / len(rows) if rows else None,
        same_pairs=sum(whole) / len(whole) if whole else None,
        kappa=_kappa(rows),
    )


def _said(review: Review, name: str) -> str:
    return "irrelevant" if name in review.irrelevant else "relevant"


def _same(row: Mapping[str, str]) -> bool:
    return len(set(row.values())) == 1


def _kappa(rows: Sequence[Mapping[str, str]]) -> float | None:
    return kappa_for_raters(rows)[0]
