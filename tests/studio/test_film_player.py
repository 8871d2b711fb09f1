"""The player of films: it plays what the server packs, frame by frame, with the green box where it belongs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from affordance.core.media_spec import ImageFormat
from affordance.studio.reels import pack_reel
from studio_world import Server, action, comes, in_order, make_project, serving

FRAMES, SIZE = 12, (96, 64)
REEL = "/reel-of-a-test"
FILM = {"src": REEL, "rate": "10", "frames": FRAMES, "width": SIZE[0], "height": SIZE[1], "label": "A square"}
BOX = {"attend": [[0.25, 0.25, 0.75, 0.75]], "drawn": [3, 5]}
# The policy of the page allows modules of the studio, and nothing else.
MAKE = """async (options) => {
  const { Film } = await import("/static/js/film/film.js");
  const place = document.createElement("div");
  document.querySelector("main").replaceChildren(place);
  window.said = [];
  window.film = new Film(place, options);
  for (const type of ["frame", "end"]) film.addEventListener(type, ({ detail }) => said.push(detail?.frame ?? type));
}"""
PIXEL = """([x, y]) => {
  const canvas = document.querySelector(".film canvas");
  const [px, py] = [Math.round(x * canvas.width), Math.round(y * canvas.height)];
  return [...canvas.getContext("2d").getImageData(px, py, 1, 1).data.slice(0, 3)];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("film") / "project", screens=0)) as running:
        yield running


def reel() -> bytes:
    """Each frame has a grey of its own: ten more than the one before."""
    width, height = SIZE
    pictures = [np.full((height, width, 3), 10 * (number + 1), np.uint8) for number in range(FRAMES)]
    return pack_reel([cv2.imencode(".png", one)[1].tobytes() for one in pictures], Fraction(10), ImageFormat.PNG)


@pytest.fixture(scope="module")
def shared_page(server: Server, browser: Browser) -> Iterator[Page]:
    """Each test makes a film of its own in it."""
    opened = browser.new_page(viewport={"width": 900, "height": 700})
    opened.goto(f"{server.url}/account")
    # As pages that show films do.
    opened.evaluate(
        """() => new Promise((done) => {
          const link = document.createElement("link");
          Object.assign(link, { rel: "stylesheet", href: "/static/css/film.css", onload: done });
          document.head.append(link);
        })"""
    )
    yield opened
    opened.close()


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    shared_page.route(f"**{REEL}", lambda route: route.fulfill(body=reel()))
    yield shared_page
    shared_page.evaluate("window.film?.destroy()")
    shared_page.emulate_media(reduced_motion="no-preference")
    shared_page.unroute_all()


def button(page: Page, icon: str) -> Locator:
    return page.locator(f".film-button[data-icon={icon}]")


def make(page: Page, **options: Any) -> None:
    page.evaluate(MAKE, {**FILM, "autoplay": False, **options})


def at(page: Page, frame: int) -> None:
    spoken = in_order(frame + 1, FRAMES, f"{frame / 10:.1f}", "1.2")
    expect(page.locator(".film input[type=range]")).to_have_attribute("aria-valuetext", spoken)


def test_it_steps_and_seeks_frame_by_frame(page: Page) -> None:
    make(page)
    expect(button(page, "play")).to_be_enabled()
    at(page, 0)
    button(page, "on").click()
    at(page, 1)
    assert page.evaluate(PIXEL, [0.5, 0.5]) == [20, 20, 20]
    page.locator(".film input[type=range]").press("End")
    at(page, FRAMES - 1)
    assert page.evaluate(PIXEL, [0.5, 0.5]) == [120, 120, 120]
    page.locator(".film input[type=range]").press("ArrowLeft")
    at(page, FRAMES - 2)
    page.evaluate("film.seek(99)")  # further than there is
    at(page, FRAMES - 1)
    button(page, "back").click()
    at(page, FRAMES - 2)


