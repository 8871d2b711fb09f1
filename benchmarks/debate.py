"""Whether a debate takes longer than its chain of calls must: wall time of the runner as a multiple of the latency.

    python benchmarks/debate.py [--json] [--pairs N] [--concurrency N] [--latency SECONDS...]

Each pair in both orders is a chain of seven calls, of which each needs the reply before it: three rounds of two
debaters, then the moderator. With so many chains at once, no run can end before ceil(chains / concurrency) chains have
followed each other: that is the path of the first ratio. The bare loop plays the same chains with the same bodies
against the same loopback server in another process, and does nothing with the replies: that is the path of the second.
The runner renders the pictures, plans, and has every reply in the ledger before it goes on.

What the runner adds to each call hardly depends on the latency, so it is told, too: in milliseconds. The latencies are
0.5 s, which few models stay below, and 0.2 s, where it shows. Always exits 0: a timing is a finding, not a test.
"""

import argparse
import asyncio
import gc
import json
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import aiohttp
import cv2
import numpy as np

from affordance.core.model_name import ModelName
from affordance.core.question import Question
from affordance.core.requests import Request, Response
from affordance.datasets import DatasetCollection, DatasetHeader, DesignPair, load_folder, write_folder
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.executor import execute_plan
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import Plan, build_plan, choose_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.tasks.behavior.choice import CHOICE
from client import server
from server import CHOICE as SAID

