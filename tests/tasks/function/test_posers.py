"""Questions about outcomes: which options there are, in which order, and how answers are scored."""

import itertools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.media_spec import RED
from affordance.core.question import MultipleChoice, Question, SingleChoice
from affordance.core.requests import FinishReason, Response
from affordance.datasets import ChoiceItem, ChoiceOption, Dataset, DatasetCollection, Region, Screen
from affordance.tasks.function.captured_outcomes import (
    EASY,
    HARD,
    N_MULTI_OPTIONS,
    N_OPTIONS,
    TARGET,
    multi_answer_options,
    single_answer_options,
)
from affordance.tasks.function.outcome import (
    OUTCOME_ELEMENT,
    OUTCOME_REGION,
)
from affordance.tasks.metrics import NO_ANSWER_KIND
from affordance.tasks.question_design import OptionOrder, has_both_sources
from affordance.tasks.task import Task
from errors import raises
from function_data import (
    captured_screen,
    header,
    outcome,
    pixel,
    plain_outcomes,
    row_of,
    then_click,
    write_captured,
)
from task_numbers import baselines_of, design_of, errors_of, ideal_text, metrics_of


def asked(task: Task, data: DatasetCollection, **changes: Any) -> dict[str, Question]:
    return {
        trial.question.item: trial.question
        for trial in task.questions(data, design_of(task, **{"option_order": OptionOrder.SHUFFLED, **changes}))
    }


def truth_of(question: Question) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(question.truth)
    return found


def texts_of(question: Question) -> list[str]:
    assert isinstance(question.answer_format, SingleChoice | MultipleChoice)
    return [option.name for option in question.answer_format.options]


@pytest.fixture
def page() -> Screen:
    return captured_screen()


@pytest.fixture
def rich(tmp_path: Path, page: Screen) -> DatasetCollection:
    """b0 does three things, b1 takes two steps, t0 and t1 do the same, and clicking b0 is shown afterwards. No other
    button does anything on a right click, so that there is no hard option for it."""
    b0, b1, b2, b3, t0, t1, *others = page.elements
    steps = [then_click(b1, "A menu appears."), then_click(b2, "The menu closes.")]
    after = {"after": "media/after.png", "after_box": pixel(100, 100, 130, 120)}
    return write_captured(
        tmp_path,
        [page],
        [
            outcome("page", b0, "The file opens.", **after),
            outcome("page", b0, "A hint appears.", "hover"),
            outcome("page", b0, "A menu appears.", "right click"),
            outcome("page", b1, "A new page opens.", steps=steps),
            outcome("page", b2, "The file is saved."),
            outcome("page", b2, "Its name appears.", "hover"),
            outcome("page", b3, "The file opens."),
            outcome("page", t0, "The overview is shown."),
            outcome("page", t1, "The overview is shown."),
            *(outcome("page", one, f"The page about {one.id} opens.") for one in others),
        ],
    )


def test_five_options_of_which_one_is_right(rich: DatasetCollection, page: Screen) -> None:
    found = {
        item: one for item, one in asked(OUTCOME_ELEMENT, rich).items() if isinstance(one.answer_format, SingleChoice)
    }
    by_element: dict[str, set[str]] = {}
    for item in rich.of_kind("outcome").items:  # type: ignore[union-attr]
        by_element.setdefault(item.element, set()).add(item.sentence)  # type: ignore[attr-defined]
    assert len(found) == 14
    for item, question in found.items():
        element = item.split("/")[1]
        origins = truth_of(question)["origins"]
        texts = texts_of(question)
        assert len(set(texts)) == len(texts) == N_OPTIONS
        assert [text for text in texts if text in by_element[element]] == truth_of(question)["right"]
        assert Counter(origins.values())[TARGET] == 1
        alike = {text for other, said in by_element.items() if other[0] == element[0] for text in said}
        for text, origin in origins.items():
            assert any(text in said for said in by_element.values()), "every option was verified"
            assert origin == TARGET or text not in by_element[element]
            if origin == HARD:
                assert text in alike
            if origin == EASY:
                assert text not in alike
        assert HARD in origins.values()
        assert EASY in origins.values()
        assert texts["ABCDE".index(question.tags["slot"])] == truth_of(question)["right"][0]


