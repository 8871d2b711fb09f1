"""What models say to what `ask` asks, read."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.questions.outcomes import read_options
from affordance.author.questions.subjects import Party, Subject, name_of, targets
from affordance.author.questions.uniqueness import read_matching
from affordance.author.questions.words import ANY, Slot, read_words, slots_of
from affordance.datasets.taxonomies import TargetExpression
from author_stage import box

CLICK, INTENT, LOOKS = (
    Slot(TargetExpression.FUNCTIONALITY, "click"),
    Slot(TargetExpression.INTENT, "click"),
    Slot(TargetExpression.DESCRIPTION),
)
ALL = (LOOKS, CLICK, INTENT)
GOOD = {
    "target_element_id": "3",
    "description": "a star",
    "referring_expressions": {"clicking": {"question": "Which  one?", "action_intent": "Do it."}},
}
SAID = {LOOKS: "a star", CLICK: "Which one?", INTENT: "Do it."}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps(GOOD), SAID),
        (f"<think>hm</think>Sure:\n```json\n{json.dumps(GOOD)}\n```", SAID),
        (json.dumps(GOOD)[:-1] + ", // done\n}", SAID),
        (json.dumps([GOOD]), SAID),
        (json.dumps({"description": "a star", "Click": {"question": "Which?"}}), {LOOKS: "a star", CLICK: "Which?"}),
        (json.dumps({**GOOD, "description": "x" * 700, "referring_expressions": {"hover": {}}}), None),
        (json.dumps({**GOOD, "description": 7, "referring_expressions": "none"}), None),
        ("", None),
        ("I would ask for the star.", None),
        ('{"description": "a st', None),
    ],
)  # fmt: skip
def test_words(text: str, said: dict[Slot, str] | None) -> None:
    found = read_words(text, ALL)
    if said is None:
        assert isinstance(found, str)
        assert "\n" not in found
    else:
        assert found == said


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ('{"matching": [2]}', {2}),
        ('{"matching": ["1", 3]}', {1, 3}),
        ('{"matching": []}', set()),
        ('{"matching": [4]}', None),
        ('{"matching": [0]}', None),
        ('{"matching": [true]}', None),
        ('{"matching": [1.5]}', None),
        ('{"matching": ["' + "9" * 9000 + '"]}', None),
        ('{"matching": "2"}', None),
        ('{"fits": [2]}', None),
        ("[2]", None),
        ("2", None),
    ],
)
def test_matching(text: str, numbers: set[int] | None) -> None:
    found = read_matching(text, 3)
    assert isinstance(found, str) if numbers is None else found == numbers


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('{"options": {"A": "one", "B": " two "}}', ["one", "two"]),
        ('{"B": "two", "A": "one"}', ["one", "two"]),  # under their letters, in any order
        ('{"options": ["one", "two"]}', ["one", "two"]),
        ('{"options": {"A": "one"}}', None),
        ('{"options": {"A": "one", "B": "two", "C": "three"}}', None),
        ('{"options": {"A": "one", "B": ""}}', None),
        ('{"options": {"A": "one", "B": 2}}', None),
        ('{"options": ["one"]}', None),
        ("A) one\nB) two", None),
    ],
)
def test_options(text: str, options: list[str] | None) -> None:
    found = read_options(text, "AB")
    assert isinstance(found, str) if options is None else found == options


@settings(max_examples=40)
@given(st.text(max_size=300))
def test_anything_may_be_said(text: str) -> None:
    for found in (read_words(text, ALL), read_matching(text, 3), read_options(text, "ABC")):
        assert not isinstance(found, str) or found


def subject(name: str, level: str = "element", outcomes: dict[str, str] | None = None, does: str = "") -> Subject:
    where = box(0, 0, 10, 10)
    if level == "region":
        return Subject("region", name, where, functionality=does)
    return Subject("element", name, where, functionality=does, outcomes=outcomes or {})


def test_what_is_asked_for() -> None:
    assert slots_of(subject("a", outcomes={"click": "x"})) == list(ALL)
    assert slots_of(subject("a", does="x"))[1:] == [
        Slot(TargetExpression.FUNCTIONALITY, ANY),
        Slot(TargetExpression.INTENT, ANY),
    ]
    assert slots_of(subject("a")) == [LOOKS]
    assert slots_of(subject("a", "region", does="x")) == [Slot(TargetExpression.FUNCTIONALITY), LOOKS]
    assert slots_of(subject("a", "region")) == [LOOKS]


def test_a_member_of_two_groups_is_asked_for_once() -> None:
    a, b, c = subject("a"), subject("b"), subject("c")
    found = targets([Party("element", "1", (a, b)), Party("element", "2", (c, a)), Party("region", "1", (a, b))])
    assert [(one.subject.id, one.group, {other.id for other in one.alike}) for one in found] == [
        ("a", "1", {"b", "c"}),
        ("b", "1", {"a"}),
        ("c", "2", {"a"}),
        ("a", "1", {"b"}),
        ("b", "1", {"a"}),
    ]


def test_names() -> None:
    assert name_of("ground", "element", "12", "click") == "ground-element-12-click"
    assert name_of("outcome", "region", "1-4") == "outcome-region-1-4"
    odd = name_of("ground", "element", "../a b/ü")
    assert odd.startswith("ground-element-")
    assert "/" not in odd


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("save as",), ("save-as",)),
        (("-a",), ("a",)),
        (("a ",), ("a",)),
        (("../a b/ü",), ("../a b/ö",)),
        (("x", "click"), ("x-click",)),
        (("1", "4"), ("1-4",)),
        (("right click",), ("right", "click")),
        (("a", ""), ("a",)),
        (("", "a"), ("a", "")),
    ],
)
def test_names_differ_where_their_parts_do(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert name_of("ground", "element", *one) != name_of("ground", "element", *other)


PARTS = st.lists(st.text("a1- ./_é", max_size=4), min_size=1, max_size=4)


@settings(max_examples=60)
@given(PARTS, PARTS)
def test_names_are_fit_for_files_and_of_no_others(one: list[str], other: list[str]) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._-]+", name_of("ground", *one))
    assert (name_of("ground", *one) == name_of("ground", *other)) is (one == other)
