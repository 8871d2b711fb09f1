"""What an interpretation of a clip is judged against: a summary of what people wrote, each of what they wrote, or both.

All of it is the truth of a question; nothing of it is shown to the model that interprets.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from affordance.core.digest import canonical_json, digest
from affordance.core.errors import UserError
from affordance.datasets import Clip
from affordance.datasets.summaries import ReferenceSummary

HELD_OUT_MARKER = "This is what one person wrote."  # the reasoning of a reply that is the response left out


class MeaningJudgement(StrEnum):
    """What a judgement is for."""

    SUMMARY = "summary"  # against the summary of all responses
    INDIVIDUAL = "individual"  # against one response
    FLOOR = "floor"  # the summary of another clip, in the place of the interpretation


@dataclass(frozen=True, slots=True)
class TextComparison:
    """Two texts to compare: the interpretation, or what stands in its place, and one that people stand for."""

    kind: MeaningJudgement
    index: int  # of the response, among those of its clip
    answer: str
    reference: str


@dataclass(frozen=True, slots=True)
class MeaningReferences:
    """The truth of a question. One response, `left_out`, can be taken for an interpretation: it is then judged against
    the other ones, and against `without`, the summary of those."""

    kinds: tuple[str, ...]
    responses: tuple[str, ...]
    orders: int  # in which the judge is asked
    side: int  # where the interpretation stands first
    left_out: int
    summary: str | None = None
    without: str | None = None
    foreign: str | None = None  # of another clip

    def to_text(self) -> str:
        return canonical_json(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> "MeaningReferences":
        data = json.loads(text)
        return cls(**{**data, "kinds": tuple(data["kinds"]), "responses": tuple(data["responses"])})

    @property
    def held_out_text(self) -> str:
        return self.responses[self.left_out]

    def comparisons(self, answer: str, *, is_held_out: bool) -> Iterator[TextComparison]:
        """What an interpretation is compared with; `own` is one that is the response left out."""
        summary = self.without if is_held_out else self.summary
        if MeaningJudgement.SUMMARY in self.kinds and summary is not None:
            yield TextComparison(MeaningJudgement.SUMMARY, 0, answer, summary)
        if MeaningJudgement.INDIVIDUAL in self.kinds:
            for place, response in enumerate(self.responses):
                if not (is_held_out and place == self.left_out):
                    yield TextComparison(MeaningJudgement.INDIVIDUAL, place, answer, response)
        if self.foreign is not None:
            yield TextComparison(MeaningJudgement.FLOOR, 0, self.foreign, self.summary or self.responses[0])


def held_out_response(clip: Clip, seed: int) -> int:
    """The response that can be taken for an interpretation: a function of seed and clip."""
    return int(digest("left out", seed, clip.id), 16) % len(nonblank_responses(clip))


def nonblank_responses(clip: Clip) -> list[str]:
    """What people wrote; blank answers are none."""
    return [text.strip() for text in clip.meaning_responses if text.strip()]


def build_references(
    clip: Clip,
    clips: Sequence[Clip],
    summaries: Mapping[tuple[str, int | None], ReferenceSummary],
    kinds: Sequence[str],
    orders: int,
    seed: int,
) -> MeaningReferences:
    """Of one clip among all; summaries are by clip and by what is left out."""
    responses, place = nonblank_responses(clip), held_out_response(clip, seed)
    summed_up = summaries if MeaningJudgement.SUMMARY in kinds else {}
    summary, without = summed_up.get((clip.id, None)), summed_up.get((clip.id, place))
    if MeaningJudgement.SUMMARY in kinds and summary is None:
        raise UserError(
            f"clip {clip.id!r} has no summary to judge against; give --summarizer M to write summaries (offline: "
            "baseline:overlap), or --reference individual"
        )
    other = _other_clip(clip, clips, seed)
    foreign = summed_up.get((other.id, None)) if other is not None else None
    return MeaningReferences(
        kinds=tuple(kinds),
        responses=tuple(responses),
        orders=orders,
        side=int(digest("side", seed, clip.id), 16) % 2,
        left_out=place,
        summary=summary.text if summary is not None else None,
        without=without.text if without is not None else None,
        foreign=foreign.text if foreign is not None else nonblank_responses(other)[0] if other is not None else None,
    )


def _other_clip(clip: Clip, clips: Sequence[Clip], seed: int) -> Clip | None:
    others = [other for other in clips if other.id != clip.id]
    return random.Random(int(digest("another", seed, clip.id), 16)).choice(others) if others else None
