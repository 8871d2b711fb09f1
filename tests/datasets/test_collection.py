"""Datasets that are asked about together: one of each kind, described as one."""

from pathlib import Path

import pytest

from affordance.core.errors import DataError
from affordance.datasets import Dataset, DatasetCollection, load_collection, write_folder
from cases import case
from errors import raises
from function_data import captured_screen, header, plain_outcomes, write_captured


@pytest.fixture
def both(tmp_path: Path) -> DatasetCollection:
    page = captured_screen()
    return write_captured(tmp_path / "both", [page], plain_outcomes(page))


def test_a_folder_of_datasets(both: DatasetCollection) -> None:
    assert both.name == "both"
    assert [part.header.kind for part in both.datasets] == ["outcome", "screen"]
    screens = both.of_kind("screen")
    assert screens is not None
    assert screens.name == "few screens"
    assert both.of_kind("clip") is None


def test_one_dataset_is_a_collection_of_one(both: DatasetCollection, tmp_path: Path) -> None:
    single = load_collection(str(tmp_path / "both" / "screens"))
    assert single == DatasetCollection.single(both.datasets[1])
    assert single.to_record()["name"] == "few screens"
    assert single.to_record()["digest"] == both.datasets[1].digest(), "as it was before there were collections"


def test_outcomes_in_the_folder_of_their_screens_belong_to_it(both: DatasetCollection, tmp_path: Path) -> None:
    (tmp_path / "both" / "outcomes").rename(tmp_path / "both" / "screens" / "outcomes")
    nested = load_collection(str(tmp_path / "both" / "screens"))
    assert nested.name == "screens"
    assert [part.items for part in nested.datasets] == [part.items for part in reversed(both.datasets)]


def test_two_of_one_kind_are_told(both: DatasetCollection, tmp_path: Path) -> None:
    other = tmp_path / "both" / "again"
    (other / "media").mkdir(parents=True)
    screens = both.datasets[1]
    (other / "media" / "page.png").write_bytes(screens.media_path("media/page.png").read_bytes())
    write_folder(other, header("screen", "again"), screens.items)
    with raises(DataError, "'screen'", path=tmp_path / "both"):
        load_collection(str(tmp_path / "both"))


def test_what_the_ledger_keeps(both: DatasetCollection) -> None:
    described = both.to_record()
    assert described == {
        "name": "both",
        "digest": described["digest"],
        "kind": "outcome+screen",
        "items": 13,
        "synthetic": True,
        "licence": "CC0-1.0",
    }
    assert described["digest"] not in {part.digest() for part in both.datasets}
    assert both.select({"screen"}).to_record() == DatasetCollection.single(both.datasets[1]).to_record()


def test_the_digest_is_of_the_content(both: DatasetCollection, tmp_path: Path) -> None:
    page = captured_screen()
    elsewhere = write_captured(tmp_path / "elsewhere", [page], plain_outcomes(page))
    assert elsewhere.to_record()["digest"] == both.to_record()["digest"]
    fewer = write_captured(tmp_path / "fewer", [page], plain_outcomes(page)[1:])
    assert fewer.to_record()["digest"] != both.to_record()["digest"]


def test_no_dataset_there(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for spec in ("", "empty", "nowhere"):
        with case(spec), pytest.raises(DataError):
            load_collection(str(tmp_path / spec))


def test_missing_pictures_have_no_content(tmp_path: Path) -> None:
    page = captured_screen()
    data = Dataset(tmp_path, header("screen"), (page,), frozenset({page.image}))
    assert DatasetCollection.single(data).to_record()["items"] == 1
