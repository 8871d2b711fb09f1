"""Values that reports show must not change from one version to the next. They were recorded once; other tests say why
they are right. Resamples and random signs are part of them: a seed gives the same interval everywhere."""

from collections.abc import Callable, Sequence
from dataclasses import astuple, is_dataclass

import numpy as np
import pytest

from affordance.stats import (
    clustered_interval,
    clustered_mean,
    cohen_kappa,
    compare_paired,
    fleiss_kappa,
    identical_pair_control,
    krippendorff_alpha,
    macro_f1_interval,
    mann_whitney_test,
    minimum_detectable_difference,
    order_accuracies,
    pair_patterns,
    position_bias,
    prediction_powered_mean,
    required_items,
    spearman,
    wilcoxon_test,
)
from affordance.stats.position_bias import ChoiceArray

# Numbers that look random, and groups of unequal sizes.
FIRST = [(37 * n**2 + 11 * n) % 101 / 100 for n in range(60)]
SECOND = [(53 * n**2 + 29 * n + 7) % 101 / 100 for n in range(60)]
CLUSTERS = [int(n**0.8) for n in range(60)]
LABELS = ["abcab"[int(5 * one) % 5] for one in FIRST]
OTHERS = [label if one < 0.7 else "b" for label, one in zip(LABELS, SECOND, strict=True)]
TABLE = ChoiceArray(
    np.array([-1 + int(4 * one) % 4 for one in FIRST + SECOND[:12]], np.int8).reshape(12, 2, 3), np.arange(12) // 2
)
HUMAN = [round(one) for one in FIRST]

CASES: dict[str, tuple[Callable[[], object], list[float | None]]] = {
    "paired": (
        lambda: compare_paired(FIRST, SECOND, CLUSTERS, seed=4),
        [
            -0.067,
            -0.1543292072,
            0.0203292072,
            0.1497794241,
            0.1215,
            0.0423127419,
            60,
            27,
            0.3399470899,
            26,
            32,
            2,
        ],
    ),
    "paired, level": (
        lambda: compare_paired(FIRST, SECOND, CLUSTERS, level=0.8, value_range=0.02),
        [
            -0.067,
            -0.02,
            -0.0112387482,
            0.1497794241,
            0.1222,
            0.0423127419,
            60,
            27,
            0.3399470899,
            26,
            32,
            2,
        ],
    ),
    "macro F1": (lambda: macro_f1_interval(LABELS, OTHERS, CLUSTERS, seed=3), [0.7078358191, 0.9403571977]),
    "Cohen's kappa": (
        lambda: cohen_kappa(LABELS, OTHERS, seed=2),
        [0.7648083624, 0.85, 0.3622222222, 60, 0.3666666667, 0.4833333333, 0.15, 0.6170478626, 0.8966408269],
    ),
    "Cohen's kappa, weights and clusters": (
        lambda: cohen_kappa(LABELS, OTHERS, [1.0, 2.0] * 30, clusters=CLUSTERS, level=0.9),
        [
            0.7770154374,
            0.8555555556,
            0.3522222222,
            60,
            0.3666666667,
            0.4666666667,
            0.1666666667,
            0.6404634651,
            0.8955413748,
        ],
    ),
    "Fleiss' kappa": (lambda: fleiss_kappa(list(zip(LABELS, OTHERS, strict=True))), [0.7615367631]),
    "alpha": (lambda: krippendorff_alpha(list(zip(FIRST, SECOND, strict=True)), "interval"), [0.0216800242]),
    "mean": (lambda: clustered_mean(FIRST, CLUSTERS), [0.4758333333, 0.3869009366, 0.5663252549]),
    "share": (lambda: clustered_interval(HUMAN, CLUSTERS, 0.8), [0.3964960914, 0.571188925]),
    "decomposition": (
        lambda: position_bias(TABLE),
        [
            0.1944444444,
            0.0639410176,
            0.4603201345,
            0.6722987067,
            0.3675895722,
            0.8786568613,
            0.5555555556,
            0.2851775122,
            0.7966050751,
            12,
            6,
            0,
        ],
    ),
    "null control": (lambda: identical_pair_control(TABLE), [0.711018711, 0.4092930071, 0.8972985518]),
    "kinds of pairs": (
        lambda: pair_patterns(TABLE),
        [
            0.0277777778,
            0.0020469882,
            0.2846809753,
            0.3611111111,
            0.1310953904,
            0.6792262862,
            0.1527777778,
            0.0352537091,
            0.4708673413,
            0.0,
            0.0,
            0.5241075599,
            0.4583333333,
            0.1997726785,
            0.7414670473,
            12,
        ],
    ),
    "accuracies": (
        lambda: order_accuracies(TABLE),
        [
            0.2916666667,
            0.1021676791,
            0.598390075,
            0.0375770813,
            2.6666666667,
            0.5773502692,
            0.0694444444,
            0.010160399,
            0.3517252631,
            0.0838870493,
            0.6666666667,
            0.5773502692,
            0.1805555556,
            0.0561321942,
            0.4494484148,
            0.0330718914,
            3.3333333333,
            0.5773502692,
            0.0277777778,
            0.0020469882,
            0.2846809753,
            0.0962250449,
            0.3333333333,
            0.5773502692,
            12,
            3,
        ],
    ),
    "corrected": (
        lambda: prediction_powered_mean(FIRST, list(zip(FIRST, HUMAN, [1, 2] * 30, strict=True))),
        [0.4850555556, 0.0670058188, 0.3506589028, 0.6194522083, 0.4758333333, 60, 60],
    ),
    "rank correlation": (lambda: spearman(FIRST, SECOND), [0.0284677725, 0.8290536365, 60, False]),
    "Wilcoxon": (
        lambda: wilcoxon_test([one - other for one, other in zip(FIRST, SECOND, strict=True)]),
        [744.5, 0.2157454049, 58, 0.4074986316, True],
    ),
    "Mann and Whitney": (lambda: mann_whitney_test(FIRST, SECOND), [1555.0, 0.199302322, 120, 0.4319444444, False]),
    "detectable": (
        lambda: [
            minimum_detectable_difference(0.05, 0.9, 0.9),
            minimum_detectable_difference(0.05, clusters=7),
            minimum_detectable_difference(0.05, clusters=1),
        ],
        [0.1463202596, 0.1676307568, 0.7041293328],
    ),
    "items needed": (
        lambda: [required_items(0.1, 0.05, 80, 0.9, 0.9), required_items(0.1, 0.05, 80, clusters=7)],
        [172, 225],
    ),
}


def numbers(found: object) -> list[float | None]:
    """All numbers in it, in order."""
    if is_dataclass(found) and not isinstance(found, type):
        return numbers(astuple(found))
    if isinstance(found, dict):
        return numbers([found[key] for key in sorted(found)])
    if isinstance(found, Sequence) and not isinstance(found, str):
        return [one for part in found for one in numbers(part)]
    return [found] if found is None or isinstance(found, int | float) else []


@pytest.mark.parametrize(("call", "expected"), CASES.values(), ids=CASES.keys())
def test_recorded(call: Callable[[], object], expected: list[float | None]) -> None:
    assert numbers(call()) == [one if one is None else pytest.approx(one, abs=1e-6) for one in expected]