def test_what_is_asked(rich: DatasetCollection, page: Screen) -> None:
    found = asked(OUTCOME_ELEMENT, rich)
    clicked = found["page/b0/click"]
    assert clicked.prompt_fields["question"] == (
        "What will happen to the given screen if one clicks on the element highlighted with a red rectangle?"
    )
    (picture,) = clicked.media
    (outline,) = picture.outlines
    assert (outline.box, outline.colour, outline.thickness) == (page.elements[0].box, RED, 3)
    assert [line[:3] for line in clicked.prompt_fields["options"].splitlines()] == ["A) ", "B) ", "C) ", "D) ", "E) "]
    assert '{"answer": "A/B/C/D/E"}' in clicked.prompt_fields["instruction"]
    assert "moves the pointer over" in found["page/b0/hover"].prompt_fields["question"]
    several = found["page/b0/all"]
    assert several.prompt_fields["question"] == (
        "Which of these can happen if one clicks on or moves the pointer over or right-clicks on the element "
        "highlighted with a red rectangle?"
    )
    assert sorted(truth_of(several)["right"]) == ["A hint appears.", "A menu appears.", "The file opens."]
    assert len(texts_of(several)) == N_MULTI_OPTIONS
    assert several.tags["answers"] == "multi"
    assert "slot" not in several.tags


def test_outcomes_of_several_steps_have_a_tag(rich: DatasetCollection) -> None:
    found = asked(OUTCOME_ELEMENT, rich)
    assert {item: one.tags["steps"] for item, one in found.items() if one.tags.get("steps", "1") != "1"} == {
        "page/b1/click": "2"
    }
    assert "“Button b2”" in found["page/b1/click"].prompt_fields["question"]


def test_the_picture_of_what_really_happened_stays_with_the_truth(rich: DatasetCollection) -> None:
    question = asked(OUTCOME_ELEMENT, rich)["page/b0/click"]
    after = truth_of(question)["after"]
    assert after["box"] == pixel(100, 100, 130, 120).to_json()
    assert OUTCOME_ELEMENT.views.truth_image(question.truth) == after["source"]
    assert question.source_paths[after["source"]].name == "after.png"
    assert after["source"] not in {picture.source for picture in question.media}
    assert OUTCOME_ELEMENT.views.truth_image(asked(OUTCOME_ELEMENT, rich)["page/b2/click"].truth) is None


def five_rows(more: Sequence[Region] = ()) -> Screen:
    """Five regions with three buttons each, of which the first two are toolbars and look alike, in one that is all."""
    elements = [button for n in range(5) for button in row_of("button", "abcde"[n], 3, (20, 20 + 60 * n), (40, 40))]
    kinds = ("toolbar", "toolbar", "list", "list", "form")
    regions = [
        Region(id=f"r{n}", box=pixel(10, 14 + 60 * n, 200, 66 + 60 * n), type=kinds[n], parent="w") for n in range(5)
    ]
    whole = Region(id="w", box=pixel(0, 0, 480, 320), type="main")
    rows = captured_screen("rows", regions=[whole, *regions, *more])
    return rows.model_copy(update={"elements": elements})


def test_regions(tmp_path: Path) -> None:
    rows = five_rows()
    found = asked(OUTCOME_REGION, write_captured(tmp_path, [rows], plain_outcomes(rows)))
    # What nothing looks like has no hard options, and single outcomes of the whole have no others.
    assert set(found) == {f"rows/r{n}" for n in range(4)} | {f"rows/r{n}/all" for n in range(5)}
    for item, question in found.items():
        letter = "abcde"[int(item.split("/")[1][1:])]
        texts, truth = texts_of(question), truth_of(question)
        assert len(set(texts)) == len(texts) == (N_MULTI_OPTIONS if item.endswith("/all") else N_OPTIONS)
        for text in texts:
            assert (f"rows {letter}" in text) is (text in truth["right"])
            assert (truth["origins"][text] == TARGET) is (text in truth["right"])
    assert found["rows/r0"].tags["region type"] == "Global Navigation & Structure"
    origins = truth_of(found["rows/r0"])["origins"]
    assert [text for text, origin in origins.items() if origin == HARD and "rows b" in text], "the other toolbar"


