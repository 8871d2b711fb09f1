"""A user's own pairs: tables and folders, and what is wrong with them in words that lead to the row."""

import json
from pathlib import Path

import pair_files as files
import pytest

from affordance.core.errors import DataError
from affordance.datasets import DesignPair, load_dataset
from affordance.datasets.check import check_dataset
from affordance.datasets.dataset import Severity
from cases import case
from errors import assert_carries, raises


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With four pictures in `shots`."""
    (tmp_path / "shots").mkdir()
    for number, name in enumerate(("a", "b", "c", "d")):
        (tmp_path / "shots" / f"{name}.png").write_bytes(files.encoded(files.screen(number)))
    return tmp_path


def pairs(path: Path) -> list[DesignPair]:
    return [item for item in load_dataset(f"pairs:{path}").items if isinstance(item, DesignPair)]


def table(folder: Path, text: str, name: str = "pairs.csv") -> Path:
    (folder / name).write_bytes(text.encode())
    return folder


FULL = """id,first,second,winner,goal,context,votes,rationales,changes
cart,shots/a.png,shots/b.png,B,Buy,A shop,13:42,Fitts's Law: It is larger.|It is calm.,"Button: Color, Size; Text: Icon"
"""


def test_a_row_with_everything(folder: Path) -> None:
    (pair,) = pairs(table(folder, FULL))
    assert (pair.id, pair.images, pair.winner) == ("cart", ["shots/a.png", "shots/b.png"], 1)
    assert (pair.goal, pair.context, pair.votes, pair.evidence) == ("Buy", "A shop", [13, 42], "voted")
    assert [(one.law, one.dimension, one.reason) for one in pair.rationales] == [
        ("Fitts’s Law", "Action", "It is larger."),
        (None, None, "It is calm."),
    ]
    assert pair.changes == {"Button": ["Color", "Size"], "Text": ["Icon"]}
    assert [one for one in check_dataset(f"pairs:{folder}").issues if one.severity is Severity.ERROR] == []


def test_the_least_a_row_can_say(folder: Path) -> None:
    (pair,) = pairs(table(folder, "a,b\nshots/a.png,shots/b.png\n"))
    assert (pair.id, pair.winner, pair.evidence, pair.rationales) == ("000", None, None, [])


def test_the_same_in_json(folder: Path) -> None:
    row = {"first": "shots/a.png", "second": "shots/b.png", "winner": "first", "votes": [3, 1]}
    (folder / "pairs.json").write_text(json.dumps([row | {"rationales": [{"reason": "So.", "law": "hick's law"}]}]))
    (pair,) = pairs(folder)
    assert (pair.winner, pair.votes, pair.rationales[0].law) == (0, [3, 1], "Hick’s Law")


def test_a_table_of_a_spreadsheet(folder: Path) -> None:
    rows = [("\ufefffirst", "Second", "Winner"), ("shots/a.png", "shots/b.png", "shots/b.png"), ("", "", "")]
    for separator in (";", "\t"):
        text = "\r\n".join(separator.join(row) for row in rows)
        assert [pair.winner for pair in pairs(table(folder, text, "mine.csv") / "mine.csv")] == [1]


WINNERS: list[tuple[str, str, int | None]] = [
    ("A", "", 0),
    ("second", "", 1),
    ("shots/a.png", "", 0),
    ("unknown", "", None),
    ("", "9:2", 0),
    ("", "2/9", 1),
    ("", "4-4", None),
    ("B", "2 9", 1),
    ("B", "4:4", 1),
]


def test_winners(folder: Path) -> None:
    for winner, votes, expected in WINNERS:
        with case((winner, votes)):
            (pair,) = pairs(table(folder, f"first,second,winner,votes\nshots/a.png,shots/b.png,{winner},{votes}\n"))
            assert pair.winner == expected


WRONG = {
    "no such picture": ("first,second\nshots/a.png,shots/x.png", (2, "shots/x.png")),
    "out of the folder": ("first,second\nshots/a.png,../b.png", (2, "../b.png")),
    "no picture": ("first,second\nshots/a.png,", (2, "'second'", "'b'")),
    "a number as winner": ("first,second,winner\nshots/a.png,shots/b.png,1", (2, "first", "second", "'1'")),
    "votes": (
        "first,second,votes\nshots/a.png,shots/b.png,many",
        (2, "42:13", "many"),
    ),
    "a winner that lost the vote": (
        "first,second,winner,votes\nshots/a.png,shots/b.png,B,9:2",
        (2, "[9, 2]"),
    ),
    "changes": ("first,second,changes\nshots/a.png,shots/b.png,Button", (2, "'Button'")),
    "column": ("first,second,winer\nshots/a.png,shots/b.png,A", (2, "winer", "winner")),
    "column twice": ("first,a,second\nshots/a.png,shots/b.png,x", (2, "first")),
    "cells": ("first,second\nshots/a.png,shots/b.png,more", (2, 2, 3)),
    "second row": ("first,second\nshots/a.png,shots/b.png\n\nshots/a.png,x.png", (4, "x.png")),
    "id twice": ("id,first,second\nx,shots/a.png,shots/b.png\nx,shots/c.png,shots/d.png", (3, "'x'")),
    "nothing": ("", (None,)),
    "no rows": ("first,second\n", (None,)),
    "quote": ('first,second\n"shots/a.png,shots/b.png', (None,)),
}


def test_what_is_wrong_is_reported_with_its_row(folder: Path) -> None:
    for name, (text, (row, *data)) in WRONG.items():
        with case(name), raises(DataError, *data) as caught:
            load_dataset(f"pairs:{table(folder, text)}")
        assert folder in (caught.value.path, caught.value.path.parent)
        with case(name):
            assert caught.value.row == row


def test_a_table_that_is_not_utf8(folder: Path) -> None:
    (folder / "pairs.csv").write_bytes("first,second,goal\nshots/a.png,shots/b.png,Größe".encode("latin-1"))
    with raises(DataError, "UTF-8", path=folder / "pairs.csv"):
        pairs(folder)


def test_a_cell_may_have_lines(folder: Path) -> None:
    (pair,) = pairs(table(folder, 'first,second,rationales\nshots/a.png,shots/b.png,"It is calm.\nIt is near."\n'))
    assert [one.reason for one in pair.rationales] == ["It is calm.", "It is near."]


def test_a_folder_of_folders(tmp_path: Path) -> None:
    for number, name in enumerate(["one", "deep/two"]):
        (tmp_path / name).mkdir(parents=True)
        for side, picture in enumerate(("old.png", "new.jpg")):
            content = files.encoded(files.screen(2 * number + side), Path(picture).suffix)
            (tmp_path / name / picture).write_bytes(content)
    (tmp_path / "one" / "pair.json").write_text(json.dumps({"winner": "first", "goal": "Sign up"}))
    two, one = pairs(tmp_path)
    assert (two.id, two.images, two.winner) == ("deep-two", ["deep/two/new.jpg", "deep/two/old.png"], None)
    assert (one.id, one.winner, one.goal) == ("one", 0, "Sign up")


def test_names_of_pictures_may_tell_the_winner_and_their_order_does_not(tmp_path: Path) -> None:
    for number in range(24):
        files.write_pair(tmp_path, number, files.encoded(files.screen(1)), files.encoded(files.screen(2)))
    found = pairs(tmp_path)
    assert all(pair.images[pair.winner or 0].endswith("win.png") for pair in found)
    assert 4 <= sum(pair.winner == 0 for pair in found) <= 20
    assert {pair.cluster for pair in found} == {"images-0"}


def test_a_folder_with_another_number_of_pictures(folder: Path) -> None:
    (told,) = check_dataset(f"pairs:{folder}").issues
    assert_carries(str(told), folder / "shots", 4)


def test_a_folder_with_nothing(tmp_path: Path) -> None:
    with raises(DataError, path=tmp_path):
        pairs(tmp_path)
    with raises(DataError, path=tmp_path / "x"):
        pairs(tmp_path / "x")
