"""The page around the screen, as a person uses it: with mouse and keyboard, in a real browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from affordance.author.project import create_project, open_project
from affordance.author.records import Kind
from affordance.ledger import Draft
from studio_world import Server, comes, make_project, serving

Open = Callable[..., Page]

SCREENS = 14


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project = make_project(tmp_path_factory.mktemp("boxes") / "shop", screens=SCREENS, regions=12)
    with serving(project) as running:
        yield running


@pytest.fixture
def opened(context: BrowserContext, server: Server) -> Iterator[Open]:
    """Opens a screen; at the end no page may have thrown or broken its policy."""
    wrong: list[str] = []

    def open_screen(screen: str | None, region: str | None = None, at: Server = server, within: Any = context) -> Page:
        page: Page = within.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
        asked = {name: value for name, value in (("screen", screen), ("region", region)) if value}
        page.goto(f"{at.url}/boxes?{urlencode(asked)}")
        return page

    yield open_screen
    assert wrong == []


def row(page: Page, name: str) -> Locator:
    return page.locator(f"#region-tree [data-name='{name}']")


def names(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "#region-tree [data-name]", "rows => rows.map(one => one.dataset.name)"
    )
    return found


def saved(page: Page) -> None:
    expect(page.locator("#status .status:visible")).to_have_text("Saved")


def latest(server: Server, screen: str, kind: str, name: str) -> dict[str, Any]:
    versions = server.get("/api/history", screen=screen, kind=kind, name=name).json["versions"]
    found: dict[str, Any] = versions[-1]
    return found


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#pane-panel [data-field='{name}']")


def test_images_are_found_by_name_and_by_what_is_to_do(opened: Open) -> None:
    page = opened("screen-1")
    rows = page.locator("#image-list [role=option]")
    expect(rows).to_have_count(SCREENS)
    expect(page.locator("#overall")).to_have_text(re.compile(rf"\d+ of {SCREENS} done"))
    expect(page.locator("#image-list [aria-selected=true]")).to_contain_text("screen-1")

    page.keyboard.press("i")
    page.keyboard.type("een-14")
    expect(rows).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#screen-name")).to_have_text("screen-14")
    page.locator("#find-image").fill("nothing like it")
    expect(page.locator("#image-none")).to_have_text("No image has this in its name.")
    page.locator("#find-image").fill("")
    page.locator("#filter-image").select_option("aside")
    expect(page.locator("#image-none")).to_have_text("No image was put aside.")


def test_keys_go_from_image_to_image_and_mark_them_as_done(opened: Open, server: Server) -> None:
    page = opened("screen-10")
    expect(row(page, "1-0")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("#screen-name")).to_have_text("screen-11")
    page.keyboard.press("PageUp")
    expect(page.locator("#screen-name")).to_have_text("screen-10")
    expect(row(page, "1-0")).to_be_visible()

    page.keyboard.press("d")
    expect(page.locator("#screen-name")).to_have_text("screen-11")
    expect(page.locator("#image-list [data-screen='screen-10'] .chip")).to_have_text("done")
    expect(page.locator("#overall")).to_have_text(f"1 of {SCREENS} done")
    saved(page)
    assert latest(server, "screen-10", "reviewed", "")["document"]["done"] is True

    page.locator("#filter-image").select_option("done")
    expect(page.locator("#image-list [role=option]")).to_have_count(1)
    page.locator("#image-list [role=option]").click()
    expect(page.locator("[data-tool=done]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+D")
    expect(page.locator("#image-none")).to_contain_text("No image is marked as done yet")
    saved(page)
    assert latest(server, "screen-10", "reviewed", "")["document"]["done"] is False


def test_what_is_selected_is_the_same_everywhere(opened: Open) -> None:
    page = opened("screen-1", "1-2")
    expect(row(page, "1-2")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#pane-panel .named")).to_have_text("1-2")
    row(page, "2-3").click()
    expect(page.locator("#pane-panel .named")).to_have_text("2-3")
    expect(page).to_have_url(re.compile("region=2-3"))

    page.locator("#stage canvas.stage-boxes").first.click(position=at(page, 1100, 400))
    expect(row(page, "1-5")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#pane-panel .named")).to_have_text("1-5")
    expect(page).to_have_url(re.compile("region=1-5"))
    page.reload()
    expect(row(page, "1-5")).to_have_attribute("aria-selected", "true")


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


def test_the_tree_is_walked_by_keys(opened: Open) -> None:
    page = opened("screen-1", "1-0")
    expect(row(page, "1-0")).to_have_attribute("aria-selected", "true")
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
    expect(page.locator("#region-count")).to_have_text("1 of 12 regions")
    assert names(page) == ["0-0", "1-0", "2-4"]
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("data-name", "2-4")
    page.keyboard.press("Escape")
    expect(row(page, "1-5")).to_be_visible()


def test_the_image_that_is_named_is_marked_as_done_while_it_still_loads(opened: Open, server: Server) -> None:
    page = opened("screen-8")
    expect(row(page, "1-0")).to_be_visible()
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route(re.compile(r"/api/screen\?screen=screen-9$"), hold)
    page.keyboard.press("j")
    expect(page.locator("#screen-name")).to_have_text("screen-9")
    page.keyboard.press("d")
    comes(page, lambda: asked)
    asked[0].continue_()
    expect(page.locator("#image-list [data-screen='screen-9'] .chip")).to_have_text("done")
    saved(page)
    assert latest(server, "screen-9", "reviewed", "")["document"]["done"] is True
    assert server.get("/api/history", screen="screen-8", kind="reviewed", name="").json["versions"] == []


def test_regions_go_under_others_by_dragging_and_by_keys(opened: Open, server: Server) -> None:
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
    expect(page.locator(".carried")).to_have_text("2-2 is inside of 1-0")
    page.mouse.up()
    expect(page.locator(".carried")).to_have_count(0)

    page.keyboard.press("Control+z")
    expect(row(page, "2-1")).to_have_attribute("aria-level", "3")
    saved(page)
    assert latest(server, "screen-2", "region", "2-1")["document"]["parent"] == "1-0"

    row(page, "2-2").click()
    page.keyboard.press("x")
    expect(page.locator("#carrying")).to_contain_text("2-2 is taken up")
    row(page, "1-4").click()
    page.keyboard.press("v")
    expect(page.locator("#carrying")).to_be_hidden()
    saved(page)
    assert latest(server, "screen-2", "region", "2-2")["document"]["parent"] == "1-4"
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    saved(page)
    assert latest(server, "screen-2", "region", "2-2")["document"]["parent"] == "1-4"


def test_a_box_is_typed_in_and_what_it_does_wrong_is_told(opened: Open, server: Server) -> None:
    page = opened("screen-3", "1-4")
    left, right = page.locator("[data-edge=left]"), page.locator("[data-edge=right]")
    expect(right).to_have_value("1064")
    right.fill("1130")
    right.press("Enter")
    expect(page.locator("#pane-panel .warnings")).to_contain_text("1-4 and 1-5 overlap by")
    expect(row(page, "1-5").locator(".mark.bad")).to_have_text("!")
    expect(row(page, "1-4").locator(".mark.mine")).to_have_text("•")
    saved(page)
    assert latest(server, "screen-3", "region", "1-4")["document"]["box"]["xyxy"][2] == 1130

    left.fill("1300")
    left.press("Enter")
    expect(page.locator("#pane-panel [role=alert]")).to_have_text(re.compile("Expected Right and Bottom"))
    left.press("Escape")
    expect(left).not_to_have_value("1300")
    page.locator("#pane-panel .warnings button", has_text="1-5").click()
    expect(page.locator("#pane-panel .named")).to_have_text("1-5")


def test_the_type_is_chosen_or_written(opened: Open, server: Server) -> None:
    page = opened("screen-4", "1-1")
    expect(field(page, "type")).to_have_value(re.compile(".+"))
    expect(page.locator("#pane-panel")).to_contain_text("As proposed: messages area")
    field(page, "type").select_option("Search Region")
    expect(row(page, "1-1")).to_contain_text("Search Region")
    saved(page)
    assert latest(server, "screen-4", "type", "1-1")["document"]["type"] == "Search Region"

    page.keyboard.press("Escape")
    row(page, "1-1").click()
    page.keyboard.press("t")
    field(page, "type").select_option("Other")
    page.keyboard.type("Seat map")
    page.keyboard.press("Tab")
    expect(row(page, "1-1")).to_contain_text("Seat map")
    saved(page)
    said = latest(server, "screen-4", "type", "1-1")["document"]
    assert (said["type"], said["subtype"]) == ("Other", "Seat map")


def test_texts_are_written_kept_and_used_again(opened: Open, server: Server) -> None:
    page = opened("screen-5", "1-2")
    expect(row(page, "1-2")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("e")
    expect(field(page, "functionality")).to_be_focused()
    field(page, "functionality").fill("Lets people pay")
    field(page, "functionality").press("Control+Enter")
    expect(page.locator("#pane-panel .said", has_text="Before:").first).to_be_visible()
    saved(page)
    told = latest(server, "screen-5", "retelling", "1-2")["document"]
    assert told["functionality"] == "Lets people pay"
    assert told["box"] == latest(server, "screen-5", "region", "1-2")["document"]["box"]

    field(page, "description").fill("A wide card")
    page.reload()
    expect(field(page, "description")).to_have_value("A wide card")
    field(page, "description").focus()
    page.locator("#find-region").focus()
    saved(page)
    assert latest(server, "screen-5", "retelling", "1-2")["document"]["description"] == "A wide card"

    page.locator("[data-edge=top]").fill("20")
    page.locator("[data-edge=top]").press("Enter")
    saved(page)
    told = latest(server, "screen-5", "retelling", "1-2")["document"]  # what a person wrote goes with the box
    assert (told["functionality"], told["box"]["xyxy"][1]) == ("Lets people pay", 20)
    expect(page.locator("#pane-panel .retelling")).to_contain_text("Every corrected region has a text")


def test_a_text_of_an_earlier_box_can_be_used_again(opened: Open, server: Server) -> None:
    page = opened("screen-13", "1-2")
    before = latest(server, "screen-13", "retelling", "1-2")["document"]["functionality"]
    page.locator("[data-edge=top]").fill("20")
    page.locator("[data-edge=top]").press("Enter")
    expect(page.locator("#pane-panel")).to_contain_text("Told of an earlier box")
    expect(page.locator("#pane-panel .retelling")).to_contain_text("1 corrected region has no text of the new box: 1-2")
    page.get_by_role("button", name="Use this text").click()
    saved(page)
    told = latest(server, "screen-13", "retelling", "1-2")["document"]
    assert (told["functionality"], told["box"]["xyxy"][1]) == (before, 20)
    expect(page.locator("#pane-panel .retelling")).to_contain_text("Every corrected region has a text")


def test_numbers_of_a_box_are_safe_as_soon_as_they_are_typed(
    opened: Open, server: Server, context: BrowserContext
) -> None:
    page = opened("screen-12", "1-4")
    context.route("**/api/strokes", lambda route: route.abort())
    right = page.locator("[data-edge=right]")
    expect(right).to_have_value("1064")
    right.fill("3000")  # nothing that could be kept
    right.fill("1060")
    kept(page, 1060)
    right.fill("1050")
    kept(page, 1050)
    page.reload()
    expect(right).to_have_value("1050")
    context.unroute("**/api/strokes")
    saved(page)
    assert latest(server, "screen-12", "region", "1-4")["document"]["box"]["xyxy"][2] == 1050

    right.fill("1040")
    right.press("Escape")
    expect(right).to_have_value("1050")
    saved(page)
    assert latest(server, "screen-12", "region", "1-4")["document"]["box"]["xyxy"][2] == 1050


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


def test_what_is_typed_survives_the_page(opened: Open, server: Server) -> None:
    page = opened("screen-12")
    field(page, "note").fill("The lower half is a picture")
    page.reload()
    expect(field(page, "note")).to_have_value("The lower half is a picture")
    field(page, "note").fill("The lower half is an advert")
    expect(page.locator("#pane-panel")).to_contain_text("Not saved yet")
    field(page, "note").press("Control+Enter")
    expect(page.locator("#pane-panel")).not_to_contain_text("Not saved yet")
    saved(page)
    assert latest(server, "screen-12", "reviewed", "")["document"]["note"] == "The lower half is an advert"

    row(page, "1-1").click()
    page.keyboard.press("t")
    field(page, "type").select_option("Other")
    page.keyboard.type("Seat map")
    page.reload()
    expect(field(page, "subtype")).to_have_value("Seat map")
    expect(field(page, "type")).to_have_value("Other")
    field(page, "subtype").press("Enter")
    expect(row(page, "1-1")).to_contain_text("Seat map")
    saved(page)
    said = latest(server, "screen-12", "type", "1-1")["document"]
    assert (said["type"], said["subtype"]) == ("Other", "Seat map")


def test_every_version_can_be_seen_and_restored(opened: Open, server: Server) -> None:
    page = opened("screen-6", "1-3")
    page.locator("[data-edge=left]").fill("700")
    page.locator("[data-edge=left]").press("Enter")
    saved(page)
    page.locator("#pane-panel summary", has_text="History").click()
    versions = page.locator(".versions > li")
    expect(versions.first).to_contain_text("Region 2")
    expect(versions.first).to_contain_text("at 700, 2")
    compare = page.locator(".versions > li", has_text="Region 1").get_by_role("button", name="Compare")
    compare.click()
    expect(compare).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Restore version 1 of the region").click()
    expect(page.locator("[data-edge=left]")).to_have_value("642")
    saved(page)
    found = latest(server, "screen-6", "region", "1-3")
    assert (found["version"], found["document"]["box"]["xyxy"][0]) == (3, 642)
    expect(versions.first).to_contain_text("Region 3")


def test_the_worst_come_first(opened: Open, server: Server) -> None:
    page = opened("screen-1")
    expect(row(page, "1-0")).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator("#worst")).to_have_attribute("aria-pressed", "true")
    regions = [one for one in server.get("/api/screen", screen="screen-1").json["documents"] if one["kind"] == "region"]
    scores = {one["name"]: one["document"].get("scores") for one in regions}
    keys = [(scores[name]["completeness"], scores[name]["bounded"]) for name in names(page)]
    assert len(keys) == 12
    assert keys == sorted(keys)
    page.keyboard.press("w")
    assert names(page)[:2] == ["0-0", "1-0"]


def test_what_was_deleted_comes_back(opened: Open, server: Server) -> None:
    page = opened("screen-7", "2-5")
    row(page, "2-5").click()
    page.keyboard.press("Delete")
    expect(row(page, "2-5")).to_have_count(0)
    expect(row(page, "1-0")).to_have_attribute("aria-selected", "true")
    saved(page)
    assert latest(server, "screen-7", "region", "2-5")["document"]["gone"] is True
    page.locator("#deleted summary").click()
    page.get_by_role("button", name="Bring 2-5 back").click()
    expect(row(page, "2-5")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#deleted")).to_be_hidden()


def test_the_focus_stays_with_what_it_was_on_while_others_delete(opened: Open, server: Server) -> None:
    page = opened("screen-3")

    def deleted(name: str, count: str) -> None:
        with open_project(server.project) as project:
            (found,) = project.ledger.documents_of([(Kind.REGION, f"screen-3/{name}")])
            gone = {**found.document, "gone": True}
            project.ledger.revise([Draft(Kind.REGION, found.subject, gone, "person:Ben", "screen-3")])
        expect(page.locator("#deleted summary")).to_have_text(count)

    deleted("2-3", "1 deleted region")
    page.locator("#deleted summary").click()
    page.get_by_role("button", name="Bring 2-3 back").focus()
    deleted("2-1", "2 deleted regions")
    expect(page.get_by_role("button", name="Bring 2-1 back")).to_be_visible()
    expect(page.get_by_role("button", name="Bring 2-3 back")).to_be_focused()


@pytest.fixture
def team(browser: Browser, tmp_path: Path) -> Iterator[tuple[Server, BrowserContext, BrowserContext]]:
    """A studio with sign-in, and the browsers of Ana and Ben."""
    with serving(make_project(tmp_path / "team", screens=1, regions=6), "--sign-in") as running:
        ana, ben = (browser.new_context(viewport={"width": 1440, "height": 900}) for _ in range(2))
        page = ana.new_page()
        join(page, running.link, "Ana")
        page.goto(f"{running.url}/people")
        page.get_by_role("button", name="Make a link").click()
        link = page.get_by_label("The link", exact=True).input_value()
        page.close()
        join(ben.new_page(), link, "Ben")
        yield running, ana, ben
        ana.close()
        ben.close()


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Name").fill(name)
    page.get_by_label("New password").fill("a long password of one")
    page.get_by_label("The same again").fill("a long password of one")
    with page.expect_navigation():
        page.get_by_role("button", name="Join").click()


def test_two_people_on_one_image_see_each_other_and_what_they_do(
    opened: Open, team: tuple[Server, BrowserContext, BrowserContext]
) -> None:
    server, ana, ben = team
    mine = opened("screen-1", "1-1", server, ana)
    theirs = opened("screen-1", "1-1", server, ben)
    expect(theirs.locator("#people")).to_have_text("Ana is here too")
    expect(mine.locator("#people")).to_have_text("Ben is here too")
    field(mine, "functionality").fill("Filters the list")
    field(mine, "functionality").press("Control+Enter")
    expect(field(theirs, "functionality")).to_have_value("Filters the list")

    field(theirs, "functionality").fill("Sorts the list")
    field(mine, "functionality").fill("Hides the list")
    field(mine, "functionality").press("Control+Enter")
    notice = theirs.locator("#pane-panel .notice", has_text="Ana changed this text while you were writing.")
    expect(notice).to_contain_text("Hides the list")
    expect(field(theirs, "functionality")).to_have_value("Sorts the list")
    theirs.get_by_role("button", name="Keep mine").click()
    expect(field(mine, "functionality")).to_have_value("Sorts the list")
    expect(mine.locator("#pane-panel")).to_contain_text("by Ben")

    for page in (mine, theirs):
        page.goto(f"{server.url}/boxes?screen=screen-1")
    field(theirs, "note").fill("Too dark")
    field(mine, "note").fill("Too bright")
    field(mine, "note").press("Control+Enter")
    saved(mine)
    expect(theirs.locator("#announcer")).to_have_text("Somebody else has changed this image.")
    field(theirs, "note").press("Control+Enter")
    dialog = theirs.get_by_role("dialog")
    expect(dialog.get_by_role("heading", level=2)).to_contain_text("Ana changed the state of the screen at ")
    expect(dialog).to_contain_text("Too bright")
    expect(dialog).to_contain_text("Too dark")
    dialog.get_by_role("button", name="Keep theirs").click()
    expect(field(theirs, "note")).to_have_value("Too bright")


def test_everything_is_reached_by_keys(opened: Open) -> None:
    page = opened("screen-9")
    expect(row(page, "1-0")).to_be_visible()
    inside = "pane => document.getElementById(pane).contains(document.activeElement)"
    for pane in ("pane-images", "pane-tree", "pane-stage", "pane-panel", "pane-images"):
        page.keyboard.press("F6")
        assert page.evaluate(inside, pane), pane
    page.keyboard.press("Shift+F6")
    assert page.evaluate(inside, "pane-panel")

    splitter = page.get_by_role("separator", name="Width of the images")
    splitter.focus()
    before = page.locator("#pane-images").bounding_box()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    after = page.locator("#pane-images").bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == before["width"] + 32
    page.reload()
    expect(splitter).to_have_attribute("aria-valuenow", str(int(after["width"])))

    expect(row(page, "1-0")).to_be_visible()
    page.keyboard.press("?")
    overlay = page.get_by_role("dialog", name="Keys")
    for words in ("Next image", "Draw a box", "Worst score first", "Next pane", "Undo"):
        expect(overlay).to_contain_text(words)


def test_a_narrow_window_has_tabs_and_cuts_nothing_off(opened: Open, context: BrowserContext) -> None:
    page = opened("screen-9", "1-2")
    page.set_viewport_size({"width": 720, "height": 450})
    for tab, pane in (("Images", "images"), ("Regions", "tree"), ("Details", "panel"), ("Screen", "stage")):
        page.get_by_role("tab", name=tab).click()
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
    page.get_by_role("tab", name="Screen").focus()
    page.keyboard.press("Home")
    expect(page.locator("#pane-images")).to_be_visible()
    page.locator("#image-list [role=option]").first.click()
    expect(page.locator("#pane-stage")).to_be_visible()


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A project in which something is wrong with each screen."""
    project = make_project(tmp_path_factory.mktemp("odd") / "odd", screens=3, regions=6)
    (project / "media" / "screen-1.png").unlink()
    with open_project(project) as there:
        gone = [
            one for one in there.ledger.documents(screen="screen-2", kind=Kind.REGION) if one.subject != "screen-2/0-0"
        ]
        there.ledger.revise(
            [Draft(one.kind, one.subject, {**one.document, "gone": True}, "person:ana", one.screen) for one in gone]
        )
        there.ledger.revise([Draft(Kind.REGION, "screen-3/1-0", {"box": "broken"}, "test", "screen-3")])
    with serving(project) as running:
        yield running


