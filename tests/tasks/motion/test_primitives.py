"""The seven primitive clips: each shows its own effect and nothing else, plainly, and the same on every run."""

from dataclasses import fields
from itertools import islice, pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.datasets import Dataset
from affordance.datasets.generated.primitive_clips import write_clip
from affordance.datasets.generated.primitive_drawing import (
    CHANGES,
    FPS,
    FRAME_COUNT,
    HEIGHT,
    WIDTH,
    PrimitiveClip,
    ShapeState,
    canonical_clip,
    render_frame,
    render_frames,
)
from affordance.datasets.generated.primitive_variants import random_clips
from affordance.datasets.taxonomies import EFFECTS

MOMENTS = range(0, FRAME_COUNT, 59)

GOLDEN = PrimitiveClip(
    effect="size",
    background=(200, 165, 136),
    start_state=ShapeState(
        shape="star",
        colour=(240, 31, 53),
        x=400.0,
        y=240.0,
        width=147.757905,
        height=85.065,
        angle=0.0,
        opacity=1.0,
        blur=0.0,
    ),
    end_state=ShapeState(
        shape="star",
        colour=(240, 31, 53),
        x=400.0,
        y=240.0,
        width=85.065,
        height=85.065,
        angle=0.0,
        opacity=1.0,
        blur=0.0,
    ),
    easing="linear",
    start_time=0.052,
    end_time=0.8140000000000001,
    round_trip=False,
)


def samples(effect: str, count: int = 2) -> list[PrimitiveClip]:
    return [canonical_clip(effect), *random_clips(effect, count, seed=7)]


