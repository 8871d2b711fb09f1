"""Media: decoding, rendering and caching of images and videos, and analyses of their pixels."""

from affordance.media.codec_check import CODEC_CHECKS, CodecCheck, check_codec
from affordance.media.compositing import rendered_size
from affordance.media.decoder import Pixels
from affordance.media.edges import EdgeLine, NearbyEdges, find_edges
from affordance.media.encoders import (
    WEBP_LOSSLESS,
    VideoQuality,
    VideoWriter,
    decode_image,
    encode_image,
    write_image,
    write_video,
)
from affordance.media.flashes import FlashCount, count_flashes
from affordance.media.formats import MediaFormat, image_format
from affordance.media.gutter import Gutter, find_gutter
from affordance.media.image_import import ImportedImage, displayed_size, import_image, reencode_untrusted
from affordance.media.markers import find_markers, inpaint, paint_mask
from affordance.media.media_info import MediaInfo, sample_times
from affordance.media.media_probe import frame_rate, probe
from affordance.media.motion import MotionExtent, find_motion
from affordance.media.previews import PreviewFrames, preview_frames
from affordance.media.render_cache import RenderCache
from affordance.media.renderer import Renderer, load_pixels, render, video_frames
from affordance.media.similarity import near_duplicates, perceptual_hash, pixel_difference, same_pixels

__all__ = [
    "CODEC_CHECKS",
    "WEBP_LOSSLESS",
    "CodecCheck",
    "EdgeLine",
    "FlashCount",
    "Gutter",
    "ImportedImage",
    "MediaFormat",
    "MediaInfo",
    "MotionExtent",
    "NearbyEdges",
    "Pixels",
    "PreviewFrames",
    "RenderCache",
    "Renderer",
    "VideoQuality",
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
    "image_format",
    "import_image",
    "inpaint",
    "load_pixels",
    "near_duplicates",
    "paint_mask",
    "perceptual_hash",
    "pixel_difference",
    "preview_frames",
    "probe",
    "reencode_untrusted",
    "render",
    "rendered_size",
    "same_pixels",
    "sample_times",
    "video_frames",
    "write_image",
    "write_video",
]
