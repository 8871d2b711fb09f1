"""The published columns: our own reader of the published sets finds the same questions in them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import exchange_data as data
import pyarrow.parquet as pq
import pytest

from affordance import media
from affordance.author.exchange.columns import write_columns
from affordance.author.exchange.results import Exported, Facts
from affordance.author.project import Project, plain
from affordance.author.records import Kind, QuestionRecord
from affordance.core.digest import digest_folder
from affordance.core.errors import UserError
from affordance.core.geometry import CoordinateSpace
from affordance.datasets import ChoiceItem, Dataset, Screen, load_dataset
from affordance.datasets.check import check_dataset
from affordance.datasets.dataset import Severity
from affordance.ledger import DocumentDraft
from errors import assert_carries, raises

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
        opened.ledger.documents.write(
            [DocumentDraft(Kind.QUESTION, f"shop/{name}", plain(one), "ask", "shop") for name, one in OTHERS.items()]
        )
        yield opened


@pytest.fixture(scope="module")
def written(project: Project, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Exported]:
    folder = tmp_path_factory.mktemp("out") / "columns"
    return folder, write_columns(project.states, folder, FACTS)


def back(written: tuple[Path, Exported], name: str, tmp_path: Path) -> Dataset:
    checked = check_dataset(f"autogui-v2:{written[0] / name}", tmp_path / "cache")
    assert len(checked.issues) <= 1, "how many items the published set has"
    assert {one.severity for one in checked.issues} <= {Severity.WARNING}
    return load_dataset(f"autogui-v2:{written[0] / name}", tmp_path / "cache")


def test_what_the_export_counts(written: tuple[Path, Exported]) -> None:
    exported = written[1]
    assert dict(exported.counts) == {
        "FuncElemGnd": 4,
        "FuncElemCap": 2,
        "FuncRegionGnd-v2": 2,
        "FuncRegionCap-v2": 2,
        "FuncRegionCap-v2-multi": 1,
        "screens": 2,
    }
    left_out = {one.what: one.reason for one in exported.left_out}
    assert_carries(left_out["shop/ground-element-plain"], "action")
    assert_carries(left_out["shop/ground-region-plain"], "functionality")


def test_elements_to_be_found(written: tuple[Path, Exported], tmp_path: Path) -> None:
    found = back(written, "FuncElemGnd", tmp_path)
    screens = [one for one in found.items if isinstance(one, Screen)]
    assert [one.id for one in screens] == ["more/mail", "shop"]
    shop = screens[1]
    assert (shop.width, shop.height) == data.SIZE
    assert found.media_path(shop.image).read_bytes() == data.picture()
    for target, name in zip(shop.targets, ("ground-element-1-0", "ground-element-1-1"), strict=True):
        asked = data.QUESTIONS[name]
        assert target.box is not None
        assert target.box.to_space(CoordinateSpace.PIXEL, *data.SIZE).xyxy == pytest.approx(
            data.MOVED.get(name, asked.box.xyxy)
        )
        said = {"functionality": target.functionality, "description": target.description, "intent": target.intent}
        assert said == asked.expressions
        assert (target.action, target.group, target.tags["group_size"]) == ("click", "1", "3")
        alike = sorted(box.to_space(CoordinateSpace.PIXEL, *data.SIZE).x1 for box in target.look_alikes)
        assert alike == pytest.approx(sorted(data.BUTTONS[other][0] for other in asked.alike))


def test_regions_to_be_found(written: tuple[Path, Exported], tmp_path: Path) -> None:
    found = back(written, "FuncRegionGnd-v2", tmp_path)
    (target,) = (
        one for screen in found.items if isinstance(screen, Screen) and screen.id == "shop" for one in screen.targets
    )
    asked = data.QUESTIONS["ground-region-g1-2-0"]
    assert target.box == asked.box
    assert (target.functionality, target.description) == tuple(asked.expressions.values())
    assert target.look_alikes == [data.box(*data.SECOND_FIX), data.box(*data.CARDS["2-2"])]
    assert (target.tags["region leaf"], target.tags["density_shipped"]) == ("Card / Item List", "sparse")


def _same(found: ChoiceItem, asked: QuestionRecord) -> None:
    assert [one.text for one in found.options] == [one.text for one in asked.options]
    assert [one.origin for one in found.options] == [one.origin for one in asked.options]
    assert found.answers == [place for place, one in enumerate(asked.options) if one.origin == "target"]


def test_outcomes_of_elements(written: tuple[Path, Exported], tmp_path: Path) -> None:
    found = back(written, "FuncElemCap", tmp_path).items[1]
    assert isinstance(found, ChoiceItem)
    _same(found, data.QUESTIONS["outcome-element-1-0"])
    assert found.target is not None
    assert found.target.to_space(CoordinateSpace.PIXEL, *data.SIZE).xyxy == pytest.approx(data.BUTTONS["0"])
    assert found.action == "click"


def test_options_have_all_that_is_known_of_their_elements(written: tuple[Path, Exported]) -> None:
    table = pq.read_table(written[0] / "FuncElemCap" / "data" / "test-00000-of-00001.parquet")
    (row,) = (one for one in table.to_pylist() if one["image_name"] == "shop.png")
    choices = json.loads(row["choices"])
    keys = {
        "text", "candidate_type", "element_id", "group_index", "bbox", "original_bbox_by_omniparser", "description",
        "functionality", "interaction_outcomes",
    }  # fmt: skip
    assert {frozenset(one) for one in choices.values()} == {frozenset(keys)}
    width, height = data.SIZE
    for place, one in enumerate(choices.values()):  # the options speak of the elements 0 to 4, in this order
        corners = (*data.BUTTONS.values(), (300, 10, 420.25, 50))[place]
        mille = [1000 * edge / side for edge, side in zip(corners, (width, height) * 2, strict=True)]
        assert one["element_id"] == place
        assert one["bbox"] == one["original_bbox_by_omniparser"] == pytest.approx(mille)
    assert choices["A"]["description"] == "look of 0"
    assert choices["B"]["interaction_outcomes"] == {"click": "Page 1 opens."}
    assert [one["group_index"] for one in choices.values()] == [1, 1, 1, 1, None]
    assert (choices["D"]["functionality"], choices["D"]["interaction_outcomes"]) == ("", {})


def test_an_option_may_speak_of_a_region_or_of_nothing_known(project: Project, tmp_path: Path) -> None:
    state = project.state("shop")
    asked = data.QUESTIONS["outcome-element-1-0"]
    of = ["2", "0", "2-1", "nobody", ""]
    options = [one.model_copy(update={"of": name}) for one, name in zip(asked.options, of, strict=True)]
    changed = replace(state, questions={"q": asked.model_copy(update={"options": options})})
    write_columns(data.given(changed), tmp_path / "out", FACTS)
    (row,) = pq.read_table(tmp_path / "out" / "FuncElemCap" / "data" / "test-00000-of-00001.parquet").to_pylist()
    _, right, region, unknown, nothing = json.loads(row["choices"]).values()
    assert right["bbox"] == pytest.approx([1000 * 20 / 640, 25, 125, 125])
    assert region["bbox"] == pytest.approx([1000 * 225 / 640, 212.5, 1000 * 395 / 640, 937.5])
    assert (region["original_bbox_by_omniparser"], region["functionality"]) == (None, "Sells the second thing")
    assert unknown["bbox"] is nothing["bbox"] is None


def test_options_that_are_regions_have_their_classes(written: tuple[Path, Exported]) -> None:
    """By the cut points of the set, which are those of the targets."""
    table = pq.read_table(written[0] / "FuncRegionGnd-v2" / "data" / "test-00000-of-00001.parquet")
    for row in table.to_pylist():
        assert row["option_region_ids"] == ["2-0", "2-1", "2-2"]
        # The target's are as they were asked: 2 percent of the screen, and 0 around it, which is what all targets have.
        assert row["option_area_classes"] == ["tiny", "large", "large"]
        assert row["option_density_classes"][0] == "sparse"
        assert set(row["option_density_classes"]) <= {"sparse", "medium", "dense"}
    table = pq.read_table(written[0] / "FuncRegionCap-v2" / "data" / "test-00000-of-00001.parquet")
    assert {tuple(row["option_area_classes"]) for row in table.to_pylist()} == {("", "", "", "", "")}


@pytest.mark.parametrize(
    ("name", "asked"),
    [("FuncRegionCap-v2", data.QUESTIONS["outcome-region-g1-2-1"]), ("FuncRegionCap-v2-multi", SEVERAL)],
)
def test_outcomes_of_regions(written: tuple[Path, Exported], tmp_path: Path, name: str, asked: QuestionRecord) -> None:
    dataset = back(written, name, tmp_path)
    found = dataset.items[-1]
    assert isinstance(found, ChoiceItem)
    _same(found, asked)
    assert (found.question, found.multiple) == (asked.question, name.endswith("multi"))
    pixels = media.decode_image(dataset.media_path(found.image).read_bytes())
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
    write_columns(project.states, tmp_path / "again", FACTS)
    assert digest_folder(tmp_path / "again") == digest_folder(written[0])


def test_a_project_without_questions_is_an_error(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project, raises(UserError):
        write_columns(data.given(project.state("aside")), tmp_path / "out", FACTS)
