"""Capture the demo pages and pack them small enough to come with the package.

    python scripts/make-demo-data.py demo -o src/affordance/datasets/demo_data

An interrupted capture is resumed. Pages that did not change are not captured again.
"""

import argparse
from pathlib import Path

from affordance.capture.corpus import build_corpus
from affordance.console.progress import StepProgress


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="a folder with apps, animations and pairs")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the packed data; replaced")
    parser.add_argument("--work", type=Path, default=Path("build/corpus"), help="folder of the captured datasets")
    parser.add_argument("--browser", help="Chromium executable")
    parser.add_argument("--workers", type=int, default=2, help="pages open at once")
    given = parser.parse_args()
    manifest = build_corpus(
        given.source, given.work, given.output, StepProgress, browser=given.browser, workers=given.workers
    )
    size = sum(file.stat().st_size for file in given.output.rglob("*") if file.is_file())
    print(f"{given.output}: {len(manifest.files)} files, {size / 1e6:.2f} MB, from {len(manifest.sources)} sources")


if __name__ == "__main__":
    main()
