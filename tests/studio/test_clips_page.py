"""Clips in the browser: when and where the animation runs, by mouse and by keys, and what is said of it."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.ledger import DocumentDraft
from clip_world import FRAMES, HEIGHT, RATE, WIDTH, clip_project
from errors import assert_carries
from patience import until
from studio_world import Answer, Person, Server, action, dialog, fits, in_order, person, turn_to, while_loading

MANY = 300


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four clips with videos of their own, and hundreds that share one."""
    folder = clip_project(tmp_path_factory.mktemp("clips") / "project", ("drop", "glide", "hop", "spin"))
    with open_project(folder) as opened:
        (spin,) = opened.ledger.documents.get_many([(Kind.CLIP, "spin")])
        opened.ledger.documents.write(
            [
                DocumentDraft(
                    Kind.CLIP, name, {**spin.document, "id": name, "context": f"app number {number}"}, "init", name
                )
                for number, name in ((number, f"turn-{number}") for number in range(1, MANY + 1))
            ]
        )
    return folder


@pytest.fixture(scope="module")
def ana(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def page(ana: Person, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield ana.page(request.session.testsfailed)
    assert ana.wrong == []


def visit(page: Page, server: Server, clip: str) -> None:
    turn_to(page, f"{server.url}/clips?clip={clip}", clip)
    expect(page.locator("#title")).to_have_text(clip)
    expect(page.locator("[data-icon=play]")).to_be_enabled()


def frame(page: Page, edge: str) -> Locator:
    """The field with the frame at which the animation starts or ends."""
    return page.locator(f"#fields [name={edge}_frame]")


def text(page: Page, part: str) -> Locator:
    return page.locator(f"#fields [data-part={part}] textarea")


def flag(page: Page, name: str) -> Locator:
    return page.locator(f"#fields input[value='{name}']")


def saved(server: Server, clip: str) -> dict[str, Any]:
    document: dict[str, Any] = server.get("/api/clip", screen=clip).json["documents"][0]["document"]
    return document


def once(server: Server, clip: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The clip as the server has it, once it is so."""
    return until(lambda: found if holds(found := saved(server, clip)) else None)


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def place(page: Page, selector: str, x: float, y: float) -> tuple[float, float]:
    """A spot in an element, by shares of its sides."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_by_mouse(page: Page, server: Server) -> None:
    visit(page, server, "drop")
    was = saved(server, "drop")
    assert 0 < was["start_frame"] < was["end_frame"] < FRAMES - 1
    drag(page, place(page, ".knob.start", 0.5, 0.5), place(page, ".strip", 2.5 / FRAMES, 0.5))
    once(server, "drop", lambda clip: clip["start_frame"] == 2)
    drag(page, place(page, ".knob.end", 0.5, 0.5), place(page, ".strip", 20.5 / FRAMES, 0.5))
    once(server, "drop", lambda clip: clip["end_frame"] == 20)
    expect(frame(page, "end")).to_have_value("20")

    drag(page, place(page, ".regions", 0.05, 0.7), place(page, ".regions", 0.3, 0.95))
    found = once(server, "drop", lambda clip: len(clip["regions"]) == 2)
    drawn = found["regions"][1]
    assert drawn["space"] == "pixel"
    wanted = [0.05 * WIDTH, 0.7 * HEIGHT, 0.3 * WIDTH, 0.95 * HEIGHT]
    assert drawn["xyxy"] == pytest.approx(wanted, abs=1.5)
    drag(page, place(page, ".region >> nth=1", 0.5, 0.5), place(page, ".regions", 0.5, 0.25))
    moved = once(server, "drop", lambda clip: clip["regions"][1] != drawn)["regions"][1]
    assert moved["xyxy"][1] < drawn["xyxy"][1]
    action(page, "remove 0").click()
    once(server, "drop", lambda clip: clip["regions"] == [moved])

    page.click("#undo")
    once(server, "drop", lambda clip: len(clip["regions"]) == 2)
    page.click("#redo")
    once(server, "drop", lambda clip: clip["regions"] == [moved])

    text(page, "context").fill("A notes app <b>with</b> a list")
    page.fill("#platform", "Mobile")
    action(page, "add-input").click()
    page.fill(".input-row .summary", "taps a note")
    page.fill(".input-row .type", "tap, hold")
    flag(page, "personal data").check()
    found = once(server, "drop", lambda clip: clip.get("flags") == ["personal data"] and "inputs" in clip)
    assert found["context"] == "A notes app <b>with</b> a list"
    assert found["platform"] == "Mobile"
    once(
        server,
        "drop",
        lambda clip: clip["inputs"] == [{"summary": "taps a note", "modality": [], "type": ["tap", "hold"]}],
    )
    expect(page.locator(".pick-row.chosen [data-chip=flagged]")).to_be_visible()


def test_by_keyboard(page: Page, server: Server) -> None:
    visit(page, server, "glide")
    before = saved(server, "glide")
    now = page.locator(".knob.now")
    expect(now).to_have_attribute("aria-valuenow", str(before["start_frame"]))
    page.keyboard.press("Shift+O")
    expect(now).to_have_attribute("aria-valuenow", str(before["end_frame"]))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("o")
    once(server, "glide", lambda clip: clip["end_frame"] == before["end_frame"] + 1)
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(now).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("i")
    once(server, "glide", lambda clip: clip["start_frame"] == 1)
    page.locator(".knob.start").press("Shift+ArrowRight")
    once(server, "glide", lambda clip: clip["start_frame"] == 11)
    for edge, wrong, why in (("start", 999, in_order(999, 0, FRAMES - 1)), ("end", 2, in_order(2, 11))):
        frame(page, edge).fill(str(wrong))
        frame(page, edge).press("Enter")
        expect(page.locator("#fields [role=alert]:visible")).to_have_text(why)
    assert [saved(server, "glide")[name] for name in ("start_frame", "end_frame")] == [11, before["end_frame"] + 1]
    frame(page, "start").fill("4")
    frame(page, "start").press("Enter")
    once(server, "glide", lambda clip: clip["start_frame"] == 4)
    frame(page, "start").blur()

    page.keyboard.press("Shift+N")
    middle = once(server, "glide", lambda clip: len(clip["regions"]) == 2)["regions"][1]["xyxy"]
    for key in ("Shift+ArrowRight", "ArrowDown", "Alt+ArrowRight"):
        page.keyboard.press(key)
    x1, y1, x2, y2 = middle
    once(server, "glide", lambda clip: clip["regions"][1]["xyxy"] == [x1 + 10, y1 + 1, x2 + 11, y2 + 1])
    page.keyboard.press("Control+z")
    once(server, "glide", lambda clip: clip["regions"][1]["xyxy"] == middle)
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.keyboard.press("Delete")
    once(server, "glide", lambda clip: len(clip["regions"]) == 1)

    page.keyboard.press("x")
    expect(page.locator("#fields [role=alert]:visible")).not_to_be_empty()
    expect(text(page, "note")).to_be_focused()
    page.keyboard.type("Nothing happens in it")
    page.keyboard.press("Control+Enter")
    text(page, "note").blur()
    page.keyboard.press("x")
    found = once(server, "glide", lambda clip: clip.get("aside") is True)
    assert found["note"] == "Nothing happens in it"
    page.keyboard.press("x")
    once(server, "glide", lambda clip: clip["aside"] is False)
    page.keyboard.press("d")
    once(server, "glide", lambda clip: clip.get("done") is True)
    page.keyboard.press("?")
    expect(dialog(page, "keys").locator("kbd:text-is('I')").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog(page, "keys")).to_have_count(0)
    page.keyboard.press("j")
    expect(page.locator("#title")).to_have_text("hop")


def test_numbers_of_a_region_and_when_it_is_there(page: Page, server: Server) -> None:
    visit(page, server, "hop")
    clip = saved(server, "hop")
    first = clip["regions"][0]["xyxy"]
    left, bottom = (page.locator(f".region-row [data-edge={edge}]") for edge in ("left", "bottom"))
    before = left.input_value()
    left.fill("3")
    left.press("Enter")
    once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] != first)
    page.click("#undo")
    once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] == first)
    expect(left).to_have_value(before)
    bottom.fill(str(int(bottom.input_value()) - 1))
    bottom.press("Enter")
    moved = once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] != first)["regions"][0]["xyxy"]
    assert moved[:3] == first[:3], "what was undone is not written again"
    page.click("#undo")
    once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] == first)

    layer, now = page.locator(".regions"), page.locator(".knob.now")
    for number, off in ((0, True), (clip["start_frame"], False), (clip["end_frame"], False), (FRAMES - 1, True)):
        now.press("Home")
        for _ in range(number):
            now.press("ArrowRight")
        expect(now).to_have_attribute("aria-valuenow", str(number))
        assert ("off" in (layer.get_attribute("class") or "").split()) is off, number
    page.keyboard.press("Space")
    expect(page.locator("[data-icon=pause]")).to_be_visible()


