"""Pairs of designs in a project: taken in with their rationales, and out again as a dataset that can be run."""

import json
from pathlib import Path
from typing import Any

import pytest

from affordance.author.exchange.results import Facts
from affordance.author.marker_removal import remove_markers
from affordance.author.pair_records import Designs, Halves, Reason
from affordance.author.pairs.export import rationales_of, write_pairs
from affordance.author.pairs.intake import take_pairs
from affordance.author.project import Project, create_project, open_project, plain, read_record
from affordance.author.records import Kind
from affordance.author.taking_in import sort_out, take_in
from affordance.cli.main import run_command
from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.datasets import DesignPair, ItemLink, Rationale, load_dataset, write_folder
from affordance.datasets.check import check_folder
from affordance.ledger import DocumentDraft
from behavior_data import PAIRS, because, draw, pair, published
from errors import assert_carries, raises
from pair_world import MARKED, make_pairs
from pair_world import write_pairs as write_dataset

FACTS = Facts("Tea", "CC0-1.0", synthetic=True)


def project_of(folder: Path, *specs: str) -> Path:
    create_project(folder, name="Tea", licence="CC0-1.0", synthetic=True)
    with open_project(folder) as project:
        take_in(project, sort_out(specs))
    return folder


def dataset(folder: Path, *pairs: DesignPair) -> Path:
    for number, path in enumerate(path for one in pairs for path in one.images):
        draw(folder / path, number)
    write_folder(folder, PAIRS, pairs)
    return folder


def designs(project: Project) -> dict[str, Designs]:
    return {one.subject: read_record(one, Designs) for one in project.ledger.documents.latest(kind=Kind.PAIR)}


def change(project: Project, kind: Kind, subject: str, **values: Any) -> None:
    """A new version, by a person."""
    name = subject.partition("/")[0]
    there = project.ledger.documents.get_many([(kind, subject)])
    document = {**(there[0].document if there else {}), **values}
    project.ledger.documents.write([DocumentDraft(kind, subject, document, "person:ana", name)])


def exported(project: Path, folder: Path) -> list[dict[str, Any]]:
    with open_project(project) as opened:
        write_pairs(opened, folder, FACTS)
    return [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]


def test_pairs_come_with_their_pictures_rationales_and_all_that_is_known_of_them(tmp_path: Path) -> None:
    because_of = [because("It is larger.", "Fitts’s Law"), because("It stands out.", "Von Restorff Effect")]
    one = pair("a", 1, rationales=because_of, goal="Sell", votes=[1, 4], links=[ItemLink(kind="variant", to="b")])
    spec = dataset(tmp_path / "data", one, pair("b", 0))
    with open_project(project_of(tmp_path / "project", str(spec))) as project:
        found = designs(project)
        assert set(found) == {"a", "b"}
        assert found["a"].sizes == [[64, 48], [64, 48]]
        assert [digest_file(project.folder / image) for image in found["a"].images] == found["a"].digests
        assert (found["a"].winner, found["a"].votes, found["a"].goal) == (1, [1, 4], "Sell")
        assert [link.to for link in found["a"].links] == ["b"]
        assert (found["a"].origin, found["a"].rationales) == ("pairs/a", [])
        reasons = {
            item.subject: read_record(item, Reason) for item in project.ledger.documents.latest(kind=Kind.RATIONALE)
        }
        assert {name: (reason.reason, reason.place) for name, reason in reasons.items()} == {
            "a/r-1": ("It is larger.", 1.0),
            "a/r-2": ("It stands out.", 2.0),
        }


def test_the_same_again_changes_nothing_and_names_do_not_clash(tmp_path: Path) -> None:
    spec = dataset(tmp_path / "data", pair("a", 1), pair("b", 0))
    other = dataset(tmp_path / "other", pair("A", 0, links=[ItemLink(kind="variant", to="c")]), pair("c", 1))
    (other / "dataset.json").write_text((other / "dataset.json").read_text("utf-8").replace('"pairs"', '"more"'))
    with open_project(project_of(tmp_path / "project", str(spec))) as project:
        before = project.ledger.documents.latest()
        again = take_pairs(project, [load_dataset(str(spec))])
        assert (again.added, again.known) == ([], 2)
        assert project.ledger.documents.latest() == before
        more = take_pairs(project, [load_dataset(str(other))])
        assert len(more.added) == 2
        renamed = next(name for name in more.added if name != "c")
        assert renamed.startswith("A-")  # file systems that tell no capitals from small letters have one file for both
        assert [link.to for link in designs(project)[renamed].links] == ["c"]


def test_the_published_set_and_what_is_missing_of_it(tmp_path: Path) -> None:
    laws = [("It is larger.", "Fitts’s Law", "Action"), ("In the right version.", "Hick’s Law", "Action")]
    published(tmp_path / "wiser", [laws, laws[:1], []])
    (tmp_path / "wiser/images/1/win.png").unlink()
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as project:
        taken = take_in(project, sort_out([f"wiserui:{tmp_path / 'wiser'}"])).pairs
        assert taken is not None
        assert taken.added == ["000", "002"]
        (line,) = taken.broken
        assert "WiserUI-Bench/001" in line
        assert "win.png" in line
        first = designs(project)["000"]
        assert (first.page_type, first.evidence, first.changes) == ("homepage", "tested", {"Button": ["Color"]})
        assert not any("win" in image or "lose" in image for image in first.images)


