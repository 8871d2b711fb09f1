"""What an animation is for: each rule on frames that are drawn, words where the motion is the same, and nothing that
has no part in it."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from drawn_motion import (
    ALL,
    BLUE,
    GREEN,
    HEIGHT,
    INK,
    MIDDLE,
    WIDTH,
    Corners,
    Drawing,
    Picture,
    bouncing_dots,
    breathing_surface,
    clip,
    confetti,
    growing_bar,
    page_slides_in,
    pointing_arrow,
    pulsing_badge,
    shaking_field,
    steps_shown,
    still,
    toggled_switch,
    turning_spinner,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.datasets.taxonomies import PURPOSES
from affordance.models.pixels import _purpose, infer_purpose
from affordance.models.pixels._motion import MotionMeasurement, find_green_box, measure_motion
from affordance.models.pixels._purpose import RULES
from affordance.models.pixels._purpose_words import read_purpose_hints
from affordance.tasks.motion.cues import NO_INPUT

BAR: Corners = (10, 176, 206, 204)
TAPPED = "The user taps it."
MOTIONS = {
    "a bar grows": (clip(growing_bar(), 2.5, BAR), "Visualization"),
    "dots bounce in turn": (clip(bouncing_dots(3), 3, MIDDLE), "Visualization"),
    "a spinner turns": (clip(turning_spinner(3), 3, MIDDLE), "Visualization"),
    "a page slides in": (clip(page_slides_in, 0.5, ALL), "Transition"),
    "a badge pulses": (clip(pulsing_badge(3), 3, MIDDLE), "Highlight"),
    "an arrow points": (clip(pointing_arrow(3), 3, MIDDLE), "Guidance"),
    "steps are shown": (clip(steps_shown, 4, ALL), "Demonstration"),
    "a surface breathes": (clip(breathing_surface(2), 4, ALL), "Aesthetic"),
    "confetti falls": (clip(confetti, 2, ALL), "Aesthetic"),
}
MOVING = [frames for frames, _ in MOTIONS.values()]


@cache
def motion_of(which: int) -> MotionMeasurement | None:
    return measure_motion(MOVING[which])


def measured(frames: Sequence[NDArray[Any]]) -> MotionMeasurement | None:
    which = next((which for which, one in enumerate(MOVING) if one is frames), None)
    return measure_motion(frames) if which is None else motion_of(which)


@pytest.fixture(scope="module", autouse=True)
def _clips_are_measured_once() -> Iterator[None]:
    """The motion is the same whatever is said of it, and takes most of the time."""
    with pytest.MonkeyPatch.context() as during:
        during.setattr(_purpose, "measure_motion", measured)
        yield


@pytest.mark.parametrize("user_input", ["", NO_INPUT], ids=["nothing said", "no input"])
def test_plain_motion_decides_without_words(user_input: str) -> None:
    found = {name: infer_purpose(frames, "", user_input) for name, (frames, _) in MOTIONS.items()}
    assert {name: purpose for name, (purpose, _) in found.items()} == {
        name: purpose for name, (_, purpose) in MOTIONS.items()
    }
    assert len({why for _, why in found.values()}) == len(MOTIONS), "each has a reason of its own"


# The same motion and the same context; what was done decides.
ACTS = {
    "a switch that somebody taps": (toggled_switch, 0.3, TAPPED, "Feedback"),
    "a switch that turns by itself": (toggled_switch, 0.3, NO_INPUT, "Highlight"),
    "a shake that somebody caused": (shaking_field, 0.5, TAPPED, "Feedback"),
    "a shake that nobody caused": (shaking_field, 0.5, NO_INPUT, "Highlight"),
}


@pytest.mark.parametrize(("draw", "seconds", "user_input", "purpose"), ACTS.values(), ids=ACTS.keys())
def test_what_was_done_decides_where_the_motion_is_small_and_brief(
    draw: Drawing, seconds: float, user_input: str, purpose: str
) -> None:
    assert infer_purpose(clip(draw, seconds, MIDDLE), "", user_input)[0] == purpose


def test_pace_decides_where_all_else_is_equal() -> None:
    """One badge: pulsing on and on, or growing once because it was tapped."""
    assert infer_purpose(clip(pulsing_badge(4), 4, MIDDLE), "", TAPPED)[0] == "Highlight"
    assert infer_purpose(clip(pulsing_badge(1), 0.6, MIDDLE), "", TAPPED)[0] == "Feedback"


def test_a_shake_after_a_wrong_password_is_feedback() -> None:
    purpose, why = infer_purpose(
        clip(shaking_field, 0.5, MIDDLE), "A sign-in form; the password is wrong.", "Presses Sign in."
    )
    assert purpose == "Feedback"
    assert "“wrong”" in why


WORDS = {
    "The app navigates to the next page.": "Transition",
    "A tutorial explains how the gesture works.": "Demonstration",
    "A hint invites people to continue.": "Guidance",
    "The form shows an error.": "Feedback",
    "The file is loading.": "Visualization",
    "A notification about a sale.": "Highlight",
    "The app celebrates a birthday.": "Aesthetic",
}


@pytest.mark.parametrize(("context", "purpose"), WORDS.items(), ids=WORDS.values())
def test_words_decide_where_nothing_moves(context: str, purpose: str) -> None:
    assert infer_purpose(clip(still, 1, MIDDLE), context, "")[0] == purpose
    assert infer_purpose([], context.upper(), "") == infer_purpose([], context, "")


@pytest.mark.parametrize(
    ("user_input", "acted"),
    [
        ("", None),
        ("  \n", None),
        (NO_INPUT, False),
        ("No input.", False),
        ("N/A", False),
        ("No active user input was performed.", False),
        ("The user does nothing.", False),
        ("The person did not interact with it.", False),
        ("The user taps the button.", True),
        ("Notes are typed", True),
        ("Swipes left, now and again", True),
    ],
)
def test_whether_somebody_acted(user_input: str, acted: bool | None) -> None:
    assert read_purpose_hints("", user_input).user_acted is acted


def test_what_was_not_done_says_nothing() -> None:
    assert read_purpose_hints("", "No input such as swiping or loading").words == ()


def test_words_of_one_line_count_once_and_only_as_words() -> None:
    assert read_purpose_hints("loading, loading and download", "").words == (("loading", "Visualization", 1.5),)
    assert read_purpose_hints("payloads, unopened, stable", "").words == ()


def test_every_rule_and_every_word_is_of_a_known_purpose() -> None:
    assert {rule.purpose for rule in RULES} == set(PURPOSES)
    told = read_purpose_hints(" ".join([*WORDS, "should swipe up to"]), "taps, swipes, says and holds")
    assert {purpose for _, purpose, _ in told.words} == set(PURPOSES)


def test_every_rule_is_of_use() -> None:
    clips = [*MOVING, clip(toggled_switch, 0.3, MIDDLE)]
    motions = [motion for motion in map(measured, clips) if motion is not None]
    held = {rule for rule in RULES for motion in motions for acted in (True, False, None) if rule.holds(motion, acted)}
    assert held == set(RULES)


def test_a_guess_is_said_to_be_one() -> None:
    purpose, why = infer_purpose(clip(still, 1, MIDDLE), "not known", NO_INPUT)
    assert purpose in PURPOSES
    assert why == infer_purpose([], "", "")[1]
    assert why != infer_purpose(MOVING[0], "", "")[1]


@pytest.mark.parametrize("name", ["a bar grows", "a page slides in", "an arrow points"])
def test_the_mirror_image_is_for_the_same(name: str) -> None:
    frames, purpose = MOTIONS[name]
    mirrored = [np.ascontiguousarray(frame[:, ::-1]) for frame in frames]
    assert infer_purpose(mirrored, "", "")[0] == purpose


@pytest.mark.parametrize("lead", [0, 9])
def test_still_frames_around_it_change_nothing(lead: int) -> None:
    assert infer_purpose(clip(pulsing_badge(3), 3, MIDDLE, lead=lead), "", "")[0] == "Highlight"
    assert infer_purpose(clip(growing_bar(), 2, BAR, lead=lead), "", "")[0] == "Visualization"


def test_colour_and_place_change_nothing() -> None:
    usual = infer_purpose(clip(pulsing_badge(3), 3, MIDDLE), "", "")
    assert infer_purpose(clip(pulsing_badge(3, colour=BLUE), 3, MIDDLE), "", "") == usual
    assert infer_purpose(clip(pulsing_badge(3, x=60), 3, (20, 150, 100, 230)), "", "") == usual
    assert infer_purpose(clip(growing_bar(INK), 2, BAR), "", "") == infer_purpose(clip(growing_bar(), 2, BAR), "", "")


def test_what_moves_outside_the_box_changes_nothing() -> None:
    def ticker(frame: Picture, time: float) -> None:
        cv2.circle(frame, (round(20 + 170 * time), 330), 20, INK, cv2.FILLED)

    usual, busy = clip(pulsing_badge(3), 3, MIDDLE), clip(pulsing_badge(3), 3, MIDDLE, more=[ticker])
    assert not np.array_equal(usual, busy)
    assert measure_motion(busy) == measure_motion(usual)


def test_the_box_says_when_and_where() -> None:
    inside, running = find_green_box(np.stack(clip(still, 1.2, MIDDLE, lead=3)))
    assert running == range(3, 15)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    left, top, right, bottom = MIDDLE
    assert np.abs(np.array([columns[0], rows[0], columns[-1], rows[-1]]) - (left, top, right, bottom)).max() <= 3
    assert inside[190, 100]
    assert not inside[20, 20]


def test_several_boxes_that_overlap_are_one_place() -> None:
    frame = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for box in ((10, 10, 60, 60), (40, 40, 90, 90), (120, 200, 180, 260)):
        cv2.rectangle(frame, box[:2], box[2:], GREEN, 2)
    inside, _ = find_green_box(frame[None])
    assert [bool(inside[y, x]) for x, y in ((20, 20), (50, 50), (80, 80), (150, 230), (80, 20))] == [True] * 4 + [False]


def test_green_things_are_no_box() -> None:
    def green(frame: Picture, time: float) -> None:
        cv2.rectangle(frame, (20, 300), (90, 340), GREEN, cv2.FILLED)
        cv2.circle(frame, (160, 320), 12, GREEN, 2)

    frames = clip(still, 1, MIDDLE, lead=3, more=[green])
    assert find_green_box(np.stack(frames))[1] == range(3, 13)
    whole, always = find_green_box(np.full((2, 40, 40, 3), GREEN, np.uint8))
    assert whole.all()
    assert always == range(2)


def test_without_a_box_the_whole_picture_counts() -> None:
    assert infer_purpose(clip(pulsing_badge(3), 3, None, lead=0), "", "")[0] == "Highlight"


TEXTS = st.text(max_size=40) | st.sampled_from([*WORDS, TAPPED, NO_INPUT])


@settings(max_examples=20, deadline=None)
@given(
    count=st.integers(0, 5),
    height=st.integers(1, 24),
    width=st.integers(1, 24),
    box=st.none() | st.tuples(*[st.integers(-3, 26)] * 4),
    seed=st.integers(0, 1000),
    noisy=st.booleans(),
    context=TEXTS,
    user_input=TEXTS,
)
def test_it_never_raises_and_always_answers_the_same(
    count: int, height: int, width: int, box: Corners | None, seed: int, noisy: bool, context: str, user_input: str
) -> None:
    lot = np.random.default_rng(seed)
    levels = lot.integers(0, 256, (count, height, width, 3)) if noisy else np.zeros((count, height, width, 3))
    frames = list(levels.astype(np.uint8))
    if box is not None:
        for frame in frames[seed % 3 :]:
            cv2.rectangle(frame, box[:2], box[2:], GREEN, 2)
    purpose, why = infer_purpose(frames, context, user_input)
    assert purpose in PURPOSES
    assert why
    assert infer_purpose(frames, context, user_input) == (purpose, why)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, len(MOVING) - 1), TEXTS, TEXTS)
def test_any_words_go_with_any_motion(which: int, context: str, user_input: str) -> None:
    assert infer_purpose(MOVING[which], context, user_input)[0] in PURPOSES


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [np.zeros((1, 1, 3), np.uint8)] * 2,
        [np.zeros((5, 5), np.float64), np.full((5, 5), np.nan)],
        [np.zeros((9, 9, 3), np.uint8), np.full((4, 7, 3), 255, np.uint8)],
        [np.zeros(0), np.zeros((3, 3), object)],
    ],
    ids=["none", "one pixel", "grey and not a number", "other sizes", "no pictures"],
)
def test_odd_frames_are_answered(frames: list[Picture]) -> None:
    assert infer_purpose(frames, "", "")[0] in PURPOSES
