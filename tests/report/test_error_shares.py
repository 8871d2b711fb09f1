"""Shares of tags and the agreement of reviewers, by hand."""

import pytest

from affordance.report.error_review import COHEN, FLEISS, FailureReview, answer_tags, tag_shares
from affordance.stats import cohen_kappa, fleiss_kappa, wilson_interval
from cases import case

MODELS = {"a": "m", "b": "m", "c": "n", "d": "n"}
EQUAL = dict.fromkeys(MODELS, 1.0)


def review(attempt: str, reviewer: str, *tags: str) -> FailureReview:
    return FailureReview(attempt, reviewer, answer_tags({"tags": list(tags)}))


TAGS = {
    "as they are": (["wrong order"], {"wrong order": "wrong order"}),
    "case and white space": ([" Wrong \t order", "UI"], {"wrong order": "Wrong order", "ui": "UI"}),
    "nothing": ([], {}),
    "no list": ("wrong", {}),
    "empty ones": (["", "  "], {}),
}


def test_tags() -> None:
    for name, (given, expected) in TAGS.items():
        with case(name):
            assert answer_tags({"tags": given}) == expected


def test_one_reviewer() -> None:
    found = tag_shares(
        [
            review("a", "x", "blur", "crop"),
            review("b", "x", "Blur"),
            review("c", "x", "crop"),
            review("d", "x", "BLUR"),
        ],
        EQUAL,
        MODELS,
    )
    assert (found.n, found.reviewers, found.n_by_model, found.agreement) == (4, 1, {"m": 2, "n": 2}, None)
    blur, crop = found.tags
    assert (blur.tag, blur.attempts, blur.share, blur.by_model) == ("BLUR", 3, 0.75, {"m": 1.0, "n": 0.5})
    assert blur.interval == wilson_interval(0.75, 4)
    assert (crop.tag, crop.share, crop.kappa) == ("crop", 0.5, None)


def test_weights_say_for_how_many_an_attempt_stands() -> None:
    reviews = [review("a", "x", "blur"), review("b", "x", "crop"), review("c", "x", "crop")]
    found = tag_shares(reviews, {"a": 6.0, "b": 1.0, "c": 1.0}, MODELS)
    blur, crop = found.tags
    assert (blur.tag, blur.share, crop.share) == ("blur", 0.75, 0.25)
    assert blur.by_model == {"m": pytest.approx(6 / 7), "n": 0.0}
    assert blur.interval == wilson_interval(0.75, 64 / 38), "three attempts that say as much as fewer than two"


def test_two_reviewers() -> None:
    said = {
        "x": {"a": ["blur"], "b": ["blur", "crop"], "c": ["crop"], "d": ["crop"]},
        "y": {"a": ["blur"], "b": ["blur"], "c": ["crop"], "d": ["blur"]},
    }
    reviews = [review(attempt, who, *tags) for who, each in said.items() for attempt, tags in each.items()]
    found = tag_shares(reviews, EQUAL, MODELS)
    assert found.agreement is not None
    assert (found.agreement.n, found.agreement.equal, found.agreement.measure) == (4, 0.5, COHEN)
    assert found.agreement.interval == wilson_interval(0.5, 4)
    by_tag = {one.tag: one for one in found.tags}
    assert by_tag["blur"].share == (1 + 1 + 0 + 0.5) / 4, "each has an equal part"
    for tag in ("blur", "crop"):
        first, second = ([str(tag in each[attempt]) for attempt in MODELS] for each in said.values())
        expected = cohen_kappa(first, second)
        assert expected is not None
        assert by_tag[tag].kappa == expected.kappa
    assert tag_shares(reviews[::-1], EQUAL, MODELS) == found, "the order in which they came does not matter"


def test_more_reviewers_than_two() -> None:
    reviews = [
        *(review("a", who, "blur") for who in "xy"),
        *(review("b", who, "crop") for who in "yz"),
        review("c", "x", "blur"),
        review("c", "z", "crop"),
        review("d", "z", "crop"),
    ]
    found = tag_shares(reviews, EQUAL, MODELS)
    assert found.agreement is not None
    assert (found.agreement.n, found.agreement.measure, found.reviewers) == (3, FLEISS, 3)
    assert found.agreement.equal == pytest.approx(2 / 3)
    (blur,) = (one for one in found.tags if one.tag == "blur")
    assert blur.kappa == fleiss_kappa([["yes", "yes"], ["no", "no"], ["yes", "no"]])
