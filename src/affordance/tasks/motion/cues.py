"""Cues that help a model to understand motion (MCPC): motion trails, the context, a caption of what is seen."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import chain, combinations

from affordance.core.choices import ALL_CHOICES
from affordance.core.errors import UnknownName, UserError


class Cue(StrEnum):
    MOTION = "motion"  # every frame is blended with those before it
    CONTEXT = "context"  # the situation, and what the person did
    CAPTION = "caption"  # how somebody describes what is seen


CueSet = tuple[str, ...]  # in the order of `Cue`

NO_CUES: CueSet = ()
DEFAULT_CUES: CueSet = (Cue.CONTEXT,)  # what the papers' purposes and meanings are asked with
ALL_CUE_SETS: tuple[CueSet, ...] = tuple(chain.from_iterable(combinations(Cue, n) for n in range(len(Cue) + 1)))


def parse_cue_sets(text: str) -> tuple[CueSet, ...]:
    """Sets of cues by what somebody typed: `none`, some with commas between them, or `all` for all eight sets."""
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
