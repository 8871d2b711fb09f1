"""The player of films: it plays what the server packs, frame by frame, with the green box where it belongs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from affordance.core.picture import Format
from affordance.studio.reels import pack_reel
from studio_world import Server, comes, make_project, serving

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
    return pack_reel([cv2.imencode(".png", one)[1].tobytes() for one in pictures], Fraction(10), Format.PNG)


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 900, "height": 700})
    opened.route(f"**{REEL}", lambda route: route.fulfill(body=reel()))
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


def make(page: Page, **options: Any) -> None:
    page.evaluate(MAKE, {**FILM, "autoplay": False, **options})


def at(page: Page, frame: int) -> None:
    expect(page.get_by_role("slider", name="Frame")).to_have_attribute(
        "aria-valuetext", f"Frame {frame + 1} of {FRAMES}, {frame / 10:.1f} of 1.2 s"
    )


def test_it_steps_and_seeks_frame_by_frame(page: Page) -> None:
    make(page)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    at(page, 0)
    page.get_by_role("button", name="One frame on").click()
    at(page, 1)
    assert page.evaluate(PIXEL, [0.5, 0.5]) == [20, 20, 20]
    page.get_by_role("slider").press("End")
    at(page, FRAMES - 1)
    assert page.evaluate(PIXEL, [0.5, 0.5]) == [120, 120, 120]
    page.get_by_role("slider").press("ArrowLeft")
    at(page, FRAMES - 2)
    page.evaluate("film.seek(99)")  # further than there is
    at(page, FRAMES - 1)
    page.get_by_role("button", name="One frame back").click()
    at(page, FRAMES - 2)


def test_it_plays_to_the_end_once_and_in_a_loop(page: Page) -> None:
    make(page)
    page.get_by_role("button", name="Loop").click()
    page.get_by_label("Speed").select_option("2")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    said = page.evaluate("said")
    assert said[-1] == "end"
    assert said[-2] == FRAMES - 1
    assert [one for one in said if one != "end"] == sorted(one for one in said if one != "end")
    page.get_by_role("button", name="Loop").click()
    page.evaluate("said.length = 0")
    page.get_by_role("button", name="Play").click()
    comes(page, lambda: page.evaluate("said.filter((one) => one === 'end').length") >= 2)
    page.evaluate("film.pause()")
    assert page.evaluate("film.playing") is False
    assert 0 in page.evaluate("said.slice(said.indexOf('end'))")


def test_the_green_box_is_there_while_the_animation_runs_and_said_in_words(page: Page) -> None:
    make(page, **BOX)
    expect(page.get_by_text("Attend to the green box")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    for frame, there in ((2, False), (3, True), (5, True), (6, False)):
        page.evaluate("(frame) => film.seek(frame)", frame)
        at(page, frame)
        grey = [10 * (frame + 1)] * 3
        assert page.evaluate(PIXEL, [0.25, 0.5]) == ([0, 255, 0] if there else grey)
        assert page.evaluate(PIXEL, [0.5, 0.5]) == grey


def test_what_is_in_the_pictures_already_is_not_drawn_again(page: Page) -> None:
    make(page, attend=BOX["attend"], drawn=None)
    expect(page.get_by_text("Attend to the green box")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    assert page.evaluate(PIXEL, [0.25, 0.5]) == [10, 10, 10]


def test_it_begins_by_itself_unless_somebody_wants_less_motion(page: Page) -> None:
    make(page, autoplay=True)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    make(page, autoplay=True)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    at(page, 0)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"status": 500, "body": ""}, "the server answered 500"),
        ({"body": reel()[:-1]}, "not a whole film"),
        ({"body": b"<html>"}, "not a whole film"),
        ({"body": pack_reel([b"no picture"], Fraction(10))}, "frame 1 cannot be shown"),
    ],
)
def test_what_does_not_come_is_said_and_asked_for_again(page: Page, broken: dict[str, Any], said: str) -> None:
    answers: list[dict[str, Any]] = [broken, {"body": reel()}]

    def answer(route: Route) -> None:
        route.fulfill(**answers.pop(0))

    page.route(f"**{REEL}", answer)
    make(page)
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)
    at(page, 0)


def test_a_long_film_does_not_stay_decoded_as_a_whole(page: Page) -> None:
    """Frames of four megapixels: all of them would take more than a phone has."""
    count = 30
    large = cv2.imencode(".png", np.full((2000, 2000, 3), 200, np.uint8))[1].tobytes()
    page.route(f"**{REEL}", lambda route: route.fulfill(body=pack_reel([large] * count, Fraction(10), Format.PNG)))
    make(page, frames=count, width=2000, height=2000)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
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
