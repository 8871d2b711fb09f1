"""Withdrawal: nothing of what a person said is left, in any table, file, export or cache; what others said stays."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy
from aiohttp import web

from affordance.author.project import plain
from affordance.author.records import Kind
from affordance.author.study_records import LeftOut, Seat
from affordance.core.attempts import AttemptStatus
from affordance.core.model_name import ModelName
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run
from affordance.judging.labels import load_study_labels
from affordance.ledger import DocumentDraft, open_ledger
from affordance.models.study_documents import study_scope
from affordance.report.rows import build_rows
from affordance.studio.refused import Refused
from affordance.studio.studies import taking
from affordance.studio.studies.exporting import export_study
from affordance.studio.studies.made_of_runs import study_of_labels
from affordance.studio.studies.opened import Opened
from affordance.studio.studies.seats import changed_seat, seat_draft
from affordance.studio.studies.sheets import Text
from affordance.studio.studies.sources.task import settings_of, study_data
from affordance.studio.studies.standing import standing
from affordance.studio.studies.views import study_view
from affordance.studio.studies.withdrawing import finish_withdrawals, withdraw
from affordance.tasks.answers import write_rating
from affordance.tasks.motion.meaning import MEANING
from loopback import Loopback, Seen, completion
from motion_data import summed_up
from study_answers import keep_study, leave_out
from study_world import StudyWorld, author_of, study_of, study_world

WORD = "quetzalcoatlus"  # in everything that the person says
OTHER = "brontosaurus"


both = pytest.mark.parametrize("where", ["sqlite", "postgres"], indirect=True)  # what databases may do otherwise


@pytest.fixture
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if getattr(request, "param", "sqlite") == "sqlite":
        return str(tmp_path / "it.db")
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def world(where: str, tmp_path: Path) -> Iterator[StudyWorld]:
    summed_up(tmp_path / "clips")
    study = study_of(tmp_path / "clips", "said", "motion/meaning", per_item=2, consent="Yes.", about=True)
    with study_world(where, study, tmp_path / "cache") as found:
        yield found


def rows_with(where: str, word: str) -> list[str]:
    """Tables that hold a word anywhere."""
    url = where.replace("postgresql://", "postgresql+psycopg://") if "://" in where else f"sqlite:///{where}"
    engine = sqlalchemy.create_engine(url)
    found = []
    with engine.connect() as connection:
        for table in sqlalchemy.inspect(engine).get_table_names():
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").all()
            found += [table for row in rows if word in str(tuple(row)).casefold()]
    engine.dispose()
    return found


def counts(where: str) -> dict[str, int]:
    with open_ledger(where, read_only=True) as ledger:
        engine = ledger.database.engine
        names = sqlalchemy.inspect(engine).get_table_names()
        with engine.connect() as connection:
            return {name: connection.exec_driver_sql(f"SELECT COUNT(*) FROM {name}").scalar_one() for name in names}


def take_part(world: StudyWorld, word: str) -> Seat:
    """Somebody with a word in all that they say, twice."""
    seat = world.enter(token="0" * 64)
    who = (world.project, world.opened, seat.code)
    taking.agree(*who, f"{word}-at-the-service", author_of(seat), world.now)
    told = {"age": f"{word} years", "gender": f"{word}ish", "asked": True}
    seat = taking.go_on(*who, author_of(seat), world.now, lambda *_: told)
    assert seat.external == f"{word}-at-the-service"
    for slot in seat.slots:
        world.answer(seat, slot, {"answer": f"A first thought about a {word}"})
        world.answer(seat, slot, {"answer": f"The {word} is in the cart"})
    subject = f"said/{seat.code}/{seat.slots[0]}"
    out = DocumentDraft(Kind.LEFT_OUT, subject, plain(LeftOut(why="")), "person:Ana", study_scope("said"))
    world.project.ledger.documents.write([replace(out, document=plain(LeftOut(why=f"it says {word}"))), out])
    return seat


def run(world: StudyWorld, where: str, tmp_path: Path, watch: Callable[[RunProgress], None] = lambda _: None) -> int:
    """Have it judged; how many attempts have failed."""
    return execute_run(request_of(world, where, tmp_path), watch)[1].failed


def request_of(world: StudyWorld, where: str, tmp_path: Path, judge: str = "baseline:overlap") -> RunRequest:
    return RunRequest(
        config=settings_of(world.study).replace(judge=judge, reference="both"),
        data=study_data(world.study.dataset, MEANING),
        models=(ModelName("study", "said"),),
        ledger=where,
        render_cache=tmp_path / "pictures",
        name="judged",
    )


@both
def test_nothing_of_a_person_is_left(world: StudyWorld, where: str, tmp_path: Path) -> None:
    leaving, staying = take_part(world, WORD), take_part(world, OTHER)
    assert run(world, where, tmp_path) == 0
    tables = {"author_revisions", "ledger_replies", "ledger_asks"}
    assert set(rows_with(where, WORD)) == set(rows_with(where, OTHER)) == tables, "the words are where they should be"
    before = counts(where)
    others = len(rows_with(where, OTHER))

    seat = withdraw(world.project, world.study, leaving.code, author_of(leaving), world.now)

    assert rows_with(where, WORD) == []
    assert len(rows_with(where, OTHER)) == others
    assert seat.withdrawn
    assert (seat.age, seat.gender, seat.external) == ("", "", "")
    after = counts(where)
    assert {name for name in after if after[name] < before[name]} == set()
    for one in world.project.ledger.documents.latest(scope=study_scope("said"), kind=Kind.ANSWER):
        assert one.document.get("redacted", False) is (one.document["seat"] == leaving.code)
    if "://" not in where:
        for path in tmp_path.iterdir():
            assert not path.is_file() or WORD.encode() not in path.read_bytes(), path
        assert OTHER.encode() in (tmp_path / "it.db").read_bytes()

    export_study(world.project, world.opened, tmp_path / "out", world.now, external=True)
    written = "".join(path.read_text("utf-8") for path in (tmp_path / "out").iterdir())
    assert WORD not in written
    assert OTHER in written
    assert f"{leaving.code},withdrawn" in written

    with open_ledger(where, read_only=True) as ledger:
        ended = [one.verdict.status for one in ledger.attempt_results(ledger.find_run("judged").id) if one.verdict]
        (row,) = build_rows(ledger, [ledger.find_run("judged")])
    assert sorted(ended) == sorted([AttemptStatus.ANSWERED] * 4 + [AttemptStatus.FAILED] * 4)
    assert not row.complete
    assert row.n == 8

    with pytest.raises(Refused):
        world.answer(leaving, leaving.slots[0], {"answer": f"One more {WORD}"})
    assert withdraw(world.project, world.study, leaving.code, author_of(leaving), world.now).withdrawn == seat.withdrawn
    assert run(world, where, tmp_path) == 4, "nobody has answered these any more"

    new = take_part(world, "triceratops")
    assert set(new.slots) == set(leaving.slots), "their slots are free"
    assert run(world, where, tmp_path) == 0
    assert staying.code in {one.document["code"] for one in world.project.ledger.documents.latest(kind=Kind.SEAT)}


def test_a_study_about_a_run_shows_nothing_of_whoever_withdrew(world: StudyWorld, where: str, tmp_path: Path) -> None:
    leaving, _ = take_part(world, WORD), take_part(world, OTHER)
    run(world, where, tmp_path)
    ledger = world.project.ledger
    labels = study_of_labels(ledger, "labels", "judged", 100)
    keep_study(ledger, labels)
    opened = world.studies.open(labels)
    assert WORD in shown(opened)
    labeller = Seat(code="labeller", slots=list(opened.slots))

    withdraw(world.project, world.study, leaving.code, author_of(leaving), world.now)
    world.studies.forget()

    after = world.studies.open(labels)
    assert WORD not in shown(after)
    assert OTHER in shown(after)
    assert 0 < len(after.slots) < len(opened.slots) == len(labels.drawn)
    left = [slot["id"] for slot in study_view(labels, labeller, after, [])["slots"]]
    assert left == list(after.slots), "what is gone is not asked any more"
    kept = [one.document["texts"] for one in ledger.documents.history(Kind.STUDY, "labels")]
    asked = {slot.item for slot in after.slots.values()}
    assert [set(texts) for texts in kept] == [asked], "a digest of a text tells it to whoever guesses"
    study = load_study_labels(ledger, "labels")
    assert {one.judgement for one in study.labels} == {slot.item for slot in after.slots.values()}


@both
def test_a_run_that_has_read_what_they_said(world: StudyWorld, where: str, tmp_path: Path) -> None:
    leaving, _ = take_part(world, WORD), take_part(world, OTHER)
    seen: list[RunProgress] = []

    def watch(progress: RunProgress) -> None:
        if not seen:
            withdraw(world.project, world.study, leaving.code, author_of(leaving), world.now)
        seen.append(progress)

    run(world, where, tmp_path, watch)
    assert seen, "they withdrew while it ran"
    assert rows_with(where, WORD) == []
    assert rows_with(where, OTHER) != []


def test_what_a_run_has_read_is_erased_though_the_ledger_fails(world: StudyWorld, where: str, tmp_path: Path) -> None:
    """Somebody else writes for longer than the run waits: its last records are lost, and closing the ledger raises."""
    leaving = take_part(world, WORD)
    lock = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
    seen: list[bool] = []

    async def judge(_: Seen, __: web.Request) -> web.StreamResponse:
        return completion(write_rating(3, "x"))

    with Loopback(judge, most_answers=0) as server, closing(lock):

        def watch(progress: RunProgress) -> None:
            if not seen:
                withdraw(world.project, world.study, leaving.code, author_of(leaving), world.now)
                seen.append(False)
            elif progress.stop_reason:
                lock.execute("ROLLBACK")
            elif seen == [False] and rows_with(where, WORD):
                lock.execute("BEGIN IMMEDIATE")
                server.go_on()
                seen.append(True)

        asked = request_of(world, where, tmp_path, f"openai:judge@{server.url}")
        _, progress = execute_run(replace(asked, execution=ExecutionConfig(ledger_timeout=0.3)), watch)
    assert progress.stop_reason, "the ledger failed"
    assert seen == [False, True], "they withdrew while it ran, and it wrote what they had said"
    assert rows_with(where, WORD) == []


def test_a_withdrawal_that_was_interrupted(world: StudyWorld, where: str, tmp_path: Path) -> None:
    leaving = take_part(world, WORD)
    seat = changed_seat(leaving, withdrawn="2026-03-02T12:00:00+00:00")
    world.project.ledger.documents.write([seat_draft("said", seat, author_of(leaving))])
    export_study(world.project, world.opened, tmp_path / "out", world.now)
    assert WORD not in (tmp_path / "out" / "answers.csv").read_text("utf-8")
    assert rows_with(where, WORD) != []
    finish_withdrawals(world.project)
    assert rows_with(where, WORD) == []


def test_what_was_left_out_of_whoever_withdrew_is_not_counted(world: StudyWorld) -> None:
    leaving, staying = take_part(world, WORD), take_part(world, OTHER)
    for seat in (leaving, staying):
        leave_out(world.project.ledger, world.study, seat.code, seat.slots[0])
    assert standing(world.project.ledger, world.opened, world.now).left_out == 2
    withdraw(world.project, world.study, leaving.code, author_of(leaving), world.now)
    found = standing(world.project.ledger, world.opened, world.now)
    assert (found.left_out, found.counts.reasons) == (1, {"empty": 1})


def shown(opened: Opened) -> str:
    """All texts that a study shows."""
    sheets = [opened.sheet(slot, "") for slot in opened.slots]
    return " ".join(block.text for sheet in sheets for block in sheet.blocks if isinstance(block, Text))
