"""What models can be shown: known limits of providers, and what the user says under `[models."NAME"]`.

A limit is stated only where it is documented, and the highest that is. Where nobody said, the model is asked: what it
then cannot take is an error (`error_table.py`), and the attempt is missing until it can.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.complaints import describe_setting
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.core.picture import Footage
from affordance.models.providers import SERVERS


@dataclass(frozen=True, slots=True)
class Limits:
    """None where nobody said."""

    most_images: int | None = None  # in one request
    video: bool | None = None  # whether it takes any as we send it: a part `video_url` with a data: URL


@runtime_checkable
class Limited(Protocol):
    """A model that knows beforehand what it cannot be asked."""

    def refusal(self, ask: Ask) -> Reply | None:
        """The reply to an ask that it is not sent; None for any other."""
        ...


# At the provider's own address, or wherever a server of `SERVERS` is. Elsewhere the model decides.
KNOWN: Mapping[str, Limits] = {
    # https://platform.claude.com/docs/en/build-with-claude/vision: 600, or 100 for models with a context of 200k
    "anthropic": Limits(most_images=600, video=False),
    # https://ai.google.dev/gemini-api/docs/openai: images and audio; no form of a video is documented
    "google": Limits(video=False),
    # https://console.groq.com/docs/vision: images per request; no video among the inputs
    "groq": Limits(most_images=5, video=False),
    # https://lmstudio.ai/docs/developer/openai-compat: images
    "lmstudio": Limits(video=False),
    # https://docs.mistral.ai/capabilities/vision: what is the maximum number of images per request
    "mistral": Limits(most_images=8, video=False),
    # https://docs.ollama.com/api/openai-compatibility: request fields of chat completions are text and images
    "ollama": Limits(video=False),
    # https://developers.openai.com/api/docs/guides/images-vision: image input requirements; chat takes text, images
    # and audio
    "openai": Limits(most_images=1500, video=False),
    # https://openrouter.ai/docs/features/multimodal/videos: video_url with a data URL, for models with that modality
    "openrouter": Limits(video=True),
    # https://docs.sglang.ai/basic_usage/openai_api_vision.html: video_url with a data URL
    "sglang": Limits(video=True),
    # https://huggingface.co/docs/transformers/serve-cli/serving: video_url with the address or path of a file only
    "transformers": Limits(video=False),
    # https://docs.vllm.ai/en/stable/features/multimodal_inputs.html: video_url with a data URL
    "vllm": Limits(video=True),
    # https://docs.x.ai/docs/guides/image-understanding: no limit to images
}

_KEYS = ("most_images", "video")


def without_limits(own: Mapping[str, Json]) -> dict[str, Json]:
    """Of what the user says about a model, the parameters that it is sent."""
    return {key: value for key, value in own.items() if key not in _KEYS}


def limits_of(name: ModelName, own: Mapping[str, Json]) -> Limits:
    """The limits of a model: those of its provider, and over them the user's own. One that takes a single image takes
    no video unless the user says so."""
    is_known = name.base_url is None or name.provider in SERVERS
    limits = KNOWN.get(name.provider, Limits()) if is_known else Limits()
    if (most := own.get("most_images")) is not None:
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise UserError(
                f"{_where(name)}: most_images: expected a whole number from 0, found {describe_setting(most)}"
            )
        limits = replace(limits, most_images=most, video=False if most == 1 else limits.video)
    if (video := own.get("video")) is not None:
        if not isinstance(video, bool):
            raise UserError(f"{_where(name)}: video: expected true or false, found {describe_setting(video)}")
        limits = replace(limits, video=video)
    return limits


def refusal(name: ModelName, limits: Limits, ask: Ask) -> Reply | None:
    """The reply to an ask that a model cannot be put, without putting it; None for any other."""
    pictures = ask.pictures
    if limits.video is False and len(pictures) < len(ask.visuals):
        return _unable(
            f"{name} takes no video in a request: ask it with --input frames (or set video = true under {_where(name)})"
        )
    if limits.most_images is not None and len(pictures) > limits.most_images:
        return _unable(
            f"{name} takes at most {limits.most_images} images in a request, found {len(pictures)}: "
            f"ask for fewer, such as with --most-frames (or set most_images under {_where(name)})"
        )
    return None


def with_video_advice(reply: Reply, ask: Ask) -> Reply:
    """An error of a server that may be about the video in the request, with what to do about that."""
    has_video = any(isinstance(visual, Footage) for visual in ask.visuals)
    if not has_video or reply.finish is not Finish.ERROR or not reply.sent or reply.throttled:
        return reply
    advice = "the request has a video as a data: URL; if the server does not take it, ask with --input frames"
    return replace(reply, error=f"{reply.error} ({advice})")


def _unable(why: str) -> Reply:
    return Reply(finish=Finish.UNABLE, error=why, permanent=True, sent=False)


def _where(name: ModelName) -> str:
    return f'[models."{name}"] in affordance.toml'
