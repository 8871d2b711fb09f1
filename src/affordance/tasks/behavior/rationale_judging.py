"""How explanations are judged: whether each expert rationale is contained, and controls of the judge.

The controls need no request to the judged model: the judge also gets a rationale of another pair, and an answer
that names every law in place of the explanation; longer explanations are compared with shorter ones."""

import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import combinations

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.digest import seeded_random
from affordance.core.json_text import Json, canonical_json
from affordance.core.question import Question, YesNo
from affordance.datasets import DesignPair, Rationale
from affordance.datasets.taxonomies import UX_LAWS, find_ux_law
from affordance.tasks.answers import Contained
from affordance.tasks.scoring import JUDGEMENT_TAG, JudgedAnswer, JudgePlan, Score

# It knows the laws and has not seen the page. What it scores, a model can score without looking.
ALL_LAWS_ANSWER = "\n".join(
    [
        "The second version is the better one for all of these reasons.",
        *(f"{law.name}: {law.meaning}" for law in UX_LAWS),
    ]
)


@dataclass(frozen=True, slots=True)
class UnrelatedRationale:
    """A rationale of another pair, in words that name no side."""

    of: str  # the pair and the place in it
    words: str


def neutral_wording(rationale: Rationale) -> str:
    return rationale.neutral or rationale.reason


class UnrelatedRationaleSampler:
    """The rationales of many pairs, brought into their order once, to draw others' from for each."""

    def __init__(self, pairs: Iterable[DesignPair]) -> None:
        ordered = sorted(pairs, key=lambda pair: pair.id)
        self._all = [(pair, place) for pair in ordered for place in range(len(pair.rationales))]
        self._own: dict[str, list[int]] = defaultdict(list)  # by group, where its rationales are in the list
        for number, (pair, _) in enumerate(self._all):
            self._own[_group(pair)].append(number)

    def draw(self, pair: DesignPair, seed: int) -> UnrelatedRationale | None:
        """One that was not written about this pair nor about any that it shares an image with; None where there is
        none. A function of the seed and of all pairs, whatever their order."""
        own = self._own.get(_group(pair), [])
        if len(own) == len(self._all):
            return None
        chosen = seeded_random("foreign", seed, pair.id).choice(range(len(self._all) - len(own)))
        for number in own:  # counted among the others, and so moved past its own
            if number > chosen:
                break
            chosen += 1
        other, place = self._all[chosen]
        return UnrelatedRationale(f"{other.id}/{place}", neutral_wording(other.rationales[place]))


def _group(pair: DesignPair) -> str:
    return pair.cluster or pair.id


def length_concordance(lengths_and_scores: Iterable[tuple[int, float]]) -> float | None:
    """Of two explanations (length, score) with unequal scores, how often the better one is the longer; equal lengths
    count half. 0.5 means that length makes no difference. None where all scores are equal."""
    lengths: dict[float, list[int]] = defaultdict(list)
    for length, score in sorted(lengths_and_scores):
        lengths[score].append(length)
    agreeing, compared = 0.0, 0
    for low, high in combinations(sorted(lengths), 2):
        shorter = lengths[low]
        compared += len(shorter) * len(lengths[high])
        agreeing += sum((bisect_left(shorter, n) + bisect_right(shorter, n)) / 2 for n in lengths[high])
    return agreeing / compared if compared else None


class RationaleJudgement(StrEnum):
    """What a judgement is for."""

    RATIONALE = "rationale"  # the headline: in words that name no side
    WRITTEN = "written"  # as it was written, where that names a side
    FOREIGN = "foreign"  # one of another pair, which should not be there
    LAWS = "laws"  # not the explanation but an answer that names every law


@dataclass(frozen=True, slots=True)
class RationaleTruth:
    """The truth of a question: what experts wrote about its pair, and one thing that they wrote about another."""

    rationales: tuple[Rationale, ...]
    foreign: UnrelatedRationale | None = None

    def to_text(self) -> str:
        rationales = [one.model_dump(mode="json", exclude_none=True) for one in self.rationales]
        return canonical_json({"rationales": rationales, "foreign": asdict(self.foreign) if self.foreign else None})

    @classmethod
    def from_text(cls, text: str) -> "RationaleTruth":
        data = json.loads(text)
        foreign = UnrelatedRationale(**data["foreign"]) if data["foreign"] else None
        return cls(tuple(Rationale.model_validate(one) for one in data["rationales"]), foreign)


@dataclass(frozen=True, slots=True)
class RationaleComparison:
    kind: RationaleJudgement
    index: int  # of the rationale in its pair
    explanation: str
    rationale: str
    source_id: str = ""  # which rationale it is, if of another pair


@dataclass(frozen=True, slots=True)
class RationaleCheck:
    """One rationale, and whether it was found in the explanation."""

    law: str | None
    dimension: str | None
    found: Contained
    written: Contained  # in its own words; the same as `found` where they name no side
    published: Contained  # in its own words and read as published; None is one that is dropped there
    laws: Contained  # whether it was found in an answer that names every law


