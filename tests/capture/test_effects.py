"""From changes of styles to what a person sees."""

import math

import pytest

from affordance.capture.effects import effects_of

SQUARE = "0 0 100 100"


def turned(degrees: float, x: float = 0.0, y: float = 0.0, box: str = SQUARE) -> str:
    """Part of a drawing, turned around a point."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return f"{cos} {sin} {-sin} {cos} {x - cos * x + sin * y} {y - sin * x - cos * y} {box}"


CASES = {
    "translate": ({"transform": ["none", "matrix(1, 0, 0, 1, 40, 0)"]}, {"move"}),
    "less than a twentieth of a pixel": ({"transform": ["none", "matrix(1, 0, 0, 1, 0.04, 0)"]}, set()),
    "rotate": ({"transform": ["none", "matrix(0, 1, -1, 0, 0, 0)"]}, {"rotate"}),
    "scale": ({"transform": ["none", "matrix(2, 0, 0, 2, 0, 0)"]}, {"size"}),
    "shrunk to nothing": ({"transform": ["none", "matrix(0, 0, 0, 0, 0, 0)"]}, {"size"}),
    "mirrored in steps": (
        {"transform": ["none", *(f"matrix({across}, 0, 0, 1, 0, 0)" for across in (0.5, -0.5, -1))]},
        {"size"},
    ),
    "skew": ({"transform": ["none", "matrix(1, 0, 0.5, 1, 0, 0)"]}, {"morph"}),
    "all at once": ({"transform": ["none", "matrix(0, 2, -2, 0, 9, 9)"]}, {"move", "rotate", "size"}),
    "turned in depth": (
        {"transform": ["none", "matrix3d(0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)"]},
        {"rotate"},
    ),
    "the property rotate": ({"rotate": ["none", "90deg"]}, {"rotate"}),
    "the property translate": ({"translate": ["none", "40px"]}, {"move"}),
    "both sides move": ({"left": ["0px", "10px"], "right": ["90px", "80px"]}, {"move"}),
    "one side moves with the width": ({"width": ["50px", "90px"], "right": ["90px", "50px"]}, {"size"}),
    "from above": ({"top": ["-50px", "0px"], "bottom": ["250px", "200px"]}, {"move"}),
    "width": ({"width": ["0px", "100px"]}, {"size"}),
    "a text that counts": ({"text": ["9 %", "10 %"], "width": ["20px", "28px"]}, {"morph"}),
    "opacity": ({"opacity": ["0", "0.5", "1"]}, {"fade"}),
    "shown at once": ({"display": ["none", "block"]}, {"fade"}),
    "shown, then sliding": (
        {"display": ["none", "block"], "transform": ["none", "matrix(1, 0, 0, 1, 40, 0)"]},
        {"move"},
    ),
    "colour": ({"background-color": ["rgb(255, 0, 0)", "rgb(0, 128, 0)"]}, {"color"}),
    "a colour that becomes opaque": ({"color": ["rgba(9, 9, 9, 0)", "rgba(9, 9, 9, 0.5)", "rgb(9, 9, 9)"]}, {"fade"}),
    "a colour in another notation": ({"fill": ["oklab(0.5 0.1 0)", "oklab(0.6 0.1 0)"]}, {"color"}),
    "a gradient that wanders": ({"background-position": ["0% 0%", "100% 0%"]}, {"move"}),
    "blur": ({"filter": ["none", "blur(4px)"]}, {"blur"}),
    "a filter of colours": ({"filter": ["hue-rotate(0deg)", "hue-rotate(90deg)"]}, {"color"}),
    "blur beside what stays": ({"filter": ["blur(1px) sepia(1)", "blur(4px) sepia(1)"]}, {"blur"}),
    "a ring that spreads and fades": (
        {"box-shadow": ["rgba(0, 0, 255, 0.5) 0px 0px 0px 0px", "rgba(0, 0, 255, 0.1) 0px 0px 0px 12px"]},
        {"size", "fade"},
    ),
    "a deeper shadow": (
        {"box-shadow": ["rgba(0, 0, 0, 0.2) 0px 1px 2px 0px", "rgba(0, 0, 0, 0.2) 0px 8px 20px 0px"]},
        {"color"},
    ),
    "rounder corners": ({"border-top-left-radius": ["0px", "20px"]}, {"morph"}),
    "a line that is drawn": ({"stroke-dashoffset": ["100px", "0px"]}, {"morph"}),
    "another outline": ({"d": ['path("M 0 0")', 'path("M 1 1")']}, {"morph"}),
    "a drawing that turns on the spot": ({"matrix": [turned(a, 50, 50) for a in (0, 30, 60)]}, {"rotate"}),
    "a drawing that circles a point": (
        {"matrix": [turned(a, 50, 50, "90 45 10 10") for a in (0, 30, 60)]},
        {"rotate"},
    ),
    "a drawing that turns while it moves": (
        {"matrix": [turned(a, 50 + a, 50) for a in (0, 30, 60, 90)]},
        {"move", "rotate"},
    ),
    "a drawing that moves": ({"matrix": [f"1 0 0 1 {x} 0 {SQUARE}" for x in (0, 10, 20)]}, {"move"}),
    "a drawing that grows from its middle": (
        {"matrix": [f"{k} 0 0 {k} {50 - 50 * k} {50 - 50 * k} {SQUARE}" for k in (1, 1.5, 2)]},
        {"size"},
    ),
    "a drawing that grows from its foot": (
        {"matrix": [f"1 0 0 {k} 0 {100 - 100 * k} {SQUARE}" for k in (0.1, 0.5, 1)]},
        {"size"},
    ),
    "another text at a stroke, while it swells": ({"text": ["2", "3"], "scale": ["1", "1.1", "1.2"]}, {"size"}),
    "what nobody sees": ({"position": ["static", "relative"]}, set()),
    "nothing": ({}, set()),
}  # fmt: skip


@pytest.mark.parametrize(("history", "expected"), CASES.values(), ids=CASES)
def test_what_a_person_sees(history: dict[str, list[str]], expected: set[str]) -> None:
    assert effects_of(history) == expected


def test_what_comes_or_goes_fades_where_nothing_else_is_to_be_seen() -> None:
    assert effects_of({}, comes_or_goes=True) == {"fade"}
    assert effects_of({"width": ["1px", "2px"]}, comes_or_goes=True) == {"size"}
