"""The behavior suite as it is shown: position, the control beside the headline, words of explanations."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import affordance
from affordance.cli.main import app, run_command
from affordance.core.model_name import ModelName
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.report.formats.row_formats import ROW_FORMATS
from affordance.report.judge_status import CalibrationState, JudgeStatus
from affordance.report.judge_text import describe_judge
from affordance.report.notes import control_note
from affordance.report.page.html_report import html_report
from affordance.report.report_tables import print_rows
from affordance.report.result_row import ResultRow
from affordance.report.results import read_results
from affordance.report.rows import build_rows
from affordance.report.views import breakdowns
from affordance.tasks.behavior.choice import IDENTICAL_IMAGES
from affordance.tasks.registry import resolve_tasks
from behavior_data import because, pair, published, write_pairs
from cases import numbers_in
from errors import assert_carries, raises

REASONS = [[("The button is larger.", "Fitts’s Law", "Action")], [("There are fewer choices.", "Hick’s Law", "Action")]]


def asked(folder: Path, data: object, *models: str) -> Path:
    """A ledger in which baselines were asked the whole suite."""
    ledger = folder / "ledger.db"
    request = RunRequest(
        config=RunConfig(tasks=tuple(resolve_tasks(["behavior"])), judge="baseline:overlap"),
        data=data,  # type: ignore[arg-type]
        models=tuple(ModelName.parse(model) for model in models),
        ledger=str(ledger),
        render_cache=folder / "pictures",
        name="asked",
    )
    execute_run(request)
    return ledger


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pairs on the web and one on a phone, which shows the same picture twice."""
    folder = tmp_path_factory.mktemp("mixed")
    why = [because("The button is larger.", "Fitts’s Law")]
    web = [pair(name, number % 2, device="web", rationales=why) for number, name in enumerate("abc")]
    data = write_pairs(folder / "pairs", *web, pair("null", same=True, device="mobile", rationales=why))
    return asked(folder, data, "baseline:random", "oracle")


def found_in(ledger: Path) -> list[ResultRow]:
    with open_ledger(str(ledger), read_only=True) as opened:
        return build_rows(opened, [opened.find_run("asked")])


def page_of(ledger: Path) -> str:
    with open_ledger(str(ledger), read_only=True) as opened:
        runs = [opened.find_run("asked")]
        return html_report(read_results(opened, runs), build_rows(opened, runs))


