"""The published columns: our own reader of the published sets finds the same questions in them."""

import json
from collections.abc import Iterator
from pathlib import Path

import exchange_data as data
import pyarrow.parquet as pq
import pytest

from affordance import media
from affordance.author.exchange.columns import write_columns
from affordance.author.exchange.results import Exported, Facts
from affordance.author.project import Project, plain
from affordance.author.records import Kind, QuestionRecord
from affordance.core.box import Space
from affordance.core.digest import digest_folder
from affordance.core.errors import UserError
from affordance.datasets import ChoiceQuestion, Dataset, Screen, read_dataset
from affordance.datasets.check import check_spec
from affordance.ledger import Draft

FACTS = Facts("shop")
SEVERAL = data.outcome("2-0", "region", data.CARDS["2-0"]).model_copy(
    update={
        "options": [
            one.model_copy(update={"origin": "target" if place < 2 else "easy"})
            for place, one in enumerate(data.outcome("2-0", "region", data.CARDS["2-0"]).options)
        ]
    }
)
OTHERS = {
    "outcome-region-g1-2-0": SEVERAL,
    "ground-element-plain": data.ground("3", "element", data.BUTTONS["3"], [], action=None, group=None),
    "ground-region-plain": data.ground("2-1", "region", data.SECOND_FIX, [], expressions={"description": "The second"}),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with data.shop(tmp_path_factory.mktemp("columns") / "project") as opened:
        opened.ledger.revise(
            [Draft(Kind.QUESTION, f"shop/{name}", plain(one), "ask", "shop") for name, one in OTHERS.items()]
        )
        yield opened


@pytest.fixture(scope="module")
def written(project: Project, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Exported]:
    folder = tmp_path_factory.mktemp("out") / "columns"
    return folder, write_columns(project.states(), folder, FACTS)


def back(written: tuple[Path, Exported], name: str, tmp_path: Path) -> Dataset:
    checked = check_spec(f"autogui-v2:{written[0] / name}", tmp_path / "cache")
    known = ("of the published set", "expected an action")
    assert [one.message for one in checked.findings if not any(said in one.message for said in known)] == []
    return read_dataset(f"autogui-v2:{written[0] / name}", tmp_path / "cache")


def test_what_is_told_of_the_export(written: tuple[Path, Exported]) -> None:
    told = written[1]
    assert dict(told.counts) == {
        "FuncElemGnd": 4,
        "FuncElemCap": 2,
        "FuncRegionGnd-v2": 2,
        "FuncRegionCap-v2": 2,
        "FuncRegionCap-v2-multi": 1,
        "screens": 2,
    }
    why = {one.what: one.reason.partition(": ")[2] for one in told.left_out if "no room" in one.reason}
    assert why == {
        "shop/ground-element-plain": "it has no action",
        "shop/ground-region-plain": "it has no wording by functionality",
    }


def test_elements_to_be_found(written: tuple[Path, Exported], tmp_path: Path) -> None:
    found = back(written, "FuncElemGnd", tmp_path)
    screens = [one for one in found.items if isinstance(one, Screen)]
    assert [one.id for one in screens] == ["more/mail", "shop"]
    shop = screens[1]
    assert (shop.width, shop.height) == data.SIZE
    assert found.file(shop.image).read_bytes() == data.picture()
    for target, name in zip(shop.targets, ("ground-element-1-0", "ground-element-1-1"), strict=True):
        asked = data.QUESTIONS[name]
        assert target.box is not None
        assert target.box.to(Space.PIXEL, *data.SIZE).xyxy == pytest.approx(asked.box.xyxy)
        said = {"functionality": target.functionality, "description": target.description, "intent": target.intent}
        assert said == asked.expressions
        assert (target.action, target.group, target.tags["group_size"]) == ("click", "1", "3")
        alike = sorted(box.to(Space.PIXEL, *data.SIZE).x1 for box in target.alike)
        assert alike == pytest.approx(sorted(data.BUTTONS[other][0] for other in asked.alike))


def test_regions_to_be_found(written: tuple[Path, Exported], tmp_path: Path) -> None:
    found = back(written, "FuncRegionGnd-v2", tmp_path)
    (target,) = (
        one for screen in found.items if isinstance(screen, Screen) and screen.id == "shop" for one in screen.targets
    )
    asked = data.QUESTIONS["ground-region-g1-2-0"]
    assert target.box == asked.box
    assert (target.functionality, target.description) == tuple(asked.expressions.values())
    assert target.alike == [data.box(*data.SECOND_FIX), data.box(*data.CARDS["2-2"])]
    assert (target.tags["region leaf"], target.tags["density_shipped"]) == ("Card / Item List", "sparse")


def _same(found: ChoiceQuestion, asked: QuestionRecord) -> None:
    assert [one.text for one in found.options] == [one.text for one in asked.options]
    assert [one.origin for one in found.options] == [one.origin for one in asked.options]
    assert found.answers == [place for place, one in enumerate(asked.options) if one.origin == "target"]


def test_outcomes_of_elements(written: tuple[Path, Exported], tmp_path: Path) -> None:
    found = back(written, "FuncElemCap", tmp_path).items[1]
    assert isinstance(found, ChoiceQuestion)
    _same(found, data.QUESTIONS["outcome-element-1-0"])
    assert found.target is not None
    assert found.target.to(Space.PIXEL, *data.SIZE).xyxy == pytest.approx(data.BUTTONS["0"])
    assert found.action == "click"


@pytest.mark.parametrize(
    ("name", "asked"),
    [("FuncRegionCap-v2", data.QUESTIONS["outcome-region-g1-2-1"]), ("FuncRegionCap-v2-multi", SEVERAL)],
)
def test_outcomes_of_regions(written: tuple[Path, Exported], tmp_path: Path, name: str, asked: QuestionRecord) -> None:
    dataset = back(written, name, tmp_path)
    found = dataset.items[-1]
    assert isinstance(found, ChoiceQuestion)
    _same(found, asked)
    assert (found.question, found.multiple) == (asked.question, name.endswith("multi"))
    pixels = media.decode_image(dataset.file(found.image).read_bytes())
    x1, y1 = (round(edge) for edge in asked.box.xyxy[:2])
    assert tuple(pixels[y1 + 40, x1]) == (255, 0, 0)


def test_the_columns_are_those_of_the_hub(written: tuple[Path, Exported]) -> None:
    schema = pq.read_schema(written[0] / "FuncElemGnd" / "data" / "test-00000-of-00001.parquet")
    assert schema.names == [
        "image", "image_name", "dataset_name", "image_size", "question", "action_intent", "action_type", "group_index",
        "visual_similarity", "id", "bbox", "description", "functionality", "interaction_outcomes", "similar_elements",
        "num_similar_elements", "density_class",
    ]  # fmt: skip
    assert (str(schema.field("id").type), str(schema.field("group_index").type)) == ("int32", "int32")
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert features["image"] == {"_type": "Image"}


def test_the_same_project_gives_the_same_tables(
    project: Project, written: tuple[Path, Exported], tmp_path: Path
) -> None:
    write_columns(project.states(), tmp_path / "again", FACTS)
    assert digest_folder(tmp_path / "again") == digest_folder(written[0])


def test_a_project_without_questions_is_told(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project, pytest.raises(UserError, match="expected questions to export"):
        write_columns([project.state("aside")], tmp_path / "out", FACTS)
