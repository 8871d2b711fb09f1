"""A model that answers by the spec, for all stages of making a benchmark: a real server on loopback."""

import asyncio
import base64

from aiohttp import web

from author_divide_answers import answer as divides
from author_question_answers import answer as asks
from author_region_answers import answer as tells
from loopback import Behaviour, Seen, completion

STAGES = (divides, tells, asks)


def answer(text: str, images: list[bytes]) -> str:
    """What it says to a prompt; the same to the same prompt, always."""
    for stage in STAGES:
        found = stage(text, images)
        if found is not None:
            return found
    raise AssertionError(f"no stage knows this prompt: {text[:200]}")


def author_model(seconds: float = 0.0) -> Behaviour:
    """The behaviour of a server that is this model, and takes some time to answer."""

    async def behaviour(seen: Seen, _: web.Request) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        images = [base64.b64decode(url.partition(",")[2]) for url in seen.images]
        return completion(answer(seen.text, images))

    return behaviour
