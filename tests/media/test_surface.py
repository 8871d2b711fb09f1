"""The public surface is a decision, and heavy libraries come only with it."""

import subprocess
import sys

import affordance.media


def test_exported_names() -> None:
    assert affordance.media.__all__ == [
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
    assert all(hasattr(affordance.media, name) for name in affordance.media.__all__)


def test_the_package_alone_imports_no_heavy_library() -> None:
    code = "import sys, affordance, affordance.core.picture; print({'cv2', 'av', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
