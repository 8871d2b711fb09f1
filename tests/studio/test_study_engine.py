"""A study without a server: seats, slots, answers, attention checks, and what becomes of those who stay away."""

import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from affordance.author.records import Kind
from affordance.author.study_records import Seat
from affordance.core.errors import UserError
from affordance.models.study_documents import study_scope, valid_answers
from affordance.studio.refused import Refused
from affordance.studio.studies.beginning import begin_study
from affordance.studio.studies.checks import check_sheet, passed
from affordance.studio.studies.exporting import answer_rows
from affordance.studio.studies.forms import (
    AnswerForm,
    ChoiceForm,
    EitherForm,
    Option,
    PlaceForm,
    ScaleForm,
    TagsForm,
    TextField,
    WordsForm,
    YesNoForm,
)
from affordance.studio.studies.given import check_given, is_complete
from affordance.studio.studies.opened import Changed, Opened
from affordance.studio.studies.seats import all_seats, held
from affordance.studio.studies.sheets import Sheet
from affordance.studio.studies.standing import standing
from affordance.studio.studies.taking import Full, agree
from errors import assert_carries, raises
from motion_data import summed_up
from study_world import WHO, StudyWorld, pairs_of, right_side, study_of, study_world

FORMS: tuple[AnswerForm, ...] = (
    ChoiceForm((Option("x", "X"), Option("y", "Y"), Option("z", "Z"))),
    ChoiceForm((Option("x", "X"), Option("y", "Y")), several=True),
    EitherForm(),
    PlaceForm((100, 50)),
    PlaceForm((100, 50), box=False),
    WordsForm((TextField("effect", "What you see"), TextField("meaning", "What it means"))),
    ScaleForm(0, 5),
    YesNoForm(),
    TagsForm(),
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study") / "pairs"
    pairs_of(folder)
    return folder


@pytest.fixture
def world(data: Path, tmp_path: Path) -> Any:
    def made(**how: Any) -> AbstractContextManager[StudyWorld]:
        return study_world(tmp_path / "it.db", study_of(data, **how), tmp_path / "cache")

    return made


def checked_side(opened: Opened, slot: str, code: str, *, wrong: bool = False) -> str:
    """The side that an attention check asks for, or the other one."""
    form = opened.sheet(slot, code).form
    return next(
        side for side in ("first", "second") if passed(form, {"side": side}, slot, code, opened.study.seed) is not wrong
    )


def answer_all(world: StudyWorld, seat: Seat, careless: bool = False) -> Seat:
    opened = world.opened
    for slot in seat.slots:
        if slot in seat.checks:
            side = checked_side(opened, slot, seat.code, wrong=careless)
        else:
            side = right_side(opened, slot)
        world.answer(seat, slot, {"side": side})
    return world.finish(seat)


def test_four_people_fill_four_pairs_twice_in_both_orders(world: Any) -> None:
    with world(per_item=4, per_person=4) as study:
        seats = [study.enter() for _ in range(4)]
        opened: Opened = study.opened
        assert sorted(slot for seat in seats for slot in seat.slots) == sorted(opened.slots)
        with pytest.raises(Full):
            study.enter()
        for seat in seats:
            assert len({opened.slots[slot].item for slot in seat.slots}) == 4
        first = [
            [slot for slot in opened.slots.values() if slot.item == item and slot.turn < 2] for item in opened.items
        ]
        assert all(one.question != other.question for one, other in first), "of two people, one sees each order"
        assert len({slots[0].question for slots in first}) == 4


def test_as_many_as_models_are_asked(data: Path) -> None:
    with raises(UserError, "per_item", 2, "behavior/choice"):
        study_of(data, per_item=3)


def test_nobody_who_stays_away_keeps_more_than_they_answered(world: Any) -> None:
    with world(per_item=2, per_person=4, hold_hours=1) as study:
        away, other = study.enter(), study.enter()
        study.answer(away, away.slots[0], {"side": "first"})
        study.answer(other, other.slots[0], {"side": "second"})
        with pytest.raises(Full):
            study.enter()
        study.now += timedelta(minutes=59)
        study.answer(other, other.slots[1], {"side": "second"})  # a sign of life
        study.now += timedelta(minutes=30)
        new = study.enter()
        assert set(new.slots) == set(away.slots[1:])
        seats = all_seats(study.project.ledger, study.study.name)
        assert seats[away.code].slots == away.slots[:1]
        with pytest.raises(Refused):
            study.answer(away, away.slots[1], {"side": "first"})
        study.answer(away, away.slots[0], {"side": "second"})  # what they have is still theirs
        there = held(seats, study.study).values()
        assert sorted(slot for of_seat in there for slot in of_seat) == sorted(study.opened.slots)


def test_whoever_comes_back_goes_on_and_has_what_is_free_for_what_they_lost(world: Any) -> None:
    with world(per_item=2, per_person=2, hold_hours=1) as study:
        first = study.enter()
        study.answer(first, first.slots[0], {"side": "first"})
        again = study.enter(first.code)
        assert (again.code, again.slots) == (first.code, first.slots)
        study.now += timedelta(hours=2)
        while True:  # until nothing is left
            try:
                study.enter()
            except Full:
                break
        lost = all_seats(study.project.ledger, study.study.name)[first.code]
        assert (lost.slots, lost.released) == (first.slots[:1], first.slots[1:])
        study.now += timedelta(hours=2)
        back = study.enter(first.code)
        assert len(back.slots) == 2
        assert back.slots[0] == first.slots[0]


def test_the_same_id_of_a_recruiting_service_is_the_same_seat(world: Any) -> None:
    with world(per_item=2, per_person=1) as study:
        first, again = study.enter(external="worker-1"), study.enter(external="worker-1")
        assert first.code == again.code
        assert study.enter(external="worker-2").code != first.code
        assert len(all_seats(study.project.ledger, study.study.name)) == 2


def test_answers_are_saved_once_the_last_counts_and_none_after_the_end(world: Any) -> None:
    with world(per_item=2, per_person=2) as study:
        seat = study.enter()
        slot, other = seat.slots
        key = secrets.token_hex(16)
        for _ in range(3):
            study.answer(seat, slot, {"side": "first"}, key)
        with pytest.raises(Refused):
            study.answer(seat, slot, {"side": "second"}, key)
        study.answer(seat, slot, {"side": "second"})
        history = study.project.ledger.documents.history(Kind.ANSWER, f"which/{seat.code}/{slot}")
        assert [one.document["given"] for one in history] == [{"side": "first"}, {"side": "second"}]
        with raises(Refused, 1):
            study.finish(seat)
        with pytest.raises(Refused):
            study.answer(seat, next(one for one in study.opened.slots if one not in seat.slots), {"side": "first"})
        study.answer(seat, other, {"side": "first"})
        assert study.finish(seat).finished == study.finish(seat).finished
        with pytest.raises(Refused):
            study.answer(seat, slot, {"side": "first"})


def test_a_closed_study_takes_nothing(world: Any) -> None:
    with world(per_item=2, per_person=2) as study:
        seat = study.enter()
        begin_study(study.project, study.study.model_copy(update={"closed": True}), WHO)
        with pytest.raises(Refused):
            study.answer(seat, seat.slots[0], {"side": "first"})
        with pytest.raises(Refused):
            study.enter()


def test_nobody_is_done_after_the_end(world: Any) -> None:
    with world(per_item=2, per_person=1) as study:
        seat, done = study.enter(), study.enter()
        for one in (seat, done):
            study.answer(one, one.slots[0], {"side": "first"})
        before = study.finish(done)
        begin_study(study.project, study.study.model_copy(update={"closed": True}), WHO)
        with pytest.raises(Refused):
            study.finish(seat)
        assert study.finish(done) == before
        assert len(valid_answers(study.project.ledger, "which")) == 2, "what was answered before counts"


def test_an_id_of_a_recruiting_service_is_kept_when_somebody_agrees(world: Any) -> None:
    with world(per_item=2, per_person=1, consent="I agree.") as study:
        first, second = study.enter(external="worker-1"), study.enter(external="worker-1")
        assert (first.external, second.external) == ("", "")
        assert first.code != second.code
        agreed = agree(study.project, study.opened, first.code, "worker-1", WHO, study.now)
        assert (agreed.external, len(agreed.slots)) == ("worker-1", 1)
        with pytest.raises(Refused):
            agree(study.project, study.opened, second.code, "worker-1", WHO, study.now)
        assert study.enter(external="worker-1").code == first.code


def test_who_does_not_read_is_excluded_and_their_slots_are_free(world: Any) -> None:
    with world(per_item=2, per_person=4, checks=2, wrong_checks=1) as study:
        careful, careless = study.enter(), study.enter()
        assert len(careful.slots) == 6
        assert careful.checks == ["check-1", "check-2"]
        assert answer_all(study, careful).excluded == ""
        assert_carries(answer_all(study, careless, careless=True).excluded, "2 of 2")
        assert {one.seat for one in valid_answers(study.project.ledger, "which")} == {careful.code}
        third = study.enter()
        assert {slot for slot in third.slots if slot not in third.checks} == {
            slot for slot in careless.slots if slot not in careless.checks
        }
        found = standing(study.project.ledger, study.opened, study.now)
        assert (found.planned, found.answered, found.complete) == (8, 4, False)
        assert (found.counts.finished, found.counts.excluded, found.counts.active) == (1, 1, 1)
        assert [(why.split()[0], count) for why, count in found.counts.reasons.items()] == [("2", 1)]
        answer_all(study, third)
        assert standing(study.project.ledger, study.opened, study.now).complete


def test_who_does_not_read_does_not_count_before_they_are_done(world: Any) -> None:
    with world(per_item=2, per_person=4, checks=1) as study:
        careless, other = study.enter(), study.enter()
        right, wrong = (checked_side(study.opened, "check-1", careless.code, wrong=wrong) for wrong in (False, True))
        own = [slot for slot in careless.slots if slot not in careless.checks]
        for slot in own[:2]:
            study.answer(careless, slot, {"side": "first"})
        with pytest.raises(Full):
            study.enter()
        study.answer(careless, "check-1", {})
        assert len(valid_answers(study.project.ledger, "which")) == 2, "nothing is neither right nor wrong"
        study.answer(careless, "check-1", {"side": wrong})
        assert valid_answers(study.project.ledger, "which") == []
        found = standing(study.project.ledger, study.opened, study.now)
        assert (found.answered, found.counts.excluded) == (0, 1)
        assert [(why.split()[0], count) for why, count in found.counts.reasons.items()] == [("1", 1)]
        assert ["1 of 1" in one["why"] and one["counted"] for one in rows_of(study)] == ["no"] * 2

        third = study.enter()
        assert set(third.slots) - set(third.checks) == set(own), "their slots are free"
        with pytest.raises(Refused):
            study.answer(careless, own[2], {"side": "first"})
        study.answer(careless, "check-1", {"side": right})
        for seat in (other, third):
            assert answer_all(study, seat).excluded == ""
        counted = valid_answers(study.project.ledger, "which")
        assert {one.seat for one in counted} == {other.code, third.code}, "what somebody else has is not theirs again"
        assert len({(one.question, one.trial) for one in counted}) == len(counted) == 8
        lost = [one for one in rows_of(study) if one["seat"] == careless.code]
        assert {(one["counted"], bool(one["why"]), "1 of 1" in one["why"]) for one in lost} == {("no", True, False)}


def test_what_somebody_left_half_done_goes_to_somebody_else(tmp_path: Path) -> None:
    summed_up(tmp_path / "clips")
    words = study_of(tmp_path / "clips", "said", "motion/meaning", per_item=1, hold_hours=1)
    with study_world(tmp_path / "it.db", words, tmp_path / "cache") as study:
        away = study.enter()
        study.answer(away, away.slots[0], {"answer": "It is in the cart"})
        study.answer(away, away.slots[1], {"answer": " "})
        study.now += timedelta(hours=2)
        new = study.enter()
        assert set(new.slots) == set(away.slots[1:])
        for slot in new.slots:
            study.answer(new, slot, {"answer": "It is gone"})
        counted = valid_answers(study.project.ledger, "said")
        assert len({(one.question, one.trial) for one in counted}) == len(counted) == len(away.slots)
        assert [one.slot for one in counted if one.seat == away.code] == away.slots[:1]
        found = standing(study.project.ledger, study.opened, study.now)
        assert (found.answered, found.complete) == (len(away.slots), True)


def rows_of(study: StudyWorld) -> list[dict[str, Any]]:
    ledger = study.project.ledger
    return answer_rows(study.opened, all_seats(ledger, "which"), ledger.documents.latest(scope=study_scope("which")))


def test_a_study_goes_on_under_its_name_as_long_as_it_is_the_same(data: Path, world: Any) -> None:
    with world(per_item=2, per_person=2, consent="I agree.") as study:
        kept = begin_study(
            study.project, study_of(data, per_item=2, per_person=2, completion="https://x.example/"), WHO
        )
        assert (kept.consent, kept.completion) == ("I agree.", "https://x.example/")
        for change, facts in (
            ({"per_item": 4}, ("per_item", 2, 4)),
            ({"seed": 3}, ("seed", 0, 3)),
            ({"per_person": 3}, ("per_person", 2, 3)),
            ({"checks": 1}, ("checks", 0, 1)),
        ):
            with raises(UserError, "which", *facts):
                begin_study(study.project, study_of(data, **{"per_item": 2, "per_person": 2} | change), WHO)
        for name in ("", "a/b", "../x", "x" * 70):
            with pytest.raises(UserError):
                begin_study(study.project, study.study.model_copy(update={"name": name}), WHO)
        with raises(UserError, "completion_url", "javascript:alert(1)"):
            begin_study(study.project, study.study.model_copy(update={"completion": "javascript:alert(1)"}), WHO)


def test_a_study_whose_dataset_changed_is_paused_until_it_is_put_back(tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    pairs_of(folder)
    with study_world(tmp_path / "it.db", study_of(folder), tmp_path / "cache") as study:
        seat = study.enter()
        study.answer(seat, seat.slots[0], {"side": "first"})
        picture = folder / "media" / "pair-00-0.png"
        before = picture.read_bytes()
        picture.write_bytes((folder / "media" / "pair-01-0.png").read_bytes())
        with raises(Changed, study.study.dataset["digest"]):
            study.enter()
        picture.write_bytes(before)
        assert study.enter(seat.code).slots == seat.slots
        (folder / "items.jsonl").write_text("", "utf-8")
        with pytest.raises(Changed):
            study.enter()


def test_an_attention_check_names_its_answer_and_knows_it() -> None:
    for form in FORMS:
        usual = Sheet("s", "Heading", "Do it", (), form)
        asked = {}
        for seat in ("a", "b", "c", "d", "e"):
            check = check_sheet(usual, "check-1", seat, 5)
            answers = list(_candidates(check.form))
            right = [one for one in answers if passed(check.form, one, "check-1", seat, 5)]
            assert len(right) == 1, "one of all answers is right"
            assert not passed(check.form, {}, "check-1", seat, 5)
            assert is_complete(check.form, right[0])
            check_given(check.form, right[0])
            assert _word(check.form, right[0]) in check.instruction
            assert asked.setdefault(str(right[0]), check.instruction) == check.instruction
        assert len(set(asked.values())) == len(asked), "another answer, another instruction"


def _candidates(form: AnswerForm) -> Iterator[dict[str, Any]]:
    match form:
        case ChoiceForm(options, several):
            for one in options:
                yield {"options": [one.name]} if several else {"option": one.name}
        case EitherForm():
            yield from ({"side": "first"}, {"side": "second"})
        case PlaceForm(box=box):
            for x, y in ((10, 10), (90, 10), (10, 40), (90, 40)):
                square = {"box": {"space": "pixel", "xyxy": [x - 5, y - 5, x + 5, y + 5]}}
                yield square if box else {"point": {"space": "pixel", "xy": [x, y]}}
        case WordsForm() | TagsForm():
            words = ("harbour", "lantern", "meadow", "orchard", "pebble", "saddle", "thimble", "willow")
            for word in words:
                yield {"tags": [word]} if isinstance(form, TagsForm) else {"effect": word, "meaning": f"It is {word}."}
        case ScaleForm(low, high):
            for score in range(low, high + 1):
                yield {"score": score}
        case YesNoForm():
            yield from ({"yes": True}, {"yes": False})


def _word(form: AnswerForm, given: dict[str, Any]) -> str:
    """What the instruction quotes of the answer; nothing where it is described in words."""
    (value, *_) = given.values()
    match form:
        case ChoiceForm(options):
            name = value[0] if isinstance(value, list) else value
            return next(one.label for one in options if one.name == name)
        case EitherForm(labels):
            return labels[("first", "second").index(value)]
        case PlaceForm() | YesNoForm():
            return ""
        case TagsForm():
            return str(value[0])
    return str(value)


BAD_ANSWERS: tuple[tuple[int, dict[str, Any], tuple[object, ...]], ...] = (
    (0, {"option": "w"}, ("'w'",)),
    (0, {"option": 3}, ()),
    (0, {"option": "x", "reason": "r"}, ("'reason'",)),
    (1, {"options": ["x", "x"]}, ()),
    (2, {"side": "third"}, ("first", "second")),
    (3, {"box": {"space": "pixel", "xyxy": [0, 0, 101, 50]}}, ("100x50",)),
    (3, {"box": {"space": "unit", "xyxy": [0, 0, 1, 1]}}, ("100x50",)),
    (3, {"box": {"space": "pixel", "xyxy": [0, 0, 0.5, 50]}}, ()),
    (3, {"box": {"space": "pixel", "xyxy": [1e999, 0, 5, 50]}}, ()),
    (3, {"absent": True}, ("'absent'",)),
    (4, {"point": {"space": "pixel", "xy": [10**400, 1]}}, ()),
    (5, {"effect": 3}, ()),
    (5, {"effect": "x" * 2001}, ("2,000",)),
    (6, {"score": 6}, (0, 5)),
    (6, {"score": True}, (0, 5)),
    (7, {"yes": "true"}, ()),
    (8, {"tags": [" "]}, ()),
    (8, {"tags": ["a", "a"]}, ()),
    (8, {"tags": ["x" * 61]}, (60,)),
)
GOOD_ANSWERS: tuple[tuple[int, dict[str, Any]], ...] = (
    (0, {"option": "x"}),
    (1, {"options": ["x", "y"]}),
    (2, {"side": "second"}),
    (3, {"box": {"space": "pixel", "xyxy": [0, 0, 100, 50]}}),
    (4, {"point": {"space": "pixel", "xy": [10, 1]}}),
    (5, {"effect": "x" * 2000}),
    (6, {"score": 5}),
    (7, {"yes": True}),
    (8, {"tags": ["x" * 60, "a"]}),
)


def test_an_answer_that_the_form_does_not_have_is_refused() -> None:
    for place, given, data in BAD_ANSWERS:
        with raises(Refused, *data):
            check_given(FORMS[place], given)
    for place, given in GOOD_ANSWERS:
        check_given(FORMS[place], given)


def test_what_is_unfinished_is_kept_and_does_not_count_as_answered() -> None:
    words = FORMS[5]
    check_given(words, {"effect": "it moves"})
    assert not is_complete(words, {"effect": "it moves"})
    assert not is_complete(words, {"effect": "it moves", "meaning": "  "})
    assert is_complete(words, {"effect": "it moves", "meaning": "I don't know"})
    for form in FORMS:
        check_given(form, {})
        assert not is_complete(form, {})
