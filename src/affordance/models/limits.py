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


@dataclass(frozen=True, slots=True)
class Limits:
    """None where nobody said."""

    most_images: int | None = None  # in one request
    video: bool | None = None  # whether it takes any

    @property
    def no_video(self) -> bool:
        """Whether it takes none, as one that takes a single image does not unless it is said."""
        return self.most_images == 1 if self.video is None else not self.video


@runtime_checkable
class Limited(Protocol):
    """A model that knows beforehand what it cannot be asked."""

    def refusal(self, ask: Ask) -> Reply | None:
        """The reply to an ask that it is not sent; None for any other."""
        ...


# At the provider's own address. Of a router, and of a server of the user's, the model decides.
KNOWN: Mapping[str, Limits] = {
    # https://platform.claude.com/docs/en/build-with-claude/vision: 600, or 100 for models with a context of 200k
    "anthropic": Limits(most_images=600, video=False),
    # https://console.groq.com/docs/vision: images per request; no video among the inputs
    "groq": Limits(most_images=5, video=False),
    # https://docs.mistral.ai/capabilities/vision: what is the maximum number of images per request
    "mistral": Limits(most_images=8, video=False),
    # https://docs.ollama.com/api/openai-compatibility: request fields of chat completions are text and images
    "ollama": Limits(video=False),
    # https://developers.openai.com/api/docs/guides/images-vision: image input requirements; chat takes text, images
    # and audio
    "openai": Limits(most_images=1500, video=False),
    # https://openrouter.ai/docs/features/multimodal/videos: video_url with a data URL, for models with that modality
    # https://docs.vllm.ai/en/stable/features/multimodal_inputs.html: video_url with a data URL
    # https://docs.x.ai/docs/guides/image-understanding: no limit to images
}

_KEYS = ("most_images", "video")


def without_limits(own: Mapping[str, Json]) -> dict[str, Json]:
    """Of what the user says about a model, the parameters that it is sent."""
    return {key: value for key, value in own.items() if key not in _KEYS}


def limits_of(name: ModelName, own: Mapping[str, Json]) -> Limits:
    """The limits of a model: those of its provider, and over them the user's own."""
    limits = KNOWN.get(name.provider, Limits()) if name.base_url is None else Limits()
    if (most := own.get("most_images")) is not None:
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise UserError(
                f"{_where(name)}: most_images: expected a whole number from 0, found {describe_setting(most)}"
            )
        limits = replace(limits, most_images=most)
    if (video := own.get("video")) is not None:
        if not isinstance(video, bool):
            raise UserError(f"{_where(name)}: video: expected true or false, found {describe_setting(video)}")
        limits = replace(limits, video=video)
    return limits


def refusal(name: ModelName, limits: Limits, ask: Ask) -> Reply | None:
    """The reply to an ask that a model cannot be put, without putting it; None for any other."""
    pictures = ask.pictures
    if limits.no_video and len(pictures) < len(ask.visuals):
        return _unable(f"{name} takes no video: ask it with --input frames (or set video = true under {_where(name)})")
    if limits.most_images is not None and len(pictures) > limits.most_images:
        return _unable(
            f"{name} takes at most {limits.most_images} images in a request, found {len(pictures)}: "
            f"ask for fewer, such as with --most-frames (or set most_images under {_where(name)})"
        )
    return None


def _unable(why: str) -> Reply:
    return Reply(finish=Finish.UNABLE, error=why, permanent=True, sent=False)


def _where(name: ModelName) -> str:
    return f'[models."{name}"] in affordance.toml'
