"""What a report says of judges: certified, uncertified or void, and what people would have scored."""

import csv
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.core.requests import CallSettings
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.judge_calibration import JudgeCalibrationConfig, calibrate_judge
from affordance.judging.labels import read_label_file
from affordance.judging.sampling import sample_judgements, write_sample
from affordance.ledger import JudgeCalibration, open_ledger
from affordance.report.judge_status import CalibrationState, JudgedRow, JudgeStatus, _RunJudge, judge_status_by_row
from affordance.report.judge_text import describe_judge
from affordance.report.notes import judge_note
from affordance.report.page.html_report import html_report
from affordance.report.result_row import ResultRow
from affordance.report.results import RowKey, read_results
from affordance.report.rows import build_rows
from affordance.report.views.judges import corrected_scores_table
from affordance.stats import CorrectedScore, CorrectionUnavailable
from affordance.tasks.behavior.rationale import RATIONALE
from cases import case, numbers_in
from errors import assert_carries
from judge_world import PAIRS, REASONS, RUN, SHORT, TRUE, answers, explained, fill_in, judged_run, people
from loopback import Loopback

OF_EACH = PAIRS * REASONS  # judgements of each model
ALL = OF_EACH * len(TRUE)


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(answers) as running:
        yield running


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, server: Loopback) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    return judged_run(folder, explained(folder / "set"), server.url)


@pytest.fixture
def ledger(world: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(world, tmp_path / "ledger.db"))


@pytest.fixture
def certified(ledger: Path, server: Loopback, tmp_path: Path) -> Callable[..., JudgeCalibration]:
    """Certify the run's judge on so many labels."""

    def make(number: int, seed: int = 0, only: str = "") -> JudgeCalibration:
        path = tmp_path / f"labels-{number}-{seed}.csv"
        with open_ledger(ledger, read_only=True) as opened:
            write_sample(sample_judgements(opened, opened.find_run(RUN), RATIONALE, number, seed), path)
        fill_in(path, lambda row: people(row) if only in row["text_a"] else "")
        judge = ModelName.parse(f"openai:judge@{server.url}")
        means = ExecutionConfig(concurrency=16, retry=SHORT)
        exam = JudgeCalibrationConfig(judge, RATIONALE, str(ledger), tmp_path / "pictures", repeats=1, execution=means)
        found = calibrate_judge(exam, read_label_file(path)).calibration
        assert found is not None
        return found

    return make


def found_in(ledger: Path, name: str = RUN) -> dict[RowKey, JudgedRow]:
    with open_ledger(ledger, read_only=True) as opened:
        run = opened.find_run(name)
        return judge_status_by_row(opened, run, read_results(opened, [run]).outcomes[name])


def standing_in(ledger: Path) -> JudgeStatus:
    (found,) = {one.status.state: one.status for one in found_in(ledger).values()}.values()
    return found


def rows_in(ledger: Path) -> list[ResultRow]:
    with open_ledger(ledger, read_only=True) as opened:
        return build_rows(opened, [opened.find_run(RUN)])


