"""Model families: which row a name belongs to, and what the row says."""

import pytest

from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.grounding.dialects import BUILTIN_DIALECTS, DIALECTS
from affordance.models.families import DEFAULT_FAMILY, FAMILIES
from affordance.models.family import Price
from affordance.models.profile import find_family, find_price, patterns_of_dialect, resolve_profile

KNOWN = {
    "gemini": ["google/gemini-2.5-pro", "gemini-2.5-flash-lite", "models/gemini-3-pro-preview", "gemini-2.0-flash-001"],
    "claude": [
        "anthropic/claude-sonnet-4.5",
        "claude-opus-4-1-20250805",
        "claude-3-7-sonnet-latest",
        "us.anthropic.claude-3-5-sonnet-20241022-v2:0",
        "claude-haiku-4-5@20251001",
        "anthropic/claude-sonnet-4:thinking",
    ],
    "gpt": [
        "gpt-5-mini",
        "openai/gpt-5",
        "gpt-4o-2024-08-06",
        "gpt-4.1",
        "chatgpt-4o-latest",
        "o3",
        "o4-mini",
        "o1-pro",
    ],
    "qwen2-vl": ["Qwen/Qwen2-VL-72B-Instruct", "qwen2-vl-7b-instruct"],
    "qwen2.5-vl": [
        "Qwen/Qwen2.5-VL-7B-Instruct-AWQ",
        "qwen2.5vl:7b",
        "qwen/qwen2.5-vl-72b-instruct:free",
        "accounts/fireworks/models/qwen2p5-vl-32b-instruct",
    ],
    "qwen3-vl": ["Qwen3-VL-32B-Instruct", "qwen/qwen3-vl-235b-a22b-thinking", "qwen3-vl:8b"],
    "glm": ["zai-org/GLM-4.5V", "z-ai/glm-4.6v", "THUDM/GLM-4.1V-9B-Thinking", "glm-4.5v-fp8"],
    "step": ["stepfun-ai/step3", "step-3", "stepfun-ai/step3-fp8"],
    "ui-tars": ["ByteDance-Seed/UI-TARS-1.5-7B", "bytedance/ui-tars-1.5-7b", "mlx-community/UI-TARS-1.5-7B-4bit"],
    "ui-tars-1.0": ["bytedance-research/UI-TARS-7B-DPO", "UI-TARS-72B-SFT", "doubao-1-5-ui-tars-250428"],
    "os-atlas": ["OS-Copilot/OS-Atlas-Base-7B", "OS-Atlas-Pro-7B", "OS-Atlas-Base-4B"],
    "uground": ["osunlp/UGround-V1-7B", "UGround-V1-72B"],
    "jedi": ["xlangai/Jedi-7B-1080p", "jedi-3b-1080p"],
    "holo": ["Hcompany/Holo1.5-7B", "Holo1-3B"],
    "holo2": ["Hcompany/Holo2-8B", "Holo2-30B-A3B"],
    "opencua": ["xlangai/OpenCUA-72B", "OpenCUA-7B", "opencua-32b"],
    "infigui": ["InfiX-ai/InfiGUI-G1-7B", "InfiGUI-R1-3B"],
    "gui-r1": ["ritzzai/GUI-R1-7B", "gui-r1-3b"],
    "ui-venus": ["inclusionAI/UI-Venus-Ground-7B", "UI-Venus-Ground-72B"],
}
UNKNOWN = [
    "my-gemini-clone",
    "notclaude-3",
    "gpt",
    "gpt-oss-120b",
    "o2",
    "foo3",
    "o3x",
    "qwen2.5-7b-instruct",
    "qwen3-32b",
]
UNKNOWN += [
    "qwen-vl-max",
    "glm-4.5",
    "step-3.5-flash",
    "jedi",
    "holodeck-7b",
    "OpenCUA-A3B",
    "UI-Venus-1.5-8B",
    "claude",
]
UNKNOWN += ["", "/", "llama-4-maverick", "super-ui-tars-1.5-7b", "gemini", "gemini/", "x-infigui-g1-7b", "internvl3-8b"]


