"""Whether outcomes can be relied on: of those that two tries agree on, the share that a third try repeats.

    python benchmarks/repeat.py [--every N] [--json]

Takes every Nth action of all that apply on all screens of the demo applications. Always exits 0: a share is a finding.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from pathlib import Path

from affordance.capture.browser import Browser, PageBroken
from affordance.capture.changes import has_effect
from affordance.capture.looks import Look
from affordance.capture.outcomes import Want, attempt, possible_tries, repeats
from affordance.capture.pool import each
from affordance.capture.screens import capture_screens, plan
from affordance.capture.sources import open_site
from affordance.datasets import Screen, load_folder

APPS = Path(__file__).parents[1] / "demo" / "apps"
LIMIT = 0.99
AT_ONCE = 2


async def third_try(browser: Browser, want: Want) -> str:
    first = await attempt(browser, want)
    if not has_effect(first.changes[-1]):
        return "nothing happens"
    if not repeats(first, await attempt(browser, want)):
        return "unstable"
    try:
        third = await attempt(browser, want)
    except PageBroken:
        return "did not repeat"
    return "repeated" if repeats(first, third) else "did not repeat"


async def measure(every: int) -> Counter[str]:
    site = open_site(str(APPS), [])
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "screens"
        await capture_screens(site, plan(site, [Look()]), folder)
        screens = [item for item in load_folder(folder).items if isinstance(item, Screen)]
        async with Browser(site) as browser:
            wanted = [
                want
                for screen in screens
                for want in await possible_tries(browser, screen, (folder / screen.image).read_bytes())
            ]

            async def count(want: Want) -> None:
                try:
                    counts[await third_try(browser, want)] += 1
                except PageBroken as broken:
                    counts[str(broken)] += 1

            await each(wanted[::every], AT_ONCE, count)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=20, metavar="N")
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    arguments = parser.parse_args()
    counts = asyncio.run(measure(arguments.every))
    kept = counts["repeated"] + counts["did not repeat"]
    share = counts["repeated"] / kept if kept else 0.0
    print(f"outcomes on a third try: {counts['repeated']} of {kept} repeat, {share:.3f} (limit {LIMIT})")
    for why, number in counts.most_common():
        if why not in ("repeated", "did not repeat"):
            print(f"  left out: {number} {why}")
    if arguments.json:
        print(json.dumps({"repeat": counts, "share": share, "limit": LIMIT}))


if __name__ == "__main__":
    main()
