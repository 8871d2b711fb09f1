"""How an interpretation is judged: from 0 to 5 against each reference, the sides of the two texts being balanced."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.digest import digest, seeded_random
from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.question import Question, RatingScale
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.datasets.summaries import ReferenceSummary
from affordance.tasks.motion.clips import is_twin
from affordance.tasks.scoring import JUDGEMENT_TAG, JudgedAnswer, JudgePlan, Score

PERSON_BASELINE = "baseline:people"  # its answer is the response that is held out of the references


NAME = "motion/meaning"
MIN_RESPONSES = 2  # one to stand for people, and one to hold out


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


def summary_prompt_digest(prompts: Mapping[str, str]) -> str:
    """The digest of what a summarizer is asked, by which its summaries are found again."""
    return digest("prompt", prompts["summary"]) if "summary" in prompts else ""


def clips_with_meaning(data: DatasetCollection) -> tuple[Dataset, list[Clip]]:
    dataset = data.of_kind("clip")
    items = dataset.items if dataset is not None else ()
    clips = [
        item
        for item in items
        if isinstance(item, Clip) and len(nonblank_responses(item)) >= MIN_RESPONSES and not is_twin(item)
    ]
    if dataset is None or not clips:
        raise UserError(f"{NAME} needs clips with at least {MIN_RESPONSES} meaning_responses; {data.name!r} has none")
    return dataset, clips


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
    return seeded_random("another", seed, clip.id).choice(others) if others else None


MEANING_SCALE = RatingScale(0, 5)

Rating = int | None  # None where the judge gave none
Ratings = tuple[Rating, ...]  # in each order of the two texts


@dataclass(frozen=True, slots=True)
class MeaningScores:
    """All that was judged of one interpretation: the detail of its verdict."""

    summary: tuple[Ratings, ...] = ()  # one, or none where there is no summary
    individual: tuple[Ratings, ...] = ()
    floor: tuple[Ratings, ...] = ()
    words: int = 0

    def to_detail(self) -> dict[str, Json]:
        kinds: dict[str, tuple[Ratings, ...]] = {kind: getattr(self, kind) for kind in MeaningJudgement}
        return {**{kind: [list(one) for one in scores] for kind, scores in kinds.items()}, "words": self.words}

    @classmethod
    def from_detail(cls, detail: Mapping[str, Any]) -> "MeaningScores | None":
        """None for an attempt that had nothing to judge."""
        if "individual" not in detail:
            return None
        kinds = {kind: tuple(tuple(scores) for scores in detail[kind]) for kind in MeaningJudgement}
        return cls(**kinds, words=detail["words"])

    def headline_ratings(self) -> tuple[Ratings, ...]:
        """What the headline is about: the summary where there is one, else every response."""
        return self.summary or self.individual


def mean_rating(ratings: Sequence[Ratings]) -> float | None:
    """Over references, of the mean over orders; a judgement without a score is left out."""
    present = [sum(given) / len(given) for one in ratings if (given := [score for score in one if score is not None])]
    return sum(present) / len(present) if present else None


def plan_judgements(question: Question, answer: JudgedAnswer) -> list[Question]:
    references = MeaningReferences.from_text(question.truth)
    return [
        _question(question, one, side)
        for one in references.comparisons(answer.text, is_held_out=answer.model == PERSON_BASELINE)
        for side in _sides(references, one.index)
    ]


def _sides(expected: MeaningReferences, index: int) -> tuple[int, ...]:
    """Where the interpretation stands: first, or second. Over the responses of a clip either comes in turn."""
    first = (expected.side + index) % 2
    return (first, 1 - first)[: expected.orders]


def _question(question: Question, one: TextComparison, side: int) -> Question:
    first, second = (one.answer, one.reference) if side == 0 else (one.reference, one.answer)
    return Question(
        task=question.task,
        item=question.item,
        axes={**question.axes, JUDGEMENT_TAG: str(one.kind), "reference": one.index, "side": side},
        media=(),
        prompt_fields={"text_a": first, "text_b": second},
        answer_format=MEANING_SCALE,
        truth="",
        source_paths={},
        tags={JUDGEMENT_TAG: str(one.kind)},
        cluster=question.cluster,
    )


def combine_judgements(question: Question, answer: JudgedAnswer, verdicts: Sequence[Verdict]) -> Score:
    """The mean rating of the headline, as a share of the scale; at least one of them was parsed."""
    references = MeaningReferences.from_text(question.truth)
    found: dict[str, list[Ratings]] = {kind: [] for kind in MeaningJudgement}
    left = iter(verdicts)
    for one in references.comparisons(answer.text, is_held_out=answer.model == PERSON_BASELINE):
        found[one.kind].append(tuple(_rating(next(left)) for _ in range(references.orders)))
    ratings = {kind: tuple(given) for kind, given in found.items()}
    judged = MeaningScores(**ratings, words=len(answer.text.split()))
    mean = mean_rating(judged.headline_ratings())
    assert mean is not None, "combined without a parsed judgement of the headline"
    return Score(f"{mean:.2f} of {MEANING_SCALE.high}", MEANING_SCALE.share_of(mean), judged.to_detail())


def _rating(verdict: Verdict) -> Rating:
    return int(verdict.answer) if verdict.status is AttemptStatus.ANSWERED and verdict.answer is not None else None


JUDGE_PLAN = JudgePlan(
    judgements=plan_judgements,
    answer_format=MEANING_SCALE,
    combine=combine_judgements,
    headline_kinds=(MeaningJudgement.SUMMARY, MeaningJudgement.INDIVIDUAL),
)