def test_what_is_done_while_another_clip_opens_is_saved_to_its_own(page: Page, server: Server) -> None:
    def opening(clip: str) -> AbstractContextManager[list[Route]]:
        return while_loading(page, f"**/api/clip?screen={clip}", page.locator(f".pick-row[data-key={clip}]").click)

    def there(clip: str) -> None:
        expect(page.locator("#title")).to_have_text(clip)
        expect(page.locator("[data-icon=play]")).to_be_enabled()

    visit(page, server, "turn-1")
    before = {clip: saved(server, clip) for clip in ("turn-1", "turn-2", "turn-3")}
    with opening("turn-2"):  # a region is dragged
        page.mouse.move(*place(page, ".region >> nth=0", 0.5, 0.5))
        page.mouse.down()
        page.mouse.move(*place(page, ".regions", 0.9, 0.9), steps=3)
    there("turn-2")
    page.mouse.up()
    with opening("turn-3"):  # an edge is dragged
        page.mouse.move(*place(page, ".knob.start", 0.5, 0.5))
        page.mouse.down()
        page.mouse.move(*place(page, ".strip", 2.5 / FRAMES, 0.5))
    there("turn-3")
    page.mouse.up()
    with opening("turn-1"):
        text(page, "context").fill("of the third")
    there("turn-1")
    with opening("turn-2"):
        page.fill("#platform", "of the first")
    there("turn-2")
    once(server, "turn-1", lambda clip: clip == before["turn-1"] | {"platform": "of the first"})
    once(server, "turn-3", lambda clip: clip == before["turn-3"] | {"context": "of the third"})

    left, bottom = (page.locator(f".region-row [data-edge={edge}]") for edge in ("left", "bottom"))
    was = left.input_value()
    left.fill("")
    left.press("Enter")
    expect(left).to_have_value(was)
    bottom.fill(str(int(bottom.input_value()) - 1))
    bottom.press("Enter")
    moved = once(server, "turn-2", lambda clip: clip["regions"] != before["turn-2"]["regions"])
    assert moved["regions"][0]["xyxy"][:3] == before["turn-2"]["regions"][0]["xyxy"][:3]
    assert {**moved, "regions": before["turn-2"]["regions"]} == before["turn-2"]


