"""Pixels: from a video or image file to encoded pictures, in one pass, and the cache of those pictures."""

from affordance.media._activity import Activity, find_activity
from affordance.media._brush import brush
from affordance.media._clip import Clip, sample_times
from affordance.media._darkroom import Darkroom
from affordance.media._edges import Edges, Line, find_edges
from affordance.media._encode import LOSSLESS, decode_image, encode_image
from affordance.media._fingerprint import fingerprint, nearly_equal
from affordance.media._flashes import Flashing, find_flashes
from affordance.media._frames import Frames, film_frames
from affordance.media._geometry import size_of
from affordance.media._gutter import Gutter, find_gutter
from affordance.media._likeness import difference, same_pixels
from affordance.media._markers import find_markers, without_markers
from affordance.media._probe import probe
from affordance.media._recoded import recoded_still
from affordance.media._reel import frames_of, rate_of, render_reel
from affordance.media._render import render
from affordance.media._still import Still, displayed_size, read_still
from affordance.media._threads import in_threads
from affordance.media._trial import CODECS, Codec, try_codec
from affordance.media._video import Quality, VideoWriter, write_video

__all__ = [
    "CODECS",
    "LOSSLESS",
    "Activity",
    "Clip",
    "Codec",
    "Darkroom",
    "Edges",
    "Flashing",
    "Frames",
    "Gutter",
    "Line",
    "Quality",
    "Still",
    "VideoWriter",
    "brush",
    "decode_image",
    "difference",
    "displayed_size",
    "encode_image",
    "film_frames",
    "find_activity",
    "find_edges",
    "find_flashes",
    "find_gutter",
    "find_markers",
    "fingerprint",
    "frames_of",
    "in_threads",
    "nearly_equal",
    "probe",
    "rate_of",
    "read_still",
    "recoded_still",
    "render",
    "render_reel",
    "same_pixels",
    "sample_times",
    "size_of",
    "try_codec",
    "without_markers",
    "write_video",
]
