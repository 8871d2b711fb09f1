"""All frames of a clip made small, for whoever looks at motion and not at pictures."""

from collections.abc import Iterator

from affordance.core.sizes import fit_within
from affordance.media._clip import MediaInfo
from affordance.media._decode import decode_frames
from affordance.media._geometry import CropAndSize
from affordance.media._pixels import DecodedFrame, FrameScaler, Pixels


def iter_small_frames(clip: MediaInfo, longest_side: int) -> Iterator[Pixels]:
    """Each frame in turn, BGR and upright. Either all of them come or a MediaError."""
    geometry = CropAndSize(0, 0, clip.width, clip.height, *fit_within(clip.width, clip.height, longest_side))
    scaler, full_size = FrameScaler(), FrameScaler()
    for _, frame in decode_frames(clip, range(len(clip.pts))):
        yield DecodedFrame(frame, clip.orientation, full_size).resample(geometry, scaler)
