"""Money: a budget is not passed whatever a provider bills within the bounds, and an estimate is an upper bound."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.media_spec import ImageSpec, MediaSpec, VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText
from affordance.core.requests import FinishReason, Message, Request, Response, TokenUsage
from affordance.datasets import DatasetCollection
from affordance.evaluation.budget import Budget, BudgetReached
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.media import RenderCache
from affordance.models.family import FREE, Price
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.task import Task
from behavior_data import pair, published, write_pairs
from judge_world import SHORT
from loopback import Loopback, Seen

PRICE = Price(3.0, 15.0)
MOST_PER_IMAGE = 16_384


@dataclass
class Biller:
    """Bills each image, each byte of text and `out` tokens; answers what nobody can read, of `out` bytes."""

    image: int
    out: int
    readable: bool = False
    billed: float = 0.0
    together: list[int] = field(default_factory=list)  # tokens in of each request

    async def __call__(self, seen: Seen, _: web.Request) -> web.StreamResponse:
        tokens = len(seen.text.encode()) + self.image * len(seen.images)
        self.together.append(tokens)
        self.billed += PRICE.cost(tokens, self.out)
        text = "More effective: First" if self.readable and seen.images else "~" * self.out
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        return web.json_response(
            {"choices": [choice], "usage": {"prompt_tokens": tokens, "completion_tokens": self.out}}
        )


@pytest.fixture
def ask_of(tmp_path: Path) -> Callable[..., RunRequest]:
    def make(
        task: Task, data: DatasetCollection, server: Loopback, *, budget: float | None = None, **of: Any
    ) -> RunRequest:
        judge = of.get("judge")
        prices = {"paid": PRICE, **({"judge": PRICE} if judge else {})}
        limits = {judge: {"max_tokens": of["parameters"]["max_tokens"]}} if judge else {}
        return RunRequest(
            config=RunConfig(tasks=(task,), **{"trials": 1, **of}),
            data=data,
            models=(ModelName.parse(f"openai:paid@{server.url}"),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=16, retry=SHORT, prices=prices, budget=budget, model_options=limits),
        )

    return make


@pytest.fixture
def pairs(tmp_path: Path) -> DatasetCollection:
    return write_pairs(tmp_path / "pairs", *(pair(str(number)) for number in range(12)))


@pytest.mark.parametrize("image", [300, 4_784, 16_384])
@pytest.mark.parametrize("budget", [0.05, 0.15, 0.31])
def test_a_budget_is_not_passed(
    ask_of: Callable[..., RunRequest], pairs: DatasetCollection, image: int, budget: float
) -> None:
    biller = Biller(image, out=20, readable=True)
    with Loopback(biller) as server:
        request = ask_of(CHOICE, pairs, server, budget=budget, parameters={"max_tokens": 20})
        _, progress = execute_run(request)
        assert progress.cost == pytest.approx(biller.billed)
        assert biller.billed <= budget
        sent = len(server.seen)
        if sent < 24:
            assert progress.over_budget
            _, again = execute_run(request)
            assert (again.cost, len(server.seen)) == (pytest.approx(biller.billed), sent)
            assert biller.billed + PRICE.cost(2 * MOST_PER_IMAGE, 20) > budget or biller.billed == 0
    if sent:
        with open_ledger(request.ledger, read_only=True) as ledger:
            (run,) = ledger.run_summaries()
            assert sum(one.input_tokens or 0 for one in ledger.token_usage(run.run.id)) == sum(biller.together)


def test_what_was_billed_bounds_requests_with_such_images(
    ask_of: Callable[..., RunRequest], pairs: DatasetCollection
) -> None:
    """Two images may come to 32,768 tokens, of which the budget has room for one request; they come to 600."""
    biller = Biller(300, out=20, readable=True)
    with Loopback(biller) as server:
        _, progress = execute_run(ask_of(CHOICE, pairs, server, budget=0.11, parameters={"max_tokens": 20}))
    assert (progress.complete, progress.done, len(server.seen)) == (True, 24, 24)
    assert biller.billed <= 0.11


def test_each_task_has_its_own_max_tokens(ask_of: Callable[..., RunRequest], pairs: DatasetCollection) -> None:
    """What one task may take is not set aside for the other."""
    short = replace(CHOICE.protocols["affordance"], sampling={"max_tokens": 10}, trials=1)
    long = replace(short, sampling={"max_tokens": 1_000_000})
    tasks = [replace(CHOICE, protocols={"affordance": one}) for one in (short, long)]
    with Loopback(Biller(10, out=10, readable=True)) as server:
        estimates = [estimate_run(ask_of(task, pairs, server))[0].most_output_tokens for task in tasks]
        assert estimates == [24 * 10, 24 * 1_000_000]
        _, progress = execute_run(ask_of(tasks[0], pairs, server, budget=0.2))
    assert progress.complete


STRATEGIES = {
    ("zero-shot",): 0,
    ("cocot", "self-refine"): 2,
    ("debate-1", "debate-3"): 1,
}


@pytest.mark.parametrize(("strategies", "reasks"), STRATEGIES.items(), ids=["+".join(names) for names in STRATEGIES])
def test_an_estimate_is_an_upper_bound(
    ask_of: Callable[..., RunRequest], three: DatasetCollection, strategies: Sequence[str], reasks: int
) -> None:
    """The longest replies, each asked again as often as may be, to a provider that bills as much as may be."""
    biller = Biller(MOST_PER_IMAGE, out=500)
    with Loopback(biller) as server:
        request = ask_of(
            CHOICE, three, server, strategies=strategies, parse_retries=reasks, parameters={"max_tokens": 500}
        )
        (estimate,) = estimate_run(request)
        assert not server.seen
        execute_run(request)
        assert estimate.asks == len(server.seen), "what may be asked again is counted, what is shared once"
        assert estimate.pictures == 2 * len(server.seen)
        assert sum(biller.together) <= (estimate.input_tokens or 0) <= 1.2 * sum(biller.together)
        assert estimate.most_output_tokens == 500 * len(server.seen)
        assert biller.billed <= (estimate.cost or 0)
        (left,) = estimate_run(replace(request, name="another"))
        assert (left.asks, left.cost) == (0, 0.0), "what is stored decides what else is asked"


def test_an_estimate_counts_what_the_judge_reads(ask_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    biller = Biller(MOST_PER_IMAGE, out=800)
    with Loopback(biller) as server:
        judge = f"openai:judge@{server.url}"
        request = ask_of(RATIONALE, three, server, judge=judge, parameters={"max_tokens": 800})
        answering, judging = estimate_run(request)
        execute_run(request)
        texts = [tokens for seen, tokens in zip(server.seen, biller.together, strict=True) if not seen.images]
        assert judging.asks >= len(texts)
        assert judging.input_tokens is not None
        assert sum(texts) <= judging.input_tokens
        assert biller.billed <= (answering.cost or 0) + (judging.cost or 0)


def test_without_max_tokens_what_is_quoted_has_no_bound(
    ask_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    with Loopback() as server:
        (once,) = estimate_run(ask_of(CHOICE, three, server))
        assert (once.input_tokens is not None, once.most_output_tokens, once.cost) == (True, None, None)
        (debated,) = estimate_run(ask_of(CHOICE, three, server, strategies=("debate-1",)))
        assert (debated.asks, debated.input_tokens, debated.cost) == (18, None, None)


def shown(*images: int, text: str = "") -> Request:
    return Request(
        "q", (Message("user", (text, *(ImageSpec(str(size)) for size in images))),), FreeText(), parameters=LIMITED
    )


LIMITED = {"max_tokens": 50}


def size_of(visual: MediaSpec) -> tuple[int, ...]:
    return int(visual.source), 1


@dataclass(frozen=True)
class Billed:
    """A request, and what share of the most that may be billed is."""

    images: tuple[int, ...]
    text: str
    tokens_per_byte: float
    out: int | None
    counted: bool
    fails: bool
    seconds: int


BILLED = st.builds(
    Billed,
    st.lists(st.sampled_from([1, 2, 3]), max_size=3).map(tuple),
    st.text(max_size=40),
    st.floats(0, 1),
    st.none() | st.integers(0, 50),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(BILLED, min_size=1, max_size=30),
    st.fixed_dictionaries({size: st.integers(0, MOST_PER_IMAGE) for size in (1, 2, 3)}),
    st.floats(0.0001, 3),
)
def test_no_usage_within_the_bounds_passes_the_budget(
    requests: Sequence[Billed], per_image: dict[int, int], limit: float
) -> None:
    """Images of one size cost the same each time; everything else differs from request to request."""
    really = 0.0
    asked = 0

    async def one(budget: Budget, request: Billed) -> None:
        nonlocal really, asked
        ask = shown(*request.images, text=request.text)
        try:
            reserved = await budget.reserve("m", ask, PRICE)
        except BudgetReached:
            return
        asked += 1
        for _ in range(request.seconds):
            await asyncio.sleep(0)
        text = len(request.text.encode("utf-8", "surrogatepass"))
        into = int(text * request.tokens_per_byte) + sum(per_image[size] for size in request.images)
        usage = TokenUsage(into, request.out)
        really += 0.0 if request.fails else PRICE.cost(into, 50 if request.out is None else request.out)
        told = TokenUsage() if request.fails else usage if request.counted else TokenUsage(None, request.out)
        budget.release(
            "m",
            ask,
            PRICE,
            reserved,
            Response(finish=FinishReason.ERROR if request.fails else FinishReason.STOP, usage=told),
        )
        assert budget.spent <= limit + 1e-9

    async def all_of_them() -> Budget:
        budget = Budget(limit, media_size=size_of)
        await asyncio.gather(*(one(budget, request) for request in requests))
        return budget

    budget = asyncio.run(all_of_them())
    assert really <= budget.spent + 1e-9
    assert budget.spent <= limit + 1e-9


def settled(budget: Budget, ask: Request, reply: Response, price: Price = PRICE) -> None:
    budget.release("m", ask, price, asyncio.run(budget.reserve("m", ask, price)), reply)


def test_a_failure_costs_what_was_counted() -> None:
    budget = Budget(10.0)
    settled(budget, shown(1), Response(finish=FinishReason.ERROR, error="busy"))
    assert budget.spent == 0
    settled(
        budget, shown(1), Response(finish=FinishReason.ERROR, error="cut off", usage=TokenUsage(1_000_000, 100_000))
    )
    assert budget.spent == pytest.approx(4.5)
    settled(budget, shown(1), Response(usage=TokenUsage(1_000_000, 0)), FREE)
    assert budget.spent == pytest.approx(4.5)


def test_a_usage_above_the_bound_raises_it() -> None:
    budget = Budget(1.0, media_size=size_of)
    settled(budget, shown(1, text="x"), Response(usage=TokenUsage(300_000, 0)))
    with pytest.raises(BudgetReached):  # 0.9 dollars again
        asyncio.run(budget.reserve("m", shown(1, text="y"), PRICE))
    asyncio.run(budget.reserve("m", shown(2, text="y"), PRICE))


def test_images_are_alike_by_the_size_that_is_sent(tmp_path: Path) -> None:
    data = write_pairs(tmp_path / "set", pair("a"))
    (dataset,) = data.datasets
    files = {str(number): dataset.media_path(path) for number, path in enumerate(dataset.items[0].media_files())}
    darkroom = RenderCache(tmp_path / "cache", files)
    assert {darkroom.size(ImageSpec(source)) for source in files} == {(64, 48)}
    assert darkroom.size(ImageSpec("0", max_side=32)) == (32, 24)
    assert not (tmp_path / "cache").exists()


def test_videos_are_alike_by_size_and_frames(clips: Any, tmp_path: Path) -> None:
    files = {"clip": clips.media_path(clips.items[0].video)}
    darkroom = RenderCache(tmp_path / "cache", files)
    one, other = (darkroom.size(VideoSpec("clip", end=Fraction(1), fps=Fraction(fps))) for fps in (4, 8))
    assert (one[:2], one[2], other[2]) == (other[:2], 4, 8)


@pytest.fixture
def three(tmp_path: Path) -> DatasetCollection:
    reason = ("The button is larger.", "Fitts’s Law", "Action")
    other = ("There are fewer choices.", "Hick’s Law", "Action")
    return published(tmp_path / "three", [[reason], [other], [reason, other]])
