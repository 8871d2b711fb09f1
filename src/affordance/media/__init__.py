"""Pixels: from a video or image file to encoded pictures, in one pass, and the cache of those pictures."""

from affordance.media._clip import Clip, sample_times
from affordance.media._darkroom import Darkroom
from affordance.media._encode import LOSSLESS, decode_image, encode_image
from affordance.media._probe import probe
from affordance.media._render import render
from affordance.media._video import Quality, VideoWriter, write_video

__all__ = [
    "LOSSLESS",
    "Clip",
    "Darkroom",
    "Quality",
    "VideoWriter",
    "decode_image",
    "encode_image",
    "probe",
    "render",
    "sample_times",
    "write_video",
]
