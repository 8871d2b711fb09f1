"""People as a model: what they answered in a study, scored like any other, in a run that goes on as they do."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affordance.author.study_records import Seat
from affordance.console.progress import describe_missing
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.datasets import load_collection, write_folder
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.media import encode_image
from affordance.models.study_answers import comparable_value
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.studio.commands import report_command, run_command
from affordance.studio.studies.recording import record
from affordance.studio.studies.sources.task import settings_of
from affordance.tasks.registry import TASKS
from behavior_data import because, pair, write_pairs
from errors import assert_carries, raises
from function_data import header, pixel, screen, target
from motion_data import clip, write_clips
from study_world import StudyWorld, pairs_of, right_side, study_of, study_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[StudyWorld]:
    pairs_of(tmp_path / "pairs")
    study = study_of(tmp_path / "pairs", per_item=4, seed=3)
    with study_world(tmp_path / "it.db", study, tmp_path / "cache") as found:
        yield found


def request(world: StudyWorld, tmp_path: Path, **changes: Any) -> RunRequest:
    settings = settings_of(world.study).replace(**{k: v for k, v in changes.items() if k not in ("data", "models")})
    return RunRequest(
        config=settings,
        data=load_collection(str(tmp_path / changes.get("data", "pairs"))),
        models=changes.get("models", (ModelName("study", world.study.name),)),
        ledger=str(tmp_path / "it.db"),
        render_cache=tmp_path / "pictures",
        name=None if changes else world.study.name,
    )


def answer(world: StudyWorld, seat: Seat, right: bool = True) -> None:
    for slot in seat.slots:
        side = right_side(world.opened, slot)
        world.answer(seat, slot, {"side": side if right else {"first": "second", "second": "first"}[side]})


def row_of(where: Path, run: str) -> ResultRow:
    with open_ledger(where, read_only=True) as ledger:
        (row,) = build_rows(ledger, [ledger.find_run(run)])
    return row


def test_who_is_always_right_has_every_point(world: StudyWorld, tmp_path: Path) -> None:
    for _ in range(4):
        answer(world, world.enter())
    progress = record(world.study, str(tmp_path / "it.db"), tmp_path / "pictures")
    assert progress is not None
    assert progress.complete
    row = row_of(tmp_path / "it.db", "which")
    assert (row.model, row.complete, row.n, row.items) == ("study:which", True, 16, 4)
    assert row.metrics["accuracy"] == row.metrics["average_accuracy"] == 1.0
    assert "accuracy" in row.intervals
    assert row.metrics["consistent_accuracy"] is None, "nobody has seen both orders"
    assert row.positions == {}
    (agreed,) = row.people
    assert (agreed.measure, agreed.items, agreed.alpha) == ("chosen", 4, 1.0)


def test_half_of_the_answers_have_bounds_and_the_run_goes_on(world: StudyWorld, tmp_path: Path) -> None:
    first, second = world.enter(), world.enter()
    answer(world, first)
    answer(world, second, right=False)
    progress = execute_run(request(world, tmp_path))[1]
    assert progress.failed == 8
    assert_carries(describe_missing(progress), 8)
    row = row_of(tmp_path / "it.db", "which")
    assert not row.complete
    assert row.ended["failed"] == 8
    assert row.bounds["accuracy"] == (0.25, 0.75)
    for _ in range(2):
        answer(world, world.enter())
    assert execute_run(request(world, tmp_path))[1].complete
    assert row_of(tmp_path / "it.db", "which").metrics["accuracy"] == 0.75


def test_an_answer_that_was_changed_is_asked_for_again(world: StudyWorld, tmp_path: Path) -> None:
    seats = [world.enter() for _ in range(4)]
    for seat in seats:
        answer(world, seat)
    assert execute_run(request(world, tmp_path))[1].complete
    slot = seats[0].slots[0]
    before = right_side(world.opened, slot)
    world.answer(seats[0], slot, {"side": "second" if before == "first" else "first"})
    progress = execute_run(request(world, tmp_path))[1].models["study:which"]
    assert (progress.done_before, progress.sent, progress.cached) == (15, 1, 0)
    assert row_of(tmp_path / "it.db", "which").metrics["accuracy"] == 15 / 16
    world.answer(seats[0], slot, {"side": before})
    assert execute_run(request(world, tmp_path))[1].complete
    assert row_of(tmp_path / "it.db", "which").metrics["accuracy"] == 1.0


@pytest.mark.parametrize(
    ("changes", "data"),
    [
        ({"seed": 4}, ("study:which", "4", "--seed 3")),
        ({"trials": 1}, ("study:which", "1", "--trials 2")),
        ({"limit": 2}, ("study:which", "2", "--limit")),
        ({"data": "others"}, ("'pairs'", "--data")),
        ({"models": (ModelName("study", "witch"),)}, ("'witch'", "'which'")),
    ],
)
def test_another_design_is_reported(
    world: StudyWorld, tmp_path: Path, changes: dict[str, Any], data: tuple[str, ...]
) -> None:
    pairs_of(tmp_path / "others", 5)
    with raises(UserError, *data):
        execute_run(request(world, tmp_path, **changes))


def test_the_command_for_it_is_told(world: StudyWorld, tmp_path: Path) -> None:
    whole = "affordance run behavior/choice --model study:which"
    assert run_command(world.study, "affordance.db") == whole
    assert run_command(world.study, "my results/it.db") == f"{whole} --ledger 'my results/it.db'"
    assert run_command(world.study, "postgresql://me:secret@db/it") == f"{whole} --ledger URL"
    assert report_command("which", "it.db") == "affordance report --run which --ledger it.db"


def test_the_same_answers_are_not_two_rows(world: StudyWorld, tmp_path: Path) -> None:
    answer(world, world.enter())
    unnamed = replace(request(world, tmp_path), name=None)
    assert execute_run(unnamed)[0].name == "which", "also before anything is written"
    assert record(world.study, str(tmp_path / "it.db"), tmp_path / "pictures") is not None
    beside = replace(unnamed, models=(*unnamed.models, ModelName("baseline", "random")))
    assert execute_run(beside)[0].name == "which"
    other = replace(unnamed, config=unnamed.config.replace(parameters={"top_p": 0.5}))
    assert execute_run(other)[0].name.startswith("behavior-choice-")
    assert execute_run(replace(unnamed, fresh=True))[0].name.startswith("behavior-choice-")


def _of_screens(folder: Path) -> None:
    shown = screen("page", (200, 100), [target("t1", "element", pixel(20, 10, 60, 40))])
    folder.mkdir()
    (folder / "page.png").write_bytes(encode_image(np.full((100, 200, 3), 240, np.uint8)))
    write_folder(folder, header("screen"), [shown])


def test_places_and_options_and_words_as_models_say_them(tmp_path: Path) -> None:
    _of_screens(tmp_path / "screens")
    write_clips(tmp_path / "clips", clip("tea", purpose="Feedback"), frames=10)
    box = {"space": "pixel", "xyxy": [21.25, 11.5, 60.0, 40.0]}
    cases: tuple[tuple[str, str, dict[str, Any], float], ...] = (
        ("function/ground-element", "screens", {"box": box}, 1.0),
        ("function/ground-element", "screens", {"box": {"space": "pixel", "xyxy": [100, 50, 190, 90]}}, 0.0),
        ("motion/purpose", "clips", {"option": "Feedback"}, 1.0),
        ("motion/purpose", "clips", {"option": "Aesthetic"}, 0.0),
    )
    for number, (task, data, given, score) in enumerate(cases):
        study = study_of(tmp_path / data, f"s{number}", task, per_item=1)
        with study_world(tmp_path / "it.db", study, tmp_path / "cache") as world:
            seat = world.enter()
            world.answer(seat, seat.slots[0], given)
            assert record(world.study, str(tmp_path / "it.db"), tmp_path / "pictures") is not None
        row = row_of(tmp_path / "it.db", f"s{number}")
        assert (row.complete, row.metrics["accuracy"]) == (True, score), task
    assert row_of(tmp_path / "it.db", "s0").metrics["iou"] == pytest.approx(38.75 * 28.5 / 1200)
    words = study_of(tmp_path / "clips", "words", "motion/meaning", per_item=1)
    assert run_command(words, "it.db").endswith(" --ledger it.db --judge M")
    assert record(words, str(tmp_path / "it.db"), tmp_path / "pictures") is None


def test_what_an_answer_comes_to_however_it_was_shown() -> None:
    assert comparable_value({"side": "second"}, {"order": [1, 0]}) == comparable_value(
        {"side": "first"}, {"order": [0, 1]}
    )
    assert comparable_value({"option": "B"}, {"order": [1, 0]}) == {"chosen": "0"}
    assert comparable_value({"option": "Feedback"}, {"options": ["Feedback", "Highlight"]}) == {"option": "Feedback"}
    assert comparable_value({"options": ["b", "a"]}, {}) == {"options": "a, b"}
    assert comparable_value({"absent": True}, {}) == {"box": "absent"}
    assert comparable_value({"answer": "words"}, {}) == {}


def test_a_study_is_no_judge_and_answers_no_other_task(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", pair("a", rationales=[because("It is larger.")]))
    with study_world(tmp_path / "it.db", study_of(tmp_path / "pairs"), tmp_path / "cache") as world:
        asked = request(world, tmp_path)
        why = RunConfig(tasks=(TASKS["behavior/rationale"],), judge="baseline:overlap")
        with raises(UserError, "behavior/choice", "behavior/rationale"):
            execute_run(replace(asked, config=why, name=None))
        judged = why.replace(judge="study:which")
        with raises(UserError, "study:which"):
            execute_run(replace(asked, config=judged, models=(ModelName("baseline", "random"),), name=None))
