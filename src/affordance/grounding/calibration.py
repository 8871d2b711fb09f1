"""What a calibration tries: the coordinate systems that models are known to speak, and where on a screen its targets
are.

The order is that of preference: of coordinate systems that fit equally well, the first is taken."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.core.attempts import SCORED_STATUSES, AttemptResult
from affordance.core.geometry import Box, CoordinateSpace, ImageSize
from affordance.grounding.coordinates import AxisOrder, CoordinateSystem, Grid
from affordance.grounding.dialects import Dialect, sent_size
from affordance.grounding.location_scoring import TargetTruth, centre_of

_SIDES = (768, 1024, 1080, 1280, 1344, 1536, 1568, 1600, 1792, 1920, 2000, 2048, 2560, 3200)

_GRIDS = (
    *("original", "sent", "mille", "unit", "percent"),
    *(f"side:{longest}" for longest in _SIDES),
    *("area:1568:1192464", "area:4096:1048576", "area:4096:2097152"),
    "tiles:2048:768",
    # Multiples of the patch, and the usual budgets: so many patches, times their area.
    *(f"smart:28:3136:{patches * 28 * 28}" for patches in (1280, 1344, 2560, 2700, 4096, 16384)),
    *(f"smart:32:65536:{patches * 32 * 32}" for patches in (1280, 2560, 4096, 16384)),
)

CANDIDATES: tuple[CoordinateSystem, ...] = tuple(
    CoordinateSystem(Grid.parse(grid), order)
    for order in (AxisOrder.XYXY, AxisOrder.YXYX, AxisOrder.XYWH)
    for grid in _GRIDS
)


Floats = NDArray[np.float64]

MIN_DIFFERENCE = 0.05  # of the screen: coordinate systems that differ by this must be distinguished
MIN_SCORE_GAP = 5.0  # gap of log-likelihoods from which on the lesser coordinate system is out
TIE_GAP = 1.0  # gap within which the candidate that comes first in the table is taken
MIN_FITS, MIN_FIT_SHARE = 6, 0.25  # answers, and share of the answers, that must fit
MAX_CHANCE = 0.001  # how likely as many fits may be for a model that points anywhere, all candidates together

MAX_P_VALUE, MIN_GAIN = 0.001, 0.05  # of `better_convention`: the p-value, and the share of answers that turn into hits
TIE_GAIN = 0.01  # and the share within which, again, the first candidate is taken

_NOISES = (0.002, 0.004, 0.008, 0.015, 0.03, 0.06)  # shares of width and height
_MISSES = (0.02, 0.1, 0.25, 0.5, 0.75)  # shares of the answers
_OUTSIDE = 0.05  # density of misses outside the screen, where a model that is read rightly hardly ever points
_SHIFTS = 20


@dataclass(frozen=True, slots=True)
class CalibrationAnswer:
    """The numbers that a model gave for a target, two or four, or None where it gave none. The box is in pixels of the
    image, which has this size and was sent as one of `sent`."""

    numbers: tuple[float, ...] | None
    box: Box
    size: ImageSize
    sent: ImageSize


@dataclass(frozen=True, slots=True)
class CoordinateFit:
    """How well a coordinate system explains the answers. `fits` are the answers more likely right than a miss, `error`
    is their median distance from the target's centre in pixels (None without any), `noise` a share of the screen."""

    coordinates: CoordinateSystem
    score: float  # log-likelihood
    fits: int
    error: float | None
    noise: float


@dataclass(frozen=True, slots=True)
class CloseAlternative:
    """A coordinate system that the answers do not distinguish from the best one, and the largest difference between the
    two in pixels, anywhere on the images."""

    coordinates: CoordinateSystem
    pixels: float


@dataclass(frozen=True, slots=True)
class CoordinateCalibration:
    """`ranking` is best first, and empty where no answer had numbers; `gap` is between the log-likelihood of the best
    and of the next that is distinguished from it (None without one). Not settled comes with a reason."""

    ranking: tuple[CoordinateFit, ...]
    alternatives: tuple[CloseAlternative, ...]
    gap: float | None
    answered: int
    total: int
    reason: str

    @property
    def settled(self) -> bool:
        return not self.reason

    @property
    def best(self) -> CoordinateFit | None:
        return self.ranking[0] if self.ranking else None


