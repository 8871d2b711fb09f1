"""The pictures of docs/studio.md and docs/studies.md: every page of the studio, light and dark, on one project made of
the demo's screens, and one of its clips and pairs with studies whose people are made up.

python scripts/take-studio-pictures.py docs/images
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from picturing import serving, write_webp
from playwright.async_api import Browser, Page, async_playwright, expect

from affordance.author.project import Project, create_project, open_project
from affordance.author.records import ROOT, Kind, Retelling
from affordance.author.state import Change, ScreenState
from affordance.author.taking_in import sort_out, take_in
from affordance.capture.browser import find_browser
from affordance.cli.main import run_command
from affordance.datasets import DesignPair, load_collection, load_folder, write_folder
from affordance.evaluation.run_config import RunConfig
from affordance.media import encode_image
from affordance.studio.people import People
from affordance.studio.security.records import utc_now
from affordance.studio.security.rights import Role
from affordance.studio.strokes import Sent, save
from affordance.studio.studies.beginning import begin_study
from affordance.studio.studies.made_of_clips import survey_study
from affordance.studio.studies.made_of_pairs import preference_study
from affordance.studio.studies.opened import Studies
from affordance.studio.studies.sources.task import task_study
from affordance.studio.studies.synthetic import take_part
from affordance.tasks.registry import TASKS

SCREENS = 8
PAGES = {
    "studio-overview": "/",
    "studio-boxes": "/boxes",
    "studio-validation": "/validation",
    "studio-questions": "/questions",
    "studio-people": "/people",
}
MORE_PAGES = {
    "studio-clips": "/clips",
    "studio-pairs": "/pairs",
    "studio-cleaning": "/cleaning",
    "studio-splitting": "/splitting",
    "studio-studies": "/studies",
    "studio-study": "/studies/purposes",
    "studio-differences": "/studies/purposes/differences",
    "studio-new-study": "/new-study",
    "studio-answers": "/studies/purposes/answers",
    "studio-assignments": "/assignments",
}
SIZE = {"width": 1440, "height": 900}
MARKER = (118, 84, 121)  # the colour of lines that a published set has on its pictures
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
            opened.ledger.documents.write(drafts)
        for screen, (name, _) in zip(sorted(opened.selected(), key=light_first), (*PEOPLE, PEOPLE[0]), strict=False):
            correct(opened, screen, f"person:{name}")
            opened.write(screen, told(opened.state(screen)), "reannotate: demo:model")
    return project


def make_more(folder: Path) -> Path:
    """A project of clips and pairs, two of them with something to clean and to split, and three studies."""
    demo, project = folder / "demo", folder / "motion"
    write_more_pairs(demo / "pairs", folder / "designs")
    create_project(project, name="motion", licence="Apache-2.0", synthetic=True)
    with open_project(project) as opened:
        take_in(opened, sort_out([str(demo / "clips"), str(folder / "designs")]))
        settings = RunConfig(tasks=(TASKS["motion/purpose"],))
        how = {"per_person": 10, "checks": 1, "synthetic": True, "title": "What is the animation for?"}
        clips = load_collection(str(demo / "clips"))
        for study in (
            survey_study(opened, "effects", title="How do you understand animations?"),
            preference_study(opened, "designs", per_item=10, title="Which design do you prefer?"),
            task_study("purposes", settings, 3, clips, {"spec": str(demo / "clips")}, **how),
        ):
            kept = begin_study(opened, study, "person:local")
            if kept.synthetic:
                take_part(opened, kept, Studies(opened, folder / "cache"), utc_now())
    return project


def write_more_pairs(demo: Path, folder: Path) -> None:
    """The demo's pairs, with a marker drawn on one, and another as one picture of two."""
    dataset = load_folder(demo)
    pairs = [one for one in dataset.items if isinstance(one, DesignPair)]
    found = []
    for number, pair in enumerate(pairs):
        first, second = (cv2.imread(str(dataset.media_path(path)))[..., ::-1].copy() for path in pair.images)
        if number == 3:
            height, width = first.shape[:2]
            cv2.ellipse(first, (width * 2 // 3, height // 3), (width // 8, height // 12), 0, 0, 360, MARKER, 3)
        if number == 1:
            between = np.full((first.shape[0], 40, 3), 255, np.uint8)
            first = second = np.hstack((first, between, second[: first.shape[0]]))
        images = [f"media/{pair.id}-{place}.png" for place in (0, 1)]
        for path, pixels in zip(images, (first, second), strict=True):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(encode_image(np.ascontiguousarray(pixels)))
        found.append(pair.model_copy(update={"images": images}))
    write_folder(folder, dataset.header, found)


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


async def shown(browser: Browser, url: str, scheme: str) -> Page:
    page = await browser.new_page(viewport=SIZE, color_scheme=scheme, reduced_motion="reduce")
    await page.goto(url)
    await page.wait_for_load_state("networkidle")
    return page


async def take(browser: Browser, url: str, name: str, path: str, scheme: str, images: Path) -> None:
    page = await shown(browser, url + path, scheme)
    if path in SHOWING:
        await SHOWING[path](page)
    ending = "" if scheme == "light" else "-dark"
    write_webp([await page.screenshot()], images / f"{name}{ending}.webp")
    await page.close()


async def show_film(page: Page) -> None:
    await expect(page.get_by_role("button", name="Play")).to_be_enabled(timeout=60_000)


async def show_mask(page: Page) -> None:
    await expect(page.get_by_text("of the picture is masked")).to_be_visible(timeout=60_000)


SHOWING = {"/clips": show_film, "/studies/purposes/differences": show_film, "/cleaning": show_mask}


async def main(arguments: Sequence[str]) -> None:
    images = Path(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        project = await asyncio.to_thread(make, Path(folder))
        more = await asyncio.to_thread(make_more, Path(folder))
        ada = ("--as", "Ada Lovelace")
        with serving(project, *ada) as url, serving(more, *ada) as second:
            await take_all(url, second, images)


async def take_all(url: str, second: str, images: Path) -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for name, path in PAGES.items():
                page = await shown(browser, url + path, scheme)
                if path == "/boxes":
                    await page.get_by_role("treeitem").nth(2).click()
                await page.screenshot(path=images / (f"{name}.png" if scheme == "light" else f"{name}-dark.png"))
                await page.close()
            for name, path in MORE_PAGES.items():
                await take(browser, second, name, path, scheme, images)
        page = await shown(browser, url + "/boxes", "light")
        await page.keyboard.press("?")
        await page.screenshot(path=images / "studio-keys.png")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
