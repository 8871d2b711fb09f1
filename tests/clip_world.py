"""Projects of small clips that are drawn here."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from affordance.author.clips.intake import take_clips
from affordance.author.project import Project, create_project, open_project
from affordance.author.records import Kind
from affordance.ledger import DocumentDraft
from affordance.media import write_video
from affordance.media.encoders import VideoQuality

WIDTH, HEIGHT, FRAMES, RATE = 160, 96, 24, 12


def draw_clip(path: Path, hue: int, frames: int = FRAMES, rate: int = RATE) -> Path:
    """A square that goes from left to right in the second third of the clip."""
    pictures = []
    for number in range(frames):
        picture = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
        picture[:12] = (hue, 60, 120)
        done = min(max(number - frames // 3, 0), frames // 3) / (frames // 3)
        left = 16 + round(96 * done)
        picture[40:64, left : left + 24] = (200, hue, 40)
        pictures.append(picture)
    write_video(path, pictures, Fraction(rate), VideoQuality.CLOSE)
    return path


def clip_project(folder: Path, names: tuple[str, ...] = ("drop", "glide", "spin"), db: str | None = None) -> Path:
    """A project with a clip for each name."""
    videos = folder.parent / f"{folder.name}-videos"
    videos.mkdir(parents=True)
    files = [draw_clip(videos / f"{name}.mp4", 30 + 40 * place) for place, name in enumerate(names)]
    create_project(folder, db, name="Motion", licence="CC0-1.0", synthetic=True)
    with open_project(folder, db) as project:
        taken = take_clips(project, files)
        assert taken.added == list(names), taken
    return folder


def change(project: Project, clip: str, values: Mapping[str, Any], author: str = "person:Ana") -> None:
    """Another version of a clip."""
    (there,) = project.ledger.documents.get_many([(Kind.CLIP, clip)])
    project.ledger.documents.write([DocumentDraft(Kind.CLIP, clip, {**there.document, **values}, author, clip)])
