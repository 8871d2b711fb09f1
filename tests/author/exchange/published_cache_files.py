"""A folder as AutoGUI-v2's programs leave it, written by hand after the description of the layout."""

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np

SIZE = (800, 600)
FAILED = "Unknown functionality (API failed)"
HOME = "/mnt/disk7/someone/AutoGUIv2/osworld_g"  # a machine that is not this one

REPLY = """<think>two parts</think>[
  {"id": "1/3", "bbox": [0, 0, 1000, 1000], "dividable": true, "type": "bar", "description": "d", "functionality": "f"},
  {"id": "2/3", "bbox": [0, 0, 500, 1000], "dividable": false, "type": "a", "description": "d", "functionality": "f"},
  {"id": "3/3", "bbox": [500, 0, 1000, 1000], "dividable": false, "type": "", "description": "", "functionality": ""}
]"""


def image(size: tuple[int, int] = SIZE, suffix: str = ".png", shade: int = 200) -> bytes:
    width, height = size
    return bytes(cv2.imencode(suffix, np.full((height, width, 3), shade, np.uint8))[1])


def node(name: str, corners: list[int], children: list[str] | None = None, **more: Any) -> dict[str, Any]:
    width, height = SIZE
    leaf = children is None
    record: dict[str, Any] = {
        "root_image_path": f"{HOME}/images/apps/calc.jpg",
        "node_image_path": f"{HOME}/cache/osworld_g/gemini/v3/apps/calc/nodes/{name}.jpg",
        "root_size(wxh)": list(SIZE),
        "resized_size": [corners[2] - corners[0], corners[3] - corners[1]],
        "longest_imgsize": 1920,
        "bbox_global": corners,
        "bbox_global_norm": [corners[0] / width, corners[1] / height, corners[2] / width, corners[3] / height],
        "bbox_parent": corners,
        "bbox_parent_norm": [0, 0, 1, 1],
        "type": "Entire GUI" if name == "0-0" else f"kind of {name}",
        "dividable": not leaf,
        "description": {"with_context": f"{name} with", "wo_context": None if leaf else f"{name} without"},
        "functionality": {"with_context": f"does {name}", "wo_context": None if leaf else f"does {name} alone"},
        "children": children or [],
    }
    record |= {"raw_response": None} if leaf else {"all_responses": ["[...]", REPLY], "selected_idx": 1}
    return {**record, "timestamp": "2025-11-01 12:00:00", **more}


def fixed(record: dict[str, Any], corners: list[int], when: str = "2025-11-16T09:00:00") -> dict[str, Any]:
    width, height = SIZE
    return {
        **record,
        "bbox_global": corners,
        "bbox_global_norm": [corners[0] / width, corners[1] / height, corners[2] / width, corners[3] / height],
        "correction_info": {
            "original_bbox_global": record["bbox_global"],
            "corrected_at": when,
            "source": "manual_correction_ui",
        },
    }


def reannotated(name: str, corners: list[int], words: str) -> dict[str, Any]:
    return {
        "image_id": "apps/calc",
        "node_id": name,
        "namespace": "osworld_g",
        "original_anno_model_name": "gemini",
        "version": "v2",
        "corrected_bbox": corners,
        "previous_functionality": f"does {name}",
        "previous_description": f"{name} with",
        "new_functionality": {
            "revision rationale": "the box was cut",
            "revised description": f"{words} look",
            "revised functionality": f"{words} deed",
        },
        "raw_response": "<think>hm</think>{}",
        "correction_file": "x",
        "meta_path": "y",
        "processing_time": 3.25,
        "annotation_queries": 1,
        "timestamp": "2025-11-17 08:00:00",
    }


def nodes() -> dict[str, dict[str, Any]]:
    """Ids have gaps where proposals were not taken."""
    return {
        "0-0": node("0-0", [0, 0, 800, 600], ["1-0", "1-1", "1-5"]),
        "1-0": node("1-0", [0, 0, 800, 80], ["2-3", "2-4"]),
        "1-1": node("1-1", [0, 80, 400, 600]),
        "1-5": node("1-5", [400, 80, 800, 600], [], all_responses=[], selected_idx=0)
        | {"functionality": {"with_context": "does 1-5", "wo_context": FAILED}},
        "2-3": node("2-3", [10, 10, 100, 70]),
        "2-4": node("2-4", [110, 10, 200, 70]),
    }


def write_cache_folder(root: Path, records: dict[str, Any] | None = None) -> Path:
    """The screen `apps/calc`, with corrections of both names, retellings, types, crops as JPEG and one of a proposal
    that was not taken. Returns the folder of its nodes."""
    place = root / "cache" / "osworld_g" / "gemini" / "v3" / "apps" / "calc"
    folder = place / "nodes"
    folder.mkdir(parents=True)
    (place / "root.png").write_bytes(image())
    tree = nodes() if records is None else records
    put(place / "tree.json", tree)
    put(place / "stack.json", [])
    for name, record in tree.items():
        put(folder / f"{name}.json", record)
        (folder / f"{name}.jpg").write_bytes(image((40, 40), ".jpg"))
    (folder / "1-2.jpg").write_bytes(image((40, 40), ".jpg"))
    if records is not None:
        return folder
    original = tree["2-3"]
    put(folder / "2-3_fix20251116.json", fixed(original, [12, 12, 98, 68]))
    put(folder / "2-3_meta_fix20251118.json", fixed(original, [14, 14, 96, 66], "2025-11-18T10:00:00"))
    put(folder / "2-3_fix20251117.json", fixed(original, [13, 13, 97, 67], "2025-11-17T10:00:00"))
    put(folder / "1-1_fix20251116.json", {"new_bbox": [5, 85, 395, 595]})
    os.utime(folder / "2-3_fix20251116.json")  # the newest by its time, but not by its name
    put(
        folder / "2-3_meta_reannotated20251116_gemini-2.5-pro-thinking.json",
        reannotated("2-3", [12, 12, 98, 68], "old"),
    )
    put(
        folder / "2-3_meta_reannotated20251118_gemini-2.5-pro-thinking.json",
        reannotated("2-3", [14, 14, 96, 66], "new"),
    )
    put(folder / "2-4_meta_reannotated20251118_gemini-2.5-pro-thinking.json", {"error": "timed out"})
    for name, said in {
        "1-0": {
            "type": "toolbar /  action bar",
            "prompt": "p",
            "raw_resp": "Type: x",
            "timestamp": "2025-11-19 01:02:03",
        },
        "1-1": {"type": "Unclassified"},
        "2-3": {"type": "Other (Calculator keypad)"},
        "2-4": {"type": "Toolbar with buttons"},
    }.items():
        put(folder / f"{name}_region-type.json", said)
    return folder


def put(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False))
