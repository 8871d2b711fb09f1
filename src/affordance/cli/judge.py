"""`affordance judge`: measure a judge model against human labels."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, CommandGroup
from affordance.cli.options import (
    LEDGER,
    Budget,
    Concurrency,
    Estimate,
    Json,
    Judge,
    KeyEnv,
    Ledger,
    Prompts,
    Seed,
    Timeout,
)
from affordance.console.output import print_json, print_warning
from affordance.console.progress import run_progress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.ledger import JudgeCalibration

app = CommandGroup()

TaskName = Annotated[
    str | None,
    typer.Option(
        "--task", metavar="T", help="The task, where several are judged.", autocompletion=completion.task_names
    ),
]


@app.callback()
def judge() -> None:
    """Measure a judge model against human labels.

    \b
    Examples:
      affordance judge sample --run explanations -n 200 -o labels.csv
      affordance judge certify --judge openai:gpt-5 --labels labels.csv
    """


@app.command("sample")
def sample(
    run: Annotated[str, typer.Option("--run", metavar="NAME", help="A run with a judge.")],
    limit: Annotated[int, typer.Option("-n", "--limit", metavar="N", min=1, help="Number of judgements to draw.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="A new file: .csv or .jsonl.")],
    ledger: Ledger = LEDGER,
    task: TaskName = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Draw judgements of a run for people to label, evenly from every model and verdict.

    The file names neither the model nor the verdict of the judge. Its last columns are for `certify`: do not change
    them. For several labellers, copy the rows and name each in the column `labeller`. To label in the browser, use
    `affordance study create NAME --judgements RUN`.

    \b
    Examples:
      affordance judge sample --run explanations -n 200 -o labels.csv
      affordance judge certify --judge openai:gpt-5 --labels labels.csv
    """
    from affordance.core.formatting import count_noun, format_count
    from affordance.judging.judgements import judged_task
    from affordance.judging.labels import LABEL_GUIDES, SCORE_MEANINGS
    from affordance.judging.sampling import sample_judgements as draw
    from affordance.judging.sampling import write_sample
    from affordance.ledger import open_ledger

    with open_ledger(ledger, read_only=True) as opened:
        found = opened.find_run(run)
        chosen = judged_task(found, task)
        drawn = draw(opened, found, chosen, limit, seed)
    write_sample(drawn, output)
    if as_json:
        counts = {"drawn": len(drawn.rows), "population": drawn.population, "models": drawn.models}
        print_json({"file": output, "run": found.name, "task": chosen.name, **counts})
        return
    which = "all" if len(drawn.rows) == drawn.population else f"{format_count(len(drawn.rows))} of"
    models = count_noun(drawn.models, "model")
    print(f"{output}: {which} {format_count(drawn.population)} judgements of {chosen.name}, on answers of {models}")
    scale = " (scale: docs/judges.md)" if chosen.name in SCORE_MEANINGS else ""
    print(f"Fill in the column `label`: {LABEL_GUIDES[chosen.name]}{scale}. Then")
    # A URL may hold a password.
    where = "" if ledger == LEDGER else f" --ledger {'URL' if '://' in ledger else ledger}"
    print(f"  affordance judge certify --judge {found.settings.get('judge')} --labels {output}{where}")


@app.command("certify")
def certify(
    judge_name: Judge,
    labels: Annotated[
        str,
        typer.Option(metavar="FILE|study:NAME", help="The filled-in file of `judge sample`, or a study in the ledger."),
    ],
    ledger: Ledger = LEDGER,
    task: TaskName = None,
    repeats: Annotated[int, typer.Option("--repeats", metavar="K", min=1, help="Requests per judgement.")] = 3,
    prompts: Prompts = None,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    estimate: Estimate = False,
    budget: Budget = None,
    as_json: Json = False,
) -> int:
    """Measure a judge against human labels and store the calibration: agreement, kappa, repeats, order, cost.

    Stored responses are used. Reports of runs with this judge, its parameters and its prompt show the calibration and
    corrected scores. Exit code 3: responses are missing.

    \b
    Examples:
      affordance judge certify --judge openai:gpt-5 --labels labels.csv
      affordance judge certify --judge openai:gpt-5 --labels study:labels
      affordance judge certify --judge baseline:overlap --labels labels.csv --json
    """
    from affordance.cli.run import execution_config, print_estimates, report_run_problems
    from affordance.core.model_name import ModelName
    from affordance.evaluation.judge_calibration import JudgeCalibrationConfig, estimate_calibration
    from affordance.evaluation.judge_calibration import calibrate_judge as examine
    from affordance.judging.labels import load_labels
    from affordance.tasks.registry import TASKS

    given = load_labels(labels, ledger, task)
    exam = JudgeCalibrationConfig(
        judge=ModelName.parse(judge_name),
        task=TASKS[given.task],
        ledger=ledger,
        render_cache=cache_dir() / "pictures",
        repeats=repeats,
        prompts=prompts,
        execution=execution_config(concurrency, timeout, budget, key_env, [judge_name]),
    )
    if estimate:
        print_estimates(estimate_calibration(exam, given), as_json)
        return EXIT_OK
    with run_progress() as watch:
        found = examine(exam, given, watch)
    if found.calibration is None:
        return report_run_problems(found.request, found.progress) or EXIT_INCOMPLETE
    if given.empty:
        print_warning(f"{given.empty} judgements have no label yet and are excluded")
    if given.changed_count:
        print_warning(f"{given.changed_count} judgements changed since they were labelled and are excluded")
    _print_calibration(found.calibration, as_json)
    return EXIT_OK


def _print_calibration(calibration: "JudgeCalibration", as_json: bool) -> None:
    from affordance.report.formats.terminal import print_tables
    from affordance.report.judge_text import calibration_by_model, calibration_table

    judge, measurements = calibration.judge, calibration.measurements
    if as_json:
        settings = {"base_url": judge.base_url, "parameters": dict(judge.parameters), "pack": judge.prompt_digest}
        print_json({"id": calibration.id, **measurements, **settings, "prompt": calibration.prompt})
        return
    print(f"{judge.model} as judge of {calibration.task}\n")
    print_tables([calibration_table(measurements), calibration_by_model(measurements)])
    print(f"\nStored in the ledger as calibration {calibration.id}.")
