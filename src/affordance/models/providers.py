"""The providers that speak chat-completions: where they are, and which variable holds their key."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from affordance.core.errors import MissingKey, UnknownName
from affordance.core.names import BUILT_IN, ModelName
from affordance.core.plugins import MODELS, plugins

if TYPE_CHECKING:
    from affordance.core.config import ProviderEntry


@dataclass(frozen=True, slots=True)
class Provider:
    base_url: str
    key_variable: str
    key_required: bool = True


PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "fireworks": Provider("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "lmstudio": Provider("http://localhost:1234/v1", "LMSTUDIO_API_KEY", key_required=False),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "ollama": Provider("http://localhost:11434/v1", "OLLAMA_API_KEY", key_required=False),
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "vllm": Provider("http://localhost:8000/v1", "VLLM_API_KEY", key_required=False),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
}


def all_providers(own: "Mapping[str, ProviderEntry]") -> dict[str, Provider]:
    """Those of the table and the user's own, which come first where they have the same name."""
    return {**PROVIDERS, **{name: Provider(**entry.model_dump()) for name, entry in own.items()}}


def without_keys(providers: Mapping[str, Provider]) -> dict[str, Provider]:
    """The same for those who ask nothing: no key is needed, and none is looked for."""
    return {name: replace(one, key_variable="", key_required=False) for name, one in providers.items()}


@dataclass(frozen=True, slots=True)
class Endpoint:
    base_url: str  # may hold user info and a query: goes nowhere but into the request
    key: str | None


def endpoint(name: ModelName, providers: Mapping[str, Provider] = PROVIDERS) -> Endpoint:
    """Where to send asks for a model. A key is needed at the provider's own address; at a base URL of the user's
    it is sent if it is set."""
    if name.provider not in providers:
        raise UnknownName("provider", name.provider, {*providers, *plugins(MODELS), *BUILT_IN})
    provider = providers[name.provider]
    key = os.environ.get(provider.key_variable, "").strip() or None
    if key is not None and not (key.isascii() and key.isprintable()):
        raise MissingKey(f"{provider.key_variable} holds something that cannot be a key; set it again")
    if key is None and provider.key_required and name.base_url is None:
        raise MissingKey(f"{name} needs a key: set {provider.key_variable} in the environment")
    return Endpoint(name.base_url or provider.base_url, key)