def object_mask(variant: PrimitiveClip, picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the picture is neither background nor, at the left, reference."""
    mask = np.abs(picture.astype(int) - variant.background).max(axis=2) > 8
    mask[:, :160] = False
    return mask


def test_the_effects_are_those_of_the_published_task() -> None:
    assert EFFECTS == ("move", "rotate", "size", "color", "fade", "blur", "morph")


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_clip_changes_what_its_effect_names_and_nothing_else(effect: str) -> None:
    for variant in [canonical_clip(effect), *random_clips(effect, 40, seed=11)]:
        differing = {
            field.name
            for field in fields(ShapeState)
            if getattr(variant.start_state, field.name) != getattr(variant.end_state, field.name)
        }
        assert variant.effect == effect
        assert differing
        assert differing <= CHANGES[effect]


@pytest.mark.parametrize("effect", EFFECTS)
def test_variants_depend_on_effect_index_and_seed_alone(effect: str) -> None:
    np.random.seed(1)
    first = random_clips(effect, 6, seed=3)
    np.random.seed(2)
    assert random_clips(effect, 9, seed=3)[:6] == first
    assert len(set(first)) == 6
    assert not set(first) & set(random_clips(effect, 6, seed=4))


def test_a_variant_is_the_same_for_ever() -> None:
    assert random_clips("size", 1, seed=0)[0] == GOLDEN


@pytest.mark.parametrize("effect", EFFECTS)
def test_variants_vary_in_all_that_may_vary(effect: str) -> None:
    many = random_clips(effect, 40, seed=5)
    assert {variant.round_trip for variant in many} == {True, False}
    assert {variant.easing for variant in many} == {"linear", "ease-in", "ease-out", "ease-in-out"}
    assert len({variant.background for variant in many}) > 30
    assert len({variant.start_state.shape for variant in many}) >= 5


def test_frames_are_180_rgb_pictures_and_each_can_be_had_alone() -> None:
    variant = canonical_clip("rotate")
    pictures = list(islice(render_frames(variant), 20))
    assert FRAME_COUNT == 180
    assert all(picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8 for picture in pictures)
    assert np.array_equal(pictures[17], render_frame(variant, 17))


def test_a_frame_given_away_may_be_written_on() -> None:
    variant = canonical_clip("move")
    render_frame(variant, 0)[:] = 0
    assert render_frame(variant, 0).any()


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_reference_stays_black_and_the_object_stays_clear_of_it_and_of_the_edges(effect: str) -> None:
    for variant in samples(effect):
        for index in MOMENTS:
            picture = render_frame(variant, index)
            assert not picture[192:288, 48:144].any()
            rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1], picture[:, 150]])
            assert np.abs(rim.astype(int) - variant.background).max() <= 4


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_change_is_plain_to_see_at_the_size_models_get(effect: str) -> None:
    for variant in samples(effect):
        small = np.stack(
            [cv2.resize(render_frame(variant, index), (480, 360), interpolation=cv2.INTER_AREA) for index in MOMENTS]
        ).astype(int)
        changed = (small.max(axis=0) - small.min(axis=0)).max(axis=2) > 30
        assert changed.sum() > 250, variant


@pytest.mark.parametrize("effect", ["rotate", "color", "morph"])
def test_area_and_centre_stay_where_only_look_or_shape_changes(effect: str) -> None:
    for variant in samples(effect):
        masks = [object_mask(variant, render_frame(variant, index)) for index in MOMENTS]
        areas = [mask.sum() for mask in masks]
        centres = np.array([np.argwhere(mask).mean(axis=0) for mask in masks])
        assert max(areas) < 1.06 * min(areas), variant
        assert np.ptp(centres, axis=0).max() < 1.5, variant


def test_a_size_change_keeps_the_centre() -> None:
    for variant in samples("size"):
        masks = [object_mask(variant, render_frame(variant, index)) for index in MOMENTS]
        centres = np.array([np.argwhere(mask).mean(axis=0) for mask in masks])
        areas = [mask.sum() for mask in masks]
        assert np.ptp(centres, axis=0).max() < 1.5, variant
        assert max(areas) > 1.5 * min(areas), variant


def test_a_fade_only_mixes_object_and_background() -> None:
    for variant in samples("fade"):
        x, y = round(variant.start_state.x), round(variant.start_state.y)
        colour, ground = np.array(variant.start_state.colour, float), np.array(variant.background, float)
        for index in MOMENTS:
            here = render_frame(variant, index)[y, x] - ground
            share = here @ (colour - ground) / ((colour - ground) @ (colour - ground))
            assert np.abs(here - share * (colour - ground)).max() < 1.5


def test_a_colour_change_is_far_from_any_fade() -> None:
    for variant in [canonical_clip("color"), *random_clips("color", 60, seed=13)]:
        ground = np.array(variant.background, float)
        one, other = variant.start_state.colour - ground, variant.end_state.colour - ground
        along = one * (one @ other) / (one @ one)
        assert np.linalg.norm(other - along) > 60


def test_a_one_way_change_goes_one_way_and_a_round_trip_comes_back() -> None:
    kinds = set()
    for variant in random_clips("size", 4, seed=2):
        areas = [int(object_mask(variant, render_frame(variant, index)).sum()) for index in (0, 45, 90, 135, 179)]
        steps = [b - a for a, b in pairwise(areas)]
        kinds.add(variant.round_trip)
        if variant.round_trip:
            assert abs(areas[0] - areas[-1]) < 0.02 * max(areas)
        else:
            assert all(step >= 0 for step in steps) or all(step <= 0 for step in steps)
    assert kinds == {True, False}


def test_a_written_clip_is_the_drawn_one(primitives: Dataset) -> None:
    variant = canonical_clip("color")
    path = primitives.media_path("media/color.mp4")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert stream.average_rate == stream.base_rate == FPS
        decoded = [(picture.time, picture.to_ndarray(format="rgb24")) for picture in container.decode(stream)]
    assert [time for time, _ in decoded] == pytest.approx([index / FPS for index in range(FRAME_COUNT)])
    x, y = round(variant.start_state.x), round(variant.start_state.y)
    for index in MOMENTS:
        drawn = render_frame(variant, index)
        for at in ((y, x), (10, 10), (240, 96)):
            assert np.abs(decoded[index][1][at].astype(int) - drawn[at]).max() <= 4


def test_a_clip_is_written_small_streamable_and_twice_the_same(tmp_path: Path, primitives: Dataset) -> None:
    write_clip(canonical_clip("rotate"), tmp_path / "again.mp4")
    content = (tmp_path / "again.mp4").read_bytes()
    assert content == primitives.media_path("media/rotate.mp4").read_bytes()
    assert len(content) < 200_000
    assert content.index(b"moov") < content.index(b"mdat")