def test_the_control_is_told_beside_the_headline(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = found_in(mixed)
    choice = [row for row in found if row.task == "behavior/choice"]
    headline, control = ([row for row in choice if row.form == form] for form in ("", IDENTICAL_IMAGES))
    said = control_note(headline, found)
    assert numbers_in(said) == [1, 4]
    assert_carries(said, IDENTICAL_IMAGES)
    assert control_note(control, found) == "", "nothing is left out of the control itself"
    assert said in page_of(mixed)
    print_rows(found)
    assert said in " ".join(capsys.readouterr().out.split())


def test_nothing_is_scored_of_equal_pictures(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither is the right one, so nobody is worse than guessing there."""
    found = [row for row in found_in(mixed) if row.task == "behavior/choice" and row.form == IDENTICAL_IMAGES]
    assert all(row.metrics["accuracy"] is None and not row.intervals and not row.floors for row in found)
    assert {row.model: row.metrics["position_preference"] for row in found}["oracle:default"] == 0.5
    section = page_of(mixed).partition(f'data-form="{IDENTICAL_IMAGES}"')[2].partition("</section>")[0]
    said = section.partition('data-finding="position">')[2].partition("</p>")[0]
    assert_carries(said, "oracle:default", "50.0%")
    assert 'class="board"' not in section
    assert replace(found[0], floors={"chance": 0.5}).strongest_baseline not in section
    print_rows(found)
    assert capsys.readouterr().out.strip()


def test_as_published_all_pairs_count(mixed: Path) -> None:
    row = next(row for row in found_in(mixed) if row.task == "behavior/choice" and row.model.startswith("oracle"))
    assert row.compat["average_accuracy_strict"] == 1
    assert row.compat["average_accuracy_strict_all"] == 1, "the oracle knows the winner of equal pictures too"


def test_the_judge_and_its_controls_are_named(mixed: Path) -> None:
    page = page_of(mixed)
    standing = JudgeStatus(CalibrationState.UNCERTIFIED, "baseline:overlap")
    assert describe_judge(standing) in page
    assert 'data-table="judge"' in page


def test_laws_are_a_breakdown(mixed: Path) -> None:
    row = next(row for row in found_in(mixed) if row.task == "behavior/choice" and not row.form)
    by_law = [(one.value, one.n) for one in row.breakdowns if one.by == "UX law"]
    assert by_law == [("Fitts’s Law", 3 * 2 * 3)]


def test_a_model_of_which_nothing_with_a_law_is_scored_yet(tmp_path: Path) -> None:
    """As after an interruption, next to one that has finished: every format has both, and only the other's laws."""
    laws = [because("The button is larger.", law) for law in ("Fitts’s Law", "Hick’s Law")]
    data = write_pairs(tmp_path / "pairs", pair("a"), *(pair(name, rationales=laws) for name in "bc"))
    said = [{"item": "a", "trial": trial, "reply": "More effective: First"} for trial in range(3)]
    (tmp_path / "begun.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said))
    settings = RunConfig(tasks=tuple(resolve_tasks(["behavior/choice"])))
    models = tuple(map(ModelName.parse, ("oracle", f"replay:{tmp_path / 'begun.jsonl'}")))
    ledger = tmp_path / "ledger.db"
    execute_run(RunRequest(settings, data, models, str(ledger), tmp_path / "pictures", name="asked"))
    found = {row.model: row for row in found_in(ledger)}
    begun = found["replay:begun.jsonl"]
    assert begun.metrics["accuracy"] is not None
    assert [one.metrics["accuracy"] for one in begun.breakdowns if one.by == "UX law"] == [None, None]
    for text in (page_of(ledger), *(ROW_FORMATS[form](list(found.values())) for form in ROW_FORMATS)):
        assert "begun" in text
    (found_laws,) = [one for one in breakdowns.breakdowns_of(list(found.values())) if one.tag == "UX law"]
    assert found_laws.table.finding.count("is best on") + found_laws.table.finding.count("is right in") == 1


def test_published_rows_stand_apart_and_only_beside_their_own_data(tmp_path: Path, mixed: Path) -> None:
    page = page_of(asked(tmp_path, published(tmp_path / "set", REASONS), "baseline:random"))
    board, _, ours = page.partition('class="group"')
    ours, _, theirs = ours.partition("<details data-published>")
    for published_part in (board, theirs):
        assert "Claude 3.5 Sonnet" in published_part
        assert "WiserUI-Bench, Tables 2 and 4" in published_part
    assert "Claude 3.5 Sonnet" not in ours
    assert "data-published" not in page_of(mixed)
    assert 'id="leaderboard"' not in page_of(mixed), "nor a board: the data was made up, and there is one run"


def test_words_of_explanations_are_compared_where_it_is_asked_for(mixed: Path) -> None:
    def told(*options: str) -> list[dict[str, object]]:
        result = CliRunner().invoke(app, ["report", "--ledger", str(mixed), "--json", *options])
        assert result.exit_code == 0, result.output
        return [row["metrics"] for row in json.loads(result.stdout) if row["task"] == "behavior/rationale"]

    assert all("rouge_l" not in metrics for metrics in told())
    found = told("--wording")
    assert {metrics["rouge_l"] for metrics in found} >= {1.0}, "the oracle says the rationale itself"
    assert all(metrics["meteor"] is None and metrics["bertscore"] is None for metrics in found)
    from_python = affordance.open_results(mixed, tasks="behavior/rationale", wording=True)
    assert [row.metrics for row in from_python] == found
    assert all("rouge_l" not in row.metrics for row in affordance.open_results(mixed))


def test_what_a_ledger_has_nothing_of_is_told(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with raises(affordance.UserError, "motion/effect", "behavior/choice", "behavior/rationale"):
        affordance.open_results(mixed, tasks="motion/effect")
    affordance.open_results(mixed, tasks="behavior/choice", wording=True)
    assert_carries(capsys.readouterr().err, "behavior/rationale")
    assert run_command(["report", "--ledger", str(mixed), "--task", "behavior/choice", "--meteor"]) == 0
    assert_carries(capsys.readouterr().err, "behavior/rationale")


def test_words_that_cannot_be_compared_say_what_to_install(mixed: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", "--ledger", str(mixed), "--bertscore", str(tmp_path)])
    assert result.exit_code != 0
    assert_carries(str(result.exception), "BERTScore", "pip install 'affordance[bertscore]'")
    with raises(affordance.UserError, "BERTScore", "pip install 'affordance[bertscore]'"):
        affordance.open_results(mixed, bertscore=tmp_path)
