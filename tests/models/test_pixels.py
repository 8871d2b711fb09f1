"""`baseline:pixels` tells the seven effects apart by looking, and takes whatever pictures it is given."""

from collections import Counter
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.models.pixels import EFFECTS, Reading, classify_effect
from affordance.suites.motion import primitives

UNSEEN_SEED = 2026
STEP = primitives.FPS // 10


def as_given(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(picture, (480, 360), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def drawn(variant: primitives.Variant) -> list[NDArray[np.uint8]]:
    return [as_given(primitives.frame(variant, index)) for index in range(0, primitives.FRAME_COUNT, STEP)]


def decoded(path: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        pictures = [picture.to_ndarray(format="rgb24") for picture in container.decode(video=0)]
    return [as_given(picture) for picture in pictures[::STEP]]


def test_it_answers_in_the_words_of_the_task() -> None:
    assert EFFECTS == primitives.EFFECTS


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_canonical_clip_is_named_from_its_video_file(effect: str, tmp_path: Path) -> None:
    primitives.write_clip(primitives.canonical(effect), tmp_path / "clip.mp4")
    reading = classify_effect(decoded(tmp_path / "clip.mp4"))
    assert reading.effect == effect
    assert any(letter.isdigit() for letter in reading.because)


@pytest.mark.parametrize("effect", EFFECTS)
def test_random_clips_are_named(effect: str) -> None:
    clips = primitives.variants(effect, 10, UNSEEN_SEED)
    assert Counter(classify_effect(drawn(clip)).effect for clip in clips) == {effect: 10}


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        ("move", "the object's centre travels 180 px while its area changes by 0%"),
        (
            "size",
            "the object's width changes by a factor of 2.33 and its height by 2.33 while its centre stays within 0 px",
        ),
    ],
)
def test_the_reason_says_what_was_measured(effect: str, sentence: str) -> None:
    assert classify_effect(drawn(primitives.canonical(effect))).because == sentence


def test_lengths_are_told_in_pixels_of_the_given_frames() -> None:
    large = [primitives.frame(primitives.canonical("move"), index) for index in range(0, primitives.FRAME_COUNT, STEP)]
    assert "travels 240 px" in classify_effect(large).because


def test_neither_noise_nor_a_dark_ground_nor_grey_frames_hide_the_effect() -> None:
    noise = np.random.default_rng(0)
    grain = [noise.normal(0, 4, (360, 480, 3)) for _ in range(30)]
    for effect in ("move", "rotate", "size", "fade", "blur", "morph"):
        clip = drawn(primitives.canonical(effect))
        grainy = [(picture + specks).clip(0, 255).astype(np.uint8) for picture, specks in zip(clip, grain, strict=True)]
        views = {
            "grainy": grainy,
            "inverted": [255 - picture for picture in clip],
            "grey": [np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8) for picture in clip],
        }
        assert {name: classify_effect(view).effect for name, view in views.items()} == dict.fromkeys(views, effect)


def solid(*shape: int, value: int = 0) -> NDArray[np.uint8]:
    return np.full(shape, value, dtype=np.uint8)


@pytest.mark.parametrize(
    "frames",
    [
        pytest.param([], id="none"),
        pytest.param([primitives.frame(primitives.canonical("move"), 0)], id="one"),
        pytest.param([primitives.frame(primitives.canonical("move"), 0)] * 30, id="identical"),
        pytest.param([solid(360, 480, 3)] * 30, id="black"),
        pytest.param([solid(1, 1, 3), solid(1, 1, 3, value=255)], id="one pixel"),
        pytest.param([solid(0, 0, 3)] * 3, id="empty pictures"),
        pytest.param([np.zeros(7, np.uint8)] * 3, id="no pictures"),
        pytest.param([np.array([["some", "text"]])] * 3, id="text"),
    ],
)
def test_where_nothing_changes_it_says_so_and_guesses(frames: list[NDArray[Any]]) -> None:
    reading = classify_effect(frames)
    assert reading.effect == EFFECTS[0]
    assert reading.because == "nothing changes in the frames, so this is a guess"
    assert set(reading.scores.values()) == {0.0}


def changing(shape: tuple[int, ...], count: int = 6) -> list[NDArray[np.uint8]]:
    noise = np.random.default_rng(0)
    return [noise.integers(0, 256, shape, dtype=np.uint8) for _ in range(count)]


@pytest.mark.parametrize(
    "frames",
    [
        *(
            pytest.param(changing(shape), id="x".join(map(str, shape)))
            for shape in [(2, 2, 3), (5, 4, 3), (9, 9), (1, 600, 3), (600, 1, 3), (40, 30, 1), (40, 30, 2), (40, 30, 4)]
        ),
        pytest.param(changing((2200, 3100, 3), count=3), id="very large"),
        pytest.param(changing((20, 20, 3), count=400), id="very many"),
        pytest.param([solid(40, 60, 3), solid(30, 20, 3, value=200), solid(90, 10, value=90)], id="sizes differ"),
        pytest.param([solid(120, 160, 3, value=9 * step) for step in range(20)], id="whole screen"),
        pytest.param(
            [np.full((60, 80, 3), np.nan), np.full((60, 80, 3), np.inf), np.full((60, 80, 3), -1)], id="float"
        ),
        pytest.param([solid(60, 80) > 0, solid(60, 80) == 0], id="bool"),
    ],
)
def test_any_pictures_get_a_reading(frames: list[NDArray[Any]]) -> None:
    reading = classify_effect(frames)
    assert isinstance(reading, Reading)
    assert reading.effect in EFFECTS
    assert reading.because
    assert set(reading.scores) == set(EFFECTS)
    assert all(np.isfinite(score) and score >= 0 for score in reading.scores.values())


def test_the_frames_are_not_written_on() -> None:
    frames = drawn(primitives.canonical("blur"))
    before = [picture.copy() for picture in frames]
    classify_effect(frames)
    assert all(np.array_equal(one, other) for one, other in zip(before, frames, strict=True))
