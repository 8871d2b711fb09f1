"""A clip as a model is shown it: frames at a rate, by timestamp, with a green box while the animation runs; or the clip
itself as a video with that box.

Where there are more frames than may be sent, they are thinned evenly over the whole clip, the first and the last being
kept. The share of the animation that reaches the model is a tag of every question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer

from affordance import media
from affordance.core.digest import digest_file
from affordance.core.errors import InvalidOption
from affordance.core.json_text import Json
from affordance.core.media_spec import BoxOutline, FrameBlend, ImageSpec, MediaSpec, VideoSpec
from affordance.core.options import option
from affordance.core.sequences import evenly_spaced
from affordance.datasets import Clip, Dataset
from affordance.datasets.statistics import region_share
from affordance.tasks.motion.cues import DEFAULT_CUES, NO_CUES, REGION_TAG, Cue, CueSet, cue_set_name, parse_cue_sets
from affordance.tasks.question_design import TaskParams
from affordance.tasks.views import RowSplit

MAX_SIDE = 480
VIDEO_MARGIN = Fraction(1, 2)  # seconds of a video before the animation and after it


@dataclass(frozen=True, slots=True)
class AnimationCoverage:
    """How much of the annotated animation reaches the model: in how many images, and which share of its frames those
    are made of."""

    image_count: int
    share: float

    @property
    def label(self) -> str:
        return ("in no frame", "in one frame")[self.image_count] if self.image_count < 2 else "in several frames"


@dataclass(frozen=True, slots=True)
class ClipImages:
    images: tuple[MediaSpec, ...]
    files: dict[str, Path]  # where the source is, by content digest
    region_share: float | None  # the share of the screen that the clip's regions cover
    coverage: AnimationCoverage | None  # None where the dataset does not say when the animation runs
    subsampled: bool = False  # whether there are fewer frames than the rate would give


def _parse_rate(value: Any) -> Fraction:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InvalidOption("fps", f"expected a number such as 10 or 30000/1001, found {value!r}") from None


def _parse_cues(value: Any) -> Any:
    return parse_cue_sets(value) if isinstance(value, str) else value


class FrameRateParams(TaskParams):
    fps: Annotated[Fraction, BeforeValidator(_parse_rate), PlainSerializer(str)] = option(
        Fraction(10),
        "Frames per second sampled from a clip (default: 10).",
        metavar="F",
        always_stored=True,
        gt=0,
        le=240,
    )


class FrameParams(FrameRateParams):
    max_frames: int | None = option(
        None,
        "Maximum frames per clip (default: no limit).",
        metavar="N",
        stored_as="most_frames",
        aliases=("--most-frames",),
        ge=1,
    )


class ClipParams(FrameParams):
    input: Literal["frames", "video"] = option("frames", "Send a clip as frames or as video (default: frames).")
    cues: Annotated[tuple[CueSet, ...], BeforeValidator(_parse_cues)] = option(
        (DEFAULT_CUES,),
        "Cues shown with a clip: none, all, or motion, context, caption joined by commas (default: context).",
        metavar="C",
    )


def clip_frames(
    dataset: Dataset,
    clip: Clip,
    fps: Fraction,
    *,
    draw_regions: bool = True,
    blend: FrameBlend | None = None,
    max_frames: int | None = None,
    window: Fraction | None = None,
) -> ClipImages:
    """Frames of a clip at a rate.

    Args:
        draw_regions: draw the regions of the clip while the animation runs; throughout if that is unknown.
        blend: blend every frame with those before it.
        max_frames: maximum number of frames, spread evenly.
        window: take frames of this many seconds from the beginning of the animation only. If the animation is shorter,
            its last frame is repeated.
    """
    path = dataset.media_path(clip.video)
    film = media.probe(path)
    source = digest_file(path)
    outlines = tuple(BoxOutline(region) for region in clip.regions) if draw_regions else ()
    running = _animation_frames(clip, len(film.pts))
    sampled = media.sample_times(film, fps) if window is None else _window_times(film, running, fps, window)
    times = [sampled[place] for place in evenly_spaced(len(sampled), max_frames or len(sampled))]
    indexes = [film.frame_at(time) for time in times]
    pictures = tuple(
        ImageSpec(
            source,
            time=time,
            blend=blend,
            max_side=MAX_SIDE,
            outlines=outlines if running is None or index in running else (),
        )
        for time, index in zip(times, indexes, strict=True)
    )
    return ClipImages(
        pictures,
        {source: path},
        _region_share_of(clip, film),
        None if running is None else animation_coverage(indexes, running, blend),
        subsampled=len(times) < len(sampled),
    )


def clip_video(dataset: Dataset, clip: Clip, *, blend: FrameBlend | None = None) -> ClipImages:
    """The clip as a video, trimmed to its animation with a little before and after. Which of its frames a model
    takes is its own affair, so nothing is known of what reaches it."""
    path = dataset.media_path(clip.video)
    film = media.probe(path)
    source = digest_file(path)
    running = _animation_frames(clip, len(film.pts))
    seen = running is None or len(running) > 0  # not where it is said to run after the end of the clip
    begin, end = _trim_times(film, running)
    footage = VideoSpec(
        source,
        begin,
        end,
        blend=blend,
        max_side=MAX_SIDE,
        outlines=tuple(BoxOutline(region) for region in clip.regions) if seen else (),
        outlines_start=film.frame_time(running.start) if running else None,
        outlines_end=film.frame_time(running.stop) if running and running.stop < len(film.pts) else None,
    )
    return ClipImages((footage,), {source: path}, _region_share_of(clip, film), None)


def _trim_times(film: media.MediaInfo, running: range | None) -> tuple[Fraction, Fraction | None]:
    if not running:
        return Fraction(0), None
    after = film.frame_time(running.stop) if running.stop < len(film.pts) else film.duration
    end = after + VIDEO_MARGIN
    return max(Fraction(0), film.frame_time(running.start) - VIDEO_MARGIN), end if end < film.duration else None


def animation_coverage(indexes: Sequence[int], running: range, blend: FrameBlend | None) -> AnimationCoverage:
    """Of an animation that runs over these frames of its clip, where those of the indexes are shown, each with those
    that are blended into it."""
    held = [range(index, index - (blend.count if blend is not None else 1), -1) for index in indexes]
    reached = {index for frames in held for index in frames if index in running}
    shown = sum(any(index in running for index in frames) for frames in held)
    return AnimationCoverage(shown, len(reached) / len(running) if running else 0.0)


def _window_times(film: media.MediaInfo, running: range | None, fps: Fraction, window: Fraction) -> list[Fraction]:
    frames = running or range(len(film.pts))
    start, last = film.frame_time(frames.start), film.frame_time(frames.stop - 1)
    count = max(1, -(-(window * fps).numerator // (window * fps).denominator))
    return [min(start + k / fps, last) for k in range(count)]


def animation_seconds(dataset: Dataset, clip: Clip) -> Fraction:
    """Duration of the animation of a clip; of the whole clip if that is unknown."""
    film = media.probe(dataset.media_path(clip.video))
    running = _animation_frames(clip, len(film.pts))
    if not running:
        return film.duration
    end = film.frame_time(running.stop) if running.stop < len(film.pts) else film.duration
    return end - film.frame_time(running.start)


def _animation_frames(clip: Clip, frames: int) -> range | None:
    """The frames of a clip in which its animation runs."""
    if clip.start_frame is None and clip.end_frame is None:
        return None
    last = frames - 1 if clip.end_frame is None else min(clip.end_frame, frames - 1)
    return range(clip.start_frame or 0, last + 1)


def _region_share_of(clip: Clip, film: media.MediaInfo) -> float | None:
    return next(iter(region_share(clip, film)), None)


CUE_SPLIT = RowSplit("cues", baseline=cue_set_name(NO_CUES), main=cue_set_name(DEFAULT_CUES))
COVERAGE_TAG = "animation share"  # the tag with the share of the animation's frames that reach the model


def is_twin(clip: Clip) -> bool:
    """Whether a clip is the counterfactual of another one: run backwards, an animation means something else."""
    return clip.motion is not None and clip.motion.twin is not None


def clip_images(dataset: Dataset, clip: Clip, params: ClipParams, cues: CueSet) -> ClipImages:
    blend = FrameBlend() if Cue.MOTION in cues else None
    if params.input == "video":
        return clip_video(dataset, clip, blend=blend)
    return clip_frames(dataset, clip, params.fps, blend=blend, max_frames=params.max_frames)


def describe_input(params: ClipParams, images: ClipImages) -> str:
    """The sentence of a prompt about the input. It states no rate for frames that were subsampled."""
    if params.input == "video":
        return "You are shown a recording of a user interface as a video."
    taken = "from beginning to end" if images.subsampled else f"at {params.fps} frames per second"
    return f"The pictures are frames of a recording of a user interface, in their order, taken evenly {taken}."


def cue_axes(cues: CueSet, params: ClipParams) -> dict[str, Json]:
    """What varies by design: the cues, and whether it is a video that is shown."""
    return {"cues": list(cues), **({"input": "video"} if params.input == "video" else {})}


def clip_tags(clip: Clip, images: ClipImages, cues: CueSet) -> dict[str, str]:
    """What the report breaks the numbers of a clip down by."""
    known: Mapping[str, str | None] = {
        "purpose": clip.purpose,
        "platform": clip.platform,
        REGION_TAG: f"{images.region_share:.4f}" if images.region_share is not None else None,
        "animation shown": images.coverage.label if images.coverage is not None else None,
        COVERAGE_TAG: f"{images.coverage.share:.4f}" if images.coverage is not None else None,
    }
    return {"cues": cue_set_name(cues), **{name: value for name, value in known.items() if value}}
