"""A check whether a model responds: one small image, and where that fails, text only."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText, Question
from affordance.core.requests import FinishReason, Message, Request, Response
from affordance.models.adaptation import send_adapted
from affordance.models.model import Model, ModelContext
from affordance.models.profile import without_limits
from affordance.models.providers import NO_KEY_VARIABLES, PROVIDERS, KeyVariables, Provider
from affordance.models.registry import build_model

TIMEOUT_SECONDS = 60.0
IMAGE_PROMPT = "What colour is this image? Answer with one word."
TEXT_PROMPT = "Answer with one word: what colour is the sky on a clear day?"
_SIDE = 64


@dataclass(frozen=True, slots=True)
class ConnectionCheck:
    """The response to text with an image; if that failed, to text only."""

    response: Response
    with_image: bool
    image_error: str = ""  # the error for the image, if text only was answered


async def check_connection(
    name: ModelName,
    providers: Mapping[str, Provider] = PROVIDERS,
    model_options: Mapping[str, Mapping[str, Json]] | None = None,
    seconds: float = TIMEOUT_SECONDS,
    key_env: KeyVariables = NO_KEY_VARIABLES,
) -> ConnectionCheck:
    """Sends one request, or two.

    Args:
        name: the model.
        providers: the known providers.
        model_options: the user's parameters and limits, by model.
        seconds: the timeout of a request.
        key_env: environment variables that hold keys, by model.

    Raises:
        UserError: the model is unknown or lacks its key.
    """
    context = ModelContext(
        _SampleImageLoader(), _refuse_question, timeout=seconds, model_options=model_options or {}, key_env=key_env
    )
    model = build_model(name, context, providers)
    parameters = model.request_parameters(without_limits((model_options or {}).get(str(name), {})))
    try:
        seen = await _send_prompt(model, (IMAGE_PROMPT, ImageSpec("trial")), parameters)
        if not seen.failed or not (seen.permanent or seen.finish is FinishReason.UNSUPPORTED):
            return ConnectionCheck(seen, with_image=True)
        read = await _send_prompt(model, (TEXT_PROMPT,), parameters)
        return ConnectionCheck(seen, True) if read.failed else ConnectionCheck(read, False, seen.error)
    finally:
        await model.close()


async def _send_prompt(model: Model, parts: tuple[str | MediaSpec, ...], parameters: Mapping[str, Json]) -> Response:
    return await send_adapted(model, Request("trial", (Message("user", parts),), FreeText(), parameters=parameters))


def _refuse_question(_: str) -> Question:
    raise UserError("this model answers questions of a dataset only; use `affordance run`")


class _SampleImageLoader:
    """Loads a red square for every image."""

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]:
        import numpy as np

        from affordance.media import encode_image

        pixels = np.full((_SIDE, _SIDE, 3), (200, 30, 30), np.uint8)
        return [await asyncio.to_thread(encode_image, pixels)] * len(media)

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        from base64 import b64encode

        return [b64encode(one) for one in await self.load(media)]

    def release(self, images: Sequence[bytes]) -> None:
        return
