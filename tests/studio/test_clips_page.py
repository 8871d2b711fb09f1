"""Clips in the browser: when and where the animation runs, by mouse and by keys, and what is said of it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.ledger import Draft
from clip_world import FRAMES, HEIGHT, RATE, WIDTH, clip_project
from patience import until
from studio_world import Server, faults

MANY = 2000


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three clips with videos of their own, and two thousand that share one."""
    folder = clip_project(tmp_path_factory.mktemp("clips") / "project", ("drop", "glide", "hop", "spin"))
    with open_project(folder) as opened:
        (spin,) = opened.ledger.documents_of([(Kind.CLIP, "spin")])
        opened.ledger.revise(
            [
                Draft(Kind.CLIP, name, {**spin.document, "id": name, "context": f"app number {number}"}, "init", name)
                for number, name in ((number, f"turn-{number}") for number in range(1, MANY + 1))
            ]
        )
    return folder


@pytest.fixture
def page(context: BrowserContext, server: Server) -> Iterator[Page]:
    wrong = faults(context)
    opened = context.new_page()
    yield opened
    assert wrong == []


def visit(page: Page, server: Server, clip: str) -> None:
    page.goto(f"{server.url}/clips?clip={clip}")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    expect(page.locator("#title")).to_have_text(clip)


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
    expect(page.get_by_label("End frame")).to_have_value("20")

    drag(page, place(page, ".regions", 0.05, 0.7), place(page, ".regions", 0.3, 0.95))
    found = once(server, "drop", lambda clip: len(clip["regions"]) == 2)
    drawn = found["regions"][1]
    assert drawn["space"] == "pixel"
    wanted = [0.05 * WIDTH, 0.7 * HEIGHT, 0.3 * WIDTH, 0.95 * HEIGHT]
    assert drawn["xyxy"] == pytest.approx(wanted, abs=1.5)
    drag(page, place(page, ".region >> nth=1", 0.5, 0.5), place(page, ".regions", 0.5, 0.25))
    moved = once(server, "drop", lambda clip: clip["regions"][1] != drawn)["regions"][1]
    assert moved["xyxy"][1] < drawn["xyxy"][1]
    page.get_by_role("button", name="Remove region 1").click()
    once(server, "drop", lambda clip: clip["regions"] == [moved])

    page.get_by_role("button", name="Undo", exact=True).click()
    once(server, "drop", lambda clip: len(clip["regions"]) == 2)
    page.get_by_role("button", name="Redo", exact=True).click()
    once(server, "drop", lambda clip: clip["regions"] == [moved])

    page.get_by_label("Where it happens").fill("A notes app <b>with</b> a list")
    page.get_by_label("Platform", exact=True).fill("Mobile")
    page.get_by_role("button", name="Add an input").click()
    page.get_by_label("Input 1: in words").fill("taps a note")
    page.get_by_label("Input 1: how").fill("tap, hold")
    page.get_by_label("Personal data").check()
    found = once(server, "drop", lambda clip: clip.get("flags") == ["personal data"] and "inputs" in clip)
    assert found["context"] == "A notes app <b>with</b> a list"
    assert found["platform"] == "Mobile"
    once(
        server,
        "drop",
        lambda clip: clip["inputs"] == [{"summary": "taps a note", "modality": [], "type": ["tap", "hold"]}],
    )
    expect(page.locator(".pick-row.chosen .chip")).to_have_text("Flagged")


def test_by_keyboard(page: Page, server: Server) -> None:
    visit(page, server, "glide")
    before = saved(server, "glide")
    now = page.get_by_role("slider", name="Frame that is shown")
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
    page.get_by_role("slider", name="Start of the animation").press("Shift+ArrowRight")
    once(server, "glide", lambda clip: clip["start_frame"] == 11)
    for field, frame, why in (
        ("Start", "999", "the clip has the frames 0 to"),
        ("End", "2", "is before the start, frame 11"),
    ):
        page.get_by_label(f"{field} frame").fill(frame)
        page.get_by_label(f"{field} frame").press("Enter")
        expect(page.get_by_role("alert").filter(has_text=f"Frame {frame} was not taken: ")).to_contain_text(why)
    assert [saved(server, "glide")[name] for name in ("start_frame", "end_frame")] == [11, before["end_frame"] + 1]
    page.get_by_label("Start frame").fill("4")
    page.get_by_label("Start frame").press("Enter")
    once(server, "glide", lambda clip: clip["start_frame"] == 4)
    page.get_by_label("Start frame").blur()

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
    expect(page.get_by_role("alert")).to_have_text("Write the reason first.")
    page.keyboard.type("Nothing happens in it")
    page.keyboard.press("Control+Enter")
    page.get_by_label("Reason").blur()
    page.keyboard.press("x")
    found = once(server, "glide", lambda clip: clip.get("aside") is True)
    assert found["note"] == "Nothing happens in it"
    page.keyboard.press("x")
    once(server, "glide", lambda clip: clip["aside"] is False)
    page.keyboard.press("d")
    once(server, "glide", lambda clip: clip.get("done") is True)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("The animation starts at this frame")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("j")
    expect(page.locator("#title")).to_have_text("hop")


