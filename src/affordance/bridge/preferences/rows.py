"""Rows of a preference set: a prompt, what is to be preferred, what is not, and where that is known from.

Messages are lists of parts, `{"type": "image"}` or `{"type": "text", "text": ...}`; `images` are the pictures in the
order in which the parts stand for them: of the prompt, then of `chosen`, then of `rejected`."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from affordance.bridge.preferences.signals import Signal, pairs_in
from affordance.core.digest import digest_file
from affordance.core.grammar import Either
from affordance.core.picture import Picture, Visual
from affordance.core.question import Question
from affordance.datasets import Dataset, Pair, alone
from affordance.datasets.sides import sides_in
from affordance.models.values import ORDER
from affordance.suites.behavior.choice import CHOICE
from affordance.suites.behavior.choose import questions
from affordance.suites.behavior.controls import neutral_words
from affordance.suites.behavior.picks import write_pick
from affordance.suites.prompts import load_pack
from affordance.suites.strategies import zero_shot
from affordance.suites.task import Design, Order

Message = dict[str, Any]

# What a picture is to be judged by where the answer is a design, and not words about two.
DESIGN = "Show the design of this page that gives users the better experience and leads to more conversions."
_BOTH_ORDERS = Design(trials=1, order=Order.BOTH, seed=0, fps=Fraction(1))


class Style(StrEnum):
    """What is preferred: an answer, in words, to which of two designs is better, or a design itself."""

    ANSWERS = "answers"
    DESIGNS = "designs"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a row says of itself, so that it can be found again, and kept out of what a model is measured with."""

    item: str
    dataset: str
    digest: str
    synthetic: bool
    signal: str
    votes: int | None
    agreement: float | None
    order: str  # of the pair's images in the prompt: 0-1 or 1-0; empty where the prompt shows none


@dataclass(frozen=True, slots=True)
class Row:
    prompt: Message
    chosen: Message
    rejected: Message
    pictures: tuple[Picture, ...]
    files: Mapping[str, Path]  # where the pictures' sources are, by content digest
    facts: Facts

    def columns(self, images: list[Any]) -> dict[str, Any]:
        """With the pictures as they are to be kept."""
        said = {"prompt": [self.prompt], "chosen": [self.chosen], "rejected": [self.rejected]}
        return {**said, "images": images, **asdict(self.facts)}


def rows(
    dataset: Dataset, signals: Mapping[str, Signal], style: Style, *, goal: bool, synthetic: bool
) -> Iterator[Row]:
    """Of the pairs that have a signal. Answers come in both orders of the designs, with the same reasons for right and
    wrong, so that neither a place nor a length tells which is which."""
    known = Facts("", dataset.name, dataset.digest(), dataset.header.synthetic or synthetic, "", None, None, "")
    pairs = {pair.id: _told(pair, goal=goal) for pair in pairs_in(dataset) if pair.id in signals}
    shown = replace(dataset, items=tuple(pairs.values()))
    if style is Style.DESIGNS:
        for pair in pairs.values():
            yield _design_row(shown, pair, signals[pair.id], known)
        return
    texts = load_pack(CHOICE).texts
    for trial in questions(alone(shown), _BOTH_ORDERS):
        pair = pairs[trial.question.item]
        yield _answer_row(trial.question, texts, pair, signals[pair.id], known)


def _told(pair: Pair, *, goal: bool) -> Pair:
    return pair if goal else pair.model_copy(update={"goal": None})


def _answer_row(question: Question, texts: Mapping[str, str], pair: Pair, signal: Signal, known: Facts) -> Row:
    (ask,) = next(zero_shot(question, texts))
    (message,) = ask.messages
    order = question.axes[ORDER]
    assert isinstance(order, list)
    words = (Either().first, Either().second)
    place = order.index(signal.chosen)
    because = "\n".join(_reasons(pair)) if signal.chosen == pair.winner else ""
    right, wrong = (write_pick(words[one], because).strip() for one in (place, 1 - place))
    return Row(
        prompt=_message("user", *message.parts),
        chosen=_message("assistant", right),
        rejected=_message("assistant", wrong),
        pictures=ask.pictures,
        files=question.files,
        facts=_facts(known, pair, signal, "-".join(map(str, order))),
    )


def _reasons(pair: Pair) -> list[str]:
    """Why the winner won, in words that hold in either order."""
    said = [neutral_words(one) for one in pair.rationales]
    return [one for one in said if not sides_in(one)]


def _design_row(dataset: Dataset, pair: Pair, signal: Signal, known: Facts) -> Row:
    of_page = {"Page": pair.page_type, "Industry": pair.industry, "Device": pair.device, "Context": pair.context}
    said = [DESIGN, *([f"It is to reach this goal: {pair.goal}"] if pair.goal else [])]
    said += [f"{name}: {value}" for name, value in of_page.items() if value]
    both = [dataset.file(pair.images[place]) for place in (signal.chosen, 1 - signal.chosen)]
    sources = [digest_file(file) for file in both]
    better, worse = map(Picture, sources)
    return Row(
        prompt=_message("user", "\n".join(said)),
        chosen=_message("assistant", better),
        rejected=_message("assistant", worse),
        pictures=(better, worse),
        files=dict(zip(sources, both, strict=True)),
        facts=_facts(known, pair, signal, ""),
    )


def _facts(known: Facts, pair: Pair, signal: Signal, order: str) -> Facts:
    return replace(
        known,
        item=pair.id,
        synthetic=known.synthetic or pair.evidence == "constructed",
        signal=signal.origin,
        votes=signal.votes,
        agreement=signal.agreement,
        order=order,
    )


def _message(role: str, *parts: str | Visual) -> Message:
    content = [{"type": "text", "text": one} if isinstance(one, str) else {"type": "image"} for one in parts]
    return {"role": role, "content": content}
