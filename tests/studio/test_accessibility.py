"""No page of the studio has a barrier that axe finds, in light and dark; none is cut off at 200% zoom or on a phone.
Axe also finds pages without a title and controls without a name. Each page is visited once, in the state in which most
is on it. Colours take most of the time: they are looked at once in light and in dark, and then in what is new."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from affordance.author.clips.intake import take_clips
from affordance.author.project import open_project, plain
from affordance.author.records import Kind
from affordance.author.study_records import Seat
from affordance.author.taking_in import sort_out, take_in
from affordance.ledger import DocumentDraft, Ledger
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.people import People
from affordance.studio.security.links import Links
from affordance.studio.security.records import moment, utc_now
from affordance.studio.security.rights import Role
from affordance.studio.studies.beginning import begin_study, study_link
from affordance.studio.studies.forms import ChoiceForm, EitherForm, Option, ScaleForm, TagsForm, YesNoForm
from affordance.studio.studies.made_of_clips import purpose_study, survey_study
from affordance.studio.studies.made_of_pairs import preference_study
from affordance.studio.studies.made_of_regions import boxes_study
from affordance.studio.studies.opened import Studies
from clip_world import draw_clip
from form_client import FormClient
from pair_world import MARKED, SINGLE, write_pairs
from studio_world import Server, make_project, serving
from study_world import account, show

WHO = "person:Root"
DESK, ZOOMED, PHONE = ({"width": width, "height": height} for width, height in ((1440, 900), (720, 450), (360, 740)))
RULES_OF_COLOURS = ("color-contrast", "link-in-text-block")
COLOURS = {"runOnly": list(RULES_OF_COLOURS)}
FORM = {"rules": {rule: {"enabled": False} for rule in RULES_OF_COLOURS}}  # all others
AXE = Axe().axe_script

Act = Callable[[Page], object]


@dataclass(frozen=True, slots=True)
class World:
    server: Server
    root: FormClient
    invitation: str
    links: dict[str, str]  # by study


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A project with some of everything, and studies with answers that differ."""
    here = tmp_path_factory.mktemp("accessible")
    folder = make_project(here / "project", screens=2, regions=12)
    (here / "videos").mkdir()
    with open_project(folder) as project:
        take_clips(project, [draw_clip(here / "videos" / f"{name}.mp4", 90, 12, 6) for name in ("drop", "glide")])
        reasons = [{"reason": "The button is larger", "law": "Fitts’s Law"}]
        take_in(project, sort_out([str(write_pairs(here / "pairs", **{MARKED: {"rationales": reasons}}))]))
        asked = {"consent": "We want to know how people understand animations.", "about": True}
        studies = [
            survey_study(project, "words", per_item=2, **asked),
            purpose_study(project, "experts"),
            preference_study(project, "either", per_item=2, consent=""),
            boxes_study(project, "place", number=2, tutorial=False, consent=""),
        ]
        for study in studies:
            begin_study(project, study, WHO)
        opened = Studies(project, here / "cache", look=0.0)
        answer(project.ledger, opened, "experts", ("Feedback", "Guidance", "Visualization"))
        answer(project.ledger, opened, "words", ("A square moves",))
        links = {study.name: study_link(project, study.name, WHO) for study in studies}
        invitation = Links(People(project.ledger)).invite(Role.ANNOTATOR, timedelta(days=1), WHO, note="for Ann")
        with serving(folder, "--sign-in") as server:
            root = account(project, server.url, "Root", Role.ADMINISTRATOR)
            yield World(server, root, f"/join/{invitation}", links)


def answer(ledger: Ledger, studies: Studies, name: str, said: tuple[str, ...]) -> None:
    """One person for each of `said`, who says it of everything."""
    opened = studies.open(studies.study(name))
    for turn, word in enumerate(said):
        own = [slot for slot in opened.slots.values() if slot.turn == turn]
        given = {"option": word, "reason": "why"} if name == "experts" else {"effect": word, "meaning": word}
        seat = Seat(code=f"person{turn}", slots=[slot.id for slot in own], seen=moment(utc_now()))
        drafts = [DocumentDraft(Kind.SEAT, f"{name}/{seat.code}", plain(seat), WHO, study_scope(name))]
        for slot in own:
            kept = StudyAnswer(seat=seat.code, slot=slot.id, item=slot.item, given=given, seconds=4.0)
            drafts.append(
                DocumentDraft(Kind.ANSWER, f"{name}/{seat.code}/{slot.id}", plain(kept), WHO, study_scope(name))
            )
        ledger.documents.write(drafts)


@pytest.fixture(scope="module")
def page(browser: Browser, world: World) -> Iterator[Page]:
    """A page of the administrator."""
    context = browser.new_context(viewport=DESK, color_scheme="light", reduced_motion="reduce")
    world.root.lend(context)
    yield context.new_page()
    context.close()


def check(page: Page) -> None:
    """No barrier in light, none of colours in dark, and nothing is cut off."""
    assert (barriers(page), overflow(page)) == ([], 0)
    check_dark(page)


def check_dark(page: Page, part: str = "") -> None:
    page.emulate_media(color_scheme="dark")
    assert barriers(page, COLOURS, part) == []
    page.emulate_media(color_scheme="light")


def check_part(page: Page, part: str) -> None:
    """Something new on a page that was looked at: it, and whether all still fits together."""
    assert (barriers(page, FORM), barriers(page, COLOURS, part)) == ([], [])
    check_dark(page, part)