def test_the_first_page_leads_there_and_clips_can_be_found(page: Page, server: Server) -> None:
    page.goto(server.url)
    expect(page.locator(".sentence")).to_have_text(re.compile(r"\b30[0-4]\b"))  # less those with a flag
    ways = [link.get_attribute("href") for link in page.locator("header nav a").all()]
    assert "/clips" in ways
    assert "/boxes" not in ways  # there are no screens
    page.locator(".actions a[href^='/clips']").click()
    expect(page.locator("[data-icon=play]")).to_be_enabled()
    opened = page.locator("#title").inner_text()
    expect(page.locator("#found")).to_have_text(in_order(MANY + 4))
    assert page.locator(".pick-row").count() < 60
    page.fill("#search", "number 277")
    expect(page.locator(".pick-row")).to_have_count(2)  # with the one that is open
    page.locator(".pick-row:not(.chosen)").click()
    expect(page.locator("#title")).to_have_text("turn-277")
    assert opened != "turn-277"
    page.fill("#search", "nowhere at all")
    expect(page.locator("#no-match:visible")).not_to_be_empty()


WRONG: dict[str, dict[str, Any]] = {
    "end after the last frame": {"end_frame": FRAMES},
    "start after the end": {"start_frame": 20, "end_frame": 3},
    "start before the first": {"start_frame": -1},
    "region outside": {"regions": [{"space": "pixel", "xyxy": [0, 0, WIDTH + 1, 9]}]},
    "region of no size": {"regions": [{"space": "pixel", "xyxy": [5, 5, 5, 9]}]},
    "unknown flag": {"flags": ["dull"]},
    "aside for nothing": {"aside": True},
    "input without words": {"inputs": [{"summary": " "}]},
    "what is of the file": {"frames": 3},
}


