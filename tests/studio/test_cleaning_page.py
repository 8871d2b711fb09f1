"""Markers that people paint over by mouse, keys and touch, in a real browser; what is accepted is gone in an export."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from affordance.cli.main import run_command
from affordance.media import decode_image, load_pixels
from errors import assert_carries
from pair_world import MARKED, Pixels, alike, design, make_pairs, marked
from studio_world import Person, Server, action, comes, dialog, faults, fits, person, saved, status, turn_to

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


@pytest.fixture(scope="module")
def ana(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def opened(ana: Person, server: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a picture; at the end no page may have thrown or broken its policy."""
    failed = request.session.testsfailed

    def open_page(screen: str = MARKED, place: int = 0, within: BrowserContext | None = None) -> Page:
        page = ana.page(failed) if within is None else within.new_page()
        turn_to(page, f"{server.url}/cleaning?screen={screen}&place={place}", f"{screen}/{place}")
        at(page, screen, place)
        masked(page)
        page.click("[data-look=paint]")  # the test before may have looked at what comes of it
        return page

    yield open_page
    assert ana.wrong == []


def at(page: Page, screen: str, place: int = 0) -> None:
    expect(page.locator(f"#title[data-screen={screen}][data-place='{place}']")).to_contain_text(screen)


def masked(page: Page, share: str = "") -> None:
    """How much of the picture is masked is shown."""
    wanted = f"#masked[data-state=counted]{f'[data-share={share!r}]' if share else ''}"
    expect(page.locator(wanted)).not_to_be_empty()


def standing(page: Page, state: str, strokes: int | None = None) -> None:
    """How the mask is, as the page shows it: "open", "accepted" or "clean"."""
    wanted = f"#standing[data-state={state}]{'' if strokes is None else f'[data-strokes={str(strokes)!r}]'}"
    expect(page.locator(wanted)).not_to_be_empty()


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
    standing(page, "open", 1)
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
    standing(page, "accepted")
    saved(page)
    expect(page.locator(".pick-row.chosen [data-chip=accepted]")).to_be_visible()
    assert run_command(["author", "export", str(project), "-o", str(tmp_path / "out")]) == 0
    (items,) = (tmp_path / "out").rglob("items.jsonl")
    (item,) = (row for row in map(json.loads, items.read_text("utf-8").splitlines()) if row["id"] == MARKED)
    assert alike(load_pixels(items.parent / item["images"][0]), design(1))
    assert (load_pixels(items.parent / item["cleaned"][0]["original"]) == marked(1)).all()
    assert (load_pixels(project / "media/pairs" / f"{MARKED}-0.png") == marked(1)).all()  # never overwritten
    page.click("#accept")
    standing(page, "open")
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
    standing(page, "open", 1)
    page.keyboard.press("Control+Shift+z")
    standing(page, "open", 2)
    saved(page)
    page.keyboard.press("a")
    page.keyboard.press("2")
    expect(page.locator(".slider")).to_be_visible()
    expect(page.locator("#accept")).to_be_enabled()
    standing(page, "open")
    page.keyboard.press("1")
    page.keyboard.press("a")
    standing(page, "accepted")
    page.keyboard.press("Enter")  # another dab: what was accepted is another one now
    standing(page, "open", 3)
    saved(page)
    assert mask(server, "keys")["accepted"] is False
    page.keyboard.press("j")
    expect(page.locator("#title[data-screen=keys][data-place='0']")).to_have_count(0)


def test_nothing_to_remove_takes_it_out_of_the_list_and_can_be_undone(opened: Open, server: Server) -> None:
    page = opened("hard")
    page.select_option("#show", "marked")
    page.locator(".stage-boxes").first.focus()
    page.keyboard.press("n")
    standing(page, "clean")
    masked(page, "0")
    expect(page.locator("#accept")).to_be_disabled()
    saved(page)
    wanted = {"found": False, "brushes": [], "accepted": False, "clean": True}
    assert {**wanted, **mask(server, "hard")} == wanted
    rows = server.get("/api/cleaning").json["rows"]
    assert [(row["clean"], row["touched"]) for row in rows if (row["id"], row["place"]) == ("hard", 0)] == [
        (True, False)
    ]
    page.keyboard.press("j")
    row = page.locator(".pick-row[data-key='hard/0']")
    expect(row).to_have_count(0)
    page.select_option("#show", "clean")
    row.click()
    at(page, "hard")
    page.keyboard.press("Control+z")
    standing(page, "open")
    saved(page)
    assert not mask(server, "hard").get("clean")
    set_ = {"clean": True, "found": True}
    edit = {"kind": "mask", "name": "0", "after": 2, "set": set_}
    sent = server.post("/api/strokes", {"screen": "hard", "key": "f" * 32, "edits": [edit]})
    assert sent.status == 422
    assert_carries(sent.json["detail"], "mask")


