"""Pictures of two designs that people have cut: by mouse, keys and on a phone, in a real browser; as in an export."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from affordance.author.pair_splitting import PROPOSALS_FILE, apply_splits, propose_splits
from affordance.cli.main import run_command
from affordance.datasets import load_dataset
from pair_world import PLAIN, composite, design, make_pairs
from studio_world import Person, Server, faults, fits, in_order, person, saved, turn_to, while_loading

SIZE = (984, 320)  # of a picture of two
PROPOSED = [[0, 0, 456, 320], [520, 0, 984, 320]]

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    both = {
        name: composite(seed, seed + 1)
        for name, seed in (("keys", 1), ("last", 11), ("mouse", 3), ("phone", 5), ("other", 7))
    }
    pairs = {name: (pixels, pixels) for name, pixels in both.items()}
    one = design(9)  # the same twice, and no picture of two
    drawn = {**pairs, "whole": (one, one), PLAIN: (design(10), design(11))}
    return make_pairs(tmp_path_factory.mktemp("splitting") / "pairs", drawn)


@pytest.fixture(scope="module")
def ana(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def opened(ana: Person, server: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a pair; at the end no page may have thrown or broken its policy."""
    failed = request.session.testsfailed

    def open_page(screen: str) -> Page:
        page = ana.page(failed)
        turn_to(page, f"{server.url}/splitting?screen={screen}", screen)
        expect(page.locator("#title")).to_have_text(screen)
        return page

    yield open_page
    assert ana.wrong == []


def standing(page: Page, state: str, winner: str = "") -> None:
    """What was decided, as the page shows it."""
    expect(page.locator(f"#standing[data-state={state}][data-winner='{winner}']")).not_to_be_empty()


def edge(page: Page, side: str, name: str) -> Locator:
    return page.locator(f"#fields [data-side={side}] [data-edge={name}]")


def halves(server: Server, screen: str) -> dict[str, Any]:
    """As they are saved."""
    versions = server.get("/api/history", screen=screen, kind="halves").json["versions"]
    found: dict[str, Any] = versions[-1]
    return found


def boxes(server: Server, screen: str) -> list[list[float]]:
    return [box["xyxy"] for box in halves(server, screen)["document"]["boxes"]]


def on_stage(page: Page, xy: tuple[float, float]) -> tuple[float, float]:
    frame = page.locator(".stage-picture").first.bounding_box()
    assert frame is not None
    return frame["x"] + xy[0] * frame["width"] / SIZE[0], frame["y"] + xy[1] * frame["height"] / SIZE[1]


def test_only_pairs_that_are_one_picture_are_there_with_a_proposal_of_the_studio(opened: Open, server: Server) -> None:
    page = opened("other")
    expect(page.locator("#found")).to_have_text(in_order(0, 6))
    expect(page.locator(f".pick-row[data-key='{PLAIN}']")).to_have_count(0)
    now = halves(server, "other")
    assert (now["author"], now["version"]) == ("studio", 1)
    assert boxes(server, "other") == PROPOSED
    expect(page.locator("#note:visible")).not_to_be_empty()
    server.post("/api/splitting/proposal", {"screen": "other"})
    assert halves(server, "other")["version"] == 1  # proposed once


def test_an_edge_is_dragged_and_the_winner_confirmed_by_mouse(opened: Open, server: Server) -> None:
    page = opened("mouse")
    page.locator(".stage-boxes").first.click(position={"x": 5, "y": 5})  # nowhere
    page.mouse.click(*on_stage(page, (200, 100)))
    page.mouse.move(*on_stage(page, (456, 160)))
    page.mouse.down()
    page.mouse.move(*on_stage(page, (472, 160)), steps=4)
    page.mouse.up()
    expect(edge(page, "first", "right")).to_have_value("472")
    page.click("#confirm")
    standing(page, "undecided")
    page.check("input[value=second]")
    page.click("#confirm")
    standing(page, "confirmed", "second")
    expect(page.locator(".halves .won")).to_have_attribute("id", "second-title")
    saved(page)
    now = halves(server, "mouse")["document"]
    assert boxes(server, "mouse") == [[0, 0, 472, 320], PROPOSED[1]]
    assert (now["winner"], now["confirmed"]) == ("second", True)
    expect(page.locator(".pick-row.chosen [data-state=confirmed][data-winner=second]")).not_to_be_empty()
    shown = "document.getElementById('first').getContext('2d').getImageData(60, 90, 1, 1).data[3]"
    assert page.evaluate(shown) == 255