SHARED_DIALECTS: dict[str, str] = {}  # the dialects of families that have none of their own


@pytest.mark.parametrize("row", KNOWN)
def test_a_name_belongs_to_exactly_one_family(row: str) -> None:
    for model in KNOWN[row]:
        family, is_known = find_family(model)
        assert (family.name, family.dialect, is_known) == (row, SHARED_DIALECTS.get(row, row), True), model
        name = model.rpartition("/")[2].lower()
        assert [other.name for other in FAMILIES if other.matches(name)] == [row], model


def test_a_name_that_only_contains_another_is_unknown() -> None:
    for model in UNKNOWN:
        assert find_family(model) == (DEFAULT_FAMILY, False), model


def test_every_family_has_its_own_name_a_dialect_and_a_source() -> None:
    rows = (*FAMILIES, DEFAULT_FAMILY)
    assert len({row.name for row in rows}) == len(rows)
    assert {row.dialect for row in rows} == {dialect.name for dialect in BUILTIN_DIALECTS}, "each dialect is used"
    assert {row.name for row in FAMILIES} == set(KNOWN)
    assert all(row.sources for row in rows)
    assert all(row.vendor and row.patterns for row in FAMILIES)


def test_every_price_of_a_family_is_found_by_its_name() -> None:
    for family in FAMILIES:
        for model, price in family.prices.items():
            assert find_family(model)[0].name == family.name
            assert find_price(ModelName.parse(f"acme:{model}"), {}) == price


def test_patterns_of_a_dialect() -> None:
    assert patterns_of_dialect(DIALECTS["gpt"]) == next(row.patterns for row in FAMILIES if row.name == "gpt")


REASONING = ["openai:o1", "openai:o3-mini", "openai:o4-mini-2025-04-16", "openai:gpt-5", "openrouter:openai/gpt-5-mini"]
REASONING += ["azure:GPT-5"]
USUAL = [
    "openai:gpt-4o",
    "openai:gpt-5o",
    "openai:gpt-5-chat-latest",
    "vllm:Qwen/Qwen2.5-VL-7B",
    "openrouter:x/o1x",
    "google:gemini-2.5-pro",
    "vllm:foo-o1",
]
PARAMETERS: dict[str, Json] = {"temperature": 0, "top_p": 0.9, "max_tokens": 100, "seed": 7}


def sent(name: str, parameters: dict[str, Json]) -> dict[str, Json]:
    return resolve_profile(ModelName.parse(name)).parameters.apply(parameters)


@pytest.mark.parametrize("name", REASONING)
def test_reasoning_models_are_not_sent_what_they_refuse(name: str) -> None:
    assert sent(name, PARAMETERS) == {"max_completion_tokens": 100, "seed": 7}


@pytest.mark.parametrize("name", USUAL)
def test_others_are_sent_everything(name: str) -> None:
    found = sent(name, PARAMETERS)
    assert found == PARAMETERS
    assert found is not PARAMETERS


@pytest.mark.parametrize("name", ["openai:o1", "openai:gpt-4o"])
def test_nothing_is_added(name: str) -> None:
    assert sent(name, {}) == {}
    assert sent(name, {"top_k": None, "seed": 1}) == {"seed": 1}, "null is not sent"


def test_a_profile_joins_family_provider_and_the_users_settings() -> None:
    profile = resolve_profile(ModelName.parse("openai:gpt-4o"), {"most_images": 3}, {"gpt-4o": Price(1, 2)})
    assert (profile.dialect, profile.is_known, profile.price) == ("gpt", True, Price(1, 2))
    assert (profile.images.max_images, profile.images.video) == (3, False)
    unknown = resolve_profile(ModelName.parse("vllm:mine"))
    assert (unknown.dialect, unknown.is_known, unknown.images.video) == ("default", False, True)
