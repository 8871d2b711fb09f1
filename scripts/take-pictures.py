"""The pictures of the README, from the report of the demo: its beginning, and the first sample of some tasks.

python scripts/take-pictures.py demo-out/report.html docs/images
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import async_playwright

from affordance.capture.browser import find_browser

SAMPLES = {"grounding.png": "function/ground-element", "motion.png": "motion/purpose"}


async def main(report: Path, folder: Path) -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1100, "height": 1060})
        await page.goto(report.resolve().as_uri())
        await page.screenshot(path=folder / "report.png")
        await page.set_viewport_size({"width": 1100, "height": 1600})
        for name, task in SAMPLES.items():
            group = page.locator("div.of-group", has=page.locator("h3", has_text=task))
            item = group.locator("details.item").first
            await item.evaluate("element => element.open = true")
            await item.screenshot(path=folder / name)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
