"""Checking screens and outcomes: each thing that is wrong gives one line of its own that says where and what."""

from typing import Any

import cv2
import numpy as np
import pytest
from dataset_samples import HEADER, Make

from affordance.datasets.check import Level, check


def box(*xyxy: float, space: str = "pixel") -> dict[str, Any]:
    return {"space": space, "xyxy": list(xyxy)}


def png(width: int, height: int) -> bytes:
    return bytes(cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))[1])


MEDIA = {"screen.png": png(64, 48), "after.png": png(20, 10)}
BUTTON = {"id": "e1", "box": box(10, 10, 30, 20), "role": "button", "name": "Buy", "point": box(20, 15, 20, 15)}
MAIN = {"id": "r1", "box": box(0, 0, 64, 48), "type": "main"}
SCREEN = {
    "id": "s",
    "image": "media/screen.png",
    "width": 64,
    "height": 48,
    "elements": [BUTTON, BUTTON | {"id": "e2"}],
    "regions": [MAIN, {"id": "r2", "box": box(0, 0, 30, 30), "parent": "r1"}],
}
OUTCOME = {
    "id": "o",
    "image": "media/screen.png",
    "target": box(10, 10, 30, 20),
    "action": "click",
    "sentence": "The menu appears.",
    "screen": "s",
    "element": "e1",
    "after": "media/after.png",
    "after_box": box(5, 5, 25, 15),
}
STEP = {
    "action": "click",
    "element": "Buy",
    "target": box(10, 10, 30, 20),
    "image": "media/screen.png",
    "sentence": "The menu appears.",
    "change": {},
}


def findings(make: Make, kind: str, items: list[dict[str, Any]]) -> list[tuple[Level, str]]:
    used = {path for item in items for path in (item.get("image"), item.get("after"))}
    media = {name: content for name, content in MEDIA.items() if f"media/{name}" in used}
    root = make(items, header=HEADER | {"kind": kind}, media=media)
    found = [(one.level, one.message.replace(f"{root}/", "")) for one in check(root)]
    assert all("\n" not in message for _, message in found)
    return found


def errors(make: Make, kind: str, items: list[dict[str, Any]]) -> list[str]:
    return [message for level, message in findings(make, kind, items) if level is Level.ERROR]


FINE: dict[str, tuple[str, dict[str, Any]]] = {
    "screen": ("screen", SCREEN),
    "screen without elements": ("screen", SCREEN | {"elements": [], "regions": []}),
    "point on the edge": ("screen", SCREEN | {"elements": [BUTTON | {"point": box(30, 20, 30, 20)}]}),
    "point in another space": (
        "screen",
        SCREEN | {"elements": [BUTTON | {"point": box(0.3, 0.3, 0.3, 0.3, space="unit")}]},
    ),
    "element and region of one id": ("screen", SCREEN | {"regions": [MAIN | {"id": "e1"}]}),
    "outcome": ("outcome", OUTCOME),
    "outcome without a picture after": (
        "outcome",
        {key: value for key, value in OUTCOME.items() if not key.startswith("after")},
    ),
    "cut in shares": (
        "outcome",
        OUTCOME | {"after_box": box(0, 0, 20 / 64, 10 / 48, space="unit")},
    ),
    "outcome of steps": ("outcome", OUTCOME | {"steps": [STEP, STEP]}),
}


@pytest.mark.parametrize(("kind", "item"), FINE.values(), ids=FINE.keys())
def test_nothing_wrong(make: Make, kind: str, item: dict[str, Any]) -> None:
    assert findings(make, kind, [item]) == []


WRONG_SCREENS: dict[str, tuple[dict[str, Any], str]] = {
    "element outside the picture": (
        {"elements": [BUTTON | {"box": box(10, 10, 70, 20)}]},
        "item 's': element 'e1' [10, 10, 70, 20] (pixel) is not inside its 64x48 picture",
    ),
    "region outside the picture": (
        {"regions": [MAIN | {"box": box(0, 0, 64, 60)}]},
        "item 's': region 'r1' [0, 0, 64, 60] (pixel) is not inside its 64x48 picture",
    ),
    "point outside its box": (
        {"elements": [BUTTON | {"point": box(40, 15, 40, 15)}]},
        "item 's': element 'e1': its point [40, 15] is not inside its box",
    ),
    "element twice": ({"elements": [BUTTON, BUTTON]}, "expected each element id once, found 'e1' twice"),
    "region twice": ({"regions": [MAIN, MAIN]}, "expected each region id once, found 'r1' twice"),
    "unknown parent": (
        {"regions": [MAIN | {"parent": "r9"}]},
        "region 'r1': expected a parent among the regions, found 'r9'",
    ),
    "parent of itself": (
        {"regions": [MAIN | {"parent": "r1"}]},
        "region 'r1': expected parents up to the screen, found a circle",
    ),
    "parent that is an element": (
        {"regions": [MAIN | {"parent": "e1"}]},
        "region 'r1': expected a parent among the regions, found 'e1'",
    ),
    "parents in a circle": (
        {"regions": [MAIN | {"parent": "r2"}, MAIN | {"id": "r2", "parent": "r1"}]},
        "r1",
    ),
    "other size": ({"width": 128, "height": 96}, "item 's': expected a picture of 128x96, found 64x48"),
    "no size": ({"width": 0}, "width: input should be greater than 0, found '0'"),
    "missing picture": ({"image": "media/none.png"}, "item 's' needs 'media/none.png', found no such file"),
    "picture elsewhere": ({"image": "../screen.png"}, "image: expected a relative path inside the dataset folder"),
    "unknown link": (
        {"links": [{"kind": "variant", "to": "t"}]},
        "item 's': its variant link goes to 't', which is not in the dataset",
    ),
    "box without a space": ({"elements": [BUTTON | {"box": [1, 2, 3, 4]}]}, "elements.0.box: expected a box"),
    "box with its corners exchanged": (
        {"elements": [BUTTON | {"box": box(30, 20, 10, 10)}]},
        "elements.0.box: a box needs x1 <= x2",
    ),
    "state that is no text": ({"elements": [BUTTON | {"state": {"checked": True}}]}, "elements.0.state.checked"),
}


