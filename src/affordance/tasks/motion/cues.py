"""Cues that help a model to understand motion (MCPC): motion trails, the context, a caption of what is seen."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import chain, combinations

from affordance.core.attempts import PromptTexts, RequestGenerator
from affordance.core.errors import UnknownName, UserError
from affordance.core.media_spec import FrameBlend
from affordance.core.prompts import fill
from affordance.core.question import Question
from affordance.core.requests import Message, Request
from affordance.core.text import ALL_CHOICES
from affordance.datasets import Clip


class Cue(StrEnum):
    MOTION = "motion"  # every frame is blended with those before it
    CONTEXT = "context"  # the situation, and what the person did
    CAPTION = "caption"  # a description of what is seen, by a person


CueSet = tuple[str, ...]  # in the order of `Cue`

NO_CUES: CueSet = ()
DEFAULT_CUES: CueSet = (Cue.CONTEXT,)  # what the papers' purposes and meanings are asked with
ALL_CUE_SETS: tuple[CueSet, ...] = tuple(chain.from_iterable(combinations(Cue, n) for n in range(len(Cue) + 1)))


def parse_cue_sets(text: str) -> tuple[CueSet, ...]:
    """Cue sets as text on the command line: `none`, some with commas between them, or `all` for all eight sets."""
    whole = {ALL_CHOICES: ALL_CUE_SETS, cue_set_name(NO_CUES): (NO_CUES,)}
    names = [name for part in text.split(",") if (name := part.strip())]
    if len(names) == 1 and names[0] in whole:
        return whole[names[0]]
    unknown = [name for name in names if name not in list(Cue)] if names else [text]
    if set(names) & whole.keys():
        raise UserError(f"expected cues, or {' or '.join(whole)} alone; found {text!r}")
    if unknown:
        raise UnknownName("cue", unknown[0], [*Cue, *whole])
    return (tuple(cue for cue in Cue if cue in names),)


def cue_set_name(cues: Iterable[str]) -> str:
    return "+".join(cues) or "none"


REGION_TAG = "region"  # the tag with the share of the screen that the regions of a clip cover


NO_INPUT = "none; nobody did anything for it to begin"
UNKNOWN = "not known"


def ask_with_cues(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One request: the prompt with the parts for the cues of the question, then the images."""
    cues = question.tags["cues"]
    texts = [fill(prompts[cue], question.prompt_fields) for cue in Cue if cue in cues.split("+")]
    fields = {
        **question.prompt_fields,
        "box": f" {prompts['box']}" if REGION_TAG in question.tags else "",
        "cues": "".join(f"\n\n{text}" for text in texts),
    }
    message = Message("user", (fill(prompts["zero-shot"], fields), *question.media))
    (response,) = yield [Request(question.id, (message,), question.answer_format, fields)]
    return response


def cue_fields(clip: Clip, cues: CueSet) -> dict[str, str]:
    """Prompt fields of a clip for these cues, and no others."""
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


def first_caption(clip: Clip) -> str:
    """The first description of what is seen."""
    return next((text.strip() for text in clip.effect_responses if text.strip()), UNKNOWN)
