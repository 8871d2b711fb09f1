"""Checking screens and outcomes: each thing that is wrong gives one line of its own that says where and what."""

from typing import Any

import cv2
import numpy as np
from dataset_samples import HEADER, Make

from affordance.datasets.check import check_folder
from affordance.datasets.dataset import Severity
from cases import case, folder_names
from errors import assert_carries


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


def findings(make: Make, kind: str, items: list[dict[str, Any]], folder: str = "dataset") -> list[tuple[Severity, str]]:
    used = {path for item in items for path in (item.get("image"), item.get("after"))}
    media = {name: content for name, content in MEDIA.items() if f"media/{name}" in used}
    root = make(items, header=HEADER | {"kind": kind}, media=media, folder=folder)
    found = [(one.severity, str(one).replace(f"{root}/", "")) for one in check_folder(root)]
    assert all("\n" not in message for _, message in found)
    return found


def errors(make: Make, kind: str, items: list[dict[str, Any]], folder: str) -> list[str]:
    return [message for level, message in findings(make, kind, items, folder) if level is Severity.ERROR]


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


def test_nothing_wrong(make: Make) -> None:
    for folder, name, (kind, item) in folder_names(FINE):
        with case(name):
            assert findings(make, kind, [item], folder) == []


WRONG_SCREENS: dict[str, tuple[dict[str, Any], str]] = {
    "element outside the picture": (
        {"elements": [BUTTON | {"box": box(10, 10, 70, 20)}]},
        ("s", "e1", "[10, 10, 70, 20]", "64x48"),
    ),
    "region outside the picture": (
        {"regions": [MAIN | {"box": box(0, 0, 64, 60)}]},
        ("s", "r1", "[0, 0, 64, 60]", "64x48"),
    ),
    "point outside its box": (
        {"elements": [BUTTON | {"point": box(40, 15, 40, 15)}]},
        ("s", "e1", "[40, 15]"),
    ),
    "element twice": ({"elements": [BUTTON, BUTTON]}, ("e1", "element")),
    "region twice": ({"regions": [MAIN, MAIN]}, ("r1", "region")),
    "unknown parent": (
        {"regions": [MAIN | {"parent": "r9"}]},
        ("r1", "r9"),
    ),
    "parent of itself": (
        {"regions": [MAIN | {"parent": "r1"}]},
        ("r1",),
    ),
    "parent that is an element": (
        {"regions": [MAIN | {"parent": "e1"}]},
        ("r1", "e1"),
    ),
    "parents in a circle": (
        {"regions": [MAIN | {"parent": "r2"}, MAIN | {"id": "r2", "parent": "r1"}]},
        ("r1",),
    ),
    "other size": ({"width": 128, "height": 96}, ("s", "128x96", "64x48")),
    "no size": ({"width": 0}, ("width",)),
    "missing picture": ({"image": "media/none.png"}, ("s", "media/none.png")),
    "picture elsewhere": ({"image": "../screen.png"}, ("image",)),
    "unknown link": (
        {"links": [{"kind": "variant", "to": "t"}]},
        ("s", "variant", "t"),
    ),
    "box without a space": ({"elements": [BUTTON | {"box": [1, 2, 3, 4]}]}, ("elements.0.box",)),
    "box with its corners exchanged": (
        {"elements": [BUTTON | {"box": box(30, 20, 10, 10)}]},
        ("elements.0.box",),
    ),
    "state that is no text": ({"elements": [BUTTON | {"state": {"checked": True}}]}, ("elements.0.state.checked",)),
}


def test_one_thing_wrong_with_a_screen(make: Make) -> None:
    for folder, name, (change, expected) in folder_names(WRONG_SCREENS):
        with case(name):
            (message,) = errors(make, "screen", [SCREEN | change], folder)
            assert message.startswith("items.jsonl:1: ")
            assert_carries(message, *expected)


WRONG_OUTCOMES: dict[str, tuple[dict[str, Any], str]] = {
    "picture after without its place": ({"after_box": None}, ("after", "after_box")),
    "place without its picture after": ({"after": None}, ("after", "after_box")),
    "picture after of another size": (
        {"after_box": box(5, 5, 35, 15)},
        ("o", "after_box", "30x10", "20x10"),
    ),
    "picture after outside": (
        {"after_box": box(50, 5, 70, 15)},
        ("o", "after_box", "[50, 5, 70, 15]", "64x48"),
    ),
    "target outside": (
        {"target": box(10, 40, 30, 60)},
        ("o", "target", "[10, 40, 30, 60]", "64x48"),
    ),
    "target of a step outside": (
        {"steps": [STEP, STEP | {"target": box(60, 0, 80, 10)}]},
        ("o", "2", "[60, 0, 80, 10]", "64x48"),
    ),
    "missing picture": ({"image": "media/none.png"}, ("o", "media/none.png")),
    "missing picture after": ({"after": "media/none.png"}, ("o", "media/none.png")),
    "missing picture of a step": (
        {"steps": [STEP, STEP | {"image": "media/none.png"}]},
        ("o", "media/none.png"),
    ),
    "unknown link": (
        {"links": [{"kind": "twin", "to": "p"}]},
        ("o", "twin", "p"),
    ),
    "no sentence": ({"sentence": ""}, ("sentence",)),
    "more pixels than there are": (
        {"change": {"pixels": 1.5}},
        ("change.pixels",),
    ),
    "unknown kind of message box": (
        {"change": {"dialogs": [{"kind": "shout"}]}},
        ("change.dialogs.0.kind", "alert"),
    ),
}


def test_one_thing_wrong_with_an_outcome(make: Make) -> None:
    for folder, name, (change, expected) in folder_names(WRONG_OUTCOMES):
        with case(name):
            (message,) = errors(make, "outcome", [OUTCOME | change], folder)
            assert message.startswith("items.jsonl:1: ")
            assert_carries(message, *expected)


def test_everything_wrong_with_a_screen_is_told_at_once(make: Make) -> None:
    broken = SCREEN | {
        "width": 65,
        "elements": [BUTTON | {"box": box(10, 10, 99, 20), "point": box(5, 15, 5, 15)}],
        "links": [{"kind": "group", "to": "t"}],
    }
    messages = [message for _, message in findings(make, "screen", [broken])]
    expected = [("e1", "[10, 10, 99, 20]"), ("65x48", "64x48"), ("e1", "[5, 15]"), ("group", "'t'")]
    assert len(messages) == len(expected)
    for data in expected:
        assert sum(all(one in message for one in data) for message in messages) == 1


def test_a_picture_that_is_none(make: Make) -> None:
    root = make([SCREEN], header=HEADER | {"kind": "screen"}, media={"screen.png": b"hello"})
    ((level, message),) = [(one.severity, str(one)) for one in check_folder(root)]
    assert level is Severity.ERROR
    assert_carries(message, "'s'", "media/screen.png")
