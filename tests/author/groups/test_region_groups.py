"""Look-alike regions: found, verified, kept apart, merged, and brought to size."""

import base64
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from affordance.author.groups.grouping import group
from affordance.author.groups.region_verdicts import Chosen, Verdict, read_chosen, read_verdict
from affordance.author.records import Groups, Kind, RegionType, Retelling, Validation
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Unasked
from affordance.core.media_spec import ImageSpec
from affordance.evaluation.ad_hoc import EMBEDDER
from author_notes import assert_notes
from author_prompts import fields_of
from author_region_answers import answer
from author_stage import Answer, Ended, Part, box, carry_out, drawn
from errors import assert_carries, raises

ROW = "A light grey row with one line of dark text at the left and empty space beside it"
BAR = "Blue vertical toolbar holding several round icons stacked above each other, no labels"


def grid(count: int, description: str = ROW, level: int = 1, parent: str = "0-0") -> dict[str, Part]:
    """Rows below each other, four of them beside each other."""
    return {
        f"{level}-{n}": Part((n % 4 * 150, n // 4 * 40, n % 4 * 150 + 120, n // 4 * 40 + 30), parent, description)
        for n in range(count)
    }


def grouped(screen: ScreenState, reply: Answer | None = None, **settings: str) -> Groups:
    return of(carry_out(group, "group", screen, reply, settings))


def of(ended: Ended) -> Groups:
    (change,) = ended.result.changes
    assert change.kind == Kind.REGION_GROUPS
    assert change.subject == "one"
    assert isinstance(change.document, Groups)
    return change.document


def members(groups: Groups) -> list[list[str]]:
    return [[member.id for member in one.members] for one in groups.groups]


def verdict(keep: Iterable[str], drop: Iterable[str] = (), valid: bool = True, **more: Any) -> str:
    entries = [{"region_id": one, "keep": True, "reason": "same row"} for one in keep]
    entries += [{"region_id": one, "keep": False, "reason": "another colour"} for one in drop]
    said = {"valid": valid, "visual_similarity_description": "rows", "kept_region_ids": entries}
    return json.dumps({**said, **more})


def selection(*ids: str) -> str:
    return json.dumps({"selected_region_ids": [{"region_id": one} for one in ids], "visual_pattern": "grey rows"})


def speaks(verify: Callable[[list[str]], str], select: str = "") -> Answer:
    """What is said of a group, by its members; and which are selected of one that is too large or merged."""

    def reply(text: str, images: list[bytes]) -> str:
        fields = fields_of(text, "group", "verify")
        return verify(re.findall(r"^- (\S+): bbox", fields["group"], re.MULTILINE)) if fields else select

    return reply


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (verdict(["a", "b"], ["c"]), (("a", "b"), ("c",), ())),
        (verdict(["a", "zz", "a"]), (("a",), (), ("zz",))),
        (json.dumps({"kept_region_ids": ["a", "b"]}), (("a", "b"), (), ())),
        (json.dumps({"valid": "true", "kept_region_ids": [{"region_id": "a", "keep": "no"}]}), ((), ("a",), ())),
        (json.dumps({"valid": True, "kept_region_ids": []}), ((), (), ())),
    ],
)
def test_verdicts(text: str, expected: tuple[tuple[str, ...], ...]) -> None:
    read = read_verdict(text, ["a", "b", "c"])
    assert isinstance(read, Verdict)
    assert (read.kept, read.dropped, read.unknown) == expected


