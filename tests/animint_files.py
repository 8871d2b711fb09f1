"""AniMINT in its published layout, with drawn clips."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from moving_clips import frames, slide, write_clip

RECORD: dict[str, Any] = {
    "video_path": "000001_000000.mp4",
    "context_summary": "A person sends a message.",
    "purpose_category": "Feedback",
    "ROI": [{"box": [0.125, 0.7, 0.75, 0.8]}],
    "Inputs": [
        {
            "modality": ["Touch"],
            "modality_extra": "with the thumb",
            "type": ["Click/Tap"],
            "type_extra": "",
            "textual_summary": "The person tapped Send.",
        }
    ],
    "animation_start_frame": 6,
    "animation_end_frame": 20,
    "effects_human_responses": [f"A square slides, says {number}." for number in range(10)],
    "meaning_human_responses": [f"It was sent, says {number}." for number in range(10)],
}


def record(number: int, **changes: Any) -> dict[str, Any]:
    return RECORD | {"video_path": f"{number:06d}_000000.mp4"} | changes


def write_set(folder: Path, records: list[dict[str, Any]], videos: str | None = "", name: str = "AniMINT.json") -> str:
    """The folder as a SPEC. `videos` is the folder of the videos, None where nobody has them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(records), encoding="utf-8")
    if videos is not None:
        (folder / videos).mkdir(exist_ok=True)
        for one in records:
            (folder / videos / one["video_path"]).write_bytes(_drawn_clip())
    return f"animint:{folder}"


@cache
def _drawn_clip() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return write_clip(Path(folder) / "drawn.mp4", frames(slide, 24), fps=60).read_bytes()
