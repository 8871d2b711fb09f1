"""What asks cost: a small table of prices that users extend, and estimates before there is a reply to count."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil

from affordance.core.ask import Ask
from affordance.core.config import Config
from affordance.core.names import BUILT_IN, ModelName
from affordance.core.picture import Footage, Picture, Visual
from affordance.models.providers import SERVERS

LOCAL = frozenset({*BUILT_IN, *SERVERS})

# Tokens are estimated on the high side: providers count 3 to 5 characters of English to a token, and at most about
# 1,600 tokens for a picture of up to 1.15 megapixels.
CHARACTERS_PER_TOKEN = 3
PIXELS_PER_TOKEN = 750
LARGEST_PICTURE_TOKENS = 1600
VIDEO_FRAMES_PER_SECOND = 2  # that are looked at; providers take one or two


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
    """An upper estimate of the tokens an ask is billed for."""
    return sum(
        text_tokens(part) if isinstance(part, str) else visual_tokens(part)
        for message in ask.messages
        for part in message.parts
    )


def text_tokens(text: str) -> int:
    return len(text) // CHARACTERS_PER_TOKEN + 8


def visual_tokens(visual: Visual) -> int:
    frames = 1 if isinstance(visual, Picture) else _frames_looked_at(visual)
    if visual.longest_side is None:
        return frames * LARGEST_PICTURE_TOKENS
    return frames * min(LARGEST_PICTURE_TOKENS, visual.longest_side**2 // PIXELS_PER_TOKEN + 85)


def _frames_looked_at(footage: Footage) -> int:
    """Of a video, however many frames it has; one that goes to the end of its clip is taken for a minute."""
    seconds = 60 if footage.end is None else footage.end - footage.start
    return ceil(seconds * VIDEO_FRAMES_PER_SECOND) + 1


@cache
def _shipped() -> Mapping[str, Price]:
    found = tomllib.loads(files("affordance.models").joinpath("prices.toml").read_text(encoding="utf-8"))
    return {name: Price(**entry) for name, entry in found.items()}
