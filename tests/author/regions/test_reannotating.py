"""`author reannotate`: only what people corrected is described again, and only once for a box."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from affordance.author.records import Retelling, Validation
from affordance.author.regions.reannotating import Told, read_retelling, reannotate
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Result, Unasked
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from author_notes import assert_notes
from author_prompts import fields_of
from author_region_answers import answer
from author_stage import Part, box, carry_out, drawn
from errors import assert_carries, raises

KEYS = ("revision rationale", "revised description", "revised functionality")
GOOD = json.dumps(dict(zip(KEYS, ("a dock", "a dark column", "starts programs"), strict=True)))


def screen(folder: Path, *corrected: str) -> ScreenState:
    parts = {
        "1-0": Part((0, 0, 640, 40), description="a bar of {previous_description} buttons"),
        "1-1": Part((0, 40, 160, 400)),
        "1-2": Part((160, 40, 640, 400), description="a list of mails"),
    }
    return replace(drawn(folder, parts), corrected=frozenset(corrected))


def nodes(result: Result) -> list[str]:
    return [change.subject for change in result.changes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, Told("a dark column", "starts programs", "a dock")),
        (f"<think>hm</think>\n```json\n{GOOD}\n```", Told("a dark column", "starts programs", "a dock")),
        (GOOD.replace(" rationale", "_Rationale"), Told("a dark column", "starts programs", "a dock")),
    ],
)
def test_replies(text: str, expected: Told) -> None:
    assert read_retelling(text) == expected


def test_repairs_are_noted() -> None:
    read = read_retelling(GOOD.replace('"a dock",', '"a dock", // the left one\n'))
    assert isinstance(read, Told)
    assert read.repairs


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", ""),
        ("The dock starts programs.", "'The dock starts programs.'"),
        ("[]", ""),
        (GOOD.replace("revised functionality", "functionality"), "'revised functionality'"),
        (GOOD.replace('"a dark column"', '" "'), "'revised description'"),
        (GOOD.replace('"starts programs"', '["starts", "programs"]'), "'revised functionality'"),
        (GOOD[:-20], ""),  # cut off
    ],
)
def test_replies_that_cannot_be_used(text: str, data: str) -> None:
    read = read_retelling(text)
    assert isinstance(read, str)
    assert_carries(read, data)


def test_the_message(tmp_path: Path) -> None:
    ended = carry_out(reannotate, "reannotate", screen(tmp_path, "1-0", "1-1"), lambda text, images: GOOD)
    assert nodes(ended.result) == ["one/1-0", "one/1-1"]
    assert ended.result.changes[1].document == Retelling(
        box=box(0, 40, 160, 400),
        description="a dark column",
        functionality="starts programs",
        rationale="a dock",
        by="test:model",
    )
    by_crop = {ask.images[1].crop: ask for ask in ended.asked}
    first = by_crop[box(0, 0, 640, 40)]
    prompt, screen_label, whole, region_label, crop = first.messages[0].parts
    assert isinstance(prompt, str)
    assert fields_of(prompt, "reannotate", "retell") == {
        "previous_functionality": "does what 1-0 does",
        "previous_description": "a bar of {previous_description} buttons",
    }, "what was written before is there as it is, once"
    assert isinstance(screen_label, str)
    assert isinstance(region_label, str)
    source = first.images[0].source
    assert whole == ImageSpec(source, max_side=1920, outlines=(BoxOutline(box(0, 0, 640, 40), RED, 8),))
    assert crop == ImageSpec(source, crop=box(0, 0, 640, 40), max_side=1920)
    assert first.parameters == {"temperature": 0.1, "max_tokens": 8192}
    other = by_crop[box(0, 40, 160, 400)].messages[0].parts[0]
    assert isinstance(other, str)
    fields = fields_of(other, "reannotate", "retell")
    assert fields is not None
    assert fields["previous_functionality"] == fields["previous_description"] != ""


def test_only_what_changed(tmp_path: Path) -> None:
    now = screen(tmp_path, "1-0", "1-1", "1-2")
    before = Retelling(box=now.regions["1-0"].box, description="d", functionality="f")
    rejected = Validation(contextual=False, purposeful=True, truthful=True, rejected=True)
    now = replace(
        now,
        retellings={"1-0": before, "1-1": before.model_copy(update={"box": box(1, 1, 9, 9)})},
        validations={"1-2": rejected},
    )
    assert nodes(carry_out(reannotate, "reannotate", now, answer).result) == ["one/1-1"]


def test_again(tmp_path: Path) -> None:
    now = screen(tmp_path, "1-0")
    before = {
        node: Retelling(box=region.box, description="d", functionality="f") for node, region in now.regions.items()
    }
    now = replace(now, retellings=before)
    assert nodes(carry_out(reannotate, "reannotate", now, answer).result) == []
    assert nodes(carry_out(reannotate, "reannotate", now, answer, again=True).result) == ["one/1-0"]
    assert nodes(carry_out(reannotate, "reannotate", now, answer, {"all": "yes"}).result) == []
    every = carry_out(reannotate, "reannotate", now, answer, {"all": "yes"}, again=True)
    assert nodes(every.result) == ["one/1-0", "one/1-1", "one/1-2"]


def test_nothing_corrected_needs_no_model(tmp_path: Path) -> None:
    assert carry_out(reannotate, "reannotate", screen(tmp_path)).result == Result()
    with raises(NotThere, 2):
        carry_out(reannotate, "reannotate", screen(tmp_path, "1-0", "1-2"))
    every = carry_out(reannotate, "reannotate", screen(tmp_path), answer, {"all": "yes"})
    assert nodes(every.result) == ["one/1-0", "one/1-1", "one/1-2"]


def test_one_that_no_answer_can_be_had_of_does_not_stop_the_rest(tmp_path: Path) -> None:
    ended = carry_out(
        reannotate,
        "reannotate",
        screen(tmp_path, "1-0", "1-2"),
        lambda text, images: GOOD if "a list of mails" in text else "a dock",
    )
    assert nodes(ended.result) == ["one/1-2"]
    assert_notes(ended.result.notes, ("1-0", "'a dock'"))
    assert sorted(str(ask.parameters["temperature"]) for ask in ended.asked) == ["0.1", "0.1", "0.6", "0.6"]


def test_failures(tmp_path: Path) -> None:
    with raises(NotThere, 1):
        carry_out(reannotate, "reannotate", screen(tmp_path, "1-0"), lambda text, images: "a dock")
    with raises(Unasked, "went away"):
        carry_out(reannotate, "reannotate", screen(tmp_path, "1-1"), lambda text, images: None)


def test_a_box_off_the_screen_is_noted_and_left_out(tmp_path: Path) -> None:
    now = screen(tmp_path, "1-0", "1-1")
    away = now.regions["1-1"].model_copy(update={"box": box(700, 10, 800, 90)})
    over = now.regions["1-0"].model_copy(update={"box": box(600, -20, 800, 90)})
    now = replace(now, regions={**now.regions, "1-0": over, "1-1": away})
    ended = carry_out(reannotate, "reannotate", now, answer)
    assert_carries(ended.result.notes[0], "1-1")
    (retelling,) = (change.document for change in ended.result.changes)
    assert isinstance(retelling, Retelling)
    assert retelling.box == box(600, -20, 800, 90)  # of the region, so that it is not asked about again
    assert ended.asked[0].images[1].crop == box(600, 0, 640, 90)
