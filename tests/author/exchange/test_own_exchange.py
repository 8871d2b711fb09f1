"""Our own format: what goes out, that the rest of the package takes it, and that it comes back."""

import json
from collections.abc import Iterator
from pathlib import Path

import exchange_data as data
import pytest

from affordance.author.exchange.bringing import bring_in, past_of
from affordance.author.exchange.formats import export, read
from affordance.author.exchange.own import write_datasets
from affordance.author.exchange.results import Exported, Facts
from affordance.author.project import Project, create_project, open_project
from affordance.author.records import Region
from affordance.author.state import ScreenState
from affordance.cli.main import run_command
from affordance.core.digest import digest_folder
from affordance.core.errors import UserError
from affordance.datasets import ChoiceItem, DatasetCollection, Screen, load_collection
from affordance.datasets.check import check_dataset
from affordance.tasks.function.outcome import published_choice_specs
from affordance.tasks.function.targets import dataset_targets
from errors import raises
from function_data import captured_screen, plain_outcomes, write_captured

FACTS = Facts("shop", "CC0-1.0", "drawn here", synthetic=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with data.shop(tmp_path_factory.mktemp("own") / "project") as opened:
        yield opened


def all_states(project: Project) -> list[ScreenState]:
    return list(project.states(project.screens()))


@pytest.fixture(scope="module")
def written(project: Project, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Exported]:
    folder = tmp_path_factory.mktemp("out") / "benchmark"
    return folder, write_datasets(data.given(*all_states(project)), folder, FACTS)


def collection(written: tuple[Path, Exported]) -> DatasetCollection:
    return load_collection(str(written[0]))


def screen(written: tuple[Path, Exported], name: str) -> Screen:
    part = collection(written).of_kind("screen")
    assert part is not None
    (found,) = (one for one in part.items if one.id == name)
    assert isinstance(found, Screen)
    return found


def test_the_datasets_pass_the_check(written: tuple[Path, Exported]) -> None:
    for part in ("screens", "choices"):
        checked = check_dataset(str(written[0] / part))
        assert (checked.name, checked.issues) == ("shop", ())


def test_what_the_export_counts(written: tuple[Path, Exported]) -> None:
    exported = written[1]
    assert dict(exported.counts) == {
        "screens": 2,
        "questions": 10,
        "elements": 8,
        "regions": 12,
        "ground element": 4,
        "ground region": 2,
        "outcome element": 2,
        "outcome region": 2,
    }
    assert sorted(exported.reasons().values()) == [1, 2, 2, 2, 2]
    assert [one.what for one in exported.left_out if "/" not in one.what.removeprefix("more/")] == ["aside"]


def test_a_screen_has_what_is_known_of_it(written: tuple[Path, Exported]) -> None:
    found = screen(written, "shop")
    assert [one.id for one in found.regions] == ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2"]
    card = next(one for one in found.regions if one.id == "2-1")
    assert (card.parent, card.type, card.functionality) == ("1-1", "Card / Item List", "Sells the second thing")
    assert card.box == data.box(*data.SECOND_FIX)
    assert [(one.id, one.role, one.name) for one in found.elements] == [(n, "button", f"T{n}") for n in "0123"]
    assert (found.elements[0].functionality, found.elements[3].functionality) == ("does 0", None)
    assert list(found.omitted_elements.values()) == [1]


def test_targets_have_words_look_alikes_and_classes(written: tuple[Path, Exported]) -> None:
    element, moved, region = screen(written, "shop").targets
    assert (element.id, element.action, element.group) == ("ground-element-1-0", "click", "1")
    assert (element.functionality, element.intent) == ("Which one does 0?", "Get what 0 gives")
    assert element.look_alikes == [data.box(*data.BUTTONS["1"]), data.box(*data.BUTTONS["2"])]
    assert element.tags == {"density": "sparse (to 0)", "density, Gaussian": "sparse (to 0)", "group_size": "3"}
    assert moved.box == data.box(98, 8, 162, 52)
    assert region.look_alikes == [data.box(*data.SECOND_FIX), data.box(*data.CARDS["2-2"])]
    assert region.tags["region type"] == "Content & Data Display"
    cuts = json.loads((written[0] / "cuts.json").read_text())
    assert sorted(cuts) == ["ground/element", "ground/region", "outcome/element", "outcome/region"]


def test_choices_have_options_with_their_origins(written: tuple[Path, Exported]) -> None:
    part = collection(written).of_kind("choice")
    assert part is not None
    found = part.items[2]
    assert isinstance(found, ChoiceItem)
    assert (found.id, found.level, found.action, found.answers) == ("shop/outcome-element-1-0", "element", "click", [1])
    assert [one.origin for one in found.options] == ["hard", "target", "easy", "hard", "easy"]
    assert found.target == data.box(*data.BUTTONS["0"])


def test_the_suite_makes_aims_and_posers_of_it(written: tuple[Path, Exported]) -> None:
    found = collection(written)
    assert [len(dataset_targets(found, level)) for level in ("element", "region")] == [4, 2]
    assert [len(list(published_choice_specs(found, level))) for level in ("element", "region")] == [2, 2]


def test_the_command_line_runs_on_it(
    written: tuple[Path, Exported], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = ["--ledger", str(tmp_path / "a.db")]
    models = ["--model", "oracle", "--model", "baseline:random"]
    assert run_command(["run", "function", "--data", str(written[0]), *models, *ledger]) == 0
    capsys.readouterr()
    assert run_command(["report", *ledger, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    for model in ("oracle", "baseline:random"):
        assert {(row["task"], row["n"], row["complete"]) for row in rows if row["model"].startswith(model)} == {
            ("function/ground-element", 4, True),
            ("function/ground-region", 2, True),
            ("function/outcome-element", 2, True),
            ("function/outcome-region", 2, True),
        }
    assert {row["metrics"]["accuracy"] for row in rows if row["model"].startswith("oracle")} == {1.0}


def test_the_same_project_gives_the_same_bytes(
    project: Project, written: tuple[Path, Exported], tmp_path: Path
) -> None:
    write_datasets(data.given(*reversed(all_states(project))), tmp_path / "again", FACTS)
    assert digest_folder(tmp_path / "again") == digest_folder(written[0])


def test_it_comes_back_and_goes_out_as_the_same_bytes(written: tuple[Path, Exported], tmp_path: Path) -> None:
    create_project(tmp_path / "second", None)
    with open_project(tmp_path / "second") as second:
        imported = read(written[0])
        brought = bring_in(second, imported)
        assert (sorted(brought.screens), brought.left_out) == (["more/mail", "shop"], [])
        assert not bring_in(second, imported).revisions
        exported = export(second.states, tmp_path / "again", FACTS, past_of(second))
    assert exported.left_out == []
    first, again = digest_folder(written[0]), digest_folder(tmp_path / "again")
    assert {name for name in first if first[name] != again.get(name)} <= {"screens/items.jsonl"}
    before, after = (
        [json.loads(line) for line in (root / "screens/items.jsonl").read_text("utf-8").splitlines()]
        for root in (written[0], tmp_path / "again")
    )
    for one in before:
        del one["left_out"]  # elements that are not interactive are not in a dataset
    assert after == before


def test_regions_of_other_datasets_become_nodes(tmp_path: Path) -> None:
    captured = captured_screen()
    loose = captured_screen("loose", regions=[one.model_copy(update={"parent": None}) for one in captured.regions])
    write_captured(tmp_path, [captured, loose], plain_outcomes(captured))
    imported = read(tmp_path / "screens")
    assert imported.left_out == []
    nodes = [
        {
            step.change.subject.rpartition("/")[2]: step.change.document.parent
            for step in one.steps
            if isinstance(step.change.document, Region)
        }
        for one in imported.screens
    ]
    assert nodes == [
        {"1-0": "0-0", "1-1": "0-0", "1-2": "0-0", "0-0": None},
        {"0-0": None, "1-0": "0-0", "1-1": "0-0"},
    ]


@pytest.mark.parametrize("missing", ["gone", "other size"])
def test_a_screen_without_its_picture_is_left_out(tmp_path: Path, missing: str) -> None:
    with data.shop(tmp_path / "project") as project:
        path = project.folder / "media" / "shop.png"
        path.unlink() if missing == "gone" else path.write_bytes(data.picture(size=(64, 40)))
        exported = write_datasets(data.given(*all_states(project)), tmp_path / "out", FACTS)
    assert "shop" in [one.what for one in exported.left_out]
    assert exported.counts["screens"] == 1
    assert check_dataset(str(tmp_path / "out" / "screens")).issues == ()


def test_a_folder_with_something_in_it_is_not_written_to(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for name in ("own", "cache", "columns", "coco", "label-studio"):
        with raises(UserError, tmp_path):
            export(project.states, tmp_path, FACTS, past_of(project), name)
    with raises(UserError, "'coko'", "'coco'"):
        export(project.states, tmp_path / "new", FACTS, past_of(project), "coko")
    with raises(UserError, "coco"):
        read(tmp_path, "coco")