def truth_in(path: Path) -> dict[str, float]:
    """What people would have scored, from a file with all judgements."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    return {
        name: sum(people(row) == "yes" for row in found if f"A {name} " in row["text_a"]) / OF_EACH for name in TRUE
    }


def test_nobody_has_certified_the_judge(ledger: Path, server: Loopback) -> None:
    standing = standing_in(ledger)
    assert standing.state is CalibrationState.UNCERTIFIED
    said = describe_judge(standing)
    assert_carries(said, f"openai:judge@{server.url}", "`affordance judge sample`", "`affordance judge certify`")
    assert all(one.corrected is None for one in found_in(ledger).values())


def test_a_certified_judge_is_told_with_what_was_measured(
    ledger: Path, certified: Callable[..., JudgeCalibration], server: Loopback
) -> None:
    certificate = certified(100)
    standing = standing_in(ledger)
    assert (standing.state, standing.id, standing.changed) == (CalibrationState.CERTIFIED, certificate.id, ())
    assert standing.facts is not None
    assert "labelled" not in standing.facts, "labels are not told one by one"
    assert certificate.measurements["synthetic"] is False
    made_up = replace(standing, facts={**standing.facts, "synthetic": True})
    agreement = json.loads(json.dumps(certificate.measurements))["agreement"]
    said = describe_judge(standing)
    assert describe_judge(made_up).startswith(said)
    assert describe_judge(made_up) != said, "labels that a program made up are called so"
    assert_carries(said, f"openai:judge@{server.url}", "100 ", "WiserUI-Bench")
    numbers = f"{100 * agreement['share']:.1f}%", f"{agreement['kappa']:.2f}", f"{100 * agreement['base']:.1f}%"
    assert_carries(said, *numbers)


def changed(certificate: JudgeCalibration, **of_address: Json) -> JudgeCalibration:
    was = certificate.judge
    known = {
        "model": was.model,
        "base_url": was.base_url,
        "prompt_digest": was.prompt_digest,
        "parameters": was.parameters,
    }
    return replace(certificate, judge=CallSettings(**{**known, **of_address}))  # type: ignore[arg-type]


CHANGES: dict[str, tuple[Callable[[JudgeCalibration], JudgeCalibration], tuple[str, ...]]] = {
    "another judge": (lambda one: changed(one, model=one.judge.model.replace(":judge", ":other")), ("openai:other",)),
    "another address": (lambda one: changed(one, base_url="https://elsewhere/v1"), ("https://elsewhere/v1",)),
    "other parameters": (
        lambda one: changed(one, parameters={"temperature": 0, "seed": 1}),
        ('{"seed":1,"temperature":0}',),
    ),
    "another prompt": (
        lambda one: replace(changed(one, prompt_digest="other"), prompt="Is {text_b} in {text_a}?"),
        ("",),
    ),
    "two changes": (
        lambda one: changed(one, base_url="https://elsewhere/v1", parameters={}),
        ("https://elsewhere/v1", "{}"),
    ),
}


def test_a_change_makes_a_certificate_void(
    world: Path, ledger: Path, certified: Callable[..., JudgeCalibration], tmp_path: Path
) -> None:
    certificate = certified(40)
    held = describe_judge(standing_in(ledger))
    for name, (change, data) in CHANGES.items():
        other = change(certificate)
        where = Path(shutil.copyfile(world, tmp_path / f"{name}.db"))
        with open_ledger(where) as opened:
            opened.add_judge_calibration(other).result()
        standing = standing_in(where)
        with case(name):
            assert (standing.state, standing.id, standing.facts) == (CalibrationState.VOID, other.id, None)
            assert len(standing.changed) == len(data)
            for one, datum in zip(standing.changed, data, strict=True):
                assert datum in one
            said = describe_judge(standing)
            assert_carries(said, *standing.changed)
            assert said != held
            assert all(one.corrected is None for one in found_in(where).values())


def test_what_else_may_change(world: Path, certified: Callable[..., JudgeCalibration], tmp_path: Path) -> None:
    """Other prompts of the pack, for what the judge is shown is what counts; a certificate of another task is none."""
    certificate = certified(40)
    for name, other, state in (
        ("pack", changed(certificate, prompt_digest="other"), CalibrationState.CERTIFIED),
        ("task", replace(certificate, task="motion/meaning"), CalibrationState.UNCERTIFIED),
    ):
        where = Path(shutil.copyfile(world, tmp_path / f"{name}.db"))
        with open_ledger(where) as opened:
            opened.add_judge_calibration(other).result()
        assert standing_in(where).state is state


def test_of_several_the_one_on_labels_of_this_run_is_told(
    ledger: Path, certified: Callable[..., JudgeCalibration]
) -> None:
    mine = certified(40)
    with open_ledger(ledger) as opened:
        opened.add_judge_calibration(
            replace(mine, measurements={**mine.measurements, "runs": ["other"], "labels": 9})
        ).result()
    assert standing_in(ledger).id == mine.id


def test_with_all_labels_the_corrected_score_is_the_truth(
    ledger: Path, certified: Callable[..., JudgeCalibration], tmp_path: Path
) -> None:
    certified(ALL)
    truth = truth_in(tmp_path / f"labels-{ALL}-0.csv")
    for (_, _, model, _), one in found_in(ledger).items():
        name = next(name for name in TRUE if f":{name}@" in model)
        assert isinstance(one.corrected, CorrectedScore)
        assert one.corrected.value == pytest.approx(truth[name])
        assert one.corrected.n_labels == OF_EACH
        if name == "bad":
            assert one.corrected.raw > truth[name] + 0.1, "of little that is there, much is made up"


def test_with_some_labels_it_is_near_the_truth(
    ledger: Path, certified: Callable[..., JudgeCalibration], tmp_path: Path
) -> None:
    certified(120, 1)
    with open_ledger(ledger, read_only=True) as opened:
        write_sample(sample_judgements(opened, opened.find_run(RUN), RATIONALE, ALL, 0), tmp_path / "all.csv")
    truth = truth_in(tmp_path / "all.csv")
    for (_, _, model, _), one in found_in(ledger).items():
        name = next(name for name in TRUE if f":{name}@" in model)
        assert isinstance(one.corrected, CorrectedScore)
        low, high = one.corrected.interval
        # Which labels are drawn goes by ids, and those by the server's port: one interval in twenty may miss.
        assert abs(one.corrected.value - truth[name]) < high - low
        assert one.corrected.n == OF_EACH


def test_without_enough_labels_of_a_model_its_score_is_withheld(
    ledger: Path, certified: Callable[..., JudgeCalibration]
) -> None:
    certified(100, only="A good ")
    found = {key[2].partition("@")[0]: one.corrected for key, one in found_in(ledger).items()}
    assert isinstance(found["openai:good"], CorrectedScore)
    withheld = found["openai:bad"]
    assert isinstance(withheld, CorrectionUnavailable)
    assert numbers_in(withheld.reason) == [0, 20]


def test_rows_tables_and_pages_tell_of_it(ledger: Path, certified: Callable[..., JudgeCalibration]) -> None:
    assert corrected_scores_table(rows_in(ledger)) is None
    before = judge_note(rows_in(ledger))
    certified(100, only="A good ")
    found = rows_in(ledger)
    table = corrected_scores_table(found)
    assert table is not None
    lines = {name.partition("@")[0]: cells for name, *cells in table.texts()}
    assert "–" not in lines["openai:good"]
    assert lines["openai:bad"][1:] == ["–", "–", "0"]
    assert numbers_in(table.notes[-1].partition("/v1: ")[2])[:2] == [0, 20]
    assert judge_note(found) != before
    told = json.loads(json.dumps([row.to_json() for row in found]))
    assert {row["certificate"]["state"] for row in told} == {"certified"}
    assert {"value", "reason"} == {name for row in told for name in row["corrected"]} & {"value", "reason"}
    with open_ledger(ledger, read_only=True) as opened:
        page = html_report(read_results(opened, [opened.find_run(RUN)]), found)
    assert 'data-table="corrected"' in page
    assert judge_note(found) in page


def test_a_judge_whose_settings_changed_during_the_run_is_not_calibrated(ledger: Path) -> None:
    first = CallSettings("openai:judge", "https://here/v1", parameters={"temperature": 0})
    second = CallSettings("openai:judge", "https://here/v1", parameters={"temperature": 1})
    calibration = JudgeCalibration(RATIONALE.name, first, "", {})
    with open_ledger(ledger, read_only=True) as opened:
        run = opened.find_run(RUN)
        assert _RunJudge(opened, run, RATIONALE.name, [first]).changes(calibration) == []
        (change,) = _RunJudge(opened, run, RATIONALE.name, [first, second]).changes(calibration)
    assert '{"temperature":0}' in change
