"""What models can be shown: known limits of providers, and what the user says under `[models."NAME"]`.

A limit is stated only where it is documented, and the highest that is. Where nobody said, the model is asked: what it
then cannot take is an error (`error_table.py`), and the attempt is missing until it can.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from affordance.core.ask import FinishReason, Request, Response
from affordance.core.complaints import describe_setting
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.core.picture import VideoSpec
from affordance.models.providers import SERVERS


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """None where nobody said."""

    max_images: int | None = None  # in one request
    video: bool | None = None  # whether it takes any as we send it: a part `video_url` with a data: URL


@runtime_checkable
class LimitedModel(Protocol):
    """A model that knows beforehand what it cannot be asked."""

    def check_limits(self, request: Request) -> Response | None:
        """The reply to an ask that it is not sent; None for any other."""
        ...


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
                f"{_config_table(name)}: most_images: expected a whole number from 0, found {describe_setting(most)}"
            )
        limits = replace(limits, max_images=most, video=False if most == 1 else limits.video)
    if (video := options.get("video")) is not None:
        if not isinstance(video, bool):
            raise UserError(f"{_config_table(name)}: video: expected true or false, found {describe_setting(video)}")
        limits = replace(limits, video=video)
    return limits


def check_limits(name: ModelName, limits: ImageLimits, request: Request) -> Response | None:
    """The reply to an ask that a model cannot be put, without putting it; None for any other."""
    pictures = request.images
    if limits.video is False and len(pictures) < len(request.media):
        return _unsupported_response(
            f"{name} takes no video in a request: ask it with --input frames (or set video = true under "
            f"{_config_table(name)})"
        )
    if limits.max_images is not None and len(pictures) > limits.max_images:
        return _unsupported_response(
            f"{name} takes at most {limits.max_images} images in a request, found {len(pictures)}: "
            f"ask for fewer, such as with --most-frames (or set most_images under {_config_table(name)})"
        )
    return None


def with_video_advice(response: Response, request: Request) -> Response:
    """An error of a server that may be about the video in the request, with what to do about that."""
    has_video = any(isinstance(visual, VideoSpec) for visual in request.media)
    if not has_video or response.finish is not FinishReason.ERROR or not response.sent or response.throttled:
        return response
    advice = "the request has a video as a data: URL; if the server does not take it, ask with --input frames"
    return replace(response, error=f"{response.error} ({advice})")


def _unsupported_response(why: str) -> Response:
    return Response(finish=FinishReason.UNSUPPORTED, error=why, permanent=True, sent=False)


def _config_table(name: ModelName) -> str:
    return f'[models."{name}"] in affordance.toml'
