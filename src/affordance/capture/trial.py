"""Whether the browser works on this computer: one small page, opened and pictured as all pages are."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from affordance.capture.browser import Browser
from affordance.capture.looks import Look
from affordance.capture.screens import load
from affordance.capture.sources import open_site
from affordance.media import decode_image

_LOOK = Look(width=320, height=200)
_PAGE = (
    "<!doctype html><title>A trial</title><body style='margin:0;background:#fff;color:#000'>"
    "<p style='font-size:64px'>Ag</p>"
)
_DARK = 96  # what letters leave on white, and antialiasing alone does not


@dataclass(frozen=True, slots=True)
class Tried:
    version: str
    letters: bool  # whether there are fonts to draw text with


async def try_browser(path: str | None = None) -> Tried:
    """Start the browser and take a picture of a page; a `UserError` tells what is missing and how to get it."""
    with tempfile.TemporaryDirectory() as folder:
        page_file = Path(folder) / "trial.html"
        page_file.write_text(_PAGE, encoding="utf-8")
        site = open_site(str(page_file), [])
        async with Browser(site, path) as browser, browser.page(_LOOK) as page:
            await load(page, site.pages[0].url)
            pixels = decode_image(await page.screenshot())
            return Tried(browser.version, bool((pixels < _DARK).any()))
