"""Rows of a preference set: a prompt, what is to be preferred, what is not, and where that is known from.

Messages are lists of parts, `{"type": "image"}` or `{"type": "text", "text": ...}`; `images` are the pictures in the
order in which the parts stand for them: of the prompt, then of `chosen`, then of `rejected`."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from affordance.core.digest import digest_file
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.question import PairChoice, Question
from affordance.datasets import Dataset, DesignPair, single_dataset
from affordance.datasets.published.wiserui import named_sides
from affordance.integrations.preferences.sources import PreferenceSignal, pairs_in
from affordance.models.study_answers import ORDER_AXIS
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.design_preference import questions
from affordance.tasks.behavior.rationale_judging import neutral_wording
from affordance.tasks.pair_answers import write_pair_choice
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.question_design import OptionOrder, QuestionDesign, TaskParams
from affordance.tasks.strategies import zero_shot

Message = dict[str, Any]

# What a picture is to be judged by where the answer is a design, and not words about two.
DESIGN = "Show the design of this page that gives users the better experience and leads to more conversions."
_BOTH_ORDERS = QuestionDesign(params=TaskParams(), trials=1, option_order=OptionOrder.BOTH_ORDERS)


class PreferenceStyle(StrEnum):
    """What is preferred: an answer, in words, to which of two designs is better, or a design itself."""

    ANSWERS = "answers"
    DESIGNS = "designs"


@dataclass(frozen=True, slots=True)
class RowProvenance:
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
class PreferenceRow:
    prompt: Message
    chosen: Message
    rejected: Message
    images: tuple[ImageSpec, ...]
    files: Mapping[str, Path]  # where the pictures' sources are, by content digest
    provenance: RowProvenance

    def columns(self, images: list[Any]) -> dict[str, Any]:
        """With the pictures as they are to be kept."""
        said = {"prompt": [self.prompt], "chosen": [self.chosen], "rejected": [self.rejected]}
        return {**said, "images": images, **asdict(self.provenance)}


def preference_rows(
    dataset: Dataset, signals: Mapping[str, PreferenceSignal], style: PreferenceStyle, *, goal: bool, synthetic: bool
) -> Iterator[PreferenceRow]:
    """Of the pairs that have a signal. Answers come in both orders of the designs, with the same reasons for right and
    wrong, so that neither a place nor a length tells which is which."""
    known = RowProvenance("", dataset.name, dataset.digest(), dataset.header.synthetic or synthetic, "", None, None, "")
    pairs = {pair.id: _with_goal(pair, goal=goal) for pair in pairs_in(dataset) if pair.id in signals}
    shown = replace(dataset, items=tuple(pairs.values()))
    if style is PreferenceStyle.DESIGNS:
        for pair in pairs.values():
            yield _design_row(shown, pair, signals[pair.id], known)
        return
    texts = load_prompt_pack(CHOICE).texts
    for trial in questions(single_dataset(shown), _BOTH_ORDERS):
        pair = pairs[trial.question.item]
        yield _answer_row(trial.question, texts, pair, signals[pair.id], known)


def _with_goal(pair: DesignPair, *, goal: bool) -> DesignPair:
    return pair if goal else pair.model_copy(update={"goal": None})


def _answer_row(
    question: Question, texts: Mapping[str, str], pair: DesignPair, signal: PreferenceSignal, provenance: RowProvenance
) -> PreferenceRow:
    (ask,) = next(zero_shot(question, texts))
    (message,) = ask.messages
    order = question.axes[ORDER_AXIS]
    assert isinstance(order, list)
    words = (PairChoice().first, PairChoice().second)
    place = order.index(signal.chosen)
    because = "\n".join(_reasons(pair)) if signal.chosen == pair.winner else ""
    right, wrong = (write_pair_choice(words[one], because).strip() for one in (place, 1 - place))
    return PreferenceRow(
        prompt=_message("user", *message.parts),
        chosen=_message("assistant", right),
        rejected=_message("assistant", wrong),
        images=ask.images,
        files=question.source_paths,
        provenance=_row_provenance(provenance, pair, signal, "-".join(map(str, order))),
    )


def _reasons(pair: DesignPair) -> list[str]:
    """Why the winner won, in words that hold in either order."""
    said = [neutral_wording(one) for one in pair.rationales]
    return [one for one in said if not named_sides(one)]


def _design_row(
    dataset: Dataset, pair: DesignPair, signal: PreferenceSignal, provenance: RowProvenance
) -> PreferenceRow:
    of_page = {"Page": pair.page_type, "Industry": pair.industry, "Device": pair.device, "Context": pair.context}
    said = [DESIGN, *([f"It is to reach this goal: {pair.goal}"] if pair.goal else [])]
    said += [f"{name}: {value}" for name, value in of_page.items() if value]
    both = [dataset.file(pair.images[place]) for place in (signal.chosen, 1 - signal.chosen)]
    sources = [digest_file(file) for file in both]
    better, worse = map(ImageSpec, sources)
    return PreferenceRow(
        prompt=_message("user", "\n".join(said)),
        chosen=_message("assistant", better),
        rejected=_message("assistant", worse),
        images=(better, worse),
        files=dict(zip(sources, both, strict=True)),
        provenance=_row_provenance(provenance, pair, signal, ""),
    )


def _row_provenance(provenance: RowProvenance, pair: DesignPair, signal: PreferenceSignal, order: str) -> RowProvenance:
    return replace(
        provenance,
        item=pair.id,
        synthetic=provenance.synthetic or pair.evidence == "constructed",
        signal=signal.origin,
        votes=signal.votes,
        agreement=signal.agreement,
        order=order,
    )


def _message(role: str, *parts: str | MediaSpec) -> Message:
    content = [{"type": "text", "text": one} if isinstance(one, str) else {"type": "image"} for one in parts]
    return {"role": role, "content": content}