def test_a_verdict_against_the_group() -> None:
    read = read_verdict(verdict(["a", "b"], valid=False, rejection_reason="only words\nare alike"), ["a", "b"])
    assert isinstance(read, Verdict)
    assert (read.valid, read.kept, read.reason) == (False, (), "only words are alike")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("All of them.", "'All of them.'"),
        ("{}", "'kept_region_ids'"),
        ('{"valid": true, "kept_region_ids": {"a": true}}', "'kept_region_ids'"),
        ('{"valid": true, "kept_region_ids": [7]}', "region_id"),
        ('{"valid": true, "kept_region_ids": [{"region_id": "a", "keep": "maybe"}]}', "keep"),
    ],
)
def test_verdicts_that_cannot_be_used(text: str, data: str) -> None:
    read = read_verdict(text, ["a"])
    assert isinstance(read, str)
    assert_carries(read, data)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (selection("a", "b"), Chosen(("a", "b"), (), "grey rows")),
        (selection("b", "zz", "a", "b"), Chosen(("b", "a"), ("zz",), "grey rows")),
        (json.dumps({"selected_region_ids": ["a", "b"]}), Chosen(("a", "b"))),
        (selection("a"), "1"),
        (selection("a", "zz"), "1"),
        (selection(*"abcdef"), "6"),
        ("{}", ""),
    ],
)
def test_selections(text: str, expected: Chosen | str) -> None:
    found = read_chosen(text, list("abcdefgh"))
    if isinstance(expected, Chosen):
        assert found == expected
    else:
        assert isinstance(found, str)
        assert_carries(found, "'selected_region_ids'", expected)


def test_without_a_model_nothing_is_verified(tmp_path: Path) -> None:
    parts = {**grid(3), "1-8": Part((0, 200, 40, 390), description=BAR)}
    found = grouped(drawn(tmp_path, parts))
    assert members(found) == [["1-0", "1-1", "1-2"]]
    (one,) = found.groups
    assert (one.id, one.verified, found.by) == ("1", "", "")
    assert_carries(one.history[0], "1-0, 1-1, 1-2")
    assert one.members[1].description == ROW
    assert one.members[1].functionality == "does what 1-1 does"
    assert one.members[1].box == box(150, 0, 270, 30)


@pytest.mark.parametrize(
    ("descriptions", "expected"),
    [
        (
            [
                "A song row with a small square cover, the title above the artist's name, the duration at the right.",
                "One track of the playlist: little album cover on the left, song title with artist beneath.",
                "A square tile with a gradient picture and the name of a playlist in white letters below.",
                "A square tile showing an artist photograph with the playlist's name in white underneath.",
                "A bottom player bar with play, pause and skip buttons in the middle and a progress line.",
                "A left sidebar with links to Home, Search and Your Library in white on black.",
            ],
            [["1-0", "1-1"], ["1-2", "1-3"]],
        ),
        (
            [
                "A calendar cell with the number 12 in the upper left corner and two coloured event labels.",
                "The cell of the 13th with its number in the upper left corner and one coloured event label.",
                "An empty day cell with only the number 14 in grey in its upper left corner.",
                "A column header with the abbreviated weekday Mon in grey letters.",
                "A column header that says Tue for the weekday in grey letters.",
                "A small month overview with arrows to change the month.",
                "A list of the user's calendars, each with a coloured checkbox.",
            ],
            [["1-0", "1-1", "1-2"], ["1-3", "1-4"]],
        ),
    ],
)
def test_built_in_vectors_distinguish_kinds_of_regions(
    tmp_path: Path, descriptions: list[str], expected: list[list[str]]
) -> None:
    rows = zip(descriptions, grid(len(descriptions)).items(), strict=True)
    parts = {node: replace(part, description=text) for text, (node, part) in rows}
    assert members(grouped(drawn(tmp_path, parts))) == expected


def test_without_a_model_the_most_alike_are_kept_of_many(tmp_path: Path) -> None:
    parts = grid(8)
    parts["1-0"] = replace(parts["1-0"], description=f"{ROW}, and a small icon")
    found = grouped(drawn(tmp_path, parts))
    assert members(found) == [["1-1", "1-2", "1-3", "1-4", "1-5"]]
    assert_carries(found.groups[0].history[-1], 5, "1-0, 1-6, 1-7")


