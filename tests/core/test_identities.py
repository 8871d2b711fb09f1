"""Golden identities: they are in other people's ledgers, and must never change."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import Attempt
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import canonical_json
from affordance.core.media_spec import BoxOutline, FrameBlend, ImageEncoding, ImageFormat, ImageSpec
from affordance.core.question import YesNo, question_id
from affordance.core.requests import (
    CallSettings,
    Message,
    Request,
    legacy_request_key,
    lookup_id_of,
    request_key,
    transcript,
)

QUESTIONS = [
    (("motion/effect", "move", {"options": ["move", "rotate"]}), "799e8c577188eae6cd7d41c6812a94ae"),
    (("motion/effect", "move", {"options": ["rotate", "move"]}), "e1ce9e5ae2cc3abf6a7a9c416d7754c6"),
    (("behavior/choice", "17", {"order": "win-first"}), "a47b6b5db2f4d1c586cee5ff5c2f7bae"),
]

PICTURES = [
    (ImageSpec("00ff"), "4fc55c2febdd0431939dde89db16e4eb"),
    (ImageSpec("00ff", time=Fraction(7, 10), max_side=480), "b543950fa2fba0c78a84a9a08b511705"),
    (
        ImageSpec(
            "00ff",
            time=Fraction(0),
            blend=FrameBlend(),
            crop=Box(CoordinateSpace.UNIT, 0, 0, 0.5, 0.5),
            max_side=480,
            outlines=(BoxOutline(Box(CoordinateSpace.MILLE, 1, 2, 3, 4)),),
            encoding=ImageEncoding(ImageFormat.JPEG, 90),
        ),
        "7f723cc3463daf1c8f42ef97fe4cadd0",
    ),
]


@pytest.mark.parametrize(("parts", "expected"), QUESTIONS)
def test_question_ids(parts: tuple[str, str, dict[str, object]], expected: str) -> None:
    assert question_id(*parts) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(("picture", "expected"), PICTURES)
def test_picture_digests(picture: ImageSpec, expected: str) -> None:
    assert picture.digest == expected


def test_request_keys() -> None:
    picture = ImageSpec("00ff", time=Fraction(1, 10))
    ask = Request("q", (Message("user", ("Look:", picture)),), YesNo())
    address = CallSettings("openai:m", "http://h/v1", "", "pack", {"temperature": 0})
    assert transcript(ask) == f'[["user",["Look:",{{"picture":"{picture.digest}"}}]]]'
    assert legacy_request_key(address, transcript(ask), 3, (0, 0, 0)) == "04a794e08bd522c069f9baf1631e96f4"
    assert request_key(address, transcript(ask), 3, (0, 0, 0)) == "1de3444cefa22650f4976b65db37c737"


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text(max_size=4), st.lists(st.one_of(st.text(), st.just(ImageSpec("00ff"))), max_size=4))))
def test_a_transcript_is_canonical(said: list[tuple[str, list[str | ImageSpec]]]) -> None:
    ask = Request("q", tuple(Message(role, tuple(parts)) for role, parts in said), YesNo())
    assert transcript(ask) == canonical_json(
        [
            [role, [part if isinstance(part, str) else {"picture": part.digest} for part in parts]]
            for role, parts in said
        ]
    )


def test_what_is_sent_makes_a_request_key_and_nothing_else() -> None:
    base = CallSettings("m", "u", "d", "p", {"t": 0})
    others = [
        CallSettings("x", "u", "d", "p", {"t": 0}),
        CallSettings("m", "x", "d", "p", {"t": 0}),
        CallSettings("m", "u", "x", "p", {"t": 0}),
        CallSettings("m", "u", "d", "x", {"t": 0}),
        CallSettings("m", "u", "d", "p", {"t": 1}),
    ]
    assert len({address.digest for address in (base, *others)}) == 6
    key = request_key(base, "[]", 0, (0, 0, 0))
    same = [request_key(address, "[]", 0, (0, 0, 0)) == key for address in others]
    assert same == [False, False, True, True, False]
    keys = {request_key(base, "[]", trial, step) for trial in (0, 1) for step in ((0, 0, 0), (0, 0, 1), (1, 0, 0))}
    assert len(keys | {request_key(base, '[""]', 0, (0, 0, 0)), request_key(base, "[]", 0, (0, 0, 0), "question")}) == 8


@pytest.mark.parametrize(
    ("question", "address", "expected"),
    [
        ("", CallSettings("m", "http://h", "gemini"), ""),
        ("q", CallSettings("m", "http://h", "gemini"), "q"),
        ("q 1", CallSettings("study:s"), "q 1"),
        ("", CallSettings("baseline:pixels", "", "gemini"), "gemini"),
        ("q", CallSettings("oracle:gemini", "", "gemini"), "q gemini"),
    ],
)
def test_models_in_this_process_have_what_they_are_given_in_the_key(
    question: str, address: CallSettings, expected: str
) -> None:
    assert lookup_id_of(question, address) == expected


def test_attempt_ids() -> None:
    assert Attempt("run", "question", "model", "zero-shot", 0).id == "2c809ffe21b418dfac3be5829ee81e07"
    assert Attempt("run", "question", "judge", "judge", 0, "subject").id == "51eeec52ca5aeff25e2823ba66745fc4"
