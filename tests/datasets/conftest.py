"""Small datasets on disk, made of real files."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from dataset_samples import HEADER, Make, write_video


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A real clip of 12 frames, 64x48."""
    path = tmp_path_factory.mktemp("video") / "clip.mp4"
    write_video(path)
    return path.read_bytes()


@pytest.fixture
def make(tmp_path: Path, video: bytes) -> Make:
    """`make(items, header=..., media=...)` writes a dataset folder; items and header as bytes or as JSON values."""

    def written(
        items: bytes | list[dict[str, Any]] | None = None,
        header: bytes | dict[str, Any] = HEADER,
        media: dict[str, bytes] | None = None,
        folder: str = "dataset",
    ) -> Path:
        root = tmp_path / folder
        (root / "media").mkdir(parents=True)
        for name, content in (media if media is not None else {"a.mp4": video}).items():
            (root / "media" / name).write_bytes(content)
        (root / "dataset.json").write_bytes(header if isinstance(header, bytes) else json.dumps(header).encode())
        if items is not None:
            text = items if isinstance(items, bytes) else "".join(json.dumps(item) + "\n" for item in items).encode()
            (root / "items.jsonl").write_bytes(text)
        return root

    return written


@pytest.fixture(scope="session")
def image() -> bytes:
    """A real picture, 64x48."""
    _, encoded = cv2.imencode(".png", np.zeros((48, 64, 3), np.uint8))
    return bytes(encoded)
