import pytest

from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.models.family import apply_parameter_rules

REASONING = ["openai:o1", "openai:o3-mini", "openai:o4-mini-2025-04-16", "openai:gpt-5", "openrouter:openai/gpt-5-mini"]
USUAL = [
    "openai:gpt-4o",
    "openai:gpt-5o",
    "vllm:Qwen/Qwen2.5-VL-7B",
    "openrouter:x/o1x",
    "google:gemini-2.5-pro",
    "vllm:foo-o1",
]
PARAMETERS: dict[str, Json] = {"temperature": 0, "top_p": 0.9, "max_tokens": 100, "seed": 7}


@pytest.mark.parametrize("name", REASONING)
def test_reasoning_models_are_not_sent_what_they_refuse(name: str) -> None:
    assert apply_parameter_rules(ModelName.parse(name), PARAMETERS) == {"max_completion_tokens": 100, "seed": 7}


@pytest.mark.parametrize("name", USUAL)
def test_others_are_sent_everything(name: str) -> None:
    found = apply_parameter_rules(ModelName.parse(name), PARAMETERS)
    assert found == PARAMETERS
    assert found is not PARAMETERS


@pytest.mark.parametrize("name", ["openai:o1", "openai:gpt-4o"])
def test_nothing_is_added(name: str) -> None:
    assert apply_parameter_rules(ModelName.parse(name), {}) == {}
    assert apply_parameter_rules(ModelName.parse(name), {"top_k": None, "seed": 1}) == {"seed": 1}, "null is not sent"
