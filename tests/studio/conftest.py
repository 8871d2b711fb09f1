"""A browser for the pages, one for each module of tests, and a studio of its project."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from affordance.capture.browser import find_browser
from patience import PATIENCE
from studio_world import Server, serving

# Pages ask for news every other second, and a computer with much to do takes its time.
expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person's browser, with nothing in it yet."""
    opened = browser.new_context(viewport={"width": 1440, "height": 900})
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def server(project: Path) -> Iterator[Server]:
    """Of the project that a module makes, for Ana."""
    with serving(project, "--as", "Ana") as running:
        yield running
