"""Our folder format: what is read comes back as it was, and what is wrong is told with its place."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from dataset_samples import HEADER, Make
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import DataError, UnknownName
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Clip, DatasetHeader, load_dataset, load_folder, spec_path, write_folder
from affordance.datasets.folder import ITEM_TYPES
from cases import case, folder_names
from errors import assert_carries

ITEM = {"id": "a", "video": "media/a.mp4"}
LINE = json.dumps(ITEM).encode()

RICH = {
    "id": "a",
    "links": [{"kind": "twin", "to": "a", "note": "of itself"}],
    "video": "media/a.mp4",
    "context": "Größe – 寸法 \u2028 🎬",
    "inputs": [{"summary": "tap", "modality": ["touch"], "finger": "left"}],
    "regions": [{"space": "unit", "xyxy": [0, 0.25, 1, 1]}],
    "start_frame": 0,
    "end_frame": 5,
    "unknown": {"deep": [1, 2.5, None, True, {"x": "y"}]},
}


def complaint(root: Path) -> str:
    """What is wrong with a folder, without its path."""
    with pytest.raises(DataError) as raised:
        load_folder(root)
    message = str(raised.value)
    assert raised.value.path in (root, *root.iterdir())
    assert len(message.replace(str(root), "")) < 250
    return message.replace(str(root), "").lstrip("/")


def assert_complaint(root: Path, place: str, *data: object) -> None:
    found = complaint(root)
    assert found.startswith(f"{place}: ")
    assert_carries(found.removeprefix(f"{place}: "), *data)


def test_reads(make: Make) -> None:
    dataset = load_folder(make([RICH]))
    (clip,) = dataset.items
    assert isinstance(clip, Clip)
    assert dataset.name == "few"
    assert clip.regions == [Box(CoordinateSpace.UNIT, 0, 0.25, 1, 1)]
    assert clip.links[0].to == "a"
    assert dataset.media_path(clip.video).is_file()


def test_a_round_trip_keeps_what_we_do_not_know(make: Make, tmp_path: Path) -> None:
    header = HEADER | {"homepage": "https://example.org", "authors": [{"name": "x"}]}
    root = make([RICH, ITEM | {"id": "b", "score": 1.5}], header=header)
    dataset = load_folder(root)
    copy = tmp_path / "copy"
    shutil.copytree(root / "media", copy / "media")
    write_folder(copy, dataset.header, dataset.items)
    assert json.loads((copy / "dataset.json").read_text()) == header
    lines = (copy / "items.jsonl").read_bytes().split(b"\n")
    assert [json.loads(line) for line in lines[:-1]] == [RICH, ITEM | {"id": "b", "score": 1.5}]
    assert lines[-1] == b""
    again = load_folder(copy)
    assert (again.items, again.digest()) == (dataset.items, dataset.digest())


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
unknown = st.dictionaries(
    st.text(min_size=1).filter(lambda name: name not in Clip.model_fields and not name.startswith("model_")), values
)


@settings(max_examples=40)
@given(extra=unknown, identity=st.text(min_size=1))
def test_any_unknown_field_makes_the_round_trip(
    tmp_path_factory: pytest.TempPathFactory, extra: dict[str, Any], identity: str
) -> None:
    root = tmp_path_factory.mktemp("trip")
    (root / "media").mkdir()
    (root / "media" / "a.mp4").touch()
    item = {"id": identity, "video": "media/a.mp4", **extra}
    write_folder(root, DatasetHeader(**HEADER), [Clip.model_validate(item)])
    dataset = load_folder(root)
    assert dataset.items[0].model_dump(mode="json", exclude_unset=True) == item
    assert dataset.digest() == load_folder(root).digest()


def test_writing_sorts_by_id(make: Make) -> None:
    root = make([ITEM])
    clips = [Clip.model_validate(ITEM | {"id": name}) for name in ("b", "a", "B", "10", "9")]
    write_folder(root, load_folder(root).header, clips)
    assert [item.id for item in load_folder(root).items] == ["10", "9", "B", "a", "b"]


TOLERATED = {
    "CRLF line ends": LINE + b"\r\n",
    "no line end at the end": LINE,
    "white space around": b"  " + LINE + b" \t\n",
    "line separators inside of strings": '{"id": "a", "video": "media/a.mp4", "x": "\u2028\u0085"}\n'.encode(),
    "escaped pairs": rb'{"id": "a", "video": "media/a.mp4", "x": "\ud83c\udfac"}',
    "null for what may be left out": b'{"id": "a", "video": "media/a.mp4", "effect": null}',
}


def test_tolerates(make: Make) -> None:
    for folder, name, items in folder_names(TOLERATED):
        with case(name):
            assert [item.id for item in load_folder(make(items, folder=folder)).items] == ["a"]


def item(**changes: Any) -> bytes:
    return json.dumps(ITEM | changes).encode()


BROKEN_LINES = {
    "blank line in between": (LINE + b"\n\n" + item(id="b"), ("items.jsonl:2",)),
    "blank line at the end": (LINE + b"\n\n", ("items.jsonl:2",)),
    "byte order mark": (b"\xef\xbb\xbf" + LINE, ("items.jsonl:1",)),
    "not UTF-8": (LINE + b'\n{"id": "\xff"}', ("items.jsonl:2", "0xff", 9)),
    "UTF-16": (LINE.decode().encode("utf-16"), ("items.jsonl:1",)),
    "cut": (LINE[:-5], ("items.jsonl:1",)),
    "two values": (LINE + LINE, ("items.jsonl:1",)),
    "trailing comma": (b'{"id": "a",}', ("items.jsonl:1",)),
    "single quotes": (b"{'id': 'a'}", ("items.jsonl:1",)),
    "NaN": (b'{"id": "a", "video": "media/a.mp4", "x": NaN}', ("items.jsonl:1", "NaN")),
    "infinity": (
        b'{"id": "a", "video": "media/a.mp4", "x": -Infinity}',
        ("items.jsonl:1", "Infinity"),
    ),
    "number too large": (
        b'{"id": "a", "video": "media/a.mp4", "x": 1e999}',
        ("items.jsonl:1", "1e999"),
    ),
    "number too long": (
        b'{"id": "a", "x": ' + b"9" * 5000 + b"}",
        ("items.jsonl:1", "5000"),
    ),
    "half of a pair": (rb'{"id": "a", "video": "media/a.mp4", "x": "\ud83c"}', ("items.jsonl:1",)),
    "deep": (
        item()[:-1] + b', "x": ' + b"[" * 100 + b"]" * 100 + b"}",
        ("items.jsonl:1", "64"),
    ),
    "an abyss": (
        b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        ("items.jsonl:1", "64"),
    ),
    "list": (b"[1, 2]", ("items.jsonl:1", "[1, 2]")),
    "string": (b'"a"', ("items.jsonl:1", "a")),
    "null": (b"null", ("items.jsonl:1", "None")),
    "prose": (b"hello", ("items.jsonl:1",)),
    "nothing required": (b"{}", ("items.jsonl:1", "id", 1)),
    "no id": (b'{"video": "media/a.mp4"}', ("items.jsonl:1", "id")),
    "empty id": (item(id=""), ("items.jsonl:1", "id")),
    "id of the wrong type": (item(id=7), ("items.jsonl:1", "id", 7)),
    "no video": (b'{"id": "a"}', ("items.jsonl:1", "video")),
    "bool for a number": (item(start_frame=True), ("items.jsonl:1", "start_frame")),
    "text for a number": (item(start_frame="3"), ("items.jsonl:1", "start_frame")),
    "negative frame": (item(start_frame=-1), ("items.jsonl:1", "start_frame")),
    "frames in the wrong order": (item(start_frame=5, end_frame=4), ("items.jsonl:1", "start_frame", "end_frame")),
    "unknown link": (
        item(links=[{"kind": "friend", "to": "b"}]),
        ("items.jsonl:1", "links.0.kind", "variant"),
    ),
    "bare numbers for a box": (item(regions=[[0, 0, 1, 1]]), ("items.jsonl:1", "regions.0", "{")),
    "box with a word too many": (
        item(regions=[{"space": "unit", "xyxy": [0, 0, 1, 1], "x": 1}]),
        ("items.jsonl:1", "regions.0", "{"),
    ),
    "box in unknown space": (
        item(regions=[{"space": "inch", "xyxy": [0, 0, 1, 1]}]),
        ("items.jsonl:1", "regions.0", "inch"),
    ),
    "box with a list for a space": (
        item(regions=[{"space": ["unit"], "xyxy": [0, 0, 1, 1]}]),
        ("items.jsonl:1", "regions.0", "pixel", "unit", "mille"),
    ),
    "box of three numbers": (
        item(regions=[{"space": "unit", "xyxy": [0, 0, 1]}]),
        ("items.jsonl:1", "regions.0", "xyxy"),
    ),
    "box of words": (item(regions=[{"space": "unit", "xyxy": "0011"}]), ("items.jsonl:1", "regions.0", "xyxy")),
    "box of bools": (
        item(regions=[{"space": "unit", "xyxy": [True, 0, 1, 1]}]),
        ("items.jsonl:1", "regions.0", "xyxy"),
    ),
    "box inside out": (
        item(regions=[{"space": "unit", "xyxy": [1, 0, 0, 1]}]),
        ("items.jsonl:1", "regions.0"),
    ),
    "id twice": (LINE + b"\n" + LINE, ("items.jsonl:2", "a")),
    "wrong order": (item(id="b") + b"\n" + LINE, ("items.jsonl:2", "a", "b")),
    "empty file": (b"", ("items.jsonl",)),
    "missing media": (
        LINE + b"\n" + item(id="b", video="media/b.mp4"),
        ("items.jsonl:2", "b", "media/b.mp4"),
    ),
    "a folder for media": (item(video="media"), ("items.jsonl:1", "a", "media")),
}


def test_a_broken_line_is_reported_with_its_number(make: Make) -> None:
    for folder, name, (items, expected) in folder_names(BROKEN_LINES):
        with case(name):
            assert_complaint(make(items, folder=folder), *expected)


def header(**changes: Any) -> bytes:
    return json.dumps(HEADER | changes).encode()


BROKEN_HEADERS = {
    "empty": (b"", ("dataset.json",)),
    "prose": (b"name = few", ("dataset.json",)),
    "cut": (b'{\n  "format": 1,\n  "kind": ', ("dataset.json", "3", "11")),
    "list": (b"[]", ("dataset.json", "[]")),
    "nothing in it": (b"{}", ("dataset.json", "format", 5)),
    "later format": (header(format=2), ("dataset.json", "format", "2")),
    "format as text": (header(format="1"), ("dataset.json", "format", "1")),
    "unknown kind": (
        header(kind="clips"),
        ("dataset.json", "kind", "clip", "pair", "screen", "outcome", "choice"),
    ),
    "no name": (header(name=""), ("dataset.json", "name")),
    "synthetic as text": (
        header(synthetic="yes"),
        ("dataset.json", "synthetic", "yes"),
    ),
    "byte order mark": (b"\xef\xbb\xbf" + header(), ("dataset.json",)),
    "not UTF-8": (b'{"name": "\xe4"}', ("dataset.json", "0xe4", 11)),
    "NaN": (header()[:-1] + b', "x": NaN}', ("dataset.json", "NaN")),
}


def test_a_broken_header_is_reported(make: Make) -> None:
    for folder, name, (text, expected) in folder_names(BROKEN_HEADERS):
        with case(name):
            assert_complaint(make([ITEM], header=text, folder=folder), *expected)


def test_missing_files_and_folders(make: Make, tmp_path: Path) -> None:
    assert_carries(complaint(make()), "items.jsonl", "dataset.json")
    with pytest.raises(DataError) as nowhere:
        load_folder(tmp_path / "nowhere")
    with pytest.raises(DataError) as empty:
        load_folder(tmp_path)
    assert (nowhere.value.path, empty.value.path) == (tmp_path / "nowhere", tmp_path)
    assert_carries(str(empty.value), "dataset.json")


TRAVERSALS = ["../a.mp4", "media/../../a.mp4", "/etc/passwd", "media//a.mp4", "./media/a.mp4", "media/", "", "..", "."]
TRAVERSALS += ["media\\..\\a.mp4", "C:\\a.mp4", "media/a.mp4\0.png", "media/./a.mp4", "media/.."]


def test_a_path_that_could_leave_the_folder_is_refused(make: Make) -> None:
    root = make([ITEM])
    (root.parent / "a.mp4").touch()  # so that it would be found
    for path in TRAVERSALS:
        with case(path):
            (root / "items.jsonl").write_text(json.dumps(ITEM | {"video": path}))
            assert complaint(root).startswith("items.jsonl:1: video: ")


CONTENT_CHANGES: dict[str, dict[str, Any]] = {
    "an item": {"items": [ITEM | {"effect": "fade"}]},
    "an unknown field": {"items": [ITEM | {"x": 1}]},
    "a byte of media": {"media": {"a.mp4": b"other"}},
}


def test_the_digest_follows_the_content(make: Make) -> None:
    usual = {"items": [ITEM], "media": {"a.mp4": b"some"}}
    first = load_folder(make(**usual, folder="first"))
    for folder, name, change in folder_names(CONTENT_CHANGES):
        with case(name):
            assert load_folder(make(**(usual | change), folder=folder)).digest() != first.digest()


def test_the_digest_does_not_follow_the_place(make: Make) -> None:
    first = load_folder(make([ITEM, ITEM | {"id": "b"}], folder="first"))
    same = {"a.mp4": first.media_path("media/a.mp4").read_bytes(), "unused.png": b""}
    reordered = b'{"video":"media/a.mp4","id":"a"}\r\n' + item(id="b")
    second = load_folder(make(reordered, media=same, folder="elsewhere"))
    assert first.digest() == second.digest()


def test_a_spec_is_a_folder(make: Make) -> None:
    root = make([ITEM])
    assert spec_path(str(root)) == root
    assert load_dataset(str(root)).items == load_folder(root).items


def test_an_unknown_format() -> None:
    for spec, name in (("unheard-of:/data", "unheard-of"), ("zip:x", "zip")):
        with pytest.raises(UnknownName) as caught:
            spec_path(spec)
        assert caught.value.found == name
        assert "wiserui" in caught.value.known


def test_a_folder_with_a_colon_in_its_name_is_a_folder(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make([ITEM], folder="v2:final")
    monkeypatch.chdir(root.parent)
    assert load_dataset("v2:final").name == "few"


RECORDS: dict[str, dict[str, Any]] = {
    "clip": {"id": "x", "video": "media/a.mp4"},
    "pair": {"id": "x", "images": ["media/a.png", "media/b.png"], "winner": 1, "votes": [3, 4]},
    "screen": {
        "id": "x",
        "image": "media/a.png",
        "width": 64,
        "height": 48,
        "elements": [{"id": "e", "box": {"space": "pixel", "xyxy": [0, 0, 5, 5]}, "z": 1}],
        "regions": [{"id": "r", "box": {"space": "mille", "xyxy": [0, 0, 500, 500]}, "parent": None}],
    },
    "outcome": {
        "id": "x",
        "image": "media/a.png",
        "target": {"space": "pixel", "xyxy": [0, 0, 5, 5]},
        "action": "click",
        "sentence": "A menu opens.",
    },
    "choice": {
        "id": "x",
        "image": "media/a.png",
        "question": "What?",
        "options": [{"text": "a"}, {"text": "b", "origin": "hard"}],
        "answers": [1],
    },
}


def test_every_kind_of_record_makes_the_round_trip(make: Make) -> None:
    media = dict.fromkeys(("a.png", "b.png", "a.mp4"), b"x")
    for kind in ITEM_TYPES:
        with case(kind):
            record = RECORDS[kind] | {"extra": {"kept": [1]}}
            root = make([record], header=HEADER | {"kind": kind}, media=media, folder=kind)
            dataset = load_folder(root)
            write_folder(root, dataset.header, dataset.items)
            assert json.loads((root / "items.jsonl").read_text()) == record
            assert set(dataset.items[0].media_files()) <= {f"media/{name}" for name in media}


WRONG_RECORDS = {
    "one image": ("pair", {"images": ["media/a.png"]}, ("images",)),
    "three images": ("pair", {"images": ["a", "b", "c"]}, ("images",)),
    "third winner": ("pair", {"winner": 2}, ("winner",)),
    "no width": ("screen", {"width": 0}, ("width",)),
    "no sentence": ("outcome", {"sentence": ""}, ("sentence",)),
    "one option": ("choice", {"options": [{"text": "a"}]}, ("options",)),
    "no answer": ("choice", {"answers": []}, ("answers",)),
    "answer outside": ("choice", {"answers": [2]}, ("[2]",)),
    "answer below": ("choice", {"answers": [-1]}, ("[-1]",)),
}


def test_a_wrong_record_of_any_kind(make: Make) -> None:
    for folder, name, (kind, change, expected) in folder_names(WRONG_RECORDS):
        with case(name):
            root = make([RECORDS[kind] | change], header=HEADER | {"kind": kind}, folder=folder)
            assert_complaint(root, "items.jsonl:1", *expected)


def test_the_digest_stays_what_it_was(make: Make) -> None:
    items = [ITEM, ITEM | {"id": "b", "effect": "fade"}]
    assert load_folder(make(items, media={"a.mp4": b"some"})).digest() == "948a5edeb1d025dc29f1d899bc3269d5"
