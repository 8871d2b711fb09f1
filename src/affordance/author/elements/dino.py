"""Looks by a model that the user has: an image encoder as an ONNX file, such as DINOv2 or DINOv3.

Crops are scaled to the model's input and normalised as ImageNet's are. A crop's looks are the pooled output, or the
class token where the model gives tokens only."""

import importlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.core.geometry import Box
from affordance.grounding.look_alikes import Descriptors

SIDE = 224  # where the model takes any
BATCH = 32
INSTALL = "pip install 'affordance[ocr]'"

_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
_TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16}
_LOADING = threading.Lock()


class Encoder:
    """An ONNX image encoder. `name` tells it from others: the file's name and the digest of its content."""

    def __init__(self, path: Path) -> None:
        runtime = _runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1  # screens are worked on at once, and sums do not depend on threads
        options.log_severity_level = 3
        try:
            self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001  # the runtime has no common base for what can be wrong with a file
            raise UserError(f"{path}: expected an ONNX model, found {_line(error)}") from None
        self.name = f"{path.name} {digest_file(path)}"
        self._path = path
        self._input = self._session.get_inputs()[0]
        shape, kind = self._input.shape, self._input.type
        if len(shape) != 4 or (isinstance(shape[1], int) and shape[1] != 3) or kind not in _TYPES:
            raise UserError(f"{path}: expected a model of images (batch, 3, height, width), found {kind} {shape}")
        self._batch = shape[0] if isinstance(shape[0], int) else None
        self._size = tuple(side if isinstance(side, int) else SIDE for side in (shape[3], shape[2]))
        self._output = _pooled(self._session.get_outputs())

    def describe(self, image: NDArray[np.uint8], boxes: Sequence[Box]) -> Descriptors:
        """A row of length one for each box of an RGB picture."""
        rows = [self._run(image, boxes[at : at + self._step]) for at in range(0, len(boxes), self._step)]
        if not rows:
            return np.empty((0, 1), np.float32)
        looks = np.concatenate(rows)
        if not np.isfinite(looks).all():
            raise UserError(f"{self._path}: expected numbers, found NaN or infinity in what the model gives")
        return np.asarray(looks / np.maximum(np.linalg.norm(looks, axis=1, keepdims=True), 1e-12), np.float32)

    @property
    def _step(self) -> int:
        return self._batch or BATCH

    def _run(self, image: NDArray[np.uint8], boxes: Sequence[Box]) -> Descriptors:
        crops = np.stack([self._crop(image, box) for box in boxes])
        if self._batch is not None and len(crops) < self._batch:
            crops = np.concatenate([crops, np.zeros((self._batch - len(crops), *crops.shape[1:]), crops.dtype)])
        try:
            found = self._session.run([self._output], {self._input.name: crops.astype(_TYPES[self._input.type])})[0]
        except Exception as error:  # noqa: BLE001
            raise UserError(f"{self._path}: the model fails on crops of {self._size}: {_line(error)}") from None
        looks = np.asarray(found, np.float32)
        if looks.ndim == 3:
            looks = looks[:, 0]  # the class token
        return looks.reshape(len(crops), -1)[: len(boxes)]

    def _crop(self, image: NDArray[np.uint8], box: Box) -> NDArray[np.float32]:
        height, width = image.shape[:2]
        x1, y1 = min(max(int(box.x1), 0), width - 1), min(max(int(box.y1), 0), height - 1)
        x2, y2 = min(max(int(np.ceil(box.x2)), x1 + 1), width), min(max(int(np.ceil(box.y2)), y1 + 1), height)
        crop = image[y1:y2, x1:x2]
        shrinks = crop.shape[0] * crop.shape[1] > self._size[0] * self._size[1]
        scaled = cv2.resize(crop, self._size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
        colours = (np.asarray(scaled, np.float32) / 255 - _MEAN) / _DEVIATION
        return np.ascontiguousarray(colours.transpose(2, 0, 1))


def encoder(path: Path) -> Encoder:
    """The model in a file, loaded once. What is wrong with it is the user's to put right, and told in one line."""
    if not path.is_file():
        raise UserError(f"{path}: expected an ONNX model, found no such file; name another descriptor")
    state = path.stat()
    with _LOADING:
        return _loaded(path.resolve(), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=2)
def _loaded(path: Path, _changed: int, _size: int) -> Encoder:
    return Encoder(path)


def _runtime() -> Any:
    try:
        return importlib.import_module("onnxruntime")  # by name, for it has no types and may be missing
    except ImportError:
        raise UserError(f"a descriptor from an ONNX file needs onnxruntime: {INSTALL}") from None


def _pooled(outputs: Sequence[Any]) -> str:
    """The output that is one vector for a picture; otherwise the first, of tokens."""
    names: dict[str, str] = {output.name.lower(): output.name for output in outputs}
    flat = [output.name for output in outputs if output.shape is not None and len(output.shape) == 2]
    return names.get("pooler_output") or str((flat or [outputs[0].name])[0])


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
