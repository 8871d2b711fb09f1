"""Validation as a person does it: one text after the other, with keys and mouse, in a real browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from affordance.author.project import open_project, plain
from affordance.author.records import Kind, Retelling, Validation
from affordance.cli.main import run_command
from affordance.ledger import DocumentDraft, open_ledger
from studio_world import (
    MODEL,
    Person,
    Server,
    action,
    box,
    comes,
    dialog,
    faults,
    in_order,
    make_project,
    person,
    saved,
    serving,
    tree,
)
from study_world import account

HOSTILE = "Opens <img src=x onerror=\"document.title='owned'\"> the <b>list</b> & more"
HEBREW = "מציג את רשימת ההזמנות ומאפשר לשנות אותן"
LONG = "Lets people look through everything. " * 54  # 1,998 characters
SCREENS = 9

NAMES = ["2-0", "2-2", "2-4", "1-2", "1-4"]  # regions of the world that have a text, in the order of the tree
BOXES = {node.name: node.box for node in tree(12)}
CORRECTED = (20, 30, 180, 120)

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_project(tmp_path_factory.mktemp("validation") / "shop", screens=SCREENS, regions=12)
    with open_project(made) as opened:
        odd = zip(NAMES, (HOSTILE, HEBREW, LONG), strict=False)
        opened.ledger.documents.write([described("screen-7", name, text, BOXES[name]) for name, text in odd])
        region = opened.state("screen-8").regions[NAMES[0]]
        moved = plain(region.model_copy(update={"box": box(*CORRECTED)}))
        opened.ledger.documents.write(
            [DocumentDraft(Kind.REGION, f"screen-8/{NAMES[0]}", moved, "person:Ana", "screen-8")]
        )
        opened.ledger.documents.write([described("screen-8", NAMES[0], "Shows the orders", CORRECTED)])
    return made


def described(screen: str, name: str, text: str, of: tuple[int, int, int, int], by: str = MODEL) -> DocumentDraft:
    document = Retelling(box=box(*of), description=text, functionality=text, rationale=text, by=by)
    return DocumentDraft(Kind.RETELLING, f"{screen}/{name}", plain(document), by, screen)


def rewrite(project: Path, screen: str, name: str, text: str) -> None:
    """Ben does, while another person looks at it."""
    with open_project(project) as known:
        known.ledger.documents.write([described(screen, name, text, BOXES[name], "person:Ben")])


def deaf(page: Page) -> None:
    """The page does not hear of what others do from now on."""
    page.route("**/api/news?*", lambda _: None)


@pytest.fixture(scope="module")
def ana(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def opened(ana: Person, server: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens the page; at the end no page may have thrown or broken its policy."""
    failed = request.session.testsfailed

    def open_page(screen: str = "", region: str = "", show: str = "", page: Page | None = None) -> Page:
        page = page or ana.page(failed)
        visit(page, server.url, screen, region, show)
        return page

    yield open_page
    ana.context.unroute_all()
    assert ana.wrong == []


def visit(page: Page, at: str, screen: str = "", region: str = "", show: str = "") -> None:
    asked = {key: value for key, value in (("screen", screen), ("region", region), ("show", show)) if value}
    page.goto(f"{at}/validation?{urlencode(asked)}")
    page.wait_for_selector("#item:visible, #none:visible:not([data-reason=loading])")


def fact(page: Page, name: str) -> Locator:
    return page.locator(f"#facts [data-fact={name}]")


def at(page: Page, name: str, screen: str = "") -> None:
    expect(fact(page, "region")).to_have_text(name)
    if screen:
        expect(fact(page, "screen")).to_have_text(screen)


def judgement(page: Page, state: str, by: str = "") -> None:
    """What is shown as the verdict on the text."""
    expect(page.locator(f"#standing[data-state={state}][data-by='{by}']")).not_to_be_empty()


def chosen(page: Page, criterion: str) -> str | None:
    found: str | None = page.evaluate("(name) => document.getElementById('verdict').elements[name].value", criterion)
    return found or None


