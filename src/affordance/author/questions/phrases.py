"""Describing things of a screen without a model: by order among their likes, by the text next to them, by place.

For every thing all phrases are made that hold for it. One that holds for no other thing of the screen describes it:
it is unique by construction, as far as the things of the screen are known. Places are never told in numbers: a box
could be made of them without a look at the screen."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, pairwise

from affordance.author.questions.leaks import plain
from affordance.author.questions.lines import VAGUE, in_lines
from affordance.author.questions.things import (
    APART,
    MOST_COUNTED,
    Ranked,
    Scene,
    Thing,
    corners_of,
    nearest,
    number,
    ordinal,
    part_of,
    plural,
    size_of,
    x_of,
    y_of,
)
from affordance.core.box import Box

LONGEST_QUOTE, SHORTEST_QUOTE = 40, 2  # letters of a text that others are described by
LETTER = 5  # pixels that a letter needs at least: a longer text is a name that is not written there
UNWRITTEN = ("slider", "text field", "search field", "drop-down list", "listbox", "spinbutton")  # named by what is near
LARGEST_ANCHOR = 0.05  # share of the screen: in a larger thing a text may be anywhere
INSIDE = 0.9  # of an element that must be in a region for it to belong there
MOST_QUOTED = 12  # texts of a region that are tried to tell it


def element_phrases(elements: Sequence[Thing], scene: Scene) -> dict[str, list[str]]:
    """All phrases that hold for each element, the most telling first."""
    anchors = quotable(elements, scene.size)
    found = (in_lines(elements, anchors, scene), _beside(elements, anchors, scene))
    return _collected(elements, chain(*found, _placed(elements, scene) if scene.complete else ()))


def region_phrases(regions: Sequence[Thing], elements: Sequence[Thing], scene: Scene) -> dict[str, list[str]]:
    """The same for regions. Texts are those of the elements in them; a region that is given one may be told by its
    own."""
    anchors = quotable(elements, scene.size)
    named = ((one.id, 0, f"the {one.kind} “{one.text}”") for one in regions if one.text)
    sized = [
        replace(one, kind=f"{size_of(one.box, scene.size)} region") if one.kind in VAGUE else one for one in regions
    ]
    seen = (in_lines(sized, anchors, scene), _beside(sized, anchors, scene), _shaped(regions, scene))
    return _collected(regions, chain(named, _holding(regions, anchors), *seen))


def telling(phrases: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Of all phrases by thing, those that hold for it and for nothing else."""
    times = Counter(plain(phrase) for found in phrases.values() for phrase in set(found))
    return {name: [phrase for phrase in found if times[plain(phrase)] == 1] for name, found in phrases.items()}


def quotable(things: Sequence[Thing], size: tuple[int, int]) -> list[Thing]:
    """Things whose text can be quoted to say where others are: it is there once, short, and fits where it is."""
    times = Counter(plain(one.text) for one in things)
    return [
        one
        for one in things
        if times[plain(one.text)] == 1
        and SHORTEST_QUOTE <= len(one.text) <= LONGEST_QUOTE
        and any(letter.isalpha() for letter in one.text)
        and one.kind not in UNWRITTEN
        and len(one.text) * LETTER <= one.box.x2 - one.box.x1
        and one.box.area <= LARGEST_ANCHOR * size[0] * size[1]
    ]


def _collected(things: Iterable[Thing], found: Iterable[tuple[str, int, str]]) -> dict[str, list[str]]:
    by_thing: dict[str, list[tuple[int, str]]] = {one.id: [] for one in things}
    for name, rank, phrase in found:
        by_thing[name].append((rank, phrase))
    # Sorted by rank only: within one, phrases stay in the order in which they were made.
    return {
        name: list(dict.fromkeys(phrase for _, phrase in sorted(phrases, key=lambda one: one[0])))
        for name, phrases in by_thing.items()
    }


def _beside(things: Sequence[Thing], anchors: Sequence[Thing], scene: Scene) -> Ranked:
    """By the text that something stands next to, being the nearest of its kind to it."""
    kinds: dict[str, list[Thing]] = {}
    for one in things:
        kinds.setdefault(one.kind, []).append(one)
    for side, said, rank in (
        ("left", "nearest to the left of", 2),
        ("right", "nearest to the right of", 2),
        ("above", "nearest above", 4),
        ("below", "nearest below", 4),
    ):
        for kind, members in kinds.items():
            corners = corners_of(members)
            for anchor in anchors:
                near = nearest(anchor.box, members, side, scene.size, corners)
                if near is not None and near.id != anchor.id:
                    yield near.id, rank, f"the {kind} {said} “{anchor.text}”"


def _placed(things: Sequence[Thing], scene: Scene) -> Ranked:
    """By the part of the screen, alone of its kind there or counted."""
    parts: dict[tuple[str, str], list[Thing]] = {}
    for one in things:
        parts.setdefault((one.kind, part_of(one.box, scene.size)), []).append(one)
    for (kind, part), members in parts.items():
        where = f"in the {part} of the screen"
        if len(members) == 1:
            yield members[0].id, 6, f"the only {kind} {where}"
            continue
        for start, key in (("top", y_of), ("left", x_of)):
            line = sorted(members, key=key)
            if len(line) <= MOST_COUNTED and all(key(b) - key(a) >= APART for a, b in pairwise(line)):
                counted = f"of {number(len(line))} {plural(kind)} {where}"
                yield from ((one.id, 7, f"the {ordinal(n)} from the {start} {counted}") for n, one in enumerate(line))


def _holding(regions: Sequence[Thing], quoted: Sequence[Thing]) -> Ranked:
    """By texts that are in a region and, together, in no smaller one."""
    by_area = sorted(regions, key=lambda one: (one.box.area, one.id))
    inside = {one.id: [text for text in quoted if _in(text.box, one.box)] for one in regions}
    ids = {name: {text.id for text in texts} for name, texts in inside.items()}
    for region in regions:
        texts = inside[region.id][:MOST_QUOTED]
        for count in (1, 2):
            for some in combinations(texts, count):
                wanted = {text.id for text in some}
                holders = [one for one in by_area if wanted <= ids[one.id]]
                # The first that holds them is the smallest; one of the same size would be as good an answer.
                if holders[0].id == region.id and (len(holders) == 1 or holders[1].box.area > region.box.area):
                    said = " and ".join(f"“{text.text}”" for text in some)
                    yield region.id, count, f"the smallest region that holds {said}"
                    break


def _shaped(regions: Sequence[Thing], scene: Scene) -> Ranked:
    """By what is seen of shape and place alone."""
    wide, high = scene.size
    for one in regions:
        box = one.box
        width, height = (box.x2 - box.x1) / wide, (box.y2 - box.y1) / high
        if width >= 0.8 and height <= 0.25:
            edge = "top" if box.y1 < 0.1 * high else "bottom" if box.y2 > 0.9 * high else "middle"
            yield one.id, 5, f"the {one.kind} across the {edge} of the screen"
        if height >= 0.6 and width <= 0.35:
            edge = "left side" if box.x1 < 0.1 * wide else "right side" if box.x2 > 0.9 * wide else "middle"
            yield one.id, 5, f"the {one.kind} along the {edge} of the screen"
        if scene.complete:
            area, part = size_of(box, scene.size), part_of(box, scene.size)
            yield one.id, 6, f"the {area} region in the {part} of the screen"


def _in(inner: Box, outer: Box) -> bool:
    return inner.area > 0 and inner.common(outer) >= INSIDE * inner.area
