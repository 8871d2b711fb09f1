"""Preference studies: both orders equally often, nothing that tells who won, and votes in the order of the images."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.exchange.results import Facts
from affordance.author.pairs import export
from affordance.author.pairs.ballots import ballots_of
from affordance.author.pairs.votes import votes_of
from affordance.author.project import Project, open_project, plain
from affordance.author.records import Kind
from affordance.author.study_records import LeftOut, Seat, Study
from affordance.core.errors import DataError, UserError
from affordance.datasets import load_dataset
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE
from affordance.ledger import DocumentDraft
from affordance.media import decode_image, render
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.security.records import utc_now
from affordance.studio.studies.beginning import begin_study
from affordance.studio.studies.exporting import export_study
from affordance.studio.studies.forms import EitherForm
from affordance.studio.studies.made_of_pairs import preference_study
from affordance.studio.studies.opened import Studies
from affordance.studio.studies.sheets import Still, Text
from affordance.studio.studies.sources.preference import NO_GOAL, Preference, source
from errors import raises
from pair_world import MARKED, PLAIN, SINGLE, Pixels, alike, composite, design, make_pairs, marked, write_pairs

SECRETS = {"winner": 1, "votes": [3, 987654321], "company": "Acme Secret", "source": "https://secret.example/tests/7"}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with open_project(make_pairs(tmp_path / "p", **{MARKED: SECRETS, PLAIN: {"goal": None}})) as opened:
        yield opened


def change(project: Project, kind: Kind, subject: str, document: dict[str, object]) -> None:
    pair = subject.partition("/")[0]
    project.ledger.documents.write([DocumentDraft(kind, subject, document, "person:Ana", pair)])  # type: ignore[arg-type]


def shown(made: Preference, item: str, turn: int) -> list[Pixels]:
    """Both designs, as somebody is shown them."""
    (slot,) = (one for one in made.slots() if (one.item, one.turn) == (item, turn))
    sheet = made.sheet(slot)
    pictures = [block for block in sheet.blocks if isinstance(block, Still)]
    found = [decode_image(render([one.picture], sheet.files)[0]) for one in pictures]
    assert [(one.shape[1], one.shape[0]) for one in found] == [one.size for one in pictures]
    return found


@settings(max_examples=25)
@given(st.integers(1, 12), st.integers(1, 9), st.integers(0, 3))
def test_orders_are_balanced_for_each_pair_and_for_each_person(pairs: int, people: int, seed: int) -> None:
    study = Study(name="s", form="preference", per_item=people, seed=seed)
    ballots = ballots_of(study, [f"pair-{number}" for number in range(pairs)])
    assert len({one.id for one in ballots}) == pairs * people
    of_pair, of_person = Counter[str](), Counter[int]()
    for one in ballots:
        step = 1 if one.order == (0, 1) else -1
        of_pair[one.pair] += step
        of_person[one.turn] += step  # who answers all pairs has the same turn of each
    assert {abs(off) for off in (*of_pair.values(), *of_person.values())} <= {0, 1}
    assert all({ballots[at].order for at in (number, number + 1)} == {(0, 1), (1, 0)} for number in range(people - 1))


def test_a_sheet_has_the_goal_and_both_designs_and_tells_nothing_else(project: Project) -> None:
    study = preference_study(project, "taste", per_item=4)
    assert sorted(study.items) == [MARKED, PLAIN]  # of one picture there is nothing to choose
    assert study.per_person is None
    made = source(study, project)
    assert len(made.slots()) == 8
    for slot in made.slots():
        sheet = made.sheet(slot)
        text, first, second = sheet.blocks
        assert isinstance(text, Text)
        assert text.text == ("More people buy." if slot.item == MARKED else NO_GOAL)
        assert text.text
        assert isinstance(first, Still)
        assert isinstance(second, Still)
        assert isinstance(sheet.form, EitherForm)
        assert {first.picture.source, second.picture.source} == set(sheet.files)
        told = json.dumps([asdict(block) for block in sheet.blocks] + [asdict(sheet.form), slot.id], default=str)
        told += sheet.heading + sheet.instruction
        for secret in ("winner", "won", "987654321", "Acme", "secret", slot.item, "media/", str(project.folder)):
            assert secret.casefold() not in told.casefold()
    turns = [shown(made, MARKED, turn) for turn in (0, 1)]
    assert (turns[0][0] == turns[1][1]).all()
    assert (turns[0][1] == turns[1][0]).all()
    assert {one.tobytes() for one in turns[0]} == {marked(1).tobytes(), design(2).tobytes()}


def test_what_is_preferred_is_told_by_the_record_and_not_by_the_side(project: Project) -> None:
    made = source(preference_study(project, "taste", per_item=2), project)
    for slot in made.slots():
        first = marked(1) if slot.item == MARKED else design(5)
        side = ("first", "second")[0 if (shown(made, slot.item, slot.turn)[0] == first).all() else 1]
        assert made.values({"side": side}, slot) == {"preferred": "0"}
    with raises(UserError, "'first'", "'second'"):
        made.values({}, made.slots()[0])


def test_pairs_are_shown_cleaned_and_cut_as_they_were_when_the_study_was_made(project: Project) -> None:
    blot = {"points": [[60, 270]], "radius": 10}
    change(project, Kind.MASK, f"{MARKED}/0", {"brushes": [blot], "accepted": True})
    boxes = [{"space": "pixel", "xyxy": [0, 0, 480, 320]}, {"space": "pixel", "xyxy": [504, 0, 984, 320]}]
    change(project, Kind.HALVES, SINGLE, {"boxes": boxes, "winner": "first", "confirmed": True})
    study = preference_study(project, "taste", per_item=1)
    assert sorted(study.items) == [MARKED, PLAIN, SINGLE]
    assert source(study, project).changed() == []
    change(project, Kind.MASK, f"{MARKED}/0", {"brushes": [], "accepted": False})
    change(project, Kind.HALVES, SINGLE, {"boxes": boxes, "single": False})
    change(project, Kind.PAIR, MARKED, {**project.ledger.documents.latest(kind=Kind.PAIR, subject=MARKED)[0].document,
                                       "aside": True, "note": "why", "goal": "another"})  # fmt: skip
    made = source(study, project)
    assert made.changed() == [MARKED, SINGLE]
    order = {one.pair: one.order for one in ballots_of(study, list(study.items))}
    first, second = (shown(made, MARKED, 0)[place] for place in order[MARKED])
    assert alike(first, design(1))
    assert (second == design(2)).all()
    both = composite(3, 4)
    first, second = (shown(made, SINGLE, 0)[place] for place in order[SINGLE])
    assert (first == both[:, :480]).all()
    assert (second == both[:, 504:]).all()
    (slot,) = (one for one in made.slots() if one.item == MARKED)
    assert "another" not in str(made.sheet(slot))
    assert (project.folder / "media/pairs" / f"{MARKED}-0.png").is_file()


def test_a_dataset_is_the_one_that_the_study_was_made_of(project: Project, tmp_path: Path) -> None:
    spec = write_pairs(tmp_path / "other")
    study = preference_study(project, "taste", per_item=2, spec=str(spec))
    made = source(study, project)
    assert {slot.item for slot in made.slots()} == {MARKED, PLAIN}
    assert len(shown(made, PLAIN, 0)) == 2
    text = (spec / ITEMS_FILE).read_text("utf-8").replace("More people buy.", "Fewer people buy.")
    (spec / ITEMS_FILE).write_text(text, encoding="utf-8")
    with raises(UserError, study.dataset["digest"], load_dataset(str(spec)).digest()):
        source(study, project)
    (spec / HEADER_FILE).unlink()
    with raises(DataError, path=spec):
        source(study, project)


def test_a_picture_that_is_another_one_stops_the_study(project: Project) -> None:
    study = preference_study(project, "taste", per_item=1)
    made = source(study, project)
    assert made.stale() is False
    path = project.folder / f"media/pairs/{PLAIN}-1.png"
    before = path.read_bytes()
    path.write_bytes(before + b"0")
    assert made.stale() is True
    with raises(UserError, f"media/pairs/{PLAIN}-1.png"):
        source(study, project)


def test_a_study_of_nothing_is_none(project: Project) -> None:
    with pytest.raises(UserError):
        source(Study(name="empty", form="preference", per_item=1), project)


def test_votes_are_of_answers_that_count_in_the_order_of_the_images(project: Project, tmp_path: Path) -> None:
    study = preference_study(project, "taste", per_item=4, closed=True)
    place = study_scope("taste")
    ballots = {(one.pair, one.turn): one for one in ballots_of(study, list(study.items))}
    drafts = [DocumentDraft(Kind.STUDY, "taste", plain(study), "person:Ana", place)]
    # Of each pair: three people prefer image 1 and one image 0; of the other one two and two.
    wanted = {MARKED: (1, 1, 0, 1), PLAIN: (0, 1, 0, 1)}
    for turn in range(4):
        code = f"P{turn}"
        drafts.append(DocumentDraft(Kind.SEAT, f"taste/{code}", plain(Seat(code=code)), "study", place))
        for pair, preferred in wanted.items():
            ballot = ballots[pair, turn]
            side = ("first", "second")[ballot.order.index(preferred[turn])]
            answer = StudyAnswer(seat=code, slot=ballot.id, item=pair, given={"side": side})
            drafts.append(DocumentDraft(Kind.ANSWER, f"taste/{code}/{ballot.id}", plain(answer), "study", place))
    project.ledger.documents.write(drafts)
    assert votes_of(project).by_pair == {MARKED: [1, 3], PLAIN: [2, 2]}
    left_out = plain(LeftOut(why="empty"))
    gone = f"taste/P0/{ballots[MARKED, 0].id}"
    withdrawn = plain(Seat(code="P1", withdrawn="2026-01-01T00:00:00Z"))
    project.ledger.documents.write(
        [
            DocumentDraft(Kind.LEFT_OUT, gone, left_out, "person:Ana", place),
            DocumentDraft(Kind.SEAT, "taste/P1", withdrawn, "study", place),
        ]
    )
    assert votes_of(project).by_pair == {MARKED: [1, 1], PLAIN: [2, 1]}
    told = export.write_pairs(project, tmp_path / "closed", Facts("taste"))
    assert told.counts["votes"] == 5
    assert [1 for note in told.notes if "taste" in note and note.count("1") == 3], "withdrawn, left out, empty"
    assert "taste" in (tmp_path / "closed" / HEADER_FILE).read_text("utf-8")
    project.ledger.documents.write(
        [DocumentDraft(Kind.STUDY, "taste", plain(study) | {"closed": False}, "person:Ana", place)]
    )
    told = export.write_pairs(project, tmp_path / "open", Facts("taste"))
    assert told.counts["votes"] == 0
    assert [note for note in told.notes if "taste" in note and "1" not in note], "its votes are not in it"
    headers = [(tmp_path / name / HEADER_FILE).read_text("utf-8") for name in ("closed", "open")]
    assert "taste" in headers[1]
    assert headers[0] != headers[1]


def test_what_people_prefer_is_in_no_file_before_it_is_closed(project: Project, tmp_path: Path) -> None:
    study = begin_study(project, preference_study(project, "taste", per_item=2), "person:Ana")
    studies = Studies(project, tmp_path / "cache")
    with pytest.raises(UserError):
        export_study(project, studies.open(study), tmp_path / "out", utc_now())
    assert not (tmp_path / "out").exists()
    closed = study.model_copy(update={"closed": True})
    export_study(project, studies.open(closed), tmp_path / "out", utc_now())
    assert (tmp_path / "out" / "answers.csv").exists()
