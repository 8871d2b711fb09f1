"""`author divide`: what is asked, in which order, what is asked again, and the tree that comes of it."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from affordance.author.records import Division, Kind, Region, Scores
from affordance.author.regions.checks import inside
from affordance.author.regions.dividing import divide
from affordance.author.regions.limits import Limits, limits_of
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Result, Tools, Unasked
from affordance.core.errors import UnknownName, UserError
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.requests import Request
from affordance.datasets import Screen
from affordance.evaluation.ad_hoc import CHECKER
from affordance.media import decode_image, render
from author_divide_answers import answer
from author_notes import assert_noted, assert_notes
from author_prompts import fields_of
from author_stage import Answer, Part, box, carry_out, drawn
from errors import assert_carries, raises

GOOD = "All is inside.\nCompleteness Score: 3\nBoundedness: Yes"
CUT = "The title is cut at the left.\nCompleteness Score: 1\nBoundedness: No"


@pytest.fixture
def screen(tmp_path: Path) -> ScreenState:
    parts = {"1-0": Part((0, 0, 640, 40)), "1-1": Part((0, 40, 160, 400)), "1-2": Part((160, 40, 640, 400))}
    return replace(drawn(tmp_path, parts), regions={})


def item(bbox: tuple[int, ...], dividable: bool = False, **changes: Any) -> dict[str, Any]:
    name = "x".join(map(str, bbox))
    texts = {"type": "part", "description": f"looks like {name}.", "functionality": f"does {name}"}
    return {"bbox": list(bbox), "dividable": dividable, **texts, **changes}


def reply(*parts: dict[str, Any], whole: str = "a mail program.") -> str:
    return json.dumps([item((0, 0, 1000, 1000), description=whole, functionality="mails"), *parts])


HALVES = (item((0, 0, 500, 1000)), item((500, 0, 1000, 1000)))


def speaks(*proposals: str, checks: str = GOOD) -> Answer:
    """Says the proposals one after the other, the last for ever."""
    left = list(proposals)

    def says(text: str, _: list[bytes]) -> str:
        if fields_of(text, "divide", "verify"):
            return checks
        return left.pop(0) if len(left) > 1 else left[0]

    return says


def regions(result: Result) -> dict[str, Region]:
    found = [one for one in result.changes if one.kind is Kind.REGION]
    return {one.subject.removeprefix("one/"): one.document for one in found if isinstance(one.document, Region)}


def divisions(result: Result) -> dict[str, Division]:
    found = [one for one in result.changes if one.kind is Kind.DIVISION]
    return {one.subject.removeprefix("one/"): one.document for one in found if isinstance(one.document, Division)}


def texts(ask: Request) -> list[str]:
    return [part for part in ask.messages[0].parts if isinstance(part, str)]


def pictures(ask: Request) -> list[ImageSpec]:
    return [part for part in ask.messages[0].parts if isinstance(part, ImageSpec)]


def proposing(asked: list[Request]) -> list[Request]:
    return [ask for ask in asked if len(pictures(ask)) == 1]


def test_a_proposal_that_is_accepted_becomes_the_tree(screen: ScreenState) -> None:
    ended = carry_out(divide, "divide", screen, speaks(reply(*reversed(HALVES))))
    found = regions(ended.result)
    assert list(found) == ["0-0", "1-0", "1-1"]
    root, left, _ = found.values()
    assert (root.box, root.parent, root.type, root.dividable) == (box(0, 0, 640, 400), None, "Entire GUI", True)
    assert (root.description.wo_context, root.functionality.wo_context) == ("a mail program.", "mails")
    assert (left.box, left.parent) == (box(0, 0, 320, 400), "0-0")
    assert (left.description.with_context, left.description.wo_context) == ("looks like 0x0x500x1000.", None)
    assert left.scores == Scores(completeness=3, bounded=True, reason="All is inside.")
    division = divisions(ended.result)["0-0"]
    assert (division.selected, division.by, division.reason, len(division.proposals)) == (0, "test:model", "", 1)
    assert (division.proposals[0].completeness, division.proposals[0].bounded) == (3, 1)
    assert division.proposals[0].attempt
    assert len(ended.asked) == 3
    assert ended.result.notes == []


def test_what_is_shown(screen: ScreenState) -> None:
    inner = reply(item((0, 0, 1000, 500)), whole="a list")
    ended = carry_out(divide, "divide", screen, speaks(reply(item((0, 0, 500, 1000), True), HALVES[1]), inner))
    first, second = proposing(ended.asked)
    assert isinstance(first.messages[0].parts[0], ImageSpec)
    assert pictures(first) == [ImageSpec(screen.shot.digest, max_side=1920)]
    assert pictures(second) == [ImageSpec(screen.shot.digest, crop=box(0, 0, 320, 400), max_side=1920)]
    assert fields_of(texts(first)[0], "divide", "propose") == {"is_dividable": "", "context": ""}
    inside_of = fields_of(texts(second)[0], "divide", "propose")
    assert inside_of is not None
    assert inside_of["is_dividable"]
    assert "a mail program" in inside_of["context"]
    check = next(ask for ask in ended.asked if len(pictures(ask)) == 2)
    assert [type(part) for part in check.messages[0].parts] == [str, ImageSpec, str, ImageSpec, str]
    whole, part = pictures(check)
    assert whole.crop is None
    assert whole.outlines == (BoxOutline(box(0, 0, 320, 400), RED, 8),)
    assert (part.crop, part.outlines) == (box(0, 0, 320, 400), ())


@pytest.mark.parametrize(("size", "longest"), [((2400, 1080), 1920), ((1080, 2400), 1280)])
def test_the_red_rectangle_is_where_the_region_is_on_a_shrunk_picture(
    tmp_path: Path, size: tuple[int, int], longest: int
) -> None:
    screen = replace(drawn(tmp_path, {}, size), regions={})
    ended = carry_out(divide, "divide", screen, speaks(reply(item((250, 250, 750, 750)))))
    check = next(ask for ask in ended.asked if len(pictures(ask)) == 2)
    (shown,) = render(pictures(check)[:1], {screen.shot.digest: screen.path})
    pixels = decode_image(shown)
    assert max(pixels.shape) == longest
    red = (pixels[..., 0] > 200) & (pixels[..., 1] < 60)
    rows, columns = red.any(axis=1).nonzero()[0], red.any(axis=0).nonzero()[0]
    height, width = pixels.shape[:2]
    assert [columns[0], columns[-1], rows[0], rows[-1]] == pytest.approx(
        [width / 4, width * 3 / 4, height / 4, height * 3 / 4], abs=5
    )


def test_a_refinement_has_remarks_on_what_was_wrong(screen: ScreenState) -> None:
    bad = reply(item((0, 0, 500, 600)), item((300, 300, 1000, 1000)))

    def checker(text: str, images: list[bytes]) -> str:
        return CUT if decode_image(images[1]).shape[:2] == (240, 320) else GOOD

    ended = carry_out(divide, "divide", screen, speaks(bad, reply(*HALVES)), roles={CHECKER: checker})
    first, second = proposing(ended.asked)
    assert texts(second)[0].startswith(texts(first)[0])
    fields = fields_of(texts(second)[0], "divide", "refine")
    assert fields is not None
    one, other = fields["regions"].splitlines()
    assert_carries(one, "1", "[0, 0, 500, 600]", "part")
    assert_carries(other, "2", "[300, 300, 1000, 1000]", "part", "3")
    remarks = fields["remarks"].splitlines()
    assert_notes(remarks, ("1", "The title is cut at the left."), ("1", "2", "20%"))
    division = divisions(ended.result)["0-0"]
    assert [one.accepted for one in division.proposals] == [False, True]
    assert (division.selected, division.proposals[0].completeness, division.proposals[0].bounded) == (1, 2, 0.5)
    assert regions(ended.result)["1-0"].box == box(0, 0, 320, 400)


def test_it_gets_warmer_and_the_best_is_taken_where_none_is_accepted(screen: ScreenState) -> None:
    proposals = [reply(item((0, 0, wide, 1000))) for wide in (500, 600, 700)]
    given = iter([1, 2, 2])

    def checker(text: str, images: list[bytes]) -> str:
        return f"Completeness Score: {next(given)}\nBoundedness: Yes"

    ended = carry_out(divide, "divide", screen, speaks(*proposals), roles={CHECKER: checker})
    division = divisions(ended.result)["0-0"]
    assert [one.completeness for one in division.proposals] == [1, 2, 2]
    assert division.selected == 1  # the first of equal ones
    assert [ask.parameters["temperature"] for ask in proposing(ended.asked)] == [0.1, 0.3, 0.6]
    assert regions(ended.result)["1-0"].box == box(0, 0, 384, 400)


@pytest.mark.parametrize("text", ["[]", reply()])
def test_nothing_to_divide_is_accepted_at_once(screen: ScreenState, text: str) -> None:
    ended = carry_out(divide, "divide", screen, speaks(text))
    assert list(regions(ended.result)) == ["0-0"]
    division = divisions(ended.result)["0-0"]
    assert (division.selected, bool(division.reason), division.proposals[0].accepted) == (0, True, True)
    assert len(ended.asked) == 1


def test_nothing_to_divide_is_no_refinement(screen: ScreenState) -> None:
    ended = carry_out(divide, "divide", screen, speaks(reply(*HALVES), "[]", checks=CUT))
    division = divisions(ended.result)["0-0"]
    assert (division.selected, len(division.proposals)) == (0, 2)
    assert len(regions(ended.result)) == 3


def test_a_reply_that_nobody_can_read_leaves_a_leaf_and_the_reason(screen: ScreenState) -> None:
    first = reply(item((0, 0, 500, 1000), True), HALVES[1])
    ended = carry_out(divide, "divide", screen, speaks(first, "It is a window."))
    assert list(regions(ended.result)) == ["0-0", "1-0", "1-1"]
    division = divisions(ended.result)["1-0"]
    assert (division.selected, division.proposals) == (None, [])
    assert_carries(division.reason, "'It is a window.'")
    assert_notes(ended.result.notes, ("0", division.reason))
    assert len(proposing(ended.asked)) == 4


def test_a_screen_of_which_no_reply_can_be_read_is_not_divided(screen: ScreenState) -> None:
    with raises(NotThere, "'It is a window.'"):
        carry_out(divide, "divide", screen, speaks("It is a window."))


def test_a_refinement_that_nobody_can_read_leaves_what_was_proposed(screen: ScreenState) -> None:
    ended = carry_out(divide, "divide", screen, speaks(reply(*HALVES), "It is a window.", checks=CUT))
    assert len(regions(ended.result)) == 3
    assert_carries(ended.result.notes[0], "'It is a window.'")


@pytest.mark.parametrize("by", ["auto", "model", "dom", "layout"])
def test_what_people_have_corrected_is_not_divided_again(screen: ScreenState, by: str) -> None:
    there = replace(captured(screen), regions=regions(carry_out(divide, "divide", screen).result))
    ended = carry_out(divide, "divide", replace(there, reshaped=True), speaks(reply(*HALVES)), {"by": by})
    assert ended.asked == []
    assert (ended.result.changes, len(ended.result.notes)) == ([], 1)


def test_too_many_regions_are_asked_about_again_and_used_at_last(screen: ScreenState) -> None:
    many = [item((number * 80, 0, number * 80 + 70, 1000)) for number in range(12)]
    ended = carry_out(divide, "divide", screen, speaks(reply(*many)))
    assert len(regions(ended.result)) == 13
    assert len(proposing(ended.asked)) == 3
    assert_noted(divisions(ended.result)["0-0"].proposals[0].problems, 10, 13)
    ended = carry_out(divide, "divide", screen, speaks(reply(*many), reply(*HALVES)), {"completeness": "2.4"})
    assert len(regions(ended.result)) == 3


def test_children_that_are_too_small_are_not_looked_at(screen: ScreenState) -> None:
    ended = carry_out(divide, "divide", screen, speaks(reply(item((0, 0, 1000, 20)), item((0, 20, 1000, 1000)))))
    assert regions(ended.result)["1-0"].scores == Scores(completeness=3, bounded=True)
    assert len(ended.asked) == 2


STRIPS = reply(item((0, 0, 1000, 60), True), item((0, 100, 1000, 1000), True))


@pytest.mark.parametrize(
    ("depth", "levels"), [("1", [1, 2]), ("2", [1, 2, 2]), ("3", [1, 2, 2, 2]), ("none", [1, 2, 2, 2, 2, 2, 2, 2])]
)
def test_it_goes_as_deep_as_it_may_and_stops_where_one_side_is_short(
    screen: ScreenState, depth: str, levels: list[int]
) -> None:
    """The strip is 24 pixels high and never divided; what is below it loses 10% of its height each time."""
    found = regions(carry_out(divide, "divide", screen, speaks(STRIPS), {"depth": depth}).result)
    counts = Counter(int(node.split("-")[0]) for node in found)
    assert list(counts.values())[: len(levels)] == levels
    if depth != "none":
        assert len(counts) == len(levels)
    else:
        assert min(one.box.y2 - one.box.y1 for one in found.values() if one.dividable) < 30


def test_ids_are_given_level_by_level(screen: ScreenState) -> None:
    def says(text: str, images: list[bytes]) -> str:
        fields = fields_of(text, "divide", "propose")
        return reply(*(item(one["bbox"], not fields["is_dividable"]) for one in HALVES)) if fields else GOOD

    found = regions(carry_out(divide, "divide", screen, says).result)
    assert [(node, one.parent) for node, one in found.items()] == [
        ("0-0", None),
        *((f"1-{number}", "0-0") for number in range(2)),
        *((f"2-{number}", f"1-{number // 2}") for number in range(4)),
    ]


def test_the_same_answers_make_the_same_tree(screen: ScreenState) -> None:
    first = carry_out(divide, "divide", screen, answer)
    again = carry_out(divide, "divide", screen, answer)
    assert again.result == first.result
    found = regions(first.result)
    assert len(found) > 8
    assert all(one.parent is None or inside(one.box, found[one.parent].box) for one in found.values())
    attempts = [one.attempt for division in divisions(first.result).values() for one in division.proposals]
    assert len(attempts) == len(set(attempts))


def test_a_provider_that_fails_leaves_the_screen_pending(screen: ScreenState) -> None:
    with raises(Unasked, "went away"):
        carry_out(divide, "divide", screen, lambda *_: None)


def test_a_checker_that_cannot_be_read_accepts_nothing(screen: ScreenState) -> None:
    ended = carry_out(divide, "divide", screen, speaks(reply(*HALVES), checks="Fine."), {"refinements": "1"})
    scores = regions(ended.result)["1-0"].scores
    assert scores is not None
    assert (scores.completeness, scores.bounded) == (0, False)
    assert_carries(scores.reason, "Completeness Score")
    assert len(regions(ended.result)) == 3  # the best there is


def captured(screen: ScreenState) -> ScreenState:
    places = [
        ("r-list", (10, 200.4, 630, 390.6), "r-main", "list", None),
        ("r-main", (0, 40, 640, 400), None, "main", "Inbox"),
        ("r-bar", (0, 0, 640, 40), None, "banner", None),
        ("r-off", (700, 0, 800, 40), None, "dialog", None),
        ("r-in", (10, 60, 300, 100), "r-off", "search", None),
    ]
    truth = Screen.model_validate(
        {
            "id": "one",
            "image": "media/one.png",
            "width": 640,
            "height": 400,
            "regions": [
                {"id": name, "box": box(*xyxy), "parent": parent, "type": kind, "description": said}
                for name, xyxy, parent, kind, said in places
            ],
        }
    )
    return replace(screen, captured=truth)


def test_a_captured_screen_has_the_tree_of_its_page(screen: ScreenState) -> None:
    result = carry_out(divide, "divide", captured(screen)).result
    found = regions(result)
    assert [(node, one.parent, one.type, one.box.xyxy) for node, one in found.items()] == [
        ("0-0", None, "Entire GUI", (0, 0, 640, 400)),
        ("1-0", "0-0", "banner", (0, 0, 640, 40)),
        ("1-1", "0-0", "main", (0, 40, 640, 400)),
        ("1-2", "0-0", "search", (10, 60, 300, 100)),
        ("2-0", "1-1", "list", (10, 200, 630, 391)),
    ]
    assert found["1-1"].description.with_context == "main: Inbox"
    assert [one.dividable for one in found.values()] == [True, False, True, False, False]
    assert {name: one.by for name, one in divisions(result).items()} == {"0-0": "dom", "1-1": "dom"}
    assert_notes(result.notes, ("r-off",))


def test_without_a_model_the_pixels_tell(tmp_path: Path) -> None:
    places = [(0, 0, 1280, 60), (0, 80, 260, 800), (300, 100, 760, 420), (800, 100, 1240, 420)]
    parts = {f"1-{number}": Part(xyxy, colour=(40, 60, 120)) for number, xyxy in enumerate(places)}
    screen = replace(drawn(tmp_path, parts, (1280, 800)), regions={})
    result = carry_out(divide, "divide", screen).result
    found = regions(result)
    assert divisions(result)["0-0"].by == "layout"
    for part in places:
        assert max(one.box.iou(box(*part)) for one in found.values()) > 0.5
    assert all(one.box == one.box.clip(1280, 800) for one in found.values())


def test_a_model_comes_before_the_page(screen: ScreenState) -> None:
    ended = carry_out(divide, "divide", captured(screen), speaks(reply(*HALVES)))
    assert divisions(ended.result)["0-0"].by == "test:model"


@pytest.mark.parametrize(
    ("settings", "error", "data"),
    [
        ({"by": "model"}, NotThere, ("--model",)),
        ({"by": "dom"}, NotThere, ()),
        ({"by": "guess"}, UnknownName, ("'guess'",)),
        ({"refinements": "0"}, UserError, ("refinements", 1, 10, "'0'")),
        ({"depth": "-1"}, UserError, (1, 100, "none", "'-1'")),
        ({"completeness": "4"}, UserError, ("completeness", 0, 3, "'4'")),
        ({"bounded": "all"}, UserError, ("bounded", "'all'")),
    ],
)
def test_settings_that_cannot_be(
    screen: ScreenState, settings: dict[str, str], error: type[UserError], data: tuple[object, ...]
) -> None:
    with raises(error, *data):
        carry_out(divide, "divide", screen, settings=settings)


def test_settings() -> None:
    assert limits_of(Tools()) == Limits(3, 3, 2.5, 0.8)
    given = {"refinements": "2", "depth": "none", "completeness": "2", "bounded": "0.5"}
    assert limits_of(Tools(settings=given)) == Limits(2, None, 2, 0.5)
