"""`affordance capture corpus`: the data of the demo."""

import json
from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.options import Browser, Json, Workers
from affordance.console.progress import StepProgress

WORK = Path("build/corpus")


def corpus(
    source: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with apps, animations and pairs in it.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Where the packed data goes; replaced.")],
    work: Annotated[Path, typer.Option(metavar="DIR", help="Where the captured datasets are kept.")] = WORK,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> None:
    """Capture the demo corpus and pack it small enough to come with the package.

    Interrupted, the same command goes on where it was. What was captured from
    the same pages is not captured again.

    \b
    Example:
      affordance capture corpus demo -o src/affordance/datasets/demo_data
    """
    from affordance.capture.corpus import build_corpus

    manifest = build_corpus(source, work, out, StepProgress, browser=browser, workers=workers)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    if as_json:
        told = {"folder": str(out), "files": len(manifest.files), "bytes": size, "sources": len(manifest.sources)}
        print(json.dumps(told, indent=2, ensure_ascii=False))
        return
    print(f"{out}: {len(manifest.files)} files, {size / 1e6:.2f} MB, from {len(manifest.sources)} sources")
