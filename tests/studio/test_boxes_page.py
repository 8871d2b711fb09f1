"""The page around the screen, as a person uses it: with mouse and keyboard, in a real browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.ledger import DocumentDraft
from affordance.studio.security.rights import Role
from studio_world import (
    Person,
    Server,
    action,
    comes,
    dialog,
    faults,
    in_order,
    make_project,
    person,
    saved,
    serving,
    while_loading,
)
from study_world import account

Open = Callable[..., Page]

SCREENS = 9


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project = make_project(tmp_path_factory.mktemp("boxes") / "shop", screens=SCREENS, regions=12)
    with serving(project) as running:
        yield running


@pytest.fixture(scope="module")
def somebody(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def opened(somebody: Person, server: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a screen, in the page of the test before if there is one; at the end no page may have thrown or broken its
    policy."""
    failed = request.session.testsfailed

    def open_screen(screen: str, region: str | None = None, at: Server = server) -> Page:
        page = somebody.page(failed)
        if not page.url.startswith(f"{at.url}/boxes"):
            visit(page, at, screen, region)
            return page
        turn_to(page, screen)
        if region is not None:
            row(page, region).click()
        return page

    yield open_screen
    assert somebody.wrong == []


def turn_to(page: Page, screen: str) -> None:
    saved(page)
    find = page.locator("#find-image")
    find.fill(screen)
    find.press("Enter")
    find.fill("")
    comes(page, lambda: page.evaluate("new URLSearchParams(location.search).get('screen')") == screen)
    expect(row(page, "0-0")).to_be_visible()
    page.locator("#region-tree").focus()


def visit(page: Page, server: Server, screen: str, region: str | None = None) -> None:
    asked = {name: value for name, value in (("screen", screen), ("region", region)) if value}
    page.goto(f"{server.url}/boxes?{urlencode(asked)}")


def row(page: Page, name: str) -> Locator:
    return page.locator(f"#region-tree [data-name='{name}']")


def names(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "#region-tree [data-name]", "rows => rows.map(one => one.dataset.name)"
    )
    return found


def latest(server: Server, screen: str, kind: str, name: str) -> dict[str, Any]:
    versions = server.get("/api/history", screen=screen, kind=kind, name=name).json["versions"]
    found: dict[str, Any] = versions[-1]
    return found


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#pane-panel [data-field='{name}']")


def edge(page: Page, name: str) -> Locator:
    return page.locator(f"[data-edge={name}]")


def due(page: Page, count: int) -> None:
    """How many corrected regions wait for a text, as the panel shows it."""
    expect(page.locator("#pane-panel .retelling")).to_have_attribute("data-due", str(count))


