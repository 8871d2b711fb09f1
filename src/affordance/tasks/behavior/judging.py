"""How an explanation is judged: one judgement for each expert rationale, whether it is contained.

A rationale that names a side is judged in neutral words, and once more as it was written. Beside them go the controls:
a rationale of another pair, and each rationale against an answer that names every law.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from affordance.core.answer_text import (
    AMBIGUOUS,
    AnswerCandidate,
    Strength,
    Unparsed,
    blank_spans,
    decide,
    drop_option_lists,
    label_final_answers,
    numbered_lines,
    parse_answer_text,
    strip_thinking,
)
from affordance.core.ask import Response
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.core.digest import Json, canonical_json
from affordance.core.grammar import YesNo
from affordance.core.json_repair import json_values
from affordance.core.question import Question
from affordance.datasets import Rationale
from affordance.datasets.laws import find_ux_law
from affordance.tasks.behavior.controls import ALL_LAWS_ANSWER, UnrelatedRationale, neutral_wording
from affordance.tasks.strategies import request_judgement
from affordance.tasks.task import JUDGEMENT_TAG, Judging
from affordance.tasks.verdicts import conclude

NO_YES_OR_NO = "neither Yes nor No, or both"
Contained = bool | None  # whether a rationale is contained; None where the judge did not say

_MARKUP = re.compile(r"[*_`<>\"'“”‘’\[\]{}#$]")
_AFTER_NO = r"(?:because|since|as|for|the|they|it|its|this|that|these|there|while|although|both|but|only)\b"
_OPENING = re.compile(
    rf"\W*(?:(yes)\b(?!\W*(?:and|or)\W*(?:yes|no)\b|\W*yes\b|\W*no\b(?!\s+\w)|\s*[/|&]\s*no\b)|(no)\b(?!\W*(?:and|or)?\W*(?:yes|no)\b)"
    rf"(?=\s*(?:$|[^\w\s])|\s+{_AFTER_NO}))",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\W*(?:(?:the|my)\s+)?(?:final\s+)?(?:answer|judge?ment|verdict|contained)\s*(?:is\b\s*[:=：]?|[:=：]|(?=(?:yes|no)\W*$))\s*",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W*(yes|no)\W*", re.IGNORECASE)
_BOTH = re.compile(r"\W*(?:yes\W+no|no\W+yes)\W*", re.IGNORECASE)
_LAST_SENTENCE = re.compile(r".*[.!?:。]\s+(yes|no)\W*", re.IGNORECASE)


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


def answer_text(reply: Response) -> str:
    return strip_thinking(reply.text).strip()


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


def plan_judgements(question: Question, reply: Response) -> list[Question]:
    found = comparisons(RationaleTruth.from_text(question.truth), answer_text(reply))
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


def score_judgement(_: Question, reply: Response) -> Verdict:
    """A reply that is ambiguous is not read."""
    return replace(conclude(reply, _judgement), detail={"published": parse_as_published(reply.text)})


def _judgement(text: str) -> Verdict | str:
    found = parse_yes_no(text)
    return NO_YES_OR_NO if found is None else Verdict(AttemptStatus.ANSWERED, "Yes" if found else "No", float(found))


def parse_yes_no(text: str) -> Contained:
    """Whether a response says Yes: in JSON, as its first word, on a line of its own or after a label, or as the last
    sentence of a line. None where it says neither, or contradicts itself."""
    found = parse_answer_text(label_final_answers(strip_thinking(text)), lambda part: decide(_yes_no(part), part))
    return None if isinstance(found, Unparsed) else found


def _yes_no(text: str) -> Iterator[AnswerCandidate[bool]]:
    values = json_values(text)
    for found in values:
        answer = found.value.get("answer") if isinstance(found.value, dict) else None
        if isinstance(answer, str) and (match := _OPENING.match(answer)):
            yield AnswerCandidate(match[1] is not None, found.start, Strength.OWN)
    plain = blank_spans(text, [(found.start, found.end) for found in values])
    lines = [(start, line) for start, marked in numbered_lines(plain) if (line := _MARKUP.sub("", marked).strip())]
    yield from (AnswerCandidate(AMBIGUOUS, start, Strength.OWN) for start, line in lines if _BOTH.fullmatch(line))
    whole: list[tuple[int, int, bool]] = []
    for number, (start, line) in enumerate(lines):
        if (yes := _whole_line(line)) is not None:
            whole.append((number, start, yes))
        elif match := _LAST_SENTENCE.fullmatch(line):
            yield AnswerCandidate(match[1].lower() == "yes", start, Strength.LINE)
        if number in (0, len(lines) - 1) and (match := _OPENING.match(line)):
            strength = Strength.OWN if number == 0 else Strength.LINE
            yield AnswerCandidate(match[1] is not None, start, strength)
    kept = drop_option_lists((number, yes) for number, _, yes in whole)
    if whole and not kept:
        yield AnswerCandidate(AMBIGUOUS, whole[-1][1], Strength.OWN)
    yield from (AnswerCandidate(yes, start, Strength.OWN) for number, start, yes in whole if number in kept)


def _whole_line(line: str) -> Contained:
    """What a line says that is nothing but the word, or opens with a label and the word."""
    if match := _ALONE.fullmatch(line):
        return match[1].lower() == "yes"
    label = _LABEL.match(line)
    opening = _OPENING.match(line, label.end()) if label else None
    return None if opening is None else opening[1] is not None


def parse_as_published(text: str) -> Contained:
    """As the released evaluator reads: `Yes` without `No` anywhere is a match, both drop the rationale."""
    yes, no = "Yes" in text, "No" in text
    return None if yes and no else yes


def combine_judgements(question: Question, reply: Response, verdicts: Sequence[Verdict]) -> Verdict:
    """The score is the share of rationales that were found."""
    expected, explanation = RationaleTruth.from_text(question.truth), answer_text(reply)
    planned = [(one.kind, one.index) for one in comparisons(expected, explanation)]
    by_plan = dict(zip(planned, verdicts, strict=True))
    checked = tuple(_rationale_check(place, one, by_plan) for place, one in enumerate(expected.rationales))
    foreign = tuple(
        _is_contained(verdict) for (kind, _), verdict in by_plan.items() if kind is RationaleJudgement.FOREIGN
    )
    matches, n = sum(one.found is True for one in checked), len(checked)
    judged = RationaleScores(checked, foreign, len(explanation.split()))
    answer = f"{matches} of {n} rationale{'s' if n > 1 else ''}"
    return Verdict(AttemptStatus.ANSWERED, answer, matches / n, detail=judged.to_detail())


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


JUDGE_PLAN = Judging(
    plan_judgements,
    request_judgement,
    score_judgement,
    combine_judgements,
    headline_kinds=(RationaleJudgement.RATIONALE,),
)