def test_by_keys_alone_and_the_export_is_that_of_data_split(
    opened: Open, server: Server, project: Path, tmp_path: Path
) -> None:
    page = opened("keys")
    page.keyboard.press("g")
    page.keyboard.press("g")
    for key in ("Alt+ArrowRight", "Alt+ArrowRight", "Alt+ArrowRight"):
        page.keyboard.press(key)  # the right edge of the first
    page.keyboard.press("g")
    page.keyboard.press("Alt+Shift+ArrowLeft")  # the left edge of the second
    expect(edge(page, "second", "left")).to_have_value("519")
    page.keyboard.press("1")
    page.keyboard.press("a")
    standing(page, "confirmed", "first")
    saved(page)
    assert boxes(server, "keys") == [[0, 0, 459, 320], [519, 0, 984, 320]]
    page.keyboard.press("Control+z")
    standing(page, "open", "first")
    page.keyboard.press("Control+Shift+z")
    standing(page, "confirmed", "first")
    saved(page)

    assert run_command(["author", "export", str(project), "-o", str(tmp_path / "out")]) == 0
    (items,) = (tmp_path / "out").rglob("items.jsonl")
    (found,) = (row for row in map(json.loads, items.read_text("utf-8").splitlines()) if row["id"] == "keys")
    dataset = load_dataset(str(project.parent / f"{project.name}-dataset"))
    propose_splits(dataset, tmp_path / "proposed")
    proposals = json.loads((tmp_path / "proposed" / PROPOSALS_FILE).read_text("utf-8"))
    for one in proposals["pairs"]:
        if one["id"] == "keys":
            one |= {"boxes": halves(server, "keys")["document"]["boxes"], "winner": "first", "confirmed": True}
    (tmp_path / PROPOSALS_FILE).write_text(json.dumps(proposals), encoding="utf-8")
    apply_splits(dataset, tmp_path / "cut", tmp_path / PROPOSALS_FILE)
    rows = (tmp_path / "cut/items.jsonl").read_text("utf-8").splitlines()
    (expected,) = (row for row in map(json.loads, rows) if row["id"] == "keys")
    assert (found["winner"], found["cut"]["boxes"]) == (expected["winner"], expected["cut"]["boxes"]) == (0, boxes_of())
    for here, there in zip(
        [*found["images"], found["cut"]["original"]], [*expected["images"], expected["cut"]["original"]], strict=True
    ):
        assert (items.parent / here).read_bytes() == (tmp_path / "cut" / there).read_bytes()


def boxes_of() -> list[dict[str, Any]]:
    return [{"space": "pixel", "xyxy": box} for box in ([0, 0, 459, 320], [519, 0, 984, 320])]


def test_numbers_that_are_refused_stay_out_of_the_pair_that_opens_next(opened: Open, server: Server) -> None:
    page = opened("last")
    edge(page, "first", "right").fill("0")  # no box
    with while_loading(page, "**/api/pair?screen=other", page.locator(".pick-row[data-key=other]").click):
        edge(page, "first", "bottom").fill("300")
    expect(page.locator("#title")).to_have_text("other")
    expect(edge(page, "first", "right")).to_have_value("456")
    edge(page, "first", "left").fill("8")
    edge(page, "first", "left").press("Enter")
    saved(page)
    assert boxes(server, "other") == [[8, 0, 456, 320], PROPOSED[1]]
    assert boxes(server, "last") == PROPOSED


def test_what_is_no_picture_of_two_stays_as_it_is(opened: Open, server: Server) -> None:
    page = opened("whole")
    expect(page.locator("#note:visible")).not_to_be_empty()
    page.keyboard.press("x")
    standing(page, "not-two")
    expect(page.locator("#confirm")).to_be_disabled()
    page.keyboard.press("a")
    saved(page)
    now = halves(server, "whole")["document"]
    assert (now["single"], now["confirmed"]) == (False, False)
    expect(page.locator(".pick-row.chosen [data-state=not-two]")).not_to_be_empty()
    page.keyboard.press("x")
    expect(page.locator("#confirm")).to_be_enabled()
    page.keyboard.press("3")
    page.keyboard.press("a")
    standing(page, "confirmed")
    saved(page)


def test_on_a_phone(browser: Browser, server: Server) -> None:
    phone = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    wrong = faults(phone)
    page = phone.new_page()
    page.goto(f"{server.url}/splitting?screen=phone")
    expect(page.locator("#title")).to_have_text("phone")
    field = edge(page, "second", "left")
    field.fill("504")
    field.press("Enter")
    page.locator("input[value=first]").tap()
    page.locator("#confirm").tap()
    standing(page, "confirmed", "first")
    saved(page)
    assert boxes(server, "phone")[1][0] == 504
    assert fits(page)
    assert wrong == []
    phone.close()


def test_a_box_outside_and_a_pair_that_is_not_there_are_refused(server: Server) -> None:
    assert server.post("/api/splitting/proposal", {"screen": "nowhere"}).status == 404
    assert server.post("/api/splitting/proposal", {"screen": "other", "more": 1}).status == 422
    server.post("/api/splitting/proposal", {"screen": "other"})
    wide = {"space": "pixel", "xyxy": [0, 0, SIZE[0] + 1, 320]}
    version = halves(server, "other")["version"]
    edit = {"kind": "halves", "name": "", "after": version, "set": {"boxes": [wide, wide]}}
    sent = server.post("/api/strokes", {"screen": "other", "key": "e" * 32, "edits": [edit]})
    assert (sent.status, "984x320" in sent.body.decode()) == (422, True)
