"""The picture of docs/tutorial/your-screens.md: somebody draws and tells, on screens of the demo, as the page says it.

python scripts/take-tutorial-pictures.py docs/images
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from picturing import serving, write_webp
from playwright.sync_api import Page, sync_playwright

from affordance.capture.browser import find_browser
from affordance.cli.main import run_command
from affordance.datasets import Screen, load_folder

SIZE = {"width": 1440, "height": 900}
WIDTH = 1280  # of the screens
SHOTS = ("dashboard", "editor", "mail", "settings", "shop")
DRAWN = {  # on the last of them
    (680, 4, 1112, 60): "Finds a product by its name.",
    (838, 130, 1260, 182): "Changes the order and the form in which products are listed.",
    (8, 72, 256, 592): "Narrows down which products are listed.",
}


def main(out: Path) -> None:
    browser_path = find_browser(None)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.chdir(folder)
        os.environ["LOGNAME"] = "ada"
        _done("data", "make", "demo", "demo")
        (folder / "shots").mkdir()
        screens = {one.id: one for one in load_folder(folder / "demo" / "screens").items if isinstance(one, Screen)}
        for name in SHOTS:
            image = screens[f"{name}-1280x800-1x-light-en-US"].image
            shutil.copy(folder / "demo" / "screens" / image, folder / "shots" / f"{name}.webp")
        _done("author", "init", "mine", "shots")
        with serving(folder / "mine") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path)
            page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
            page.goto(f"{address}/boxes")
            page.get_by_text(SHOTS[-1], exact=True).click()
            for box, text in DRAWN.items():
                _draw(page, box, text)
            write_webp([page.screenshot()], out / "tutorial-draw.webp")
            browser.close()


def _done(*arguments: str) -> None:
    if code := run_command(arguments):
        sys.exit(code)


def _draw(page: Page, box: tuple[int, int, int, int], text: str) -> None:
    regions = page.get_by_role("treeitem").count()
    page.get_by_role("button", name="Fit").click()
    page.get_by_role("button", name="Draw").click()
    there = page.locator("img.stage-picture").bounding_box()
    assert there is not None
    scale = there["width"] / WIDTH
    (x1, y1), (x2, y2) = ((there["x"] + x * scale, there["y"] + y * scale) for x, y in (box[:2], box[2:]))
    page.keyboard.down("Alt")
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move(x2, y2, steps=4)
    page.mouse.up()
    page.keyboard.up("Alt")
    page.get_by_role("treeitem").nth(max(regions, 1)).wait_for()
    field = page.locator("textarea[data-field=functionality]")
    field.fill(text)
    field.press("Control+Enter")
    page.get_by_text("Saved", exact=True).first.wait_for()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
