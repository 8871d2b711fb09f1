"""`find_place` by layout alone, which is what there is without the extra `ocr`."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from drawn_screens import PLACES, Demo, drawn_screen, is_hit

from affordance.models.pixels import find_location


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("The switch “Sound” is switched on.", "switch"),
        ("The checkbox “Remember me”", "tick"),
        ("The value of the slider “Volume” becomes “5”.", "track"),
        ("The search field “Search” gets the focus.", "field"),
        ("The link “Inbox messages” in the navigation “Main”.", "link"),
        ("The icon at the top right that closes the page", "icon"),
    ],
)
def test_what_words_and_looks_decide_is_found(expression: str, name: str) -> None:
    assert is_hit(find_location(drawn_screen(), expression, "element", with_text=False), PLACES[name])


@pytest.mark.parametrize("level", ["element", "region"])
@pytest.mark.parametrize("size", [(1, 1), (3, 500), (800, 1280)], ids=str)
def test_nothing_is_found_where_there_is_nothing(level: str, size: tuple[int, int]) -> None:
    assert find_location(np.full((*size, 3), 255, np.uint8), "The button “Send”", level) is None


def test_many_threads_get_one_answer() -> None:
    screen = drawn_screen()
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: find_location(screen, "The button “Send now”", "element", False), range(8)))
    assert len(found) == 1


def test_on_the_demo_screens_it_beats_chance(demo: Demo) -> None:
    """Chance is a point anywhere on the screen, and a control picked by lot."""
    hits, area, lot = [], [], []
    for record in demo.screens[::9]:
        image = demo.picture(record)
        named = [element for element in record["elements"] if element["name"]]
        for element in named[::2]:
            x1, y1, x2, y2 = element["box"]["xyxy"]
            found = find_location(image, f"The {element['role']} “{element['name']}”.", "element", with_text=False)
            hits.append(is_hit(found, (x1, y1, x2, y2)))
            area.append((x2 - x1) * (y2 - y1) / (record["width"] * record["height"]))
            lot.append(1 / len(named))
    assert len(hits) > 40
    assert np.mean(hits) > 5 * np.mean(area)
    assert np.mean(hits) > 2 * np.mean(lot)


def test_a_screen_is_looked_at_once(demo: Demo) -> None:
    image = demo.picture(demo.screens[0])
    find_location(image, "The button “Send”", "element", False)
    started = time.process_time()
    for number in range(10):
        find_location(image, f"The button “Send {number}”", "element", False)
    assert (time.process_time() - started) / 10 < 0.15
