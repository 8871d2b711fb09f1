"""A variant as a video file."""

from pathlib import Path

from affordance.media import write_video
from affordance.suites.motion.primitives._draw import frames
from affordance.suites.motion.primitives._variant import FPS, Variant


def write_clip(variant: Variant, path: Path) -> None:
    """Writes the clip as H.264 in MP4, 60 frames a second exactly; an existing file is replaced. Flat areas and clean
    edges compress so well that near-lossless quality still gives files of some ten kilobytes."""
    write_video(path, frames(variant), FPS)