def now(page: Page) -> Locator:
    """What the region is for, as the page shows it."""
    return page.locator("[data-part=functionality] .side.now p")


def versions(server: Server, screen: str, kind: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.get("/api/history", screen=screen, kind=kind, name=name).json["versions"]
    return found


def current(server: Server, screen: str, name: str) -> dict[str, Any]:
    document: dict[str, Any] = versions(server, screen, "retelling", name)[-1]["document"]
    return document


def test_texts_are_judged_by_keys_and_undone_over_screens(opened: Open, server: Server) -> None:
    first, second, *_, last = NAMES
    page = opened("screen-1")
    page.keyboard.press("u")
    expect(page.locator("#said[data-why=nothing-to-undo]")).not_to_be_empty()
    at(page, first)
    togo = page.locator("#togo")
    left, total = int(togo.get_attribute("data-left") or 0), togo.get_attribute("data-total") or ""
    expect(togo).to_have_text(in_order(left, total))

    page.keyboard.press("a")

    at(page, second)
    expect(togo).to_have_text(in_order(left - 1, total))
    expect(page.locator("#said")).to_contain_text(first)
    page.keyboard.press("2")
    assert [chosen(page, one) for one in ("contextual", "purposeful", "truthful")] == ["pass", "fail", "pass"]
    expect(page.locator("#standing[data-state=unsaved][data-failing=true]")).not_to_be_empty()
    page.keyboard.press("n")
    page.keyboard.type("Only says what it looks like, 1 2 3")
    page.keyboard.press("Escape")
    page.reload()
    at(page, second)
    expect(page.locator("#note")).to_have_value("Only says what it looks like, 1 2 3")
    page.keyboard.press("Enter")
    at(page, NAMES[2])
    page.keyboard.press("Enter")
    expect(page.locator("#said[data-why=not-judged]")).not_to_be_empty()
    at(page, NAMES[2])

    for name in NAMES[3:]:
        page.keyboard.press("ArrowRight")
        at(page, name)
    page.keyboard.press("a")
    at(page, NAMES[0], "screen-2")
    page.keyboard.press("u")
    at(page, last, "screen-1")
    judgement(page, "none")
    saved(page)
    (passed,) = versions(server, "screen-1", "validation", first)
    assert passed["author"] == "person:Ana"
    assert passed["document"] == {
        "box": {"space": "pixel", "xyxy": list(BOXES[first])},
        **{"contextual": True, "purposeful": True, "truthful": True, "rejected": False, "note": "", "gone": False},
        "told": current(server, "screen-1", first)["functionality"],
    }
    (failed,) = versions(server, "screen-1", "validation", second)
    values = [failed["document"][one] for one in ("contextual", "purposeful", "truthful", "rejected")]
    assert values == [True, False, True, False]
    assert failed["document"]["note"] == "Only says what it looks like, 1 2 3"
    assert [one["document"]["gone"] for one in versions(server, "screen-1", "validation", last)] == [False, True]


def test_a_rejected_region_needs_a_reason_and_is_not_exported(
    opened: Open, server: Server, project: Path, tmp_path: Path
) -> None:
    first, second, *_ = NAMES
    page = opened("screen-3")
    page.keyboard.press("r")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog(page, "reject").get_by_role("alert")).not_to_be_empty()
    page.keyboard.type("Two cards in o")
    page.close()
    page = opened("screen-3")
    page.keyboard.press("r")
    expect(page.locator("#reason")).to_have_value("Two cards in o")
    page.keyboard.press("Enter")
    at(page, second)
    saved(page)
    (verdict,) = versions(server, "screen-3", "validation", first)
    assert (verdict["document"]["rejected"], verdict["document"]["note"]) == (True, "Two cards in o")

    assert run_command(["author", "export", str(project), "-o", str(tmp_path / "out")]) == 0
    screens = [json.loads(line) for line in (tmp_path / "out/screens/items.jsonl").read_text().splitlines()]
    exported = next({one["id"] for one in screen["regions"]} for screen in screens if screen["id"] == "screen-3")
    assert first not in exported
    assert second in exported

    page.select_option("#show", "rejected")
    at(page, first)
    judgement(page, "rejected", "Ana")
    page.fill("#note", "")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.locator("#reason")).to_have_value("")
    page.keyboard.press("Escape")
    expect(dialog(page, "reject")).to_have_count(0)
    page.keyboard.press("t")
    judgement(page, "none")
    saved(page)
    assert versions(server, "screen-3", "validation", first)[-1]["document"]["gone"] is True


