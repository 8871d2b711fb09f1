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
    label_final_answers,
    lines_of,
    parse_answer_text,
    strip_thinking,
    without_lists,
)
from affordance.core.ask import Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.digest import Json, canonical
from affordance.core.grammar import YesNo
from affordance.core.json_repair import json_values
from affordance.core.question import Question
from affordance.datasets import Rationale
from affordance.datasets.laws import find_law
from affordance.suites.behavior.controls import EVERY_LAW, Foreign, neutral_words
from affordance.suites.strategies import put_to_judge
from affordance.suites.task import JUDGEMENT, Judging
from affordance.suites.verdicts import conclude

NO_JUDGEMENT = "neither Yes nor No, or both"
Found = bool | None  # whether a rationale is contained; None where the judge did not say

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


class Kind(StrEnum):
    """What a judgement is for."""

    RATIONALE = "rationale"  # the headline: in words that name no side
    WRITTEN = "written"  # as it was written, where that names a side
    FOREIGN = "foreign"  # one of another pair, which should not be there
    LAWS = "laws"  # not the explanation but an answer that names every law


@dataclass(frozen=True, slots=True)
class Expected:
    """The truth of a question: what experts wrote about its pair, and one thing that they wrote about another."""

    rationales: tuple[Rationale, ...]
    foreign: Foreign | None = None

    def to_text(self) -> str:
        rationales = [one.model_dump(mode="json", exclude_none=True) for one in self.rationales]
        return canonical({"rationales": rationales, "foreign": asdict(self.foreign) if self.foreign else None})

    @classmethod
    def from_text(cls, text: str) -> "Expected":
        data = json.loads(text)
        foreign = Foreign(**data["foreign"]) if data["foreign"] else None
        return cls(tuple(Rationale.model_validate(one) for one in data["rationales"]), foreign)


@dataclass(frozen=True, slots=True)
class Judgement:
    kind: Kind
    place: int  # of the rationale in its pair
    explanation: str
    rationale: str
    of: str = ""  # which rationale it is, if of another pair


@dataclass(frozen=True, slots=True)
class Checked:
    """One rationale, and whether it was found in the explanation."""

    law: str | None
    dimension: str | None
    found: Found
    written: Found  # in its own words; the same as `found` where they name no side
    published: Found  # in its own words and read as published; None is one that is dropped there
    laws: Found  # whether it was found in an answer that names every law


@dataclass(frozen=True, slots=True)
class Judged:
    """All that was judged of one explanation: the detail of its verdict."""

    rationales: tuple[Checked, ...]
    foreign: tuple[Found, ...]  # one, or none where there is no other pair
    words: int  # of the explanation

    def to_detail(self) -> dict[str, Json]:
        return {
            "rationales": [asdict(one) for one in self.rationales],
            "foreign": list(self.foreign),
            "words": self.words,
        }

    @classmethod
    def from_detail(cls, detail: Mapping[str, Json]) -> "Judged | None":
        """None for an attempt that had nothing to judge."""
        if "rationales" not in detail:
            return None
        data = json.loads(canonical(detail))
        return cls(tuple(Checked(**one) for one in data["rationales"]), tuple(data["foreign"]), data["words"])


def explanation_of(reply: Reply) -> str:
    return strip_thinking(reply.text).strip()


def dimension_of(rationale: Rationale) -> str | None:
    """As it says itself, or as its law has it: people leave it out of their own pairs."""
    law = find_law(rationale.law or "")
    return rationale.dimension or (law.dimension if law is not None else None)


def plan(expected: Expected, explanation: str) -> Iterator[Judgement]:
    """The judgements of one explanation, in the order in which they are concluded from."""
    for place, one in enumerate(expected.rationales):
        yield Judgement(Kind.RATIONALE, place, explanation, neutral_words(one))
        if neutral_words(one) != one.reason:
            yield Judgement(Kind.WRITTEN, place, explanation, one.reason)
    if expected.foreign is not None:
        yield Judgement(Kind.FOREIGN, 0, explanation, expected.foreign.words, expected.foreign.of)
    for place, one in enumerate(expected.rationales):
        yield Judgement(Kind.LAWS, place, EVERY_LAW, neutral_words(one))


