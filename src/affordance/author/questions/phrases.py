"""Describing things of a screen without a model: by order among their likes, by the text next to them, by place.

For every thing all phrases are made that hold for it. One that fits no other thing of the screen describes it, as far
as the things of the screen are known: words for kind, looks and number are taken as loosely as people take them. Places
are never told in numbers: a box could be made of them without a look at the screen."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from affordance.author.questions.leaks import plain
from affordance.author.questions.lines import in_lines
from affordance.author.questions.rivals import VAGUE, Rivals, vague
from affordance.author.questions.things import ABOUT_IN_LINE, INSIDE, Ranked, Scene, Thing, nearest, part_of, size_of
from affordance.core.geometry import Box

LONGEST_QUOTE, SHORTEST_QUOTE = 40, 2  # letters of a text that others are described by
LETTER = 5  # pixels that a letter needs at least: a longer text is a name that is not written there
UNWRITTEN = (  # named by what is near
    "slider", "text field", "search field", "drop-down list", "listbox", "spinbutton", "switch", "checkbox", "radio",
)  # fmt: skip
LARGEST_ANCHOR = 0.05  # share of the screen: in a larger thing a text may be anywhere
AT_EDGE = 0.01  # of the screen: within it something is at the edge


def element_phrases(elements: Sequence[Thing], scene: Scene) -> dict[str, list[str]]:
    """All phrases that hold for each element, the most telling first."""
    anchors, rivals = quotable(elements, scene), Rivals(elements, scene)
    found = (in_lines(elements, anchors, rivals, scene), _beside(elements, anchors, rivals, scene))
    return _collected(elements, chain(*found, _placed(elements, rivals, scene) if scene.complete else ()))


def region_phrases(regions: Sequence[Thing], elements: Sequence[Thing], scene: Scene) -> dict[str, list[str]]:
    """The same for regions, as far as they are seen as such. Texts are those of the elements in them and next to
    them."""
    anchors = quotable(elements, scene)
    sized = [
        replace(one, kind=f"{size_of(one.box, scene.size)} region") if one.kind in VAGUE else one for one in regions
    ]
    rivals = Rivals(sized, scene)
    seen = [one for one in sized if (scene.complete and not vague(one.kind)) or scene.framed(one.box)]
    words = [one for one in seen if not vague(one.kind)]
    # Kinds of regions that were guessed from the layout are no ground to say that there is one line of them.
    lined = seen if scene.complete else [replace(one, kind=f"{size_of(one.box, scene.size)} region") for one in seen]
    found = (in_lines(lined, anchors, rivals, scene), _beside(words, anchors, rivals, scene))
    return _collected(regions, chain(_holding(seen, regions, anchors), *found, _shaped(words, regions, scene)))


def telling(phrases: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Of all phrases by thing, those that hold for it and for nothing else."""
    times = Counter(plain(phrase) for found in phrases.values() for phrase in set(found))
    return {name: [phrase for phrase in found if times[plain(phrase)] == 1] for name, found in phrases.items()}


def quotable(things: Sequence[Thing], scene: Scene) -> list[Thing]:
    """Things whose text can be quoted to say where others are: it is there once, short, and fits where it is."""
    spelt = [plain(one.text) for one in things]
    every = " \n ".join(["", *spelt, ""])
    return [
        one
        for one, text in zip(things, spelt, strict=True)
        if SHORTEST_QUOTE <= len(one.text) <= LONGEST_QUOTE
        and any(letter.isalpha() for letter in one.text)
        and one.kind not in UNWRITTEN
        and len(one.text) * LETTER <= one.box.x2 - one.box.x1
        and one.box.area <= LARGEST_ANCHOR * scene.size[0] * scene.size[1]
        and every.count(f" {text} ") == 1
        and scene.written(one.box, one.text)
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


def _beside(things: Sequence[Thing], anchors: Sequence[Thing], rivals: Rivals, scene: Scene) -> Ranked:
    """By the text that something stands next to, being the nearest to it of all that may be called so."""
    for one in things:
        if vague(one.kind):
            continue
        others = rivals.of([one])
        for side, back, said, rank in (
            ("right", "left", "nearest to the left of", 2),
            ("left", "right", "nearest to the right of", 2),
            ("below", "above", "nearest above", 4),
            ("above", "below", "nearest below", 4),
        ):
            anchor = nearest(one.box, anchors, side, scene.size)
            if anchor is None or anchor.id == one.id or scene.parted(one.box, anchor.box):
                continue
            near = [one, *(other for other in others if other.id != anchor.id)]
            if nearest(anchor.box, near, back, scene.size, ABOUT_IN_LINE) is one:
                yield one.id, rank, f"the {one.kind} {said} “{anchor.text}”"


def _placed(things: Sequence[Thing], rivals: Rivals, scene: Scene) -> Ranked:
    """By the part of the screen, alone of its kind there."""
    for one in things:
        part = part_of(one.box, scene.size)
        if not vague(one.kind) and rivals.alone_in(one, part):
            yield one.id, 6, f"the only {one.kind} in the {part} of the screen"


def _holding(some: Sequence[Thing], regions: Sequence[Thing], quoted: Sequence[Thing]) -> Ranked:
    """By a text that is in a region: in no other of its kind, or in no smaller one."""
    for text in quoted:
        holders = sorted((one for one in regions if _in(text.box, one.box)), key=lambda one: (one.box.area, one.id))
        by_id = {one.id: place for place, one in enumerate(holders)}
        for one in some:
            if one.id not in by_id:
                continue
            if not vague(one.kind) and sum(other.kind == one.kind for other in holders) == 1:
                yield one.id, 1, f"the {one.kind} that holds “{text.text}”"
            # One of the same size would be as good an answer.
            elif by_id[one.id] == 0 and (len(holders) == 1 or holders[1].box.area > one.box.area):
                yield one.id, 2, f"the smallest region that holds “{text.text}”"


def _shaped(some: Sequence[Thing], regions: Sequence[Thing], scene: Scene) -> Ranked:
    """By shape and the edge of the screen that a region is at, alone."""
    edges = {one.id: _edges(one.box, scene.size) for one in regions}
    times = Counter(edge for found in edges.values() for edge in found)
    for one in some:
        yield from ((one.id, 5, f"the {one.kind} {edge} of the screen") for edge in edges[one.id] if times[edge] == 1)


def _edges(box: Box, size: tuple[int, int]) -> list[str]:
    wide, high = size
    width, height = (box.x2 - box.x1) / wide, (box.y2 - box.y1) / high
    bar, side = width >= 0.8 and height <= 0.25, height >= 0.6 and width <= 0.35
    found = {
        "across the top": bar and box.y1 <= AT_EDGE * high,
        "across the bottom": bar and box.y2 >= (1 - AT_EDGE) * high,
        "along the left side": side and box.x1 <= AT_EDGE * wide,
        "along the right side": side and box.x2 >= (1 - AT_EDGE) * wide,
    }
    return [edge for edge, there in found.items() if there]


def _in(inner: Box, outer: Box) -> bool:
    return inner.area > 0 and inner.intersection_area(outer) >= INSIDE * inner.area
