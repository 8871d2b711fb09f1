"""What asks cost: a small table of prices that users extend, and upper bounds before there is a reply to count."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil

from affordance.core.ask import Request
from affordance.core.config import ConfigFile
from affordance.core.digest import Json, canonical_json
from affordance.core.names import BUILTIN_PROVIDERS, ModelName
from affordance.core.picture import ImageSpec, MediaSpec
from affordance.models.parameters import OUTPUT_LIMIT_PARAMETERS
from affordance.models.providers import SERVERS

FREE_PROVIDERS = frozenset({*BUILTIN_PROVIDERS, *SERVERS})

# Upper bounds. No tokenizer makes more of a text than a token for each of its bytes. No provider counts more for an
# image, nor takes more in a request, which is what a long video may come to.
MAX_TOKENS_PER_IMAGE = 16_384
MAX_TOKENS_PER_REQUEST = 2**21
TOKENS_PER_MESSAGE = 32  # for its role and the like, and for the system message of a chat template


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


def max_input_tokens(request: Request) -> int:
    """An upper bound of the tokens that an ask is billed for."""
    return max_text_tokens(request) + sum(max_media_tokens(visual) for visual in request.media)


def max_text_tokens(request: Request) -> int:
    """An upper bound for everything but images and videos: parameters such as a schema are read by the model, too."""
    texts = [part for message in request.messages for part in message.parts if isinstance(part, str)]
    written = sum(len(text.encode("utf-8", "surrogatepass")) for text in (*texts, canonical_json(request.parameters)))
    return written + len(request.messages) * TOKENS_PER_MESSAGE


def max_media_tokens(visual: MediaSpec) -> int:
    """An upper bound for an image or a video: of a video each frame counts as an image, as far as its recipe says how
    many there are."""
    if isinstance(visual, ImageSpec):
        return MAX_TOKENS_PER_IMAGE
    if visual.end is None or visual.fps is None:
        return MAX_TOKENS_PER_REQUEST
    frames = ceil((visual.end - visual.start) * visual.fps) + 1
    return min(frames * MAX_TOKENS_PER_IMAGE, MAX_TOKENS_PER_REQUEST)


def max_output_tokens(parameters: Mapping[str, Json]) -> int | None:
    """The tokens that may come out, by the limit under either of its names; None where there is none."""
    limits = [value for name in OUTPUT_LIMIT_PARAMETERS if isinstance(value := parameters.get(name), int)]
    answers = parameters.get("n")
    return max(limits) * (answers if isinstance(answers, int) else 1) if limits else None


@cache
def _default_prices() -> Mapping[str, Price]:
    found = tomllib.loads(files("affordance.models").joinpath("prices.toml").read_text(encoding="utf-8"))
    return {name: Price(**entry) for name, entry in found.items()}