LIMIT = 1.2
STRATEGY = "debate-3"
CALLS = 7
HEADER = DatasetHeader(
    format=1, kind="pair", name="bench", licence="CC0", provenance="drawn by a benchmark", synthetic=True
)


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall time in seconds."""

    latency: float
    chains: int
    concurrency: int
    path: float
    bare: float
    runner: float

    @property
    def added(self) -> float:
        """To each call of a chain, in seconds."""
        return (self.runner - self.bare) / _deep(self.chains, self.concurrency)

    def row(self) -> dict[str, float]:
        ratios = {"ratio": self.runner / self.path, "ratio_to_bare": self.runner / self.bare, "limit": LIMIT}
        return {**asdict(self), "added_ms": 1000 * self.added, **ratios}


def draw_pairs(folder: Path, count: int) -> DatasetCollection:
    """Pages of some blocks, the second with its button in another place and colour."""
    generator = np.random.default_rng(0)
    pairs = []
    for number in range(count):
        page = np.full((300, 480, 3), 245, np.uint8)
        page[20:120, 20:220] = generator.integers(0, 256, (100, 200, 1), np.uint8)
        images = []
        for place in range(2):
            version = page.copy()
            left = 240 + 100 * place
            cv2.rectangle(version, (left, 200), (left + 90, 240), (200 - 90 * place, 90, number % 250), -1)
            images.append(f"media/{number:03d}-{place}.png")
            path = folder / images[-1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(cv2.imencode(".png", version)[1].tobytes())
        pairs.append(DesignPair(id=f"{number:03d}", images=images, winner=number % 2))
    write_folder(folder, HEADER, pairs)
    return DatasetCollection.single(load_folder(folder))


def runner(job: Plan, url: str, concurrency: int, folder: Path) -> float:
    gallery = ThreadedMediaLoader(RenderCache(folder / "pictures", job.source_files()))
    cast = ModelSet(job, [ModelName.parse(f"openai:bench@{url}")], gallery, ExecutionConfig(concurrency=concurrency))
    with open_ledger(folder / "ledger.db") as ledger:
        run = ledger.begin_run(choose_run({}, job, "bench", False))
        gc.collect()
        start = time.perf_counter()
        progress = execute_plan(cast, ledger, run)
        spent = time.perf_counter() - start
    gallery.close()
    (counts,) = progress.models.values()
    if not progress.complete or counts.sent != CALLS * len(job.questions()):
        raise SystemExit(f"the benchmark's own run is incomplete: {progress}")
    return spent


def texts(job: Plan) -> list[str]:
    """What a chain says from call to call: the same for all pairs, since the replies are."""
    question = next(iter(job.questions().values()))
    steps = CHOICE.strategies[STRATEGY](question, job.prompts[CHOICE.name].texts)
    asks = next(steps)
    found = []
    while True:
        found.append(_text(asks))
        try:
            asks = steps.send([Response(SAID)])
        except StopIteration:
            return found


def _text(asks: Sequence[Request]) -> str:
    return "".join(part for ask in asks for message in ask.messages for part in message.parts if isinstance(part, str))


def bare_loop(job: Plan, url: str, concurrency: int, folder: Path) -> float:
    """The chains and nothing else: the pictures are there as base64 before the time starts."""
    darkroom = RenderCache(folder / "pictures", job.source_files())
    said = [json.dumps({"type": "text", "text": text}).encode() for text in texts(job)]
    parameters = json.dumps({"model": "bench", **job.config.model_parameters(CHOICE, {})})[:-1].encode()
    opening = parameters + b', "messages": [{"role": "user", "content": ['
    endings = [_ending(darkroom, question) for question in job.questions().values()]

    async def chain(session: aiohttp.ClientSession, ending: bytes) -> None:
        for text in said:
            body = opening + text + ending
            async with session.post(url + "/chat/completions", data=body) as response:
                json.loads(await response.read())

    async def worker(session: aiohttp.ClientSession, queue: Iterator[bytes]) -> None:
        for ending in queue:
            await chain(session, ending)

    async def loop() -> None:
        queue = iter(endings)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            await asyncio.gather(*(worker(session, queue) for _ in range(concurrency)))

    gc.collect()
    start = time.perf_counter()
    asyncio.run(loop())
    return time.perf_counter() - start


def _ending(darkroom: RenderCache, question: Question) -> bytes:
    pieces: list[bytes] = []
    for picture in darkroom.get_base64(question.media):
        pieces += (b', {"type": "image_url", "image_url": {"url": "data:image/png;base64,', picture, b'"}}')
    return b"".join((*pieces, b"]}]}"))


def _deep(chains: int, concurrency: int) -> int:
    """Calls that must follow each other."""
    return math.ceil(chains / concurrency) * CALLS


def measure(pairs: int, concurrency: int, latencies: Sequence[float]) -> Iterator[Timing]:
    with tempfile.TemporaryDirectory() as name, server() as url:
        data = draw_pairs(Path(name) / "pairs", pairs)
        job = build_plan(RunConfig(tasks=(CHOICE,), trials=1, strategies=(STRATEGY,)), data)
        chains = len(job.questions())
        for latency in latencies:
            late = url.replace("/v1", f"/after/{latency}/v1")
            with tempfile.TemporaryDirectory(dir=name) as folder:
                bare = bare_loop(job, late, concurrency, Path(folder) / "bare")
                ours = runner(job, late, concurrency, Path(folder))
            yield Timing(latency, chains, concurrency, _deep(chains, concurrency) * latency, bare, ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--latency", type=float, nargs="+", default=[0.2, 0.5], metavar="SECONDS")
    options = parser.parse_args()
    found = []
    head = ("latency s", "path s", "bare s", "runner s", "added ms", "ratio", "to bare", "limit")
    print(f"{'debate of 3 rounds':<22}" + "".join(f"{name:>10}" for name in head))
    for timing in measure(options.pairs, options.concurrency, options.latency):
        row = timing.row()
        found.append(row)
        figures = (timing.path, timing.bare, timing.runner, row["added_ms"])
        print(
            f"{f'{timing.chains} chains, {timing.concurrency} at once':<22}{timing.latency:>10.2f}"
            + "".join(f"{figure:>10.1f}" for figure in figures)
            + "".join(f"{row[name]:>10.2f}" for name in ("ratio", "ratio_to_bare", "limit")),
            flush=True,
        )
    if options.json:
        print(json.dumps({"debate": found}))


if __name__ == "__main__":
    main()
