"""A variant as a video file."""

from pathlib import Path

from affordance.media import write_video
from affordance.tasks.motion.primitives._draw import render_frames
from affordance.tasks.motion.primitives._variant import FPS, PrimitiveClip


def write_clip(clip: PrimitiveClip, path: Path) -> None:
    """Writes the clip as H.264 in MP4, 60 frames a second exactly; an existing file is replaced. Flat areas and clean
    edges compress so well that near-lossless quality still gives files of some ten kilobytes."""
    write_video(path, render_frames(clip), FPS)
