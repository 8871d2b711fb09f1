"""Whether a model can be asked: one small picture, and where that does not work, words alone."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.core.ask import Ask, Finish, Message, Reply
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.grammar import Words
from affordance.core.names import ModelName
from affordance.core.picture import Picture, Visual
from affordance.core.question import Question
from affordance.models.adaptation import reply_adapted
from affordance.models.base import Model, Surroundings
from affordance.models.limits import without_limits
from affordance.models.providers import NO_KEY_VARIABLES, PROVIDERS, KeyVariables, Provider
from affordance.models.registry import build

SECONDS = 60.0
ASKED = "What colour is this picture? Answer with one word."
ASKED_WITHOUT = "Answer with one word: what colour is the sky on a clear day?"
_SIDE = 64


@dataclass(frozen=True, slots=True)
class Tried:
    """The reply to words with a picture; where that failed, to words alone."""

    reply: Reply
    with_picture: bool
    refused: str = ""  # what was said of the picture, where words alone were answered


async def try_model(
    name: ModelName,
    providers: Mapping[str, Provider] = PROVIDERS,
    own: Mapping[str, Mapping[str, Json]] | None = None,
    seconds: float = SECONDS,
    key_env: KeyVariables = NO_KEY_VARIABLES,
) -> Tried:
    """Asks once, or twice; a `UserError` where the model cannot even be named or lacks its key. `own` are parameters
    and limits of models by name, as the user has set them."""
    around = Surroundings(_OnePicture(), _no_question, timeout=seconds, own=own or {}, key_env=key_env)
    model = build(name, around, providers)
    parameters = model.sent(without_limits((own or {}).get(str(name), {})))
    try:
        seen = await _asked(model, (ASKED, Picture("trial")), parameters)
        if not seen.failed or not (seen.permanent or seen.finish is Finish.UNABLE):
            return Tried(seen, with_picture=True)
        read = await _asked(model, (ASKED_WITHOUT,), parameters)
        return Tried(seen, True) if read.failed else Tried(read, False, seen.error)
    finally:
        await model.close()


async def _asked(model: Model, parts: tuple[str | Visual, ...], parameters: Mapping[str, Json]) -> Reply:
    return await reply_adapted(model, Ask("trial", (Message("user", parts),), Words(), parameters=parameters))


def _no_question(_: str) -> Question:
    raise UserError("this model answers questions of a dataset only; try it with `affordance run`")


class _OnePicture:
    """A red square, whatever is asked for."""

    async def encoded(self, pictures: Sequence[Visual]) -> list[bytes]:
        import numpy as np

        from affordance.media import encode_image

        pixels = np.full((_SIDE, _SIDE, 3), (200, 30, 30), np.uint8)
        return [await asyncio.to_thread(encode_image, pixels)] * len(pictures)

    async def base64(self, pictures: Sequence[Visual]) -> list[bytes]:
        from base64 import b64encode

        return [b64encode(one) for one in await self.encoded(pictures)]

    def give_back(self, images: Sequence[bytes]) -> None:
        return
