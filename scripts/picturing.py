"""What the scripts that take pictures share: a studio as a process, and small files."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

QUALITY = 82  # of WebP
GAP = 16  # pixels between pictures that are side by side
WIDEST = 1800  # pixels


@contextmanager
def serving(project: Path, *options: str) -> Iterator[str]:
    """The address of a studio, until the block ends."""
    command = [sys.executable, "-m", "affordance", "studio", str(project), "--port", "0", "--no-browser", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(60)


def write_webp(pngs: Sequence[bytes], path: Path) -> None:
    """Pictures of one height, side by side."""
    found = [cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR) for png in pngs]
    between = np.full((found[0].shape[0], GAP, 3), 128, np.uint8)
    parts = [part for picture in found for part in (between, picture)][1:]
    whole = np.hstack(parts)
    scale = min(1.0, WIDEST / whole.shape[1])
    shown = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else whole
    path.write_bytes(cv2.imencode(".webp", shown, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].tobytes())
