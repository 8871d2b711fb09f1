"""Figures for print: SVG that stands alone, the same for the same rows, safe whatever names are."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from board_rows import HOSTILE, rows_of
from typer.testing import CliRunner

from affordance.cli.main import app
from affordance.core.errors import UserError
from affordance.report import paper_figures
from affordance.report.paper_figures import LONGEST_NAME, write_figures
from affordance.report.result_row import ConditionDifference, ResultRow
from cases import case
from errors import raises
from report_ledgers import FAILED, PENDING, RIGHT, WRONG, Plan

SVG = "{http://www.w3.org/2000/svg}"
MIXED = Plan({"openai:good": (RIGHT, RIGHT, WRONG), "openai:half": (RIGHT, WRONG, FAILED, PENDING)}, items=8)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[ResultRow]:
    return rows_of(tmp_path_factory.mktemp("ledger") / "ledger.db", MIXED)


def texts(path: Path) -> list[str]:
    return [text for element in ET.parse(path).iter(f"{SVG}text") for text in element.itertext()]


def with_cues(row: ResultRow) -> list[ResultRow]:
    added = ConditionDifference("none", 0.1, (0.02, 0.18), 40, 0.01)
    forms = ("none", "context", "caption", "motion + context")
    return [
        replace(row, task="motion/purpose", form=form, differences=() if form == "none" else (added,)) for form in forms
    ]


def with_positions(row: ResultRow) -> ResultRow:
    shares = {"preference": (0.6, 0.5, 0.7), "right": (0.3, 0.2, 0.4), "wrong": (0.1, 0.0, 0.2)}
    return replace(row, task="behavior/choice", positions=shares)


@pytest.fixture(scope="module")
def drawn(found: list[ResultRow], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    rows = [*found, with_positions(found[0]), *with_cues(found[0])]
    return write_figures(tmp_path_factory.mktemp("drawn") / "figures", rows)


def test_what_is_drawn(drawn: list[Path]) -> None:
    names = [path.name for path in drawn]
    assert names == sorted(names, key=names.index)
    assert {re.sub(r"-openai.*", "", name.removesuffix(".svg")) for name in names} == {
        "motion-effect-first-leaderboard",
        "motion-effect-first-confusion",
        "behavior-choice-first-leaderboard",
        "behavior-choice-first-position",
        "behavior-choice-first-confusion",
        "motion-purpose-context-first-leaderboard",
        "motion-purpose-context-first-cues",
        "motion-purpose-context-first-confusion",
    }


def test_finding_and_knowing(found: list[ResultRow], tmp_path: Path) -> None:
    tasks = {"function/ground-element": "functionality", "function/outcome-element": "single"}
    of_both = {"complete": True, "confusion": ()}
    few = [replace(row, task=task, form=form, **of_both) for row in found for task, form in tasks.items()]
    assert not [one for one in write_figures(tmp_path / "few", few) if "knowing" in one.name], (
        "two points are no figure"
    )
    rows = [*few, *(replace(row, model="openai:third") for row in few[:2])]
    (path,) = [one for one in write_figures(tmp_path / "figures", rows) if "knowing" in one.name]
    assert path.name == "function-element-functionality-single-first-finding-and-knowing.svg"
    assert {"1  openai:good", "2  openai:half"} <= set(texts(path))


def test_text_is_text(drawn: list[Path]) -> None:
    said = texts(drawn[0])
    assert {"openai:good", "openai:half"} <= set(said)
    assert any("14.3%" in one for one in said)
    assert any("50.0*" in one and "n 16" in one for one in said)


def test_the_same_rows_give_the_same_files(found: list[ResultRow], tmp_path: Path) -> None:
    rows = [found[0], with_positions(found[0])]
    first, second = ([path.read_bytes() for path in write_figures(tmp_path / name, rows)] for name in "ab")
    assert first == second
    assert all(b"dc:date" not in one for one in first)


def test_nothing_outside_is_referred_to(drawn: list[Path]) -> None:
    for path in drawn:
        text = path.read_text(encoding="utf-8")
        assert "<image" not in text
        links = re.findall(r'(?:xlink:)?href="([^"]*)"', text)
        assert all(link.startswith("#") for link in links)


def test_names_are_text_and_no_paths(found: list[ResultRow], tmp_path: Path) -> None:
    for hostile in (*HOSTILE, "$\\frac{$", "../../etc/passwd", "a/b\\c"):
        row = replace(found[0], model=hostile, run=hostile, confusion=((hostile, hostile, 3), (hostile, "other", 2)))
        with case(hostile):
            for path in write_figures(tmp_path / "figures", [row]):
                assert path.parent == tmp_path / "figures"
                assert re.fullmatch(r"[a-z0-9-]+\.svg", path.name)
                assert not list(ET.parse(path).iter(f"{SVG}script"))


def test_twenty_models_fit(found: list[ResultRow], tmp_path: Path) -> None:
    rows = [replace(found[0], model=f"vendor:{'long-' * 20}{n}", confusion=()) for n in range(20)]
    (path,) = write_figures(tmp_path, rows)
    names = [text for text in texts(path) if text.startswith("vendor:")]
    assert len(set(names)) == 20
    assert max(map(len, names)) <= LONGEST_NAME


def test_rows_that_share_a_name_have_files_of_their_own(found: list[ResultRow], tmp_path: Path) -> None:
    paths = write_figures(tmp_path, [replace(found[0], run="a b"), replace(found[0], run="a-b")])
    assert len(set(paths)) == len(paths)


def test_nothing_scored_gives_no_figure(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "l.db", Plan({"m": (PENDING,)}))
    assert write_figures(tmp_path / "figures", rows) == []


def test_a_folder_that_cannot_be_written_is_said(found: list[ResultRow], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with raises(UserError, tmp_path / "file"):
        write_figures(tmp_path / "file", found)


def test_the_command_writes_them_beside_the_table(tmp_path: Path) -> None:
    rows_of(tmp_path / "l.db", MIXED)
    result = CliRunner().invoke(app, ["report", "--ledger", str(tmp_path / "l.db"), "--figures", str(tmp_path / "f")])
    assert result.exit_code == 0, result.output
    assert "openai:good" in result.stdout
    assert len(list((tmp_path / "f").glob("*.svg"))) == 3


def test_figures_without_matplotlib_name_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_figures, "find_spec", lambda _: None)
    with raises(UserError, "pip install 'affordance[figures]'"):
        write_figures(tmp_path / "figures", [])
    assert not (tmp_path / "figures").exists()