@pytest.mark.parametrize(("change", "expected"), WRONG_SCREENS.values(), ids=WRONG_SCREENS.keys())
def test_one_thing_wrong_with_a_screen(make: Make, change: dict[str, Any], expected: str) -> None:
    (message,) = errors(make, "screen", [SCREEN | change])
    assert message.startswith("items.jsonl:1: ")
    assert expected in message


WRONG_OUTCOMES: dict[str, tuple[dict[str, Any], str]] = {
    "picture after without its place": ({"after_box": None}, "expected after and after_box together"),
    "place without its picture after": ({"after": None}, "expected after and after_box together"),
    "picture after of another size": (
        {"after_box": box(5, 5, 35, 15)},
        "item 'o': after_box is 30x10, found 20x10 pixels in the picture after",
    ),
    "picture after outside": (
        {"after_box": box(50, 5, 70, 15)},
        "item 'o': after_box [50, 5, 70, 15] (pixel) is not inside its 64x48 picture",
    ),
    "target outside": (
        {"target": box(10, 40, 30, 60)},
        "item 'o': target [10, 40, 30, 60] (pixel) is not inside its 64x48 picture",
    ),
    "target of a step outside": (
        {"steps": [STEP, STEP | {"target": box(60, 0, 80, 10)}]},
        "item 'o': step 2's target [60, 0, 80, 10] (pixel) is not inside its 64x48 picture",
    ),
    "missing picture": ({"image": "media/none.png"}, "item 'o' needs 'media/none.png', found no such file"),
    "missing picture after": ({"after": "media/none.png"}, "item 'o' needs 'media/none.png', found no such file"),
    "missing picture of a step": (
        {"steps": [STEP, STEP | {"image": "media/none.png"}]},
        "item 'o' needs 'media/none.png', found no such file",
    ),
    "unknown link": (
        {"links": [{"kind": "twin", "to": "p"}]},
        "item 'o': its twin link goes to 'p', which is not in the dataset",
    ),
    "no sentence": ({"sentence": ""}, "sentence: string should have at least 1 character"),
    "more pixels than there are": (
        {"change": {"pixels": 1.5}},
        "change.pixels: input should be less than or equal to 1",
    ),
    "unknown kind of message box": (
        {"change": {"dialogs": [{"kind": "shout"}]}},
        "change.dialogs.0.kind: input should be 'alert'",
    ),
}


@pytest.mark.parametrize(("change", "expected"), WRONG_OUTCOMES.values(), ids=WRONG_OUTCOMES.keys())
def test_one_thing_wrong_with_an_outcome(make: Make, change: dict[str, Any], expected: str) -> None:
    (message,) = errors(make, "outcome", [OUTCOME | change])
    assert message.startswith("items.jsonl:1: ")
    assert expected in message


def test_everything_wrong_with_a_screen_is_told_at_once(make: Make) -> None:
    broken = SCREEN | {
        "width": 65,
        "elements": [BUTTON | {"box": box(10, 10, 99, 20), "point": box(5, 15, 5, 15)}],
        "links": [{"kind": "group", "to": "t"}],
    }
    messages = [message for _, message in findings(make, "screen", [broken])]
    gists = ["element 'e1' [10, 10, 99, 20]", "expected a picture of 65x48", "its point [5, 15]", "its group link"]
    assert len(messages) == len(gists)
    for gist in gists:
        assert sum(gist in message for message in messages) == 1


def test_a_picture_that_is_none(make: Make) -> None:
    root = make([SCREEN], header=HEADER | {"kind": "screen"}, media={"screen.png": b"hello"})
    ((level, message),) = [(one.level, one.message) for one in check(root)]
    assert level is Level.ERROR
    assert "item 's'" in message
    assert "media/screen.png" in message
