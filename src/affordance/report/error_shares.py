"""What people say goes wrong: the shares of their tags among the failures of a run, and how far reviewers agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.core.digest import Json
from affordance.stats import Interval, cohen_kappa, fleiss_kappa, wilson_interval

COHEN, FLEISS = "Cohen's kappa", "Fleiss' kappa"  # of two reviewers who did all, and of any


@dataclass(frozen=True, slots=True)
class FailureReview:
    """What one person says of one attempt: tags by what they are compared by, in the person's spelling."""

    attempt: str
    reviewer: str
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TagShare:
    tag: str  # as most have spelled it
    attempts: int  # that somebody gave it to
    share: float  # of all failures
    interval: Interval  # 95%
    by_model: Mapping[str, float]  # of the failures of each
    kappa: float | None  # of the reviewers, on whether to give it


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """Of reviewers, on the attempts that at least two of them have reviewed."""

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
    """The tags of an answer as they were written, by what they are compared by: case and white space do not matter."""
    found = given.get("tags")
    written = [" ".join(str(tag).split()) for tag in found] if isinstance(found, list | tuple) else []
    return {tag.casefold(): tag for tag in written if tag}


def tag_shares(reviews: Sequence[FailureReview], weights: Mapping[str, float], models: Mapping[str, str]) -> TagShares:
    """`weights` say for how many failures each attempt stands, `models` whose attempt it is. Of several reviewers each
    has an equal part in what is said of an attempt. Intervals are Wilson's, at the effective number of attempts."""
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
        interval=wilson_interval(share, _effective([weights[attempt] for attempt in said])),
        by_model={
            model: _mean({name: value for name, value in said.items() if models[name] == model}, weights)
            for model in all_models
        },
        kappa=_kappa([[str(tag in one.tags) for one in found] for found in several], _reviewers(several)),
    )


def _mean(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    total = sum(weights[name] for name in values)
    return min(1.0, sum(weights[name] * value for name, value in values.items()) / total)


def _effective(weights: Sequence[float]) -> float:
    """As many equally weighted attempts would say as much (Kish)."""
    return sum(weights) ** 2 / sum(weight**2 for weight in weights)


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
