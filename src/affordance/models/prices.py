"""What asks cost: a small table of prices that users extend, and upper bounds before there is a reply to count."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil

from affordance.core.ask import Ask
from affordance.core.config import Config
from affordance.core.digest import Json, canonical
from affordance.core.names import BUILT_IN, ModelName
from affordance.core.picture import Picture, Visual
from affordance.models.parameters import OUTPUT_LIMITS
from affordance.models.providers import SERVERS

LOCAL = frozenset({*BUILT_IN, *SERVERS})

# Upper bounds. No tokenizer makes more of a text than a token for each of its bytes. No provider counts more for an
# image, nor takes more in a request, which is what a long video may come to.
TOKENS_PER_IMAGE = 16_384
TOKENS_PER_REQUEST = 2**21
TOKENS_AROUND_MESSAGE = 32  # for its role and the like, and for the system message of a chat template


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


FREE = Price(0.0, 0.0)


def own_prices(config: Config) -> dict[str, Price]:
    """Those of affordance.toml."""
    return {name: Price(entry.input, entry.output) for name, entry in config.prices.items()}


def price_of(name: ModelName, own: Mapping[str, Price]) -> Price | None:
    """The price of a model: the user's own table first; what runs locally is free; None where nobody said."""
    listed = _listed(name, own)
    if listed is None:
        return FREE if name.provider in LOCAL else _listed(name, _shipped())
    return listed


def _listed(name: ModelName, table: Mapping[str, Price]) -> Price | None:
    model = name.model.rpartition("/")[2]
    for known in sorted(table, key=len, reverse=True):
        if known in (model, name.model) or re.fullmatch(rf"{re.escape(known)}-(\d{{3,}}[\d-]*|latest)", model):
            return table[known]
    return None


def input_tokens(ask: Ask) -> int:
    """An upper bound of the tokens that an ask is billed for."""
    return text_tokens(ask) + sum(visual_tokens(visual) for visual in ask.visuals)


def text_tokens(ask: Ask) -> int:
    """An upper bound for everything but images and videos: parameters such as a schema are read by the model, too."""
    texts = [part for message in ask.messages for part in message.parts if isinstance(part, str)]
    written = sum(len(text.encode("utf-8", "surrogatepass")) for text in (*texts, canonical(ask.parameters)))
    return written + len(ask.messages) * TOKENS_AROUND_MESSAGE


def visual_tokens(visual: Visual) -> int:
    """An upper bound for an image or a video: of a video each frame counts as an image, as far as its recipe says how
    many there are."""
    if isinstance(visual, Picture):
        return TOKENS_PER_IMAGE
    if visual.end is None or visual.fps is None:
        return TOKENS_PER_REQUEST
    frames = ceil((visual.end - visual.start) * visual.fps) + 1
    return min(frames * TOKENS_PER_IMAGE, TOKENS_PER_REQUEST)


def most_output(parameters: Mapping[str, Json]) -> int | None:
    """The tokens that may come out, by the limit under either of its names; None where there is none."""
    limits = [value for name in OUTPUT_LIMITS if isinstance(value := parameters.get(name), int)]
    answers = parameters.get("n")
    return max(limits) * (answers if isinstance(answers, int) else 1) if limits else None


@cache
def _shipped() -> Mapping[str, Price]:
    found = tomllib.loads(files("affordance.models").joinpath("prices.toml").read_text(encoding="utf-8"))
    return {name: Price(**entry) for name, entry in found.items()}
