"""Pixels: from a video or image file to encoded pictures, in one pass, and the cache of those pictures."""

from affordance.media._activity import MotionExtent, find_motion
from affordance.media._brush import paint_mask
from affordance.media._clip import MediaInfo, sample_times
from affordance.media._darkroom import RenderCache
from affordance.media._edges import EdgeLine, NearbyEdges, find_edges
from affordance.media._encode import WEBP_LOSSLESS, decode_image, encode_image
from affordance.media._fingerprint import near_duplicates, perceptual_hash
from affordance.media._flashes import FlashCount, count_flashes
from affordance.media._frames import PreviewFrames, preview_frames
from affordance.media._geometry import rendered_size
from affordance.media._gutter import Gutter, find_gutter
from affordance.media._likeness import pixel_difference, same_pixels
from affordance.media._markers import find_markers, inpaint
from affordance.media._probe import probe
from affordance.media._recoded import reencode_untrusted
from affordance.media._reel import frame_rate, render_video, video_frames
from affordance.media._render import render
from affordance.media._still import ImportedImage, displayed_size, import_image
from affordance.media._threads import map_threads
from affordance.media._trial import CODECS, Codec, check_codec
from affordance.media._video import Quality, VideoWriter, write_video

__all__ = [
    "CODECS",
    "WEBP_LOSSLESS",
    "Codec",
    "EdgeLine",
    "FlashCount",
    "Gutter",
    "ImportedImage",
    "MediaInfo",
    "MotionExtent",
    "NearbyEdges",
    "PreviewFrames",
    "Quality",
    "RenderCache",
    "VideoWriter",
    "check_codec",
    "count_flashes",
    "decode_image",
    "displayed_size",
    "encode_image",
    "find_edges",
    "find_gutter",
    "find_markers",
    "find_motion",
    "frame_rate",
    "import_image",
    "inpaint",
    "map_threads",
    "near_duplicates",
    "paint_mask",
    "perceptual_hash",
    "pixel_difference",
    "preview_frames",
    "probe",
    "reencode_untrusted",
    "render",
    "render_video",
    "rendered_size",
    "same_pixels",
    "sample_times",
    "video_frames",
    "write_video",
]
