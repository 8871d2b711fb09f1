"""The stage: where elements come from, what is kept of them, and that bad input is the screen's failure and no more."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from element_screens import blank, box, cross, labelled, star, state

from affordance.author.elements import finding
from affordance.author.elements.finding import find_elements
from affordance.author.groups.dating import made_of
from affordance.author.records import Elements, Groups, Kind
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Tools
from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Element
from affordance.media.ocr import ocr_available
from author_notes import assert_notes
from errors import assert_carries, raises


def find(screen: ScreenState, extra: Path | None = None, **settings: str) -> tuple[Elements, Groups]:
    result = asyncio.run(find_elements(Tools(settings=settings, extra=extra), screen))
    (first, second) = result.changes
    assert (first.kind, second.kind) == (Kind.ELEMENTS, Kind.CANDIDATES)
    assert first.subject == second.subject == screen.id
    assert isinstance(first.document, Elements)
    assert isinstance(second.document, Groups)
    return first.document, second.document


def toolbar(folder: Path, **changes: Any) -> ScreenState:
    image, boxes = blank(), [box(20 + 50 * n, 20) for n in range(4)]
    for place, at in enumerate(boxes):
        (star, cross)[place % 2](image, at)
    names = ("Bold", "Italic", "Underline", "Strike")
    elements = [
        Element(id=f"e{n}", box=at, role="button", name=name, functionality=f"makes text {name.lower()}")
        for n, (at, name) in enumerate(zip(boxes, names, strict=True))
    ]
    return state(folder, image, elements, **changes)


class TestDom:
    def test_what_the_browser_knows(self, tmp_path: Path) -> None:
        elements, groups = find(toolbar(tmp_path))
        assert elements.source == "dom"
        assert [(one.id, one.role, one.text) for one in elements.elements[:2]] == [
            ("e0", "button", "Bold"),
            ("e1", "button", "Italic"),
        ]
        (group,) = groups.groups  # their names are not on them
        assert [member.id for member in group.members] == ["e0", "e1", "e2", "e3"]
        assert group.members[0].functionality == "makes text bold"

    def test_groups_say_what_they_were_made_of(self, tmp_path: Path) -> None:
        elements, groups = find(toolbar(tmp_path))
        assert groups.of
        assert groups.of == made_of(elements, groups.groups)

    def test_names_that_are_on_them_count(self, tmp_path: Path) -> None:
        image, boxes = blank(), [box(20, 20 + 50 * n, 120, 32) for n in range(3)]
        texts = ("Reply", "Reply all", "Archive")
        for text, at in zip(texts, boxes, strict=True):
            labelled(image, at, text)
        elements = [Element(id=text, box=at, role="button", name=text) for text, at in zip(texts, boxes, strict=True)]
        _, groups = find(state(tmp_path, image, elements))
        assert [[member.id for member in group.members] for group in groups.groups] == [["Reply", "Reply all"]]

    def test_what_is_not_on_the_screen_is_left_out_and_what_reaches_out_is_cut(self, tmp_path: Path) -> None:
        away = Element(id="away", box=box(900, 20), role="button")
        half = Element(id="half", box=Box(CoordinateSpace.UNIT, 0.9, 0.5, 1.1, 0.6), role="button")
        elements, _ = find(state(tmp_path, blank(), [away, half]), source="dom")
        assert [one.box.xyxy for one in elements.elements] == [pytest.approx((720, 300, 800, 360))]
        assert_carries(elements.notes[0], 1)

    def test_a_picture_only(self, tmp_path: Path) -> None:
        with raises(NotThere):
            find(state(tmp_path, blank()), source="dom")


class TestOmniParser:
    def write(self, folder: Path, content: object, name: str = "screen.json") -> Path:
        where = folder / "parsed"
        where.mkdir(exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (where / name).write_text(text, encoding="utf-8")
        return where

    def entry(self, bbox: object, **changes: object) -> dict[str, object]:
        return {"type": "icon", "bbox": bbox, "interactivity": True, "content": "star", "source": "box", **changes}

    def test_ids_are_places_in_the_list_whatever_is_left_out(self, tmp_path: Path) -> None:
        unit = [0.025, 20 / 600, 0.065, 52 / 600]
        entries = [
            self.entry(unit),
            {"type": "icon", "content": "no box"},
            self.entry([0.2, 0.5, 0.1, 0.4], content=None),
            self.entry([0.9, 0.9, 1.2, 0.95]),
            self.entry([100, 20, 300, 80]),
            "nonsense",
            self.entry([0.3, 0.3, "x", 0.4]),
            self.entry([0.3, 0.3, 0.4, 0.4], interactivity=False, content="two\n lines"),
            self.entry([0.3, 0.3, 0.4, True]),
            self.entry([0.3, 0.3, 0.3, 0.4]),
            self.entry(["0.5", 0.5, "0.6", 0.6]),
        ]
        where = self.write(tmp_path, entries)
        elements, groups = find(state(tmp_path, blank()), where)
        assert elements.source == "omniparser"
        assert [one.id for one in elements.elements] == ["0", "2", "3", "7", "10"]
        assert elements.elements[0].box.xyxy == pytest.approx((20, 20, 52, 52))
        assert elements.elements[1].box.xyxy == pytest.approx((80, 240, 160, 300))
        assert elements.elements[2].box.xyxy == pytest.approx((720, 540, 800, 570))
        assert (elements.elements[3].text, elements.elements[3].interactive) == ("two lines", False)
        entries_of_notes = ("1, 5, 6, 8", "2", "3", "4, 9", "10")
        assert_notes(elements.notes, *[("screen.json", which) for which in entries_of_notes], ("5", "5"))
        assert ["7"] in [one.members for one in groups.rejected]

    def test_a_file_is_found_by_where_the_picture_is_from(self, tmp_path: Path) -> None:
        where = self.write(tmp_path, [self.entry([0.1, 0.1, 0.2, 0.2])], "first shot.json")
        elements, _ = find(state(tmp_path, blank(), source="downloads/first shot.jpeg"), where, source="omniparser")
        assert len(elements.elements) == 1

    def test_captured_truth_comes_first_and_pixels_last(self, tmp_path: Path) -> None:
        where = self.write(tmp_path, [self.entry([0.1, 0.1, 0.2, 0.2])])
        assert find(toolbar(tmp_path), where)[0].source == "dom"
        assert find(toolbar(tmp_path), where, source="omniparser")[0].source == "omniparser"
        assert find(state(tmp_path, blank(), name="other"), where)[0].source == "vision"

    @pytest.mark.parametrize(
        ("content", "found"),
        [
            pytest.param("", "", id="empty"),
            pytest.param("[{", "", id="truncated"),
            pytest.param("{}", "", id="no list"),
            pytest.param("[NaN]", "NaN", id="no number"),
            pytest.param([[1, 2, 3, 4]], "", id="nothing to use"),
            pytest.param("[" * 100, "", id="deep"),
        ],
    )
    def test_a_file_that_cannot_be_used_is_named(self, tmp_path: Path, content: object, found: str) -> None:
        where = self.write(tmp_path, content)
        with raises(NotThere, "screen.json", found):
            find(state(tmp_path, blank()), where)

    def test_no_file(self, tmp_path: Path) -> None:
        with raises(NotThere, "screen.json", tmp_path):
            find(state(tmp_path, blank()), tmp_path, source="omniparser")
        with raises(NotThere):
            find(state(tmp_path, blank()), source="omniparser")

    def test_all_elements_are_found_and_the_first_are_compared(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(finding, "MOST", 30)
        entries = [self.entry([n / 50, 0.1, n / 50 + 0.015, 0.2], content=f"word{n}") for n in range(40)]
        image = blank()
        image[::3] = 90
        elements, _ = find(state(tmp_path, image), self.write(tmp_path, entries))
        assert len(elements.elements) == 40
        assert_notes(elements.notes, (30, 40))


class TestVision:
    def test_what_looks_operable(self, tmp_path: Path) -> None:
        image = blank()
        boxes = [box(60, 60 + 90 * n, 140, 36) for n in range(3)]
        for at in boxes:
            labelled(image, at, "Open it")
        elements, groups = find(state(tmp_path, image), source="vision")
        found = [one for one in elements.elements if one.role in ("button", "field")]
        assert [max(one.box.iou(at) for one in found) > 0.8 for at in boxes] == [True] * 3
        assert [len(group.members) for group in groups.groups if group.members[0].id in {one.id for one in found}] == [
            3
        ]
        assert all(one.interactive for one in found)
        assert_notes(elements.notes, *([] if ocr_available() else [("affordance[ocr]",)]))

    def test_the_same_every_time(self, tmp_path: Path) -> None:
        screen = toolbar(tmp_path)
        assert find(screen, source="vision") == find(screen, source="vision")

    @pytest.mark.parametrize("size", [(1, 1), (2, 900), (9, 9), (60, 40)])
    def test_tiny_pictures(self, tmp_path: Path, size: tuple[int, int]) -> None:
        elements, groups = find(state(tmp_path, blank(*size)), source="vision")
        assert elements.elements == []
        assert groups.groups == []


@pytest.mark.parametrize("content", [b"", b"\x89PNG nothing", None], ids=["empty", "corrupt", "gone"])
def test_a_picture_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    screen = toolbar(tmp_path)
    if content is None:
        screen.path.unlink()
    else:
        screen.path.write_bytes(content)
    with raises(NotThere):
        find(screen)


def test_another_picture_than_the_project_knows(tmp_path: Path) -> None:
    with raises(NotThere, "400x300", "800x600"):
        find(state(tmp_path, blank(), width=400, height=300))


@pytest.mark.parametrize(
    ("settings", "data"),
    [
        ({"source": "html"}, ("'html'",)),
        ({"likeness": "high"}, ("likeness", 0, 1, "'high'")),
        ({"likeness": "nan"}, ("likeness", "'nan'")),
        ({"descriptor": "nowhere.onnx"}, ("nowhere.onnx",)),
    ],
)
def test_wrong_settings(tmp_path: Path, settings: dict[str, str], data: tuple[object, ...]) -> None:
    with raises(UserError, *data):
        find(toolbar(tmp_path), **settings)


def test_likeness_can_be_set(tmp_path: Path) -> None:
    _, groups = find(toolbar(tmp_path), likeness="0.99")
    assert [[member.id for member in group.members] for group in groups.groups] == [["e0", "e2"], ["e1", "e3"]]
    assert_carries(groups.by, "0.99", 60)