def test_an_edited_text_is_by_the_person_and_needs_its_own_verdict(opened: Open, server: Server) -> None:
    first, second, *_ = NAMES
    page = opened("screen-4")
    page.keyboard.press("a")
    at(page, second)
    page.keyboard.press("ArrowLeft")
    at(page, first)
    judgement(page, "passed", "Ana")

    page.keyboard.press("e")
    field = page.locator("#edit-functionality")
    expect(field).to_be_focused()
    field.fill("Lets people pick an order")
    page.reload()
    expect(field).to_have_value("Lets people pick an order")
    action(page, "pass").click()
    expect(page.locator("#said[data-why=editing]")).not_to_be_empty()
    field.focus()
    page.keyboard.press("Control+Enter")

    judgement(page, "none")
    expect(now(page)).to_have_text("Lets people pick an order")
    saved(page)
    text = versions(server, "screen-4", "retelling", first)[-1]
    assert text["author"] == text["document"]["by"] == "person:Ana"
    assert text["document"]["functionality"] == "Lets people pick an order"

    page.keyboard.press("a")
    at(page, first, "screen-5")  # after the reload, a judged text is the last one of its screen
    page.keyboard.press("u")  # the verdict on the text as it is now
    at(page, first, "screen-4")
    judgement(page, "none")
    saved(page)
    gone = [one["document"]["gone"] for one in versions(server, "screen-4", "validation", first)]
    assert gone == [False, True, False, True]

    page.locator("details.earlier > summary").click()
    action(page.locator(f".past [data-author='{MODEL}']"), "restore retelling").click()
    expect(now(page)).not_to_have_text("Lets people pick an order")
    saved(page)
    restored = versions(server, "screen-4", "retelling", first)
    assert restored[-1]["document"]["functionality"] == restored[0]["document"]["functionality"]


def test_the_next_screen_is_ready_and_texts_of_any_kind_move_nothing(opened: Open) -> None:
    hostile, hebrew, long, *_, last = NAMES
    page = opened("screen-6", NAMES[-2], show="all")
    with page.expect_response(lambda one: one.url.endswith("/api/screen?screen=screen-7")):
        page.keyboard.press("ArrowRight")
    at(page, last)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url.partition("?")[0].removeprefix(page.url.partition("/v")[0])))
    panel = page.locator(".verdict").bounding_box()
    page.keyboard.press("s")
    at(page, hostile, "screen-7")
    expect(page.locator("#place")).to_have_text(in_order(1, len(NAMES)))
    assert not [path for path in asked if path == "/api/screen" or path.startswith("/pictures/")]
    expect(now(page)).to_have_text(HOSTILE)
    assert page.locator("#texts img, #texts b").count() == 0
    page.keyboard.press("ArrowRight")
    at(page, hebrew)
    assert now(page).evaluate("one => getComputedStyle(one).direction") == "rtl"
    page.keyboard.press("ArrowRight")
    at(page, long)
    expect(now(page)).to_have_text(LONG.strip())
    assert page.locator(".verdict").bounding_box() == panel
    assert "owned" not in page.title()

    page.keyboard.press("?")
    keys = dialog(page, "keys")
    for key in ("A", "Enter", "R", "E", "S", "U"):
        expect(keys.locator("dt").filter(has=page.locator(f"kbd:text-is('{key}')")).first).to_be_visible()
    page.keyboard.press("Escape")
    for definition in page.locator("#verdict details").all():
        definition.locator("summary").click()
        expect(definition.locator("p")).not_to_be_empty()
        expect(definition.locator("p")).to_be_visible()


