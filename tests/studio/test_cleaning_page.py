"""Markers that people paint over by mouse, keys and touch, in a real browser; what is accepted is gone in an export."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from typer.testing import CliRunner

from affordance.cli.main import app
from affordance.datasets.carry import pixels_of
from affordance.media import decode_image
from pair_world import MARKED, Pixels, alike, design, make_pairs, marked
from studio_world import Server, comes, faults

BLOT = (60, 270)  # a marker that is not found by itself, on the first design of the marked pair
LINE = (400, 260)  # one that is


Open = Callable[..., Page]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pairs = {"hard": (marked(7), marked(8)), "keys": (marked(9), design(10)), "shared": (marked(11), design(12))}
    drawn = {**pairs, MARKED: (marked(1), design(2)), "much": (design(13), design(14)), "gone": (design(1), design(2))}
    made = make_pairs(tmp_path_factory.mktemp("cleaning") / "pairs", drawn)
    (made / "media/pairs/gone-0.png").write_bytes(b"no picture")
    return made


@pytest.fixture
def opened(context: BrowserContext, server: Server) -> Iterator[Open]:
    """Opens a picture; at the end no page may have thrown or broken its policy."""
    wrong = faults(context)

    def open_page(screen: str = MARKED, place: int = 0, within: BrowserContext | None = None) -> Page:
        page = (within or context).new_page()
        page.goto(f"{server.url}/cleaning?screen={screen}&place={place}")
        expect(page.locator("#title")).to_contain_text(screen)
        expect(page.locator("#masked")).to_contain_text("masked.")
        return page

    yield open_page
    assert wrong == []


def saved(page: Page) -> None:
    expect(page.locator("#status .status:visible")).to_have_text("Saved")


def on_stage(page: Page, xy: tuple[float, float]) -> tuple[float, float]:
    """A point of the picture, in the window: the whole of it is in view."""
    frame = page.locator(".stage-picture").first.bounding_box()
    assert frame is not None
    return frame["x"] + xy[0] * frame["width"] / 480, frame["y"] + xy[1] * frame["height"] / 320


def mask(server: Server, screen: str, place: int = 0) -> dict[str, Any]:
    """As it is saved."""
    versions = server.get("/api/history", screen=screen, kind="mask", name=str(place)).json["versions"]
    found: dict[str, Any] = versions[-1]["document"] if versions else {}
    return found


def after(server: Server, screen: str, place: int = 0) -> Pixels:
    """What the server makes of it."""
    version = server.get("/api/mask", screen=screen, place=place).json["version"]
    asked = {"version": version, "what": "after"}
    return decode_image(server.get("/api/mask/picture", screen=screen, place=place, **asked).body)


def veil(page: Page, xy: tuple[float, float]) -> int:
    """How dense the colour of the mask is at a point of the picture."""
    x, y = on_stage(page, xy)
    script = """([x, y]) => {
      const canvas = document.querySelector(".stage-boxes"), frame = canvas.getBoundingClientRect();
      const at = [x - frame.left, y - frame.top].map((one) => Math.round(one * devicePixelRatio));
      return canvas.getContext("2d").getImageData(...at, 1, 1).data[3];
    }"""
    found: int = page.evaluate(script, [x, y])
    return found


def brush(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*on_stage(page, start))
    page.mouse.down()
    page.mouse.move(*on_stage(page, end), steps=4)
    page.mouse.up()


def test_a_marker_is_painted_over_by_mouse_and_gone_after_the_export(
    opened: Open, server: Server, project: Path, tmp_path: Path
) -> None:
    page = opened()
    comes(page, lambda: veil(page, LINE) > 100)  # found by itself
    assert veil(page, BLOT) == 0
    brush(page, (BLOT[0] - 8, BLOT[1]), (BLOT[0] + 8, BLOT[1]))
    comes(page, lambda: veil(page, BLOT) > 100)
    saved(page)
    expect(page.locator("#standing")).to_have_text("Not accepted. 1 stroke.")
    expect(page.locator("#accept")).to_be_disabled()  # nobody has looked at what comes of it
    expect(page.locator("#look-first")).to_be_visible()
    (stroke,) = mask(server, MARKED)["brushes"]
    assert stroke["radius"] == 12
    assert stroke["erase"] is False
    assert all(abs(y - BLOT[1]) < 2 for _, y in stroke["points"])
    page.click("#again")
    expect(page.locator("[data-look=slider]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("img.stage-picture").nth(1)).not_to_have_class(re.compile("loading"))
    assert alike(after(server, MARKED), design(1))
    expect(page.locator("#accept")).to_have_class("primary")
    for look in ("blink", "beside", "paint"):
        page.click(f"[data-look={look}]")
    page.click("#accept")
    expect(page.locator("#standing")).to_have_text("Accepted: exports have it painted over.")
    saved(page)
    expect(page.locator(".pick-row.chosen")).to_contain_text("accepted")
    result = CliRunner().invoke(app, ["author", "export", str(project), "-o", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    (items,) = (tmp_path / "out").rglob("items.jsonl")
    (item,) = (row for row in map(json.loads, items.read_text("utf-8").splitlines()) if row["id"] == MARKED)
    assert alike(pixels_of(items.parent / item["images"][0]), design(1))
    assert (pixels_of(items.parent / item["cleaned"][0]["original"]) == marked(1)).all()
    assert (pixels_of(project / "media/pairs" / f"{MARKED}-0.png") == marked(1)).all()  # never overwritten
    page.click("#accept")
    expect(page.locator("#standing")).to_contain_text("Not accepted.")
    saved(page)


def test_by_keys_alone_with_eraser_undo_and_redo(opened: Open, server: Server) -> None:
    page = opened("keys")
    page.locator(".stage-boxes").first.focus()
    page.keyboard.press("f")  # without the markers that are found
    comes(page, lambda: veil(page, LINE) == 0)
    page.fill("#x", str(BLOT[0]))
    page.fill("#y", str(BLOT[1]))
    page.locator(".stage-boxes").first.focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+Enter")
    comes(page, lambda: veil(page, BLOT) > 100)
    saved(page)
    assert [one["points"] for one in mask(server, "keys")["brushes"]] == [[[50, 270]], [[50, 270], [70, 270]]]
    page.keyboard.press("]")
    expect(page.locator("#size")).to_have_value("28")
    page.keyboard.press("e")
    expect(page.locator("input[value=eraser]")).to_be_checked()
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Enter")
    comes(page, lambda: veil(page, (70, 270)) == 0)
    for _ in range(3):
        page.keyboard.press("Control+z")
    expect(page.locator("#standing")).to_have_text("Not accepted. 1 stroke.")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#standing")).to_have_text("Not accepted. 2 strokes.")
    saved(page)
    page.keyboard.press("a")
    page.keyboard.press("2")
    expect(page.locator(".slider")).to_be_visible()
    expect(page.locator("#accept")).to_be_enabled()
    expect(page.locator("#standing")).to_contain_text("Not accepted.")
    page.keyboard.press("1")
    page.keyboard.press("a")
    expect(page.locator("#standing")).to_contain_text("Accepted")
    page.keyboard.press("Enter")  # another dab: what was accepted is another one now
    expect(page.locator("#standing")).to_contain_text("Not accepted. 3 strokes.")
    saved(page)
    assert mask(server, "keys")["accepted"] is False
    page.keyboard.press("j")
    expect(page.locator("#title")).not_to_contain_text("keys, first")


def test_nothing_to_remove_takes_it_out_of_the_list_and_can_be_undone(opened: Open, server: Server) -> None:
    page = opened("hard")
    page.select_option("#show", "marked")
    page.locator(".stage-boxes").first.focus()
    page.keyboard.press("n")
    expect(page.locator("#standing")).to_have_text("Nothing to remove: it stays as it is.")
    expect(page.locator("#masked")).to_have_text("Nothing is masked.")
    expect(page.locator("#accept")).to_be_disabled()
    saved(page)
    wanted = {"found": False, "brushes": [], "accepted": False, "clean": True}
    assert {**wanted, **mask(server, "hard")} == wanted
    rows = server.get("/api/cleaning").json["rows"]
    assert [(row["clean"], row["touched"]) for row in rows if (row["id"], row["place"]) == ("hard", 0)] == [
        (True, False)
    ]
    page.keyboard.press("j")
    expect(page.locator("#title")).not_to_contain_text("hard, first")
    expect(page.locator(".pick-row", has_text="hard, first")).to_have_count(0)
    page.select_option("#show", "clean")
    page.locator(".pick-row", has_text="hard, first").click()
    expect(page.locator("#title")).to_contain_text("hard, first")
    page.keyboard.press("Control+z")
    expect(page.locator("#standing")).to_contain_text("Not accepted.")
    saved(page)
    assert not mask(server, "hard").get("clean")
    set_ = {"clean": True, "found": True}
    edit = {"kind": "mask", "name": "0", "after": 2, "set": set_}
    sent = server.post("/api/strokes", {"screen": "hard", "key": "f" * 32, "edits": [edit]})
    assert "nothing is masked or accepted" in sent.body.decode()


def test_much_is_warned_of_and_asked_about(opened: Open, server: Server) -> None:
    page = opened("much")
    expect(page.locator("#masked")).to_have_text("Nothing is masked.")
    page.fill("#size", "160")
    page.press("#size", "Tab")
    brush(page, (200, 120), (300, 120))
    expect(page.locator("#much")).to_be_visible()
    page.click("#again")
    page.click("#accept")
    expect(page.get_by_role("dialog")).to_contain_text("Much of the picture is masked")
    page.keyboard.press("Enter")  # to look again is what a hasty key does
    expect(page.get_by_role("dialog")).to_have_count(0)
    saved(page)
    assert not mask(server, "much").get("accepted")
    page.click("#clear")
    expect(page.locator("#masked")).to_have_text("Nothing is masked.")
    expect(page.locator("#much")).to_be_hidden()


def test_two_people_on_one_mask_are_told_and_nothing_is_lost(opened: Open, server: Server, browser: Browser) -> None:
    first = opened("shared")
    other = browser.new_context(viewport={"width": 1200, "height": 800})
    second = opened("shared", within=other)
    second.route("**/api/strokes", lambda route: route.abort())  # offline
    brush(second, (100, 280), (130, 280))
    expect(second.locator("#status .status:visible")).to_contain_text("kept on this computer")
    expect(second.locator("#masked")).to_have_text("Counted and painted over when it is saved.")
    brush(first, (200, 280), (230, 280))
    saved(first)
    second.unroute("**/api/strokes")
    second.evaluate("dispatchEvent(new Event('online'))")
    expect(second.get_by_role("dialog")).to_contain_text("painted by hand: 1 stroke")
    second.get_by_role("button", name="Use mine").click()
    saved(second)
    (stroke,) = mask(server, "shared")["brushes"]
    assert stroke["points"][0][0] < 150
    versions = server.get("/api/history", screen="shared", kind="mask", name="0").json["versions"]
    assert [len(one["document"]["brushes"]) for one in versions] == [1, 1]
    other.close()


def test_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    phone = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    wrong = faults(phone)
    page = phone.new_page()
    page.goto(f"{server.url}/cleaning?screen=hard&place=1")
    expect(page.locator("#masked")).to_contain_text("masked.")
    page.locator(".stage").scroll_into_view_if_needed()
    page.touchscreen.tap(*on_stage(page, BLOT))
    comes(page, lambda: veil(page, BLOT) > 100)
    page.locator("[data-look=beside]").tap()
    page.locator("#accept").tap()
    expect(page.locator("#standing")).to_contain_text("Accepted")
    saved(page)
    assert len(mask(server, "hard", 1)["brushes"]) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert wrong == []
    phone.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, server: Server, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}/cleaning?screen={MARKED}")
    expect(page.locator("#masked")).to_contain_text("masked.")
    page.keyboard.press("2")
    expect(page.locator(".slider")).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    context.close()


def test_what_makes_no_sense_is_refused(server: Server) -> None:
    assert server.get("/api/mask", screen="nowhere", place=0).status == 404
    assert server.get("/api/mask", screen=MARKED, place=2).status == 422
    old: dict[str, Any] = {"screen": "much", "place": 1, "version": 99, "what": "after"}
    assert server.get("/api/mask/picture", **old).status == 409
    assert server.get("/api/mask/picture", **{**old, "version": 0, "what": "secret"}).status == 422
    wild = {"points": [[1e300, -1e300], [5, 5]], "radius": 499.0, "erase": False}
    many = [{"points": [[0.5, 0.5]] * 4000, "radius": 1.0}] * 11
    for number, (brushes, told) in enumerate(
        [([wild], "saved"), (many, "at most 40,000 points"), ([{**wild, "radius": 0}], "radius")]
    ):
        edit = {"kind": "mask", "name": "1", "after": 1 if number else 0, "set": {"brushes": brushes}}
        sent = server.post("/api/strokes", {"screen": "much", "key": f"{number:032x}", "edits": [edit]})
        assert told in sent.body.decode()
    assert server.get("/api/mask", screen="much", place=1).status == 200


def test_pictures_that_are_gone_are_told(context: BrowserContext, server: Server) -> None:
    found = server.get("/api/mask", screen="gone", place=0)
    assert (found.status, "is not the picture any more" in found.body.decode()) == (410, True)
    page = context.new_page()
    page.goto(f"{server.url}/cleaning?screen=gone")
    expect(page.locator(".pick-row.chosen")).to_contain_text("cannot be read")
    expect(page.locator("#masked")).to_contain_text("is not the picture any more that was added")
    expect(page.locator(".stage-note")).to_be_visible()
