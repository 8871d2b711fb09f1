"""The pictures of docs/studio.md: every page of the studio, light and dark, on a project made of the demo's screens.

python scripts/take-studio-pictures.py docs/images
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from affordance.author.project import Project, open_project
from affordance.author.records import ROOT, Kind, Retelling
from affordance.author.state import Change, ScreenState
from affordance.capture.browser import find_browser
from affordance.cli.main import run_command
from affordance.studio.people import People
from affordance.studio.security.rights import Role
from affordance.studio.strokes import Sent, save

SCREENS = 8
PAGES = {
    "studio-overview": "/",
    "studio-boxes": "/boxes",
    "studio-validation": "/validation",
    "studio-questions": "/questions",
    "studio-people": "/people",
}
SIZE = {"width": 1440, "height": 900}
PEOPLE = (("Ada Lovelace", Role.ANNOTATOR), ("Grace Hopper", Role.REVIEWER), ("Anna Winlock", Role.ANNOTATOR))


def make(folder: Path) -> Path:
    """A project as it is half-way: divided, some boxes corrected, some of those told anew, questions asked."""
    project = folder / "shop"
    for command in (
        ["data", "make", "demo", str(folder / "demo")],
        ["author", "init", str(project), str(folder / "demo" / "screens"), "--synthetic", "--licence", "Apache-2.0"],
        ["author", "select", str(project), "--sample", str(SCREENS)],
        *(["author", stage, str(project), "--quiet"] for stage in ("elements", "divide", "classify", "group", "ask")),
    ):
        if run_command(command) != 0:
            sys.exit(f"expected a project of demo screens, found an error in `affordance {' '.join(command)}`")
    with open_project(project) as opened:
        for name, role in PEOPLE:
            people = People(opened.ledger)
            _, drafts = people.joining(name, role, os.urandom(12).hex(), "person:local")
            opened.ledger.revise(drafts)
        for screen, (name, _) in zip(sorted(opened.selected(), key=light_first), (*PEOPLE, PEOPLE[0]), strict=False):
            correct(opened, screen, f"person:{name}")
            opened.write(screen, told(opened.state(screen)), "reannotate: demo:model")
    return project


def light_first(screen: str) -> tuple[bool, str]:
    return "dark" in screen, screen


def correct(project: Project, screen: str, author: str) -> None:
    """Four boxes are made a little smaller, a stroke each, and the screen is done."""
    regions = project.state(screen).regions
    for node in [node for node in regions if node != ROOT][:4]:
        x1, y1, x2, y2 = regions[node].box.xyxy
        box = {"space": "pixel", "xyxy": [x1 + 3, y1 + 2, max(x2 - 3, x1 + 4), max(y2 - 2, y1 + 3)]}
        stroke(project, screen, author, {"kind": "region", "name": node, "after": 1, "set": {"box": box}})
    stroke(project, screen, author, {"kind": "reviewed", "name": "", "after": 0, "set": {"done": True}})


def stroke(project: Project, screen: str, author: str, edit: dict[str, object]) -> None:
    save(project, author, Sent.model_validate({"screen": screen, "key": os.urandom(16).hex(), "edits": [edit]}))


def told(state: ScreenState) -> list[Change]:
    return [
        Change(
            Kind.RETELLING,
            f"{state.id}/{node}",
            Retelling(
                box=state.regions[node].box,
                description="A block of the page with a heading, a short text and one action at its end",
                functionality="Tells what is new here and leads to the place where people can act on it",
                rationale="The corrected box no longer holds the navigation above it, so navigating is left out.",
                by="demo:model",
            ),
        )
        for node in sorted(state.corrected)
    ]


@asynccontextmanager
async def serving(project: Path) -> AsyncIterator[str]:
    command = [sys.executable, "-m", "affordance", "studio", str(project), "--port", "0", "--no-browser"]
    process = subprocess.Popen([*command, "--as", "Ada Lovelace"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)


async def shown(browser: Browser, url: str, scheme: str) -> Page:
    page = await browser.new_page(viewport=SIZE, color_scheme=scheme)
    await page.goto(url)
    await page.wait_for_load_state("networkidle")
    return page


async def main(arguments: Sequence[str]) -> None:
    images = Path(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        project = await asyncio.to_thread(make, Path(folder))
        async with serving(project) as url, async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox"])
            for scheme in ("light", "dark"):
                for name, path in PAGES.items():
                    page = await shown(browser, url + path, scheme)
                    if path == "/boxes":
                        await page.get_by_role("treeitem").nth(2).click()
                    await page.screenshot(path=images / (f"{name}.png" if scheme == "light" else f"{name}-dark.png"))
                    await page.close()
            page = await shown(browser, url + "/boxes", "light")
            await page.keyboard.press("?")
            await page.screenshot(path=images / "studio-keys.png")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
