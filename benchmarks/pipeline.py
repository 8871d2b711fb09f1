"""What pictures cost beyond decoding: CPU time of sampling, resizing and encoding as a multiple of decoding alone.

    python benchmarks/pipeline.py [--json] [--rounds N]

Decoding alone reads every frame of the clip once with the same decoder settings and does nothing with it. Both are
measured in turns within this process, user and system time of all threads; the ratio is the median over the turns.
Always exits 0: a timing is a finding, not a test.
"""

import argparse
import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av

from affordance.core.media_spec import FrameBlend, ImageEncoding, ImageFormat, ImageSpec
from affordance.media import probe, render, sample_times
from clips import CLIPS, make_clip

RATE = Fraction(10)
LONGEST_SIDE = 480
BLENDS: dict[str, tuple[FrameBlend | None, float]] = {"plain": (None, 1.45), "blend": (FrameBlend(), 1.8)}
FORMATS = (ImageFormat.PNG, ImageFormat.JPEG)


def decode_alone(path: Path) -> None:
    with av.open(path) as container:
        stream = container.streams.video[0]
        stream.thread_count = 1
        for _ in container.decode(stream):
            pass


def cpu_seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(path: Path, rounds: int) -> list[dict[str, str | float]]:
    files = {"clip": path}
    times = sample_times(probe(path), RATE)
    cases = {
        (name, kind): [ImageSpec("clip", t, blend, max_side=LONGEST_SIDE, encoding=ImageEncoding(kind)) for t in times]
        for name, (blend, _) in BLENDS.items()
        for kind in FORMATS
    }
    alone: list[float] = []
    ratios: dict[tuple[str, ImageFormat], list[float]] = {case: [] for case in cases}
    for _ in range(rounds):
        for case, pictures in cases.items():
            alone.append(cpu_seconds(lambda: decode_alone(path)))
            ratios[case].append(cpu_seconds(lambda pictures=pictures: render(pictures, files)) / alone[-1])
    return [
        {
            "clip": path.stem,
            "pictures": name,
            "format": str(kind),
            "decode_seconds": statistics.median(alone),
            "ratio": statistics.median(turns),
            "limit": BLENDS[name][1],
        }
        for (name, kind), turns in ratios.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    results: list[dict[str, str | float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in CLIPS:
            results += measure(make_clip(name, Path(folder)), arguments.rounds)
    print(f"{'clip':<8} {'pictures':<8} {'format':<6} {'decoding':>9} {'ratio':>6} {'limit':>6}")
    for row in results:
        print(
            f"{row['clip']:<8} {row['pictures']:<8} {row['format']:<6} "
            f"{row['decode_seconds']:>7.2f} s {row['ratio']:>6.2f} {row['limit']:>6.2f}"
        )
    if arguments.json:
        print(json.dumps(results))


if __name__ == "__main__":
    main()
