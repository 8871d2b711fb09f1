"""Descriptions without a model."""

import string
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.questions.phrases import element_phrases, quotable, region_phrases, telling
from affordance.author.questions.sight import framed_on, is_empty, nothing_seen, seen_on, sight_of, written_on
from affordance.author.questions.things import Scene, Thing, plural
from affordance.core.geometry import Box
from affordance.media import encode_image
from author_stage import box, drawn

SIZE = (1000, 800)
KNOWN = Scene(SIZE)


def first(things: list[Thing], name: str) -> str | None:
    return next(iter(telling(element_phrases(things, KNOWN))[name]), None)


def row(count: int, kind: str = "button", y: float = 100, texts: tuple[str, ...] = ()) -> list[Thing]:
    return [
        Thing(f"{kind}-{y:g}-{n}", kind, box(50 + 60 * n, y, 90 + 60 * n, y + 30), texts[n] if n < len(texts) else "")
        for n in range(count)
    ]


TITLE = Thing("title", "link", box(50, 60, 250, 90), "Inbox")

CASES: dict[str, tuple[list[Thing], str, str | None]] = {
    "a row": (row(4), "button-100-2", "the third from the left of four similar buttons in a row"),
    "a column": (
        [Thing(str(n), "switch", box(10, 50 * n, 60, 50 * n + 20)) for n in range(3)],
        "1",
        "the second from the top of three similar switches in a column",
    ),
    "one of two rows of one kind, by the text above": (
        [TITLE, *row(4), *row(4, y=400)],
        "button-100-2",
        "the third from the left of four similar buttons in the row just below “Inbox”",
    ),
    "one of two rows, by place": (
        [*row(4), *row(4, y=400)],
        "button-400-0",
        "the first from the left of four similar buttons in a row in the left middle of the screen",
    ),
    "next to a text": (
        [
            *(Thing(f"star-{n}", "button", box(10, 40 * n, 30, 40 * n + 20)) for n in range(20)),
            *(Thing(f"mail-{n}", "link", box(60, 40 * n, 300, 40 * n + 20), f"Mail {'abcd'[n]}") for n in range(4)),
        ],
        "star-3",
        "the button nearest to the left of “Mail d”",
    ),
    "too many to be counted, nothing else": (
        [Thing(str(n), "button", box(20 * n, 100, 20 * n + 10, 110)) for n in range(16)],
        "7",
        None,
    ),
    "alone of its kind": (
        [Thing("a", "slider", box(900, 700, 990, 720)), *row(3)],
        "a",
        "the only slider in the bottom right of the screen",
    ),
    "twice at the same place": (
        [Thing("a", "link", box(0, 0, 50, 20)), Thing("b", "link", box(0, 0, 50, 20))],
        "a",
        None,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_elements(case: str) -> None:
    things, name, expected = CASES[case]
    assert first(things, name) == expected


@pytest.mark.parametrize(
    ("thing", "good"),
    [
        (Thing("a", "link", box(0, 0, 100, 20), "Inbox"), True),
        (Thing("a", "link", box(0, 0, 100, 20), ""), False),
        (Thing("a", "link", box(0, 0, 100, 20), "7"), False),
        (Thing("a", "link", box(0, 0, 100, 20), "1 234"), False),  # no letters
        (Thing("a", "button", box(0, 0, 24, 24), "Show the sidebar"), False),  # a name that is not written there
        (Thing("a", "slider", box(0, 0, 400, 24), "Volume"), False),
        (Thing("a", "link", box(0, 0, 900, 700), "Inbox"), False),  # anywhere
        (Thing("a", "link", box(0, 0, 900, 20), "x" * 60), False),
        (Thing("a", "link", box(0, 30, 100, 50), "inbox!"), True),
    ],
)
def test_texts_that_can_be_quoted(thing: Thing, good: bool) -> None:
    assert bool(quotable([thing], KNOWN)) == good
    assert quotable([thing, Thing("b", "link", thing.box, f"{thing.text}.")], KNOWN) == []  # there twice


CARDS = [
    Thing("panel", "area", box(0, 0, 500, 700)),
    Thing("one", "card", box(10, 10, 490, 200)),
    Thing("two", "card", box(10, 220, 490, 410)),
    Thing("bar", "bar", box(0, 740, 1000, 800)),
]
TEXTS = [
    Thing("t1", "link", box(20, 20, 200, 40), "Harbour"),
    Thing("t2", "link", box(20, 230, 200, 250), "Lantern"),
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("one", "the card that holds “Harbour”"),
        ("bar", "the bar across the bottom of the screen"),
    ],
)
def test_regions(name: str, expected: str) -> None:
    assert telling(region_phrases(CARDS, TEXTS, KNOWN))[name][0] == expected


def test_regions_are_not_told_by_their_own_names() -> None:
    named = [*CARDS, Thing("nav", "section", box(600, 0, 1000, 700), "Shortcuts")]
    assert not any("Shortcuts" in one for one in region_phrases(named, TEXTS, KNOWN)["nav"])


@pytest.mark.parametrize(
    ("kind", "many"), [("entry", "entries"), ("box", "boxes"), ("switch", "switches"), ("key", "keys"), ("y", "ys")]
)
def test_plurals(kind: str, many: str) -> None:
    assert plural(kind) == many


def ends(*closed: str) -> Scene:
    """A screen on which not everything was found, and none comes at these sides of anything."""

    def one_more(line: Sequence[Box], place: Box) -> bool:
        return ("left" if place.x1 < line[0].x1 else "right") not in closed

    return Scene(SIZE, False, one_more)


ROW = row(4)
UNEVEN = [*row(3), Thing("last", "button", box(400, 100, 440, 130))]


@pytest.mark.parametrize(
    ("line", "scene", "expected"),
    [
        (ROW, ends("left", "right"), "the second from the left of four similar buttons in a row"),
        (ROW, ends("left"), None),
        (ROW, ends("right"), None),
        (ROW, ends(), None),
        (ROW[:2], ends("left", "right"), None),  # one between them may not have been found
        (UNEVEN, ends("left", "right"), "the second from the left of three similar buttons in a row"),
        (UNEVEN, KNOWN, "the second from the left of three similar buttons in a row"),
    ],
)
def test_only_what_is_certain_is_counted(line: list[Thing], scene: Scene, expected: str | None) -> None:
    assert next(iter(telling(element_phrases(line, scene))[line[1].id]), None) == expected


def test_where_one_more_is_seen(tmp_path: Path) -> None:
    image = np.full((200, 600, 3), 240, np.uint8)
    for x in range(40, 300, 60):  # five plates
        image[20:60, x : x + 40] = 90
        image[30:50, x + 10 : x + 30] = 250
    image[20:60, 340:380] = 90
    image[30:50, 350:370] = 250
    image[120:160, 40:80, 0] = np.arange(40)[:, None] * 6
    screen = drawn(tmp_path, {}, (600, 200))
    screen.path.write_bytes(encode_image(image))
    seen = seen_on(sight_of(screen))
    plates = [box(x, 20, x + 40, 60) for x in range(40, 300, 60)]
    assert not seen(plates, box(-20, 20, 20, 60))  # half of it is off the screen
    assert seen(plates[:3], plates[3])
    assert seen(plates, box(340, 20, 380, 60))
    assert not seen(plates, box(460, 20, 500, 60))  # nothing there
    assert not seen(plates, box(40, 120, 80, 160))  # something else
    assert seen([plates[0], box(40, 120, 80, 160)], plates[1])  # where no two are alike, anything may belong to them
    assert seen_on(sight_of(replace(screen, path=tmp_path / "missing.png"))) is nothing_seen
    assert nothing_seen(plates, plates[0])


def icons(count: int, y: float, name: str, x: float = 700, size: float = 16) -> list[Thing]:
    return [Thing(f"{name}{n}", "icon", box(x + 40 * n, y, x + 40 * n + size, y + size)) for n in range(count)]


CLOSED = Scene(SIZE, False, lambda line, place: False)
SWITCHES = [Thing(f"w{n}", "switch", box(600, 300 + 40 * n, 640, 320 + 40 * n)) for n in range(4)]


@pytest.mark.parametrize(
    ("others", "scene", "told"),
    [
        ([], CLOSED, True),
        (icons(3, 140, "b"), CLOSED, False),  # the same, one row below
        (icons(3, 500, "b", 100, 26), CLOSED, True),  # told by the place
        (icons(3, 250, "b", 640, 26), CLOSED, False),  # of other looks, near the same place
        (icons(5, 140, "b", 640), CLOSED, False),  # of another number
        ([replace(one, kind="tick") for one in icons(2, 140, "b")], CLOSED, False),  # of a kind that looks so
        (SWITCHES, CLOSED, True),
        (SWITCHES, replace(CLOSED, alike={"a1": frozenset(["w0"])}), True),  # a column, which has no left
        (icons(1, 100, "b", 840), CLOSED, False),  # one of other looks goes on with the line
        ([Thing("b", "icon", box(825, 98, 850, 123))], CLOSED, False),
    ],
)
def test_a_line_that_words_fit_twice_is_not_told(others: list[Thing], scene: Scene, told: bool) -> None:
    found = telling(element_phrases([*icons(3, 100, "a"), *others], scene))
    assert bool(found["a1"]) == told
    assert not any("several" in phrase for phrases in found.values() for phrase in phrases)


def test_what_looks_alike_counts_whatever_its_kind() -> None:
    strange = [replace(one, kind="thing") for one in icons(3, 140, "b")]
    assert telling(element_phrases([*icons(3, 100, "a"), *strange], CLOSED))["a1"]
    scene = replace(CLOSED, alike={"a1": frozenset(["b1"])})
    assert not telling(element_phrases([*icons(3, 100, "a"), *strange], scene))["a1"]


def test_far_ones_are_not_of_the_row() -> None:
    apart = [row(1)[0], *(Thing(f"r{n}", "button", box(800 + 60 * n, 100, 840 + 60 * n, 130)) for n in range(3))]
    found = telling(element_phrases(apart, KNOWN))
    assert not any("four" in phrase for phrases in found.values() for phrase in phrases)
    assert found["r0"][0] == "the first from the left of three similar buttons in a row"


def test_texts_of_other_panels_are_no_neighbours() -> None:
    star, text = Thing("s", "button", box(520, 100, 540, 120)), Thing("t", "link", box(400, 100, 480, 120), "Harbour")
    parted = replace(KNOWN, containers=[box(0, 0, 490, 800), box(500, 0, 1000, 800)])
    said = "the button nearest to the right of “Harbour”"
    assert said in element_phrases([star, text], KNOWN)["s"]
    assert said not in element_phrases([star, text], parted)["s"]


def test_what_is_seen_of_boxes() -> None:
    image = np.full((200, 400, 3), 240, np.uint8)
    image[:, 200:] = (np.arange(200) // 4 + 150)[None, :, None]  # smooth
    image[20:80, 20:120] = 200
    image[40:52, 30:110:2] = 0  # letters
    assert is_empty(image, box(210, 10, 390, 190))
    assert is_empty(image, box(20, 100, 180, 190))
    assert not is_empty(image, box(20, 20, 120, 80))
    assert not is_empty(None, box(20, 100, 180, 190))
    framed, written = framed_on(image), written_on(image)
    assert framed(box(20, 20, 120, 80))
    assert not framed(box(20, 20, 160, 80))
    assert not framed_on(None)(box(20, 20, 120, 80))
    assert written(box(20, 20, 120, 80), "Harbour")
    assert not written(box(20, 20, 120, 80), "Harbour and all of its lanterns")
    assert written_on(None)(box(20, 20, 120, 80), "Harbour")


def things(kinds: list[str]) -> st.SearchStrategy[list[Thing]]:
    number = st.floats(0, 900, allow_nan=False).map(lambda n: round(n, 1))
    one = st.tuples(
        st.sampled_from(kinds), number, number, number, number, st.text(string.ascii_letters + " ", max_size=12)
    )
    return st.lists(one, max_size=25).map(
        lambda found: [
            Thing(str(n), kind, box(x, y, x + width, y + height), text)
            for n, (kind, x, y, width, height, text) in enumerate(found)
        ]
    )


@settings(max_examples=10, deadline=None)
@given(things(["button", "link", "element"]), things(["card", "region"]))
def test_no_phrase_tells_two(elements: list[Thing], regions: list[Thing]) -> None:
    for scene in (KNOWN, Scene(SIZE, False, lambda line, place: place.x1 > 500)):
        for found in (telling(element_phrases(elements, scene)), telling(region_phrases(regions, elements, scene))):
            phrases = [phrase for several in found.values() for phrase in several]
            assert len(phrases) == len(set(phrases))
            assert not any("%" in phrase for phrase in phrases)
