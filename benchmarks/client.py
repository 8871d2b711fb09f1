"""What the runner costs beyond the wire: client CPU per ask as a multiple of a bare loop, and memory of a large run.

    python benchmarks/client.py [--json] [--rounds N]

The bare loop splices the same base64 bytes into the same body for the same loopback server, reads the answer and
parses it: no plan, no ledger, no verdict. It puts each body together, as one does; the runner sends the pictures as
they are, which is why it can take less. Both run in turns in this process with the same concurrency and with the
ledger on; the server is another process, and each load has one of its own. CPU is user and system time of all threads;
the ratio is the median over the turns, and half of them are in the range beside it. New screenshots are those that no
cache has: each is asked about 20 times. Always exits 0: a timing is a finding, not a test.
"""

import argparse
import asyncio
import gc
import json
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import aiohttp
import cv2
import numpy as np

from affordance.core.digest import digest_file
from affordance.core.media_spec import ImageSpec
from affordance.core.model_name import ModelName
from affordance.core.question import Question
from affordance.datasets import DatasetCollection
from affordance.datasets.generated.primitive_clips import make_primitive_clips
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.executor import execute_plan
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import Plan, choose_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.media import RenderCache, probe, sample_times
from affordance.media.loader import ThreadedMediaLoader
from affordance.tasks.question_design import PlannedQuestion
from affordance.tasks.registry import resolve_tasks
from clips import SECONDS, make_clip

LIMITS = {"screenshot": 1.25, "frames": 0.95}
NEW_LIMIT = 1.1  # of what OpenCV takes to decode and encode a screenshot once
ASKED = 20  # questions about each new screenshot
MEMORY_LIMIT = 500
CONCURRENCY = 64
SCREENSHOT_BYTES = 340_000
FRAMES = 36


@dataclass(frozen=True, slots=True)
class Load:
    """Questions whose pictures repeat after `len(shown)` of them, as those of ten trials do."""

    name: str
    shown: list[tuple[ImageSpec, ...]]
    files: dict[str, Path]
    asks: int


@contextmanager
def server() -> Iterator[str]:
    with socket.socket() as probe_socket:
        probe_socket.bind(("127.0.0.1", 0))
        port = probe_socket.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(Path(__file__).with_name("server.py")), str(port)])
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 0.1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(10)


def screenshots(folder: Path, count: int) -> Load:
    """Screens whose PNG is close to 340 KB: flat panels, and as much texture as it takes."""
    files: dict[str, Path] = {}
    shown = []
    generator = np.random.default_rng(0)
    for number in range(count):
        screen = np.full((1080, 1920, 3), 245, np.uint8)
        cv2.rectangle(screen, (0, 0), (260, 1080), (60, 60, 70), -1)
        height = 425
        screen[100 : 100 + height, 300:530] = generator.integers(0, 256, (height, 230, 3), np.uint8)
        path = folder / f"screen-{number}.png"
        path.write_bytes(cv2.imencode(".png", screen)[1].tobytes())
        source = digest_file(path)
        files[source] = path
        shown.append((ImageSpec(source),))
    return Load("1 screenshot of 340 KB", shown, files, 1000)


def frames(path: Path, count: int, asks: int) -> Load:
    """Frames of the phone recording of `clips.py`, each set at a size of its own so that none is like another."""
    source = digest_file(path)
    times = sample_times(probe(path), Fraction(FRAMES, SECONDS))
    shown = [tuple(ImageSpec(source, time=at, max_side=480 - number) for at in times) for number in range(count)]
    return Load(f"{FRAMES} frames of a phone", shown, {source: path}, asks)


def job_of(load: Load, data: DatasetCollection) -> Plan:
    """The load as a job of motion/effect: same questions, other pictures."""
    (task,) = resolve_tasks(["motion/effect"])
    settings = RunConfig(tasks=(task,), trials=1)
    base = next(task.questions(data, settings.question_design(task))).question
    trials = tuple(PlannedQuestion(_question(base, load, number), number) for number in range(load.asks))
    packs = settings.load_prompts()
    described = {"name": load.name, "digest": load.name, "kind": "clip", "items": load.asks, "synthetic": True}
    return Plan(settings, data, packs, {task.name: trials}, settings.identity(packs), described)


