"""Pixels: from a video or image file to encoded pictures, in one pass, and the cache of those pictures."""

from affordance.media._clip import Clip, sample_times
from affordance.media._darkroom import Darkroom
from affordance.media._encode import decode_image, encode_image
from affordance.media._probe import probe
from affordance.media._render import render

__all__ = ["Clip", "Darkroom", "decode_image", "encode_image", "probe", "render", "sample_times"]