def barriers(page: Page, options: dict[str, Any] | None = None, part: str = "") -> list[str]:
    """What axe finds on the page, or in a part of it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    run = "([part, options]) => axe.run(part || document, options).then((found) => found.violations)"
    found = page.evaluate(run, [part, {"resultTypes": ["violations"], **(options or {})}])
    return [f"{one['impact']}: {one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


def overflow(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return max(0, found)


def doubt_wording(page: Page) -> None:
    page.locator("#editor textarea").first.fill("Click at (1, 2)?")
    page.locator("#editor .doubts p").first.wait_for()


def compare_cleaned(page: Page) -> None:
    page.keyboard.press("2")
    page.locator(".slider").wait_for()


def show_keys(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    check_part(page, "dialog[open]")


def show_tabs(page: Page) -> None:
    for tab in ("review", "tags"):
        page.click(f"#tab-{tab}")
        check_part(page, f"#{tab}")
    page.click("#laws")
    check_part(page, "#reference")


def judge(page: Page) -> None:
    page.keyboard.press("3")


def choose_region(page: Page) -> None:
    page.keyboard.press("r")


# Pages to work on, which have another layout on a phone; what is done before they are looked at, and afterwards.
WORK: dict[str, tuple[Act | None, Act | None]] = {
    "/boxes": (None, show_keys),
    "/validation?screen=screen-1": (judge, None),
    "/questions?screen=screen-1": (doubt_wording, None),
    f"/pairs?pair={MARKED}": (None, show_tabs),
    f"/cleaning?screen={MARKED}": (compare_cleaned, None),
    f"/splitting?screen={SINGLE}": (None, None),
    "/clips?clip=drop": (choose_region, None),
}
OTHERS = (
    *("/", "/people", "/account", "/nothing", "/studies", "/new-study", "/studies/words", "/studies/words/answers"),
    *("/studies/experts/differences", "/assignments", "/study"),
)


@pytest.mark.parametrize("path", [*WORK, *OTHERS])
def test_no_page_has_a_barrier(world: World, page: Page, path: str) -> None:
    opened = page.goto(world.server.url + path, wait_until="networkidle")
    assert opened is not None
    assert opened.status == (404 if path == "/nothing" else 200)
    before, after = WORK.get(path, (None, None))
    if before is not None:
        before(page)
    check(page)
    for size in (ZOOMED, PHONE):
        page.set_viewport_size(size)
        assert overflow(page) == 0
    if path in WORK:
        assert barriers(page, FORM) == []
    page.set_viewport_size(DESK)
    if after is not None:
        after(page)


def test_no_page_of_a_guest_has_a_barrier(world: World, browser: Browser) -> None:
    page = browser.new_page(viewport=ZOOMED, color_scheme="light")
    for path in ("/sign-in", world.invitation, "/join/nothing", "/s/nothing"):
        page.goto(world.server.url + path)
        check(page)
    page.close()


def test_no_stage_of_taking_part_has_a_barrier(world: World, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 400}, reduced_motion="reduce", color_scheme="light")
    page = context.new_page()

    def clean(stage: str) -> None:
        page.locator(f"#taking [data-stage={stage}]").wait_for()
        assert (barriers(page), overflow(page)) == ([], 0)

    def press(action: str) -> None:
        page.locator(f"[data-action={action}]").click()

    page.goto(world.server.url + world.links["words"])
    clean("consent")
    press("agree")
    clean("about")
    press("continue")
    clean("tutorial")
    press("begin")
    page.locator(".jump summary").click()
    press("next")  # with what is missing pointed out
    clean("question")
    check_dark(page)
    page.goto(page.url.partition("#")[0] + "#end")
    clean("end")
    page.locator("#withdraw").click()
    check_part(page, "dialog[open]")
    page.get_by_role("dialog").locator(".danger").click()
    clean("withdrawn")
    page.goto(world.server.url + world.links["place"])
    clean("question")
    page.goto(world.server.url + world.links["either"])
    press("begin")
    clean("question")
    check_dark(page)

    options = (Option("a", "<i>One</i>", "What one means"), Option("b", "Two"), Option("c", "\u0645\u0631\u062d " * 80))
    still = {"kind": "still", "label": "Gone", "src": "/static/nothing.png", "width": 64, "height": 48}
    text = {"kind": "text", "label": "Reply", "text": "w" * 3000, "folded": False}
    for form, blocks in (
        (ChoiceForm(options), [still, text]),
        (replace(ChoiceForm(options), several=True), []),
        (ScaleForm(0, 5, {0: "nothing in common", 5: "the same"}), []),
        (ScaleForm(0, 100), []),
        (YesNoForm("Is it so?"), []),
        (EitherForm(("Left", "Right")), [{**still, "src": "/static/icon.svg"}] * 2),
        (TagsForm(("cut off", "misread")), []),
    ):
        show(page, form, {"tags": ["cut off"], "note": ""} if isinstance(form, TagsForm) else None, blocks, 200)
        look = None if blocks or isinstance(form, TagsForm) else FORM  # the others have the colours of the first
        assert (barriers(page, look), overflow(page)) == ([], 0), form
    check_dark(page)
    context.close()


def test_empty_pages_have_no_barrier(browser: Browser, tmp_path: Path) -> None:
    with serving(make_project(tmp_path / "project", screens=0)) as empty:
        page = browser.new_page(viewport=DESK, color_scheme="light")
        for path in ("/", "/boxes", "/questions", "/studies", "/people"):
            page.goto(empty.url + path, wait_until="networkidle")
            assert [one for one in barriers(page) if "empty-heading" not in one] == [], path
        page.close()