@dataclass(frozen=True, slots=True)
class RationaleScores:
    """All that was judged of one explanation: the detail of its verdict."""

    rationales: tuple[RationaleCheck, ...]
    foreign: tuple[Contained, ...]  # one, or none where there is no other pair
    words: int  # of the explanation

    def to_detail(self) -> dict[str, Json]:
        return {
            "rationales": [asdict(one) for one in self.rationales],
            "foreign": list(self.foreign),
            "words": self.words,
        }

    @classmethod
    def from_detail(cls, detail: Mapping[str, Json]) -> "RationaleScores | None":
        """None for an attempt that had nothing to judge."""
        if "rationales" not in detail:
            return None
        data = json.loads(canonical_json(detail))
        return cls(tuple(RationaleCheck(**one) for one in data["rationales"]), tuple(data["foreign"]), data["words"])


def dimension_of(rationale: Rationale) -> str | None:
    """As it says itself, or as its law has it: people leave it out of their own pairs."""
    law = find_ux_law(rationale.law or "")
    return rationale.dimension or (law.dimension if law is not None else None)


def comparisons(expected: RationaleTruth, explanation: str) -> Iterator[RationaleComparison]:
    """The judgements of one explanation, in the order in which they are concluded from."""
    for place, one in enumerate(expected.rationales):
        yield RationaleComparison(RationaleJudgement.RATIONALE, place, explanation, neutral_wording(one))
        if neutral_wording(one) != one.reason:
            yield RationaleComparison(RationaleJudgement.WRITTEN, place, explanation, one.reason)
    if expected.foreign is not None:
        yield RationaleComparison(
            RationaleJudgement.FOREIGN, 0, explanation, expected.foreign.words, expected.foreign.of
        )
    for place, one in enumerate(expected.rationales):
        yield RationaleComparison(RationaleJudgement.LAWS, place, ALL_LAWS_ANSWER, neutral_wording(one))


def plan_judgements(question: Question, answer: JudgedAnswer) -> list[Question]:
    found = comparisons(RationaleTruth.from_text(question.truth), answer.text)
    return [_question(question, judgement) for judgement in found]


def _question(question: Question, judgement: RationaleComparison) -> Question:
    of: dict[str, Json] = {"of": judgement.source_id} if judgement.source_id else {"rationale": judgement.index}
    return Question(
        task=question.task,
        item=question.item,
        axes={**question.axes, JUDGEMENT_TAG: str(judgement.kind), **of},
        media=(),
        prompt_fields={"text_a": judgement.explanation, "text_b": judgement.rationale},
        answer_format=YesNo(),
        truth="",
        source_paths={},
        tags={JUDGEMENT_TAG: str(judgement.kind)},
        cluster=question.cluster,
    )


def parse_as_published(text: str) -> Contained:
    """As the released evaluator reads: `Yes` without `No` anywhere is a match, both drop the rationale."""
    yes, no = "Yes" in text, "No" in text
    return None if yes and no else yes


def combine_judgements(question: Question, answer: JudgedAnswer, verdicts: Sequence[Verdict]) -> Score:
    """The share of rationales that were found."""
    expected = RationaleTruth.from_text(question.truth)
    planned = [(one.kind, one.index) for one in comparisons(expected, answer.text)]
    by_plan = dict(zip(planned, verdicts, strict=True))
    checked = tuple(_rationale_check(place, one, by_plan) for place, one in enumerate(expected.rationales))
    foreign = tuple(
        _is_contained(verdict) for (kind, _), verdict in by_plan.items() if kind is RationaleJudgement.FOREIGN
    )
    matches, n = sum(one.found is True for one in checked), len(checked)
    judged = RationaleScores(checked, foreign, len(answer.text.split()))
    found = f"{matches} of {n} rationale{'s' if n > 1 else ''}"
    return Score(found, matches / n, judged.to_detail())


def _rationale_check(
    index: int, rationale: Rationale, verdicts: Mapping[tuple[RationaleJudgement, int], Verdict]
) -> RationaleCheck:
    headline = verdicts[RationaleJudgement.RATIONALE, index]
    written = verdicts.get((RationaleJudgement.WRITTEN, index), headline)
    published = written.detail["published"]
    assert published is None or isinstance(published, bool)
    return RationaleCheck(
        law=rationale.law,
        dimension=dimension_of(rationale),
        found=_is_contained(headline),
        written=_is_contained(written),
        published=published,
        laws=_is_contained(verdicts[RationaleJudgement.LAWS, index]),
    )


def _is_contained(verdict: Verdict) -> Contained:
    return verdict.score == 1 if verdict.status is AttemptStatus.ANSWERED else None


JUDGE_PLAN = JudgePlan(
    judgements=plan_judgements,
    answer_format=YesNo(),
    combine=combine_judgements,
    headline_kinds=(RationaleJudgement.RATIONALE,),
    as_published=lambda text: {"published": parse_as_published(text)},
)
