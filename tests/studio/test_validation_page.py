"""Validation as a person does it: one text after the other, with keys and mouse, in a real browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from typer.testing import CliRunner

from affordance.author.project import create_project, open_project, plain
from affordance.author.records import Kind, Retelling, Validation
from affordance.cli.main import app
from affordance.ledger import Draft, open_ledger
from affordance.studio.people import People
from affordance.studio.security.rights import Role
from studio_world import MODEL, Server, box, comes, faults, make_project, serving, tree

HOSTILE = "Opens <img src=x onerror=\"document.title='owned'\"> the <b>list</b> & more"
HEBREW = "מציג את רשימת ההזמנות ומאפשר לשנות אותן"
LONG = "Lets people look through everything. " * 54  # 1,998 characters
SCREENS = 15

NAMES = ["2-0", "2-2", "2-4", "1-2", "1-4"]  # regions of the world that have a text, in the order of the tree
BOXES = {node.name: node.box for node in tree(12)}
CORRECTED = (20, 30, 180, 120)

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_project(tmp_path_factory.mktemp("validation") / "shop", screens=SCREENS, regions=12)
    with open_project(made) as opened:
        odd = zip(NAMES, (HOSTILE, HEBREW, LONG), strict=False)
        opened.ledger.revise([told("screen-7", name, text, BOXES[name]) for name, text in odd])
        region = opened.state("screen-8").regions[NAMES[0]]
        moved = plain(region.model_copy(update={"box": box(*CORRECTED)}))
        opened.ledger.revise([Draft(Kind.REGION, f"screen-8/{NAMES[0]}", moved, "person:Ana", "screen-8")])
        opened.ledger.revise([told("screen-8", NAMES[0], "Shows the orders", CORRECTED)])
    return made


def told(screen: str, name: str, text: str, of: tuple[int, int, int, int], by: str = MODEL) -> Draft:
    document = Retelling(box=box(*of), description=text, functionality=text, rationale=text, by=by)
    return Draft(Kind.RETELLING, f"{screen}/{name}", plain(document), by, screen)


def rewrite(project: Path, screen: str, name: str, text: str) -> None:
    """Ben does, while somebody else looks at it."""
    with open_project(project) as known:
        known.ledger.revise([told(screen, name, text, BOXES[name], "person:Ben")])


def deaf(page: Page) -> None:
    """The page does not hear of what others do from now on."""
    page.route("**/api/news?*", lambda _: None)


@pytest.fixture
def opened(context: BrowserContext, server: Server) -> Iterator[Open]:
    """Opens the page; at the end no page may have thrown or broken its policy."""
    wrong = faults(context)

    def open_page(screen: str = "", region: str = "", show: str = "", at: str = server.url) -> Page:
        page = context.new_page()
        asked = {key: value for key, value in (("screen", screen), ("region", region), ("show", show)) if value}
        page.goto(f"{at}/validation?{urlencode(asked)}")
        page.wait_for_selector("#item:visible, #none button, #none p:not(:text-is('Loading'))")
        return page

    yield open_page
    assert wrong == []


def shown(page: Page) -> str:
    return page.locator("#facts dd").first.inner_text()


def at(page: Page, name: str) -> None:
    expect(page.locator("#facts dd").first).to_have_text(name)


def saved(page: Page) -> None:
    expect(page.locator("#status .status:visible")).to_have_text("Saved")


def versions(server: Server, screen: str, kind: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.get("/api/history", screen=screen, kind=kind, name=name).json["versions"]
    return found


def current(server: Server, screen: str, name: str) -> dict[str, Any]:
    document: dict[str, Any] = versions(server, screen, "retelling", name)[-1]["document"]
    return document


def test_one_key_passes_a_text_and_goes_to_the_next(opened: Open, server: Server) -> None:
    first, second, *_ = NAMES
    page = opened("screen-1")
    at(page, first)
    left, total = page.locator("#togo").inner_text().split()[0:3:2]

    page.keyboard.press("a")

    at(page, second)
    expect(page.locator("#togo")).to_have_text(f"{int(left) - 1} of {total} to go")
    expect(page.locator("#said")).to_contain_text(f"{first} passes")
    saved(page)
    (verdict,) = versions(server, "screen-1", "validation", first)
    assert verdict["author"] == "person:Ana"
    assert verdict["document"] == {
        "box": {"space": "pixel", "xyxy": list(BOXES[first])},
        **{"contextual": True, "purposeful": True, "truthful": True, "rejected": False, "note": "", "gone": False},
        "told": current(server, "screen-1", first)["functionality"],
    }


def test_a_criterion_fails_by_its_number_and_is_saved_with_enter(opened: Open, server: Server) -> None:
    first, second, *_ = NAMES
    page = opened("screen-2")
    page.keyboard.press("2")
    expect(page.get_by_role("group", name="Purposeful").get_by_label("Fail")).to_be_checked()
    expect(page.get_by_role("group", name="Contextual").get_by_label("Pass")).to_be_checked()
    expect(page.locator("#standing")).to_contain_text("exported all the same")
    page.keyboard.press("n")
    page.keyboard.type("Only says what it looks like, 1 2 3")
    page.keyboard.press("Escape")
    page.reload()
    at(page, first)
    expect(page.get_by_label("Note")).to_have_value("Only says what it looks like, 1 2 3")

    page.keyboard.press("Enter")

    at(page, second)
    saved(page)
    (verdict,) = versions(server, "screen-2", "validation", first)
    said = verdict["document"]
    assert (said["contextual"], said["purposeful"], said["truthful"], said["rejected"]) == (True, False, True, False)
    assert said["note"] == "Only says what it looks like, 1 2 3"

    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Nothing is judged yet")
    at(page, second)


def test_a_rejected_region_needs_a_reason_and_is_not_exported(
    opened: Open, server: Server, project: Path, tmp_path: Path
) -> None:
    first, second, *_ = NAMES
    page = opened("screen-3")
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Why?")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("Expected a reason")
    page.keyboard.type("Two cards in one")
    page.keyboard.press("Enter")
    at(page, second)
    saved(page)
    (verdict,) = versions(server, "screen-3", "validation", first)
    assert verdict["document"]["rejected"] is True
    assert verdict["document"]["note"] == "Two cards in one"

    result = CliRunner().invoke(app, ["author", "export", str(project), "-o", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    screens = [json.loads(line) for line in (tmp_path / "out/screens/items.jsonl").read_text().splitlines()]
    exported = next({one["id"] for one in screen["regions"]} for screen in screens if screen["id"] == "screen-3")
    assert first not in exported
    assert second in exported

    page.select_option("#show", "rejected")
    at(page, first)
    expect(page.locator("#standing")).to_contain_text("Rejected by Ana")
    page.keyboard.press("t")
    expect(page.locator("#standing")).to_have_text("Not judged yet.")
    saved(page)
    assert versions(server, "screen-3", "validation", first)[-1]["document"]["gone"] is True


def test_an_edited_text_is_by_the_person_and_needs_its_own_verdict(opened: Open, server: Server) -> None:
    first, second, *_ = NAMES
    page = opened("screen-4")
    page.keyboard.press("a")
    at(page, second)
    page.keyboard.press("ArrowLeft")
    at(page, first)
    expect(page.locator("#standing")).to_contain_text("Passed by Ana")

    page.keyboard.press("e")
    field = page.get_by_label("Functionality")
    expect(field).to_be_focused()
    field.fill("Lets people pick an order")
    page.reload()
    expect(field).to_have_value("Lets people pick an order")
    page.get_by_role("button", name="All pass").click()
    expect(page.locator("#said")).to_contain_text("being edited")
    field.focus()
    page.keyboard.press("Control+Enter")

    expect(page.locator("#standing")).to_have_text("Not judged yet.")
    expect(page.locator(".side.now").first).to_contain_text("Lets people pick an order")
    saved(page)
    text = versions(server, "screen-4", "retelling", first)[-1]
    assert text["author"] == "person:Ana"
    assert text["document"]["functionality"] == "Lets people pick an order"
    assert text["document"]["by"] == "person:Ana"
    assert versions(server, "screen-4", "validation", first)[-1]["document"]["gone"] is True

    page.keyboard.press("a")
    saved(page)
    assert versions(server, "screen-4", "validation", first)[-1]["document"]["gone"] is False

    page.keyboard.press("ArrowLeft")
    at(page, first)
    page.get_by_text("Earlier texts and verdicts").click()
    page.get_by_role("button", name="Restore the text by test:model").click()
    expect(page.locator(".side.now").first).not_to_contain_text("pick an order")
    saved(page)
    restored = versions(server, "screen-4", "retelling", first)
    assert restored[-1]["document"]["functionality"] == restored[0]["document"]["functionality"]


def test_undo_goes_back_over_screens(opened: Open, server: Server) -> None:
    page = opened("screen-5", NAMES[-1])
    at(page, NAMES[-1])
    page.keyboard.press("a")
    expect(page.locator("#facts")).to_contain_text("screen-6")
    page.keyboard.press("u")
    at(page, NAMES[-1])
    expect(page.locator("#facts")).to_contain_text("screen-5")
    expect(page.locator("#standing")).to_have_text("Not judged yet.")
    saved(page)
    assert [one["document"]["gone"] for one in versions(server, "screen-5", "validation", NAMES[-1])] == [False, True]
    page.keyboard.press("u")
    expect(page.locator("#said")).to_have_text("There is nothing to undo.")


def test_the_next_screen_is_there_before_somebody_goes_to_it(opened: Open) -> None:
    page = opened("screen-10", NAMES[-2])
    with page.expect_response(lambda one: one.url.endswith("/api/screen?screen=screen-11")):
        page.keyboard.press("ArrowRight")
    at(page, NAMES[-1])
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url.partition("?")[0].removeprefix(page.url.partition("/v")[0])))
    before = page.locator(".verdict").bounding_box()
    page.keyboard.press("s")
    expect(page.locator("#facts")).to_contain_text("screen-11")
    expect(page.locator("#place")).to_have_text(f"1 of {len(NAMES)} on this screen")
    assert page.locator(".verdict").bounding_box() == before
    assert not [path for path in asked if path == "/api/screen" or path.startswith("/pictures/")]


def test_texts_of_any_kind_are_text_and_move_nothing(opened: Open) -> None:
    hostile, hebrew, long = NAMES[:3]
    page = opened("screen-7", hostile, show="all")
    panel = page.locator(".verdict").bounding_box()
    expect(page.locator(".side.now p").first).to_have_text(HOSTILE)
    assert page.locator("#texts img, #texts b").count() == 0
    page.keyboard.press("ArrowRight")
    at(page, hebrew)
    now = page.locator(".side.now p").first
    assert now.evaluate("one => getComputedStyle(one).direction") == "rtl"
    page.keyboard.press("ArrowRight")
    at(page, long)
    expect(page.locator(".side.now p").first).to_have_text(LONG.strip())
    assert page.locator(".verdict").bounding_box() == panel
    assert "owned" not in page.title()


def test_the_box_is_told_before_and_after_and_the_screenshot_can_be_enlarged(opened: Open) -> None:
    first = NAMES[0]
    page = opened("screen-8", first)
    facts = page.locator("#facts")
    expect(facts).to_contain_text("160 by 90 at 20, 30")
    x1, y1, x2, y2 = BOXES[first]
    expect(facts).to_contain_text(f"{x2 - x1} by {y2 - y1} at {x1}, {y1}")
    page.locator("#enlarge").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"{first} on screen-8")
    light = painted(page)
    page.emulate_media(color_scheme="dark")
    assert painted(page, light) != light
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def painted(page: Page, before: str = "") -> str:
    """What the enlarged screenshot looks like, once it is drawn and other than before."""
    look = """one => {
        const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
        return new Set(data).size > 3 ? one.toDataURL() : "";
    }"""
    canvas = page.locator("dialog canvas")
    return comes(page, lambda: str(now) if (now := canvas.evaluate(look)) not in ("", before) else "")


def test_a_screenshot_is_enlarged_before_it_is_loaded_and_follows_the_region(
    opened: Open, context: BrowserContext, project: Path
) -> None:
    first, *_, last = NAMES
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    context.route("**/pictures/*", hold_first)
    page = opened("screen-8", last)
    dialog = page.get_by_role("dialog")
    page.locator("#enlarge").click()
    expect(dialog).to_contain_text(f"{last} on screen-8")
    expect(dialog.get_by_role("status")).to_have_text("Loading")
    comes(page, lambda: held)
    held[0].continue_()
    before = painted(page)
    expect(dialog.get_by_role("status")).to_be_empty()

    with open_project(project) as known:
        region = known.state("screen-8").regions[last]
        moved = plain(region.model_copy(update={"box": box(*CORRECTED)}))
        known.ledger.revise([Draft(Kind.REGION, f"screen-8/{last}", moved, "person:Ben", "screen-8")])
    expect(dialog).to_contain_text(f"{first} on screen-9")
    painted(page, before)


def test_a_screenshot_that_cannot_be_loaded_is_told(opened: Open, context: BrowserContext) -> None:
    context.route("**/pictures/*", lambda route: route.abort())
    page = opened("screen-9")
    expect(page.locator("#facts")).to_contain_text("cannot be loaded; is the file still in the project?")
    page.locator("#enlarge").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("The picture cannot be loaded")


def test_keys_are_listed_and_the_definitions_can_be_opened(opened: Open) -> None:
    page = opened("screen-11")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys")
    for words in ("All pass, and next", "Reject the region, with a reason", "Edit the text", "Skip", "Undo the last"):
        expect(listed).to_contain_text(words)
    page.keyboard.press("Escape")
    page.get_by_text("Is there nothing in it that the screen does not show?").click()
    expect(page.get_by_text("What was made up, however likely it sounds, fails.")).to_be_visible()


def test_a_verdict_is_of_the_text_that_was_seen(opened: Open, server: Server, project: Path) -> None:
    first, second, *_ = NAMES
    page = opened("screen-13", first)
    deaf(page)
    page.get_by_label("Note").fill("Says it all")
    page.keyboard.press("Escape")
    rewrite(project, "screen-13", first, "Lists the invoices")

    page.keyboard.press("a")

    dialog = page.get_by_role("dialog", name=f"Ben changed the text of {first}")
    expect(dialog).to_contain_text("Lists the invoices")
    assert versions(server, "screen-13", "validation", first) == []
    dialog.get_by_role("button", name="Judge it again").click()
    at(page, first)
    expect(page.locator(".side.now").first).to_contain_text("Lists the invoices")
    expect(page.locator("#standing")).to_contain_text("judge it again")
    expect(page.get_by_label("Note")).to_have_value("Says it all")
    expect(page.get_by_role("group", name="Truthful").get_by_label("Pass")).not_to_be_checked()
    page.keyboard.press("a")
    at(page, second)
    expect(page.locator("#status")).not_to_contain_text("waiting")
    (verdict,) = versions(server, "screen-13", "validation", first)
    assert (verdict["document"]["told"], verdict["document"]["note"]) == ("Lists the invoices", "Says it all")


def test_what_was_chosen_of_other_words_is_not_said_of_these(opened: Open, project: Path) -> None:
    _, _, third, *_ = NAMES
    page = opened("screen-13", third)
    page.keyboard.press("2")
    expect(page.locator("#standing")).to_contain_text("Not saved.")
    rewrite(project, "screen-13", third, "Prints the invoices")
    expect(page.locator(".side.now").first).to_contain_text("Prints the invoices")
    expect(page.locator("#standing")).to_contain_text("judge it again")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Nothing is judged yet")
    at(page, third)


def test_a_verdict_on_a_text_that_was_written_anew_is_undone(opened: Open, server: Server) -> None:
    _, second, third, *_ = NAMES
    page = opened("screen-13", second)
    page.keyboard.press("a")
    at(page, third)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("e")
    page.get_by_label("Functionality").fill("Lets people pick an order")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#standing")).to_have_text("Not judged yet.")
    page.keyboard.press("a")
    at(page, third)
    page.keyboard.press("u")
    at(page, second)
    expect(page.locator("#standing")).to_have_text("Not judged yet.")
    saved(page)
    gone = [one["document"]["gone"] for one in versions(server, "screen-13", "validation", second)]
    assert gone == [False, True, False, True]


def test_who_writes_sees_what_somebody_else_writes_and_decides(opened: Open, server: Server, project: Path) -> None:
    first = NAMES[0]
    page = opened("screen-14", first)
    page.keyboard.press("e")
    field = page.get_by_label("Functionality")
    field.fill("Half a sentence")
    rewrite(project, "screen-14", first, "Counts the orders")

    notice = page.locator(".overtaken")
    expect(notice).to_contain_text("Ben changed this text while you were writing.")
    expect(notice).to_contain_text("Counts the orders")
    expect(field).to_have_value("Half a sentence")
    page.reload()
    expect(notice).to_contain_text("Counts the orders")
    field.focus()
    page.keyboard.press("Control+Enter")
    expect(notice.get_by_role("button", name="Keep mine")).to_be_focused()
    assert current(server, "screen-14", first)["functionality"] == "Counts the orders"
    page.keyboard.press("Enter")
    expect(page.locator(".side.now").first).to_contain_text("Half a sentence")
    saved(page)
    assert [one["author"] for one in versions(server, "screen-14", "retelling", first)][-2:] == [
        "person:Ben",
        "person:Ana",
    ]


def test_a_text_that_was_changed_unheard_is_not_replaced(opened: Open, server: Server, project: Path) -> None:
    second = NAMES[1]
    page = opened("screen-14", second)
    deaf(page)
    page.keyboard.press("e")
    page.get_by_label("Functionality").fill("Mine")
    rewrite(project, "screen-14", second, "Counts the messages")
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name=f"Ben changed the text of {second}")
    expect(dialog).to_contain_text("Counts the messages")
    expect(dialog).to_contain_text("Mine")
    assert current(server, "screen-14", second)["functionality"] == "Counts the messages"
    dialog.get_by_role("button", name="Keep theirs").click()
    expect(page.locator(".side.now").first).to_contain_text("Counts the messages")


def test_a_reason_survives_a_closed_tab(opened: Open, server: Server) -> None:
    first, second, *_ = NAMES
    page = opened("screen-15", first)
    page.keyboard.press("r")
    page.keyboard.type("Two cards in o")
    page.close()
    page = opened("screen-15", first)
    page.keyboard.press("r")
    expect(page.get_by_label("Why?")).to_have_value("Two cards in o")
    page.keyboard.press("Enter")
    at(page, second)
    saved(page)
    (verdict,) = versions(server, "screen-15", "validation", first)
    assert verdict["document"]["note"] == "Two cards in o"
    page.keyboard.press("ArrowLeft")
    at(page, first)
    page.get_by_label("Note").fill("")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.get_by_label("Why?")).to_have_value("")


def test_looking_through_screens_is_told_and_can_be_stopped(opened: Open, project: Path) -> None:
    with open_project(project) as known:
        said = plain(Validation(contextual=True, purposeful=True, truthful=True))
        screens = ("screen-1", "screen-15")
        known.ledger.revise([Draft(Kind.VALIDATION, f"{one}/1-4", said, "person:Ben", one) for one in screens])
    with serving(project, "--as", "Zoe") as server:
        page = opened("screen-9", at=server.url)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/api/screen?screen=screen-15", hold)
        page.select_option("#show", "mine")
        looking = page.locator("#looking")
        expect(looking).to_contain_text("Looking through the screens")
        expect(looking.get_by_role("progressbar")).to_be_visible()
        comes(page, lambda: held)
        looking.get_by_role("button", name="Stop").click()
        expect(looking).to_be_hidden()
        held.pop().continue_()
        expect(page.locator("#none")).to_contain_text("Stopped before one was found.")
        page.get_by_role("button", name="Look further").click()
        expect(page.locator("#none")).to_contain_text("You have judged no text yet.")


def test_what_somebody_else_says_is_seen(opened: Open, server: Server) -> None:
    first = NAMES[0]
    page = opened("screen-12", first)
    other = opened("screen-12", first)
    other.keyboard.press("a")
    saved(other)
    expect(page.locator("#standing")).to_contain_text("Passed by Ana")
    page.select_option("#show", "mine")
    expect(page.locator("#standing")).to_contain_text("by Ana")


@pytest.mark.parametrize(("scheme", "width", "height"), [("light", 1440, 900), ("dark", 720, 450)])
def test_axe_finds_nothing(browser: Browser, server: Server, scheme: Any, width: int, height: int) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
    page.goto(f"{server.url}/validation?screen=screen-10")
    page.wait_for_selector("#item:visible")
    page.keyboard.press("3")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_an_annotator_looks_and_is_told_why_not_more(project: Path, context: BrowserContext) -> None:
    with open_project(project) as opened:
        _, drafts = People(opened.ledger).joining("Ben", Role.ANNOTATOR, "correct horse battery", "test")
        opened.ledger.revise(drafts)
    with serving(project, "--sign-in") as server:
        page = context.new_page()
        page.goto(f"{server.url}/sign-in")
        page.get_by_label("Name").fill("Ben")
        page.get_by_label("Password").fill("correct horse battery")
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: "sign-in" not in url)
        page.goto(f"{server.url}/validation?screen=screen-10")
        page.wait_for_selector("#item:visible")
        expect(page.locator(".notice")).to_contain_text("takes a reviewer or an administrator; you are annotator")
        first = shown(page)
        assert page.locator("[data-act]").count() == 0
        page.keyboard.press("a")
        page.keyboard.press("1")
        at(page, first)
        expect(page.locator("#standing")).to_have_text("Not judged yet.")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#facts dd").first).not_to_have_text(first)
    with open_ledger(project / "project.db", read_only=True) as ledger:
        assert ledger.documents(kind=Kind.VALIDATION, subject=f"screen-10/{first}") == []


def test_a_project_without_texts_says_what_to_do(tmp_path: Path, opened: Open) -> None:
    create_project(tmp_path / "empty", name="Empty")
    with serving(tmp_path / "empty") as server:
        page = opened(at=server.url)
        expect(page.locator("#none")).to_contain_text("There is nothing to validate yet.")
        expect(page.locator("#none")).to_contain_text("affordance author reannotate")
        page.goto(f"{server.url}/questions")
        expect(page.locator("#none")).to_contain_text("There are no questions yet.")
        expect(page.locator("#none")).to_contain_text("affordance author ask")
