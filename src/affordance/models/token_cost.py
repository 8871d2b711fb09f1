"""Upper bounds for the tokens of a request."""

from collections.abc import Mapping
from math import ceil

from affordance.core.json_text import Json, canonical_json
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.requests import Request
from affordance.models.parameters import OUTPUT_LIMIT_PARAMETERS

# Upper bounds. No tokenizer makes more of a text than a token for each of its bytes. No provider counts more for an
# image, nor takes more in a request, which is what a long video may come to.
MAX_TOKENS_PER_IMAGE = 16_384
MAX_TOKENS_PER_REQUEST = 2**21
TOKENS_PER_MESSAGE = 32  # for its role and the like, and for the system message of a chat template


def max_input_tokens(request: Request) -> int:
    """An upper bound of the tokens that a request is billed for."""
    return max_text_tokens(request) + sum(max_media_tokens(visual) for visual in request.media)


def max_text_tokens(request: Request) -> int:
    """An upper bound for everything but images and videos. Parameters such as a schema are billed too."""
    texts = [part for message in request.messages for part in message.parts if isinstance(part, str)]
    written = sum(len(text.encode("utf-8", "surrogatepass")) for text in (*texts, canonical_json(request.parameters)))
    return written + len(request.messages) * TOKENS_PER_MESSAGE


def max_media_tokens(visual: MediaSpec) -> int:
    """An upper bound for an image or a video. Each frame of a video counts as an image, if the number of frames is
    known."""
    if isinstance(visual, ImageSpec):
        return MAX_TOKENS_PER_IMAGE
    if visual.end is None or visual.fps is None:
        return MAX_TOKENS_PER_REQUEST
    frames = ceil((visual.end - visual.start) * visual.fps) + 1
    return min(frames * MAX_TOKENS_PER_IMAGE, MAX_TOKENS_PER_REQUEST)


def max_output_tokens(parameters: Mapping[str, Json]) -> int | None:
    """The most output tokens, by the limit under either of its names; None without a limit."""
    limits = [value for name in OUTPUT_LIMIT_PARAMETERS if isinstance(value := parameters.get(name), int)]
    answers = parameters.get("n")
    return max(limits) * (answers if isinstance(answers, int) else 1) if limits else None
