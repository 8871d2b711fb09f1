"""Questions in the words of people: about a region that somebody drew or looked at, and said what it is for."""

from collections import Counter
from collections.abc import Iterable, Sequence

from affordance.author.questions.leaks import complaint, plain
from affordance.author.questions.subjects import Subject, Target, name_of
from affordance.author.records import QuestionRecord
from affordance.datasets.taxonomies import TargetExpression

BY = "people"
UNCHECKED = "unchecked: in a person's words"
SAME = "another region of the screen is told in the same words"


def in_their_words(told: Sequence[Target], others: Iterable[Target]) -> dict[str, QuestionRecord]:
    """By name. A text that says what is written on the target, or that another region has too, is left out; a question
    without any text is kept as dropped."""
    regions = [one.subject for one in (*told, *others) if one.subject.level == "region"]
    times = Counter(plain(text) for one in regions for text in (one.functionality, one.description))
    return {name_of("ground", "region", one.subject.id): _question(one.subject, times) for one in told}


def _question(subject: Subject, times: Counter[str]) -> QuestionRecord:
    texts = {TargetExpression.FUNCTIONALITY: subject.functionality, TargetExpression.DESCRIPTION: subject.description}
    wrong = {kind: _fault(text, subject.own, times) for kind, text in texts.items() if text}
    asked = {
        TargetExpression.FUNCTIONALITY: asks_for(subject.level, subject.functionality),
        TargetExpression.DESCRIPTION: subject.description,
    }
    good = {str(kind): asked[kind] for kind, fault in wrong.items() if not fault}
    return QuestionRecord(
        form="ground",
        level=subject.level,
        target=subject.id,
        box=subject.box,
        expressions=good,
        checks={"unique": UNCHECKED, **{str(kind): f"left out: {fault}" for kind, fault in wrong.items() if fault}},
        dropped="" if good else next(iter(wrong.values())),
        by=BY,
    )


def _fault(text: str, own: str, times: Counter[str]) -> str:
    return complaint(text, own) or ("" if times[plain(text)] == 1 else SAME)


def asks_for(level: str, functionality: str) -> str:
    """The words that ask for what has a function, which is told in a sentence."""
    return f"Which {level} has this function? {functionality}"