@dataclass(frozen=True, slots=True)
class BetterCoordinates:
    """Another coordinate system under which significantly more of a run's answers hit. `p` counts all candidates
    tried."""

    coordinates: CoordinateSystem
    current: CoordinateSystem
    hits: int
    current_hits: int
    n: int
    p_value: float


def infer_coordinates(
    answers: Sequence[CalibrationAnswer], candidates: Sequence[CoordinateSystem]
) -> CoordinateCalibration:
    """The coordinate system that explains the answers best. Of candidates that differ for boxes only, the first is
    tried where all answers are points."""
    located = [probe for probe in answers if _is_location(probe.numbers)]
    if not located or not candidates:
        return CoordinateCalibration((), (), None, len(located), len(answers), "no answer has two or four numbers")
    tried = _distinguishable(candidates, any(len(probe.numbers or ()) == 4 for probe in located))
    fits, order = _fit_candidates(located, tried)
    ranking = tuple(fits[index] for index in order)
    best = ranking[0]
    pixels, shares = _differences(best.coordinates, [fit.coordinates for fit in ranking], located)
    close = [
        best.score - fit.score < MIN_SCORE_GAP or share < 2 * best.noise
        for fit, share in zip(ranking, shares, strict=True)
    ]
    near = tuple(
        CloseAlternative(fit.coordinates, float(most))
        for fit, most, same in zip(ranking[1:], pixels[1:], close[1:], strict=True)
        if same
    )
    others = [best.score - fit.score for fit, same in zip(ranking, close, strict=True) if not same]
    reason = _too_few_reason(best, len(located), len(tried)) or _undecided_reason(ranking, close, shares, pixels)
    return CoordinateCalibration(ranking, near, min(others, default=None), len(located), len(answers), reason)


def better_coordinates(
    current: CoordinateSystem, answers: Sequence[CalibrationAnswer], candidates: Sequence[CoordinateSystem]
) -> BetterCoordinates | None:
    """Whether answers of a run, read as `said`, hit significantly more often when read otherwise: by the exact test of
    McNemar, corrected for the number of candidates, with a gain that matters, and also more often than the same
    answers hit each other's targets (a model that always points at one place hits something under any reading).

    For a warning only: it uses the truth of what is evaluated, so nothing may be scored by it."""
    from scipy import special

    located = [probe for probe in answers if _is_location(probe.numbers)]
    if not located or not candidates:
        return None
    boxes = np.array([probe.box.xyxy for probe in located])
    as_given, *others = (_inside(reading, boxes) for reading in _each_reading(located, [current, *candidates]))
    won = np.array([np.count_nonzero(other & ~as_given) for other in others])
    lost = np.array([np.count_nonzero(as_given & ~other) for other in others])
    p = np.minimum(1.0, 2 * len(candidates) * np.where(won > 0, special.bdtrc(won - 1.0, won + lost, 0.5), 1.0))
    gains, n = won - lost, len(located)
    index = int(np.argmax(gains >= gains.max() - TIE_GAIN * n))
    if p[index] >= MAX_P_VALUE or gains[index] < MIN_GAIN * n:
        return None
    hits = int(others[index].sum())
    if hits - _exchanged_hits(_readings(located, [candidates[index]])[0], boxes, located) < MIN_GAIN * n:
        return None
    return BetterCoordinates(candidates[index], current, hits, int(as_given.sum()), n, float(p[index]))


def _is_location(numbers: tuple[float, ...] | None) -> bool:
    return numbers is not None and len(numbers) in (2, 4) and all(map(math.isfinite, numbers))


def _distinguishable(candidates: Sequence[CoordinateSystem], boxes: bool) -> list[CoordinateSystem]:
    """Candidates once each; without boxes, width and height never show."""
    found = dict.fromkeys(candidates)
    if not boxes:
        found = {
            one: None
            for one in found
            if one.axis_order is not AxisOrder.XYWH or CoordinateSystem(one.grid) not in found
        }
    return list(found)


