"""Prices: the user's table, then nothing for what runs locally, then ours; and upper bounds of tokens."""

from fractions import Fraction

import pytest
from model_samples import ask, picture

from affordance.core.media_spec import VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.requests import Request
from affordance.models.family import FREE, Price
from affordance.models.profile import find_price
from affordance.models.token_cost import max_input_tokens, max_output_tokens

OWN = {"mine": Price(1, 2), "gpt-4o": Price(7, 8), "vendor/mine": Price(3, 4), "glm-4.5v": Price(9, 9)}
GPT_4O, MINI, GPT_5 = Price(2.5, 10.0), Price(0.15, 0.6), Price(1.25, 10.0)

# model, price with an empty table, price with one's own
PRICES = {
    "listed": ("openai:gpt-5", GPT_5, GPT_5),
    "by another way": ("openrouter:openai/gpt-5", GPT_5, GPT_5),
    "own first": ("openai:gpt-4o", GPT_4O, Price(7, 8)),
    "dated": ("openai:gpt-4o-2024-08-06", GPT_4O, Price(7, 8)),
    "dated without hyphens": ("anthropic:claude-sonnet-4-20250514", Price(3, 15), Price(3, 15)),
    "latest": ("anthropic:claude-3-5-sonnet-latest", Price(3, 15), Price(3, 15)),
    "the longest name": ("openai:gpt-4o-mini-2024-07-18", MINI, MINI),
    "another model, not a dated version": ("openai:gpt-5-turbo", None, None),
    "the next version, not a date": ("anthropic:claude-opus-4-5", None, None),
    "the next version with a date": ("anthropic:claude-opus-4-5-20251101", None, None),
    "a name that only begins alike": ("openai:gpt-4omni", None, None),
    "unknown": ("openai:gpt-99", None, None),
    "own": ("openai:mine", None, Price(1, 2)),
    "own with vendor": ("openrouter:vendor/mine", None, Price(3, 4)),
    "own of another vendor": ("openrouter:other/mine", None, Price(1, 2)),
    "local": ("vllm:Qwen/Qwen2.5-VL-7B", FREE, FREE),
    "local, although listed for others": ("ollama:gpt-5", FREE, FREE),
    "local, although one's own table has it": ("vllm:zai-org/glm-4.5v", FREE, Price(9, 9)),
    "baseline": ("baseline:pixels", FREE, FREE),
    "oracle": ("oracle", FREE, FREE),
    "replay": ("replay:gpt-5", FREE, FREE),
}


@pytest.mark.parametrize(("name", "shipped", "own"), PRICES.values(), ids=PRICES.keys())
def test_price_of(name: str, shipped: Price | None, own: Price | None) -> None:
    assert find_price(ModelName.parse(name), {}) == shipped
    assert find_price(ModelName.parse(name), OWN) == own


def test_a_price_of_nothing_in_ones_own_table_is_a_price() -> None:
    assert find_price(ModelName.parse("openai:gpt-5"), {"gpt-5": FREE}) == FREE


def test_dollars_per_million() -> None:
    assert Price(2.5, 10).cost(1_000_000, 100_000) == pytest.approx(3.5)
    assert FREE.cost(10**9, 10**9) == 0


# What providers may count: a token for each byte of rare characters, and up to 16,384 for one image.
BOUNDS = {
    "text": (ask("word " * 400), 2_000),
    "Chinese": (ask("界" * 600), 1_800),
    "half of a character": (ask("\ud83d" * 10), 30),
    "image": (ask(picture(max_side=480)), 16_384),
    "thirty images": (ask("Which?", *[picture(max_side=480)] * 30), 6 + 30 * 16_384),
    "schema": (ask("Hi", parameters={"response_format": {"enum": ["a" * 900]}}), 902),
}


@pytest.mark.parametrize(("one", "billed"), BOUNDS.values(), ids=BOUNDS.keys())
def test_bounds_are_upper_bounds(one: Request, billed: int) -> None:
    assert billed <= max_input_tokens(one) <= billed + 100


def test_a_video_costs_no_more_than_its_frames_and_than_any_request() -> None:
    second = VideoSpec("red", end=Fraction(1), fps=Fraction(10))
    assert 10 * 16_384 <= max_input_tokens(ask(second)) <= 12 * 16_384
    hour = [VideoSpec("red", end=Fraction(3600), fps=Fraction(10)), VideoSpec("red", end=Fraction(1)), VideoSpec("red")]
    assert len({max_input_tokens(ask(one)) for one in hour}) == 1
    assert 1_000_000 < max_input_tokens(ask(hour[0])) < 3_000_000


@pytest.mark.parametrize(
    ("parameters", "most"),
    [
        ({}, None),
        ({"max_tokens": None}, None),
        ({"max_tokens": 7}, 7),
        ({"max_completion_tokens": 8}, 8),
        ({"max_tokens": 7, "max_completion_tokens": 8}, 8),
        ({"max_tokens": 7, "n": 3}, 21),
    ],
)
def test_what_may_come_out(parameters: dict[str, int | None], most: int | None) -> None:
    assert max_output_tokens(parameters) == most