def test_the_server_refuses_what_makes_no_sense(server: Server) -> None:
    version = server.get("/api/clip", screen="spin").json["documents"][0]["version"]

    def send(number: int, values: dict[str, Any]) -> Answer:
        edit = {"kind": "clip", "name": "", "after": version, "set": values}
        return server.post("/api/strokes", {"screen": "spin", "key": f"{number:032x}", "edits": [edit]})

    for number, (case, values) in enumerate(WRONG.items()):
        found = send(number, values)
        assert found.status == 422, case
        assert_carries(found.json["detail"])
    assert server.get("/api/clip", screen="spin").json["documents"][0]["version"] == version
    right = {"start_frame": 3, "end_frame": 20, "regions": [{"space": "pixel", "xyxy": [0, 0, WIDTH, 9]}]}
    assert send(99, {**right, "flags": ["personal data"], "aside": True, "note": "why"}).status == 200


def test_films_are_reels(server: Server, project: Path) -> None:
    digest = saved(server, "spin")["digest"]
    for kind, frames in (("film", FRAMES), ("strip", FRAMES)):
        data = server.get(f"/api/clip/{kind}/{digest}").body
        length = int.from_bytes(data[:4], "big")
        header = json.loads(data[4 : 4 + length])
        assert header["type"] == "image/webp"
        assert len(header["sizes"]) == frames
        assert len(data) == 4 + length + sum(header["sizes"])
        assert data[4 + length : 8 + length] == b"RIFF"
        if kind == "film":
            assert header["rate"] == str(RATE)
    assert server.get("/api/clip/film/00ff00ff00ff00ff").status == 404
    assert server.get("/api/clip", screen="nothing").status == 404
    video = project / saved(server, "hop")["video"]
    kept = video.read_bytes()
    try:
        video.write_bytes(kept + b"more")
        found = server.get("/api/clip", screen="hop")
        assert found.status == 410
        assert_carries(found.json["detail"], "hop")
    finally:
        video.write_bytes(kept)


def test_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    visit(page, server, "hop")
    flag(page, "sensitive content").tap()
    once(server, "hop", lambda clip: clip.get("flags") == ["sensitive content"])
    flag(page, "sensitive content").tap()
    once(server, "hop", lambda clip: clip["flags"] == [])
    page.locator(".regions").tap(position={"x": 10, "y": 10})
    expect(page.locator("[data-icon=pause]")).to_be_visible()
    assert fits(page)
    context.close()