def _fit_candidates(
    answers: Sequence[CalibrationAnswer], candidates: Sequence[CoordinateSystem]
) -> tuple[list[CoordinateFit], list[int]]:
    """How each candidate fits, and their order, best first."""
    screens = np.array([probe.size for probe in answers], dtype=float)
    middles = np.array([(probe.box.centre.x, probe.box.centre.y) for probe in answers])
    readings = _readings(answers, candidates)
    apart = readings - middles
    squares = np.sum((apart / screens) ** 2, axis=2)
    on_miss = np.where(np.all((readings >= 0) & (readings <= screens), axis=2), 1.0, _OUTSIDE)
    on_hit = [np.exp(-squares / (2 * noise**2)) / (2 * math.pi * noise**2) for noise in _NOISES]
    settings = [(noise, miss) for noise in range(len(_NOISES)) for miss in _MISSES]
    tables = np.stack([np.log((1 - miss) * on_hit[noise] + miss * on_miss).sum(axis=1) for noise, miss in settings])
    scores = tables.max(axis=0)
    fits = []
    for index, (noise, miss) in enumerate(settings[row] for row in tables.argmax(axis=0)):
        right = (1 - miss) * on_hit[noise][index] > miss * on_miss[index]
        error = _median(np.hypot(*apart[index][right].T))
        fits.append(CoordinateFit(candidates[index], float(scores[index]), int(right.sum()), error, _NOISES[noise]))
    best = int(np.argmax(scores >= scores.max() - TIE_GAP))
    return fits, sorted(range(len(candidates)), key=lambda index: (index != best, -scores[index], index))


def _median(found: Floats) -> float | None:
    ordered = np.sort(found)  # np.median takes ten times as long for a few numbers
    middle = len(ordered) // 2
    return float(ordered[middle] + ordered[-1 - middle]) / 2 if len(ordered) else None


def _readings(answers: Sequence[CalibrationAnswer], candidates: Sequence[CoordinateSystem]) -> Floats:
    return np.stack(list(_each_reading(answers, candidates)))


def _each_reading(answers: Sequence[CalibrationAnswer], candidates: Sequence[CoordinateSystem]) -> Iterator[Floats]:
    """Centres of what the answers say under each coordinate system, in pixels (answers, 2): the same as the centre of
    `Convention.place`, for all answers at once."""
    numbers = np.array([[*(probe.numbers or ()), math.nan, math.nan][:4] for probe in answers])
    first, second = numbers[:, :2], numbers[:, 2:]
    boxes = np.isfinite(second)
    corners = np.where(boxes, (first + second) / 2, first)
    orders = {
        AxisOrder.XYXY: corners,
        AxisOrder.YXYX: corners[:, ::-1],
        AxisOrder.XYWH: np.where(boxes, first + second / 2, first),
    }
    kinds: dict[tuple[ImageSize, ImageSize], int] = {}
    which = np.array([kinds.setdefault((probe.size, probe.sent), len(kinds)) for probe in answers])
    scales: dict[Grid, Floats] = {}
    for one in candidates:
        if one.grid not in scales:
            scales[one.grid] = np.array([one.scale(size, sent) for size, sent in kinds])
        yield orders[one.axis_order] * scales[one.grid][which]


def _inside(places: Floats, boxes: Floats) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = np.all((places >= boxes[:, :2]) & (places <= boxes[:, 2:]), axis=1)
    return inside


def _differences(
    one: CoordinateSystem, others: Sequence[CoordinateSystem], answers: Sequence[CalibrationAnswer]
) -> tuple[Floats, Floats]:
    """By how much others read at most differently what `one` says about the corners of the images: in pixels, and as
    a share of the screen."""
    boxes = any(len(probe.numbers or ()) == 4 for probe in answers)
    probes = []
    for width, height, sent in dict.fromkeys((*probe.size, probe.sent) for probe in answers):
        for x, y in ((0.0, 0.0), (0.95, 0.0), (0.0, 0.95), (0.95, 0.95)):
            box = Box(CoordinateSpace.PIXEL, x * width, y * height, (x + 0.05) * width, (y + 0.05) * height)
            numbers = one.from_location(box if boxes else box.centre, (width, height), sent)
            probes.append(CalibrationAnswer(numbers, box, (width, height), sent))
    apart = np.abs(_readings(probes, others) - _readings(probes, [one]))
    shares: Floats = (apart / np.array([probe.size for probe in probes])).max(axis=(1, 2))
    pixels: Floats = np.hypot(apart[:, :, 0], apart[:, :, 1]).max(axis=1)
    return pixels, shares


