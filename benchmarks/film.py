"""What exactness costs: filming an animation against taking as many pictures of it and doing nothing else.

    python benchmarks/film.py [--json]

A page of 480x480 with a card that moves, turns and changes its colour for three seconds, 180 frames. The limit is the
fastest that pictures can be had of it: screenshots one after the other, neither looked at nor kept, while it plays. The
same run films it a second time and compares every pixel. Always exits 0: a ratio is a finding.
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from statistics import median

from affordance.capture.browser import Browser
from affordance.capture.clock import HeldClock
from affordance.capture.filming import FPS, Scene, film
from affordance.capture.looks import Look
from affordance.capture.notes import Trigger
from affordance.capture.roll import Roll
from affordance.capture.sources import open_site
from affordance.media import VideoQuality

LIMIT = 3.0
ROUNDS = 3
SECONDS = 3.0
LOOK = Look(width=480, height=480)
PAGE = """<!doctype html><title>Card</title><style>
body { margin: 0; background: #eef1f7; font: 16px sans-serif } p { margin: 16px }
@keyframes go { to { transform: translate(240px, 220px) rotate(200deg); background: #c05621 } }
div { width: 160px; height: 120px; border-radius: 12px; background: #2b6cb0; animation: go 3s ease-in-out infinite }
</style><div></div><p>An order is on its way.</p><p>It will be there tomorrow.</p>"""


async def screenshots(browser: Browser, url: str) -> float:
    """Seconds for as many pictures of the page as the film has."""
    async with browser.page(LOOK) as page:
        clock = await HeldClock.opened(page, url, LOOK)
        begun = time.perf_counter()
        for _ in range(round(SECONDS * FPS)):
            await clock.world.send("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        return time.perf_counter() - begun


async def filmed(browser: Browser, url: str, path: Path) -> tuple[float, str]:
    scene = Scene(url, LOOK, Trigger.LOAD, None, None, SECONDS, 0.5)
    begun = time.perf_counter()
    with Roll(path, FPS, VideoQuality.FINE) as roll:
        await film(browser, scene, roll)
    return time.perf_counter() - begun, roll.digest


async def measure() -> dict[str, object]:
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "card.html"
        page.write_text(PAGE, encoding="utf-8")
        site = open_site(str(page), [])
        alone, whole, digests = [], [], set()
        async with Browser(site) as browser:
            for _ in range(ROUNDS):
                alone.append(await screenshots(browser, site.pages[0].url))
                seconds, digest = await filmed(browser, site.pages[0].url, Path(name) / "card.mp4")
                whole.append(seconds)
                digests.add(digest)
    return {
        "frames": round(SECONDS * FPS),
        "screenshots": round(median(alone), 3),
        "film": round(median(whole), 3),
        "ratio": round(median(a / b for a, b in zip(whole, alone, strict=True)), 2),
        "limit": LIMIT,
        "identical": len(digests) == 1,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = asyncio.run(measure())
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{found['frames']} screenshots alone   {found['screenshots']} s")
    print(f"{found['frames']} frames on film      {found['film']} s   {found['ratio']}x (limit {found['limit']})")
    print(f"filmed {ROUNDS} times, every pixel the same: {'yes' if found['identical'] else 'NO'}")


if __name__ == "__main__":
    main()