def test_no_option_is_there_twice_where_regions_share_their_place(tmp_path: Path) -> None:
    twins = [Region(id=f"again{n}", box=pixel(10, 134, 200, 186), type="list", parent="w") for n in range(3)]
    rows = five_rows(twins)
    found = list(
        OUTCOME_REGION.questions(
            write_captured(tmp_path, [rows], plain_outcomes(rows)),
            design_of(OUTCOME_ELEMENT, option_order=OptionOrder.SHUFFLED),
        )
    )
    assert found
    for trial in found:
        texts = texts_of(trial.question)
        assert len(set(texts)) == len(texts), trial.question.item


def test_what_can_be_done_in_a_region_is_no_wrong_option_for_it(tmp_path: Path) -> None:
    """A region that is drawn inside another without being its child."""
    inner = Region(id="inner", box=pixel(12, 136, 150, 184), type="search", parent="w")
    rows = five_rows([inner])
    data = write_captured(tmp_path, [rows], plain_outcomes(rows))
    for seed in range(10):
        truth = truth_of(asked(OUTCOME_REGION, data, seed=seed)["rows/r2"])
        assert [text for text in truth["origins"] if "rows c" in text] == truth["right"]


def test_too_few_options_are_no_question(tmp_path: Path, page: Screen) -> None:
    few = [outcome("page", one, f"{one.id}.") for one in page.elements if one.id in ("b0", "b1", "t0")]
    data = write_captured(tmp_path, [page], few)
    with raises(UserError, "function/outcome-element"):
        list(OUTCOME_ELEMENT.questions(data, design_of(OUTCOME_ELEMENT, option_order=OptionOrder.SHUFFLED)))


HARD_ONES, EASY_ONES = [f"hard {n}" for n in range(5)], [f"easy {n}" for n in range(5)]


def test_the_right_option_stands_in_every_slot_equally_often() -> None:
    picks = [single_answer_options("right", HARD_ONES, EASY_ONES, 0, f"item {n}") for n in range(3000)]
    found = [[origin for _, origin in pick] for pick in picks if pick is not None]
    assert len(found) == 3000
    for origin, each in ((TARGET, 600), (HARD, 1800), (EASY, 600)):
        slots = [sum(origins[slot] == origin for origins in found) for slot in range(N_OPTIONS)]
        assert chisquare(slots, [each] * N_OPTIONS).pvalue > 0.001, f"{origin}: {slots}"
    assert len({tuple(origins) for origins in found}) == 20, "every order of kinds occurs"


def test_the_right_options_of_several_stand_everywhere_too() -> None:
    picks = [multi_answer_options(["r0", "r1"], HARD_ONES, EASY_ONES, 0, f"item {n}") for n in range(2000)]
    slots = Counter(slot for pick in picks for slot, (_, origin) in enumerate(pick or ()) if origin == TARGET)
    assert chisquare([slots[slot] for slot in range(N_MULTI_OPTIONS)]).pvalue > 0.001


def test_which_distractors_are_taken_varies() -> None:
    taken = Counter(
        text for n in range(500) for text, _ in single_answer_options("right", HARD_ONES, EASY_ONES, 0, str(n)) or ()
    )
    assert all(100 < taken[text] < 500 for text in HARD_ONES)
    assert all(50 < taken[text] < 200 for text in EASY_ONES)


