"""Checking a dataset: everything that is wrong, at once, each with its place."""

import json
from pathlib import Path
from typing import Any

from dataset_samples import HEADER, Make

from affordance.datasets.check import check_folder
from affordance.datasets.dataset import Severity
from cases import case, folder_names
from errors import assert_carries

ITEM = {"id": "a", "video": "media/a.mp4"}


def findings(root: Path) -> list[tuple[str, str]]:
    found = [(str(one.severity), str(one).replace(str(root), "").lstrip("/")) for one in check_folder(root)]
    assert all("\n" not in message for _, message in found)
    return found


def box(*xyxy: float, space: str = "pixel") -> dict[str, Any]:
    return {"space": space, "xyxy": list(xyxy)}


def motion(frames: int, boxes: int, first: int = 0) -> dict[str, Any]:
    mover = {"locator": "0:#it", "tag": "div", "kind": "script", "first_frame": first, "boxes": [[0, 0, 9, 9]] * boxes}
    told = {"trigger": "load", "trigger_frame": 0, "fps": 60, "duration": 100, "ended": True, "visible": True}
    return {**told, "frames": frames, "digest": "0", "movers": [mover]}


FINE = {
    "plain": [ITEM],
    "last frame": [ITEM | {"start_frame": 0, "end_frame": 11}],
    "everything known": [ITEM | {"motion": motion(12, 10, first=2)}],
    "box that fills the picture": [ITEM | {"regions": [box(0, 0, 64, 48), box(0, 0, 1000, 1000, space="mille")]}],
    "box that other tools rounded": [ITEM | {"regions": [box(-0.5, -0.5, 64.5, 48.5)]}],
    "a point": [ITEM | {"regions": [box(0.5, 0.5, 0.5, 0.5, space="unit")]}],
    "links both ways": [
        ITEM | {"links": [{"kind": "twin", "to": "b"}]},
        ITEM | {"id": "b", "links": [{"kind": "twin", "to": "a"}]},
    ],
}


def test_nothing_wrong(make: Make) -> None:
    for folder, name, items in folder_names(FINE):
        with case(name):
            assert findings(make(items, folder=folder)) == []


WRONG = {
    "missing video": ({"video": "media/b.mp4"}, ("media/b.mp4",)),
    "end outside": ({"start_frame": 3, "end_frame": 12}, ("end_frame", 11, 12)),
    "frames too many": ({"motion": motion(13, 13)}, ("motion", 13, 12)),
    "boxes too few": ({"motion": motion(12, 11)}, ("0:#it", "11")),
    "box to the right": ({"regions": [box(0, 0, 65, 48)]}, ("regions.0", "[0, 0, 65, 48]", "64x48")),
    "box below": ({"regions": [box(0, 0, 64, 49)]}, ("regions.0", "[0, 0, 64, 49]", "64x48")),
    "box to the left": ({"regions": [box(-2, 0, 5, 5)]}, ("regions.0", "[-2, 0, 5, 5]", "64x48")),
    "thousandths taken for shares": (
        {"regions": [box(0, 0, 1, 1), box(0, 0, 500, 500, space="unit")]},
        ("regions.1", "[0, 0, 500, 500]", "64x48"),
    ),
    "dangling link": (
        {"links": [{"kind": "twin", "to": "z"}]},
        ("twin", "z"),
    ),
}


def test_one_thing_wrong(make: Make) -> None:
    for folder, name, (change, expected) in folder_names(WRONG):
        with case(name):
            ((level, message),) = findings(make([ITEM, ITEM | {"id": "b"} | change], folder=folder))
            assert level == Severity.ERROR
            assert message.startswith("items.jsonl:2: ")
            assert_carries(message, "'b'", *expected)


UNDECODABLE = {"empty": b"", "text": b"hello", "noise": bytes(range(256)) * 40}


def test_a_video_that_is_none(make: Make, video: bytes) -> None:
    items = [ITEM, ITEM | {"id": "b", "video": "media/b.mp4"}]
    for folder, name, content in folder_names(UNDECODABLE):
        with case(name):
            ((level, message),) = findings(make(items, media={"a.mp4": video, "b.mp4": content}, folder=folder))
            assert level == Severity.ERROR
            assert message.startswith("items.jsonl:2: ")
            assert_carries(message, "'b'", "media/b.mp4")


