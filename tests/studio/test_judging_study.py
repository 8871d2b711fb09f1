"""Labels that people give in a study: blind to the judge, and worth the same certificate as those of a file."""

import csv
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from affordance.author.project import About, Project
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.evaluation.judge_calibration import JudgeCalibrationConfig, calibrate_judge
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.judging.judgements import JUDGE_SPECS, judged_tasks, judged_units
from affordance.judging.labels import (
    LABEL_GUIDES,
    LABEL_QUESTIONS,
    SCORE_MEANINGS,
    LabelSet,
    load_labels,
    load_study_labels,
)
from affordance.judging.sampling import sample_judgements, write_sample
from affordance.ledger import Ledger, open_ledger
from affordance.report.rows import build_rows
from affordance.studio.studies.made_of_runs import study_of_errors, study_of_labels
from affordance.studio.studies.registry import source_of
from affordance.studio.studies.sheets import Slot, Source
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.motion.meaning import MEANING
from affordance.tasks.registry import TASKS
from behavior_data import published
from errors import raises
from judge_world import chance, write_sheet
from motion_data import THINGS, clip, write_clips
from study_answers import Say, keep_study, leave_out, take_part

REASONS = [[(f"The part {index} is larger.", "Fitts’s Law", "Action")] for index in range(8)]
MODELS = tuple(map(ModelName.parse, ("oracle", "baseline:random")))
NUMBER = 10


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with runs of both judged tasks."""
    folder = tmp_path_factory.mktemp("judged")
    ledger = str(folder / "ledger.db")
    clips = write_clips(folder / "clips", *(clip(thing) for thing in THINGS), frames=30)
    for name, task, data, more in (
        ("explained", RATIONALE, published(folder / "set", REASONS), {}),
        ("interpreted", MEANING, clips, {"reference": "individual"}),
    ):
        settings = RunConfig(tasks=(task,), judge="baseline:overlap", **more)
        execute_run(RunRequest(settings, data, MODELS, ledger, folder / "pictures", name))
    return folder / "ledger.db"


@pytest.fixture
def project(world: Path, tmp_path: Path) -> Iterator[Project]:
    path = tmp_path / "ledger.db"
    path.write_bytes(world.read_bytes())
    with open_ledger(path) as ledger:
        yield Project(tmp_path, About(format=1, id="x", name="x", database="sqlite"), ledger)


def made(project: Project, run: str, **how: Any) -> tuple[Study, Source]:
    study = study_of_labels(project.ledger, "labels", run, NUMBER, **{"seed": 3, "per_item": 2, **how})
    keep_study(project.ledger, study)
    return study, source_of(study, project)


def by_chance(person: str, *, scores: bool) -> Say:
    """Somebody who has labels of their own, and none for some."""

    def say(slot: Slot) -> Mapping[str, Any] | None:
        found = chance(person, slot.item)
        return None if found < 15 else {"score": found % 6} if scores else {"yes": found > 55}

    return say


def write_labels(project: Project, run: str, path: Path, people: Mapping[str, Say]) -> None:
    """The same labels as in a file that was drawn with the same seed."""
    found = project.ledger.find_run(run)
    write_sample(sample_judgements(project.ledger, found, judged_tasks(found)[0], NUMBER, 3), path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        drawn = list(csv.DictReader(file))
    rows = []
    for row in drawn:
        for person, say in people.items():
            given = say(Slot("", row["judgement"], 0)) or {}
            label = {True: "yes", False: "no"}[given["yes"]] if "yes" in given else str(given.get("score", ""))
            rows.append({**row, "label": label, "labeller": person})
    write_sheet(path, rows)


def certificate(project: Project, labels: LabelSet, folder: Path) -> Any:
    exam = JudgeCalibrationConfig(
        ModelName.parse("baseline:overlap"), TASKS[labels.task], str(folder / "ledger.db"), folder / "p"
    )
    return calibrate_judge(exam, labels).calibration


@pytest.mark.parametrize(("run", "scores"), [("explained", False), ("interpreted", True)])
def test_the_same_certificate_as_from_a_file(project: Project, tmp_path: Path, run: str, scores: bool) -> None:
    study, source = made(project, run)
    people = {name: by_chance(name, scores=scores) for name in ("ada", "bo")}
    take_part(project.ledger, study, source, people)
    write_labels(project, run, tmp_path / "labels.csv", people)
    in_studio = certificate(project, load_labels("study:labels", str(tmp_path / "ledger.db")), tmp_path)
    in_file = certificate(project, load_labels(str(tmp_path / "labels.csv"), "no.db"), tmp_path)
    assert in_studio.measurements == in_file.measurements
    assert in_studio.id == in_file.id
    assert in_studio.measurements["labellers"] == 2
    assert in_studio.measurements["alpha_of_labellers"] is not None


def test_what_does_not_count(project: Project) -> None:
    study, source = made(project, "explained", per_item=4)
    yes, no = (lambda _: {"yes": True}), (lambda _: {"yes": False})
    people = {"ada": yes, "bo": no, "cy": no, "di": lambda _: {}}
    take_part(project.ledger, study, source, people, bo={"withdrawn": "2026"}, cy={"excluded": "two checks"})
    labels = load_study_labels(project.ledger, "labels")
    assert [one.values for one in labels.labels] == [(1.0,)] * NUMBER
    assert [one.weight for one in labels.labels] == list(study.drawn.values())
    slots = [slot for slot in source.slots() if slot.turn == 0]
    leave_out(project.ledger, study, "ada", slots[0].id)
    labels = load_study_labels(project.ledger, "labels")
    assert (labels.empty, labels.labellers) == (1, 1)
    assert labels.labels[0].judgement == slots[0].item


def test_a_sheet_tells_the_texts_and_nothing_else(project: Project) -> None:
    """Neither the model, nor the verdict, nor the item, nor what was drawn why."""
    study, source = made(project, "explained")
    known = {unit.id: unit for unit in judged_units(project.ledger, project.ledger.find_run("explained"), RATIONALE)}
    run = project.ledger.find_run("explained")
    texts = {row.judgement: row for row in sample_judgements(project.ledger, run, RATIONALE, NUMBER, 3).rows}
    forms = set()
    for slot in source.slots():
        sheet, unit = source.sheet(slot), known[slot.item]
        told = json.loads(json.dumps(asdict(sheet)))
        shown = [(bool(block.pop("label")), block.pop("text")) for block in told["blocks"]]
        assert shown == [(True, texts[slot.item].text_a), (True, texts[slot.item].text_b)]
        assert told["instruction"]
        assert told["form"]["kind"] == "yes or no"
        rest = json.dumps(told)
        for secret in (
            unit.subject.model,
            slot.item,
            unit.subject.item_id,
            unit.subject.attempt_id,
            "overlap",
            "explained",
        ):
            assert secret not in rest
        del told["slot"]
        forms.add(json.dumps(told))
    assert len(forms) == 1, "but for the texts all sheets are alike, whatever the judge said"
    verdicts = {known[item].verdict for item in study.drawn}
    assert verdicts == {"yes", "no"}


def test_scores_have_their_words(project: Project) -> None:
    _, source = made(project, "interpreted")
    slot = source.slots()[0]
    form = asdict(source.sheet(slot).form)
    assert (form["kind"], form["low"], form["high"]) == ("scale", 0, 5)
    assert form["words"] == SCORE_MEANINGS["motion/meaning"]
    assert source.values({"score": 4}, slot) == {"label": 4}


def test_every_judged_task_has_its_words() -> None:
    scales = {name: judging.scale for name, judging in JUDGE_SPECS.items()}
    assert set(LABEL_GUIDES) == set(JUDGE_SPECS)
    assert set(LABEL_QUESTIONS) == {name for name, scale in scales.items() if scale is None}
    for name, scale in scales.items():
        assert list(SCORE_MEANINGS.get(name, ())) == ([] if scale is None else list(range(scale.low, scale.high + 1)))


def test_slots(project: Project) -> None:
    study, source = made(project, "explained")
    slots = source.slots()
    assert [slot.item for slot in slots] == [item for item in study.drawn for _ in range(2)]
    assert len({slot.id for slot in slots}) == len(slots) == 2 * NUMBER
    assert source.values({"yes": True}, slots[0]) == {"label": 1}
    assert source.values({"yes": False}, slots[0]) == {"label": 0}
    assert {slot.id for slot in source_of(study, project).slots()} == {slot.id for slot in slots}


def test_labels_that_cannot_be_used(project: Project, tmp_path: Path) -> None:
    made(project, "explained")
    keep_study(project.ledger, study_of_errors(project.ledger, "review", "explained", 4))
    for where, task, data in (
        ("study:label", None, ("'label'", "'labels'")),
        ("study:labels", "motion/meaning", ("motion/meaning", RATIONALE.name)),
        ("study:review", None, ("judging", "errors", "study:review")),
    ):
        with raises(UserError, *data):
            load_labels(where, str(tmp_path / "ledger.db"), task)


def test_a_run_that_is_another_one(project: Project) -> None:
    study, _ = made(project, "explained")
    other = study.model_copy(update={"drawn": {**study.drawn, "0" * 32: 1.0}})
    with raises(UserError, 11, "'explained'", 10):
        source_of(other, project)


def test_labels_are_of_the_texts_that_people_saw(project: Project, tmp_path: Path) -> None:
    study, source = made(project, "explained")
    take_part(project.ledger, study, source, {"ada": lambda _: {"yes": True}})
    run = project.ledger.find_run("explained")
    known = {unit.id: unit.subject.attempt_id for unit in judged_units(project.ledger, run, RATIONALE)}
    said = {one: project.ledger.steps_of([known[one]])[known[one]][-1].response.text for one in study.drawn}
    text = next(text for text in said.values() if "larger" in text)
    other = {one for one in said if said[one] == text}
    with sqlite3.connect(tmp_path / "ledger.db") as database:
        database.execute("UPDATE ledger_replies SET text = ? WHERE text = ?", (text.replace("larger", "blue"), text))
    database.close()
    labels = load_study_labels(project.ledger, "labels")
    assert 0 < labels.changed_count == len(other) < NUMBER
    assert {one.judgement for one in labels.labels} == set(study.drawn) - other
    assert {slot.item for slot in source_of(study, project).slots()} == set(study.drawn) - other
    everything = study.model_copy(update={"texts": dict.fromkeys(study.drawn, "0")})
    with raises(UserError, "'explained'"):
        source_of(everything, project)


def drawn_twice(ledger: Ledger, seed: int) -> dict[str, float]:
    return study_of_labels(ledger, "again", "explained", NUMBER, seed=seed).drawn


def test_the_seed_decides(project: Project) -> None:
    assert drawn_twice(project.ledger, 3) == drawn_twice(project.ledger, 3) != drawn_twice(project.ledger, 4)


def test_on_postgres(postgres_url: str, tmp_path: Path) -> None:
    settings = RunConfig(tasks=(RATIONALE,), judge="baseline:overlap")
    execute_run(
        RunRequest(settings, published(tmp_path / "set", REASONS), MODELS, postgres_url, tmp_path / "p", "explained")
    )
    people = {name: by_chance(name, scores=False) for name in ("ada", "bo")}
    with open_ledger(postgres_url) as ledger:
        project = Project(tmp_path, About(format=1, id="x", name="x", database="postgres"), ledger)
        study, source = made(project, "explained")
        take_part(ledger, study, source, people)
        write_labels(project, "explained", tmp_path / "labels.csv", people)
        in_studio, in_file = (
            load_study_labels(ledger, "labels"),
            load_labels(str(tmp_path / "labels.csv"), postgres_url),
        )
        assert values_of(in_studio) == values_of(in_file)
        review = study_of_errors(ledger, "review", "explained", 4)
        keep_study(ledger, review)
        take_part(ledger, review, source_of(review, project), {"ada": lambda _: {"tags": ["no reason given"]}})
        (found,) = build_rows(ledger, [ledger.find_run("explained")])[0].reviews
    assert (found.found.n, found.found.tags[0].share) == (4, 1.0)


def values_of(labels: LabelSet) -> list[tuple[str, float, tuple[float, ...]]]:
    return [(one.judgement, one.weight, one.values) for one in labels.labels]
