"""`motion/twin`: both orders of two recordings that only motion tells apart."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.media_spec import ImageSpec
from affordance.core.question import Question
from affordance.core.requests import Response
from affordance.datasets import Clip, DatasetCollection
from affordance.datasets.items import ItemLink
from affordance.tasks.motion.twin import TWIN, TWIN_KINDS
from affordance.tasks.question_design import OptionOrder
from errors import raises
from motion_data import answered, clip, leaks, only_ask, outcome, prompt_of, questions_of, twin_of, write_clips
from task_numbers import baselines_of, metrics_of

THROUGHOUT = {"start_frame": None, "end_frame": None}
TEA, SALT = clip("tea", purpose="Feedback", **THROUGHOUT), clip("salt")
TWINS = [twin_of(TEA, kind, **THROUGHOUT) for kind in TWIN_KINDS]
FRAMES = {"item-tea": 60, "item-tea-reversed": 60, "item-tea-slower": 120, "item-tea-faster": 30, "item-tea-easing": 60}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    """A clip with a twin of every kind, one without a twin, and one whose original is gone."""
    lost = twin_of(TEA, "slower", id="item-lost", video="media/lost.mp4", links=[ItemLink(kind="twin", to="item-gone")])
    related = twin_of(SALT, "slower", id="item-related", links=[ItemLink(kind="variant", to="item-salt")])
    clips = [TEA, SALT, *TWINS, lost, related]
    frames = {one.id: FRAMES.get(one.id, 12) for one in clips}
    return write_clips(tmp_path_factory.mktemp("twins"), *clips, frames=frames)


def couples(data: DatasetCollection, **changes: object) -> dict[str, list[Question]]:
    found = questions_of(TWIN, data, **changes)
    return {kind: [one for one in found if one.tags["twin"] == kind] for kind in TWIN_KINDS}


def sources(question: Question) -> list[str]:
    """The names of the files, in the order in which their frames are shown."""
    names = [question.source_paths[picture.source].name for picture in question.media]
    return list(dict.fromkeys(names))


def test_couples_are_found_through_links(data: DatasetCollection) -> None:
    assert Counter((one.item, one.cluster) for one in questions_of(TWIN, data)) == {
        (f"item-tea-{kind}", "item-tea"): 2 for kind in TWIN_KINDS
    }
    assert {kind: len(found) for kind, found in couples(data).items()} == dict.fromkeys(TWIN_KINDS, 2)


@pytest.mark.parametrize("kind", TWIN_KINDS)
def test_both_orders_and_the_truth_is_where_what_is_asked_about_stands(data: DatasetCollection, kind: str) -> None:
    """The words describe the original of a reversed one; else it is the twin that is asked about."""
    one, other = couples(data)[kind]
    assert (one.truth, other.truth) == (("A", "B") if kind == "reversed" else ("B", "A"))
    places = {"A": "first", "B": "second"}
    assert [question.tags["place"] for question in (one, other)] == [places[one.truth], places[other.truth]]
    assert sources(one) == ["file-tea.mp4", f"file-tea-{kind}.mp4"]
    assert sources(other) == sources(one)[::-1]
    assert (one.axes, other.axes) == ({"twin": kind, "order": [0, 1]}, {"twin": kind, "order": [1, 0]})
    assert set(one.media) == set(other.media)
    assert one.tags["purpose"] == "Feedback"


@pytest.mark.parametrize("kind", TWIN_KINDS)
def test_the_words_do_not_tell_the_order(data: DatasetCollection, kind: str) -> None:
    """But for how many pictures belong to which, where one takes longer."""
    texts = []
    for question in couples(data)[kind]:
        ask = only_ask(TWIN, question)
        counts = (ask.prompt_fields["first"], ask.prompt_fields["second"])
        texts.append(prompt_of(ask).replace(f"first {counts[0]}", "first N").replace(f"other {counts[1]}", "other N"))
        assert sum(map(int, counts)) == len(question.media)
        assert leaks(ask, "item-", "file-", "twin") == []
    assert texts[0] == texts[1]


def test_what_is_asked_of_each_kind(data: DatasetCollection) -> None:
    texts = {kind: prompt_of(only_ask(TWIN, found[0])) for kind, found in couples(data).items()}
    assert len(set(texts.values())) == len(texts), "each kind is asked about in words of its own"
    assert "The tea slides." in texts["reversed"]
    assert not any("{" in text for text in texts.values())
    assert all("The tea slides" not in text for kind, text in texts.items() if kind != "reversed")


def test_there_is_no_green_box_and_no_trail(data: DatasetCollection) -> None:
    for question in questions_of(TWIN, data):
        for picture in question.media:
            assert isinstance(picture, ImageSpec)
            assert (picture.outlines, picture.blend, picture.max_side) == ((), None, 480)


def test_both_are_shown_at_one_rate_and_in_as_many_frames(data: DatasetCollection) -> None:
    counts = {kind: Counter(picture.source for picture in found[0].media) for kind, found in couples(data).items()}
    assert {kind: sorted(found.values()) for kind, found in counts.items()} == {
        "reversed": [10, 10],
        "slower": [20, 20],
        "faster": [10, 10],
        "easing": [10, 10],
    }


def test_nothing_is_shown_of_what_comes_before_and_after(tmp_path: Path) -> None:
    """How long a recording stands still would give away which of them runs backwards."""
    twin = twin_of(SALT, "reversed", start_frame=30, end_frame=47)
    (question, _) = questions_of(TWIN, write_clips(tmp_path, SALT, twin))
    times: dict[str, list[Fraction | None]] = {}
    for picture in question.media:
        assert isinstance(picture, ImageSpec)
        times.setdefault(question.source_paths[picture.source].name, []).append(picture.time)
    assert times == {
        "file-salt.mp4": [Fraction(2, 10), Fraction(3, 10), Fraction(4, 10)],
        "file-salt-reversed.mp4": [Fraction(5, 10), Fraction(6, 10), Fraction(7, 10)],
    }


def test_a_cap_lowers_the_rate_of_both(data: DatasetCollection) -> None:
    """Thinned each by itself, a slower one would seem to run as fast. Of the shorter one the last frame is held."""
    question = couples(data, max_frames=5)["slower"][0]
    times = [picture.time for picture in question.media if isinstance(picture, ImageSpec)]
    every = [Fraction(2 * k, 5) for k in range(5)]
    assert times == [*every[:3], Fraction(59, 60), Fraction(59, 60), *every]
    assert re.search(r"(?<!\d)2\.5(?!\d)", prompt_of(only_ask(TWIN, question)))
    assert couples(data, max_frames=50)["slower"][0].media == couples(data)["slower"][0].media


@pytest.mark.parametrize("order", list(OptionOrder))
def test_the_oracle_is_right_in_both_orders(data: DatasetCollection, order: OptionOrder) -> None:
    for question in questions_of(TWIN, data, option_order=order):
        verdict = answered(TWIN, question)
        assert (verdict.answer, verdict.score) == (question.truth, 1.0)


ANSWERS = {
    "a letter": ("A\nIt slides.", "A"),
    "in words": ("Answer: B", "B"),
    "with its label": ("B: recording B", "B"),
    "both": ("A or B", None),
    "prose": ("A tea slides in the first.", None),
}


@pytest.mark.parametrize(("text", "answer"), ANSWERS.values(), ids=ANSWERS.keys())
def test_answers(data: DatasetCollection, text: str, answer: str | None) -> None:
    question = questions_of(TWIN, data)[0]
    verdict = TWIN.score(question, Response(text))
    assert (verdict.answer, verdict.score) == (answer, None if answer is None else float(answer == question.truth))


def test_trials_and_limits(data: DatasetCollection) -> None:
    assert len(questions_of(TWIN, data, trials=3)) == 24
    assert Counter(one.item for one in questions_of(TWIN, data, limit=2)).most_common() == [
        (one.item, 2) for one in questions_of(TWIN, data, limit=2)[::2]
    ]


def test_golden_id(data: DatasetCollection) -> None:
    (one, _) = couples(data)["reversed"]
    assert one.id == "0366536f5893b7ba59a52f1e661e0ff7"


def test_chance_is_a_half() -> None:
    assert baselines_of(TWIN, [outcome(Verdict(AttemptStatus.UNPARSED))]) == {"chance": 0.5}


def test_which_way_it_runs_is_not_asked_where_nobody_said_what_is_seen(tmp_path: Path) -> None:
    mute = clip("tea", effect_responses=["", " "])
    data = write_clips(tmp_path, mute, twin_of(mute, "reversed"), twin_of(mute, "slower"), frames=6)
    assert {one.item for one in questions_of(TWIN, data)} == {"item-tea-slower"}


WITHOUT = {
    "no twins": [TEA, SALT],
    "no original": [TWINS[0]],
    "a reversed one of what nobody described": [
        clip("tea", effect_responses=[]),
        twin_of(clip("tea", effect_responses=[]), "reversed"),
    ],
}


@pytest.mark.parametrize("clips", WITHOUT.values(), ids=WITHOUT.keys())
def test_without_twins_there_is_nothing_to_ask(tmp_path: Path, clips: list[Clip]) -> None:
    with raises(UserError, "motion/twin", "'clips'"):
        questions_of(TWIN, write_clips(tmp_path, *clips, frames=6))


def test_without_clips_there_is_nothing_to_ask() -> None:
    with raises(UserError, "motion/twin"):
        questions_of(TWIN, DatasetCollection("empty", ()))


def test_position_bias() -> None:
    """Both recordings of a pair are shown first once: always the first one is a bias of 1, always right one of 0.5."""

    def results(*answers: str) -> list[AttemptResult]:
        return [
            replace(
                outcome(Verdict(AttemptStatus.ANSWERED, answer, float(answer == truth)), truth=truth), task=TWIN.name
            )
            for answer, truth in zip(answers, "AB", strict=True)
        ]

    assert metrics_of(TWIN, results("A", "A"))["position_preference"] == 1
    assert metrics_of(TWIN, results("A", "B"))["position_preference"] == 0.5
    assert metrics_of(TWIN, results("B", "B"))["position_preference"] == 0