def test_images_are_found_and_marked_as_done(opened: Open, server: Server) -> None:
    page = opened("screen-7")
    rows, name = page.locator("#image-list [role=option]"), page.locator("#screen-name")
    expect(rows).to_have_count(SCREENS)
    expect(page.locator("#overall")).to_have_text(in_order(0, SCREENS))
    expect(page.locator("#image-list [aria-selected=true]")).to_contain_text("screen-7")
    expect(row(page, "1-0")).to_be_visible()
    tools = page.eval_on_selector_all("[data-tool]", "all => all.map(one => one.dataset.tool)")
    assert tools == ["draw", "snap", "loupe", "original", "out", "scale", "in", "fit", "undo", "redo", "done", "help"]
    page.keyboard.press("j")
    expect(name).to_have_text("screen-8")
    page.keyboard.press("PageUp")
    expect(name).to_have_text("screen-7")
    expect(row(page, "1-0")).to_be_visible()

    page.keyboard.press("d")
    expect(name).to_have_text("screen-8")
    expect(page.locator("#image-list [data-screen='screen-7'] .chip.done")).not_to_be_empty()
    expect(page.locator("#overall")).to_have_text(in_order(1, SCREENS))
    saved(page)
    assert latest(server, "screen-7", "reviewed", "")["document"]["done"] is True

    expect(row(page, "1-0")).to_be_visible()
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    ninth = re.compile(r"/api/screen\?screen=screen-9$")
    page.route(ninth, hold)
    page.keyboard.press("j")
    expect(name).to_have_text("screen-9")
    comes(page, lambda: asked)
    page.keyboard.press("d")  # the image that is named is meant, while it still loads
    asked[0].continue_()
    page.unroute(ninth)
    expect(page.locator("#image-list [data-screen='screen-9'] .chip.done")).to_be_visible()
    saved(page)
    assert latest(server, "screen-9", "reviewed", "")["document"]["done"] is True
    assert server.get("/api/history", screen="screen-8", kind="reviewed", name="").json["versions"] == []

    page.locator("#filter-image").select_option("done")
    expect(rows).to_have_count(2)
    for screen in ("screen-7", "screen-9"):
        page.locator(f"#image-list [data-screen='{screen}']").click()
        expect(page.locator("[data-tool=done]")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Shift+D")
        expect(page.locator("[data-tool=done]")).to_have_attribute("aria-pressed", "false")
    none = page.locator("#image-none:visible")
    expect(none).to_have_attribute("data-reason", "done")
    expect(none).not_to_be_empty()
    saved(page)
    assert latest(server, "screen-7", "reviewed", "")["document"]["done"] is False

    page.locator("#filter-image").select_option("all")
    page.keyboard.press("Escape")
    page.locator("#find-image").fill("een-6")
    expect(rows).to_have_count(1)
    page.locator("#find-image").press("Enter")
    expect(name).to_have_text("screen-6")
    page.keyboard.press("i")
    page.keyboard.type("nothing like it")
    expect(none).to_have_attribute("data-reason", "all")
    page.locator("#find-image").fill("")
    page.locator("#filter-image").select_option("aside")
    expect(none).to_have_attribute("data-reason", "aside")
    page.locator("#filter-image").select_option("all")


def at(page: Page, x: float, y: float) -> Any:
    """Where a point of a screen of 1280x800 that fits is on the canvas."""
    image = page.locator("#stage img.stage-picture").first.bounding_box()
    canvas = page.locator("#stage canvas.stage-boxes").first.bounding_box()
    assert image is not None
    assert canvas is not None
    return {
        "x": image["x"] - canvas["x"] + x * image["width"] / 1280,
        "y": image["y"] - canvas["y"] + y * image["height"] / 800,
    }


def test_regions_are_selected_and_everything_is_reached_by_keys_and_in_a_narrow_window(
    opened: Open, server: Server
) -> None:
    page = opened("screen-1", "1-2")
    named = page.locator("#pane-panel .named")
    expect(row(page, "1-2")).to_have_attribute("aria-selected", "true")
    expect(named).to_have_text("1-2")
    row(page, "2-3").click()
    expect(named).to_have_text("2-3")
    expect(page).to_have_url(re.compile("region=2-3"))
    page.locator("#stage canvas.stage-boxes").first.click(position=at(page, 1100, 400))
    expect(row(page, "1-5")).to_have_attribute("aria-selected", "true")
    expect(named).to_have_text("1-5")
    expect(page).to_have_url(re.compile("region=1-5"))
    splitter, images = page.locator("#split-images"), page.locator("#pane-images")
    splitter.focus()
    before = images.bounding_box()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    after = images.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == before["width"] + 32
    page.reload()
    expect(row(page, "1-5")).to_have_attribute("aria-selected", "true")
    expect(splitter).to_have_attribute("aria-valuenow", str(int(after["width"])))

    # From pane to pane.
    inside = "pane => document.getElementById(pane).contains(document.activeElement)"
    for pane in ("pane-images", "pane-tree", "pane-stage", "pane-panel", "pane-images"):
        page.keyboard.press("F6")
        assert page.evaluate(inside, pane), pane
    page.keyboard.press("Shift+F6")
    assert page.evaluate(inside, "pane-panel")

    row(page, "1-0").click()
    chosen = page.locator("#region-tree [aria-selected=true]")
    for key, expected in (
        ("ArrowDown", "2-0"),
        ("ArrowLeft", "1-0"),
        ("ArrowRight", "2-0"),
        ("ArrowUp", "1-0"),
        ("End", "1-5"),
        ("Home", "0-0"),
    ):
        page.keyboard.press(key)
        expect(chosen).to_have_attribute("data-name", expected)
    row(page, "1-0").click()
    page.keyboard.press("ArrowLeft")
    expect(row(page, "1-0")).to_have_attribute("aria-expanded", "false")
    expect(row(page, "2-0")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(row(page, "2-0")).to_be_visible()
    assert row(page, "2-0").get_attribute("aria-level") == "3"

    page.keyboard.press("/")
    page.keyboard.type("(2-4)")
    expect(page.locator("#region-count")).to_have_text(in_order(1, 12))
    assert names(page) == ["0-0", "1-0", "2-4"]
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("data-name", "2-4")
    page.keyboard.press("Escape")
    row(page, "1-5").click()
    page.keyboard.press("w")
    expect(page.locator("#worst")).to_have_attribute("aria-pressed", "true")
    regions = [one for one in server.get("/api/screen", screen="screen-1").json["documents"] if one["kind"] == "region"]
    scores = {one["name"]: one["document"].get("scores") for one in regions}
    keys = [(scores[name]["completeness"], scores[name]["bounded"]) for name in names(page)]
    assert len(keys) == 12
    assert keys == sorted(keys)
    page.keyboard.press("w")
    assert names(page)[:2] == ["0-0", "1-0"]

    page.keyboard.press("?")
    keys = dialog(page, "keys")
    for key in ("J", "N", "W", "F6", "Z"):
        expect(keys.locator(f"kbd:text-is('{key}')").first).to_be_visible()
    assert all(text.strip() for text in keys.locator("dd").all_inner_texts())
    page.keyboard.press("Escape")

    page.set_viewport_size({"width": 720, "height": 450})
    for pane in ("images", "tree", "panel", "stage"):
        page.locator(f"#tab-{pane}").click()
        expect(page.locator(f"#pane-{pane}")).to_be_visible()
        for other in {"images", "tree", "stage", "panel"} - {pane}:
            expect(page.locator(f"#pane-{other}")).to_be_hidden()
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        beyond = page.evaluate(
            "id => [...document.querySelectorAll(`#${id} :is(button, input, select, textarea)`)]"
            ".filter(one => one.offsetParent && one.getBoundingClientRect().right > innerWidth).length",
            f"pane-{pane}",
        )
        assert beyond == 0
    page.locator("#tab-stage").focus()
    page.keyboard.press("Home")
    expect(page.locator("#pane-images")).to_be_visible()
    page.locator("#image-list [role=option]").first.click()
    expect(page.locator("#pane-stage")).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})


