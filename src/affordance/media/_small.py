"""All frames of a clip made small, for whoever looks at motion and not at pictures."""

from collections.abc import Iterator

from affordance.core.sizes import shrunk_size
from affordance.media._clip import Clip
from affordance.media._decode import decoded
from affordance.media._geometry import Geometry
from affordance.media._pixels import Pixels, Scaler, Shot


def small_frames(clip: Clip, longest_side: int) -> Iterator[Pixels]:
    """Each frame in turn, BGR and upright. Either all of them come or a MediaError."""
    geometry = Geometry(0, 0, clip.width, clip.height, *shrunk_size(clip.width, clip.height, longest_side))
    scaler, full_size = Scaler(), Scaler()
    for _, frame in decoded(clip, range(len(clip.pts))):
        yield Shot(frame, clip.orientation, full_size).take(geometry, scaler)