def test_much_is_warned_of_and_asked_about(opened: Open, server: Server) -> None:
    page = opened("much")
    masked(page, "0")
    page.fill("#size", "160")
    page.press("#size", "Tab")
    brush(page, (200, 120), (300, 120))
    expect(page.locator("#much")).to_be_visible()
    page.click("#again")
    page.click("#accept")
    expect(dialog(page, "much-masked").locator("h2")).not_to_be_empty()
    page.keyboard.press("Enter")  # to look again is what a hasty key does
    expect(dialog(page, "much-masked")).to_have_count(0)
    saved(page)
    assert not mask(server, "much").get("accepted")
    page.click("#clear")
    masked(page, "0")
    expect(page.locator("#much")).to_be_hidden()


def test_two_people_on_one_mask_decide_and_nothing_is_lost(opened: Open, server: Server, browser: Browser) -> None:
    first = opened("shared")
    other = browser.new_context(viewport={"width": 1200, "height": 800})
    second = opened("shared", within=other)
    second.route("**/api/strokes", lambda route: route.abort())  # offline
    brush(second, (100, 280), (130, 280))
    status(second, "trouble", waiting=1, durable=True)
    expect(second.locator("#masked[data-state=pending]")).not_to_be_empty()
    brush(first, (200, 280), (230, 280))
    saved(first)
    second.unroute("**/api/strokes")
    second.evaluate("dispatchEvent(new Event('online'))")
    conflict = dialog(second, "changed")
    expect(conflict.locator("dd")).to_have_text([re.compile(r"\b1\b")] * 2)  # a stroke each
    action(conflict, "mine").click()
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
    masked(page)
    page.locator(".stage").scroll_into_view_if_needed()
    page.touchscreen.tap(*on_stage(page, BLOT))
    comes(page, lambda: veil(page, BLOT) > 100)
    page.locator("[data-look=beside]").tap()
    page.locator("#accept").tap()
    standing(page, "accepted")
    saved(page)
    assert len(mask(server, "hard", 1)["brushes"]) == 1
    assert fits(page)
    assert wrong == []
    phone.close()


def test_what_makes_no_sense_is_refused(server: Server) -> None:
    assert server.get("/api/mask", screen="nowhere", place=0).status == 404
    assert server.get("/api/mask", screen=MARKED, place=2).status == 422
    old: dict[str, Any] = {"screen": "much", "place": 1, "version": 99, "what": "after"}
    assert server.get("/api/mask/picture", **old).status == 409
    assert server.get("/api/mask/picture", **{**old, "version": 0, "what": "secret"}).status == 422
    wild = {"points": [[1e300, -1e300], [5, 5]], "radius": 499.0, "erase": False}
    many = [{"points": [[0.5, 0.5]] * 4000, "radius": 1.0}] * 11
    for number, (brushes, code, data) in enumerate(
        [([wild], 200, ""), (many, 422, "40,000"), ([{**wild, "radius": 0}], 422, "radius")]
    ):
        edit = {"kind": "mask", "name": "1", "after": 1 if number else 0, "set": {"brushes": brushes}}
        sent = server.post("/api/strokes", {"screen": "much", "key": f"{number:032x}", "edits": [edit]})
        assert (sent.status, data in sent.body.decode()) == (code, True)
    assert server.get("/api/mask", screen="much", place=1).status == 200


def test_pictures_that_are_gone_are_shown_as_such(ana: Person, server: Server) -> None:
    found = server.get("/api/mask", screen="gone", place=0)
    assert found.status == 410
    assert_carries(found.json["detail"])
    page = ana.page()
    turn_to(page, f"{server.url}/cleaning?screen=gone", "gone/0")
    expect(page.locator(".pick-row.chosen [data-unreadable]")).not_to_be_empty()
    expect(page.locator("#masked[data-state=error]")).to_contain_text(found.json["detail"])
    expect(page.locator(".stage-note")).to_be_visible()
