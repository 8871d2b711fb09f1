"""Small files in the forms in which others publish: what the tests of readers write to disk."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

WIDTH, HEIGHT = 200, 100


def png(shade: int = 0, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    return bytes(cv2.imencode(".png", np.full((height, width, 3), shade, np.uint8))[1])


def embedded(shade: int = 0) -> dict[str, Any]:
    """A picture as `datasets` puts it into a table."""
    return {"bytes": png(shade), "path": None}


def write_json(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def write_picture(path: Path, shade: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png(shade))
    return path


def write_parquet(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def write_saved(folder: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A folder as `save_to_disk` leaves it."""
    folder.mkdir(parents=True)
    table = pa.Table.from_pylist(list(rows))
    with pa.ipc.new_stream(str(folder / "data-00000-of-00001.arrow"), table.schema) as stream:
        stream.write_table(table)
    write_json(folder / "state.json", {"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_split": "test"})
    write_json(folder / "dataset_info.json", {"features": {}})
    return folder


OSWORLD = {
    "id": "a-0",
    "image_path": "a.png",
    "image_size": [WIDTH, HEIGHT],
    "instruction": "Open the menu",
    "box_type": "bbox",
    "box_coordinates": [10.5, 20, 30, 40],
    "GUI_types": ["Icon", "Button"],
}
SCREENSPOT = {
    "img_filename": "web_a.png",
    "bbox": [10, 20, 30, 40],
    "instruction": "search",
    "data_type": "icon",
    "data_source": "shop",
}
SCREENSPOT_HUB = {
    "file_name": "pc_a.png",
    "image": embedded(),
    "bbox": [0.1, 0.2, 0.3, 0.5],
    "instruction": "close",
    "data_type": "text",
    "data_source": "windows",
}
SCREENSPOT_PRO = {
    "img_filename": "cad/a.png",
    "bbox": [10, 20, 40, 60],
    "instruction": "draw a line",
    "id": "cad_0",
    "application": "autocad",
    "platform": "windows",
    "img_size": [WIDTH, HEIGHT],
    "ui_type": "icon",
    "group": "CAD",
}
ELEMENT = {
    "image": embedded(),
    "image_name": "a.png",
    "dataset_name": "osworld_g",
    "image_size": [WIDTH, HEIGHT],
    "question": "Which one reloads?",
    "action_intent": "Reload the page",
    "action_type": "double_click",
    "group_index": 1,
    "visual_similarity": "round",
    "id": 3,
    "bbox": [100.0, 200.0, 300.0, 400.0],
    "description": "an arrow",
    "functionality": "reloads",
    "interaction_outcomes": json.dumps({"clicking": "It reloads."}),
    "similar_elements": json.dumps(
        [{"id": 3, "bbox": [100, 200, 300, 400]}, {"id": 4, "revised bbox": [500, 200, 700, 400]}]
    ),
    "num_similar_elements": 2,
    "density_class": "dense",
}
REGION = {
    "image": embedded(),
    "image_name": "a.png",
    "dataset_name": "amex",
    "image_size": [WIDTH, HEIGHT],
    "question": "Where are files opened?",
    "correct_answer": "B",
    "correct_option_idx": 1,
    "correct_bbox": [0, 0, 100, 50],
    "num_options": 2,
    "option_labels": ["A", "B"],
    "option_region_ids": ["1-0", "1-1"],
    "option_bboxes": [[100, 0, 200, 50], [0, 0, 100, 50]],
    "option_region_types": ["Footer", "Toolbar / Action Bar"],
    "option_area_classes": ["small", "large"],
    "option_density_classes": ["dense", "sparse"],
    "option_descriptions": ["grey", "blue"],
    "option_functionalities": ["ends the page", "opens files"],
    "group_id": 7,
}
ELEMENT_OUTCOME = {
    "image": embedded(),
    "image_name": "a.png",
    "dataset_name": "agentnet",
    "image_size": [WIDTH, HEIGHT],
    "question": "What happens when the arrow is hovered?",
    "interaction_type": "hovering",
    "choices": json.dumps(
        {
            "B": {"text": "It goes.", "candidate_type": "hard_negative"},
            "A": {"text": "A hint appears.", "candidate_type": "target"},
            "C": {"text": "It rings.", "candidate_type": "easy_negative"},
            "D": {"text": "It hides.", "candidate_type": "generated_negative"},
        }
    ),
    "correct_answer": "A",
    "group_index": 2,
    "target_element": json.dumps({"bbox": [100, 200, 300, 400]}),
    "num_elements_in_group": 3,
    "density_class": "medium",
}
REGION_OUTCOME = {
    "annotated_image": embedded(),
    "annotated_image_name": "group1_a.png",
    "dataset_name": "osworld_g",
    "image_size": [WIDTH, HEIGHT],
    "question": "What does the marked region do?",
    "correct_answer": "C",
    "correct_option_idx": 2,
    "target_region_id": "1-1",
    "num_options": 3,
    "option_labels": ["A", "B", "C"],
    "option_region_types": [None, None, "Footer"],
    "option_area_classes": [None, None, "tiny"],
    "option_density_classes": [None, None, "dense"],
    "option_contexts": ["opens", "closes", "ends"],
    "group_id": 1,
}
REGION_OUTCOMES = REGION_OUTCOME | {"correct_answer": None, "correct_option_idx": None, "correct_answers": ["A", "C"]}
REGION_OUTCOMES |= {"correct_option_indices": [0, 2], "num_correct": 2}
OLDER = {
    "entry_id": "e1",
    "source_dataset": "osworld_g",
    "annotated_image_path": "marked/a.png",
    "question": "What does the marked region do?",
    "options": [
        {"label": "A", "option_context": "opens", "is_correct": False, "source": "reranked_gemini_generated"},
        {
            "label": "B",
            "option_context": "closes",
            "is_correct": True,
            "source": "ground_truth_refined",
            "region_type": "Context Menu",
            "metrics": {"area": {"area_class": "small"}, "density": {"density_class": "medium"}},
        },
    ],
    "correct_answer": "B",
}