def test_what_was_cleaned_before_keeps_its_originals(tmp_path: Path) -> None:
    remove_markers(load_dataset(str(write_dataset(tmp_path / "data"))), tmp_path / "cleaned", all_pairs=True)
    project = project_of(tmp_path / "project", str(tmp_path / "cleaned"))
    (found,) = (one for one in exported(project, tmp_path / "out") if one["id"] == MARKED)
    (record,) = found["cleaned"]
    for name in ("original", "mask", "before_after"):
        assert (tmp_path / "out" / record[name]).is_file()
    assert run_command(["data", "check", str(tmp_path / "out")]) == 0


def test_what_people_said_is_in_the_export_in_their_order(tmp_path: Path) -> None:
    reasons = [because("First.", "Fitts’s Law"), because("Second."), because("Third.", "Hick’s Law")]
    spec = dataset(tmp_path / "data", pair("a", 1, rationales=reasons), pair("b", 0))
    folder = project_of(tmp_path / "project", str(spec))
    with open_project(folder) as project:
        change(project, Kind.RATIONALE, "a/r-3", place=0.5)
        change(project, Kind.RATIONALE, "a/r-1", gone=True)
        change(project, Kind.RATIONALE, "a/r-2", law="Miller’s Law", neutral="The second, without a side.")
        change(project, Kind.RATIONALE, "a/n-1", reason="Fourth.", place=2.0, meets="more on text")
        change(project, Kind.PAIR, "a", page_type="pricing", changes={"Text": ["Size"]}, industry=None)
    (first, second) = exported(folder, tmp_path / "out")
    assert first["rationales"] == [
        {"reason": "Third.", "law": "Hick’s Law", "dimension": "Action"},
        {"reason": "Fourth."},
        {
            "reason": "Second.",
            "law": "Miller’s Law",
            "neutral": "The second, without a side.",
            "dimension": "Memory",
        },
    ]
    assert (first["page_type"], first["changes"]) == ("pricing", {"Text": ["Size"]})
    assert not {"digests", "sizes", "origin", "aside", "note"} & first.keys()
    assert "rationales" not in second
    exported(folder, tmp_path / "again")
    for path in (tmp_path / "out").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "again" / path.relative_to(tmp_path / "out")).read_bytes()


def test_rationales_at_one_place_have_the_order_of_their_names() -> None:
    two = {"n-b": Reason(reason="b", place=1.0), "n-a": Reason(reason="a", place=1.0)}
    assert rationales_of(two) == [Rationale(reason="a"), Rationale(reason="b")]


def test_the_export_is_clean_and_runs_and_what_was_put_aside_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_pairs(tmp_path / "project", plain={"evidence": "tested"})
    with open_project(project) as opened:
        change(opened, Kind.PAIR, "marked", aside=True, note="shows a person")
        change(opened, Kind.HALVES, "single", **confirmed(opened))
    out = tmp_path / "out"
    assert run_command(["author", "export", str(project), "-o", str(out), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)["written"]
    assert written["counts"]["pairs"] == 2
    assert sorted(filter(None, written["counts"].values())) == [1, 2], "one of them was cut"
    (left_out,) = written["left_out"]
    assert left_out["what"] == "marked"
    assert_carries(left_out["reason"], "shows a person")
    assert list(check_folder(out / "pairs")) == []
    ledger = ["--ledger", str(tmp_path / "runs.db")]
    assert run_command(["run", "behavior/choice", "--data", str(out), "--model", "baseline:first", *ledger]) == 0
    capsys.readouterr()
    assert run_command(["report", *ledger, "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["n"], row["complete"]) == (12, True)  # both orders, three times


def confirmed(project: Project) -> dict[str, Any]:
    width, height = designs(project)["single"].sizes[0]
    edges = [(0, (width - 24) // 2), ((width + 24) // 2, width)]
    boxes = [{"space": "pixel", "xyxy": [low, 0, high, height]} for low, high in edges]
    return plain(Halves.model_validate({"boxes": boxes, "winner": "first", "confirmed": True}))


def test_a_picture_that_is_another_by_now_is_left_out(tmp_path: Path) -> None:
    folder = project_of(tmp_path / "project", str(dataset(tmp_path / "data", pair("a", 1), pair("b", 0))))
    with open_project(folder) as project:
        draw(folder / designs(project)["a"].images[1], 99)
        exported = write_pairs(project, tmp_path / "out", FACTS)
        assert exported.counts["pairs"] == 1
        assert [one.what for one in exported.left_out] == ["a"]
        change(project, Kind.PAIR, "b", aside=True, note="no")
        with raises(UserError):
            write_pairs(project, tmp_path / "none", FACTS)
