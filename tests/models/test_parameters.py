import pytest

from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.models.parameters import check_parameters, parameter_warnings
from errors import assert_carries, raises

WRONG: dict[str, Json] = {
    "temperature": "hot",
    "top_p": True,
    "max_tokens": 1.5,
    "seed": "1",
    "stop": [1],
    "logprobs": 1,
    "reasoning_effort": 3,
}


@pytest.mark.parametrize(("name", "value"), WRONG.items())
def test_a_value_of_the_wrong_kind(name: str, value: Json) -> None:
    with raises(UserError, name):
        check_parameters({name: value})


@pytest.mark.parametrize("name", ["api_key", "apiKey", "API-KEY", "access_token", "Authorization", "my_password"])
def test_a_key_is_refused_and_not_repeated(name: str) -> None:
    with raises(UserError, name) as found:
        check_parameters({name: "planted-55"})
    assert "planted" not in str(found.value)


def test_what_passes() -> None:
    right: dict[str, Json] = {"temperature": 0, "top_p": 0.9, "max_tokens": 5, "stop": ["a"], "seed": None, "mine": {}}
    check_parameters(right)
    check_parameters({"prompt_cache_key": "a", "stop_token_ids": [1], "max_completion_tokens": 5})
    assert list(parameter_warnings(right)) == []


def test_a_name_that_is_nearly_one() -> None:
    (doubt,) = parameter_warnings({"temprature": 0})
    assert_carries(doubt, "temprature", "temperature")