def test_a_model_keeps_drops_and_adds(tmp_path: Path) -> None:
    parts = {**grid(4), "1-8": Part((0, 200, 120, 230), description=BAR)}
    ended = carry_out(
        group, "group", drawn(tmp_path, parts), speaks(lambda ids: verdict(["1-0", "1-1", "1-8", "7-7"], ["1-2"]))
    )
    found = of(ended)
    assert members(found) == [["1-0", "1-1", "1-8"]]
    (one,) = found.groups
    assert (one.verified, found.by, one.similarity) == ("test:model", "test:model", "rows")
    assert_notes(one.history[1:], ("7-7",), ("1-2", "another colour"), ("1-3",), ("1-8", "same row"))
    ((text, picture),) = (ask.messages[0].parts for ask in ended.asked)
    assert isinstance(text, str)
    assert isinstance(picture, ImageSpec)
    assert (picture.max_side, picture.outlines, picture.crop) == (2560, (), None)
    fields = fields_of(text, "group", "verify")
    assert fields is not None
    assert_carries(fields["group"].splitlines()[0], "1-0", "[0, 0, 188, 75]", ROW, "does what 1-0 does")
    assert_carries(fields["candidates"], "1-8", "[0, 500, 188, 575]")
    assert ended.asked[0].parameters["temperature"] == 0.2


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        (verdict([], valid=False, rejection_reason="not alike"), ("not alike",)),
        (verdict(["1-0"]), (2, "1-1")),
        (verdict(["9-9"], ["1-0", "1-1"]), (2, "9-9")),
        ("Yes, all of them.", ("'Yes, all of them.'",)),
    ],
)
def test_rejected_in_verification(tmp_path: Path, reply: str, data: tuple[object, ...]) -> None:
    found = grouped(drawn(tmp_path, grid(2)), lambda text, images: reply)
    assert found.groups == []
    (one,) = found.rejected
    assert (one.members, one.stage) == (["1-0", "1-1"], "verification")
    assert_carries(one.reason, *data)


def test_relatives_are_never_together(tmp_path: Path) -> None:
    """Over any number of levels, whether numbers or a model put them together."""
    parts = {
        "1-0": Part((0, 0, 300, 200), description=ROW),
        "2-0": Part((10, 10, 200, 150), "1-0", BAR),
        "3-0": Part((20, 20, 90, 60), "2-0", ROW),
        "1-1": Part((310, 0, 600, 200), description=ROW),
    }
    screen = drawn(tmp_path, parts)
    assert members(grouped(screen)) == [["1-0", "1-1"]]
    added = grouped(screen, lambda text, images: verdict(["1-0", "1-1", "3-0"]))
    assert members(added) == [["1-0", "1-1"]]
    assert_carries(added.groups[0].history[-1], "3-0")


def test_of_members_that_overlap_the_larger_is_dropped(tmp_path: Path) -> None:
    parts = {
        "1-0": Part((0, 0, 100, 50), description=ROW),
        "1-1": Part((100, 0, 200, 50), description=ROW),  # touches, which is no overlap
        "1-2": Part((90, 40, 300, 100), description=ROW),
    }
    found = grouped(drawn(tmp_path, parts))
    assert members(found) == [["1-0", "1-1"]]
    assert_carries(found.groups[0].history[-1], "1-2")
    parts["1-1"] = replace(parts["1-1"], xyxy=(10, 10, 90, 40))
    parts["1-2"] = replace(parts["1-2"], xyxy=(300, 300, 400, 350), description=BAR)
    (rejected,) = grouped(drawn(tmp_path, parts)).rejected
    assert (rejected.stage, rejected.members) == ("overlap", ["1-0", "1-1"])
    assert_carries(rejected.reason, 2, "1-0")


def test_groups_that_share_two_members_are_merged_and_selected_from(tmp_path: Path) -> None:
    parts = {**grid(2), **{f"1-{n}": Part((n * 60, 200, n * 60 + 50, 390), description=BAR) for n in (5, 6)}}

    def verify(ids: list[str]) -> str:
        return verdict([*ids, "1-5", "1-6"] if "1-0" in ids else ids)

    found = grouped(drawn(tmp_path, parts), speaks(verify, selection("1-0", "1-5", "1-6")))
    assert members(found) == [["1-0", "1-5", "1-6"]]
    assert found.groups[0].similarity == "grey rows"
    assert_notes(found.groups[0].history[-2:], ("1-0, 1-1, 1-5, 1-6", "1-5, 1-6"), ("1-0, 1-5, 1-6", "1-1"))


