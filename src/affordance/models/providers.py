"""The providers that speak chat-completions: where they are, which variable holds their key, and who gets it."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from affordance.core.errors import MissingApiKey, UnknownName, UserError
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName, without_base_url
from affordance.core.plugin_registry import MODELS, entry_points_by_name

if TYPE_CHECKING:
    from affordance.core.config import ProviderConfig


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
    "llamacpp": Provider("http://localhost:8080/v1", "LLAMACPP_API_KEY", key_required=False),
    "lmstudio": Provider("http://localhost:1234/v1", "LMSTUDIO_API_KEY", key_required=False),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "ollama": Provider("http://localhost:11434/v1", "OLLAMA_API_KEY", key_required=False),
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "sglang": Provider("http://localhost:30000/v1", "SGLANG_API_KEY", key_required=False),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "transformers": Provider("http://localhost:8000/v1", "TRANSFORMERS_API_KEY", key_required=False),
    "vllm": Provider("http://localhost:8000/v1", "VLLM_API_KEY", key_required=False),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
}

# Programs that users serve models with: what is known of one holds wherever it runs, and nobody is paid for it.
SERVERS = frozenset({"llamacpp", "lmstudio", "ollama", "sglang", "transformers", "vllm"})


def all_providers(configured: "Mapping[str, ProviderConfig]") -> dict[str, Provider]:
    """Those of the table and the user's own, which come first where they have the same name."""
    return {**PROVIDERS, **{name: Provider(**entry.model_dump()) for name, entry in configured.items()}}


def without_keys(providers: Mapping[str, Provider]) -> dict[str, Provider]:
    """The same for those who ask nothing: no key is needed, and none is looked for."""
    return {name: replace(one, key_variable="", key_required=False) for name, one in providers.items()}


@dataclass(frozen=True, slots=True)
class Endpoint:
    base_url: str  # may hold user info and a query: goes nowhere but into the request
    key: str | None


KeyVariables = Mapping[str, str]  # variables that hold keys, by the names of models
NO_KEY_VARIABLES: KeyVariables = {}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


def read_key_env(given: Iterable[str], models: Iterable[str | None]) -> dict[str, str]:
    """The variables that `--key-env` names, by model.

    Args:
        given: `MODEL=NAME`, or `NAME` for the only endpoint that is asked. The last one counts.
        models: All models of the command, as the user names them.
    """
    names = [name for name in map(ModelName.parse, filter(None, models)) if name.provider not in BUILTIN_PROVIDERS]
    found: dict[str, str] = {}
    for text in given:
        model, _, variable = text.rpartition("=")  # a base URL may hold one, the name of a variable never
        if not _VARIABLE.fullmatch(variable):  # which may be the key itself, so it is not printed
            raise UserError(
                "--key-env: expected [MODEL=]NAME with the name of an environment variable, such as MY_API_KEY"
            )
        wanted = str(ModelName.parse(model)) if model else ""
        meant = [str(name) for name in names if wanted in ("", str(name), without_base_url(str(name)))]
        if model and not meant:
            raise UnknownName("model of --key-env", wanted, map(str, names))
        if not model and len({(name.provider, _host(name.base_url or "")) for name in names}) > 1:
            raise UserError(
                "--key-env NAME: several endpoints are asked, and a key belongs to one; give --key-env MODEL=NAME"
            )
        found |= dict.fromkeys(meant, variable)
    return found


def find_endpoint(
    name: ModelName,
    providers: Mapping[str, Provider] = PROVIDERS,
    key_env: KeyVariables = NO_KEY_VARIABLES,
) -> Endpoint:
    """Where requests for a model go, and with which key: that of the variable in `key_env`, or on the provider's own
    host the provider's. Another host gets no key that the user has not named for it."""
    if name.provider not in providers:
        raise UnknownName("provider", name.provider, {*providers, *entry_points_by_name(MODELS), *BUILTIN_PROVIDERS})
    provider = providers[name.provider]
    key = read_named_key(name, key_env)
    if key is None and is_provider_host(name.base_url, provider):
        key = _read_key(provider.key_variable)
    if key is None and provider.key_required and name.base_url is None:
        raise MissingApiKey(
            f"{name} needs a key: set {_public_variable_name(provider.key_variable)} in the environment"
        )
    return Endpoint(name.base_url or provider.base_url, key)


def read_named_key(name: ModelName, key_env: KeyVariables) -> str | None:
    """The key that the user has named for a model by its variable; None where they have named none."""
    if (variable := key_env.get(str(name))) is None:
        return None
    if (key := _read_key(variable)) is None:
        raise MissingApiKey(
            f"{name} needs a key: set {_public_variable_name(variable)}, which --key-env names, in the environment"
        )
    return key


def is_provider_host(base_url: str | None, provider: Provider) -> bool:
    """Whether a base URL, or none, leads to the provider itself, and no less safely than its own address."""
    if base_url is None:
        return True
    exposed = urlsplit(provider.base_url).scheme == "https" and urlsplit(base_url).scheme != "https"
    return _host(base_url) == _host(provider.base_url) and not exposed


def _read_key(variable: str) -> str | None:
    key = os.environ.get(variable, "").strip() or None
    if key is not None and not (key.isascii() and key.isprintable()):
        raise MissingApiKey(f"{_public_variable_name(variable)} holds something that cannot be a key; set it again")
    return key


def _host(url: str) -> str:
    host = urlsplit(url).hostname or ""
    return _LOCAL_HOSTS[0] if host in _LOCAL_HOSTS else host


def _public_variable_name(name: str) -> str:
    """The name of a variable, unless it looks as if the key itself was given in its place."""
    return name if name.isupper() else "the variable"
