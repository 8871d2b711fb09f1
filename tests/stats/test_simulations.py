"""The simulations of `benchmarks/simulate.py` at reduced size: tests reject, and intervals hold the truth, as often as
they say. Seeds are fixed, so that each result is the same every time. `make test` has few rounds of the quick worlds,
at least one of each method; `make test-all` has more rounds of all."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "simulate.py"
    spec = importlib.util.spec_from_file_location("simulate", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SIMULATE = _benchmark()
FEW, MANY_ROUNDS = 40, 160
# Of so many rates some are off by chance: this many standard errors, and what normal approximations are off by.
ERRORS, OFF = 3.0, 0.01
MANY = ("250", "320")  # clusters


TESTS = [name for name in SIMULATE.SIMULATIONS if name.startswith("null")]
INTERVALS = [name for name in SIMULATE.SIMULATIONS if not name.startswith(("null", "power"))]
SLOW = ("250 x 1 items, mean 0.7", "320 x", "macro F1: 300", "2000")


def _quick(names: list[str]) -> list[str]:
    return [name for name in names if not any(part in name for part in SLOW)]


def check_test(name: str, rounds: int) -> None:
    """And, with many clusters, it does not reject much more rarely: a test that never rejects finds nothing either."""
    simulate, times = SIMULATE.SIMULATIONS[name]
    for rate in simulate(int(rounds * times)):
        if rate.what == "as if independent":
            continue
        assert rate.rate <= rate.nominal + ERRORS * rate.error + (0 if rate.what in ("test", "sign flip") else OFF), (
            rate
        )
        if rate.world.split()[1] in MANY:
            assert rate.rate >= 0.01, rate


def check_interval(name: str, rounds: int) -> None:
    simulate, times = SIMULATE.SIMULATIONS[name]
    for rate in simulate(int(rounds * times)):
        if not rate.what.endswith("as if independent"):
            assert rate.rate >= rate.nominal - ERRORS * rate.error - OFF, rate
            assert rate.wide < (1.3 if rate.world.split()[1] in MANY else 3), rate


def test_equal_models_are_distinguished_as_rarely_as_promised() -> None:
    for name in _quick(TESTS):
        check_test(name, FEW)


@pytest.mark.long
@pytest.mark.parametrize("name", TESTS)
def test_equal_models_are_distinguished_as_rarely_as_promised_everywhere(name: str) -> None:
    check_test(name, MANY_ROUNDS)


def test_intervals_hold_the_truth_as_often_as_promised() -> None:
    for name in _quick(INTERVALS):
        check_interval(name, FEW)


@pytest.mark.long
@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_hold_the_truth_as_often_as_promised_everywhere(name: str) -> None:
    check_interval(name, MANY_ROUNDS)


@pytest.mark.parametrize("rounds", [40, pytest.param(600, marks=pytest.mark.long)])
def test_what_can_be_detected_is_found(rounds: int) -> None:
    """With many clusters. The normal approximation promises a little too much with few."""
    (rate,) = SIMULATE.power_rates(200, rounds)
    assert abs(rate.rate - rate.nominal) <= ERRORS * rate.error, rate


def test_taking_values_for_independent_would_be_wrong() -> None:
    """Why there are clusters: three near copies of each reply."""
    world = SIMULATE.World(60)
    rates = {
        rate.what: rate.rate for simulate in (SIMULATE.null_rates, SIMULATE.mean_rates) for rate in simulate(world, 60)
    }
    assert rates["as if independent"] > 0.15
    assert rates["mean, as if independent"] < 0.9
