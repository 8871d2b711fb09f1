"""From a take to what is recorded of it: when and where it happens, how long it takes, what it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from affordance.capture.effects import effects_of
from affordance.capture.filming import FRAME, NEAR, Take, Track
from affordance.capture.roll import Roll
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import AnimatedElement, DeclaredAnimation, Keyframe
from affordance.datasets.taxonomies import EFFECTS

NOWHERE = [0.0, 0.0, 0.0, 0.0]


@dataclass(frozen=True, slots=True)
class Described:
    start_frame: int
    end_frame: int
    filmed: float  # milliseconds on film
    duration: float  # and as declared, where that is known
    visible: bool
    easing: str | None
    effects: list[str]
    regions: list[Box]
    movers: list[AnimatedElement]
    animations: list[DeclaredAnimation]


def described(take: Take, roll: Roll, scale: float) -> Described | None:
    """All that is known of a take; None where nothing has changed. `scale`: pixels per CSS pixel."""
    tracks = [*take.tracks, *_drawings(take, roll, scale)]
    frames = [number for number, changed in enumerate(roll.changed) if changed and number >= take.trigger_frame]
    visible = bool(frames)
    frames = frames or [number for track in tracks for number in track.changed if number >= take.trigger_frame]
    if not frames:
        return None
    start, end = min(frames), max(frames) if take.ended else roll.count - 1
    declared = {one["mover"] for one in take.animations}
    places = [place for place, track in enumerate(tracks) if track.changed or place in declared]
    gradual = [place for place in places if _is_gradual(tracks[place])] or places
    movers = [_mover(tracks[place], roll.count, scale) for place in places]
    effects = {effect for place in gradual for effect in movers[places.index(place)].effects}
    animations = [_animation(one, places.index(one["mover"])) for one in take.animations if one["mover"] in places]
    moving = [animation for animation in animations if places[animation.mover] in gradual]
    declared_only = all(tracks[place].about["kind"] not in ("script", "drawing") for place in gradual)
    filmed = 0.0 if start == end else round((end - start + 1) * FRAME, 3)
    return Described(
        start,
        end,
        filmed,
        _declared(moving) if take.ended and moving and declared_only else filmed,
        visible,
        _easing(moving),
        in_order(effects),
        _regions([movers[places.index(place)] for place in gradual], roll, scale),
        movers,
        animations,
    )


def _is_gradual(track: Track) -> bool:
    """Whether it changes bit by bit. Being carried along by something else does not count."""
    if track.about["kind"] == "drawing":
        return len(track.changed) > 1
    return any(len(values) > 2 for values in track.history.values())


def in_order(effects: set[str]) -> list[str]:
    return [effect for effect in EFFECTS if effect in effects]


def reversed_take(take: Take, count: int) -> Take:
    """The same take with time running backwards."""
    tracks = []
    for track in take.tracks:
        boxes = [None] * track.first + track.boxes + track.boxes[-1:] * (count - track.first - len(track.boxes))
        changed = sorted(count - number for number in track.changed if number > 0)
        tracks.append(replace(track, first=0, boxes=boxes[::-1], changed=changed))
    return replace(take, trigger_frame=0, tracks=tracks)


def _drawings(take: Take, roll: Roll, scale: float) -> list[Track]:
    """Canvases and the like in which pixels changed that no style accounts for; or, where nothing else moves, just the
    place. Beside something that moves, such pixels are of what it pushes about."""
    changed = [number for number in roll.unexplained if number >= take.trigger_frame]
    box = roll.unexplained_box()
    if box is None or not changed:
        return []
    x1, y1, x2, y2 = (value / scale for value in box)
    found = []
    for one in take.drawn:
        left, top, right, bottom = one["box"]
        cut = max(left, x1), max(top, y1), min(right, x2), min(bottom, y2)
        if cut[0] < cut[2] and cut[1] < cut[3]:
            found.append((one["path"], one["tag"], cut))
    if not found and not any(track.changed for track in take.tracks):
        found = [("", "", (x1, y1, x2, y2))]
    about = {"pseudo": "", "kind": "drawing", "text": ""}
    return [Track(None, {**about, "path": path, "tag": tag}, 0, [cut], changed=changed) for path, tag, cut in found]


def _mover(track: Track, count: int, scale: float) -> AnimatedElement:
    about = track.about
    boxes = [[round(value * scale, 2) for value in box] if box is not None else NOWHERE for box in track.boxes]
    boxes += boxes[-1:] * (count - track.first - len(boxes))
    path = about["path"] if track.frame is None else f"{track.frame.number}:{about['path']}"
    return AnimatedElement(
        locator=f"{path}{about['pseudo']}",
        tag=about["tag"],
        text=about["text"],
        kind=about["kind"],
        effects=in_order(effects_of(track.history, comes_or_goes=track.comes_or_goes)),
        properties=sorted(track.history),
        first_frame=track.first,
        boxes=boxes,
    )


def _animation(one: dict[str, Any], mover: int) -> DeclaredAnimation:
    keyframes = [Keyframe(**{**frame, "offset": float(frame["offset"])}) for frame in one["keyframes"]]
    return DeclaredAnimation(
        kind=one["kind"],
        name=one["name"],
        mover=mover,
        start=round(one["start"], 3),
        delay=float(one["delay"]),
        duration=float(one["duration"]),
        iterations=None if one["iterations"] is None else float(one["iterations"]),
        direction=one["direction"],
        easing=one["easing"],
        fill=one["fill"],
        keyframes=keyframes,
    )


def _declared(animations: Sequence[DeclaredAnimation]) -> float:
    """From the first that begins to the last that ends."""
    begins = min(one.start + one.delay for one in animations)
    ends = max(one.start + one.delay + one.duration * (one.iterations or 0) for one in animations)
    return round(max(0.0, ends - begins), 3)


def _easing(animations: Sequence[DeclaredAnimation]) -> str | None:
    """The one easing of all; that of the keyframes, where there the whole has none."""
    found = set()
    for one in animations:
        inner = {frame.easing for frame in one.keyframes if frame.offset < 1}
        found |= {one.easing} if one.easing != "linear" or not inner else inner
    return found.pop() if len(found) == 1 else None


def _regions(movers: Sequence[AnimatedElement], roll: Roll, scale: float) -> list[Box]:
    """Where it happens: the boxes of what moves, what is near each other together, cut down or extended to the pixels
    that really change there. Empty where nothing of it is in the window."""
    unions = [_union(mover.boxes) for mover in movers]
    groups = _grouped([box for box in unions if box is not None], NEAR * scale)
    found = []
    for x1, y1, x2, y2 in groups:
        reach = NEAR * scale
        seen = roll.changes_within((x1 - reach, y1 - reach, x2 + reach, y2 + reach))
        if seen is not None:
            found.append(Box(CoordinateSpace.PIXEL, *map(float, seen)))
    return found


def _union(boxes: Sequence[Sequence[float]]) -> tuple[float, float, float, float] | None:
    there = [box for box in boxes if box[2] > box[0] or box[3] > box[1]]
    if not there:
        return None
    x1, y1, x2, y2 = zip(*there, strict=True)
    return min(x1), min(y1), max(x2), max(y2)


def _grouped(boxes: Sequence[tuple[float, float, float, float]], gap: float) -> list[tuple[float, float, float, float]]:
    groups: list[tuple[float, float, float, float]] = []
    for box in boxes:
        apart = [one for one in groups if _apart(one, box, gap)]
        together = [one for one in groups if not _apart(one, box, gap)]
        x1, y1, x2, y2 = zip(box, *together, strict=True)
        groups = [*apart, (min(x1), min(y1), max(x2), max(y2))]
    return _grouped(groups, gap) if len(groups) < len(boxes) else sorted(groups)


def _apart(one: Sequence[float], other: Sequence[float], gap: float) -> bool:
    return one[2] + gap < other[0] or other[2] + gap < one[0] or one[3] + gap < other[1] or other[3] + gap < one[1]
