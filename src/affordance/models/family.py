"""What is known about model families: request parameters, image limits and prices."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from affordance.core.config import ConfigFile
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
from affordance.core.validation import describe_setting
from affordance.models.parameters import without_null
from affordance.models.providers import SERVERS

FREE_PROVIDERS = frozenset({*BUILTIN_PROVIDERS, *SERVERS})


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


FREE = Price(0.0, 0.0)


def config_prices(config: ConfigFile) -> dict[str, Price]:
    """Those of affordance.toml."""
    return {name: Price(entry.input, entry.output) for name, entry in config.prices.items()}


def find_price(name: ModelName, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model: the user's own table first; what runs locally is free; None where nobody said."""
    listed = _find_in_table(name, prices)
    if listed is None:
        return FREE if name.provider in FREE_PROVIDERS else _find_in_table(name, _default_prices())
    return listed


def _find_in_table(name: ModelName, table: Mapping[str, Price]) -> Price | None:
    model = name.model.rpartition("/")[2]
    for known in sorted(table, key=len, reverse=True):
        if known in (model, name.model) or re.fullmatch(rf"{re.escape(known)}-(\d{{3,}}[\d-]*|latest)", model):
            return table[known]
    return None


@cache
def _default_prices() -> Mapping[str, Price]:
    found = tomllib.loads(files("affordance.models").joinpath("prices.toml").read_text(encoding="utf-8"))
    return {name: Price(**entry) for name, entry in found.items()}


@dataclass(frozen=True, slots=True)
class ParameterRules:
    pattern: re.Pattern[str]  # against the model's name without vendor prefix
    refused: frozenset[str] = frozenset()  # parameters its endpoint answers with an error
    renamed: tuple[tuple[str, str], ...] = ()


PARAMETER_RULES = (
    ParameterRules(
        re.compile(r"(o[1-9]|gpt-5)(-|$)"),
        refused=frozenset({"temperature", "top_p"}),
        renamed=(("max_tokens", "max_completion_tokens"),),
    ),
)


def apply_parameter_rules(name: ModelName, parameters: Mapping[str, Json]) -> dict[str, Json]:
    """The parameters as this model is sent them. What it refuses, and what is null, is left out and so is not recorded
    as sent."""
    sent = without_null(parameters)
    model = name.model.rpartition("/")[2]
    for profile in PARAMETER_RULES:
        if profile.pattern.match(model):
            names = dict(profile.renamed)
            return {names.get(key, key): value for key, value in sent.items() if key not in profile.refused}
    return sent


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """None where nobody said."""

    max_images: int | None = None  # in one request
    video: bool | None = None  # whether it takes any as we send it: a part `video_url` with a data: URL


# At the provider's own address, or wherever a server of `SERVERS` is. Elsewhere the model decides.
PROVIDER_LIMITS: Mapping[str, ImageLimits] = {
    # https://platform.claude.com/docs/en/build-with-claude/vision: 600, or 100 for models with a context of 200k
    "anthropic": ImageLimits(max_images=600, video=False),
    # https://ai.google.dev/gemini-api/docs/openai: images and audio; no form of a video is documented
    "google": ImageLimits(video=False),
    # https://console.groq.com/docs/vision: images per request; no video among the inputs
    "groq": ImageLimits(max_images=5, video=False),
    # https://lmstudio.ai/docs/developer/openai-compat: images
    "lmstudio": ImageLimits(video=False),
    # https://docs.mistral.ai/capabilities/vision: what is the maximum number of images per request
    "mistral": ImageLimits(max_images=8, video=False),
    # https://docs.ollama.com/api/openai-compatibility: request fields of chat completions are text and images
    "ollama": ImageLimits(video=False),
    # https://developers.openai.com/api/docs/guides/images-vision: image input requirements; chat takes text, images
    # and audio
    "openai": ImageLimits(max_images=1500, video=False),
    # https://openrouter.ai/docs/features/multimodal/videos: video_url with a data URL, for models with that modality
    "openrouter": ImageLimits(video=True),
    # https://docs.sglang.ai/basic_usage/openai_api_vision.html: video_url with a data URL
    "sglang": ImageLimits(video=True),
    # https://huggingface.co/docs/transformers/serve-cli/serving: video_url with the address or path of a file only
    "transformers": ImageLimits(video=False),
    # https://docs.vllm.ai/en/stable/features/multimodal_inputs.html: video_url with a data URL
    "vllm": ImageLimits(video=True),
    # https://docs.x.ai/docs/guides/image-understanding: no limit to images
}

_LIMIT_KEYS = ("most_images", "video")


def without_limits(options: Mapping[str, Json]) -> dict[str, Json]:
    """Of what the user says about a model, the parameters that it is sent."""
    return {key: value for key, value in options.items() if key not in _LIMIT_KEYS}


def image_limits(name: ModelName, options: Mapping[str, Json]) -> ImageLimits:
    """The limits of a model: those of its provider, and over them the user's own. One that takes a single image takes
    no video unless the user says so."""
    is_known = name.base_url is None or name.provider in SERVERS
    limits = PROVIDER_LIMITS.get(name.provider, ImageLimits()) if is_known else ImageLimits()
    if (most := options.get("most_images")) is not None:
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise UserError(
                f"{config_table(name)}: most_images: expected a whole number from 0, found {describe_setting(most)}"
            )
        limits = replace(limits, max_images=most, video=False if most == 1 else limits.video)
    if (video := options.get("video")) is not None:
        if not isinstance(video, bool):
            raise UserError(f"{config_table(name)}: video: expected true or false, found {describe_setting(video)}")
        limits = replace(limits, video=video)
    return limits


def config_table(name: ModelName) -> str:
    return f'[models."{name}"] in affordance.toml'
