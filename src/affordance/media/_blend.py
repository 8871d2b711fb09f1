"""Mixing a frame with those before it, so that one picture shows motion."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.picture import FrameBlend

NO_BLEND = FrameBlend(count=1)


def frames_needed(blend: FrameBlend) -> int:
    """How many source frames, up to and with the one shown, a blend is made of."""
    if blend.count < 1 or blend.decay < 0:
        raise ValueError(f"a blend needs count >= 1 and decay >= 0, found {blend}")
    return blend.count


def weights(blend: FrameBlend, available: int) -> list[float]:
    """Weights oldest to newest over the frames that exist: proportional to decay ** age, with sum 1."""
    raw = [blend.decay**age for age in reversed(range(min(frames_needed(blend), available)))]
    return [weight / sum(raw) for weight in raw]


def blend_frames(frames: Sequence[NDArray[np.uint8]], blend: FrameBlend) -> NDArray[np.uint8]:
    """The mix of the last frames of a sequence that ends with the newest."""
    shares = weights(blend, len(frames))
    if len(shares) == 1:
        return frames[-1].copy()
    mix = np.zeros(frames[-1].shape, np.float32)
    total = 0.0
    for frame, share in zip(frames[-len(shares) :], shares, strict=True):
        total += share
        if share:
            # A running mean: after each step the mix is the weighted mean of the frames so far.
            cv2.accumulateWeighted(frame, mix, share / total)
    return np.asarray(cv2.convertScaleAbs(mix), np.uint8)
