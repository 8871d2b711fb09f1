"""Providers of chat-completions: their base URLs, image limits and keys, and which host gets a key."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from affordance.core.errors import InvalidOption, MissingApiKey, UnknownName
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName, without_base_url
from affordance.core.plugin_registry import MODELS, entry_points_by_name

if TYPE_CHECKING:
    from affordance.core.config import ProviderConfig


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What a request may contain; None if unknown."""

    max_images: int | None = None  # in one request
    video: bool | None = None  # whether parts `video_url` with a data: URL are accepted


@dataclass(frozen=True, slots=True)
class Provider:
    base_url: str
    key_variable: str
    key_required: bool = True
    is_local: bool = False  # a server program that users run themselves: it is free, and its limits hold at any address
    images: ImageLimits = ImageLimits()  # documented limits at `base_url`


def _local(port: int, key_variable: str, images: ImageLimits | None = None) -> Provider:
    return Provider(f"http://localhost:{port}/v1", key_variable, False, True, images or ImageLimits())


_NO_VIDEO, _VIDEO = ImageLimits(video=False), ImageLimits(video=True)

# The highest documented limits. Where none is documented, the model is asked; what it does not accept is an error
# (`provider_errors`).
PROVIDERS: Mapping[str, Provider] = {
    # https://platform.claude.com/docs/en/build-with-claude/vision: 600, or 100 for models with a context of 200k
    "anthropic": Provider(
        "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", images=ImageLimits(max_images=600, video=False)
    ),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "fireworks": Provider("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    # https://ai.google.dev/gemini-api/docs/openai: images and audio; no form of a video is documented
    "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", images=_NO_VIDEO),
    # https://console.groq.com/docs/vision: images per request; no video among the inputs
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY", images=ImageLimits(max_images=5, video=False)),
    "llamacpp": _local(8080, "LLAMACPP_API_KEY"),
    # https://lmstudio.ai/docs/developer/openai-compat: images
    "lmstudio": _local(1234, "LMSTUDIO_API_KEY", _NO_VIDEO),
    # https://docs.mistral.ai/capabilities/vision: maximum number of images per request
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY", images=ImageLimits(max_images=8, video=False)),
    # https://docs.ollama.com/api/openai-compatibility: request fields of chat completions are text and images
    "ollama": _local(11434, "OLLAMA_API_KEY", _NO_VIDEO),
    # https://developers.openai.com/api/docs/guides/images-vision: image input requirements; chat accepts text, images
    # and audio
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", images=ImageLimits(max_images=1500, video=False)),
    # https://openrouter.ai/docs/features/multimodal/videos: video_url with a data URL, for models with that modality
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", images=_VIDEO),
    # https://docs.sglang.ai/basic_usage/openai_api_vision.html: video_url with a data URL
    "sglang": _local(30000, "SGLANG_API_KEY", _VIDEO),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    # https://huggingface.co/docs/transformers/serve-cli/serving: video_url with the address or path of a file only
    "transformers": _local(8000, "TRANSFORMERS_API_KEY", _NO_VIDEO),
    # https://docs.vllm.ai/en/stable/features/multimodal_inputs.html: video_url with a data URL
    "vllm": _local(8000, "VLLM_API_KEY", _VIDEO),
    # https://docs.x.ai/docs/guides/image-understanding: no limit to images
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
}


def all_providers(configured: "Mapping[str, ProviderConfig]") -> dict[str, Provider]:
    """The built-in providers and the user's own, which replace a built-in one of the same name. What is known about
    the models of a provider holds for its name, wherever it is."""
    own = {
        name: replace(PROVIDERS.get(name, Provider("", "")), **entry.model_dump()) for name, entry in configured.items()
    }
    return {**PROVIDERS, **own}


def without_keys(providers: Mapping[str, Provider]) -> dict[str, Provider]:
    """The same providers for commands that send nothing: no key is needed or read."""
    return {name: replace(one, key_variable="", key_required=False) for name, one in providers.items()}


@dataclass(frozen=True, slots=True)
class Endpoint:
    base_url: str  # may contain secrets in user info and query; used for requests only
    key: str | None


KeyVariables = Mapping[str, str]  # environment variables that hold keys, by model
NO_KEY_VARIABLES: KeyVariables = {}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


def read_key_env(given: Iterable[str], models: Iterable[str | None]) -> dict[str, str]:
    """The variables that `--key-env` names, by model.

    Args:
        given: `MODEL=NAME`, or `NAME` if there is one endpoint. The last one counts.
        models: All models of the command, as the user names them.
    """
    names = [name for name in map(ModelName.parse, filter(None, models)) if name.provider not in BUILTIN_PROVIDERS]
    found: dict[str, str] = {}
    for text in given:
        model, _, variable = text.rpartition("=")  # a base URL may contain "="; the name of a variable does not
        if not _VARIABLE.fullmatch(variable):  # it may be the key itself, so it is not printed
            raise InvalidOption(
                "key_env", "expected [MODEL=]NAME with the name of an environment variable, such as MY_API_KEY"
            )
        wanted = str(ModelName.parse(model)) if model else ""
        meant = [str(name) for name in names if wanted in ("", str(name), without_base_url(str(name)))]
        if model and not meant:
            raise UnknownName("model of --key-env", wanted, map(str, names))
        if not model and len({(name.provider, _host(name.base_url or "")) for name in names}) > 1:
            raise InvalidOption("key_env", "there are several endpoints, and a key belongs to one; give MODEL=NAME")
        found |= dict.fromkeys(meant, variable)
    return found


def find_endpoint(
    name: ModelName,
    providers: Mapping[str, Provider] = PROVIDERS,
    key_env: KeyVariables = NO_KEY_VARIABLES,
) -> Endpoint:
    """The endpoint of a model with its key: that of the variable in `key_env`, else the provider's key if the base URL
    is on the provider's own host. Another host gets only a key that the user has named for it."""
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
    """The key in the variable that the user has named for a model; None if there is none."""
    if (variable := key_env.get(str(name))) is None:
        return None
    if (key := _read_key(variable)) is None:
        raise MissingApiKey(
            f"{name} needs a key: set {_public_variable_name(variable)}, which --key-env names, in the environment"
        )
    return key


def is_provider_host(base_url: str | None, provider: Provider) -> bool:
    """Whether a base URL is on the provider's own host, and encrypted if the provider's is."""
    if base_url is None:
        return True
    exposed = urlsplit(provider.base_url).scheme == "https" and urlsplit(base_url).scheme != "https"
    return _host(base_url) == _host(provider.base_url) and not exposed


def _read_key(variable: str) -> str | None:
    key = os.environ.get(variable, "").strip() or None
    if key is not None and not (key.isascii() and key.isprintable()):
        raise MissingApiKey(f"{_public_variable_name(variable)} does not contain a valid key; set it again")
    return key


def _host(url: str) -> str:
    host = urlsplit(url).hostname or ""
    return _LOCAL_HOSTS[0] if host in _LOCAL_HOSTS else host


def _public_variable_name(name: str) -> str:
    """The name of a variable, unless it looks like the key itself."""
    return name if name.isupper() else "the variable"