def test_a_group_that_is_too_large_is_selected_from(tmp_path: Path) -> None:
    keep_all = speaks(verdict, selection("1-3", "1-1", "9-9"))
    ended = carry_out(group, "group", drawn(tmp_path, grid(7)), keep_all)
    found = of(ended)
    assert members(found) == [["1-1", "1-3"]]
    assert_notes(found.groups[0].history[-2:], ("9-9",), ("1-1, 1-3", "1-0, 1-2, 1-4, 1-5, 1-6"))
    none = grouped(drawn(tmp_path, grid(7)), speaks(verdict, selection("1-3")))
    (rejected,) = none.rejected
    assert (none.groups, rejected.stage) == ([], "selection")
    assert_carries(rejected.reason, 2, 5)


def test_looks_where_nothing_is_written(tmp_path: Path) -> None:
    rows = {f"1-{n}": Part((20, 20 + n * 50, 300, 60 + n * 50), type="row") for n in range(7)}
    other = Part((400, 20, 620, 300), type="block", colour=(10, 60, 200))
    screen = drawn(tmp_path, {**rows, "1-9": other})
    found = grouped(screen)
    assert members(found) == [["1-0", "1-1", "1-2", "1-3", "1-4"]]
    assert_notes(found.groups[0].history, ("1-0, 1-1, 1-2, 1-3, 1-4, 1-5, 1-6",), (5, "1-5, 1-6"))
    typed = {node: RegionType(type="Footer" if node in ("1-0", "1-1") else "Form") for node in rows}
    assert members(grouped(replace(screen, types=typed)))[0] == ["1-0", "1-1"]


def test_a_picture_that_is_gone_or_broken(tmp_path: Path) -> None:
    screen = drawn(tmp_path, {node: replace(part, description="") for node, part in grid(3).items()})
    screen.path.write_bytes(b"not a picture")
    with raises(NotThere):
        carry_out(group, "group", screen)
    screen.path.unlink()
    with raises(NotThere, "screen.png"):
        carry_out(group, "group", screen)


def test_what_people_rejected_or_did_not_correct(tmp_path: Path) -> None:
    screen = drawn(tmp_path, grid(4))
    rejected = Validation(contextual=False, purposeful=False, truthful=False, rejected=True)
    seen: list[str] = []

    def reply(text: str, images: list[bytes]) -> str:
        seen.append(text)
        return verdict(["1-0", "1-1", "1-2", "1-3"])

    without = grouped(replace(screen, validations={"1-3": rejected}), reply)
    assert members(without) == [["1-0", "1-1", "1-2"]]
    assert "- 1-3:" not in seen[0]
    revised = {
        node: Retelling(box=screen.regions[node].box, description=f"{ROW} of {node}", functionality=f"f {node}")
        for node in ("1-0", "1-2", "1-3")
    }
    revised["1-3"] = revised["1-3"].model_copy(update={"box": box(0, 0, 1, 1)})
    published = replace(screen, retellings=revised, corrected=frozenset(["1-0", "1-1", "1-2", "1-3"]))
    only = grouped(published, reply, only="corrected")
    assert members(only) == [["1-0", "1-2"]]
    assert only.groups[0].members[1].functionality == "f 1-2"
    assert members(grouped(published)) == [["1-0", "1-1", "1-2", "1-3"]]


def embedding(*numbers: float) -> str:
    data = np.asarray(numbers, np.float32)
    return json.dumps({"embedding": base64.b64encode(data.tobytes()).decode(), "dimensions": len(data)})


