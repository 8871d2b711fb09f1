"""What goes with a question: density, area, group size, and their classes over an export."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affordance.author.questions.attributes import attributes, with_classes
from affordance.author.records import Detected, Elements, QuestionRecord
from affordance.core.geometry import Box
from author_stage import box, drawn


def test_the_grid_of_the_conformance_checks(tmp_path: Path) -> None:
    """Item 7: nine equal boxes with gaps of their size. In pixels of a screen that is not square."""
    grid = [box(300 + 80 * x, 100 + 40 * y, 340 + 80 * x, 120 + 40 * y) for y in range(3) for x in range(3)]
    elements = Elements(source="vision", elements=[Detected(id=str(n), box=one) for n, one in enumerate(grid)])
    screen = replace(drawn(tmp_path, {}), elements=elements)
    (middle,) = attributes(screen, [grid[4]], [9])
    assert middle["nid_count"] == "0"
    assert float(middle["nid_gauss"]) == pytest.approx(2.321, abs=1e-3)
    assert float(middle["area_percent"]) == pytest.approx(100 * 40 * 20 / (640 * 400))
    assert middle["group_size"] == "9"


def test_without_elements(tmp_path: Path) -> None:
    assert attributes(drawn(tmp_path, {}), [box(0, 0, 64, 40)], [2]) == [{"area_percent": "1", "group_size": "2"}]
    assert attributes(drawn(tmp_path, {}), [], []) == []


def question(level: str, form: str = "ground", **attributes: str) -> QuestionRecord:
    where: Box = box(0, 0, 1, 1)
    return QuestionRecord.model_validate(
        {"form": form, "level": level, "target": "1", "box": where, "attributes": attributes}
    )


def test_classes() -> None:
    mine = {
        f"s/{n}": question("element", nid_count=str(n), nid_gauss=f"{n / 10}", area_percent=f"{n}") for n in range(100)
    }
    other = {"s/r": question("region", area_percent="3")}
    found, cuts = with_classes({**mine, **other})
    assert list(found) == [*mine, *other]
    assert cuts["ground/element"]["nid_count"] == pytest.approx(list(np.percentile(range(100), (33, 67))))
    assert cuts["ground/element"]["area_percent"] == pytest.approx(list(np.percentile(range(100), (10, 30, 70))))
    assert cuts["ground/region"] == {"area_percent": [3, 3, 3]}
    assert [found[f"s/{n}"].attributes["density_class"] for n in (0, 50, 99)] == ["sparse", "medium", "dense"]
    assert [found[f"s/{n}"].attributes["density_class_count"] for n in (0, 50, 99)] == ["sparse", "medium", "dense"]
    assert [found[f"s/{n}"].attributes["area_class"] for n in (0, 20, 50, 99)] == ["tiny", "small", "medium", "large"]
    assert found["s/r"].attributes == {"area_percent": "3", "area_class": "tiny"}
    assert with_classes({}) == ({}, {})
