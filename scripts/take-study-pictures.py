"""The pictures of docs/participants.md: what people see who take part in a study, made of the demo's data.

python scripts/take-study-pictures.py docs/images
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from picturing import serving, write_webp
from playwright.sync_api import Browser, Page, expect, sync_playwright

from affordance.author.project import Project, create_project, open_project
from affordance.author.study_records import Study
from affordance.author.taking_in import sort_out, take_in
from affordance.capture.browser import find_browser
from affordance.cli.main import run_command
from affordance.studio.studies.beginning import begin_study, study_link
from affordance.studio.studies.made_of_clips import purpose_study, survey_study
from affordance.studio.studies.made_of_pairs import preference_study

SHEETS = ("survey", "purpose", "preference")
ALL = ("consent", "tutorial", *SHEETS, "done")
PAIRS = 4  # for each person
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
CONSENT = (
    "You will see ten short recordings of apps and say in your own words what happens in them. It takes about ten "
    "minutes.\n\nYour answers are used for research on how animations are understood, and may be published without "
    "anything that tells who you are."
)


def make(folder: Path) -> tuple[Path, dict[str, str]]:
    """A project of the demo's clips and pairs, and the links to its studies."""
    if run_command(["data", "make", "demo", str(folder / "demo")]) != 0:
        sys.exit("expected the demo's data, found an error")
    create_project(folder / "project", name="Demo", licence="Apache-2.0", synthetic=True)
    with open_project(folder / "project") as project:
        take_in(project, sort_out([str(folder / "demo" / "clips"), str(folder / "demo" / "pairs")]))
        studies = [begin_study(project, one, "person:local") for one in studies_of(project)]
        return project.folder, {one.name: study_link(project, one.name, "person:local") for one in studies}


def studies_of(project: Project) -> list[Study]:
    told = {"consent": CONSENT, "about": True, "title": "How do you understand animations?"}
    done = "https://example.org/done"
    return [
        survey_study(project, "survey", **told),
        purpose_study(project, "purpose", per_item=4, per_person=10, tutorial=False),
        preference_study(project, "preference", per_item=10, per_person=PAIRS, tutorial=False, completion=done),
    ]


def take(browser: Browser, url: str, links: dict[str, str], images: Path) -> None:
    """At a desk the sheets, on a phone everything from consent to the end side by side; light and dark."""
    for scheme, ending in (("light", ""), ("dark", "-dark")):
        for size in (DESK, PHONE):
            context = browser.new_context(
                viewport=size,
                color_scheme=scheme,
                has_touch=size is PHONE,
                is_mobile=size is PHONE,
                reduced_motion="reduce",
            )
            found = look(context.new_page(), url, links)
            context.close()
            if size is PHONE:
                write_webp([found[name] for name in ALL], images / f"study-phone{ending}.webp")
            else:
                for name in SHEETS:
                    write_webp([found[name]], images / f"study-{name}{ending}.webp")


def look(page: Page, url: str, links: dict[str, str]) -> dict[str, bytes]:
    """A picture of each page, by name."""
    found: dict[str, bytes] = {}

    def press(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).click()

    def shot(name: str) -> None:
        page.wait_for_load_state("networkidle")
        if page.locator("#status").is_visible():
            expect(page.locator("#status").get_by_role("status")).to_have_text("Saved")
        page.evaluate("scrollTo(0, 0)")
        found[name] = page.screenshot()

    page.goto(url + links["survey"])
    expect(page.get_by_role("button", name="I agree, and take part")).to_be_visible()
    shot("consent")
    press("I agree, and take part")
    expect(page.get_by_label("Age group")).to_be_visible()
    press("Go on")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    shot("tutorial")
    press("Begin")
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    middle(page)
    page.get_by_label("What do you see happen?").fill("A part of the page moves, and then comes to rest.")
    shot("survey")
    page.goto(url + links["purpose"])
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    middle(page)
    page.get_by_role("radio").nth(2).check()
    page.get_by_text("What it means").nth(2).click()
    shot("purpose")
    page.goto(url + links["preference"])
    page.get_by_role("radio").first.check()
    shot("preference")
    for number in range(1, PAIRS + 1):
        expect(page.get_by_text(f"{number} of {PAIRS}", exact=True)).to_be_visible()
        page.get_by_role("radio").nth(number % 2).check()
        press("Next" if number < PAIRS else "To the end")
    expect(page.get_by_role("button", name="I am done")).to_be_visible()
    press("I am done")
    expect(page.get_by_role("link", name="Go back to where you came from")).to_be_visible()
    shot("done")
    return found


def middle(page: Page) -> None:
    """Where the green box is."""
    bar = page.get_by_role("slider", name="Frame")
    bar.fill(str(int(bar.get_attribute("max") or "0") // 2))


def main(arguments: Sequence[str]) -> None:
    expect.set_options(timeout=60_000)  # a film is decoded first
    with tempfile.TemporaryDirectory() as folder:
        project, links = make(Path(folder))
        with serving(project) as url, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox"])
            take(browser, url, links, Path(arguments[0]))
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