def test_numbers_of_a_region_are_what_the_region_is(page: Page, server: Server) -> None:
    visit(page, server, "hop")
    first = saved(server, "hop")["regions"][0]["xyxy"]
    left, bottom = page.get_by_label("Region 1, left"), page.get_by_label("Region 1, bottom")
    before = left.input_value()
    left.fill("3")
    left.press("Enter")
    once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] != first)
    page.get_by_role("button", name="Undo").click()
    once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] == first)
    expect(left).to_have_value(before)
    bottom.fill(str(int(bottom.input_value()) - 1))
    bottom.press("Enter")
    moved = once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] != first)["regions"][0]["xyxy"]
    assert moved[:3] == first[:3], "what was undone is not written again"
    page.get_by_role("button", name="Undo").click()
    once(server, "hop", lambda clip: clip["regions"][0]["xyxy"] == first)


def test_the_box_is_there_while_the_animation_runs(page: Page, server: Server) -> None:
    visit(page, server, "hop")
    layer = page.locator(".regions")
    clip = saved(server, "hop")
    now = page.get_by_role("slider", name="Frame that is shown")
    for frame, off in ((0, True), (clip["start_frame"], False), (clip["end_frame"], False), (FRAMES - 1, True)):
        now.press("Home")
        for _ in range(frame):
            now.press("ArrowRight")
        expect(now).to_have_attribute("aria-valuenow", str(frame))
        assert ("off" in (layer.get_attribute("class") or "").split()) is off, frame
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_the_first_page_leads_there(page: Page, server: Server) -> None:
    page.goto(server.url)
    expect(page.locator(".sentence")).to_contain_text(re.compile("clips (is|are) done"))
    ways = page.get_by_role("navigation", name="Pages").get_by_role("link").all_inner_texts()
    assert "Clips" in ways
    assert "Boxes" not in ways  # there are no screens
    page.get_by_role("link", name="Describe ").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def test_thousands_of_clips_can_be_found(page: Page, server: Server) -> None:
    visit(page, server, "drop")
    expect(page.locator("#found")).to_contain_text(f"{MANY + 4:,} clips")
    assert page.locator(".pick-row").count() < 60
    page.get_by_label("Find a clip").fill("number 1977")
    expect(page.locator(".pick-row:not(.chosen)")).to_have_count(1)  # besides the one that is open
    page.locator(".pick-row:not(.chosen)").click()
    expect(page.locator("#title")).to_have_text("turn-1977")
    page.get_by_label("Find a clip").fill("nowhere at all")
    expect(page.locator("#no-match")).to_be_visible()


WRONG = {
    "end after the last frame": ({"end_frame": FRAMES}, "expected its end from 0 to"),
    "start after the end": ({"start_frame": 20, "end_frame": 3}, "start_frame <= end_frame"),
    "start before the first": ({"start_frame": -1}, "greater than or equal to 0"),
    "region outside": ({"regions": [{"space": "pixel", "xyxy": [0, 0, WIDTH + 1, 9]}]}, "expected a box on the screen"),
    "region of no size": ({"regions": [{"space": "pixel", "xyxy": [5, 5, 5, 9]}]}, "at least one pixel"),
    "unknown flag": ({"flags": ["dull"]}, "flags"),
    "aside for nothing": ({"aside": True}, "expected the reason"),
    "input without words": ({"inputs": [{"summary": " "}]}, "expected what the person does"),
    "what is of the file": ({"frames": 3}, "may set"),
}


@pytest.mark.parametrize(("set_", "said"), WRONG.values(), ids=WRONG.keys())
def test_the_server_refuses_what_makes_no_sense(server: Server, set_: dict[str, Any], said: str) -> None:
    version = server.get("/api/clip", screen="spin").json["documents"][0]["version"]
    edit = {"kind": "clip", "name": "", "after": version, "set": set_}
    key = f"{abs(hash(json.dumps(set_))):032x}"[-32:]
    found = server.post("/api/strokes", {"screen": "spin", "key": key, "edits": [edit]})
    assert found.status == 422
    assert said in found.json["detail"]


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
        assert "is not the video any more that was added" in found.json["detail"]
    finally:
        video.write_bytes(kept)


@pytest.mark.parametrize(
    ("scheme", "width", "height"), [("light", 1440, 900), ("dark", 1440, 900), ("light", 360, 740)]
)
def test_axe_finds_nothing(browser: Browser, server: Server, scheme: Any, width: int, height: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    visit(page, server, "hop")
    page.keyboard.press("r")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:100] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.close()


def test_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    visit(page, server, "hop")
    page.get_by_label("Sensitive content").tap()
    once(server, "hop", lambda clip: clip.get("flags") == ["sensitive content"])
    page.get_by_label("Sensitive content").tap()
    once(server, "hop", lambda clip: clip["flags"] == [])
    page.locator(".regions").tap(position={"x": 10, "y": 10})
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    context.close()
