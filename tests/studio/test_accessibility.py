"""No page of the studio has a serious barrier, in light and dark, at a desk and at 200% zoom."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from studio_world import Server, make_project, serving

PAGES = ("/", "/boxes", "/validation", "/questions", "/people", "/account", "/sign-in", "/join/nothing", "/nothing")
EMPTY = ("/", "/boxes", "/validation", "/questions")
DESK, ZOOMED = (1440, 900), (720, 450)
SERIOUS = frozenset({"serious", "critical"})
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that know of colours


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project = make_project(tmp_path_factory.mktemp("studio") / "project", screens=3, regions=20)
    with serving(project) as served:
        yield served


def opened(browser: Browser, url: str, size: tuple[int, int]) -> Page:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return page


def barriers(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
    """What Axe finds by these rules, or by all of them."""
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['impact']}: {one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in SERIOUS
    ]


def overflow(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_serious_barrier_and_none_is_cut_off(server: Server, browser: Browser, path: str) -> None:
    page = opened(browser, server.url + path, DESK)
    assert (barriers(page), overflow(page)) == ([], 0)
    page.emulate_media(color_scheme="dark")
    assert barriers(page, COLOURS) == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": ZOOMED[0], "height": ZOOMED[1]})
    assert (barriers(page), overflow(page)) == ([], 0)
    page.close()


def test_dialogs_have_none_either(server: Server, browser: Browser) -> None:
    page = opened(browser, server.url + "/boxes", DESK)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    assert barriers(page) == []
    page.close()


def test_empty_pages_have_none_either(browser: Browser, tmp_path: Path) -> None:
    with serving(make_project(tmp_path / "project", screens=0)) as empty:
        for path in EMPTY:
            page = opened(browser, empty.url + path, DESK)
            assert barriers(page) == []
            page.close()
