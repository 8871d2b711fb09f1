"""The screenshot with its boxes, used by mouse and keyboard in a real browser. What comes of it is read in the
project."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from affordance.author.project import is_person, open_project
from affordance.author.records import ROOT, Kind, Region
from affordance.ledger import DocumentRevision
from studio_world import Server, comes, faults, in_order, make_project, saved, serving

Xyxy = tuple[float, float, float, float]
SCREENS = 8
# Whether both pictures are as large, at the same height, and apart by the width of a pane.
SIDES = """() => {
  const [left, right] = [...document.querySelectorAll(".stage-picture")].map((one) => one.getBoundingClientRect());
  const pane = document.querySelector(".stage-pane").getBoundingClientRect().width;
  return left.width === right.width && left.y === right.y && Math.abs(right.x - left.x - pane) < 3;
}"""
# Resolved when a stroke with this left edge is on this computer.
KEPT = """async (left) => {
  const { store } = await import("/static/js/work/store.js");
  const end = Date.now() + 10000;
  const there = (stroke) => stroke.edits[0].set.box.xyxy[0] === left;
  while (!(await store.strokes()).some(there)) if (Date.now() > end) throw new Error("it is not kept");
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("canvas") / "shop"
    with serving(make_project(folder, screens=SCREENS)) as found:
        yield found


@dataclass
class Desk:
    """A person at a screen that nobody else works on. Points and boxes are in pixels of the screen."""

    page: Page
    folder: Path
    screen: str

    @property
    def canvas(self) -> Locator:
        return self.page.get_by_role("application")

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the screen is in the window."""
        found = self.page.locator(".stage-picture").last.bounding_box()
        assert found is not None
        return found["x"] + x * found["width"] / 1280, found["y"] + y * found["height"] / 800

    def scale(self) -> float:
        return (self.at(1000, 0)[0] - self.at(0, 0)[0]) / 1000

    def click(self, x: float, y: float) -> None:
        self.page.mouse.click(*self.at(x, y))

    def press(self, x: float, y: float, *path: tuple[float, float]) -> None:
        """The button goes down at a point, and the pointer along a path."""
        self.page.mouse.move(*self.at(x, y))
        self.page.mouse.down()
        for point in path:
            self.page.mouse.move(*self.at(*point), steps=4)

    def drag(self, x: float, y: float, *path: tuple[float, float]) -> None:
        self.press(x, y, *path)
        self.page.mouse.up()

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def select(self, name: str, x: float, y: float) -> None:
        self.click(x, y)
        self.selects(name)

    def selects(self, name: str | None) -> None:
        """As the address of the page has it, which comes a moment later."""
        address = "new URLSearchParams(location.search).get('region')"
        comes(self.page, lambda: bool(self.page.evaluate(address) == name))

    def without_snapping(self) -> None:
        self.snap(False)
        self.canvas.focus()

    def snap(self, on: bool) -> None:
        button = self.page.locator("[data-tool=snap]")
        if button.get_attribute("aria-pressed") != str(on).lower():
            button.click()
        expect(button).to_have_attribute("aria-pressed", str(on).lower())

    def note(self, kind: str) -> None:
        """What is said below the boxes."""
        expect(self.page.locator(f".stage-note:visible[data-kind='{kind}']")).not_to_be_empty()

    def regions(self) -> dict[str, DocumentRevision]:
        """As they are in the project, gone ones too."""
        with open_project(self.folder, read_only=True) as project:
            found = project.ledger.documents.latest(scope=self.screen, kind=Kind.REGION)
        return {one.subject.partition("/")[2]: one for one in found}

    def by_people(self) -> dict[str, DocumentRevision]:
        return {name: one for name, one in self.regions().items() if is_person(one.author)}

    def until(self, there: Callable[[dict[str, DocumentRevision]], bool]) -> dict[str, DocumentRevision]:
        """What people have written, as soon as it is what is waited for."""
        found: dict[str, DocumentRevision] = {}

        def holds() -> bool:
            found.clear()
            found.update(self.by_people())
            return there(found)

        comes(self.page, holds)
        return found

    def drawn(self, *before: str) -> tuple[str, DocumentRevision]:
        """The one region that was drawn, after those before."""
        found = self.until(lambda regions: any(name.startswith("n-") for name in regions.keys() - set(before)))
        (name,) = [name for name in found if name.startswith("n-") and name not in before]
        return name, found[name]

    def saved(self) -> None:
        saved(self.page)


@dataclass
class Room:
    """One page for all tests, each on a screen of its own: to load it takes longer than most of them. After a failure
    it is loaded again."""

    server: Server
    context: BrowserContext
    wrong: list[str]
    page: Page | None = None
    number: int = 0
    failed: int = 0

    def next_screen(self, failed: int) -> Desk:
        self.number += 1
        screen = f"screen-{self.number}"
        if self.page is None or self.page.is_closed() or failed != self.failed:
            self.failed = failed
            if self.page is not None:
                self.page.close()
            self.page = self.context.new_page()
            self.page.goto(f"{self.server.url}/boxes?screen={screen}")
        else:
            saved(self.page)  # what the test before has done
            self.page.mouse.move(0, 0)
            self.page.keyboard.press("Escape")
            self.page.locator("#find-image").fill(screen)
            self.page.locator("#find-image").press("Enter")
        desk = Desk(self.page, self.server.project, screen)
        ready(desk)
        desk.keys("0")
        desk.snap(True)
        desk.canvas.focus()
        return desk


@pytest.fixture(scope="module")
def room(server: Server, browser: Browser) -> Iterator[Room]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield Room(server, context, faults(context))
    context.close()


@pytest.fixture
def desk(room: Room, request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield room.next_screen(request.session.testsfailed)
    assert room.wrong == []


def ready(desk: Desk) -> None:
    # The address names the screen once it is shown, its title as soon as it is asked for.
    comes(desk.page, lambda: desk.page.evaluate("new URLSearchParams(location.search).get('screen')") == desk.screen)
    expect(desk.page.locator("#region-tree [role=treeitem]").first).to_be_visible()
    expect(desk.canvas).to_be_visible()
    picture = "document.querySelector('.stage-picture')"
    comes(desk.page, lambda: desk.page.evaluate(f"{picture}?.naturalWidth > 0 && {picture}.style.transform !== ''"))


def corners(revision: DocumentRevision) -> Xyxy:
    return cast(Xyxy, tuple(Region.model_validate(dict(revision.document)).box.xyxy))


def close(found: Sequence[float], wanted: Sequence[float], by: float = 2) -> bool:
    """A pixel of the window is about two of the screen."""
    return all(abs(one - other) <= by for one, other in zip(found, wanted, strict=True))


def test_boxes_are_drawn_by_keys_by_a_drag_and_by_two_clicks(desk: Desk) -> None:
    desk.canvas.focus()
    desk.keys("c", "]", "n")  # from the first region to the second; the crosshair begins at its corner
    desk.selects("1-1")
    x1, y1, _, _ = corners(desk.regions()["1-1"])
    desk.keys("Shift+ArrowRight", "Shift+ArrowDown", "ArrowDown", "Enter")
    desk.keys(*["Shift+ArrowRight"] * 5, *["Shift+ArrowDown"] * 3, "ArrowLeft", "Enter")
    by_keys, region = desk.drawn()
    assert corners(region) == (x1 + 10, y1 + 11, x1 + 59, y1 + 41)
    assert region.document["parent"] == "1-1"
    desk.selects(by_keys)
    expect(desk.page.locator("#announcer")).to_have_text(in_order(49, 30, 225, 13, "1-1"))

    # A drag draws one in the smallest region around it, and undo takes it back.
    desk.without_snapping()
    desk.keys("n")
    desk.drag(680, 100, (800, 300))
    name, region = desk.drawn(by_keys)
    assert close(corners(region), (680, 100, 800, 300))
    assert all(value == int(value) for value in corners(region))
    assert region.document["parent"] == "1-3"
    desk.selects(name)
    desk.keys("Control+z")
    desk.until(lambda found: found[name].document.get("gone") is True)
    desk.keys("Control+Shift+z")
    desk.until(lambda found: found[name].document.get("gone") is False)

    # One over several regions is in the screen itself, and one in the selected region in that.
    desk.keys("n")
    desk.drag(600, 100, (900, 300))
    outer, region = desk.drawn(by_keys, name)
    assert region.document["parent"] == ROOT
    desk.keys("n")
    desk.drag(680, 120, (800, 200))  # inside of the one that was drawn, and of 1-3, which is larger
    inner, region = desk.drawn(by_keys, name, outer)
    assert region.document["parent"] == outer

    # Two clicks are two corners, and too small a box is not taken.
    desk.keys("n")
    desk.click(700, 500)
    desk.click(700, 500)
    desk.note("too-small")
    desk.page.mouse.move(*desk.at(760, 560))
    desk.click(760, 560)
    _, region = desk.drawn(by_keys, name, outer, inner)
    assert close(corners(region), (700, 500, 760, 560))

    # The magnifier is there while an edge is dragged, and always when it is on.
    loupe = desk.page.locator(".stage-loupe")
    desk.keys("n")
    desk.press(700, 300, (760, 360))
    expect(loupe).to_be_visible()
    desk.keys("Escape")
    desk.page.mouse.up()
    expect(loupe).to_be_hidden()
    desk.keys("z")
    desk.page.mouse.move(*desk.at(500, 300))
    expect(loupe).to_be_visible()
    desk.keys("z")
    expect(loupe).to_be_hidden()


def test_only_the_selected_region_is_moved_and_escape_stops_it(desk: Desk) -> None:
    desk.without_snapping()
    before = corners(desk.regions()["1-3"])
    corner = desk.at(0, 0)
    desk.drag(700, 400, (600, 380))  # nothing is selected: the view moves
    moved = desk.at(0, 0)
    assert abs(moved[0] - corner[0] + 100 * desk.scale()) < 2
    assert desk.by_people() == {}

    # Warnings come while it is dragged, and go with it.
    desk.select("1-3", 700, 400)
    panel = desk.page.locator("#pane-panel .warnings")
    desk.press(700, 400, (600, 400))
    expect(panel).to_have_text(in_order("1-2", "1-3"))
    desk.keys("Escape")
    desk.page.mouse.up()
    expect(panel).not_to_contain_text("1-2")

    # Escape stops drawing, too.
    desk.keys("n")
    desk.press(680, 100, (800, 300))
    desk.keys("Escape")
    desk.page.mouse.up()
    desk.keys("ArrowLeft")  # this one is saved: nothing came before it
    found = desk.until(lambda regions: len(regions) == 1)
    left, top, right, bottom = before
    assert corners(found["1-3"]) == (left - 1, top, right - 1, bottom)
    assert found["1-3"].version == 2

    desk.drag(700, 400, (680, 400), (650, 400))
    found = desk.until(lambda regions: regions["1-3"].version == 3)
    assert close(corners(found["1-3"]), (left - 51, top, right - 51, bottom))
    assert set(found) == {"1-3"}


def test_boxes_are_resized_moved_with_what_is_inside_and_nudged(desk: Desk, room: Room) -> None:
    desk.without_snapping()
    before = {name: corners(one) for name, one in desk.regions().items()}
    # Handles resize within the screen, and not below two pixels.
    desk.select("1-5", 1200, 400)
    x1, y1, x2, y2 = before["1-5"]
    desk.drag(x1, y2, (x1 + 60, y2 - 200))  # its lower left corner
    found = desk.until(lambda regions: "1-5" in regions)
    assert close(corners(found["1-5"]), (x1 + 60, y1, x2, y2 - 200))
    desk.drag(x2, (y1 + y2 - 200) / 2, (x2 + 40, 300))  # its right edge, over the screen's
    found = desk.until(lambda regions: regions["1-5"].version == 3)
    assert corners(found["1-5"])[2] == 1280
    desk.drag(1280, (y1 + y2 - 200) / 2, (900, 300))  # and past its left one
    found = desk.until(lambda regions: regions["1-5"].version == 4)
    after = corners(found["1-5"])
    assert after[2] - after[0] == 2

    # With Shift, what is inside moves too, in one step.
    desk.click(100, 60)
    desk.click(100, 60)  # again: the region around it
    desk.selects("1-0")
    desk.page.keyboard.down("Shift")
    desk.drag(100, 60, (150, 60), (200, 60))
    desk.page.keyboard.up("Shift")
    found = desk.until(lambda regions: len(regions) == 8)
    moved = {"1-0", *(f"2-{number}" for number in range(6))}
    assert set(found) == {"1-5", *moved}
    for name in moved:
        x1, y1, x2, y2 = before[name]
        assert close(corners(found[name]), (x1 + 100, y1, x2 + 100, y2))
    desk.keys("Control+z")
    desk.until(lambda regions: all(corners(regions[name]) == before[name] for name in moved))

    # A burst of nudges is one step, and kept before it is sent.
    desk.select("1-3", 700, 400)
    x1, y1, x2, y2 = before["1-3"]
    room.context.route("**/api/strokes", lambda route: route.abort())
    desk.keys("ArrowRight", "ArrowRight", "Shift+ArrowLeft", "Alt+ArrowLeft", "Alt+Shift+ArrowDown")
    desk.page.evaluate(KEPT, x1 - 8)
    expect(desk.page.locator("#status [role=status]")).to_have_attribute("data-waiting", "1")
    assert "1-3" not in desk.by_people()
    room.context.unroute("**/api/strokes")
    found = desk.until(lambda regions: "1-3" in regions)
    assert corners(found["1-3"]) == (x1 - 8, y1 + 1, x2 - 9, y2)
    assert found["1-3"].version == 2
    desk.keys("ArrowRight", "Control+z")  # not saved yet: undo takes back just that
    found = desk.until(lambda regions: regions["1-3"].version == 4)
    assert corners(found["1-3"]) == (x1 - 8, y1 + 1, x2 - 9, y2)


def test_delete_takes_what_is_inside_with_it_unless_shift_is_held(desk: Desk) -> None:
    desk.click(100, 60)
    desk.keys("p")
    desk.selects("1-0")
    desk.keys("Shift+Delete")
    found = desk.until(lambda regions: len(regions) == 7)
    assert found["1-0"].document["gone"] is True
    assert {one.document["parent"] for name, one in found.items() if name != "1-0"} == {ROOT}
    desk.keys("Control+z")
    desk.until(lambda regions: regions["1-0"].document["gone"] is False)
    desk.saved()
    desk.click(100, 60)
    desk.keys("p", "Delete")
    found = desk.until(lambda regions: regions["1-0"].document["gone"] is True)
    assert not any(one.document.get("gone") for name, one in found.items() if name != "1-0")
    desk.keys("ArrowLeft")
    desk.selects(ROOT)  # which nobody can move or delete
    desk.keys("Delete")
    desk.saved()
    assert ROOT not in desk.by_people()


def test_edges_snap_to_known_elements_and_lines_of_the_picture_unless_alt_is_held(desk: Desk) -> None:
    x1, y1, x2, _ = corners(desk.regions()["1-3"])
    half = 400  # the element in it is its lower half
    desk.keys("n")
    desk.drag(x1 + 4, half + 5, (x1 + 60, 500), (x2 - 5, 600))
    name, region = desk.drawn()
    found = corners(region)
    assert (found[0], found[1], found[2]) == (x1, half, x2)
    assert abs(found[3] - 600) <= 10
    assert y1 == 2
    desk.keys("Delete")
    desk.until(lambda regions: regions[name].document.get("gone") is True)
    desk.keys("n")
    desk.page.keyboard.down("Alt")
    desk.drag(x1 + 4, half + 5, (x1 + 60, 500), (x2 - 5, 600))
    desk.page.keyboard.up("Alt")
    regions = desk.until(lambda regions: len(regions) == 2)
    ((other_name, other),) = [(one_name, one) for one_name, one in regions.items() if one_name != name]
    assert close(corners(other), (x1 + 4, half + 5, x2 - 5, 600))

    # And to a line of the picture: the border of a region that was deleted, nothing but the picture knows of it.
    for x in (750, 950):
        desk.click(x, 200)
        desk.keys("Delete")
    desk.until(lambda regions: {"1-3", "1-4"} <= set(regions))
    desk.keys("n")
    with desk.page.expect_response(lambda answer: re.search(r"/api/snap\?.*&x=8[45]\d&", answer.url) is not None):
        desk.press(700, 150, (800, 200), (849, 250))
    desk.page.mouse.move(*desk.at(848, 251))
    desk.page.mouse.up()
    _, region = desk.drawn(name, other_name)
    assert abs(corners(region)[2] - 851) <= 1


def test_a_reload_in_mid_draw_keeps_the_corner(desk: Desk) -> None:
    desk.without_snapping()
    desk.keys("n")
    desk.press(680, 100, (760, 260))
    desk.page.reload()
    ready(desk)
    desk.note("unfinished")
    desk.keys("Enter")
    desk.without_snapping()
    desk.page.mouse.move(*desk.at(800, 300))
    desk.click(800, 300)
    _, region = desk.drawn()
    assert close(corners(region), (680, 100, 800, 300))
    desk.page.mouse.up()
    desk.keys("n")
    desk.click(700, 400)
    desk.page.reload()
    ready(desk)
    desk.note("unfinished")
    desk.keys("Escape")
    expect(desk.page.locator(".stage-note")).to_be_hidden()
    desk.page.reload()
    ready(desk)
    expect(desk.page.locator(".stage-note")).to_be_hidden()
    assert len(desk.by_people()) == 1


def test_looking_around(desk: Desk) -> None:
    fitted = desk.scale()
    place = desk.at(700, 300)

    def shows(x: float, y: float, at: tuple[float, float]) -> None:
        comes(desk.page, lambda: close(desk.at(x, y), at))

    desk.page.mouse.move(*place)
    desk.page.keyboard.down("Control")
    desk.page.mouse.wheel(0, -300)
    desk.page.keyboard.up("Control")
    comes(desk.page, lambda: desk.scale() > 1.1 * fitted)
    shows(700, 300, place)  # what is under the pointer stays there
    desk.page.mouse.wheel(40, 30)
    shows(700, 300, (place[0] - 40, place[1] - 30))
    desk.canvas.focus()
    desk.keys("1")
    comes(desk.page, lambda: abs(desk.scale() - 1) < 0.01)
    before = desk.at(0, 0)
    desk.page.mouse.move(*place)
    desk.page.keyboard.down("Space")
    desk.page.mouse.down()
    desk.page.mouse.move(place[0] - 60, place[1] - 20, steps=3)
    desk.page.mouse.up()
    desk.page.keyboard.up("Space")
    shows(0, 0, (before[0] - 60, before[1] - 20))
    desk.selects(None)
    desk.keys(*["+"] * 6)
    comes(desk.page, lambda: desk.scale() > 3)
    expect(desk.page.locator(".stage-picture.coarse")).to_be_attached()
    desk.keys("0")
    comes(desk.page, lambda: abs(desk.scale() - fitted) < 0.01)
    assert desk.by_people() == {}

    # From one region to the next, by keys and clicks.
    desk.select("2-1", 100, 200)
    for key, name in (("]", "2-2"), ("[", "2-1"), ("p", "1-0"), ("c", "2-0")):
        desk.keys(key)
        desk.selects(name)
    for name in ("2-1", "1-0", ROOT, "2-1"):
        desk.click(100, 200)
        desk.selects(name)
    expect(desk.page.locator("#announcer")).to_have_text(in_order("2-1", "1-0"))


def test_the_original_over_and_beside(desk: Desk) -> None:
    desk.select("1-3", 700, 400)
    beside = desk.page.locator("#stage canvas[role=img]")
    original = desk.page.locator("[data-tool=original]")
    desk.keys("ArrowLeft", "o")
    expect(original).to_have_attribute("data-value", "over")
    expect(desk.page.locator("#announcer")).to_have_text(in_order(1))  # that many regions differ
    expect(beside).to_have_count(0)
    desk.keys("o")
    expect(original).to_have_attribute("data-value", "beside")
    expect(beside).to_be_visible()
    pictures = desk.page.locator(".stage-picture")
    comes(desk.page, lambda: desk.page.evaluate(SIDES))
    left = pictures.first.bounding_box()
    assert left is not None
    desk.page.mouse.click(left["x"] + left["width"] * 900 / 1280, left["y"] + left["height"] / 2)
    desk.selects("1-4")
    desk.keys("o")
    expect(beside).to_have_count(0)
