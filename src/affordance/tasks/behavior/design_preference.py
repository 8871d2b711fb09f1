"""`affordance choose`: which of two designs of a user's own does a model prefer?

There is no known winner, so nothing is scored and the task is in no table. It is asked in the words of
`behavior/choice` and in both orders, so what is known of a model there holds here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from affordance import media
from affordance.core.digest import digest, digest_file
from affordance.core.errors import MediaError, UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.question import PairChoice, Question
from affordance.datasets import Dataset, DatasetCollection, DatasetHeader, DesignPair
from affordance.datasets.check_items import NEAR_IDENTICAL_SHARE
from affordance.stats import pair_preference
from affordance.tasks.behavior.choice import BOTH_ORDERS, CHOICE, goal_sentence
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign, TaskParams, repeat
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Task
from affordance.tasks.views import TaskViews

DesignLetter = Literal["A", "B"]

NAME = "behavior/choose"
DESIGN_LETTERS: tuple[DesignLetter, DesignLetter] = ("A", "B")
FIRST_DESIGN_TAG = "first"  # the tag with the letter of the design that is shown first
MIN_PROBABILITY = 0.9  # below this probability nothing is said
_PROMPT = "zero-shot"


@dataclass(frozen=True, slots=True)
class DesignVote:
    """One response: which design was first, and which was chosen; None where that cannot be read."""

    first_design: DesignLetter
    trial: int
    chosen: DesignLetter | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class DesignPreference:
    """What the responses come to. `probability` is that the model prefers A once its position bias is removed,
    `share` how often it would choose A, and `first` how often the first place, averaged over the orders.
    Of `both` trials that chose in either order, `by_place` took the same place twice, and so another design."""

    verdict: DesignLetter | None
    probability: float
    share: float
    first: float
    when_first: tuple[int, int]  # responses for A and for B where A was first
    when_second: tuple[int, int]
    unread: int
    by_place: int
    both: int
    repeating: bool  # whether trials gave the same response word for word, and so add no evidence

    @property
    def confidence(self) -> float:
        return max(self.probability, 1 - self.probability)

    @property
    def read(self) -> int:
        return sum(self.when_first) + sum(self.when_second)

    @property
    def first_place(self) -> int:
        """Responses that chose the design that was shown first."""
        return self.when_first[0] + self.when_second[1]

    def votes(self, letter: DesignLetter) -> int:
        place = DESIGN_LETTERS.index(letter)
        return self.when_first[place] + self.when_second[place]


def infer_preference(votes: Sequence[DesignVote]) -> DesignPreference:
    when_first, when_second = ((_count_votes(votes, one, "A"), _count_votes(votes, one, "B")) for one in DESIGN_LETTERS)
    found = pair_preference(when_first, when_second)
    places: dict[int, list[bool]] = {}
    for one in votes:
        if one.chosen is not None:
            places.setdefault(one.trial, []).append(one.chosen == one.first_design)
    both = [taken for taken in places.values() if len(taken) == len(BOTH_ORDERS)]
    probability = round(found.probability, 12)  # so that renaming the designs renames the verdict, at the limit too
    return DesignPreference(
        "A" if probability >= MIN_PROBABILITY else "B" if 1 - probability >= MIN_PROBABILITY else None,
        probability,
        found.share,
        found.first_share,
        when_first,
        when_second,
        unread=sum(one.chosen is None for one in votes),
        by_place=sum(taken[0] == taken[1] for taken in both),
        both=len(both),
        repeating=len(votes) > len(BOTH_ORDERS) == len({(one.first_design, one.text) for one in votes}),
    )


def _count_votes(votes: Sequence[DesignVote], first: DesignLetter, chosen: DesignLetter) -> int:
    return sum(one.first_design == first and one.chosen == chosen for one in votes)


def chosen_design(first: DesignLetter, answer: str | None) -> DesignLetter | None:
    """The design that stands behind the word of an answer."""
    other: DesignLetter = "B" if first == "A" else "A"
    return {"First": first, "Second": other}.get(answer or "")


def design_pair(first: Path, second: Path, goal: str | None) -> DatasetCollection:
    """Two images as data to ask about. Names do not count: the same images are the same item."""
    for path in (first, second):
        if not path.is_file():
            raise UserError(f"{path}: expected a picture of a design, found {'a folder' if path.is_dir() else 'none'}")
        try:
            media.decode_image(path.read_bytes())
        except MediaError as error:
            raise MediaError(f"{path}: {error}") from None
    if (share := media.pixel_difference(first, second)) <= NEAR_IDENTICAL_SHARE:
        alike = "are the same picture" if not share else f"differ in {share:.3%} of their pixels"
        raise UserError(f"{first} and {second} {alike}; expected two designs with visible differences")
    goal_field = {"goal": goal} if goal else {}
    sources = [digest_file(first), digest_file(second)]
    pair = DesignPair.model_validate(
        {"id": digest("designs", sources, goal_field)[:12], "images": ["a", "b"], **goal_field}
    )
    header = DatasetHeader(
        format=1,
        kind="pair",
        name=f"{first.name} or {second.name}",
        licence="unknown",
        provenance="two designs of the user's",
        synthetic=False,
    )
    return DatasetCollection.single(Dataset(first.parent, header, (pair,), media_paths={"a": first, "b": second}))


def questions(data: DatasetCollection, design: QuestionDesign[TaskParams]) -> Iterator[PlannedQuestion]:
    dataset = data.of_kind("pair")
    pairs = [item for item in dataset.items if isinstance(item, DesignPair)] if dataset is not None else []
    for pair in pairs:
        assert dataset is not None
        paths = [dataset.media_path(path) for path in pair.images]
        sources = [digest_file(path) for path in paths]
        axes: dict[str, Json] = {"goal": "shown"} if pair.goal else {}
        for order in BOTH_ORDERS:
            question = Question(
                task=NAME,
                item=pair.id,
                axes={**axes, "order": list(order)},
                media=tuple(ImageSpec(sources[place]) for place in order),
                prompt_fields={"goal": goal_sentence(pair)},
                answer_format=PairChoice(),
                truth="",
                source_paths=dict(zip(sources, paths, strict=True)),
                tags={FIRST_DESIGN_TAG: DESIGN_LETTERS[order[0]]},
            )
            yield from repeat(question, design.trials)


def score_preference(_: Question, answer: str) -> Score:
    """There is no truth."""
    return Score(answer)


PREFERENCE = Task(
    name=NAME,
    summary="Which of two designs does a model prefer?",
    dataset_kinds=CHOICE.dataset_kinds,
    protocols=CHOICE.protocols,
    questions=questions,
    strategies={_PROMPT: zero_shot},
    scorer=Scorer(score=score_preference, correct=lambda _: None),
    metrics=(),
    views=TaskViews(item_noun="pair"),
)
