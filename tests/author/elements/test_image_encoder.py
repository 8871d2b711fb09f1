"""Looks by an ONNX model: real ones, of two nodes, written here byte by byte."""

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest
from element_screens import blank, box, state

from affordance.author.elements.dino import encoder
from affordance.author.elements.finding import find_elements
from affordance.author.records import Groups
from affordance.author.tools import Tools
from affordance.core.errors import UserError
from affordance.datasets import Element
from errors import assert_carries, raises

Dimension = int | str


def number(value: int) -> bytes:
    """A protobuf varint."""
    found = b""
    while value > 0x7F:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def field(place: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return number(place << 3) + number(value)
    content = value.encode() if isinstance(value, str) else value
    return number(place << 3 | 2) + number(len(content)) + content


def tensor(name: str, *shape: Dimension) -> bytes:
    dimensions = b"".join(field(1, field(1 if isinstance(one, int) else 2, one)) for one in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)))


def node(operator: str, given: str, made: str, attributes: bytes = b"") -> bytes:
    return field(1, field(1, given) + field(2, made) + field(4, operator) + attributes)


def model(
    path: Path, *shape: Dimension, output: str = "pooler_output", tokens: bool = False, given: str = "pixel_values"
) -> Path:
    """The mean of each colour; as a vector, or as three tokens of one number."""
    axes = field(5, field(1, "axes") + field(8, 3) + field(20, 7))  # a list of integers
    last = node("Squeeze", "pooled", output, axes) if tokens else node("Flatten", "pooled", output)
    made = tensor(output, shape[0], 3, 1) if tokens else tensor(output, shape[0], 3)
    graph = node("GlobalAveragePool", given, "pooled") + last + field(2, "g")
    graph += field(11, tensor(given, *shape)) + field(12, made)
    path.write_bytes(field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 11)))
    return path


def colours() -> np.ndarray:
    image = blank(300, 100)
    image[:, :100], image[:, 100:200], image[:, 200:] = (255, 0, 0), (0, 255, 0), (250, 5, 5)
    return image


BOXES = [box(10, 10, 80, 80), box(110, 10, 80, 80), box(210, 10, 80, 80)]


@pytest.mark.parametrize("shape", [("batch", 3, "h", "w"), ("n", 3, 64, 48), (2, 3, 32, 32), (1, 3, 224, 224)])
def test_rows_of_length_one_in_the_order_of_boxes(tmp_path: Path, shape: tuple[Dimension, ...]) -> None:
    looks = encoder(model(tmp_path / "m.onnx", *shape)).describe(colours(), BOXES)
    assert looks.shape == (3, 3)
    assert np.linalg.norm(looks, axis=1) == pytest.approx(1)
    red = (np.array([1.0, 0, 0]) - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    assert looks[0] == pytest.approx(red / np.linalg.norm(red), abs=1e-3)
    assert looks[0] @ looks[2] > 0.99
    assert looks[0] @ looks[1] < 0.58


def test_of_tokens_the_first(tmp_path: Path) -> None:
    looks = encoder(model(tmp_path / "m.onnx", "n", 3, 8, 8, output="tokens", tokens=True)).describe(colours(), BOXES)
    assert looks.ravel().tolist() == [1.0, -1.0, 1.0]  # the mean of red, above and below the usual


def test_no_boxes(tmp_path: Path) -> None:
    assert len(encoder(model(tmp_path / "m.onnx", "n", 3, 8, 8)).describe(colours(), [])) == 0


def test_groups_by_a_model(tmp_path: Path) -> None:
    image = colours()
    image[::4] //= 2  # not of one colour
    elements = [Element(id=str(n), box=at, role="button") for n, at in enumerate(BOXES)]
    path = model(tmp_path / "tiny.onnx", "n", 3, "h", "w")
    screen = state(tmp_path, image, elements)
    result = asyncio.run(find_elements(Tools(settings={"descriptor": str(path)}), screen))
    groups = result.changes[1].document
    assert isinstance(groups, Groups)
    assert [[member.id for member in group.members] for group in groups.groups] == [["0", "2"]]
    assert groups.by.startswith("tiny.onnx ")
    assert_carries(groups.by, "0.58")


@pytest.mark.parametrize("content", [b"", b"\x89PNG"], ids=["empty", "something else"])
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    with raises(UserError, tmp_path / "m.onnx"):
        encoder(tmp_path / "m.onnx")


def test_a_model_of_something_else(tmp_path: Path) -> None:
    with raises(UserError, tmp_path / "m.onnx", "(batch, 3, height, width)", 4):
        encoder(model(tmp_path / "m.onnx", "n", 4, 8, 8))


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with raises(UserError, "onnxruntime", "affordance[ocr]"):
        encoder(model(tmp_path / "m.onnx", "n", 3, 8, 8))


def test_no_such_file(tmp_path: Path) -> None:
    with raises(UserError, tmp_path / "m.onnx"):
        encoder(tmp_path / "m.onnx")