def _question(base: Question, load: Load, number: int) -> Question:
    return Question(
        base.task, f"item-{number}", base.axes, load.shown[number % len(load.shown)], base.prompt_fields,
        base.answer_format,
        base.truth, load.files,
    )  # fmt: skip


def ask_all(load: Load, data: DatasetCollection, url: str, darkroom: RenderCache, folder: Path, turn: int) -> float:
    """CPU seconds of the runner for all asks of a load, into a ledger of its own."""
    gallery = ThreadedMediaLoader(darkroom)
    job = job_of(load, data)
    cast = ModelSet(job, [ModelName.parse(f"openai:bench@{url}")], gallery, ExecutionConfig(concurrency=CONCURRENCY))
    with open_ledger(folder / f"{load.name}-{turn}.db") as ledger:
        run = ledger.begin_run(choose_run({}, job, "bench", False))
        gc.collect()
        start = time.process_time()
        progress = execute_plan(cast, ledger, run)
    spent = time.process_time() - start  # with the last verdicts, which are written when the ledger is closed
    gallery.close()
    if not progress.complete:
        raise SystemExit(f"the benchmark's own run is incomplete: {progress}")
    return spent


def bare_loop(load: Load, url: str, text: str, images: list[list[bytes]]) -> float:
    """CPU seconds of a loop that only posts."""
    head = json.dumps({"model": "bench", "temperature": 0})[:-1].encode()
    opening = b', "messages": [{"role": "user", "content": ['
    prompt = json.dumps({"type": "text", "text": text}).encode()

    def body(frames: list[bytes]) -> bytes:
        pieces = [head, opening, prompt]
        for frame in frames:
            pieces += (b', {"type": "image_url", "image_url": {"url": "data:image/png;base64,', frame, b'"}}')
        pieces.append(b"]}]}")
        return b"".join(pieces)

    async def worker(session: aiohttp.ClientSession, queue: Iterator[int]) -> None:
        for number in queue:
            data = aiohttp.BytesPayload(b"")
            data._value = body(images[number % len(images)])
            data._size = len(data._value)
            async with session.post(url + "/chat/completions", data=data) as response:
                json.loads(await response.read())

    async def loop() -> None:
        queue = iter(range(load.asks))
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            await asyncio.gather(*(worker(session, queue) for _ in range(CONCURRENCY)))

    gc.collect()
    start = time.process_time()
    asyncio.run(loop())
    return time.process_time() - start


def measure(load: Load, limit: float, folder: Path, rounds: int) -> dict[str, str | float]:
    with server() as url:
        data = DatasetCollection.single(make_primitive_clips(folder / "dataset"))
        darkroom = RenderCache(folder / "pictures", load.files)
        images = [darkroom.get_base64(pictures) for pictures in load.shown]
        text = job_of(replace(load, asks=1), data).config.load_prompts()["motion/effect"].texts["zero-shot"]
        turns = [
            (bare_loop(load, url, text, images), ask_all(load, data, url, darkroom, folder, turn))
            for turn in range(rounds + 1)
        ][1:]  # the first warms up
        ratios = [ours / bare for bare, ours in turns]
        low, middle, high = statistics.quantiles(ratios, n=4)
        return {
            "load": load.name,
            "megabytes": sum(map(len, images[0])) / 1e6,
            "bare_ms": 1000 * statistics.median(bare for bare, _ in turns) / load.asks,
            "runner_ms": 1000 * statistics.median(ours for _, ours in turns) / load.asks,
            "low": low,
            "ratio": middle,
            "high": high,
            "limit": limit,
        }


