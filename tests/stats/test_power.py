"""How much can be told: textbook figures, another way, and that both functions are inverse to each other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from affordance.stats import minimum_detectable_difference, required_items
from errors import raises


def test_textbook() -> None:
    """(1.960 + 0.842)² = 7.849 for 5% and a power of 0.8, (1.960 + 1.282)² = 10.507 for 0.9: half a standard deviation
    needs 31.4 and 42.03 items."""
    assert minimum_detectable_difference(1.0) ** 2 == pytest.approx(7.849, abs=5e-4)
    assert minimum_detectable_difference(1.0, power=0.9) ** 2 == pytest.approx(10.507, abs=5e-4)
    assert required_items(0.5, 1 / 100**0.5, 100) == 32
    assert required_items(-0.5, 1 / 100**0.5, 100, power=0.9) == 43


@settings(max_examples=40)
@given(st.floats(0.001, 10), st.floats(0.5, 0.99), st.floats(0.5, 0.99))
def test_the_power_is_that_of_the_normal_distribution(error: float, power: float, level: float) -> None:
    beyond = stats.norm.isf((1 - level) / 2) * error
    assert stats.norm.sf(beyond, minimum_detectable_difference(error, power, level), error) == pytest.approx(power)


@settings(max_examples=40)
@given(st.floats(0.001, 1), st.integers(1, 10_000))
def test_what_is_just_detectable_needs_no_more(error: float, n: int) -> None:
    assert required_items(minimum_detectable_difference(error), error, n) in (n, n + 1)
    assert required_items(2 * minimum_detectable_difference(error), error, 4 * n) in (n, n + 1)


def test_edges() -> None:
    assert required_items(0.0, 0.1, 50) is None
    assert required_items(0.1, 0.0, 50) == 1
    assert minimum_detectable_difference(0.0) == 0


@pytest.mark.parametrize(("error", "power"), [(-1.0, 0.8), (float("nan"), 0.8), (1.0, 1.0), (1.0, 0.2)])
def test_what_does_not_fit(error: float, power: float) -> None:
    with raises(ValueError, error if power == 0.8 else power):
        minimum_detectable_difference(error, power)


def test_the_limits_of_power_level_and_number() -> None:
    assert minimum_detectable_difference(1.0, 0.5) > 0
    for level in (0.0, 1.0):
        with raises(ValueError, level):
            minimum_detectable_difference(1.0, 0.8, level)
    assert required_items(0.1, 1.0, 1) is not None
    with raises(ValueError, 0):
        required_items(0.1, 1.0, 0)
