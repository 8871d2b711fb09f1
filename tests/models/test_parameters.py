import pytest

from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.models.parameters import check_parameters, doubts

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
    with pytest.raises(UserError, match=f"parameter {name}: expected "):
        check_parameters({name: value})


def test_what_passes() -> None:
    right: dict[str, Json] = {"temperature": 0, "top_p": 0.9, "max_tokens": 5, "stop": ["a"], "seed": None, "mine": {}}
    check_parameters(right)
    assert list(doubts(right)) == []


def test_a_name_that_is_nearly_one() -> None:
    assert [text.partition("; ")[2] for text in doubts({"temprature": 0})] == ["did you mean 'temperature'?"]
