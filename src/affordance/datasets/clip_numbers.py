"""Numbers of clips, which are not in their records: their videos are opened, and not decoded."""

from collections.abc import Iterable

from affordance import media
from affordance.core.box import Space, union_area
from affordance.core.errors import MediaError
from affordance.datasets.clips import Clip
from affordance.datasets.reading import Dataset

CLIP = "seconds of the clip"
ANIMATION = "seconds of the animation"
REGIONS = "regions, % of the picture"
UNKNOWN = "unknown"


def clip_numbers(dataset: Dataset) -> dict[str, list[float]]:
    """Values of clips by what they are. Those whose video is missing or broken have none that need it."""
    found: dict[str, list[float]] = {CLIP: []}
    by_platform: dict[str, list[float]] = {}
    rest: dict[str, list[float]] = {ANIMATION: [], REGIONS: []}
    for clip in dataset.items:
        if not isinstance(clip, Clip):
            continue
        film = _film(dataset, clip)
        if film is not None and not film.still:
            found[CLIP].append(float(film.duration))
            by_platform.setdefault(clip.platform or UNKNOWN, []).append(float(film.duration))
            rest[ANIMATION] += animation_seconds(clip, film)
        rest[REGIONS] += (100 * share for share in region_share(clip, film))
    if set(by_platform) - {UNKNOWN}:
        ordered = sorted(by_platform.items(), key=lambda one: (-len(one[1]), one[0]))
        found |= {f"  {platform}": values for platform, values in ordered}
    return found | rest


def animation_seconds(clip: Clip, film: media.Clip) -> Iterable[float]:
    """For how long the annotated animation runs, its last frame included; nothing where nobody said."""
    if clip.start_frame is None or clip.end_frame is None or clip.end_frame >= len(film.pts):
        return ()
    after = clip.end_frame + 1
    end = film.time_of(after) if after < len(film.pts) else film.duration
    return (float(end - film.time_of(clip.start_frame)),)


def region_share(clip: Clip, film: media.Clip | None) -> Iterable[float]:
    """The share of the picture that the regions of a clip cover together; nothing where there are none, or their pixels
    cannot be compared with those of the picture."""
    if not clip.regions or (film is None and any(box.space is Space.PIXEL for box in clip.regions)):
        return ()
    size = (film.width, film.height) if film is not None else (1, 1)
    shares = [box.to(Space.UNIT, *size).clipped(1, 1) for box in clip.regions]
    return (union_area(box for box in shares if box is not None),)


def _film(dataset: Dataset, clip: Clip) -> media.Clip | None:
    try:
        return media.probe(dataset.file(clip.video))
    except MediaError:
        return None  # which a check tells of
