"""`affordance choose`: which of two designs of a user's own does a model prefer?

Nobody knows a winner, so nothing is scored and the task stands in no table. It is asked in the words of
`behavior/choice` and in both orders, so what is known of a model there holds here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Literal

from affordance import media
from affordance.core.ask import Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.digest import Json, digest, digest_file
from affordance.core.errors import MediaError, UserError
from affordance.core.grammar import Either
from affordance.core.picture import Picture
from affordance.core.question import Question
from affordance.datasets import Collection, Dataset, Header, Pair, alone
from affordance.datasets.check_pairs import NEARLY
from affordance.stats import preferred
from affordance.suites.behavior.choice import CHOICE, ORDERS, goal_sentence
from affordance.suites.behavior.picks import no_pick, read_pick
from affordance.suites.strategies import zero_shot
from affordance.suites.task import Design, Task, Trial
from affordance.suites.verdicts import conclude

Letter = Literal["A", "B"]

NAME = "behavior/choose"
LETTERS: tuple[Letter, Letter] = ("A", "B")
FIRST = "first"  # the tag with the letter of the design that is shown first
SURE = 0.9  # below this probability nothing is said
_PROMPT = "zero-shot"


@dataclass(frozen=True, slots=True)
class Said:
    """One reply: which design was first, and which was chosen; None where that cannot be read."""

    first: Letter
    trial: int
    chosen: Letter | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """What the replies come to. `probability` is that the model prefers A once its preference for a place is removed,
    `share` how often it would choose A, and `first` how often the first place, averaged over the orders.
    Of `both` trials that chose in either order, `by_place` took the same place twice, and so another design."""

    verdict: Letter | None
    probability: float
    share: float
    first: float
    when_first: tuple[int, int]  # replies for A and for B where A was first
    when_second: tuple[int, int]
    unread: int
    by_place: int
    both: int
    repeating: bool  # whether trials gave the same reply word for word, and so tell nothing new

    @property
    def confidence(self) -> float:
        return max(self.probability, 1 - self.probability)

    @property
    def read(self) -> int:
        return sum(self.when_first) + sum(self.when_second)

    @property
    def first_place(self) -> int:
        """Replies that chose the design that was shown first."""
        return self.when_first[0] + self.when_second[1]

    def votes(self, letter: Letter) -> int:
        place = LETTERS.index(letter)
        return self.when_first[place] + self.when_second[place]


def prefer(said: Sequence[Said]) -> Preference:
    when_first, when_second = ((_count(said, one, "A"), _count(said, one, "B")) for one in LETTERS)
    found = preferred(when_first, when_second)
    places: dict[int, list[bool]] = {}
    for one in said:
        if one.chosen is not None:
            places.setdefault(one.trial, []).append(one.chosen == one.first)
    both = [taken for taken in places.values() if len(taken) == len(ORDERS)]
    probability = round(found.probability, 12)  # so that renaming the designs renames the verdict, at the limit too
    return Preference(
        "A" if probability >= SURE else "B" if 1 - probability >= SURE else None,
        probability,
        found.share,
        found.first,
        when_first,
        when_second,
        unread=sum(one.chosen is None for one in said),
        by_place=sum(taken[0] == taken[1] for taken in both),
        both=len(both),
        repeating=len(said) > len(ORDERS) == len({(one.first, one.text) for one in said}),
    )


def _count(said: Sequence[Said], first: Letter, chosen: Letter) -> int:
    return sum(one.first == first and one.chosen == chosen for one in said)


def chosen_design(first: Letter, answer: str | None) -> Letter | None:
    """The design that stands behind the word of an answer."""
    other: Letter = "B" if first == "A" else "A"
    return {"First": first, "Second": other}.get(answer or "")


def two_designs(first: Path, second: Path, goal: str | None) -> Collection:
    """Two pictures as data to ask about. Names do not count: the same pictures are the same item."""
    for path in (first, second):
        if not path.is_file():
            raise UserError(f"{path}: expected a picture of a design, found {'a folder' if path.is_dir() else 'none'}")
        try:
            media.decode_image(path.read_bytes())
        except MediaError as error:
            raise MediaError(f"{path}: {error}") from None
    if (share := media.difference(first, second)) <= NEARLY:
        alike = "are the same picture" if not share else f"differ in {share:.3%} of their pixels"
        raise UserError(f"{first} and {second} {alike}; expected two designs that people can tell apart")
    told = {"goal": goal} if goal else {}
    sources = [digest_file(first), digest_file(second)]
    pair = Pair.model_validate({"id": digest("designs", sources, told)[:12], "images": ["a", "b"], **told})
    header = Header(
        format=1,
        kind="pair",
        name=f"{first.name} or {second.name}",
        licence="unknown",
        provenance="two designs of the user's",
        synthetic=False,
    )
    return alone(Dataset(first.parent, header, (pair,), elsewhere={"a": first, "b": second}))


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset = data.part("pair")
    pairs = [item for item in dataset.items if isinstance(item, Pair)] if dataset is not None else []
    for pair in pairs:
        assert dataset is not None
        paths = [dataset.file(path) for path in pair.images]
        sources = [digest_file(path) for path in paths]
        axes: dict[str, Json] = {"goal": "shown"} if pair.goal else {}
        for order in ORDERS:
            question = Question(
                task=NAME,
                item=pair.id,
                axes={**axes, "order": list(order)},
                pictures=tuple(Picture(sources[place]) for place in order),
                fields={"goal": goal_sentence(pair)},
                grammar=Either(),
                truth="",
                files=dict(zip(sources, paths, strict=True)),
                tags={FIRST: LETTERS[order[0]]},
            )
            for trial in range(design.trials):
                yield Trial(question, trial)


def read(question: Question, reply: Reply) -> Verdict:
    return conclude(reply, partial(_verdict, question))


def _verdict(question: Question, text: str) -> Verdict | str:
    assert isinstance(question.grammar, Either)
    picked = read_pick(text, question.grammar)
    return no_pick(question.grammar) if picked is None else Verdict(Ended.ANSWERED, picked)


CHOOSE = Task(
    name=NAME,
    summary="Which of two designs does a model prefer?",
    kinds=CHOICE.kinds,
    noun=CHOICE.noun,
    options=frozenset({"trials"}),
    protocols=CHOICE.protocols,
    prompts={_PROMPT: CHOICE.prompts[_PROMPT]},
    texts={
        _PROMPT: (files("affordance.suites.behavior") / "prompts" / "choice" / f"{_PROMPT}.txt")
        .read_text(encoding="utf-8")
        .strip()
    },
    strategies={_PROMPT: zero_shot},
    questions=questions,
    read=read,
    metrics=lambda _: {},
    floors=lambda _: {},
    ideal=lambda question, grammar: None,  # nobody knows
)