def painted(page: Page, before: str = "") -> str:
    """What the enlarged screenshot looks like, once it is drawn and other than before."""
    look = """one => {
        const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
        return new Set(data).size > 3 ? one.toDataURL() : "";
    }"""
    canvas = page.locator("dialog canvas")
    return comes(page, lambda: str(now) if (now := canvas.evaluate(look)) not in ("", before) else "")


def test_the_screenshot_is_enlarged_before_it_is_loaded_and_follows_the_region(
    opened: Open, ana: Person, project: Path
) -> None:
    first, *_, last = NAMES
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    ana.context.route("**/pictures/*", hold_first)
    page = opened("screen-8", last)
    picture = dialog(page, "picture")
    page.locator("#enlarge").click()
    expect(picture.locator("h2")).to_have_text(in_order(last, "screen-8"))
    expect(picture.locator("[role=status][data-state=loading]")).not_to_be_empty()
    comes(page, lambda: held)
    held[0].continue_()
    before = painted(page)
    expect(picture.locator("[role=status][data-state=shown]")).to_be_empty()

    with open_project(project) as known:
        region = known.state("screen-8").regions[last]
        moved = plain(region.model_copy(update={"box": box(*CORRECTED)}))
        known.ledger.documents.write([DocumentDraft(Kind.REGION, f"screen-8/{last}", moved, "person:Ben", "screen-8")])
    expect(picture.locator("h2")).to_have_text(in_order(first, "screen-9"))
    light = painted(page, before)
    page.emulate_media(color_scheme="dark")
    painted(page, light)
    page.keyboard.press("Escape")
    expect(picture).to_have_count(0)

    ana.context.unroute("**/pictures/*")
    ana.context.route("**/pictures/*", lambda route: route.abort())
    page = opened("screen-8", first)
    x1, y1, x2, y2 = BOXES[first]
    expect(fact(page, "box")).to_have_text(in_order(160, 90, 20, 30))
    expect(fact(page, "before")).to_have_text(in_order(x2 - x1, y2 - y1, x1, y1))
    expect(fact(page, "missing")).not_to_be_empty()
    page.locator("#enlarge").click()
    expect(dialog(page, "picture").locator("[role=status][data-state=missing]")).not_to_be_empty()
    page.close()


