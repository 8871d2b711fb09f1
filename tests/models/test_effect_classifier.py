"""The effect classifier: it names the seven effects from frames, and accepts any images."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.datasets import Dataset, taxonomies
from affordance.datasets.generated import primitive_drawing as clips
from affordance.datasets.generated.primitive_variants import random_clips
from affordance.models.baselines.effect_classifier import EFFECTS, EffectReading, classify_effect

UNSEEN_SEED = 2026
STEP = clips.FPS // 10


def as_given(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(picture, (480, 360), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def drawn(variant: clips.PrimitiveClip) -> list[NDArray[np.uint8]]:
    return [as_given(clips.render_frame(variant, index)) for index in range(0, clips.FRAME_COUNT, STEP)]


def decoded(path: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        pictures = list(container.decode(video=0))[::STEP]
        return [as_given(picture.to_ndarray(format="rgb24")) for picture in pictures]


def test_it_answers_in_the_words_of_the_task() -> None:
    assert EFFECTS == taxonomies.EFFECTS


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_canonical_clip_is_named_from_its_video_file(effect: str, primitives: Dataset) -> None:
    reading = classify_effect(decoded(primitives.media_path(f"media/{effect}.mp4")))
    assert reading.effect == effect
    assert any(letter.isdigit() for letter in reading.reason)


@pytest.mark.parametrize("number", [1, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("effect", EFFECTS)
def test_random_clips_are_named(effect: str, number: int) -> None:
    found = Counter(classify_effect(drawn(clip)).effect for clip in random_clips(effect, number, UNSEEN_SEED))
    assert found == {effect: number}


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", text)


def test_the_reason_says_what_was_measured() -> None:
    """Distances in pixels of the frames that are given, then the change of area; factors of width and height."""
    large = [clips.render_frame(clips.canonical_clip("move"), index) for index in range(0, clips.FRAME_COUNT, STEP)]
    assert numbers(classify_effect(large).reason) == ["240", "0"]
    assert numbers(classify_effect([as_given(picture) for picture in large]).reason) == ["180", "0"]
    assert numbers(classify_effect(drawn(clips.canonical_clip("size"))).reason) == ["2.33", "2.33", "0"]


def test_neither_noise_nor_a_dark_ground_nor_grey_frames_hide_the_effect(primitives: Dataset) -> None:
    noise = np.random.default_rng(0)
    grain = [noise.normal(0, 4, (360, 480, 3)) for _ in range(30)]
    for effect in ("move", "fade", "morph"):
        clip = decoded(primitives.media_path(f"media/{effect}.mp4"))
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
        pytest.param([clips.render_frame(clips.canonical_clip("move"), 0)], id="one"),
        pytest.param([clips.render_frame(clips.canonical_clip("move"), 0)] * 30, id="identical"),
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
    assert reading.reason == classify_effect([]).reason
    assert numbers(reading.reason) == []
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
        pytest.param(changing((1400, 1900, 3), count=3), id="very large"),
        pytest.param(changing((20, 20, 3), count=150), id="very many"),
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
    assert isinstance(reading, EffectReading)
    assert reading.effect in EFFECTS
    assert reading.reason
    assert set(reading.scores) == set(EFFECTS)
    assert all(np.isfinite(score) and score >= 0 for score in reading.scores.values())


def test_the_frames_are_not_written_on(primitives: Dataset) -> None:
    frames = decoded(primitives.media_path("media/blur.mp4"))
    before = [picture.copy() for picture in frames]
    classify_effect(frames)
    assert all(np.array_equal(one, other) for one, other in zip(before, frames, strict=True))
