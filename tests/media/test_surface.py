"""The public surface is a decision, and heavy libraries come only with it."""

import subprocess
import sys

import affordance.media


def test_exported_names() -> None:
    assert affordance.media.__all__ == [
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
    assert all(hasattr(affordance.media, name) for name in affordance.media.__all__)


def test_the_package_alone_imports_no_heavy_library() -> None:
    code = "import sys, affordance, affordance.core.media_spec; print({'cv2', 'av', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