@settings(max_examples=40)
@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 4), st.text(max_size=5))
def test_how_many_options(hard: int, easy: int, right: int, seed: str) -> None:
    hards, easies = [f"h{n}" for n in range(hard)], [f"e{n}" for n in range(easy)]
    one = single_answer_options("right", hards, easies, seed)
    assert (one is None) is (hard == 0 or easy < 4 - min(hard, 3))
    assert one is None or (len(one) == N_OPTIONS and Counter(origin for _, origin in one)[TARGET] == 1)
    rights = [f"r{n}" for n in range(right)]
    some = multi_answer_options(rights, hards, easies, seed)
    if some is not None:
        assert len(some) == N_MULTI_OPTIONS
        assert {text for text, origin in some if origin == TARGET} == set(rights)
        assert right > 1
    assert one == single_answer_options("right", hards, easies, seed), "the same seed, the same options"


def test_another_seed_is_another_order_and_another_question(rich: DatasetCollection) -> None:
    one, other = asked(OUTCOME_ELEMENT, rich), asked(OUTCOME_ELEMENT, rich, seed=1)
    assert set(one) == set(other)
    assert sum(one[item].id != other[item].id for item in one) > len(one) / 2


def test_golden_id(rich: DatasetCollection) -> None:
    """As in runs of version 1 and of the paper's protocol, and as in others."""
    shuffled, balanced = (
        asked(OUTCOME_ELEMENT, rich, option_order=order) for order in (OptionOrder.SHUFFLED, OptionOrder.CAPTURED)
    )
    assert shuffled["page/b0/click"].id == "aba24404bcedc1203d6f08f1a2b792c4"
    assert balanced["page/b0/click"].id == "cad6582e8d40395fed07f179fa44d4fb"
    assert OUTCOME_ELEMENT.protocols["affordance"].option_order is OUTCOME_REGION.protocols["affordance"].option_order
    assert OUTCOME_ELEMENT.protocols["affordance"].option_order is OptionOrder.CAPTURED


def many(tmp_path: Path) -> DatasetCollection:
    """Screens with buttons that do one thing, and some that do two."""
    pages = [captured_screen(f"p{number}") for number in range(4)]
    outcomes = []
    for number, one in enumerate(pages):
        outcomes += plain_outcomes(one)
        for button in one.elements[:number]:
            outcomes.append(outcome(one.id, button, f"A hint of {one.id} {button.id}.", "hover"))
    return write_captured(tmp_path, pages, outcomes)


@pytest.mark.parametrize("limit", [None, 1, 4, 7, 20, 33])
def test_right_options_are_balanced_under_any_limit(tmp_path: Path, limit: int | None) -> None:
    """In each trial, for questions with one right option and with several."""
    design = design_of(OUTCOME_ELEMENT, trials=7, option_order=OptionOrder.CAPTURED, limit=limit)
    counts: dict[tuple[int, str], Counter[int]] = {}
    for one in OUTCOME_ELEMENT.questions(many(tmp_path), design):
        texts, right = texts_of(one.question), truth_of(one.question)["right"]
        key = one.trial, one.question.tags["answers"]
        counts.setdefault(key, Counter(dict.fromkeys(range(len(texts)), 0))).update(map(texts.index, right))
        assert len(one.question.tags["slot"]) == 1 if len(right) == 1 else "slot" not in one.question.tags
    assert {number for number, _ in counts} == set(range(7))
    assert len({kind for _, kind in counts}) == 2 or limit in (1, 4, 7)
    assert all(max(found.values()) - min(found.values()) <= 1 for found in counts.values()), counts


def test_a_larger_limit_keeps_the_orders(tmp_path: Path) -> None:
    data = many(tmp_path)
    found = [
        {
            one.question.id
            for one in OUTCOME_ELEMENT.questions(
                data, design_of(OUTCOME_ELEMENT, option_order=OptionOrder.CAPTURED, limit=limit)
            )
        }
        for limit in (5, 20, 99)
    ]
    assert found[0] < found[1] < found[2]