def _too_few_reason(best: CoordinateFit, answered: int, candidate_count: int) -> str:
    """Why the fits may be chance: a model that cannot point has no coordinate system."""
    from scipy import special

    reach = math.pi * (3 * best.noise) ** 2  # share of the screen in which an answer fits
    needed = max(MIN_FITS, math.ceil(MIN_FIT_SHARE * answered))
    while candidate_count * special.bdtrc(needed - 1, answered, min(reach, 1.0)) > MAX_CHANCE and needed < answered:
        needed += 1
    if best.fits >= needed:
        return ""
    return (
        f"only {best.fits} of {answered} answers lie near their targets under any convention tried, "
        f"and at least {needed} are needed"
    )


def _undecided_reason(ranking: Sequence[CoordinateFit], close: Sequence[bool], shares: Floats, pixels: Floats) -> str:
    for fit, same, share, most in zip(ranking, close, shares, pixels, strict=True):
        if same and share >= MIN_DIFFERENCE and ranking[0].score - fit.score < MIN_SCORE_GAP:
            return (
                f"{ranking[0].coordinates} and {fit.coordinates} fit about equally well and differ by up to "
                f"{most:.0f} pixels: more probes are needed"
            )
    return ""


def _exchanged_hits(readings: Floats, boxes: Floats, answers: Sequence[CalibrationAnswer]) -> float:
    """How many answers would hit if each were given for another target, at the same share of the screen."""
    screens = np.array([probe.size for probe in answers], dtype=float)
    places, corners = readings / screens, boxes / np.hstack([screens, screens])
    shifts = range(1, min(_SHIFTS, len(answers) - 1) + 1)
    hits = [np.count_nonzero(_inside(np.roll(places, shift, axis=0), corners)) for shift in shifts]
    return float(np.mean(hits)) if hits else 0.0


def calibration_answers(outcomes: Iterable[AttemptResult], dialect: Dialect) -> list[CalibrationAnswer]:
    """The model's own numbers with the truth, for targets that are boxes; without numbers where there are none."""
    found = []
    for outcome in outcomes:
        if outcome.verdict is None or outcome.verdict.status not in SCORED_STATUSES:
            continue
        truth = TargetTruth.target_from_text(outcome.truth)
        if truth.boxes:
            numbers = outcome.verdict.detail.get("numbers")
            found.append(_calibration_answer(numbers, truth.boxes[0], truth, dialect))
    return found


def _calibration_answer(numbers: object, box: Box, truth: TargetTruth, dialect: Dialect) -> CalibrationAnswer:
    said = tuple(float(number) for number in numbers) if isinstance(numbers, list | tuple) and numbers else None
    return CalibrationAnswer(said, box, truth.size, sent_size(dialect, truth.size))


def count_hits(answers: Iterable[CalibrationAnswer], coordinates: CoordinateSystem) -> int:
    """How many answers, read by a coordinate system, point into their targets."""
    count = 0
    for probe in answers:
        if probe.numbers is not None and len(probe.numbers) in (2, 4):
            point = centre_of(coordinates.to_location(probe.numbers, probe.size, probe.sent))
            count += probe.box.contains(point.x, point.y)
    return count


def describe_coordinates(dialect: Dialect) -> str:
    """A dialect's coordinate system as a sentence would have it."""
    grid, order = dialect.coordinates.grid, dialect.coordinates.axis_order
    numbers = dict(zip("abc", grid.numbers, strict=False))
    return f"{_GRID_TEXTS[grid.kind].format(**numbers)}; boxes as {_ORDER_TEXTS[order]}"


_GRID_TEXTS = {
    "original": "pixels of the picture as it is",
    "sent": "pixels of the picture as it is sent",
    "unit": "shares of width and height, 0 to 1",
    "percent": "percent of width and height",
    "mille": "thousandths of width and height",
    "side": "pixels of the picture shrunk to at most {a} on its longest side",
    "area": "pixels of the picture shrunk to at most {a} on its longest side and {b:,} in all",
    "tiles": "pixels of the picture shrunk to at most {a} on its longest and {b} on its shortest side",
    "smart": "pixels of the picture as smart resizing leaves it (sides multiples of {a}, at most {c:,} pixels)",
}
_ORDER_TEXTS = {
    AxisOrder.XYXY: "two corners, x first",
    AxisOrder.YXYX: "two corners, y first",
    AxisOrder.XYWH: "a corner, width and height",
}