def judge_questions(question: Question, reply: Reply) -> list[Question]:
    found = plan(Expected.from_text(question.truth), explanation_of(reply))
    return [_question(question, judgement) for judgement in found]


def _question(question: Question, judgement: Judgement) -> Question:
    of: dict[str, Json] = {"of": judgement.of} if judgement.of else {"rationale": judgement.place}
    return Question(
        task=question.task,
        item=question.item,
        axes={**question.axes, JUDGEMENT: str(judgement.kind), **of},
        pictures=(),
        fields={"text_a": judgement.explanation, "text_b": judgement.rationale},
        grammar=YesNo(),
        truth="",
        files={},
        tags={JUDGEMENT: str(judgement.kind)},
        cluster=question.cluster,
    )


def read_judgement(_: Question, reply: Reply) -> Verdict:
    """A reply that is ambiguous is not read."""
    return replace(conclude(reply, _judgement), detail={"published": read_as_published(reply.text)})


def _judgement(text: str) -> Verdict | str:
    found = read_yes_no(text)
    return NO_JUDGEMENT if found is None else Verdict(Ended.ANSWERED, "Yes" if found else "No", float(found))


def read_yes_no(text: str) -> Found:
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
    lines = [(start, line) for start, marked in lines_of(plain) if (line := _MARKUP.sub("", marked).strip())]
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
    kept = without_lists((number, yes) for number, _, yes in whole)
    if whole and not kept:
        yield AnswerCandidate(AMBIGUOUS, whole[-1][1], Strength.OWN)
    yield from (AnswerCandidate(yes, start, Strength.OWN) for number, start, yes in whole if number in kept)


def _whole_line(line: str) -> Found:
    """What a line says that is nothing but the word, or opens with a label and the word."""
    if match := _ALONE.fullmatch(line):
        return match[1].lower() == "yes"
    label = _LABEL.match(line)
    opening = _OPENING.match(line, label.end()) if label else None
    return None if opening is None else opening[1] is not None


def read_as_published(text: str) -> Found:
    """As the released evaluator reads: `Yes` without `No` anywhere is a match, both drop the rationale."""
    yes, no = "Yes" in text, "No" in text
    return None if yes and no else yes


def conclude_judgements(question: Question, reply: Reply, verdicts: Sequence[Verdict]) -> Verdict:
    """The score is the share of rationales that were found."""
    expected, explanation = Expected.from_text(question.truth), explanation_of(reply)
    planned = [(one.kind, one.place) for one in plan(expected, explanation)]
    by_plan = dict(zip(planned, verdicts, strict=True))
    checked = tuple(_checked(place, one, by_plan) for place, one in enumerate(expected.rationales))
    foreign = tuple(_found(verdict) for (kind, _), verdict in by_plan.items() if kind is Kind.FOREIGN)
    matches, n = sum(one.found is True for one in checked), len(checked)
    judged = Judged(checked, foreign, len(explanation.split()))
    answer = f"{matches} of {n} rationale{'s' if n > 1 else ''}"
    return Verdict(Ended.ANSWERED, answer, matches / n, detail=judged.to_detail())


def _checked(place: int, rationale: Rationale, verdicts: Mapping[tuple[Kind, int], Verdict]) -> Checked:
    headline = verdicts[Kind.RATIONALE, place]
    written = verdicts.get((Kind.WRITTEN, place), headline)
    published = written.detail["published"]
    assert published is None or isinstance(published, bool)
    return Checked(
        law=rationale.law,
        dimension=dimension_of(rationale),
        found=_found(headline),
        written=_found(written),
        published=published,
        laws=_found(verdicts[Kind.LAWS, place]),
    )


def _found(verdict: Verdict) -> Found:
    return verdict.score == 1 if verdict.ended is Ended.ANSWERED else None


JUDGING = Judging(judge_questions, put_to_judge, read_judgement, conclude_judgements, headline=(Kind.RATIONALE,))