def test_it_plays_to_the_end_once_and_in_a_loop(page: Page) -> None:
    make(page)
    button(page, "loop").click()
    page.locator(".film-controls select").select_option("2")
    button(page, "play").click()
    expect(button(page, "pause")).to_be_visible()
    expect(button(page, "play")).to_be_visible()
    said = page.evaluate("said")
    assert said[-1] == "end"
    assert said[-2] == FRAMES - 1
    assert [one for one in said if one != "end"] == sorted(one for one in said if one != "end")
    button(page, "loop").click()
    page.evaluate("said.length = 0")
    button(page, "play").click()
    comes(page, lambda: page.evaluate("said.filter((one) => one === 'end').length") >= 2)
    page.evaluate("film.pause()")
    assert page.evaluate("film.playing") is False
    assert 0 in page.evaluate("said.slice(said.indexOf('end'))")


def test_the_green_box_is_there_while_the_animation_runs_and_said_in_words(page: Page) -> None:
    make(page, **BOX)
    expect(page.locator(".film-attend")).not_to_be_empty()
    expect(button(page, "play")).to_be_enabled()
    for frame, there in ((2, False), (3, True), (5, True), (6, False)):
        page.evaluate("(frame) => film.seek(frame)", frame)
        at(page, frame)
        grey = [10 * (frame + 1)] * 3
        assert page.evaluate(PIXEL, [0.25, 0.5]) == ([0, 255, 0] if there else grey)
        assert page.evaluate(PIXEL, [0.5, 0.5]) == grey


def test_what_is_in_the_pictures_already_is_not_drawn_again(page: Page) -> None:
    make(page, attend=BOX["attend"], drawn=None)
    expect(page.locator(".film-attend")).not_to_be_empty()
    expect(button(page, "play")).to_be_enabled()
    assert page.evaluate(PIXEL, [0.25, 0.5]) == [10, 10, 10]


def test_it_begins_by_itself_unless_somebody_wants_less_motion(page: Page) -> None:
    make(page, autoplay=True)
    expect(button(page, "pause")).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    make(page, autoplay=True)
    expect(button(page, "play")).to_be_enabled()
    at(page, 0)


def test_what_does_not_come_is_shown_and_asked_for_again(page: Page) -> None:
    broken: list[tuple[dict[str, Any], str]] = [
        ({"status": 500, "body": ""}, "500"),
        ({"body": reel()[:-1]}, ""),
        ({"body": b"<html>"}, ""),
        ({"body": pack_reel([b"no picture"], Fraction(10))}, "1"),  # the frame
    ]
    answers: list[dict[str, Any]] = []

    def respond(route: Route) -> None:
        route.fulfill(**answers.pop(0))

    page.unroute_all()
    page.route(f"**{REEL}", respond)
    for answer, data in broken:
        answers[:] = [answer, {"body": reel()}]
        make(page)
        alert = page.locator(".film [role=alert]")
        expect(alert).not_to_be_empty()
        expect(alert).to_contain_text(data)
        expect(button(page, "play")).to_be_disabled()
        action(page, "retry").click()
        expect(button(page, "play")).to_be_enabled()
        expect(alert).to_have_count(0)
        at(page, 0)


def test_a_long_film_does_not_stay_decoded_as_a_whole(page: Page) -> None:
    """Frames of four megapixels: all of them would take more than a phone has."""
    count = 14
    large = cv2.imencode(".png", np.full((2000, 2000, 3), 200, np.uint8))[1].tobytes()
    page.unroute_all()
    page.route(f"**{REEL}", lambda route: route.fulfill(body=pack_reel([large] * count, Fraction(10), ImageFormat.PNG)))
    make(page, frames=count, width=2000, height=2000)
    expect(button(page, "play")).to_be_enabled()
    held = page.evaluate(
        """async (count) => {
          const { fetchReel } = await import("/static/js/film/reel.js");
          const reel = await fetchReel("/reel-of-a-test");
          for (let frame = 0; frame < count; frame++) await reel.decoded(frame);
          return Array.from({ length: count }, (_, frame) => reel.at(frame) !== null);
        }""",
        count,
    )
    assert held == [False] * (count - 10) + [True] * 10