def test_a_region_that_somebody_drew_has_a_title_that_can_be_read(opened: Open) -> None:
    page = opened("screen-14")
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
    expect(drawn.locator(".name")).to_have_text("Region 1")
    expect(page.locator("#pane-panel h2")).to_have_text("Region 1")
    page.keyboard.press("x")
    expect(page.locator("#carrying")).to_contain_text("Region 1 is taken up.")
    page.keyboard.press("Escape")
    field(page, "functionality").fill("Lets people pay")
    field(page, "description").fill("A wide card")
    field(page, "description").press("Control+Enter")
    expect(drawn.locator(".name")).to_have_text("A wide card")
    saved(page)


def test_what_is_missing_is_told(opened: Open, odd: Server) -> None:
    message = "#message"
    page = opened("screen-9999", at=odd)
    expect(page.locator(message)).to_contain_text("There is no such image.")
    page.get_by_role("button", name="Open screen-1").click()
    expect(page.locator(message)).to_contain_text("The picture is missing.")
    expect(row(page, "1-0")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("#region-none")).to_contain_text("No regions yet.")
    expect(page.locator(message)).to_be_hidden()
    page.keyboard.press("j")
    expect(page.locator(message)).to_contain_text("screen-3 cannot be shown.")
    expect(page.locator("#image-list [role=option]")).to_have_count(3)


def test_a_project_without_images_says_what_to_do(opened: Open, tmp_path: Path) -> None:
    create_project(tmp_path / "new")
    with serving(tmp_path / "new") as running:
        page = opened(None, at=running)
        expect(page.locator("#message")).to_contain_text("There are no images yet.")
        expect(page.locator("#message")).to_contain_text("affordance author init PROJECT IMAGES...")
