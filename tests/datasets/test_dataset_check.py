"""Checking a dataset: everything that is wrong, at once, each with its place."""

import json
from pathlib import Path
from typing import Any

import pytest
from dataset_samples import HEADER, Make

from affordance.datasets.check import Level, check

ITEM = {"id": "a", "video": "media/a.mp4"}


def findings(root: Path) -> list[tuple[str, str]]:
    found = [(str(one.level), one.message.replace(str(root), "").lstrip("/")) for one in check(root)]
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


@pytest.mark.parametrize("items", FINE.values(), ids=FINE.keys())
def test_nothing_wrong(make: Make, items: list[dict[str, Any]]) -> None:
    assert findings(make(items)) == []


WRONG = {
    "missing video": ({"video": "media/b.mp4"}, "needs 'media/b.mp4', found no such file"),
    "end outside": ({"start_frame": 3, "end_frame": 12}, "expected end_frame from 0 to 11, found 12"),
    "frames too many": ({"motion": motion(13, 13)}, "motion tells of 13 frames, found 12 in the video"),
    "boxes too few": ({"motion": motion(12, 11)}, "mover '0:#it': expected a box for each frame to the last, found 11"),
    "box to the right": ({"regions": [box(0, 0, 65, 48)]}, "regions.0 [0, 0, 65, 48] (pixel) is not inside its 64x48"),
    "box below": ({"regions": [box(0, 0, 64, 49)]}, "regions.0 [0, 0, 64, 49] (pixel) is not inside its 64x48"),
    "box to the left": ({"regions": [box(-2, 0, 5, 5)]}, "regions.0 [-2, 0, 5, 5] (pixel) is not inside its 64x48"),
    "thousandths taken for shares": (
        {"regions": [box(0, 0, 1, 1), box(0, 0, 500, 500, space="unit")]},
        "regions.1 [0, 0, 500, 500] (unit) is not inside its 64x48",
    ),
    "dangling link": (
        {"links": [{"kind": "twin", "to": "z"}]},
        "its twin link goes to 'z', which is not in the dataset",
    ),
}


@pytest.mark.parametrize(("change", "expected"), WRONG.values(), ids=WRONG.keys())
def test_one_thing_wrong(make: Make, change: dict[str, Any], expected: str) -> None:
    root = make([ITEM, ITEM | {"id": "b"} | change])
    ((level, message),) = findings(root)
    assert level == Level.ERROR
    assert message.startswith("items.jsonl:2: item 'b'")
    assert expected in message


UNDECODABLE = {"empty": b"", "text": b"hello", "noise": bytes(range(256)) * 40}


@pytest.mark.parametrize("content", UNDECODABLE.values(), ids=UNDECODABLE.keys())
def test_a_video_that_is_none(make: Make, content: bytes, video: bytes) -> None:
    root = make([ITEM, ITEM | {"id": "b", "video": "media/b.mp4"}], media={"a.mp4": video, "b.mp4": content})
    ((level, message),) = findings(root)
    assert level == Level.ERROR
    assert message.startswith("items.jsonl:2: item 'b'")
    assert "media/b.mp4" in message


def test_a_video_that_was_cut(make: Make, video: bytes) -> None:
    ((level, message),) = findings(make([ITEM], media={"a.mp4": video[: len(video) * 2 // 3]}))
    assert level == Level.ERROR
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
    errors = sorted(message for level, message in found if level == Level.ERROR)
    starts = [
        "items.jsonl:1: item 'c': its group link",
        "items.jsonl:2: expected JSON",
        "items.jsonl:3: items must be sorted by id",
        "items.jsonl:4: this id is there twice",
        "items.jsonl:5: expected a JSON object, found nothing",
        "items.jsonl:6: video: expected a relative path",
        "items.jsonl:7: item 'e' needs",
        "items.jsonl:8: item 'f': expected end_frame",
        "items.jsonl:8: item 'f': regions.0",
    ]
    assert len(errors) == len(starts)
    assert all(error.startswith(start) for error, start in zip(errors, starts, strict=True)), errors
    (warning,) = [message for level, message in found if level == Level.WARNING]
    assert warning == "media: 2 files that no item names, the first 'odd.mp4'"


def test_unused_media_alone_is_a_warning(make: Make, video: bytes) -> None:
    found = findings(make([ITEM], media={"a.mp4": video, "b.mp4": video}))
    assert found == [("warning", "media: 1 files that no item names, the first 'b.mp4'")]


NOT_A_DATASET = {
    "header": (json.dumps(HEADER | {"kind": "film"}).encode(), [ITEM], "dataset.json: kind"),
    "no items file": (json.dumps(HEADER).encode(), None, "expected items.jsonl beside"),
    "no item": (json.dumps(HEADER).encode(), [], "items.jsonl: expected at least one item"),
}


@pytest.mark.parametrize(("header", "items", "expected"), NOT_A_DATASET.values(), ids=NOT_A_DATASET.keys())
def test_what_is_no_dataset_is_one_error(
    make: Make, header: bytes, items: list[dict[str, Any]] | None, expected: str
) -> None:
    root = make(items, header=header, media={})
    ((level, message),) = findings(root)
    assert level == Level.ERROR
    assert expected in message


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    ((level, message),) = [(one.level, one.message) for one in check(tmp_path / "nowhere")]
    assert level == Level.ERROR
    assert "found nothing there" in message


BOXES = {
    "screen": (
        {
            "width": 64,
            "height": 48,
            "elements": [{"id": "e", "box": box(60, 0, 70, 5)}],
            "regions": [{"id": "r", "box": box(0, 0, 1.5, 1, space="unit")}],
        },
        ["element 'e'", "region 'r'"],
    ),
    "outcome": ({"target": box(0, 0, 2000, 5, space="mille"), "action": "click", "sentence": "It opens."}, ["target"]),
    "choice": (
        {"target": box(0, 0, 5, 480), "question": "What?", "options": [{"text": "a"}, {"text": "b"}], "answers": [0]},
        ["target"],
    ),
}


@pytest.mark.parametrize(("kind", "record", "names"), [(k, *v) for k, v in BOXES.items()], ids=BOXES.keys())
def test_boxes_of_every_kind_are_checked(
    make: Make, image: bytes, kind: str, record: dict[str, Any], names: list[str]
) -> None:
    root = make([{"id": "a", "image": "media/a.png"} | record], header=HEADER | {"kind": kind}, media={"a.png": image})
    messages = [message for _, message in findings(root)]
    assert len(messages) == len(names)
    for name, message in zip(names, messages, strict=True):
        assert message.startswith(f"items.jsonl:1: item 'a': {name} ")
        assert "is not inside its 64x48 picture" in message
