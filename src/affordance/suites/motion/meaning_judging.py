"""How an interpretation is judged: from 0 to 5 against each reference, the sides of the two texts being balanced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from affordance.core.answer_text import strip_thinking
from affordance.core.ask import Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.digest import Json
from affordance.core.grammar import Scale
from affordance.core.question import Question
from affordance.suites.motion.references import PERSON, Kind, Reference, References
from affordance.suites.scale import read_score
from affordance.suites.strategies import put_to_judge
from affordance.suites.task import JUDGEMENT, Judging
from affordance.suites.verdicts import conclude

SCALE = Scale(0, 5)
NO_SCORE = 'no JSON object with a "score" from 0 to 5'

Score = int | None  # None where the judge gave none
Scores = tuple[Score, ...]  # in each order of the two texts


@dataclass(frozen=True, slots=True)
class Judged:
    """All that was judged of one interpretation: the detail of its verdict."""

    summary: tuple[Scores, ...] = ()  # one, or none where there is no summary
    individual: tuple[Scores, ...] = ()
    floor: tuple[Scores, ...] = ()
    words: int = 0

    def to_detail(self) -> dict[str, Json]:
        kinds: dict[str, tuple[Scores, ...]] = {kind: getattr(self, kind) for kind in Kind}
        return {**{kind: [list(one) for one in scores] for kind, scores in kinds.items()}, "words": self.words}

    @classmethod
    def from_detail(cls, detail: Mapping[str, Any]) -> "Judged | None":
        """None for an attempt that had nothing to judge."""
        if "individual" not in detail:
            return None
        kinds = {kind: tuple(tuple(scores) for scores in detail[kind]) for kind in Kind}
        return cls(**kinds, words=detail["words"])

    def main(self) -> tuple[Scores, ...]:
        """What the headline is about: the summary where there is one, else every response."""
        return self.summary or self.individual


def mean_score(scores: Sequence[Scores]) -> float | None:
    """Over references, of the mean over orders; a judgement without a score is left out."""
    present = [sum(given) / len(given) for one in scores if (given := [score for score in one if score is not None])]
    return sum(present) / len(present) if present else None


def interpretation(reply: Reply) -> str:
    return strip_thinking(reply.text).strip()


def judge_questions(question: Question, reply: Reply) -> list[Question]:
    expected = References.from_text(question.truth)
    return [
        _question(question, one, side)
        for one in expected.plan(interpretation(reply), own=reply.reasoning == PERSON)
        for side in _sides(expected, one.place)
    ]


def _sides(expected: References, place: int) -> tuple[int, ...]:
    """Where the interpretation stands: first, or second. Over the responses of a clip either comes in turn."""
    first = (expected.side + place) % 2
    return (first, 1 - first)[: expected.orders]


def _question(question: Question, one: Reference, side: int) -> Question:
    first, second = (one.said, one.expected) if side == 0 else (one.expected, one.said)
    return Question(
        task=question.task,
        item=question.item,
        axes={**question.axes, JUDGEMENT: str(one.kind), "reference": one.place, "side": side},
        pictures=(),
        fields={"text_a": first, "text_b": second},
        grammar=SCALE,
        truth="",
        files={},
        tags={JUDGEMENT: str(one.kind)},
        cluster=question.cluster,
    )


def read_judgement(_: Question, reply: Reply) -> Verdict:
    return conclude(reply, _judgement)


def _judgement(text: str) -> Verdict | str:
    score = read_score(text, SCALE)
    return NO_SCORE if score is None else Verdict(Ended.ANSWERED, str(score), SCALE.share_of(score))


def conclude_judgements(question: Question, reply: Reply, verdicts: Sequence[Verdict]) -> Verdict:
    """The score is the mean of the headline's, as a share of the scale; of those at least one was read."""
    expected, said = References.from_text(question.truth), interpretation(reply)
    found: dict[str, list[Scores]] = {kind: [] for kind in Kind}
    left = iter(verdicts)
    for one in expected.plan(said, own=reply.reasoning == PERSON):
        found[one.kind].append(tuple(_score(next(left)) for _ in range(expected.orders)))
    judged = Judged(**{kind: tuple(scores) for kind, scores in found.items()}, words=len(said.split()))
    mean = mean_score(judged.main())
    assert mean is not None, "nothing is concluded from judgements that cannot be read"
    return Verdict(Ended.ANSWERED, f"{mean:.2f} of {SCALE.high}", SCALE.share_of(mean), detail=judged.to_detail())


def _score(verdict: Verdict) -> Score:
    return int(verdict.answer) if verdict.ended is Ended.ANSWERED and verdict.answer is not None else None


JUDGING = Judging(
    judge_questions,
    put_to_judge,
    read_judgement,
    conclude_judgements,
    headline=(Kind.SUMMARY, Kind.INDIVIDUAL),
    scale=SCALE,
)
