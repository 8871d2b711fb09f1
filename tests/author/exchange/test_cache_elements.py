"""Elements and questions about them in the published layout, as others leave them."""

from pathlib import Path
from typing import Any

import published_cache_files as files
import pytest

from affordance.author.exchange.cache_reading import read_cache
from affordance.author.exchange.results import Imported
from affordance.author.records import Elements, Groups, Kind, QuestionRecord
from author_notes import assert_noted
from cases import numbers_in, wording

QUESTIONS = "osworld_g/FuncElemGnd/grounding_questions.json"
CORRECTIONS = "osworld_g/FuncElemGnd/grounding_questions_corrections.json"


def element(id_: int, x: int) -> dict[str, Any]:
    return {
        "id": id_,
        "revised bbox": [x, 100, x + 50, 150],
        "detailed desctiption": f"look {id_}",
        "unique functionality": f"deed {id_}",
        "interaction outcomes": {"clicking": f"opens {id_}", "hovering": ""},
    }


def group(index: int, *ids: int) -> dict[str, Any]:
    return {
        "group_index": index,
        "visual_similarity": "round",
        "elements": [element(id_, 100 * place) for place, id_ in enumerate(ids)],
        "questions": [
            {
                "target_element_id": id_,
                "referring_expressions": {
                    "clicking": {"question": f"Which opens {id_}?", "action_intent": f"open {id_}"},
                    "right clicking": {"question": f"Whose menu is {id_}?", "action_intent": "see the menu"},
                },
            }
            for id_ in ids
        ],
    }


def results(*generated: object, image: str = "apps/calc.jpg") -> dict[str, Any]:
    return {"metadata": {}, "results": {image: {"image_path": f"{files.HOME}/images/{image}", "generated": generated}}}


def documents(found: Imported, kind: Kind) -> list[Any]:
    (screen,) = found.screens
    return [one.change.document for one in screen.steps if one.change.kind is kind]


def test_omniparser_output(tmp_path: Path) -> None:
    files.write_cache_folder(tmp_path)
    listed = [
        {"type": "text", "bbox": [0.1, 0.1, 0.2, 0.2], "interactivity": False, "content": "Hi", "source": "box_ocr"},
        {"type": "icon", "bbox": [0.5, 0.6, 0.4, 0.7], "interactivity": True, "content": None, "source": "box_yolo"},
        {"type": "icon", "bbox": [2, 2, 3, 3], "interactivity": True, "content": "far away"},
        "no element",
        {"type": "icon", "interactivity": True},
        {"type": "icon", "bbox": [0.9, 0.9, 1.1, 1], "interactivity": True, "content": "edge"},
    ]
    files.put(tmp_path / "osworld_g/omniparser/calc.json", listed)
    found = read_cache(tmp_path)
    (elements,) = documents(found, Kind.ELEMENTS)
    assert isinstance(elements, Elements)
    assert [(one.id, one.box.xyxy, one.interactive, one.text) for one in elements.elements] == [
        ("0", (80, 60, 160, 120), False, "Hi"),
        ("1", (320, 360, 400, 420), True, ""),
        ("5", (720, 540, 800, 600), True, "edge"),
    ]
    notes = [note for note in found.notes if "calc.json" in note]
    assert [numbers_in(note) for note in notes] == [[1], [2], [3, 4], [5]]
    assert len({wording(note, "apps/calc") for note in notes}) == 4


def test_questions_and_their_corrections(tmp_path: Path) -> None:
    files.write_cache_folder(tmp_path)
    files.put(tmp_path / QUESTIONS, results(group(1, 7, 8), group(3, 9, 10)))
    corrections = {
        "apps/calc.jpg__0__0": {"modified_bbox": [10, 20, 60, 70], "abandoned": False},
        "apps/calc.jpg__0__1": {"abandoned": True},
        # By the place in the list, not by the index of the group, of which one was skipped.
        "apps/calc.jpg__1__0": {"modified_questions_by_action": {"clicking": "Which is it?"}},
    }
    files.put(tmp_path / CORRECTIONS, corrections)
    found = read_cache(tmp_path)
    (groups,) = documents(found, Kind.ELEMENT_GROUPS)
    assert isinstance(groups, Groups)
    assert [(one.id, [m.id for m in one.members]) for one in groups.groups] == [("1", ["7", "8"]), ("3", ["9", "10"])]
    assert groups.groups[0].members[0].outcomes == {"click": "opens 7"}
    (screen,) = found.screens
    latest: dict[str, QuestionRecord] = {}
    authors: dict[str, list[str]] = {}
    for step in screen.steps:
        if isinstance(step.change.document, QuestionRecord):
            name = step.change.subject.removeprefix("apps/calc/")
            latest[name] = step.change.document
            authors.setdefault(name, []).append(step.author)
    assert len(latest) == 8
    moved = latest["ground-element-1-7-click"]
    assert moved.box.xyxy == (8, 12, 48, 42)
    assert authors["ground-element-1-7-click"] == ["imported", "person:imported"]
    assert (moved.action, moved.alike, moved.expressions["intent"]) == ("click", ["8"], "open 7")
    assert latest["ground-element-1-8-right_click"].abandoned
    assert latest["ground-element-3-9-click"].expressions["functionality"] == "Which is it?"
    assert latest["ground-element-3-9-right_click"].expressions["functionality"] == "Whose menu is 9?"
    assert authors["ground-element-3-10-click"] == ["imported"]


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ([], ""),
        ({"results": {"other.png": {}}}, ""),
        (results(image="apps/calc.jpg") | {"results": {"apps/calc.jpg": {"error": "x"}}}, ""),
        (results(group(1, 7)), ""),
        (results("what"), ""),
        (results(group(1, 7, 8) | {"questions": [{"target_element_id": 99}]}), "'99'"),
        (results(group(1, 7, 8) | {"questions": [None]}), ""),
        (
            results(group(1, 7, 8) | {"questions": [{"target_element_id": 7, "referring_expressions": {"type": ""}}]}),
            "'type'",
        ),
        (results(group(1, 7, 8) | {"elements": [element(7, 0), element(8, 9000)]}), ""),
    ],
)
def test_questions_that_cannot_be_used_are_left_out(tmp_path: Path, content: object, data: str) -> None:
    files.write_cache_folder(tmp_path)
    before = len(read_cache(tmp_path).left_out)
    files.put(tmp_path / QUESTIONS, content)
    found = read_cache(tmp_path)
    assert len(found.left_out) > before
    assert_noted([one.reason for one in found.left_out], data)
    assert documents(found, Kind.QUESTION) == []
    assert len(documents(found, Kind.REGION)) > 5
