"""Small sets of pairs, laid out like the published one."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

JSON = "WiserUI_Bench.json"


def row(index: int, **changes: Any) -> dict[str, Any]:
    return {
        "index": index,
        "win_url": f"https://static.wingify.com/gcp/uploads/{index}-b.png",
        "lose_url": f"https://static.wingify.com/gcp/uploads/{index}-a.png",
        "source": f"https://vwo.com/{index}/",
        "company": "Acme",
        "page_type": "homepage",
        "industry_domain": "IT & Software",
        "web_mobile": "web",
        "ui_change": {"Button": ["Color"]},
        "rationale": [{"reason": "It is larger.", "law": {"name": "Fitts’s Law", "type": "Action"}}],
        **changes,
    }


def screen(seed: int, width: int = 96, height: int = 64) -> NDArray[np.uint8]:
    """A picture that looks like no other."""
    pixels = np.full((height, width, 3), 240, np.uint8)
    x, y = 5 + 7 * seed % 60, 4 + 5 * seed % 40
    cv2.rectangle(pixels, (x, y), (x + 25, y + 15), (40 * seed % 200, 90, 160), -1)
    return pixels


def encoded(pixels: NDArray[np.uint8], suffix: str = ".png") -> bytes:
    return bytes(cv2.imencode(suffix, pixels)[1])


def write_set(folder: Path, rows: Sequence[dict[str, Any]], pictures: bool = True) -> str:
    """The SPEC of a set; its pictures differ, each from each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / JSON).write_text(json.dumps(rows), encoding="utf-8")
    for number, one in enumerate(rows if pictures else []):
        write_pair(folder, one["index"], encoded(screen(2 * number)), encoded(screen(2 * number + 1)))
    return f"wiserui:{folder}"


def write_pair(folder: Path, index: int, win: bytes, lose: bytes) -> None:
    place = folder / "images" / str(index)
    place.mkdir(parents=True, exist_ok=True)
    (place / "win.png").write_bytes(win)
    (place / "lose.png").write_bytes(lose)
