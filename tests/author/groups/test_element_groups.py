"""Look-alike elements: verified and described by a model."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.groups.dating import made_of
from affordance.author.groups.element_answers import Answer as Read
from affordance.author.groups.element_answers import Described, read_answers
from affordance.author.groups.element_groups import AT_ONCE
from affordance.author.groups.grouping import group
from affordance.author.records import Detected, Elements, Group, Groups, Kind, Member, Rejected
from affordance.author.state import ScreenState
from affordance.author.tools import Unasked
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import ImageSpec
from affordance.media import decode_image, encode_image
from author_notes import assert_notes
from author_prompts import fields_of
from author_region_answers import answer
from author_stage import Answer, Ended, box, carry_out, drawn
from errors import assert_carries, raises

GROUPS = {1: ["3", "7", "e-9"], 2: ["4", "5"]}


def screen(
    folder: Path,
    groups: Mapping[str, Sequence[str]],
    size: tuple[int, int] = (1000, 500),
    source: Literal["dom", "omniparser", "vision"] = "omniparser",
) -> ScreenState:
    """Elements in a row, each of 40 x 20 pixels, their numbers being their places."""

    def place(name: str) -> Box:
        return box(int(name) * 50, 100, int(name) * 50 + 40, 120)

    names = sorted({name for members in groups.values() for name in members}, key=int)
    elements = Elements(
        source=source, elements=[Detected(id=name, box=place(name), text=f"Save\n{name}") for name in names]
    )
    candidates = Groups(
        groups=[
            Group(id=key, members=[Member(id=name, box=place(name)) for name in members], history=["found by looks"])
            for key, members in groups.items()
        ],
        rejected=[Rejected(members=["1", "2"], stage="text", reason="mostly numbers")],
    )
    return replace(drawn(folder, {}, size), elements=elements, candidates=candidates)


def element(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "detailed desctiption": f"d{name}", "unique functionality": f"f{name}", **more}


def said(index: Any, *elements: Any, similarity: Any = "same icons") -> dict[str, Any]:
    return {"group index": index, "visual_similarity": similarity, "elements": list(elements)}


def of(ended: Ended) -> Groups:
    (change,) = ended.result.changes
    assert (change.kind, change.subject) == (Kind.ELEMENT_GROUPS, "one")
    assert isinstance(change.document, Groups)
    return change.document


def grouped(state: ScreenState, reply: Answer | None = None) -> Groups:
    return of(carry_out(group, "group", state, reply))


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (said(1, element("3"), element("7")), (1, "same icons", ["3", "7"], ())),
        (said("1", element("3"), element("Elem 7")), (1, "same icons", ["3", "7"], ())),
        (said("group 2", {"id": 4}, {"id": 5}), (2, "same icons", ["4", "5"], ())),
        (said(1, element("3"), element("e-9"), element("88")), (1, "same icons", ["3", "e-9"], ("88",))),
        (said(1, element("3"), element("3"), element("7")), (1, "same icons", ["3", "7"], ())),
        (said(1, similarity="They differ."), (1, "They differ.", [], ())),
        (said(1, element("3"), similarity="Only one is there."), (1, "Only one is there.", ["3"], ())),
    ],
)
def test_answers(entry: dict[str, Any], expected: tuple[int, str, list[str], tuple[str, ...]]) -> None:
    read = read_answers(json.dumps([entry]), GROUPS)
    assert isinstance(read, dict)
    ((index, found),) = read.items()
    assert (index, found.similarity, [one.id for one in found.elements], found.unknown) == expected


@pytest.mark.parametrize(
    ("entry", "data"),
    [
        ("group 1", ()),
        (said(9, element("3"), element("7")), ("'group index'", "'9'")),
        (said(True, element("3"), element("7")), ("'group index'",)),
        (said(1, element("3"), element("7"), similarity=""), ("'visual_similarity'",)),
        ({"group index": 1, "visual_similarity": "x"}, ("'elements'",)),
        (said(1, element("3"), element("4")), (1, "'4'")),
        (said(1, "3", "7"), (0,)),
    ],
)
def test_answers_that_cannot_be_used(entry: Any, data: tuple[object, ...]) -> None:
    read = read_answers(json.dumps([entry]), GROUPS)
    assert isinstance(read, str)
    assert_carries(read, *data)


def test_an_element_is_read_with_all_that_is_said_of_it() -> None:
    outcomes = {
        "clicking": " The mail is saved. ",
        "Left-click": "again",
        "right clicking": "A menu opens.",
        "hovering": "N/A",
        "typing": None,
        "wiggling": "It wiggles.",
    }
    entry = element("3", **{"revised bbox": [300, 200, 100, 210], "interaction outcomes": outcomes})
    spelt = {"id": "7", "detailed description": "d7", "unique_functionality": "f7", "revised bbox": [0, 0, 1001, 5]}
    read = read_answers(json.dumps([said(1, entry, spelt)]), GROUPS)
    assert read == {
        1: Read(
            "same icons",
            (
                Described(
                    "3",
                    Box(CoordinateSpace.MILLE, 100, 200, 300, 210),
                    "d3",
                    "f3",
                    {"click": "The mail is saved.", "right click": "A menu opens.", "wiggling": "It wiggles."},
                ),
                Described("7", None, "d7", "f7"),
            ),
        )
    }


KEYS = st.sampled_from(["group index", "visual_similarity", "elements", "id", "revised bbox", "interaction outcomes"])
SCALARS = st.none() | st.integers() | st.text() | st.floats(allow_nan=False)


@settings(max_examples=40)
@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)))
def test_no_json_breaks_the_reader(value: Any) -> None:
    read = read_answers(json.dumps(value), GROUPS)
    assert isinstance(read, str) or set(read) <= set(GROUPS)


def test_without_a_model_groups_stay_as_they_were_found(tmp_path: Path) -> None:
    state = screen(tmp_path, {"a": ["1", "2"]})
    assert state.elements is not None
    assert state.candidates is not None
    of = made_of(state.elements, state.candidates.groups)
    assert grouped(state) == state.candidates.model_copy(update={"of": of})


@pytest.mark.parametrize("asking", [False, True])
def test_candidates_are_brought_up_to_date(tmp_path: Path, asking: bool) -> None:
    """People may have corrected elements since."""
    state = screen(tmp_path, {"a": ["1", "2", "3"], "b": ["4", "5"], "c": ["6", "7"]})
    assert state.elements is not None
    there = [one for one in state.elements.elements if one.id not in ("2", "5")]
    there[0] = there[0].model_copy(update={"box": box(46, 98, 92, 122)})
    there[-1] = there[-1].model_copy(update={"box": box(700, 300, 740, 320)})
    state = replace(state, elements=Elements(source="omniparser", elements=there))

    def reply(text: str, images: list[bytes]) -> str:
        assert "[46, 196, 92, 244]" in text
        return json.dumps([said(1, element("1", **{"revised bbox": [47, 200, 90, 240]}), element("3"))])

    found = grouped(state, reply if asking else None)
    (first,) = found.groups
    assert [member.id for member in first.members] == ["1", "3"]
    assert first.members[0].box == (box(47, 100, 90, 120) if asking else box(46, 98, 92, 122))
    assert_notes(first.history[:2], ("found by looks",), ("2",))
    assert [(one.members, one.stage) for one in found.rejected[-2:]] == [
        (["4", "5"], "out of date"),  # stages are names
        (["6", "7"], "out of date"),
    ]
    assert found.of == made_of(Elements(source="omniparser", elements=there), [first])


def test_groups_are_verified_and_described(tmp_path: Path) -> None:
    state = screen(tmp_path, {"a": ["1", "2", "3"], "b": ["4", "5"], "c": ["6", "7"]})

    def reply(text: str, images: list[bytes]) -> str:
        return json.dumps(
            [
                said(
                    1,
                    element("3", **{"interaction outcomes": {"tapping": "saves"}}),
                    element("1", **{"revised bbox": [48, 196, 92, 240]}),
                    element("99"),
                ),
                said(2, similarity="One is a picture."),
                said(3, element("6"), element("7", **{"revised bbox": [0, 0, 500, 500]})),
            ]
        )

    ended = carry_out(group, "group", state, reply)
    found = of(ended)
    first, third = found.groups
    assert (first.id, first.similarity, first.verified, found.by) == ("a", "same icons", "test:model", "test:model")
    assert [member.id for member in first.members] == ["1", "3"]
    assert first.members[0].box == box(48, 98, 92, 120)
    assert first.members[1] == Member(
        id="3", box=box(150, 100, 190, 120), description="d3", functionality="f3", outcomes={"click": "saves"}
    )
    assert_notes(first.history, ("found by looks",), ("99",), ("2",), ("1",))
    assert third.members[1].box == box(350, 100, 390, 120)  # what the model gives is another place
    assert [(one.members, one.stage, one.reason) for one in found.rejected] == [
        (["1", "2"], "text", "mostly numbers"),
        (["4", "5"], "verification", "One is a picture."),
    ]
    ((text, picture),) = (ask.messages[0].parts for ask in ended.asked)
    assert isinstance(text, str)
    fields = fields_of(text, "group", "elements")
    assert fields is not None
    listed = fields["groups"].splitlines()
    assert_carries(listed[2], "1", "3", "[150, 200, 190, 240]", "Save 3")
    assert listed[3].startswith("2. ")
    assert isinstance(picture, ImageSpec)
    assert picture.max_side == 2560
    assert ended.asked[0].parameters["temperature"] == 0.3
    assert_notes(ended.result.notes, (1, "text"), (1, "verification"))


def test_the_page_knows_where_its_elements_are(tmp_path: Path) -> None:
    state = screen(tmp_path, {"a": ["1", "2"]}, source="dom")
    moved = element("1", **{"revised bbox": [48, 196, 92, 240]})
    found = grouped(state, lambda text, images: json.dumps([said(1, moved, element("2"))]))
    assert found.groups[0].members[0].box == box(50, 100, 90, 120)


def test_members_that_overlap_once_their_boxes_are_put_right(tmp_path: Path) -> None:
    state = screen(tmp_path, {"a": ["1", "2"]})
    wide = element("1", **{"revised bbox": [50, 200, 105, 240]})
    found = grouped(state, lambda text, images: json.dumps([said(1, wide, element("2"))]))
    assert found.groups == []
    assert found.rejected[-1].stage == "overlap"
    assert_carries(found.rejected[-1].reason, 1)


def test_colours_are_as_they_are_on_the_screen(tmp_path: Path) -> None:
    state = screen(tmp_path, {"a": ["1", "2"]}, size=(300, 600))
    red = np.zeros((600, 300, 3), np.uint8)
    red[:, :, 0] = 255
    state.path.write_bytes(encode_image(red))
    seen: list[np.ndarray[Any, Any]] = []

    def reply(text: str, images: list[bytes]) -> str:
        seen.append(decode_image(images[0]))
        return json.dumps([said(1, element("1"), element("2"))])

    ended = carry_out(group, "group", state, reply)
    assert (seen[0] == red).all()
    assert ended.asked[0].images[0].max_side == 1280  # upright


def test_groups_without_an_answer_are_asked_about_again(tmp_path: Path) -> None:
    state = screen(tmp_path, {"a": ["1", "2"], "b": ["4", "5"], "c": ["6", "7"]})
    asked: list[list[str]] = []

    def reply(text: str, images: list[bytes]) -> str:
        asked.append([line[:1] for line in text.splitlines() if ". Elem " in line])
        answers = [said(1, element("1"), element("2")), said(3, element("6"), element("nine"))]
        return json.dumps(answers if len(asked) == 1 else [said(2, element("4"), element("5"))])

    found = grouped(state, reply)
    assert asked == [["1", "1", "2", "2", "3", "3"], ["2", "2", "3", "3"], ["3", "3"], ["3", "3"], ["3", "3"]]
    assert [one.id for one in found.groups] == ["a", "b"]
    assert found.rejected[-1].members == ["6", "7"]
    assert_carries(found.rejected[-1].reason, "'group index'")


def test_many_groups_are_asked_about_in_portions(tmp_path: Path) -> None:
    count = 2 * AT_ONCE + 3
    pairs = {f"g{n}": [str(2 * n), str(2 * n + 1)] for n in range(count)}
    ended = carry_out(group, "group", screen(tmp_path, pairs, size=(3000, 500)), answer)
    found = of(ended)
    assert len(found.groups) == count
    assert len(ended.asked) >= 3
    assert all(member.outcomes.keys() == {"click", "hover"} for one in found.groups for member in one.members)


def test_failing_providers(tmp_path: Path) -> None:
    with raises(Unasked, "went away"):
        grouped(screen(tmp_path, {"a": ["1", "2"]}), lambda text, images: None)
    assert grouped(screen(tmp_path, {}), lambda text, images: None).groups == []
