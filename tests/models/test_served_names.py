"""Names that providers state for what answered: which are the model's, and which another one's."""

import pytest

from affordance.models.served_names import is_same_model

SAME = {
    "equal": ("gpt-4o", "gpt-4o"),
    "a dated version": ("gpt-4o", "gpt-4o-2024-08-06"),
    "a dated version, of Anthropic": ("claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
    "of xAI": ("grok-4", "grok-4-0709"),
    "of Vertex": ("claude-opus-4-1", "claude-opus-4-1@20250805"),
    "a preview": ("gemini-2.5-pro", "gemini-2.5-pro-preview-06-05"),
    "the newest": ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
    "the newest of Mistral": ("mistral-small-latest", "mistral-small-2503"),
    "the version is not stated": ("gpt-4o-2024-08-06", "gpt-4o"),
    "a vendor": ("openai/gpt-4o", "gpt-4o-2024-11-20"),
    "another vendor": ("gpt-4o", "openai/gpt-4o"),
    "a path": ("accounts/fireworks/models/qwen3-vl", "qwen3-vl"),
    "Google's": ("gemini-2.5-flash", "models/gemini-2.5-flash"),
    "capitals": ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl-7b-instruct"),
    "points": ("anthropic/claude-opus-4.1", "claude-opus-4-1-20250805"),
    "free of charge": ("qwen/qwen3-vl:free", "qwen/qwen3-vl"),
    "Ollama's tag": ("qwen2.5vl:7b", "qwen2.5vl:7b"),
    "the usual tag": ("llava", "llava:latest"),
    "a file of its weights": ("SmolLM2-135M-Instruct", "/models/SmolLM2-135M-Instruct.Q4_1.gguf"),
    "another quantisation of a file": ("qwen2.5-vl-7b", "/models/Qwen2.5-VL-7B-Q4_K_M.gguf"),
    "a second copy": ("qwen2.5-vl-7b", "qwen2.5-vl-7b:2"),
}
OTHERS = {
    "another one": ("gpt-4o", "gpt-3.5-turbo"),
    "a smaller one": ("gpt-4o", "gpt-4o-mini"),
    "a smaller one, dated": ("gpt-4o", "gpt-4o-mini-2024-07-18"),
    "a larger one": ("o3-mini", "o3"),
    "another version": ("gpt-4o-2024-05-13", "gpt-4o-2024-11-20"),
    "another size": ("qwen2.5vl:7b", "qwen2.5vl:3b"),
    "the next": ("gpt-5", "gpt-5.1"),
    "a file": ("default", "/models/SmolLM2-360M.gguf"),
    "of another vendor": ("qwen/qwen3-vl", "openai/gpt-4o"),
}


@pytest.mark.parametrize(("asked", "served"), SAME.values(), ids=SAME.keys())
def test_names_of_one_model(asked: str, served: str) -> None:
    assert is_same_model(asked, served)


@pytest.mark.parametrize(("asked", "served"), OTHERS.values(), ids=OTHERS.keys())
def test_names_of_two_models(asked: str, served: str) -> None:
    assert not is_same_model(asked, served)