def test_embeddings_of_a_model(tmp_path: Path) -> None:
    """By cosine, whatever the length of the vectors; 60 of 100 is enough."""
    by_text = {"one": (3.0, 0.0), "two": (6.0, 8.0), "three": (0.0, 0.1), "four": (1.0, 2.0, 3.0), "five": ()}
    rows = zip(by_text, grid(5).items(), strict=True)
    parts = {node: replace(part, description=f"a grey row of the list, like {name}") for name, (node, part) in rows}

    def embed(text: str, images: list[bytes]) -> str:
        found = by_text[text.rpartition(" ")[2]]
        return embedding(*found) if found else "nothing"

    ended = carry_out(group, "group", drawn(tmp_path, parts), roles={EMBEDDER: embed})
    found = of(ended)
    assert members(found) == [["1-1", "1-2"]]  # 80; the first and the second are 60 alike, the first and the third 0
    assert_carries(found.groups[0].history[0], "test:embedder", "1-1, 1-2")
    assert found.groups[0].verified == ""
    assert sorted(note.partition(":")[0] for note in ended.result.notes) == ["1-3", "1-4"]
    assert len(ended.asked) == 5
    built_in = of(carry_out(group, "group", drawn(tmp_path, parts), None, {"vectors": "built-in"}, {EMBEDDER: embed}))
    assert "test:embedder" not in built_in.groups[0].history[0]


def test_a_provider_that_fails(tmp_path: Path) -> None:
    screen = drawn(tmp_path, grid(3))
    with raises(Unasked, "went away"):
        carry_out(group, "group", screen, lambda text, images: None)
    with raises(Unasked, "went away"):
        carry_out(group, "group", screen, roles={EMBEDDER: lambda text, images: None})


def test_a_screen_with_nothing_to_group(tmp_path: Path) -> None:
    with raises(NotThere, "divide"):
        carry_out(group, "group", drawn(tmp_path, {}))
    lone = grouped(drawn(tmp_path, grid(1)))
    assert (lone.groups, lone.rejected) == ([], [])


def test_a_model_that_keeps_to_the_prompts(tmp_path: Path) -> None:
    parts = {
        **grid(12),
        **{f"1-{n}": Part((n * 60 - 1100, 200, n * 60 - 1050, 390), description=BAR) for n in (20, 21, 22)},
    }
    found = grouped(drawn(tmp_path, parts), answer)
    assert found == grouped(drawn(tmp_path, parts), answer)
    assert found.groups or found.rejected


@settings(max_examples=6, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_said_groups_are_sound(tmp_path: Path, data: st.DataObject) -> None:
    parts: dict[str, Part] = {}
    for n in range(data.draw(st.integers(0, 9))):
        x, y = data.draw(st.integers(0, 500)), data.draw(st.integers(0, 300))
        width, height = data.draw(st.integers(5, 120)), data.draw(st.integers(5, 90))
        parent = data.draw(st.sampled_from(["0-0", *parts]))
        words = data.draw(st.sampled_from([ROW, BAR, "", "Menu"]))
        parts[f"1-{n}"] = Part((x, y, x + width, y + height), parent, words)
    screen = drawn(tmp_path, parts)
    ids = st.lists(st.sampled_from([*parts, "8-8", "0-0"]), max_size=9)
    replies = (
        st.builds(verdict, ids, ids, st.booleans()) | ids.map(lambda found: selection(*found)) | st.text(max_size=9)
    )
    pool = [data.draw(replies) for _ in range(4)]

    def reply(text: str, images: list[bytes]) -> str:
        return pool[len(text) % len(pool)] or "x"

    if not parts:
        return
    for found in (grouped(screen, reply), grouped(screen)):
        for one in found.groups:
            assert 2 <= len(one.members) <= 5
            for first, second in combinations(one.members, 2):
                assert first.id != second.id
                assert first.box.iou(second.box) == 0
                assert first.id not in screen.ancestors(second.id)
                assert second.id not in screen.ancestors(first.id)
            assert "0-0" not in {member.id for member in one.members}
        assert all(one.stage and one.reason for one in found.rejected)