def test_a_video_that_was_cut(make: Make, video: bytes) -> None:
    ((level, message),) = findings(make([ITEM], media={"a.mp4": video[: len(video) * 2 // 3]}))
    assert level == Severity.ERROR
    assert "media/a.mp4" in message


def test_everything_wrong_is_told_at_once(make: Make, video: bytes) -> None:
    lines = [
        json.dumps(ITEM | {"id": "c", "links": [{"kind": "group", "to": "nobody"}]}).encode(),
        b"{broken",
        json.dumps(ITEM | {"id": "b"}).encode(),
        json.dumps(ITEM | {"id": "b"}).encode(),
        b"",
        json.dumps(ITEM | {"id": "d", "video": "../x"}).encode(),
        json.dumps(ITEM | {"id": "e", "video": "media/none.mp4"}).encode(),
        json.dumps(ITEM | {"id": "f", "regions": [box(0, 0, 99, 99)], "end_frame": 99}).encode(),
    ]
    found = findings(make(b"\n".join(lines), media={"a.mp4": video, "odd.mp4": video, "strange.mp4": b""}))
    errors = sorted(
        (message for level, message in found if level == Severity.ERROR), key=lambda one: (one[:13], "regions" in one)
    )
    expected: list[tuple[str, ...]] = [
        ("1: ", "'c'", "group", "nobody"),
        ("2: ",),
        ("3: ", "'b'", "'c'"),
        ("4: ", "'b'"),
        ("5: ",),
        ("6: ", "video"),
        ("7: ", "'e'", "media/none.mp4"),
        ("8: ", "'f'", "end_frame"),
        ("8: ", "'f'", "regions.0"),
    ]
    assert len(errors) == len(expected)
    for error, (line, *data) in zip(errors, expected, strict=True):
        assert error.startswith(f"items.jsonl:{line}")
        assert_carries(error, *data)
    (warning,) = [message for level, message in found if level == Severity.WARNING]
    assert_carries(warning, "media", 2, "odd.mp4")


def test_unused_media_alone_is_a_warning(make: Make, video: bytes) -> None:
    ((level, message),) = findings(make([ITEM], media={"a.mp4": video, "b.mp4": video}))
    assert level == Severity.WARNING
    assert_carries(message, "media", 1, "b.mp4")


NOT_A_DATASET = {
    "header": (json.dumps(HEADER | {"kind": "film"}).encode(), [ITEM], ("dataset.json", "kind")),
    "no items file": (json.dumps(HEADER).encode(), None, ("items.jsonl",)),
    "no item": (json.dumps(HEADER).encode(), [], ("items.jsonl",)),
}


def test_what_is_no_dataset_is_one_error(make: Make) -> None:
    for folder, name, (header, items, expected) in folder_names(NOT_A_DATASET):
        with case(name):
            ((level, message),) = findings(make(items, header=header, media={}, folder=folder))
            assert level == Severity.ERROR
            assert_carries(message, *expected)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    ((level, message),) = [(one.severity, str(one)) for one in check_folder(tmp_path / "nowhere")]
    assert level == Severity.ERROR
    assert_carries(message, tmp_path / "nowhere")


BOXES = {
    "screen": (
        {
            "width": 64,
            "height": 48,
            "elements": [{"id": "e", "box": box(60, 0, 70, 5)}],
            "regions": [{"id": "r", "box": box(0, 0, 1.5, 1, space="unit")}],
        },
        [("'e'", "[60, 0, 70, 5]"), ("'r'", "[0, 0, 1.5, 1]")],
    ),
    "outcome": (
        {"target": box(0, 0, 2000, 5, space="mille"), "action": "click", "sentence": "It opens."},
        [("[0, 0, 2000, 5]", "mille")],
    ),
    "choice": (
        {"target": box(0, 0, 5, 480), "question": "What?", "options": [{"text": "a"}, {"text": "b"}], "answers": [0]},
        [("[0, 0, 5, 480]",)],
    ),
}


def test_boxes_of_every_kind_are_checked(make: Make, image: bytes) -> None:
    for kind, (record, expected) in BOXES.items():
        items = [{"id": "a", "image": "media/a.png"} | record]
        root = make(items, header=HEADER | {"kind": kind}, media={"a.png": image}, folder=kind)
        messages = [message for _, message in findings(root)]
        assert len(messages) == len(expected)
        for message, data in zip(messages, expected, strict=True):
            assert message.startswith("items.jsonl:1: ")
            assert_carries(message, "'a'", "64x48", *data)
