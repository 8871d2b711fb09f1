"""Options are declared once: help, constraints, identity and stored names come from the same fields."""

import inspect
import pickle
from enum import StrEnum
from typing import Any, Literal

import pytest

from affordance.core.errors import InvalidOption, LedgerNotFound, UnknownName, UserError
from affordance.core.options import (
    OptionModel,
    identity_record,
    option,
    options_of,
    parse_options,
    signature_parameters,
)
from errors import assert_carries, raises


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


class Config(OptionModel):
    limit: int | None = option(None, "Evaluate N items.", metavar="N", aliases=("-n",), ge=1)
    seed: int = option(0, "Seed.", always_stored=True)
    parse_retries: int | None = option(None, "Requests after an unparsed response.", stored_as="reasks", ge=0, le=10)
    concurrency: int = option(64, "Requests in flight.", identity=False, panel="Execution", ge=1)
    colour: Colour | None = option(None, "Colour.")
    mode: Literal["fast", "slow"] = option("fast", "Mode.")
    names: dict[str, int] = option({}, "Names.")
    undeclared: int = 3


def test_what_is_declared() -> None:
    options = options_of(Config)
    assert list(options) == ["limit", "seed", "parse_retries", "concurrency", "colour", "mode", "names"]
    limit = options["limit"]
    assert (limit.help, limit.metavar, limit.aliases, limit.default) == ("Evaluate N items.", "N", ("-n",), None)
    assert (options["parse_retries"].flag, options["parse_retries"].key) == ("--parse-retries", "reasks")
    assert (options["concurrency"].identity, options["concurrency"].panel) == (False, "Execution")
    assert options["colour"].choices == ("red", "green")
    assert options["mode"].choices == ("fast", "slow")
    assert options["limit"].choices == ()


def test_a_required_option() -> None:
    class Required(OptionModel):
        task: str = option(..., "Task.")

    assert options_of(Required)["task"].is_required
    with raises(InvalidOption, "task"):
        parse_options(Required, {})


def test_which_options_were_given() -> None:
    config = parse_options(Config, {"limit": "3", "colour": "red"})
    assert (config.limit, config.colour, config.seed) == (3, Colour.RED, 0)
    assert config.model_fields_set == {"limit", "colour"}


@pytest.mark.parametrize(
    ("name", "value", "strict", "data"),
    [
        pytest.param("limit", 0, False, ["at least 1", "0"], id="below the least"),
        pytest.param("parse_retries", 11, False, ["at most 10", "11"], id="above the most"),
        pytest.param("seed", "x", False, ["whole number", "'x'"], id="no number"),
        pytest.param("seed", "1", True, ["whole number", "'1'"], id="text where types count"),
        pytest.param("colour", "blue", False, ["red", "green", "'blue'"], id="no member of an enum"),
        pytest.param("mode", "x", False, ["fast", "slow", "'x'"], id="no literal"),
        pytest.param("names", {"a": "b"}, False, ["a", "whole number"], id="a part of a value"),
    ],
)
def test_invalid_values(name: str, value: Any, strict: bool, data: list[str]) -> None:
    with raises(InvalidOption, name, *data) as error:
        parse_options(Config, {name: value}, strict=strict)
    assert error.value.option == name


def test_an_unknown_option_is_suggested() -> None:
    with raises(UnknownName, "limt", "limit"):
        parse_options(Config, {"limt": 3})


def test_no_secret_is_quoted() -> None:
    with raises(InvalidOption) as error:
        parse_options(Config, {"mode": "https://user:SECRET@host/v1?key=SECRET"})
    assert "SECRET" not in str(error.value)


def test_the_record_of_a_run_has_what_differs_from_the_default() -> None:
    assert identity_record(Config()) == {"seed": 0}
    config = Config(limit=3, parse_retries=2, concurrency=1, colour=Colour.GREEN, names={"a": 1})
    assert identity_record(config) == {"seed": 0, "limit": 3, "reasks": 2, "colour": "green", "names": {"a": 1}}


def test_the_signature_lists_the_options() -> None:
    parameters = {one.name: one for one in signature_parameters(Config)}
    assert parameters["concurrency"].default == 64
    assert parameters["limit"].annotation == int | None
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in parameters.values())


def test_an_error_names_its_option_as_its_surface_writes_it() -> None:
    error = InvalidOption("judge_orders", "expected 1 or 2, found 3", hint="leave it out")
    assert str(error) == "judge_orders: expected 1 or 2, found 3; leave it out"
    assert error.describe(lambda name: f"--{name.replace('_', '-')}").startswith("--judge-orders: expected")
    assert (error.option, error.message, error.hint) == ("judge_orders", "expected 1 or 2, found 3", "leave it out")
    same = pickle.loads(pickle.dumps(error))
    assert (str(same), same.option, same.hint) == (str(error), error.option, error.hint)
    other = pickle.loads(pickle.dumps(UserError("x", option="limit", hint="y")))
    assert str(other) == "limit: x; y"


def test_a_caller_may_say_what_to_do_instead() -> None:
    error = LedgerNotFound("a.db")
    assert error.location == "a.db"
    error.hint = "call affordance.run() first"
    assert_carries(str(error), "a.db", "affordance.run()")