def test_regions_go_under_others_and_are_deleted_and_restored(opened: Open, server: Server) -> None:
    page = opened("screen-2")
    row(page, "2-1").hover()
    page.mouse.down()
    row(page, "1-3").hover()
    expect(row(page, "1-3")).to_have_class(re.compile("drop"))
    page.mouse.up()
    expect(row(page, "2-1")).to_have_attribute("aria-selected", "true")
    order = names(page)
    assert order.index("2-1") == order.index("1-3") + 1
    saved(page)
    assert latest(server, "screen-2", "region", "2-1")["document"]["parent"] == "1-3"

    row(page, "1-0").hover()
    page.mouse.down()
    row(page, "2-2").hover()
    expect(page.locator(".carried[data-refused=true]")).to_have_text(in_order("2-2", "1-0"))
    page.mouse.up()
    expect(page.locator(".carried")).to_have_count(0)

    page.keyboard.press("Control+z")
    expect(row(page, "2-1")).to_have_attribute("aria-level", "3")
    saved(page)
    assert latest(server, "screen-2", "region", "2-1")["document"]["parent"] == "1-0"

    row(page, "2-2").click()
    page.keyboard.press("x")
    expect(page.locator("#carrying b")).to_have_text("2-2")
    row(page, "1-4").click()
    page.keyboard.press("v")
    expect(page.locator("#carrying")).to_be_hidden()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    saved(page)
    assert latest(server, "screen-2", "region", "2-2")["document"]["parent"] == "1-4"

    row(page, "2-5").click()
    page.keyboard.press("Delete")
    expect(row(page, "2-5")).to_have_count(0)
    expect(row(page, "1-0")).to_have_attribute("aria-selected", "true")
    saved(page)
    assert latest(server, "screen-2", "region", "2-5")["document"]["gone"] is True
    summary = page.locator("#deleted summary")
    summary.click()
    action(page, "restore 2-5").click()
    expect(row(page, "2-5")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#deleted")).to_be_hidden()
    saved(page)

    def delete(name: str, count: int) -> None:
        """Ben does."""
        with open_project(server.project) as project:
            (found,) = project.ledger.documents.get_many([(Kind.REGION, f"screen-2/{name}")])
            gone = {**found.document, "gone": True}
            project.ledger.documents.write([DocumentDraft(Kind.REGION, found.subject, gone, "person:Ben", "screen-2")])
        expect(summary).to_have_text(in_order(count))

    delete("2-3", 1)  # the list is still open
    action(page, "restore 2-3").focus()
    delete("2-1", 2)
    expect(action(page, "restore 2-1")).to_be_visible()
    expect(action(page, "restore 2-3")).to_be_focused()


def test_a_box_is_typed_in_and_every_version_can_be_restored(opened: Open, server: Server, somebody: Person) -> None:
    page = opened("screen-3", "1-4")
    left, right = edge(page, "left"), edge(page, "right")
    expect(right).to_have_value("1064")
    right.fill("1130")
    right.press("Enter")
    warnings = page.locator("#pane-panel .warnings")
    expect(warnings).to_have_text(in_order("1-4", "1-5"))
    expect(row(page, "1-5").locator(".mark.bad")).to_be_visible()
    expect(row(page, "1-4").locator(".mark.mine")).to_be_visible()
    saved(page)
    assert latest(server, "screen-3", "region", "1-4")["document"]["box"]["xyxy"][2] == 1130

    left.fill("1300")
    left.press("Enter")
    expect(page.locator("#pane-panel [role=alert]")).not_to_be_empty()
    expect(left).to_have_attribute("aria-invalid", "true")
    left.press("Escape")
    expect(left).to_have_value("855")
    expect(left).to_have_attribute("aria-invalid", "false")

    page.locator("#pane-panel details.history summary").click()
    versions = page.locator(".versions > li")
    expect(versions.first).to_have_attribute("data-version", "2")
    expect(versions.first).to_contain_text(in_order(275, 796, 855, 2))
    first = page.locator(".versions > [data-kind=region][data-version='1']")
    action(first, "compare").click()
    expect(action(first, "compare")).to_have_attribute("aria-pressed", "true")
    action(first, "restore").click()
    expect(right).to_have_value("1064")
    expect(versions.first).to_have_attribute("data-version", "3")
    found = latest(server, "screen-3", "region", "1-4")
    assert (found["version"], found["document"]["box"]["xyxy"][2]) == (3, 1064)

    somebody.context.route("**/api/strokes", lambda route: route.abort())
    right.fill("3000")  # nothing that could be kept
    right.fill("1060")
    kept(page, 1060)
    right.fill("1050")
    kept(page, 1050)
    page.reload()
    expect(right).to_have_value("1050")
    somebody.context.unroute("**/api/strokes")
    saved(page)
    kept_version = latest(server, "screen-3", "region", "1-4")
    assert kept_version["document"]["box"]["xyxy"][2] == 1050
    right.fill("1040")
    right.press("Escape")
    expect(right).to_have_value("1050")
    right.fill("1130")
    right.press("Enter")
    action(warnings, "select 1-5").click()
    expect(page.locator("#pane-panel .named")).to_have_text("1-5")
    saved(page)
    assert latest(server, "screen-3", "region", "1-4")["version"] == kept_version["version"] + 1


def kept(page: Page, right: int) -> None:
    """Wait until the box of a stroke is on this computer."""
    page.evaluate(
        """async (right) => {
          const { store } = await import("/static/js/work/store.js");
          const end = Date.now() + 10000;
          const there = (stroke) => stroke.edits.some((edit) => edit.set.box?.xyxy[2] === right);
          while (!(await store.strokes()).some(there)) if (Date.now() > end) throw new Error("it is not kept");
        }""",
        right,
    )


def test_what_is_typed_or_dragged_while_another_image_opens_stays_out_of_it(opened: Open, server: Server) -> None:
    page = opened("screen-5", "1-0")
    before = [edge(page, name).input_value() for name in ("left", "top", "right", "bottom")]
    edge(page, "right").fill("0")  # no box
    with while_loading(page, "**/api/screen?screen=screen-6", page.locator("[data-screen=screen-6]").click):
        row(page, "1-2").hover()
        page.mouse.down()
        row(page, "1-1").hover()
        expect(row(page, "1-1")).to_have_class(re.compile("drop"))
    comes(page, lambda: "screen=screen-6" in page.url)
    page.mouse.up()
    row(page, "1-0").click()
    expect(edge(page, "right")).to_have_value(before[2])
    edge(page, "bottom").fill("200")
    edge(page, "bottom").press("Enter")
    edge(page, "right").fill("0")
    row(page, "1-1").click()  # another region of the same image
    expect(edge(page, "right")).not_to_have_value("0")
    saved(page)
    boxes = [latest(server, screen, "region", "1-0")["document"]["box"]["xyxy"] for screen in ("screen-5", "screen-6")]
    first = [int(one) for one in before]
    assert boxes == [first, [*first[:3], 200]]
    for screen, name in (("screen-5", "1-2"), ("screen-6", "1-2"), ("screen-6", "1-1")):
        assert latest(server, screen, "region", name)["version"] == 1, (screen, name)


def test_types_texts_and_notes_are_written_and_survive_the_page(opened: Open, server: Server) -> None:
    page = opened("screen-4", "1-1")
    expect(field(page, "type")).to_have_value(re.compile(".+"))
    expect(field(page, "proposed-type")).to_contain_text("messages area")
    field(page, "type").select_option("Search Region")
    expect(row(page, "1-1")).to_contain_text("Search Region")
    saved(page)
    assert latest(server, "screen-4", "type", "1-1")["document"]["type"] == "Search Region"
    page.keyboard.press("Escape")
    row(page, "1-1").click()
    page.keyboard.press("t")
    field(page, "type").select_option("Other")
    page.keyboard.type("Seat map")
    expect(page).to_have_url(re.compile("region=1-1"))  # it follows a moment later
    page.reload()
    expect(field(page, "subtype")).to_have_value("Seat map")
    expect(field(page, "type")).to_have_value("Other")
    field(page, "subtype").press("Enter")
    expect(row(page, "1-1")).to_contain_text("Seat map")

    row(page, "1-2").click()
    page.keyboard.press("e")
    expect(field(page, "functionality")).to_be_focused()
    field(page, "functionality").fill("Lets people pay")
    field(page, "functionality").press("Control+Enter")
    expect(page.locator("[data-before=functionality]")).to_be_visible()
    field(page, "description").fill("A wide card")
    expect(field(page, "text-state")).to_have_attribute("data-unsaved", "true")
    expect(page).to_have_url(re.compile("region=1-2"))
    page.reload()
    expect(field(page, "description")).to_have_value("A wide card")
    field(page, "description").focus()
    page.locator("#find-region").focus()
    saved(page)
    value = latest(server, "screen-4", "type", "1-1")["document"]
    assert (value["type"], value["subtype"]) == ("Other", "Seat map")
    text = latest(server, "screen-4", "retelling", "1-2")["document"]
    assert (text["functionality"], text["description"]) == ("Lets people pay", "A wide card")
    assert text["box"] == latest(server, "screen-4", "region", "1-2")["document"]["box"]

    edge(page, "top").fill("20")
    edge(page, "top").press("Enter")
    saved(page)
    text = latest(server, "screen-4", "retelling", "1-2")["document"]  # what a person wrote goes with the box
    assert (text["functionality"], text["box"]["xyxy"][1]) == ("Lets people pay", 20)
    due(page, 0)

    row(page, "1-4").click()
    before = latest(server, "screen-4", "retelling", "1-4")["document"]["functionality"]
    edge(page, "top").fill("20")
    edge(page, "top").press("Enter")
    expect(field(page, "earlier-text")).to_contain_text(before)
    due(page, 1)
    expect(action(page.locator(".retelling"), "select 1-4")).to_be_visible()
    action(page, "use-text").click()
    due(page, 0)
    saved(page)
    text = latest(server, "screen-4", "retelling", "1-4")["document"]
    assert (text["functionality"], text["box"]["xyxy"][1]) == (before, 20)

    turn_to(page, "screen-5")
    note = field(page, "note")
    unsaved = page.locator("#pane-panel [data-unsaved=true]")
    note.fill("The lower half is a picture")
    expect(page).to_have_url(re.compile("screen=screen-5$"))  # it follows a moment later
    page.reload()
    expect(note).to_have_value("The lower half is a picture")
    note.fill("The lower half is an advert")
    expect(unsaved).not_to_be_empty()
    note.press("Control+Enter")
    expect(unsaved).to_have_count(0)
    saved(page)
    assert latest(server, "screen-5", "reviewed", "")["document"]["note"] == "The lower half is an advert"


def test_two_people_on_one_image_see_each_other_and_what_they_do(browser: Browser, tmp_path: Path) -> None:
    project = make_project(tmp_path / "team", screens=2, regions=6)
    with serving(project, "--sign-in") as server, open_project(project) as known:
        ana, ben = (browser.new_context(viewport={"width": 1440, "height": 900}) for _ in range(2))
        wrong = [faults(ana), faults(ben)]
        mine, theirs = ana.new_page(), ben.new_page()
        for page, name in ((mine, "Ana"), (theirs, "Ben")):
            account(known, server.url, name, Role.ADMINISTRATOR).lend(page.context)
            visit(page, server, "screen-1", "1-1")
        expect(theirs.locator("#people")).to_contain_text("Ana")
        expect(mine.locator("#people")).to_contain_text("Ben")
        field(mine, "functionality").fill("Filters the list")
        field(mine, "functionality").press("Control+Enter")
        expect(field(theirs, "functionality")).to_have_value("Filters the list")

        field(theirs, "functionality").fill("Sorts the list")
        field(mine, "functionality").fill("Hides the list")
        field(mine, "functionality").press("Control+Enter")
        notice = theirs.locator("#pane-panel .notice:visible")
        expect(notice).to_contain_text("Hides the list")
        expect(notice.locator("bdi")).to_have_text("Ana")
        expect(field(theirs, "functionality")).to_have_value("Sorts the list")
        action(notice, "keep-mine").click()
        expect(field(mine, "functionality")).to_have_value("Sorts the list")
        expect(mine.locator("#pane-panel [aria-label] h3 .quiet").filter(has_text="Ben")).to_be_visible()

        for page in (mine, theirs):
            turn_to(page, "screen-2")
        field(theirs, "note").fill("Too dark")
        field(mine, "note").fill("Too bright")
        field(mine, "note").press("Control+Enter")
        saved(mine)
        expect(theirs.locator("#announcer")).not_to_be_empty()
        field(theirs, "note").press("Control+Enter")
        conflict = dialog(theirs, "changed")
        expect(conflict.locator("h2")).to_contain_text("Ana")
        expect(conflict).to_contain_text("Too bright")
        expect(conflict).to_contain_text("Too dark")
        action(conflict, "aside").click()
        expect(field(theirs, "note")).to_have_value("Too bright")
        assert wrong == [[], []]
        ana.close()
        ben.close()


def test_a_drawn_region_has_a_title_that_can_be_read(opened: Open) -> None:
    page = opened("screen-6")
    expect(row(page, "1-0")).to_be_visible()
    stage = page.locator("#stage").bounding_box()
    assert stage is not None
    x, y = stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2
    page.keyboard.press("n")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 40, steps=4)
    page.mouse.up()
    drawn = page.locator("#region-tree [data-name^='n-']")
    title = re.compile(r"^\w+ 1$")  # and not the name, which is a random one
    expect(drawn.locator(".name")).to_have_text(title)
    expect(page.locator("#pane-panel h2")).to_have_text(title)
    page.keyboard.press("x")
    expect(page.locator("#carrying b")).to_have_text(title)
    page.keyboard.press("Escape")
    field(page, "functionality").fill("Lets people pay")
    field(page, "description").fill("A wide card")
    field(page, "description").press("Control+Enter")
    expect(drawn.locator(".name")).to_have_text("A wide card")
    saved(page)


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[Server]:
    """A project in which something is wrong with each screen."""
    project = make_project(tmp_path / "odd", screens=3, regions=6)
    (project / "media" / "screen-1.png").unlink()
    with open_project(project) as there:
        gone = [
            one
            for one in there.ledger.documents.latest(scope="screen-2", kind=Kind.REGION)
            if one.subject != "screen-2/0-0"
        ]
        there.ledger.documents.write(
            [
                DocumentDraft(one.kind, one.subject, {**one.document, "gone": True}, "person:ana", one.scope)
                for one in gone
            ]
        )
        there.ledger.documents.write(
            [DocumentDraft(Kind.REGION, "screen-3/1-0", {"box": "broken"}, "test", "screen-3")]
        )
    with serving(project) as running:
        yield running


def test_what_is_missing_is_shown(opened: Open, odd: Server) -> None:
    page = opened("screen-9999", at=odd)

    def message(kind: str, *data: str) -> None:
        shown = page.locator(f"#message:visible[data-kind='{kind}']")
        expect(shown.locator("h3")).not_to_be_empty()
        for one in data:
            expect(shown).to_contain_text(one)

    message("unknown", "screen-9999")
    action(page, "open-first").click()
    message("no picture", "media/screen-1.png")
    expect(row(page, "1-0")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("#region-none code")).to_contain_text("affordance author divide")
    expect(page.locator("#message")).to_be_hidden()
    page.keyboard.press("j")
    message("unreadable", "screen-3")
    expect(action(page, "retry")).to_be_visible()
    expect(page.locator("#image-list [role=option]")).to_have_count(3)
