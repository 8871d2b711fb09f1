"""Rows of a preference set: a prompt, a chosen and a rejected answer, and the source of the preference.

Messages are lists of parts, `{"type": "image"}` or `{"type": "text", "text": ...}`; `images` are in the order of the
image parts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.question import PairChoice, Question
from affordance.datasets import Dataset, DatasetCollection, DesignPair
from affordance.datasets.pairs import named_sides
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

_BOTH_ORDERS = QuestionDesign(params=TaskParams(), trials=1, option_order=OptionOrder.BOTH_ORDERS)


@dataclass(frozen=True, slots=True)
class RowProvenance:
    """Columns that identify the pair of a row and the source of its preference."""

    item: str
    dataset: str
    digest: str
    synthetic: bool
    signal: str
    votes: int | None
    agreement: float | None
    order: str  # of the designs in the prompt: 0-1 or 1-0


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """One row before its images are written."""

    prompt: Message
    chosen: Message
    rejected: Message
    images: tuple[ImageSpec, ...]
    files: Mapping[str, Path]  # source files of the images, by content digest
    provenance: RowProvenance

    def columns(self, images: list[str]) -> dict[str, Any]:
        """The row as JSON, with the paths of its images."""
        messages = {"prompt": [self.prompt], "chosen": [self.chosen], "rejected": [self.rejected]}
        return {**messages, "images": images, **asdict(self.provenance)}


def preference_rows(
    dataset: Dataset, signals: Mapping[str, PreferenceSignal], *, show_goal: bool, synthetic: bool
) -> Iterator[PreferenceRow]:
    """Rows of the pairs that have a preference, each pair in both orders.

    The same reasons precede right and wrong answers, so that neither position nor length reveals them.
    """
    known = RowProvenance("", dataset.name, dataset.digest(), dataset.header.synthetic or synthetic, "", None, None, "")
    pairs = {pair.id: _with_goal(pair, show_goal=show_goal) for pair in pairs_in(dataset) if pair.id in signals}
    selected = replace(dataset, items=tuple(pairs.values()))
    texts = load_prompt_pack(CHOICE).texts
    for trial in questions(DatasetCollection.single(selected), _BOTH_ORDERS):
        pair = pairs[trial.question.item]
        yield _preference_row(trial.question, texts, pair, signals[pair.id], known)


def _with_goal(pair: DesignPair, *, show_goal: bool) -> DesignPair:
    return pair if show_goal else pair.model_copy(update={"goal": None})


def _preference_row(
    question: Question, texts: Mapping[str, str], pair: DesignPair, signal: PreferenceSignal, provenance: RowProvenance
) -> PreferenceRow:
    (request,) = next(zero_shot(question, texts))
    (message,) = request.messages
    order = question.axes[ORDER_AXIS]
    assert isinstance(order, list)
    answers = (PairChoice().first, PairChoice().second)
    position = order.index(signal.chosen)
    reasons = "\n".join(_reasons(pair)) if signal.chosen == pair.winner else ""
    right, wrong = (write_pair_choice(answers[one], reasons).strip() for one in (position, 1 - position))
    return PreferenceRow(
        prompt=_message("user", *message.parts),
        chosen=_message("assistant", right),
        rejected=_message("assistant", wrong),
        images=request.images,
        files=question.source_paths,
        provenance=_row_provenance(provenance, pair, signal, "-".join(map(str, order))),
    )


def _reasons(pair: DesignPair) -> list[str]:
    """Reasons why the winner won that hold in either order of the designs."""
    reasons = [neutral_wording(one) for one in pair.rationales]
    return [one for one in reasons if not named_sides(one)]


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
