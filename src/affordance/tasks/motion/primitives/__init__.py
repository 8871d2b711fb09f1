"""The seven primitive effects as synthetic clips: one object changes beside a black square that does not.

A clip is fully described by its `Variant`: `frame` and `write_clip` add nothing to it. There is one canonical
variant of each effect, and any number of random ones, the same on every machine for the same seed.
"""

from affordance.tasks.motion.primitives._draw import render_frame, render_frames
from affordance.tasks.motion.primitives._sampling import random_clips
from affordance.tasks.motion.primitives._variant import (
    CHANGES,
    EFFECTS,
    FPS,
    FRAME_COUNT,
    HEIGHT,
    WIDTH,
    PrimitiveClip,
    ShapeState,
    canonical_clip,
)
from affordance.tasks.motion.primitives._write import write_clip

__all__ = [
    "CHANGES",
    "EFFECTS",
    "FPS",
    "FRAME_COUNT",
    "HEIGHT",
    "WIDTH",
    "PrimitiveClip",
    "ShapeState",
    "canonical_clip",
    "random_clips",
    "render_frame",
    "render_frames",
    "write_clip",
]
