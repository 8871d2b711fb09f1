"""The pictures of README and docs, from the report of the demo: at a desk, on a phone and in the dark, and the first
sample of some tasks.

python scripts/take-pictures.py demo-out/report.html docs/images
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Page, async_playwright

from affordance.capture.browser import find_browser

SAMPLES = {"grounding.png": "function/ground-element", "motion.png": "motion/purpose"}
DARK = "function/ground-region"


async def main(report: Path, folder: Path) -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox"])
        address = report.resolve().as_uri()
        page = await browser.new_page(viewport={"width": 1100, "height": 1060})
        await page.goto(address)
        await page.screenshot(path=folder / "report.png")
        await page.set_viewport_size({"width": 1100, "height": 1600})
        for name, task in SAMPLES.items():
            await _sample(page, task, folder / name)
        phone = await browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=2)
        await phone.goto(address)
        await phone.screenshot(path=folder / "report-phone.png")
        dark = await browser.new_page(viewport={"width": 1000, "height": 844}, color_scheme="dark")
        await dark.goto(address)
        await dark.evaluate(f"scrollTo(0, {await _top(dark)})")
        await dark.screenshot(path=folder / "report-dark.png")
        await browser.close()


async def _sample(page: Page, task: str, path: Path) -> None:
    """Choose the task in the browser of samples, and open its first item."""
    chooser = page.locator("#samples select").first
    label = await chooser.locator("option", has_text=task).first.text_content()
    await chooser.select_option(label=label)
    item = page.locator("#browse-list details.item").first
    if await item.get_attribute("open") is None:
        await item.locator("summary").first.click()
    await item.locator("img").first.wait_for()
    await item.screenshot(path=path)


async def _top(page: Page) -> float:
    """Where the comparisons of a task begin on the page."""
    section = page.locator("section.group", has=page.locator("p.where", has_text=DARK)).first
    heading = section.locator("h3", has_text="drawn differently").first
    return float(await heading.evaluate("element => element.getBoundingClientRect().top + scrollY - 24"))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
