"""WiserUI-Bench: what becomes of its rows, and what is found wrong with them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pair_files as files
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affordance.core.errors import DataError
from affordance.datasets import Pair, read_dataset
from affordance.datasets.check import Level, check_spec
from affordance.datasets.clusters import clusters
from affordance.datasets.laws import DIMENSIONS, LAWS, find_law
from affordance.datasets.published.wiserui_check import ranges
from affordance.datasets.published.wiserui_urls import as_fetched
from affordance.datasets.sides import SIDED, rewritten, sides_in
from affordance.datasets.stats import describe
from affordance.datasets.ui_changes import element_group, property_group

real = pytest.mark.skipif(not files.SHARED.is_dir(), reason="needs the published metadata")


def pairs(spec: str) -> list[Pair]:
    return [item for item in read_dataset(spec).items if isinstance(item, Pair)]


def found(spec: str, level: Level = Level.WARNING) -> list[str]:
    return [one.message for one in check_spec(spec).findings if one.level is level]


def test_a_row_becomes_a_pair(tmp_path: Path) -> None:
    (pair,) = pairs(files.write_set(tmp_path, [files.row(7)]))
    assert (pair.id, pair.evidence, pair.company, pair.source) == ("007", "tested", "Acme", "https://vwo.com/7/")
    assert (pair.page_type, pair.industry, pair.device) == ("homepage", "IT & Software", "web")
    assert pair.changes == {"Button": ["Color"]}
    assert (pair.rationales[0].law, pair.rationales[0].dimension) == ("Fitts’s Law", "Action")
    assert pair.winner is not None
    assert pair.urls is not None
    assert pair.images[pair.winner] == "images/7/win.png"
    assert pair.urls[pair.winner].endswith("7-b.png")


def test_the_order_of_pictures_does_not_tell_the_winner_and_does_not_depend_on_them(tmp_path: Path) -> None:
    rows = [files.row(index) for index in range(300)]
    bare = pairs(files.write_set(tmp_path, rows, pictures=False))
    assert 120 <= Counter(pair.winner for pair in bare)[0] <= 180
    files.write_set(tmp_path, rows[:20])
    assert [pair.winner for pair in pairs(f"wiserui:{tmp_path}")] == [pair.winner for pair in bare[:20]]


def test_the_json_itself_is_a_path_and_pictures_may_be_missing(tmp_path: Path) -> None:
    files.write_set(tmp_path, [files.row(0)], pictures=False)
    dataset = read_dataset(f"wiserui:{tmp_path / files.JSON}")
    assert dataset.missing == {"images/0/win.png", "images/0/lose.png"}
    assert dataset.header.kind == "pair"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no index": ({"index": "5"}, "expected a whole number in 'index', found"),
    "negative index": ({"index": -1}, "expected an index from 0"),
    "twice": ({"index": 0}, "expected each index once, found 0 again"),
    "rationale": ({"rationale": ["because"]}, "expected a reason with its law as rationale 1, found 'because'"),
    "law": ({"rationale": [{"reason": "So.", "law": None}]}, "expected a reason with its law as rationale 1"),
    "changes": ({"ui_change": {"Button": "Color"}}, "changes.Button: input should be a valid list"),
}


@pytest.mark.parametrize(("change", "expected"), WRONG.values(), ids=WRONG.keys())
def test_rows_that_cannot_be_read_are_told_with_their_number(
    tmp_path: Path, change: dict[str, Any], expected: str
) -> None:
    spec = files.write_set(tmp_path, [files.row(0), files.row(1) | change], pictures=False)
    with pytest.raises(DataError, match=r"row 2: ") as error:
        read_dataset(spec)
    assert expected in str(error.value)


def test_pairs_that_share_a_picture_are_one_cluster(tmp_path: Path) -> None:
    transformed = "https://static.wingify.com/gcp/tr:h-0.5,w-0.5/uploads/0-a.png"
    rows = [files.row(0), files.row(1, win_url=transformed), files.row(2), files.row(3), files.row(4)]
    spec = files.write_set(tmp_path, rows)
    same = (tmp_path / "images/2/win.png").read_bytes()
    (tmp_path / "images/3/lose.png").write_bytes(same)
    assert [pair.cluster for pair in pairs(spec)] == ["000", "000", "002", "002", "004"]
    (told,) = [message for message in found(spec) if "share a picture" in message]
    assert "0/1, 2/3; statistics take 3 clusters (5 by the URLs as they are written)" in told


@given(st.lists(st.lists(st.integers(0, 12).map(str), max_size=3), max_size=12))
def test_clusters_are_what_keys_join(keys: list[list[str]]) -> None:
    items = [(f"{number:02d}", found) for number, found in enumerate(keys)]
    named = clusters(items)
    for item, own in items:
        assert named[item] <= item
        assert all(named[other] == named[item] for other, theirs in items if set(own) & set(theirs))


LAW = {"name": "Hick’s Law", "type": "Action"}
CHECKS: dict[str, tuple[dict[str, Any], Level, str]] = {
    "one URL": (
        {"lose_url": "https://x.org/a.png", "win_url": "https://x.org/a.png"},
        Level.WARNING,
        "1 pairs have one",
    ),
    "a page": ({"win_url": "https://vwo.com/1/"}, Level.WARNING, "item '001': expected the URL of a picture"),
    "unknown law": (
        {"rationale": [{"reason": "So.", "law": LAW | {"name": "Murphy’s Law"}}]},
        Level.ERROR,
        "unknown law",
    ),
    "apostrophe": (
        {"rationale": [{"reason": "So.", "law": LAW | {"name": "Hick's Law"}}]},
        Level.ERROR,
        "rationale 1: unknown law \"Hick's Law\"; write 'Hick’s Law'",
    ),
    "dimension": (
        {"rationale": [{"reason": "So.", "law": LAW | {"type": "Memory"}}]},
        Level.ERROR,
        "expected Hick’s Law to be of the dimension Action, found 'Memory'",
    ),
    "repeated law": (
        {"rationale": [{"reason": "So.", "law": LAW}, {"reason": "Thus.", "law": LAW}]},
        Level.WARNING,
        "item '001': 2 of its rationales are of one law, Hick’s Law",
    ),
    "side": (
        {"rationale": [{"reason": "So.", "law": LAW}, {"reason": "The right version is calm.", "law": LAW}]},
        Level.WARNING,
        "1 rationales name a side (1 'right version', 0 'left version'): 1 (2); neutral words are beside them",
    ),
}


@pytest.mark.parametrize(("change", "level", "expected"), CHECKS.values(), ids=CHECKS.keys())
def test_what_a_check_finds_in_rows(tmp_path: Path, change: dict[str, Any], level: Level, expected: str) -> None:
    spec = files.write_set(tmp_path, [files.row(0), files.row(1, **change)])
    assert any(expected in message for message in found(spec, level))


def test_a_sound_part_is_only_told_to_be_a_part(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.row(0), files.row(1)])
    assert found(spec) == ["expected 300 pairs of the published set, found 2"]
    assert found(spec, Level.ERROR) == []


def test_what_a_check_finds_in_pixels(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.row(index) for index in range(5)])
    picture = files.screen(1)
    dotted = picture.copy()
    dotted[0, 0] = 0
    png = files.encoded(picture)
    files.write_pair(tmp_path, 1, png, png)
    files.write_pair(tmp_path, 2, png, files.encoded(dotted))
    files.write_pair(tmp_path, 3, files.encoded(files.screen(9), ".jpg"), png)
    files.write_pair(tmp_path, 4, png[:80], png)
    told = found(spec)
    assert any("item '001': its two pictures are the same, pixel by pixel" in one for one in told)
    assert any("item '002': its two pictures are nearly the same: 0.016% of the pixels" in one for one in told)
    assert any("'images/3/win.png' has the name of a png file, found jpeg in it" in one for one in told)
    assert any("item '004'" in one and "win.png" in one for one in found(spec, Level.ERROR))


def test_every_missing_picture_is_named(tmp_path: Path) -> None:
    messages = found(files.write_set(tmp_path, [files.row(index) for index in range(30)], pictures=False), Level.ERROR)
    assert len(messages) == 60


def test_words_for_sides_are_rewritten_and_places_stay() -> None:
    assert rewritten("The Right version has it; the left version moved it to the left.") == (
        "The better version has it; the weaker version moved it to the left."
    )
    assert sides_in("The left navigation bar and the right amount.") == []


def test_a_listed_rationale_keeps_its_words_and_has_neutral_ones(tmp_path: Path) -> None:
    reason = {"reason": "The right version is calm.", "law": LAW}
    (listed, other) = pairs(
        files.write_set(tmp_path, [files.row(4, rationale=[reason]), files.row(5, rationale=[reason])])
    )
    assert listed.rationales[0].reason == reason["reason"]
    assert listed.rationales[0].neutral == "The better version is calm."
    assert other.rationales[0].neutral is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://h/gcp/tr:h-0.5,w-0.5/uploads/a.png", "https://h/gcp/uploads/a.png"),
        ("https://h/uploads/tr-a.png", "https://h/uploads/tr-a.png"),
    ],
    ids=["transformed", "not"],
)
def test_urls_without_transforms(url: str, expected: str) -> None:
    assert as_fetched(url) == expected
    assert as_fetched(expected) == expected


@pytest.mark.parametrize(
    ("numbers", "expected"), [([], ""), ([3], "3"), ([1, 2, 4], "1, 2, 4"), ([9, 1, 2, 3, 2], "1-3, 9")]
)
def test_ranges(numbers: list[int], expected: str) -> None:
    assert ranges(numbers) == expected


def test_twelve_laws_in_three_dimensions() -> None:
    assert Counter(law.dimension for law in LAWS) == dict.fromkeys(DIMENSIONS, 4)
    assert len({law.name for law in LAWS}) == 12
    assert all("'" not in law.name for law in LAWS)
    law = find_law("jakob's law")
    assert law is not None
    assert law.name == "Jakob’s Law"


GROUPS: dict[str, tuple[dict[str, list[str]], str | None, str | None]] = {
    "one": ({"Button": ["Color"]}, "Interactive Control-only", "Visual Styling-only"),
    "mixed": ({"Button": ["Color", "Size"], "Text": ["Size"]}, "Mixed", "Mixed"),
    "unheard of": ({"Gizmo": ["Smell"]}, "Other", "Other"),
    "nothing": ({}, None, None),
}


@pytest.mark.parametrize(("changes", "element", "styled"), GROUPS.values(), ids=GROUPS.keys())
def test_groups_of_changes(changes: dict[str, list[str]], element: str | None, styled: str | None) -> None:
    assert (element_group(changes), property_group(changes)) == (element, styled)


@real
def test_the_published_set() -> None:
    checked = check_spec(f"wiserui:{files.SHARED}")
    warnings = [one for one in checked.findings if one.level is Level.WARNING]
    text = "\n".join(one.message for one in warnings)
    assert "of the published set, found" not in text
    assert text.startswith(
        "73 pairs have one URL for both sides, so the same picture twice: 62, 103, 104, 106, 107, 109-"
    )
    assert "item '103': expected the URL of a picture" in text
    assert "109/111, 157/158/159, 189/190, 269/270, 292/293/294, 295/296" in text
    assert "34 rationales name a side (31 'right version', 3 'left version')" in text
    assert "they stay as they are" not in text
    assert [one.message.split("item ")[1][:5] for one in warnings if "of one law" in one.message] == ["'105'", "'212'"]
    assert sum(len(places) for places in SIDED.values()) == 34


def test_what_statistics_count(tmp_path: Path) -> None:
    reasons = [{"reason": "It is calm.", "law": LAW}, {"reason": "It is near.", "law": LAW}]
    rows = [files.row(0), files.row(1, rationale=reasons, ui_change={"Text": ["Size"], "Gizmo": ["Color"]})]
    found = describe(read_dataset(files.write_set(tmp_path, rows)))
    assert (found.counts["rationales"], found.counts["clusters"], found.counts["companies"]) == (3, 2, 1)
    counted = {one.name: dict(one.counts) for one in found.distributions}
    assert counted["law"] == {"Hick’s Law": 2, "Fitts’s Law": 1}
    assert counted["dimension"] == {"Action": 3}
    assert counted["changed element"] == {"Button": 1, "Gizmo": 1, "Text": 1}
    assert counted["changed property"] == {"Color": 2, "Size": 1}
    assert counted["group of elements"] == {"Interactive Control-only": 1, "Other": 1}
    assert counted["group of properties"] == {"Visual Styling-only": 1, "Mixed": 1}
    assert counted["rationales per pair"] == {"1": 1, "2": 1}
    assert counted["page_type"] == {"homepage": 2}
    assert [one.mean for one in found.summaries if one.name == "rationales of a pair"] == [1.5]


@real
def test_groups_of_the_published_set() -> None:
    found = pairs(f"wiserui:{files.SHARED}")
    assert Counter(element_group(pair.changes) for pair in found).most_common() == [
        ("Interactive Control-only", 100),
        ("Content & State Display-only", 79),
        ("Mixed", 72),
        ("Container & Layout Structure-only", 49),
    ]
    assert sorted(Counter(property_group(pair.changes) for pair in found).values()) == [13, 23, 48, 87, 129]
