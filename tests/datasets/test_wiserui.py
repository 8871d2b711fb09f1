"""WiserUI-Bench: what becomes of its rows, and what is found wrong with them."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pair_files as files
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import DataError
from affordance.datasets import DesignPair, load_dataset
from affordance.datasets.check import check_dataset
from affordance.datasets.dataset import Severity
from affordance.datasets.pairs import named_sides, neutral_wording, shared_image_clusters
from affordance.datasets.published.wiserui import format_ranges, original_url
from affordance.datasets.statistics import describe_dataset
from affordance.datasets.taxonomies import LAW_DIMENSIONS, UX_LAWS, element_group, find_ux_law, property_group
from cases import case, folder_names, numbers_in
from errors import assert_carries, raises


def pairs(spec: str) -> list[DesignPair]:
    return [item for item in load_dataset(spec).items if isinstance(item, DesignPair)]


def found(spec: str, level: Severity = Severity.WARNING) -> list[str]:
    return [str(one) for one in check_dataset(spec).issues if one.severity is level]


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
    dataset = load_dataset(f"wiserui:{tmp_path / files.JSON}")
    assert dataset.missing_media == {"images/0/win.png", "images/0/lose.png"}
    assert dataset.header.kind == "pair"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no index": ({"index": "5"}, ("index",)),
    "negative index": ({"index": -1}, ("index", 0)),
    "twice": ({"index": 0}, ("index", 0)),
    "rationale": ({"rationale": ["because"]}, (1, "because")),
    "law": ({"rationale": [{"reason": "So.", "law": None}]}, (1,)),
    "changes": ({"ui_change": {"Button": "Color"}}, ("changes.Button",)),
}


def test_rows_that_cannot_be_read_are_reported_with_their_number(tmp_path: Path) -> None:
    for folder, name, (change, expected) in folder_names(WRONG):
        spec = files.write_set(tmp_path / folder, [files.row(0), files.row(1) | change], pictures=False)
        with case(name), raises(DataError, *expected, path=tmp_path / folder / files.JSON) as caught:
            load_dataset(spec)
        assert caught.value.row == 2


def test_pairs_that_share_a_picture_are_one_cluster(tmp_path: Path) -> None:
    transformed = "https://static.wingify.com/gcp/tr:h-0.5,w-0.5/uploads/0-a.png"
    rows = [files.row(0), files.row(1, win_url=transformed), files.row(2), files.row(3), files.row(4)]
    spec = files.write_set(tmp_path, rows)
    same = (tmp_path / "images/2/win.png").read_bytes()
    (tmp_path / "images/3/lose.png").write_bytes(same)
    assert [pair.cluster for pair in pairs(spec)] == ["000", "000", "002", "002", "004"]
    (shared,) = [message for message in found(spec) if "0/1, 2/3" in message]
    assert numbers_in(shared.partition("2/3")[2]) == [3, 5]  # clusters, and URLs as they are written


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, 12).map(str), max_size=3), max_size=12))
def test_clusters_are_what_keys_join(keys: list[list[str]]) -> None:
    items = [(f"{number:02d}", found) for number, found in enumerate(keys)]
    named = shared_image_clusters(items)
    for item, own in items:
        assert named[item] <= item
        assert all(named[other] == named[item] for other, theirs in items if set(own) & set(theirs))


LAW = {"name": "Hick’s Law", "type": "Action"}
CHECKS: dict[str, tuple[dict[str, Any], Severity, str]] = {
    "one URL": (
        {"lose_url": "https://x.org/a.png", "win_url": "https://x.org/a.png"},
        Severity.WARNING,
        r"^1 .*: 1;",
    ),
    "a page": ({"win_url": "https://vwo.com/1/"}, Severity.WARNING, r"'001'"),
    "unknown law": (
        {"rationale": [{"reason": "So.", "law": LAW | {"name": "Murphy’s Law"}}]},
        Severity.ERROR,
        r"'001'.* 1.*'Murphy’s Law'",
    ),
    "apostrophe": (
        {"rationale": [{"reason": "So.", "law": LAW | {"name": "Hick's Law"}}]},
        Severity.ERROR,
        r"'001'.* 1.*Hick's Law.*'Hick’s Law'",
    ),
    "dimension": (
        {"rationale": [{"reason": "So.", "law": LAW | {"type": "Memory"}}]},
        Severity.ERROR,
        r"'001'.*Hick’s Law.*Action.*'Memory'",
    ),
    "repeated law": (
        {"rationale": [{"reason": "So.", "law": LAW}, {"reason": "Thus.", "law": LAW}]},
        Severity.WARNING,
        r"'001'.* 2 .*Hick’s Law",
    ),
    "side": (
        {"rationale": [{"reason": "So.", "law": LAW}, {"reason": "The right version is calm.", "law": LAW}]},
        Severity.WARNING,
        r"^1 .*1 'right version', 0 'left version'.* 1 \(2\)",
    ),
}


def test_what_a_check_finds_in_rows(tmp_path: Path) -> None:
    """Beyond what it says of rows with which nothing is wrong."""
    (part,) = found(files.write_set(tmp_path / "sound", [files.row(0), files.row(1)]))
    assert numbers_in(part) == [300, 2]
    assert found(f"wiserui:{tmp_path / 'sound'}", Severity.ERROR) == []
    for folder, name, (change, level, expected) in folder_names(CHECKS):
        with case(name):
            spec = files.write_set(tmp_path / folder, [files.row(0), files.row(1, **change)])
            told = [one for one in found(spec, level) if one != part]
            assert any(re.search(expected, one) for one in told), told


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
    (same,) = [one for one in found(spec) if "item '001'" in one]
    (nearly,) = [one for one in found(spec) if "item '002'" in one]
    (named,) = [one for one in found(spec) if "'images/3/win.png'" in one]
    assert "%" not in same
    assert_carries(nearly, "0.016%")
    assert_carries(named, "png", "jpeg")
    (broken,) = [one for one in found(spec, Severity.ERROR) if "'004'" in one]
    assert_carries(broken, "win.png")


def test_every_missing_picture_is_named(tmp_path: Path) -> None:
    messages = found(
        files.write_set(tmp_path, [files.row(index) for index in range(30)], pictures=False), Severity.ERROR
    )
    assert len(messages) == 60


def test_words_for_sides_are_rewritten_and_places_stay() -> None:
    assert neutral_wording("The Right version has it; the left version moved it to the left.") == (
        "The better version has it; the weaker version moved it to the left."
    )
    assert named_sides("The left navigation bar and the right amount.") == []


def test_a_listed_rationale_keeps_its_words_and_has_neutral_ones(tmp_path: Path) -> None:
    reason = {"reason": "The right version is calm.", "law": LAW}
    (listed, other) = pairs(
        files.write_set(tmp_path, [files.row(4, rationale=[reason]), files.row(5, rationale=[reason])])
    )
    assert listed.rationales[0].reason == reason["reason"]
    assert listed.rationales[0].neutral == "The better version is calm."
    assert other.rationales[0].neutral is None


def test_urls_without_transforms() -> None:
    for url, expected in (
        ("https://h/gcp/tr:h-0.5,w-0.5/uploads/a.png", "https://h/gcp/uploads/a.png"),
        ("https://h/uploads/tr-a.png", "https://h/uploads/tr-a.png"),
    ):
        assert original_url(url) == expected
        assert original_url(expected) == expected


def test_ranges() -> None:
    for numbers, expected in (([], ""), ([3], "3"), ([1, 2, 4], "1, 2, 4"), ([9, 1, 2, 3, 2], "1-3, 9")):
        assert format_ranges(numbers) == expected


def test_twelve_laws_in_three_dimensions() -> None:
    assert Counter(law.dimension for law in UX_LAWS) == dict.fromkeys(LAW_DIMENSIONS, 4)
    assert len({law.name for law in UX_LAWS}) == 12
    assert all("'" not in law.name for law in UX_LAWS)
    law = find_ux_law("jakob's law")
    assert law is not None
    assert law.name == "Jakob’s Law"


GROUPS: dict[str, tuple[dict[str, list[str]], str | None, str | None]] = {
    "one": ({"Button": ["Color"]}, "Interactive Control-only", "Visual Styling-only"),
    "mixed": ({"Button": ["Color", "Size"], "Text": ["Size"]}, "Mixed", "Mixed"),
    "unheard of": ({"Gizmo": ["Smell"]}, "Other", "Other"),
    "nothing": ({}, None, None),
}


def test_groups_of_changes() -> None:
    for name, (changes, element, styled) in GROUPS.items():
        with case(name):
            assert (element_group(changes), property_group(changes)) == (element, styled)


def test_what_statistics_count(tmp_path: Path) -> None:
    reasons = [{"reason": "It is calm.", "law": LAW}, {"reason": "It is near.", "law": LAW}]
    rows = [files.row(0), files.row(1, rationale=reasons, ui_change={"Text": ["Size"], "Gizmo": ["Color"]})]
    found = describe_dataset(load_dataset(files.write_set(tmp_path, rows)))
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
