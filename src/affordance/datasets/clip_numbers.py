"""Numbers of clips, which are not in their records: their videos are opened, and not decoded."""

from collections.abc import Iterable

from affordance import media
from affordance.core.errors import MediaError
from affordance.core.geometry import CoordinateSpace, union_area
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import Dataset

CLIP = "seconds of the clip"
ANIMATION = "seconds of the animation"
REGIONS = "regions, % of the picture"
UNKNOWN = "unknown"


def clip_measurements(dataset: Dataset) -> dict[str, list[float]]:
    """Values of clips by what they are. Those whose video is missing or broken have none that need it."""
    found: dict[str, list[float]] = {CLIP: []}
    by_platform: dict[str, list[float]] = {}
    rest: dict[str, list[float]] = {ANIMATION: [], REGIONS: []}
    for clip in dataset.items:
        if not isinstance(clip, Clip):
            continue
        film = _video_info(dataset, clip)
        if film is not None and not film.is_still:
            found[CLIP].append(float(film.duration))
            by_platform.setdefault(clip.platform or UNKNOWN, []).append(float(film.duration))
            rest[ANIMATION] += animation_seconds(clip, film)
        rest[REGIONS] += (100 * share for share in region_share(clip, film))
    if set(by_platform) - {UNKNOWN}:
        ordered = sorted(by_platform.items(), key=lambda one: (-len(one[1]), one[0]))
        found |= {f"  {platform}": values for platform, values in ordered}
    return found | rest


def animation_seconds(clip: Clip, video: media.MediaInfo) -> Iterable[float]:
    """For how long the annotated animation runs, its last frame included; nothing where nobody said."""
    if clip.start_frame is None or clip.end_frame is None or clip.end_frame >= len(video.pts):
        return ()
    after = clip.end_frame + 1
    end = video.frame_time(after) if after < len(video.pts) else video.duration
    return (float(end - video.frame_time(clip.start_frame)),)


def region_share(clip: Clip, video: media.MediaInfo | None) -> Iterable[float]:
    """The share of the picture that the regions of a clip cover together; nothing where there are none, or their pixels
    cannot be compared with those of the picture."""
    if not clip.regions or (video is None and any(box.space is CoordinateSpace.PIXEL for box in clip.regions)):
        return ()
    size = (video.width, video.height) if video is not None else (1, 1)
    shares = [box.to_space(CoordinateSpace.UNIT, *size).clip(1, 1) for box in clip.regions]
    return (union_area(box for box in shares if box is not None),)


def _video_info(dataset: Dataset, clip: Clip) -> media.MediaInfo | None:
    try:
        return media.probe(dataset.media_path(clip.video))
    except MediaError:
        return None  # which a check tells of
