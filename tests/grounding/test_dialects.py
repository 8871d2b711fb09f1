import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import UnknownName, UserError
from affordance.core.geometry import fit_within
from affordance.core.prompts import PLACEHOLDER, fill
from affordance.grounding.dialects import (
    DIALECTS,
    Dialect,
    dialect_fields,
    dialect_prompt,
    dialect_system_prompt,
    get_dialect,
    max_sent_side,
    sent_size,
)
from errors import raises

EVERY = [(row, level) for row in DIALECTS.values() for level in ("element", "region")]


def test_a_name_leads_to_a_dialect_with_that_name() -> None:
    for name in (*DIALECTS, "default@side:1568/xyxy", "claude@area:1568:1192464/xyxy", "holo@mille/yxyx"):
        dialect = get_dialect(name)
        assert dialect.name == name
        row = DIALECTS[name.partition("@")[0]]
        assert (dialect.max_side, dialect.max_pixels, dialect.element) == (row.max_side, row.max_pixels, row.element)


def test_a_calibrated_dialect_is_calibrated_anew() -> None:
    first = get_dialect("default@side:1568/xyxy")
    again = first.with_coordinates(DIALECTS["gemini"].coordinates)
    assert again.name == "default@mille/yxyx"


@pytest.mark.parametrize("name", ["", "gemni", "Gemini", "@mille/xyxy", "default@", "default@mille", "default@x/xyxy"])
def test_what_is_no_dialect_is_the_users_mistake(name: str) -> None:
    with pytest.raises(UserError):
        get_dialect(name)


def test_the_nearest_name_is_suggested() -> None:
    with raises(UnknownName, "gemni", "gemini") as caught:
        get_dialect("gemni")
    assert (caught.value.found, caught.value.suggested) == ("gemni", "gemini")


SENT = {
    "claude, 4K": ("claude", (3840, 2160), (2560, 1440)),
    "claude, small": ("claude", (1280, 720), (1280, 720)),
    "jedi": ("jedi", (1920, 1080), (1080, 608)),
    "qwen3-vl": ("qwen3-vl", (3840, 2160), (3200, 1800)),
    "as it is": ("gemini", (3840, 2160), (3840, 2160)),
    "most pixels": ("ui-venus", (3840, 2160), (2921, 1643)),
    "most pixels, portrait": ("infigui", (2340, 5064), (1424, 3082)),
}


@pytest.mark.parametrize(("name", "size", "sent"), SENT.values(), ids=SENT.keys())
def test_the_size_that_is_sent(name: str, size: tuple[int, int], sent: tuple[int, int]) -> None:
    assert sent_size(DIALECTS[name], size) == sent


LIMITED = [row for row in DIALECTS.values() if row.max_side is not None or row.max_pixels is not None]


@settings(max_examples=100)
@given(row=st.sampled_from([*LIMITED, DIALECTS["default"]]), width=st.integers(1, 9000), height=st.integers(1, 9000))
def test_limits_hold_and_no_more_is_shrunk_than_they_need(row: Dialect, width: int, height: int) -> None:
    side = max_sent_side(row, (width, height))
    sent = fit_within(width, height, side)
    assert sent == sent_size(row, (width, height))
    assert row.max_side is None or max(sent) <= row.max_side
    assert row.max_pixels is None or sent[0] * sent[1] <= row.max_pixels
    if side is not None:
        assert side < max(width, height)
        larger = fit_within(width, height, side + 1)
        over = (row.max_side is not None and max(larger) > row.max_side) or (
            row.max_pixels is not None and larger[0] * larger[1] > row.max_pixels
        )
        assert over


FIELDS = {"reference", "label", "expression", "target", "care", "absent", "width", "height"}


def test_a_frame_has_known_placeholders_and_can_say_that_nothing_matches() -> None:
    for row, level in EVERY:
        assert {"expression", "absent"} <= set(PLACEHOLDER.findall(dialect_prompt(row, level))) <= FIELDS, row.name
        assert not re.search(r"\{[a-z_]+\}", dialect_system_prompt(row, level)), row.name


def test_a_filled_frame_has_no_holes() -> None:
    given_fields = {"reference": "a description of", "label": "Description", "expression": "the red button"}
    for (row, level), absent in itertools.product(EVERY, (False, True)):
        fields = given_fields | dialect_fields(row, level, (3840, 2160), absent)
        text = fill(dialect_prompt(row, level), fields)
        assert "the red button" in text
        assert "\n\n\n" not in text
        assert not re.search(r"[ \t]$|  \S", text.replace("  #", " #"), re.MULTILINE)
        assert text == text.strip()
        assert bool(fields["absent"].strip()) is absent, row.name
        assert fields["absent"].strip() in text


def test_a_frame_for_any_model_states_the_space() -> None:
    for row, level in EVERY:
        text, grid = dialect_prompt(row, level), row.coordinates.grid.kind
        if row.format_for(level).prompt in ("mille-box", "gemini", "holo2"):
            assert grid == "mille"
            assert "1000" in text
        if row.format_for(level).prompt in ("pixel-box", "holo"):
            assert grid in ("sent", "smart")
            assert "{width}x{height}" in text


def test_the_size_told_is_the_one_the_model_counts_in() -> None:
    told = {
        name: dialect_fields(DIALECTS[name], "region", (3840, 2160), False) for name in ("claude", "infigui", "jedi")
    }
    assert [(fields["width"], fields["height"]) for fields in told.values()] == [
        ("2560", "1440"),
        ("2800", "1568"),
        ("1092", "616"),
    ]


def test_a_calibrated_dialect_asks_in_the_same_words() -> None:
    calibrated = get_dialect("claude@side:1568/xyxy")
    assert dialect_fields(calibrated, "element", (3840, 2160), True) == dialect_fields(
        DIALECTS["claude"], "element", (3840, 2160), True
    )


POINTS = {"ui-tars": (True, True), "uground": (True, True), "jedi": (True, True), "holo": (True, False)}
POINTS |= {"opencua": (True, False), "infigui": (True, False), "gui-r1": (True, False), "os-atlas": (False, False)}
POINTS |= {"ui-venus": (False, False), "gemini": (False, False), "default": (False, False)}


@pytest.mark.parametrize(("name", "points"), POINTS.items(), ids=POINTS.keys())
def test_who_only_points(name: str, points: tuple[bool, bool]) -> None:
    assert (DIALECTS[name].points_only("element"), DIALECTS[name].points_only("region")) == points
