"""`author classify`: types of regions, asked for, inherited, or by rules."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.records import RegionType, Validation
from affordance.author.regions.classifying import classify
from affordance.author.regions.type_answers import FRAGMENTS, OTHER, TypeAnswer, known_type, listed, read_type
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Result, Unasked
from affordance.core.media_spec import ImageSpec
from affordance.datasets import Screen
from affordance.datasets.taxonomies import REGION_CATEGORY_OF, REGION_TYPES
from affordance.media import decode_image
from author_notes import assert_notes
from author_region_answers import answer
from author_stage import Answer, Part, box, carry_out, drawn
from errors import assert_carries, raises

PARTS = {
    "1-0": Part((0, 0, 640, 40), type="bar"),
    "1-1": Part((0, 40, 160, 400), type="column"),
    "1-2": Part((160, 40, 640, 400), type="block"),
    "2-0": Part((170, 60, 630, 100), "1-2", type="row"),
    "2-1": Part((170, 110, 630, 116), "1-2", type="row"),
    "3-0": Part((180, 70, 220, 95), "2-0"),
}


def said(**fields: Any) -> str:
    return json.dumps(fields)


def types(result: Result) -> dict[str, RegionType]:
    found = {}
    for change in result.changes:
        assert isinstance(change.document, RegionType)
        found[change.subject.removeprefix("one/")] = change.document
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (said(type="Tab Bar", subtype="", confidence=0.9), TypeAnswer("Tab Bar", "", 0.9)),
        (said(type="Form", subtype="sign-up", confidence="85%"), TypeAnswer("Form", "sign-up", 0.85)),
        (said(type="Form", confidence=70), TypeAnswer("Form", "", 0.7)),
        (said(type="Form", confidence="high"), TypeAnswer("Form")),
        (said(type="Form", confidence=True), TypeAnswer("Form")),
        (said(type="Form", confidence=-3), TypeAnswer("Form")),
        (said(TYPE="Form"), TypeAnswer("Form")),
        (said(type="Other", subtype="on-screen keyboard"), TypeAnswer(OTHER, "on-screen keyboard")),
        (said(type="other: Timeline"), TypeAnswer(OTHER, "Timeline")),
        (said(type="Other (ruler)", subtype="n/a"), TypeAnswer(OTHER, "ruler")),
        ('<think>{"type": "Footer"}</think>' + said(type="Form"), TypeAnswer("Form")),
    ],
)
def test_answers(text: str, expected: TypeAnswer) -> None:
    assert read_type(text, leaf=False) == expected


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("header/top bar", "Header / Top Bar"),
        ("  Header /  Top  Bar. ", "Header / Top Bar"),
        ("Toast", "Notification / Toast / Alert Banner"),
        ("Global Navigation & Structure: Tab Bar", "Tab Bar"),
        ("Content & Data Display > Map View", "Map View"),
        ("**Status bar**", "Status Bar"),
    ],
)
def test_a_type_spelt_otherwise_is_read_and_noted(name: str, meant: str) -> None:
    read = read_type(said(type=name), leaf=False)
    assert isinstance(read, TypeAnswer)
    assert read.type == meant
    assert_notes(read.repairs, (repr(name.strip()), repr(meant)))


def test_a_line_instead_of_json_is_read_and_noted() -> None:
    read = read_type("The picture shows rows.\n**Type:** Card / Item List", leaf=False)
    assert isinstance(read, TypeAnswer)
    assert (read.type, bool(read.repairs)) == ("Card / Item List", True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ""),
        ("I cannot tell.", "'I cannot tell.'"),
        (said(type="Tab"), "'Tab'"),  # of a browser, or a tab bar?
        (said(type="Region"), "'Region'"),
        (said(type="Other"), "subtype"),
        (said(type=None), ""),
        (said(type=["Form"]), ""),
        (said(kind="Form"), ""),
        (said(type="Text Fragment"), "'Text Fragment'"),
        (said(type="Navigation of sorts"), "'Navigation of sorts'"),
    ],
)
def test_answers_that_cannot_be_used(text: str, found: str) -> None:
    read = read_type(text, leaf=False)
    assert isinstance(read, str)
    assert_carries(read, found)


@settings(max_examples=40)
@given(st.sampled_from(sorted(REGION_CATEGORY_OF)), st.booleans(), st.sampled_from(["", " ", "  "]))
def test_every_type_is_known_whatever_its_case_and_spacing(name: str, upper: bool, space: str) -> None:
    spelt = (name.upper() if upper else name.lower()).replace(" / ", f"{space}/{space}")
    assert known_type(spelt, leaf=True) == name
    assert known_type(spelt, leaf=False) == (None if name in FRAGMENTS else name)


@settings(max_examples=50)
@given(st.text() | st.text(alphabet='{}[]":, type/Other0.5'))
def test_nothing_else_comes_out_of_any_text(text: str) -> None:
    read = read_type(text, leaf=True)
    if isinstance(read, TypeAnswer):
        assert read.type in REGION_CATEGORY_OF or (read.type == OTHER and read.subtype)
        assert read.confidence is None or 0 <= read.confidence <= 1


def test_only_leaves_are_shown_the_types_of_fragments() -> None:
    assert all(name in listed(True) for names in REGION_TYPES.values() for name in names)
    assert not any(name in listed(False) for name in FRAGMENTS)


def test_each_region_is_asked_about_with_its_crop(tmp_path: Path) -> None:
    seen: list[tuple[int, ...]] = []

    def reply(text: str, images: list[bytes]) -> str:
        seen.append(decode_image(images[0]).shape)
        return said(type="Form", subtype="", confidence=0.8)

    ended = carry_out(classify, "classify", drawn(tmp_path, PARTS), reply)
    found = types(ended.result)
    assert list(found) == ["1-0", "1-1", "1-2", "2-0", "2-1", "3-0"]  # not the screen itself
    assert found["1-0"] == RegionType(type="Form", confidence=0.8, by="test:model", box=box(0, 0, 640, 40))
    assert found["2-1"] == RegionType(
        type="Form", confidence=0.8, inherited="1-2", by="test:model", box=box(170, 110, 630, 116)
    )
    assert_notes(ended.result.notes, ("2-1", 10, "1-2"))
    assert sorted(seen) == sorted([(40, 640, 3), (360, 160, 3), (360, 480, 3), (40, 460, 3), (25, 40, 3)])
    for ask in ended.asked:
        text, picture = ask.messages[0].parts
        assert isinstance(text, str)
        assert isinstance(picture, ImageSpec)
        assert picture.max_side == 1600
        assert ("Text Fragment" in text) == (
            picture.crop in (box(0, 0, 640, 40), box(0, 40, 160, 400), box(180, 70, 220, 95))
        )


def test_what_no_answer_can_be_had_of_inherits(tmp_path: Path) -> None:
    def reply(text: str, images: list[bytes]) -> str:
        small = decode_image(images[0]).shape == (25, 40, 3)
        return said(type="Button", confidence=1) if small else "no idea"

    ended = carry_out(classify, "classify", drawn(tmp_path, PARTS), reply)
    found = types(ended.result)
    assert [(node, one.type, one.inherited) for node, one in found.items()] == [
        ("1-0", OTHER, None),
        ("1-1", OTHER, None),
        ("1-2", "Button", "3-0"),  # nothing above has a type of its own, and nothing nearer below
        ("2-0", "Button", "3-0"),
        ("2-1", OTHER, None),
        ("3-0", "Button", None),
    ]
    assert len(ended.asked) == 1 + 4 * 3
    assert sorted({float(str(ask.parameters["temperature"])) for ask in ended.asked}) == [0.0, 0.4]
    assert_carries(ended.result.notes[0], "1-0")


def test_only_what_has_no_type_of_its_box(tmp_path: Path) -> None:
    screen = drawn(tmp_path, PARTS)
    boxes = {node: region.box for node, region in screen.regions.items()}
    standing = {
        "1-0": RegionType(type="Footer", by="person:ann"),
        "1-1": RegionType(type="Form", by="a model", box=boxes["1-1"]),
        "1-2": RegionType(type="Form", by="a model", box=box(0, 0, 9, 9)),  # corrected since
        "2-0": RegionType(type="Form", by="layout", box=boxes["2-0"]),
        "3-0": RegionType(type="Form", by="a model", inherited="2-0", box=boxes["3-0"]),
    }
    screen = replace(screen, types=standing, validations={"2-1": _rejection()})

    def reply(text: str, images: list[bytes]) -> str:
        return said(type="Button")

    assert list(types(carry_out(classify, "classify", screen, reply).result)) == ["1-2", "2-0", "3-0"]
    assert list(types(carry_out(classify, "classify", screen).result)) == ["1-2"]
    every = carry_out(classify, "classify", screen, reply, {"all": "yes"})
    assert list(types(every.result)) == ["1-0", "1-1", "1-2", "2-0", "3-0"]  # not what people rejected


def test_a_provider_that_fails_leaves_the_screen_pending(tmp_path: Path) -> None:
    asked = []

    def reply(text: str, images: list[bytes]) -> str | None:
        asked.append(text)
        return None if len(asked) == 1 else said(type="Form")

    with raises(Unasked, "went away"):
        carry_out(classify, "classify", drawn(tmp_path, PARTS), reply)
    assert len(asked) == 5  # the others were asked and are kept


@pytest.mark.parametrize("model", [None, answer])
def test_again(tmp_path: Path, model: Answer | None) -> None:
    screen = drawn(tmp_path, PARTS)
    said_before = {node: RegionType(type="Form", by="test:other", box=screen.regions[node].box) for node in PARTS}
    screen = replace(screen, types=said_before)
    assert carry_out(classify, "classify", screen, model).result == Result()
    assert list(types(carry_out(classify, "classify", screen, model, again=True).result)) == list(PARTS)


def test_a_screen_without_regions(tmp_path: Path) -> None:
    with raises(NotThere, "divide"):
        carry_out(classify, "classify", replace(drawn(tmp_path, {}), regions={}))
    assert carry_out(classify, "classify", drawn(tmp_path, {})).result == Result()


def test_without_a_model_by_place_and_word(tmp_path: Path) -> None:
    found = types(carry_out(classify, "classify", drawn(tmp_path, PARTS)).result)
    assert [(node, one.type, one.by) for node, one in found.items()] == [
        ("1-0", "Header / Top Bar", "layout"),
        ("1-1", "Sidebar / Side Navigation", "layout"),
        ("1-2", "Main Content Area", "layout"),
        ("2-0", "Card / Item List", "layout"),
        ("2-1", "Card / Item List", "layout"),
        ("3-0", OTHER, "layout"),
    ]
    assert found["3-0"].confidence is None


@pytest.mark.parametrize(
    ("size", "xyxy", "expected"),
    [
        ((1280, 800), (0, 780, 1280, 800), "Status Bar"),
        ((1280, 800), (0, 700, 1280, 800), "Footer"),
        ((400, 800), (0, 740, 400, 800), "Tab Bar"),
        ((1280, 800), (1000, 60, 1280, 800), "Sidebar / Side Navigation"),
        ((1280, 800), (600, 300, 700, 360), OTHER),
    ],
)
def test_bars_and_columns(
    tmp_path: Path, size: tuple[int, int], xyxy: tuple[float, float, float, float], expected: str
) -> None:
    screen = drawn(tmp_path, {"1-0": Part(xyxy)}, size)
    assert types(carry_out(classify, "classify", screen).result)["1-0"].type == expected


def test_without_a_model_by_the_page(tmp_path: Path) -> None:
    screen = _captured(drawn(tmp_path, PARTS))
    found = types(carry_out(classify, "classify", screen).result)
    assert [(node, one.type, one.by) for node, one in found.items()][:4] == [
        ("1-0", "Breadcrumbs", "dom"),
        ("1-1", "Sidebar / Side Navigation", "dom"),
        ("1-2", "Main Content Area", "layout"),  # a `region` could be anything
        ("2-0", "Search Region", "dom"),
    ]
    assert (found["3-0"].type, found["3-0"].by) == ("Button", "dom")
    assert found["1-1"].confidence == 0.7


def test_a_model_that_keeps_to_the_prompt(tmp_path: Path) -> None:
    """The answers that other tests build on are usable, but for one kind."""
    rng = np.random.default_rng(0)
    parts = {
        f"1-{n}": Part(
            (n % 8 * 80, n // 8 * 50, n % 8 * 80 + 60, n // 8 * 50 + 30), colour=tuple(rng.integers(0, 255, 3).tolist())
        )
        for n in range(60)
    }
    ended = carry_out(classify, "classify", drawn(tmp_path, parts), answer)
    found = types(ended.result)
    assert len(found) == 60
    unusable = [node for node, one in found.items() if one.type == OTHER and not one.subtype]
    assert 0 < len(unusable) < 15
    assert all(any(node in note for note in ended.result.notes) for node in unusable)
    assert any(one.type == OTHER and one.subtype for one in found.values())
    assert {one.type for one in found.values()} <= {*REGION_CATEGORY_OF, OTHER}


def _rejection() -> Validation:
    return Validation(contextual=True, purposeful=True, truthful=False, rejected=True)


def _captured(screen: ScreenState) -> ScreenState:
    def shape(*xyxy: float) -> dict[str, Any]:
        return {"space": "pixel", "xyxy": list(xyxy)}

    regions = [
        {"id": "a", "box": shape(0, 0, 640, 41), "type": "navigation", "description": "Breadcrumb trail"},
        {"id": "b", "box": shape(0, 40, 160, 400), "type": "navigation", "description": "Main"},
        {"id": "c", "box": shape(160, 40, 640, 400), "type": "region", "description": "Mail"},
        {"id": "d", "box": shape(170, 60, 630, 100), "type": "search"},
    ]
    elements = [{"id": "e", "box": shape(180, 70, 220, 95), "role": "button", "name": "Go"}]
    page = {"id": "one", "image": "media/screen.png", "width": 640, "height": 400}
    return replace(screen, captured=Screen.model_validate({**page, "regions": regions, "elements": elements}))
