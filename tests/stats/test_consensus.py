"""How far people agree, by what is measured."""

import pytest

from affordance.stats import annotator_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha

TWO = {"a": ("x", "x"), "b": ("y", "x"), "c": ("y", "y"), "d": ("x", "x"), "e": ("z", "y")}


def test_two_people_at_every_item() -> None:
    found = annotator_agreement(
        {item: {"p": {"purpose": one}, "q": {"purpose": other}} for item, (one, other) in TWO.items()}
    )
    (one,) = found
    assert (one.measure, one.level, one.items, one.answers, one.iou) == ("purpose", "nominal", 5, 10, None)
    assert one.alpha == krippendorff_alpha(list(TWO.values()))
    kappa = cohen_kappa([first for first, _ in TWO.values()], [second for _, second in TWO.values()])
    assert kappa is not None
    assert (one.kappa, one.kappa_of) == (kappa.kappa, "Cohen")


def test_others_at_every_item() -> None:
    answers = {
        item: {f"{item}{place}": {"purpose": value} for place, value in enumerate(pair)} for item, pair in TWO.items()
    }
    (one,) = annotator_agreement(answers)
    assert (one.kappa, one.kappa_of) == (fleiss_kappa(list(TWO.values())), "Fleiss")
    (uneven,) = annotator_agreement({**answers, "a": {**answers["a"], "more": {"purpose": "x"}}})
    assert (uneven.kappa, uneven.kappa_of) == (None, "")
    assert uneven.alpha is not None


def test_scores_are_as_far_apart_as_they_are() -> None:
    scores = {"a": (1, 2), "b": (5, 5), "c": (0, 1)}
    (one,) = annotator_agreement({item: {"p": {"score": x}, "q": {"score": y}} for item, (x, y) in scores.items()})
    assert one.level == "interval"
    assert one.alpha == krippendorff_alpha(list(scores.values()), "interval")


def test_boxes_overlap() -> None:
    people = {"p": {"box": [0, 0, 10, 10]}, "q": {"box": [0, 0, 10, 5]}, "r": {"box": "absent"}}
    none = {"p": {"box": "absent"}, "q": {"box": "absent"}}
    (one,) = annotator_agreement({"a": people, "b": none})
    assert one.iou == pytest.approx(((0.5 + 0 + 0) / 3 + 1) / 2)
    assert (one.alpha, one.kappa, one.items) == (None, None, 2)


def test_nothing_to_compare() -> None:
    assert annotator_agreement({}) == []
    assert annotator_agreement({"a": {"p": {}}}) == []
    (alone,) = annotator_agreement({"a": {"p": {"purpose": "x"}}})
    assert (alone.items, alone.alpha, alone.kappa) == (0, None, None)


def test_sets_of_tags_are_equal_whatever_their_order() -> None:
    (one,) = annotator_agreement(
        {"a": {"p": {"tags": ["x", "y"]}, "q": {"tags": ["y", "x"]}}, "b": {"p": {"tags": ["z"]}}}
    )
    assert one.level == "nominal"
    assert one.items == 1
