"""Whether dividing screens takes longer than it must: wall time as a multiple of the bound.

    python benchmarks/divide.py [--json] [--screens N] [--concurrency N] [--latency SECONDS] [--size WIDTHxHEIGHT]

Screens that are drawn here are divided by a loopback model in another process, which answers by the spec and always
after the same time. No division can end before the longest chain of answers that need each other has, nor before all
calls are through with so many at once: the larger of the two is the bound. The driver renders the pictures, has every
reply in the ledger before it goes on, and writes the tree. The limit is 1.3.

Always exits 0: a timing is a finding, not a test.
"""

import argparse
import asyncio
import base64
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from aiohttp import web

from affordance.author.orders import Order, Told
from affordance.author.project import create_project, open_project
from affordance.author.records import ROOT, Division, Kind, Proposal, Region
from affordance.author.regions.verifying import taken_for_good
from affordance.author.screens.intake import take_in
from affordance.author.working import work_on
from affordance.evaluation.ad_hoc import MODEL
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.media import encode_image

LIMIT = 1.3
ANSWERS = Path(__file__).parent.parent / "tests"


def draw_screens(folder: Path, count: int, size: tuple[int, int]) -> None:
    """Windows of a bar, a column and cards with lines, each in other places and colours."""
    width, height = size
    generator = np.random.default_rng(0)
    for number in range(count):
        image = np.full((height, width, 3), 246, np.uint8)
        bar, column = int(generator.integers(40, 80)), int(generator.integers(160, 320))
        colour = [int(one) for one in generator.integers(0, 200, 3)]
        cv2.rectangle(image, (0, 0), (width, bar), colour, -1)
        cv2.rectangle(image, (0, bar), (column, height), (225, 228, 232), -1)
        for y in range(bar + 20, height - 120, 150):
            for x in range(column + 20, width - 200, 240):
                cv2.rectangle(image, (x, y), (x + 210, y + 120), (255, 255, 255), -1)
                for line in range(4):
                    length = int(generator.integers(40, 190))
                    cv2.putText(
                        image, "abcdefghij"[: length // 19], (x + 10, y + 25 + 25 * line), 0, 0.6, (60, 60, 60), 1
                    )
        (folder / f"{number:03d}.png").write_bytes(encode_image(image))


@contextmanager
def model(latency: float) -> Iterator[str]:
    """The address of a model in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, __file__, "--serve", str(port), "--latency", str(latency)])
    try:
        _wait(port)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("the benchmark's own model did not start")


def serve(port: int, latency: float) -> None:
    sys.path.insert(0, str(ANSWERS))
    from author_divide_answers import answer  # only the model's process has the path

    async def reply(request: web.Request) -> web.Response:
        body = await request.read()
        come = time.monotonic()
        parts = json.loads(body)["messages"][0]["content"]
        text = "\n".join(part["text"] for part in parts if part["type"] == "text")
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        said = answer(text, [base64.b64decode(url.partition(",")[2]) for url in urls])
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1500, "completion_tokens": 400}
        await asyncio.sleep(latency - (time.monotonic() - come))
        return web.json_response({"model": "bench", "choices": [choice], "usage": usage})

    app = web.Application(client_max_size=2**30)
    app.router.add_post("/v1/chat/completions", reply)
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None)


def longest_chain(folder: Path) -> int:
    """Answers of which each needs the one before it, in the screen that has most of them."""
    with open_project(folder, read_only=True) as project:
        longest = 0
        for screen in project.screens():
            revisions = project.ledger.documents.latest(scope=screen)
            divisions = {
                one.subject.rpartition("/")[2]: Division.model_validate(dict(one.document))
                for one in revisions
                if one.kind == Kind.DIVISION
            }
            longest = max(longest, _chain(ROOT, divisions, project.state(screen).regions))
    return longest


def _chain(node: str, divisions: Mapping[str, Division], regions: Mapping[str, Region]) -> int:
    if node not in divisions:
        return 0
    below = [name for name, region in regions.items() if region.parent == node]
    own = sum(map(_calls, divisions[node].proposals))
    return own + max((_chain(name, divisions, regions) for name in below), default=0)


def _calls(proposal: Proposal) -> int:
    """The proposal, and its checks, which go out at once."""
    return 1 + any(taken_for_good(child.box) is None for child in proposal.children)


def measure(screens: int, concurrency: int, latency: float, size: tuple[int, int]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name, model(latency) as url:
        pictures, folder = Path(name) / "screens", Path(name) / "project"
        pictures.mkdir()
        draw_screens(pictures, screens, size)
        create_project(folder)
        with open_project(folder) as project:
            take_in(project, [str(pictures)])
            ids = tuple(project.screens())
        order = Order(
            folder=str(folder),
            stage="divide",
            screens=ids,
            pictures=str(Path(name) / "pictures"),
            models={MODEL: f"openai:bench@{url}"},
            means=ExecutionConfig(concurrency=concurrency),
        )
        start, busy = time.perf_counter(), time.process_time()
        told = work_on(order)
        wall, busy = time.perf_counter() - start, time.process_time() - busy
        calls, chain = _complete(told, screens), longest_chain(folder)
    bound = latency * max(chain, calls / concurrency)
    return {
        "screens": screens,
        "concurrency": concurrency,
        "latency": latency,
        "calls": calls,
        "chain": chain,
        "bound": bound,
        "wall": wall,
        "cpu": busy,
        "ratio": wall / bound,
        "limit": LIMIT,
    }


def _complete(told: Told, screens: int) -> int:
    """How many calls were made."""
    (counts,) = told.progress.models.values()
    if told.done != screens:
        raise SystemExit(f"the benchmark's own division is incomplete: {told}")
    return counts.sent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    parser.add_argument("--screens", type=int, default=50)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--latency", type=float, default=1.0, metavar="SECONDS")
    parser.add_argument("--size", default="1280x800", metavar="WIDTHxHEIGHT")
    parser.add_argument("--serve", type=int, metavar="PORT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve, options.latency)
        return
    width, height = map(int, options.size.split("x"))
    found = measure(options.screens, options.concurrency, options.latency, (width, height))
    head = ("calls", "chain", "bound s", "wall s", "cpu s", "ratio", "limit")
    print(f"{'divide':<34}" + "".join(f"{name:>9}" for name in head))
    what = f"{options.screens} of {options.size}, {options.concurrency} at once, {options.latency:g} s"
    print(
        f"{what:<34}{found['calls']:>9}{found['chain']:>9}"
        + "".join(f"{found[name]:>9.1f}" for name in ("bound", "wall", "cpu"))
        + "".join(f"{found[name]:>9.2f}" for name in ("ratio", "limit"))
    )
    if options.json:
        print(json.dumps({"divide": found}))


if __name__ == "__main__":
    main()