def test_a_verdict_is_of_the_text_that_was_seen_and_a_text_is_not_overwritten(
    opened: Open, ana: Person, server: Server, project: Path
) -> None:
    first, second, third, fourth, last = NAMES
    page = opened("screen-2", first)
    deaf(page)
    page.locator("#note").fill("Says it all")
    page.keyboard.press("Escape")
    rewrite(project, "screen-2", first, "Lists the invoices")

    page.keyboard.press("a")

    conflict = dialog(page, "text-changed")
    expect(conflict).to_contain_text("Lists the invoices")
    expect(conflict.locator("h2")).to_have_text(in_order("Ben", first))
    assert versions(server, "screen-2", "validation", first) == []
    action(conflict, "again").click()
    at(page, first)
    expect(now(page)).to_have_text("Lists the invoices")
    judgement(page, "outdated")
    expect(page.locator("#note")).to_have_value("Says it all")
    assert chosen(page, "truthful") is None
    page.keyboard.press("a")
    at(page, second)

    page.keyboard.press("e")
    page.locator("#edit-functionality").fill("Mine")
    rewrite(project, "screen-2", second, "Counts the messages")
    page.keyboard.press("Control+Enter")
    conflict = dialog(page, "changed")
    expect(conflict).to_contain_text("Counts the messages")
    expect(conflict).to_contain_text("Mine")
    assert current(server, "screen-2", second)["functionality"] == "Counts the messages"
    action(conflict, "aside").click()
    expect(now(page)).to_have_text("Counts the messages")
    (verdict,) = versions(server, "screen-2", "validation", first)
    assert (verdict["document"]["told"], verdict["document"]["note"]) == ("Lists the invoices", "Says it all")

    page.close()
    page = opened("screen-2", third)  # this one hears of what others do
    page.keyboard.press("2")
    judgement(page, "unsaved")
    rewrite(project, "screen-2", third, "Prints the invoices")
    expect(now(page)).to_have_text("Prints the invoices")
    judgement(page, "outdated")
    page.keyboard.press("Enter")
    expect(page.locator("#said[data-why=not-judged]")).not_to_be_empty()
    at(page, third)

    other = opened("screen-2", fourth, page=ana.context.new_page())
    other.keyboard.press("a")
    saved(other)
    page.keyboard.press("ArrowRight")
    at(page, fourth)
    judgement(page, "passed", "Ana")
    other.close()

    # Who writes sees what another person writes, and decides.
    page.keyboard.press("ArrowRight")
    at(page, last)
    page.keyboard.press("e")
    field = page.locator("#edit-functionality")
    field.fill("Half a sentence")
    rewrite(project, "screen-2", last, "Counts the orders")

    notice = page.locator(".overtaken")
    expect(notice).to_contain_text("Counts the orders")
    expect(notice.locator("bdi")).to_have_text("Ben")
    expect(field).to_have_value("Half a sentence")
    page.reload()
    expect(notice).to_contain_text("Counts the orders")
    field.focus()
    page.keyboard.press("Control+Enter")
    expect(action(notice, "keep-mine")).to_be_focused()
    assert current(server, "screen-2", last)["functionality"] == "Counts the orders"
    page.keyboard.press("Enter")
    expect(now(page)).to_have_text("Half a sentence")
    saved(page)
    assert [one["author"] for one in versions(server, "screen-2", "retelling", last)][-2:] == [
        "person:Ben",
        "person:Ana",
    ]


def test_an_annotator_looks_through_screens_and_may_not_judge(project: Path, context: BrowserContext) -> None:
    first, last = NAMES[0], f"screen-{SCREENS}"
    wrong = faults(context)
    with open_project(project) as opened:
        verdict = plain(Validation(contextual=True, purposeful=True, truthful=True))
        opened.ledger.documents.write(
            [DocumentDraft(Kind.VALIDATION, f"{one}/2-4", verdict, "person:Ben", one) for one in ("screen-6", last)]
        )
    with serving(project, "--sign-in") as server, open_project(project) as opened:
        account(opened, server.url, "Zoe").lend(context)
        page = context.new_page()
        visit(page, server.url, "screen-8")
        expect(page.locator("[data-notice=read-only][data-role=annotator]")).not_to_be_empty()
        at(page, first)
        assert page.locator("#verdict [data-action]").count() == 0
        page.keyboard.press("a")
        page.keyboard.press("1")
        at(page, first)
        judgement(page, "none")
        page.keyboard.press("ArrowRight")
        at(page, NAMES[1])

        # The search for texts can be stopped.
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route(f"**/api/screen?screen={last}", hold)
        page.select_option("#show", "mine")
        looking = page.locator("#looking")
        expect(looking.get_by_role("progressbar")).to_be_visible()
        comes(page, lambda: held)
        action(looking, "stop").click()
        expect(looking).to_be_hidden()
        held.pop().continue_()
        none = page.locator("#none")
        expect(none).to_have_attribute("data-reason", "stopped")
        action(none, "continue").click()
        expect(none).to_have_attribute("data-reason", "none-like-that")
        expect(none).not_to_be_empty()
    with open_ledger(project / "project.db", read_only=True) as ledger:
        assert ledger.documents.latest(kind=Kind.VALIDATION, subject=f"screen-8/{first}") == []
    assert wrong == []
