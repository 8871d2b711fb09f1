"""Judges measured against people, through the real runner: a judge that errs by rule is measured right, nothing that is
in the ledger is asked again, and what is wrong with labels is told."""

import csv
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from killing import kill_after, start_again

from affordance.core.errors import MissingApiKey, UnknownName, UserError
from affordance.core.model_name import ModelName
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.judge_calibration import (
    JudgeCalibrationConfig,
    JudgeCalibrationResult,
    calibrate_judge,
    estimate_calibration,
)
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.judging.judgements import judged_tasks, judged_units
from affordance.judging.labels import read_label_file
from affordance.judging.sampling import sample_judgements, write_sample
from affordance.ledger import open_ledger
from affordance.report.rows import build_rows
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.motion.meaning import MEANING
from errors import raises
from judge_world import (
    MADE_UP,
    MISSED,
    PAIRS,
    REASONS,
    RUN,
    SHORT,
    TRUE,
    answers,
    explained,
    fill_in,
    is_contained,
    is_judged,
    judged_run,
    people,
    write_sheet,
)
from loopback import Loopback, Seen, after, completion
from motion_data import THINGS, clip, write_clips

ALL = PAIRS * REASONS * len(TRUE)


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(answers) as running:
        yield running


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, server: Loopback) -> tuple[Path, list[Seen]]:
    """The ledger of a run that was judged, and what was asked for it."""
    folder = tmp_path_factory.mktemp("judged")
    return judged_run(folder, explained(folder / "set"), server.url), list(server.seen)


@pytest.fixture
def ledger(world: tuple[Path, list[Seen]], tmp_path: Path, server: Loopback) -> Path:
    """The same for one test alone, with a server that remembers this and no more."""
    path, seen = world
    server.seen[:] = seen
    return Path(shutil.copyfile(path, tmp_path / "ledger.db"))


@pytest.fixture
def exam(ledger: Path, server: Loopback, tmp_path: Path) -> JudgeCalibrationConfig:
    return JudgeCalibrationConfig(
        judge=ModelName.parse(f"openai:judge@{server.url}"),
        task=RATIONALE,
        ledger=str(ledger),
        render_cache=tmp_path / "pictures",
        execution=ExecutionConfig(concurrency=16, retry=SHORT),
    )


def drawn(where: Path, number: int, file: Path, seed: int = 0, run: str = RUN) -> Path:
    with open_ledger(where, read_only=True) as opened:
        found = opened.find_run(run)
        (task,) = judged_tasks(found)
        write_sample(sample_judgements(opened, found, task, number, seed), file)
    return file


def labelled(
    where: Path, number: int, file: Path, label: Callable[[dict[str, str]], str] = people, run: str = RUN
) -> Path:
    fill_in(drawn(where, number, file, run=run), label)
    return file


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def document(found: JudgeCalibrationResult) -> dict[str, Any]:
    assert found.calibration is not None
    return json.loads(json.dumps(found.calibration.measurements))


def test_what_is_drawn_is_blind_and_from_every_model_and_verdict(ledger: Path, tmp_path: Path) -> None:
    rows = read(drawn(ledger, 80, tmp_path / "labels.csv"))
    assert list(rows[0]) == ["text_a", "text_b", "label", "labeller", "task", "weight", "judgement"]
    with open_ledger(ledger, read_only=True) as opened:
        by_id = {unit.id: unit for unit in judged_units(opened, opened.find_run(RUN), RATIONALE)}
    assert len(by_id) == ALL, "controls are not among them"
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(ALL)
    strata = Counter((by_id[row["judgement"]].subject.model, by_id[row["judgement"]].verdict) for row in rows)
    assert set(strata.values()) == {20}
    for row in rows:
        unit = by_id[row["judgement"]]
        assert unit.verdict == ("yes" if is_judged(row["text_a"], row["text_b"]) else "no"), "as the judge saw them"
        told = {name: value for name, value in row.items() if name != "text_a"}
        assert unit.subject.model not in str(told), "who said it is not in the file"
    verdicts = [by_id[row["judgement"]].verdict for row in rows]
    assert verdicts != sorted(verdicts), "mixed"