def new_screenshots(load: Load, folder: Path, rounds: int) -> dict[str, str | float]:
    """With an empty cache, and then with all of them in memory; against decoding and encoding each once."""
    turns = []
    with server() as url:
        data = DatasetCollection.single(make_primitive_clips(folder / "dataset"))
        for turn in range(rounds):
            start = time.process_time()
            for path in load.files.values():
                cv2.imencode(".png", cv2.imread(str(path)), (cv2.IMWRITE_PNG_COMPRESSION, 1))
            once = time.process_time() - start
            darkroom = RenderCache(folder / f"pictures-{turn}", load.files)
            cold, warm = (ask_all(load, data, url, darkroom, folder, 2 * turn + number) for number in range(2))
            turns.append((cold, warm, once))
    cold, warm, once = (statistics.median(column) for column in zip(*turns, strict=True))
    screens = len(load.shown)
    return {
        "cold_ms": 1000 * cold / load.asks,
        "warm_ms": 1000 * warm / load.asks,
        "new_ms": 1000 * (cold - warm) / screens,
        "once_ms": 1000 * once / screens,
        "ratio": (cold - warm) / once,
        "limit": NEW_LIMIT,
    }


def peak(clip: Path, folder: Path) -> dict[str, str | float]:
    """Of 3,000 questions of 36 frames, 60 different sets of them."""
    with server() as url:
        load = frames(clip, 60, 3000)
        data = DatasetCollection.single(make_primitive_clips(folder / "dataset"))
        ask_all(load, data, url, RenderCache(folder / "pictures", load.files), folder, 0)
    return {"megabytes": peak_megabytes()}


PARTS = {
    "screenshot": lambda clip, folder, rounds: measure(screenshots(folder, 40), LIMITS["screenshot"], folder, rounds),
    "frames": lambda clip, folder, rounds: measure(frames(clip, 30, 300), LIMITS["frames"], folder, rounds),
    "new": lambda clip, folder, rounds: new_screenshots(
        replace(screenshots(folder, 30), asks=30 * ASKED), folder, max(3, rounds // 6)
    ),
    "peak": lambda clip, folder, rounds: peak(clip, folder),
}


def apart(part: str, clip: Path, rounds: int) -> dict[str, str | float]:
    """What a part finds, in a process of its own: what another one allocated, or an encoder, changes how long the
    bare loop takes to get memory for its bodies."""
    command = [sys.executable, __file__, "--part", part, "--clip", str(clip), "--rounds", str(rounds)]
    found: dict[str, str | float] = json.loads(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
    )
    return found


def peak_megabytes() -> float:
    """Of this process alone: on Linux `ru_maxrss` remembers the parent's memory, too."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--clip", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.part:
            print(json.dumps(PARTS[arguments.part](arguments.clip, folder, arguments.rounds)))
            return
        clip = make_clip("screen", folder)
        results = [apart(part, clip, arguments.rounds) for part in LIMITS]
        new = apart("new", clip, arguments.rounds)
        megabytes = float(apart("peak", clip, arguments.rounds)["megabytes"])
    print(f"{'client CPU per ask':<26}{'MB':>6}{'bare ms':>10}{'runner ms':>11}{'ratio':>8}{'half in':>12}{'limit':>8}")
    for row in results:
        middle_half = f"{row['low']:.2f}-{row['high']:.2f}"
        print(
            f"{row['load']:<26}{row['megabytes']:>6.2f}{row['bare_ms']:>10.2f}{row['runner_ms']:>11.2f}"
            f"{row['ratio']:>8.2f}{middle_half:>12}{row['limit']:>8.2f}"
        )
    print(f"new screenshots, {ASKED} questions each: {new['cold_ms']:.2f} ms an ask, {new['warm_ms']:.2f} ms rendered")
    print(
        f"a new screenshot: {new['new_ms']:.0f} ms, {new['ratio']:.2f} of decoding and encoding it (limit {NEW_LIMIT})"
    )
    print(f"3,000 questions of {FRAMES} frames: peak memory {megabytes:.0f} MB (limit {MEMORY_LIMIT})")
    if arguments.json:
        print(json.dumps({"client": results, "new": new, "peak_megabytes": megabytes}))


if __name__ == "__main__":
    main()
