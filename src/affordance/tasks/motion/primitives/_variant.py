"""What a clip shows: how the object looks at both ends of its change, and how it gets from one to the other."""

from dataclasses import dataclass, replace

WIDTH, HEIGHT = 640, 480
FPS = 60
FRAME_COUNT = 180

Rgb = tuple[int, int, int]

CHANGES: dict[str, frozenset[str]] = {
    "move": frozenset({"x", "y"}),
    "rotate": frozenset({"angle"}),
    "size": frozenset({"width", "height"}),
    "color": frozenset({"colour"}),
    "fade": frozenset({"opacity"}),
    "blur": frozenset({"blur"}),
    "morph": frozenset({"shape"}),
}
"""The fields of a `Look` which each effect may change. Everything else stays as it is for the whole clip."""

EFFECTS: tuple[str, ...] = tuple(CHANGES)


@dataclass(frozen=True, slots=True)
class ShapeState:
    """The object at one moment. Lengths are pixels of the 640x480 frame."""

    shape: str
    colour: Rgb
    x: float  # of the centre of gravity
    y: float
    width: float  # side of the square of equal area, if height is the same
    height: float
    angle: float = 0.0  # degrees, clockwise as seen
    opacity: float = 1.0
    blur: float = 0.0  # standard deviation of a Gaussian


@dataclass(frozen=True, slots=True)
class PrimitiveClip:
    """One clip. The object goes from `start` to `stop` between the moments `begin` and `end`, which are
    shares of the clip, and rests before and after; on a round trip it is at `stop` halfway."""

    effect: str
    background: Rgb
    start_state: ShapeState
    end_state: ShapeState
    easing: str = "ease-in-out"
    start_time: float = 0.08
    end_time: float = 0.92
    round_trip: bool = False


_SQUARE = ShapeState(shape="square", colour=(30, 100, 210), x=400.0, y=240.0, width=140.0, height=140.0)

_CANONICAL: dict[str, tuple[ShapeState, ShapeState]] = {
    "move": (replace(_SQUARE, x=280.0), replace(_SQUARE, x=520.0)),
    "rotate": (_SQUARE, replace(_SQUARE, angle=180.0)),
    "size": (replace(_SQUARE, width=90.0, height=90.0), replace(_SQUARE, width=210.0, height=210.0)),
    "color": (_SQUARE, replace(_SQUARE, colour=(220, 50, 40))),
    "fade": (_SQUARE, replace(_SQUARE, opacity=0.0)),
    "blur": (_SQUARE, replace(_SQUARE, blur=28.0)),
    "morph": (_SQUARE, replace(_SQUARE, shape="circle")),
}


def canonical_clip(effect: str) -> PrimitiveClip:
    """The plainest clip of an effect: a blue square on white, one way."""
    start, stop = _CANONICAL[effect]
    return PrimitiveClip(effect=effect, background=(255, 255, 255), start_state=start, end_state=stop)
