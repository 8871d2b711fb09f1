"""How a clip is asked about: one ask, the prompt with what the cues tell, then the frames."""

from collections.abc import Mapping

from affordance.core.ask import Message, Request
from affordance.core.attempt import PromptTexts, RequestGenerator
from affordance.core.digest import Json
from affordance.core.picture import FrameBlend
from affordance.core.question import Question
from affordance.datasets import Clip, Dataset
from affordance.tasks.motion.cues import Cue, CueSet, cue_set_name
from affordance.tasks.motion.frames import ClipImages, clip_frames, clip_video
from affordance.tasks.prompts import fill
from affordance.tasks.task import Design

REGION_TAG = "region"  # the tag with the share of the screen that the regions of a clip cover
COVERAGE_TAG = "animation share"  # the tag with the share of the animation's frames that reach the model
NO_INPUT = "none; nobody did anything for it to begin"
UNKNOWN = "not known"

# The parts of a prompt that are not in every one, with the placeholders that each must use.
CUE_PROMPTS: dict[str, frozenset[str]] = {
    "box": frozenset(),
    Cue.MOTION: frozenset({"blended"}),
    Cue.CONTEXT: frozenset({"context", "input"}),
    Cue.CAPTION: frozenset({"caption"}),
}


def ask_with_cues(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """Only the parts of the prompt for the cues of the question are in it."""
    cues = question.tags["cues"]
    told = [fill(prompts[cue], question.prompt_fields) for cue in Cue if cue in cues.split("+")]
    fields = {
        **question.prompt_fields,
        "box": f" {prompts['box']}" if REGION_TAG in question.tags else "",
        "cues": "".join(f"\n\n{text}" for text in told),
    }
    message = Message("user", (fill(prompts["zero-shot"], fields), *question.media))
    (reply,) = yield [Request(question.id, (message,), question.answer_format, fields)]
    return reply


def cue_fields(clip: Clip, cues: CueSet) -> dict[str, str]:
    """What the cues tell of a clip; nothing of what they do not."""
    fields: dict[str, str] = {}
    if Cue.MOTION in cues:
        fields["blended"] = str(FrameBlend().count - 1)
    if Cue.CONTEXT in cues:
        inputs = [one.summary.strip() for one in clip.inputs if one.summary.strip()]
        nothing = NO_INPUT if "inputs" in clip.model_fields_set else UNKNOWN
        fields |= {"context": (clip.context or "").strip() or UNKNOWN, "input": " ".join(inputs) or nothing}
    if Cue.CAPTION in cues:
        fields["caption"] = first_caption(clip)
    return fields


def is_twin(clip: Clip) -> bool:
    """Whether it only is there to be told from another one: run backwards, an animation means something else."""
    return clip.motion is not None and clip.motion.twin is not None


def first_caption(clip: Clip) -> str:
    """The first description of what is seen that somebody gave."""
    return next((text.strip() for text in clip.effect_responses if text.strip()), UNKNOWN)


def clip_images(dataset: Dataset, clip: Clip, design: Design, cues: CueSet) -> ClipImages:
    blend = FrameBlend() if Cue.MOTION in cues else None
    if design.video:
        return clip_video(dataset, clip, blend=blend)
    return clip_frames(dataset, clip, design.fps, blend=blend, max_frames=design.max_frames)


def describe_input(design: Design, images: ClipImages) -> str:
    """What stands in a prompt for what is shown. Of frames that were thinned no rate is told, since it is another."""
    if design.video:
        return "You are shown a recording of a user interface as a video."
    taken = "from beginning to end" if images.subsampled else f"at {design.fps} frames per second"
    return f"The pictures are frames of a recording of a user interface, in their order, taken evenly {taken}."


def cue_axes(cues: CueSet, design: Design) -> dict[str, Json]:
    """What varies by design: the cues, and whether it is a video that is shown."""
    return {"cues": list(cues), **({"input": "video"} if design.video else {})}


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