def test_what_is_published_and_what_is_captured_are_both_asked(tmp_path: Path, rich: DatasetCollection) -> None:
    """Published questions as they are; version 1 asked the captured ones only."""
    own = PUBLISHED.model_copy(update={"id": "page/b0/click", "level": "element"})
    other = PUBLISHED.model_copy(update={"id": "by hand", "level": None})
    data = DatasetCollection("both", (*rich.datasets, published(own, other).datasets[0]))
    captured = asked(OUTCOME_ELEMENT, rich, option_order=OptionOrder.CAPTURED)
    both = asked(OUTCOME_ELEMENT, data, option_order=OptionOrder.CAPTURED)
    assert has_both_sources(OUTCOME_ELEMENT.questions(data, design_of(OUTCOME_ELEMENT)))
    assert not has_both_sources(OUTCOME_ELEMENT.questions(rich, design_of(OUTCOME_ELEMENT)))
    assert not has_both_sources(OUTCOME_ELEMENT.questions(published(own), design_of(OUTCOME_ELEMENT)))
    assert set(both) == {*captured, "by hand"}
    for item in ("by hand", "page/b0/click"):
        assert texts_of(both[item]) == [option.text for option in PUBLISHED.options], "of one id the published one"
    assert Counter(one.tags["source"] for one in both.values()) == {"written": 2, "captured": len(captured) - 1}
    assert "source" not in captured["page/b0/click"].tags
    version_1 = asked(OUTCOME_ELEMENT, data, version=1)
    assert {item: one.id for item, one in version_1.items()} == {
        item: one.id for item, one in asked(OUTCOME_ELEMENT, rich, version=1).items()
    }


PUBLISHED = ChoiceItem(
    id="p",
    image="p.png",
    level="region",
    question="What does the marked region do?",
    options=[
        ChoiceOption(text="opens files", origin="target"),
        ChoiceOption(text="closes files", origin="hard"),
        ChoiceOption(text="prints", origin="easy"),
        ChoiceOption(text="saves", origin="target"),
        ChoiceOption(text="rings"),
    ],
    answers=[0, 3],
    multiple=True,
    tags={"region type": "Others", "density_shipped": "dense"},
)


def published(*items: ChoiceItem) -> DatasetCollection:
    return DatasetCollection.single(
        Dataset(Path("nowhere"), header("choice"), items, frozenset(one.image for one in items))
    )


def test_published_questions_keep_their_options_in_order() -> None:
    found = asked(OUTCOME_REGION, published(PUBLISHED))["p"]
    assert texts_of(found) == [option.text for option in PUBLISHED.options]
    assert found.tags["density, as shipped"] == "dense"
    assert found.media[0].outlines == (), "the rectangle is in the picture already"
    marked = PUBLISHED.model_copy(update={"target": pixel(1, 2, 3, 4)})
    assert asked(OUTCOME_REGION, published(marked))["p"].media[0].outlines[0].box == pixel(1, 2, 3, 4)
    with raises(UserError, "function/outcome-element"):
        asked(OUTCOME_ELEMENT, published(PUBLISHED))


SEVERAL = asked(OUTCOME_REGION, published(PUBLISHED))["p"]
SINGLE = asked(
    OUTCOME_REGION, published(PUBLISHED.model_copy(update={"answers": [0], "multiple": False}))
)["p"]  # fmt: skip
READ: dict[str, tuple[Question, str, float, str]] = {
    "all": (SEVERAL, "A, D", 1.0, ""),
    "one of them": (SEVERAL, "D", 0.5, "incomplete"),
    "one of them and a hard one": (SEVERAL, "A, B", 0.0, "hard"),
    "all of them and an easy one": (SEVERAL, "A, C, D", 0.0, "easy"),
    "easy and hard: hard tells more": (SEVERAL, "B, C", 0.0, "hard"),
    "from nobody knows where": (SEVERAL, "E", 0.0, "unknown"),
    "everything": (SEVERAL, "A, B, C, D, E", 0.0, "hard"),
    "the right one": (SINGLE, "A", 1.0, ""),
    "a hard one": (SINGLE, "B", 0.0, "hard"),
    "an easy one": (SINGLE, "C. prints", 0.0, "easy"),
    "the other right one of the set is none here": (SINGLE, "D", 0.0, "target"),
}


