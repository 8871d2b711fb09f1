"""What preparing a set of recordings costs beyond decoding it once, and whether it uses all cores.

    python benchmarks/prepare.py [--json] [--clips N]

The clips are the phone-sized 60-fps recordings of `clips.py`, each with bytes of its own so that none is taken for
another. CPU is user and system time of all threads, decoding alone reads every frame of every clip once; cores are CPU
over wall time. The second run finds everything in the cache. Always exits 0: a timing is a finding, not a test.
"""

import argparse
import json
import os
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Clip, Dataset, DatasetCollection, DatasetHeader
from affordance.evaluation.prerender import prerender_clips
from clips import CLIPS, make_clip
from pipeline import cpu_seconds, decode_alone

LIMIT = 1.45
RATE = Fraction(10)
HEADER = DatasetHeader(
    format=1, kind="clip", name="bench", licence="CC0", provenance="drawn by a benchmark", synthetic=True
)


def make_set(folder: Path, clips: int) -> Dataset:
    """Copies of the recordings, told apart by a box at their end that no decoder reads."""
    originals = [make_clip(name, folder).read_bytes() for name in CLIPS]
    items = []
    for number in range(clips):
        free = (16).to_bytes(4) + b"free" + number.to_bytes(8)
        (folder / f"{number}.mp4").write_bytes(originals[number % len(originals)] + free)
        region = Box(CoordinateSpace.UNIT, 0.1, 0.2, 0.8, 0.6)
        items.append(Clip(id=f"{number}", video=f"{number}.mp4", regions=[region], start_frame=30, end_frame=200))
    return Dataset(folder, HEADER, tuple(items))


def measure(clips: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = make_set(folder, clips)
        data = DatasetCollection.single(dataset)
        decoding = cpu_seconds(lambda: [decode_alone(folder / f"{number}.mp4") for number in range(clips)])
        start = time.perf_counter()
        preparing = cpu_seconds(lambda: prerender_clips(data, folder / "pictures", RATE))
        wall = time.perf_counter() - start
        again = cpu_seconds(lambda: prerender_clips(data, folder / "pictures", RATE))
    return {
        "clips": clips,
        "decode_seconds": decoding,
        "prepare_seconds": preparing,
        "ratio": preparing / decoding,
        "limit": LIMIT,
        "cores": preparing / wall,
        "of_cores": os.cpu_count() or 1,
        "again_ratio": again / decoding,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    parser.add_argument("--clips", type=int, default=24)
    arguments = parser.parse_args()
    found = measure(arguments.clips)
    print(f"{'clips':>5} {'decoding':>9} {'preparing':>10} {'ratio':>6} {'limit':>6} {'cores':>10} {'again':>6}")
    print(
        f"{found['clips']:>5} {found['decode_seconds']:>7.1f} s {found['prepare_seconds']:>8.1f} s "
        f"{found['ratio']:>6.2f} {found['limit']:>6.2f} {found['cores']:>5.2f} of {found['of_cores']:.0f} "
        f"{found['again_ratio']:>6.2f}"
    )
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
