"""`motion/purpose`: which questions there are, in which order the options stand, and which answers are read."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.question import Question, SingleChoice
from affordance.core.requests import FinishReason, Response
from affordance.datasets import DatasetCollection
from affordance.datasets.taxonomies import PURPOSES
from affordance.tasks.choice_answers import write_single_choice
from affordance.tasks.motion.purpose import PURPOSE, PURPOSE_DEFINITIONS
from affordance.tasks.question_design import OptionOrder
from errors import raises
from motion_data import answered, clip, leaks, only_ask, outcome, prompt_of, questions_of, twin_of, write_clips
from task_numbers import baselines_of, design_of


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    """Fourteen clips, two of each purpose; and some that cannot be asked about."""
    clips = [clip(f"thing{number:02}", purpose=PURPOSES[number % 7]) for number in range(14)]
    clips[0] = clips[0].model_copy(update={"platform": "Web"})
    others = [clip("open"), clip("odd", purpose="Decoration"), twin_of(clips[0], "reversed", purpose="Feedback")]
    return write_clips(tmp_path_factory.mktemp("purposes"), *clips, *others, frames=30)


def options_of(question: Question) -> list[str]:
    assert isinstance(question.answer_format, SingleChoice)
    return [option.name for option in question.answer_format.options]


def test_clips_with_a_known_purpose_are_asked_about(data: DatasetCollection) -> None:
    """A twin is not: run backwards, an animation is for something else."""
    found = questions_of(PURPOSE, data)
    assert Counter(question.item for question in found) == {f"item-thing{number:02}": 1 for number in range(14)}
    assert [question.truth for question in found] == [PURPOSES[number % 7] for number in range(14)]


def test_the_seven_purposes() -> None:
    assert tuple(PURPOSE_DEFINITIONS) == PURPOSES == PURPOSE.views.classes
    assert (
        *("Transition", "Demonstration", "Guidance", "Feedback"),
        *("Visualization", "Highlight", "Aesthetic"),
    ) == PURPOSES


@pytest.mark.parametrize("seed", [0, 1, 12])
@pytest.mark.parametrize("trials", [1, 3])
def test_over_clips_the_truth_is_in_every_slot_equally_often(data: DatasetCollection, seed: int, trials: int) -> None:
    found = questions_of(PURPOSE, data, seed=seed, trials=trials)
    assert Counter(question.tags["slot"] for question in found) == dict.fromkeys("ABCDEFG", 2 * trials)


def test_trials_are_balanced_too_and_never_change_the_earlier_ones(data: DatasetCollection) -> None:
    three, one = (
        list(PURPOSE.questions(data, design_of(PURPOSE, trials=trials, option_order=OptionOrder.BALANCED)))
        for trials in (3, 1)
    )
    assert len(three) == 3 * len(one)
    assert [trial.question.id for trial in three if trial.trial == 0] == [trial.question.id for trial in one]


def test_the_published_order_in_the_protocol_of_the_paper(data: DatasetCollection) -> None:
    assert {name: (one.trials, one.option_order) for name, one in PURPOSE.protocols.items()} == {
        "affordance": (1, OptionOrder.BALANCED),
        "paper": (1, OptionOrder.FIXED),
    }
    assert PURPOSE.protocols["paper"].sampling == {}, "default sampling"
    found = questions_of(PURPOSE, data, option_order=OptionOrder.FIXED)
    assert {tuple(options_of(question)) for question in found} == {PURPOSES}


@pytest.mark.parametrize("order", list(OptionOrder))
@pytest.mark.parametrize("seed", [0, 5])
def test_the_oracle_is_right_in_any_order(data: DatasetCollection, order: OptionOrder, seed: int) -> None:
    for question in questions_of(PURPOSE, data, option_order=order, seed=seed):
        verdict = answered(PURPOSE, question)
        assert (verdict.status, verdict.answer, verdict.score) == (AttemptStatus.ANSWERED, question.truth, 1.0)


def test_tags(data: DatasetCollection) -> None:
    found = {question.item: question for question in questions_of(PURPOSE, data)}
    tags = dict(found["item-thing00"].tags)
    assert options_of(found["item-thing00"])["ABCDEFG".index(tags.pop("slot"))] == "Transition"
    assert tags == {
        "cues": "context",
        "purpose": "Transition",
        "platform": "Web",
        "region": "0.2500",
        "animation shown": "in several frames",
        "animation share": "0.1667",
    }
    assert "platform" not in found["item-thing01"].tags
    for question in found.values():
        assert options_of(question)["ABCDEFG".index(question.tags["slot"])] == question.truth


def test_a_limit_takes_some_and_balances_their_orders(data: DatasetCollection) -> None:
    few = questions_of(PURPOSE, data, limit=4)
    assert len(few) == len({question.tags["slot"] for question in few}) == 4
    assert {q.id for q in few} <= {q.id for q in questions_of(PURPOSE, data, limit=6)}
    all_of_them = {question.item: question.id for question in questions_of(PURPOSE, data)}
    version_1 = questions_of(PURPOSE, data, limit=4, version=1)
    assert len(version_1) == 4
    assert all(all_of_them[question.item] == question.id for question in version_1)


def test_what_is_asked(data: DatasetCollection) -> None:
    question = questions_of(PURPOSE, data, option_order=OptionOrder.FIXED)[0]
    text = prompt_of(only_ask(PURPOSE, question))
    for letter, name in zip("ABCDEFG", PURPOSES, strict=True):
        assert f"\n{letter}. {name}: {PURPOSE_DEFINITIONS[name]}" in text
    parts = ("10", "Somebody buys", "They tapped", "\nA. ", "\nG. ")
    places = [text.index(part) for part in parts]
    assert places == sorted(places), "in the published order"
    assert "{" not in text


def test_nothing_in_an_ask_singles_the_truth_out(data: DatasetCollection) -> None:
    """All purposes are there equally often: as a name, as a label, and in the texts that show it."""
    for question in questions_of(PURPOSE, data):
        ask = only_ask(PURPOSE, question)
        assert len({len(leaks(ask, name)) for name in PURPOSES}) == 1
        assert leaks(ask, question.item, *map(str, question.source_paths.values()), "slot") == []


# Asked in the published order: B is Demonstration.
ANSWERS: dict[str, tuple[str, str | None]] = {
    "the published form": ("B — Demonstration: it shows how the menu opens.", "Demonstration"),
    "a hyphen": ("B - Demonstration: it shows.", "Demonstration"),
    "an en dash": ("B – Demonstration: it shows.", "Demonstration"),
    "two hyphens": ("B -- Demonstration: it shows.", "Demonstration"),
    "no spaces": ("B—Demonstration: it shows.", "Demonstration"),
    "bold": ("**B — Demonstration:** it shows.", "Demonstration"),
    "the letter in bold": ("**B** — **Demonstration**: it shows.", "Demonstration"),
    "brackets": ("(B) — Demonstration: it shows.", "Demonstration"),
    "a full stop": ("B. Demonstration: it shows.", "Demonstration"),
    "a colon": ("B: Demonstration — it shows.", "Demonstration"),
    "small letter": ("b — Demonstration: it shows.", "Demonstration"),
    "A, which is also a word": ("A — Transition: the layout changes.", "Transition"),
    "the name alone": ("Demonstration: it shows.", "Demonstration"),
    "the letter alone": ("B", "Demonstration"),
    "letter and reason": ("B — it shows how the menu opens.", "Demonstration"),
    "introduced": ("Answer: B — Demonstration: it shows.", "Demonstration"),
    "in a fence": ("```\nB — Demonstration: it shows.\n```", "Demonstration"),
    "after thinking": ("<think>C — Guidance: no.</think>\nB — Demonstration: it shows.", "Demonstration"),
    "names another in the reason": ("D — Feedback: no transition, it answers to a tap.", "Feedback"),
    "over two lines": ("B — Demonstration:\nIt shows how the menu opens.", "Demonstration"),
    "letter and name disagree": ("B — Feedback: it answers.", None),
    "two at once": ("B or C — it shows.", None),
    "off the list": ("H — Decoration: it decorates.", None),
    "a list of all": ("A — Transition: no.\nB — Demonstration: yes.\nC — Guidance: no.", None),
    "prose": ("A square slides to the right.", None),
    "empty": ("", None),
}


@pytest.mark.parametrize(("text", "answer"), ANSWERS.values(), ids=ANSWERS.keys())
def test_which_answers_are_read(data: DatasetCollection, text: str, answer: str | None) -> None:
    question = questions_of(PURPOSE, data, option_order=OptionOrder.FIXED)[1]
    verdict = PURPOSE.score(question, Response(text))
    assert verdict.answer == answer
    assert verdict.status is (AttemptStatus.UNPARSED if answer is None else AttemptStatus.ANSWERED)
    assert verdict.score == (None if answer is None else float(answer == "Demonstration"))


def test_every_option_is_read_as_itself_in_every_order(data: DatasetCollection) -> None:
    for question in questions_of(PURPOSE, data):
        assert isinstance(question.answer_format, SingleChoice)
        for option in question.answer_format.options:
            for said in (
                write_single_choice(option, "So."),
                f"{option.letter} — {option.name}: so it is.",
                option.label,
            ):
                assert PURPOSE.score(question, Response(said)).answer == option.name


ENDINGS = {
    "refused": (Response("I'm sorry, I can't."), AttemptStatus.REFUSED),
    "cut": (Response("B — Demonstr", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED),
    "failed": (Response(finish=FinishReason.ERROR, error="500"), AttemptStatus.FAILED),
    "unable": (Response(finish=FinishReason.UNSUPPORTED, error="too many frames"), AttemptStatus.SKIPPED),
}


@pytest.mark.parametrize(("reply", "ended"), ENDINGS.values(), ids=ENDINGS.keys())
def test_what_is_no_answer(data: DatasetCollection, reply: Response, ended: AttemptStatus) -> None:
    assert PURPOSE.score(questions_of(PURPOSE, data)[0], reply).status is ended


def test_floors() -> None:
    truths = ["Feedback"] * 3 + ["Aesthetic"]
    assert baselines_of(PURPOSE, [outcome(Verdict(AttemptStatus.UNPARSED), truth=truth) for truth in truths]) == {
        "chance": pytest.approx(1 / 7),
        "always the most frequent": 0.75,
    }


def test_without_purposes_there_is_nothing_to_ask(tmp_path: Path) -> None:
    data = write_clips(tmp_path, clip("open"), clip("odd", purpose="feedback"))
    with raises(UserError, "motion/purpose", *PURPOSES, "'clips'"):
        questions_of(PURPOSE, data)
    with raises(UserError, "motion/purpose"):
        questions_of(PURPOSE, DatasetCollection("empty", ()))


def test_another_rate(data: DatasetCollection) -> None:
    question = questions_of(PURPOSE, data, fps=Fraction(5, 2))[0]
    assert len(question.media) == 2
    assert re.search(r"(?<!\d)5/2(?!\d)", prompt_of(only_ask(PURPOSE, question)))