@pytest.mark.parametrize(("question", "said", "score", "mistake"), READ.values(), ids=READ.keys())
def test_scores(question: Question, said: str, score: float, mistake: str) -> None:
    verdict = OUTCOME_REGION.score(question, Response(said))
    assert (verdict.status, verdict.score, verdict.detail.get("mistake", "")) == (
        AttemptStatus.ANSWERED,
        score,
        mistake,
    )


ENDINGS = {
    "prose": (Response("It does things."), AttemptStatus.UNPARSED),
    "refusal": (Response("I'm sorry, I can't."), AttemptStatus.REFUSED),
    "cut": (Response("The region looks like", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED),
    "failure": (Response(finish=FinishReason.ERROR, error="HTTP 503: A, D"), AttemptStatus.FAILED),
}


@pytest.mark.parametrize(("reply", "ended"), ENDINGS.values(), ids=ENDINGS.keys())
def test_what_is_no_answer(reply: Response, ended: AttemptStatus) -> None:
    verdict = OUTCOME_REGION.score(SEVERAL, reply)
    assert (verdict.status, verdict.score) == (ended, None)


def outcomes_of(question: Question, replies: Sequence[str]) -> list[AttemptResult]:
    return [
        AttemptResult(
            str(n), question.task, "m", "zero-shot", n, question.id, question.item, question.truth, question.tags, "s",
            OUTCOME_REGION.score(question, Response(reply)),
        )
        for n, reply in enumerate(replies)
    ]  # fmt: skip


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["A, D", "A", "B", "C", "E", "A, B", "Hm.", "I'm sorry, I can't."]), min_size=1))
def test_shares_and_right_add_up(replies: list[str]) -> None:
    found = outcomes_of(SEVERAL, replies)
    right = replies.count("A, D") / len(replies)
    shares = errors_of(OUTCOME_REGION, found)
    assert sum(shares.values()) + right == pytest.approx(1)
    assert shares[NO_ANSWER_KIND] == sum(reply in ("Hm.", "I'm sorry, I can't.") for reply in replies) / len(replies)
    partly = 0.5 * replies.count("A") / len(replies)
    assert metrics_of(OUTCOME_REGION, found)["accuracy"] == pytest.approx(right + partly)


@pytest.mark.parametrize("options", range(2, 8))
def test_chance_is_what_guessing_scores(options: int) -> None:
    """Every non-empty set of options equally likely: checked by trying them all."""
    names = [f"option {n}" for n in range(options)]
    for right in range(1, options):
        item = PUBLISHED.model_copy(
            update={"options": [ChoiceOption(text=name) for name in names], "answers": list(range(right))}
        )
        question = asked(OUTCOME_REGION, published(item))["p"]
        letters = "ABCDEFGH"[:options]
        sets = [", ".join(some) for n in range(1, options + 1) for some in itertools.combinations(letters, n)]
        scores = [OUTCOME_REGION.score(question, Response(some)).score or 0 for some in sets]
        floors = baselines_of(OUTCOME_REGION, outcomes_of(question, ["A"]))
        assert floors["chance"] == pytest.approx(sum(scores) / len(scores))
    assert baselines_of(OUTCOME_REGION, outcomes_of(SINGLE, ["A", "B"])) == {"chance": pytest.approx(0.2)}
    assert baselines_of(OUTCOME_REGION, []) == {"chance": 0.0}


def test_the_ideal_answer_scores_1(rich: DatasetCollection) -> None:
    for task, data in ((OUTCOME_ELEMENT, rich), (OUTCOME_REGION, published(PUBLISHED))):
        for question in asked(task, data).values():
            said = ideal_text(task, question)
            assert said is not None
            assert task.score(question, Response(said)).score == 1.0


def test_verdicts_name_letters() -> None:
    assert OUTCOME_REGION.score(SEVERAL, Response("D, A")) == Verdict(AttemptStatus.ANSWERED, "A, D", 1.0)
