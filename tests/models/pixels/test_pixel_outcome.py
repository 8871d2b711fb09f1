"""`choose_outcome` by layout alone, and the red box it goes by."""

import random

import numpy as np
import pytest
from drawn_screens import PLACES, Demo, boxed, drawn_screen

from affordance.core.media_spec import ImageEncoding, ImageFormat
from affordance.media import decode_image, encode_image
from affordance.models.pixels import choose_outcome, find_red_box

OUTCOMES = {
    "switch": "The switch “Sound” is switched on.",
    "tick": "The checkbox “Remember me” is checked.",
    "track": "The value of the slider “Volume” becomes “5”.",
    "field": "The search field “Search” gets the focus.",
    "link": "The page “Inbox messages” opens with the heading “Inbox messages”.",
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_look_in_the_red_box_decides(name: str) -> None:
    picture = boxed(drawn_screen(), PLACES[name])
    chosen = choose_outcome(picture, None, list(OUTCOMES.values()), with_text=False)
    assert chosen is not None
    assert list(OUTCOMES)[chosen] == name


@pytest.mark.parametrize("name", ["field", "tick", "icon"])
def test_the_red_box_is_found_after_encoding(name: str) -> None:
    found = find_red_box(
        decode_image(encode_image(boxed(drawn_screen(), PLACES[name]), ImageEncoding(ImageFormat.JPEG)))
    )
    assert found is not None
    assert np.abs(np.array(found.xyxy) - PLACES[name]).max() <= 2


def test_red_surfaces_and_words_are_no_red_box() -> None:
    screen = drawn_screen()
    screen[500:560, 100:300] = (255, 0, 0)
    assert find_red_box(screen) is None
    assert choose_outcome(screen, None, ["One.", "Two."]) is None


def test_a_given_box_needs_no_outline() -> None:
    options = [OUTCOMES["link"], OUTCOMES["switch"]]
    assert choose_outcome(drawn_screen(), PLACES["switch"], options, with_text=False) == 1


@pytest.mark.parametrize(("options", "chosen"), [([], None), (["Same.", "Same."], 0)], ids=["none", "equals"])
def test_no_options_and_equal_options(options: list[str], chosen: int | None) -> None:
    assert choose_outcome(drawn_screen(), PLACES["switch"], options, with_text=False) == chosen


def test_on_the_demo_screens_it_beats_chance(demo: Demo) -> None:
    """Chance is one in five: the true sentence and four others of the same screen."""
    clicks, right = demo.clicks, []
    lot = random.Random(1)
    for click in clicks[::25]:
        same = {other["sentence"] for other in clicks if other["screen"] == click["screen"]}
        options = [click["sentence"], *lot.sample(sorted(same - {click["sentence"]}), 4)]
        lot.shuffle(options)
        x1, y1, x2, y2 = (round(value) for value in click["target"]["xyxy"])
        chosen = choose_outcome(boxed(demo.picture(click), (x1, y1, x2, y2)), None, options, with_text=False)
        right.append(chosen is not None and options[chosen] == click["sentence"])
    assert len(right) > 40
    assert np.mean(right) > 0.27