def test_the_same_seed_draws_the_same(ledger: Path, tmp_path: Path) -> None:
    first, second, third = (
        drawn(ledger, 40, tmp_path / f"{name}.csv", seed).read_text() for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first == second != third


def test_a_judge_with_planted_errors_is_measured_right(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path
) -> None:
    path = labelled(ledger, ALL, tmp_path / "labels.csv")
    texts = [(row["text_a"], row["text_b"]) for row in read(path)]
    found = document(calibrate_judge(exam, read_label_file(path)))
    truth, said = [is_contained(*one) for one in texts], [is_judged(*one) for one in texts]
    yes = sum(truth)
    agreement = found["agreement"]
    share = sum(a == b for a, b in zip(truth, said, strict=True)) / ALL
    expected = (yes * sum(said) + (ALL - yes) * (ALL - sum(said))) / ALL**2
    assert agreement["n"] == found["labels"] == ALL
    assert agreement["share"] == pytest.approx(share)
    assert agreement["base"] == pytest.approx(yes / ALL)
    assert agreement["judged"] == pytest.approx(sum(said) / ALL)
    assert agreement["chance"] == pytest.approx(expected)
    assert agreement["kappa"] == pytest.approx((share - expected) / (1 - expected))
    assert agreement["kappa_interval"][0] < agreement["kappa"] < agreement["kappa_interval"][1]
    hits = sum(b for a, b in zip(truth, said, strict=True) if a)
    assert agreement["yes_found"] == pytest.approx(hits / yes) == pytest.approx(1 - MISSED / 100, abs=0.06)
    assert agreement["no_found"] == pytest.approx(1 - MADE_UP / 100, abs=0.09)
    again = sum(is_judged(*one, 2) == is_judged(*one) for one in texts) / ALL
    assert found["consistency"]["all_equal"] == pytest.approx(again)
    assert found["consistency"]["pairs_equal"] == pytest.approx(again + (1 - again) / 3), "one of three differs"
    assert found["order"] is None, "what is contained in what is not the same the other way round"
    assert found["unread"] == 0
    assert set(found["by_model"]) == {one for one in found["by_model"] if "good" in one or "bad" in one}
    assert found["effort"]["replies"] == 3 * ALL
    assert found["effort"]["input_tokens"] == 300 * ALL
    assert found["effort"]["served_by"] == ["served-model"]
    assert (found["empty"], found["tied"], found["labellers"], found["datasets"]) == (0, 0, 1, ["WiserUI-Bench"])


def test_a_sample_tells_of_all_that_it_was_drawn_from(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path
) -> None:
    """Drawn as often from rare verdicts as from frequent ones, and weighted back."""
    with open_ledger(ledger, read_only=True) as opened:
        said = [unit.verdict == "yes" for unit in judged_units(opened, opened.find_run(RUN), RATIONALE)]
    found = document(
        calibrate_judge(replace(exam, repeats=1), read_label_file(labelled(ledger, 100, tmp_path / "labels.csv")))
    )
    assert found["agreement"]["judged"] == pytest.approx(sum(said) / ALL), "strata are by what the judge said"
    assert sum(weight for _, _, weight in found["labelled"]) == pytest.approx(ALL)
    assert found["consistency"] is None


def test_labels_that_are_missing_are_made_up_for_by_others_of_the_same_kind(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path
) -> None:
    path = labelled(ledger, 80, tmp_path / "labels.csv")
    kept = read(path)
    with open_ledger(ledger, read_only=True) as opened:
        said = [unit.verdict == "yes" for unit in judged_units(opened, opened.find_run(RUN), RATIONALE)]
    write_sheet(path, [{**row, "label": row["label"] if place % 3 else ""} for place, row in enumerate(kept)])
    labels = read_label_file(path)
    found = document(calibrate_judge(replace(exam, repeats=1), labels))
    assert found["empty"] == 27
    assert found["labels"] == 53
    assert found["agreement"]["judged"] == pytest.approx(sum(said) / ALL)


def test_what_the_run_has_asked_is_not_asked_again(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path, server: Loopback
) -> None:
    labels = read_label_file(labelled(ledger, 20, tmp_path / "labels.csv"))
    for repeats, new in ((1, 0), (3, 2 * 20), (3, 0), (2, 0)):
        before = len(server.seen)
        (foreseen,) = estimate_calibration(replace(exam, repeats=repeats), labels)
        assert foreseen.asks == new
        assert calibrate_judge(replace(exam, repeats=repeats), labels).calibration is not None
        assert len(server.seen) - before == new
    with open_ledger(ledger, read_only=True) as opened:
        assert len(opened.judge_calibrations()) == 3, "the same measurements are one certificate"


def test_changed_labels_ask_nothing(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path, server: Loopback
) -> None:
    path = labelled(ledger, 40, tmp_path / "labels.csv")
    assert document(calibrate_judge(exam, read_label_file(path)))["agreement"]["base"] > 0
    before = len(server.seen)
    fill_in(path, lambda row: "no")
    assert document(calibrate_judge(exam, read_label_file(path)))["agreement"]["base"] == 0
    assert len(server.seen) == before


def test_trials_of_a_run_are_asked_as_they_were(tmp_path: Path, server: Loopback) -> None:
    """The repeats of a judgement of the second trial come after it, and are its own."""
    where = judged_run(tmp_path, explained(tmp_path / "set", 2), server.url, trials=2)
    path = labelled(where, 2 * 2 * 2 * REASONS, tmp_path / "labels.csv")
    judge = ModelName.parse(f"openai:judge@{server.url}")
    before = len(server.seen)
    exam = JudgeCalibrationConfig(
        judge, RATIONALE, str(where), tmp_path / "pictures", repeats=1, execution=ExecutionConfig(retry=SHORT)
    )
    found = document(calibrate_judge(exam, read_label_file(path)))
    assert len(server.seen) == before
    assert found["labels"] == 2 * 2 * 2 * REASONS


def test_killed_and_started_again_it_asks_nothing_twice(ledger: Path, tmp_path: Path, server: Loopback) -> None:
    path = labelled(ledger, 60, tmp_path / "labels.csv")
    command = [
        *(sys.executable, "-m", "affordance", "judge", "certify", "--judge", f"openai:judge@{server.url}"),
        *("--labels", str(path), "--ledger", str(ledger), "--concurrency", "4", "--quiet", "--json"),
    ]
    quick, before = server.behaviour, Counter(server.counts)
    server.behaviour = after(0.05, answers)
    try:
        server.answered.clear()
        kill_after(30, command, server, tmp_path / "pictures")
        finished = start_again(command, tmp_path / "pictures")
    finally:
        server.behaviour = quick
    assert finished.returncode == 0, finished.stderr
    asked = Counter(server.counts) - before
    assert len(asked) == 60
    assert sum(asked.values()) <= 2 * 60 + 4, "at most what was under way is repeated"
    assert json.loads(finished.stdout)["consistency"]["repeats"] == 3


def test_a_judge_that_fails_gets_no_certificate_and_goes_on_later(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path, server: Loopback
) -> None:
    async def fails(seen: Seen, request: web.Request) -> web.StreamResponse:
        if seen.number > 2:
            return web.json_response({"error": {"message": "no"}}, status=400)
        return await answers(seen, request)

    labels = read_label_file(labelled(ledger, 20, tmp_path / "labels.csv"))
    server.behaviour = fails
    try:
        found = calibrate_judge(exam, labels)
    finally:
        server.behaviour = answers
    assert found.calibration is None
    assert not found.progress.complete
    with open_ledger(ledger, read_only=True) as opened:
        assert opened.judge_calibrations() == []
    assert calibrate_judge(exam, labels).calibration is not None


def test_replies_that_cannot_be_read_are_told_apart(ledger: Path, tmp_path: Path) -> None:
    async def mumbles(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("Yes and no") if int(seen.key[0], 16) < 4 else await answers(seen, request)

    labels = read_label_file(labelled(ledger, 80, tmp_path / "labels.csv"))
    with Loopback(mumbles) as server:
        judge = ModelName.parse(f"openai:judge@{server.url}")
        exam = JudgeCalibrationConfig(
            judge, RATIONALE, str(ledger), tmp_path / "pictures", repeats=1, execution=ExecutionConfig(retry=SHORT)
        )
        found = document(calibrate_judge(exam, labels))
    assert 0.1 < found["unread"] < 0.4
    assert found["agreement"]["n"] == round(80 * (1 - found["unread"]))


JUDGES = {
    "oracle": (UserError, "oracle"),
    "replay:labels.csv": (UserError, "replay:labels.csv"),
    "study:labels": (UserError, "study:labels"),
    "baseline:pixels": (UserError, "baseline:pixels", "behavior/rationale"),
    "openai:gpt-5": (MissingApiKey, "openai:gpt-5", "OPENAI_API_KEY"),
    "nobody:x": (UnknownName, "nobody"),
}


def test_who_cannot_judge(
    exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    labels = read_label_file(labelled(ledger, 8, tmp_path / "labels.csv"))
    for judge, (kind, *data) in JUDGES.items():
        with raises(kind, *data):
            calibrate_judge(replace(exam, judge=ModelName.parse(judge)), labels)


def test_judgements_that_nobody_made(exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path) -> None:
    path = labelled(ledger, 8, tmp_path / "labels.csv")
    rows = read(path)
    write_sheet(path, [*rows[:3], {**rows[3], "judgement": "0" * 32}, *rows[4:]])
    with raises(UserError, 5, "behavior/rationale", "0" * 32):
        calibrate_judge(exam, read_label_file(path))


def test_labels_that_are_all_empty(exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path) -> None:
    with raises(UserError, "behavior/rationale", 8):
        calibrate_judge(exam, read_label_file(drawn(ledger, 8, tmp_path / "labels.csv")))


def test_a_run_without_a_judged_task_or_before_its_first_judgement(tmp_path: Path) -> None:
    where, models = tmp_path / "ledger.db", (ModelName.parse("oracle"),)
    data = explained(tmp_path / "set", 1)
    execute_run(RunRequest(RunConfig(tasks=(CHOICE,)), data, models, str(where), tmp_path / "pictures"))
    with open_ledger(where, read_only=True) as opened:
        (summary,) = opened.run_summaries()
        with raises(UserError, "behavior/rationale", "motion/meaning"):
            judged_tasks(summary.run)
        with raises(UserError, "behavior/rationale"):
            sample_judgements(opened, summary.run, RATIONALE, 10, 0)


def test_the_offline_judge_is_its_own_repeat(ledger: Path, tmp_path: Path) -> None:
    labels = read_label_file(labelled(ledger, 20, tmp_path / "labels.csv"))
    exam = JudgeCalibrationConfig(ModelName.parse("baseline:overlap"), RATIONALE, str(ledger), tmp_path / "pictures")
    found = document(calibrate_judge(exam, labels))
    assert found["consistency"]["all_equal"] == 1
    assert found["effort"]["usd"] == 0


async def biased(seen: Seen, _: web.Request) -> web.StreamResponse:
    """As a judge: two points for the same topic, one more where the interpretation comes first."""
    if seen.body["model"] != "judge":
        return completion("It went into the cart.")
    places = [seen.text.rfind(text) for thing in THINGS for text in clip(thing).meaning_responses]
    first = 0 <= seen.text.rfind("It went into the cart.") < max(places)
    return completion(json.dumps({"score": 3 if first else 2, "reason": "x"}))


@pytest.mark.parametrize("orders", [1, 2])
def test_the_order_of_the_texts_is_measured_where_it_may_matter(tmp_path: Path, orders: int) -> None:
    data = write_clips(tmp_path / "set", *(clip(thing) for thing in THINGS), frames=30)
    with Loopback(biased) as server:
        judge = f"openai:judge@{server.url}"
        settings = RunConfig(tasks=(MEANING,), judge=judge, reference="individual", judge_orders=orders)
        models = (ModelName.parse(f"openai:model@{server.url}"),)
        where, means = tmp_path / "ledger.db", ExecutionConfig(retry=SHORT)
        run, _ = execute_run(RunRequest(settings, data, models, str(where), tmp_path / "pictures", execution=means))
        path = labelled(where, 12, tmp_path / "labels.csv", lambda row: "2", run=run.name)
        asked = len(server.seen)
        exam = JudgeCalibrationConfig(
            ModelName.parse(judge), MEANING, str(where), tmp_path / "pictures", repeats=2, execution=means
        )
        found = document(calibrate_judge(exam, read_label_file(path)))
        assert len(server.seen) - asked == 12 * (1 + (orders == 1)), "the other order, where it was not asked yet"
    assert found["order"] == {"n": 12, "changed": 1.0, "shift": pytest.approx(1.0)}
    assert found["consistency"]["all_equal"] == 1
    assert found["agreement"]["within_one"] == 1
    assert 0 <= found["agreement"]["difference"] <= 1
    assert found["agreement"]["base"] == pytest.approx(2)
    assert found["agreement"]["kappa"] is None


def test_secrets_are_in_no_certificate(ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-key")
    labels = read_label_file(labelled(ledger, 8, tmp_path / "labels.csv"))
    with Loopback(answers) as server:
        url = server.url.replace("http://", "http://user:planted@") + "?token=planted"
        judge = ModelName.parse(f"openai:judge@{url}")
        exam = JudgeCalibrationConfig(
            judge, RATIONALE, str(ledger), tmp_path / "pictures", repeats=1, execution=ExecutionConfig(retry=SHORT)
        )
        found = calibrate_judge(exam, labels)
    assert found.calibration is not None
    assert b"planted" not in ledger.read_bytes()
    assert "planted" not in str(found.calibration)


def test_certifying_is_no_row_of_a_report(exam: JudgeCalibrationConfig, ledger: Path, tmp_path: Path) -> None:
    calibrate_judge(exam, read_label_file(labelled(ledger, 8, tmp_path / "labels.csv")))
    with open_ledger(ledger, read_only=True) as opened:
        runs = [summary.run for summary in opened.run_summaries()]
        assert len(runs) == 2
        assert {row.run for row in build_rows(opened, runs)} == {RUN}
