"""How an interpretation is judged: from 0 to 5 against each reference, the sides of the two texts being balanced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from affordance.core.answer_text import strip_thinking
from affordance.core.ask import Response
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.core.digest import Json
from affordance.core.grammar import RatingScale
from affordance.core.question import Question
from affordance.tasks.motion.references import HELD_OUT_MARKER, MeaningJudgement, MeaningReferences, TextComparison
from affordance.tasks.scale import parse_rating
from affordance.tasks.strategies import request_judgement
from affordance.tasks.task import JUDGEMENT_TAG, Judging
from affordance.tasks.verdicts import conclude

MEANING_SCALE = RatingScale(0, 5)
NO_SCORE = 'no JSON object with a "score" from 0 to 5'

Score = int | None  # None where the judge gave none
Scores = tuple[Score, ...]  # in each order of the two texts


@dataclass(frozen=True, slots=True)
class MeaningScores:
    """All that was judged of one interpretation: the detail of its verdict."""

    summary: tuple[Scores, ...] = ()  # one, or none where there is no summary
    individual: tuple[Scores, ...] = ()
    floor: tuple[Scores, ...] = ()
    words: int = 0

    def to_detail(self) -> dict[str, Json]:
        kinds: dict[str, tuple[Scores, ...]] = {kind: getattr(self, kind) for kind in MeaningJudgement}
        return {**{kind: [list(one) for one in scores] for kind, scores in kinds.items()}, "words": self.words}

    @classmethod
    def from_detail(cls, detail: Mapping[str, Any]) -> "MeaningScores | None":
        """None for an attempt that had nothing to judge."""
        if "individual" not in detail:
            return None
        kinds = {kind: tuple(tuple(scores) for scores in detail[kind]) for kind in MeaningJudgement}
        return cls(**kinds, words=detail["words"])

    def headline_scores(self) -> tuple[Scores, ...]:
        """What the headline is about: the summary where there is one, else every response."""
        return self.summary or self.individual


def mean_score(scores: Sequence[Scores]) -> float | None:
    """Over references, of the mean over orders; a judgement without a score is left out."""
    present = [sum(given) / len(given) for one in scores if (given := [score for score in one if score is not None])]
    return sum(present) / len(present) if present else None


def answer_text(reply: Response) -> str:
    return strip_thinking(reply.text).strip()


def plan_judgements(question: Question, reply: Response) -> list[Question]:
    expected = MeaningReferences.from_text(question.truth)
    return [
        _question(question, one, side)
        for one in expected.comparisons(answer_text(reply), is_held_out=reply.reasoning == HELD_OUT_MARKER)
        for side in _sides(expected, one.index)
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


def score_judgement(_: Question, reply: Response) -> Verdict:
    return conclude(reply, _judgement)


def _judgement(text: str) -> Verdict | str:
    score = parse_rating(text, MEANING_SCALE)
    return NO_SCORE if score is None else Verdict(AttemptStatus.ANSWERED, str(score), MEANING_SCALE.share_of(score))


def combine_judgements(question: Question, reply: Response, verdicts: Sequence[Verdict]) -> Verdict:
    """The score is the mean of the headline's, as a share of the scale; of those at least one was read."""
    expected, said = MeaningReferences.from_text(question.truth), answer_text(reply)
    found: dict[str, list[Scores]] = {kind: [] for kind in MeaningJudgement}
    left = iter(verdicts)
    for one in expected.comparisons(said, is_held_out=reply.reasoning == HELD_OUT_MARKER):
        found[one.kind].append(tuple(_score(next(left)) for _ in range(expected.orders)))
    judged = MeaningScores(**{kind: tuple(scores) for kind, scores in found.items()}, words=len(said.split()))
    mean = mean_score(judged.headline_scores())
    assert mean is not None, "nothing is concluded from judgements that cannot be read"
    return Verdict(
        AttemptStatus.ANSWERED,
        f"{mean:.2f} of {MEANING_SCALE.high}",
        MEANING_SCALE.share_of(mean),
        detail=judged.to_detail(),
    )


def _score(verdict: Verdict) -> Score:
    return int(verdict.answer) if verdict.status is AttemptStatus.ANSWERED and verdict.answer is not None else None


JUDGE_PLAN = Judging(
    plan_judgements,
    request_judgement,
    score_judgement,
    combine_judgements,
    headline_kinds=(MeaningJudgement.SUMMARY, MeaningJudgement.INDIVIDUAL),
    scale=MEANING_SCALE,
)
