"""`affordance judge`: what is the model worth that judges free answers?"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import known
from affordance.cli.command_group import EXIT_INCOMPLETE, CommandGroup
from affordance.cli.options import LEDGER, Concurrency, Json, Judge, KeyEnv, Ledger, Timeout
from affordance.cli.places import cache_dir
from affordance.console.progress import run_progress

if TYPE_CHECKING:
    from affordance.ledger import JudgeCalibration

app = CommandGroup()

TaskName = Annotated[
    str | None,
    typer.Option("--task", metavar="T", help="Which one, where there are several.", autocompletion=known.tasks),
]


@app.callback()
def judge() -> None:
    """Measure the model that judges free answers against people.

    \b
    Examples:
      affordance judge sample --run explanations -n 200 -o labels.csv
      affordance judge certify --judge openai:gpt-5 --labels labels.csv
    """


@app.command("sample")
def sample(
    run: Annotated[str, typer.Option("--run", metavar="R", help="A run with a judge.", autocompletion=known.runs)],
    number: Annotated[int, typer.Option("-n", "--number", metavar="N", min=1, help="Judgements to draw.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="A new file: CSV, or .jsonl.")],
    ledger: Ledger = LEDGER,
    task: TaskName = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seeds what is drawn.")] = 0,
    as_json: Json = False,
) -> None:
    """Draw judgements of a run for people to label, evenly from every model and verdict.

    The file names neither the model nor what the judge said. Its last columns are for `certify`: leave them as they
    are. Several people may label the same: copy the rows, and give each a name in the column `labeller`. To have people
    label them in the browser, see `affordance study --label`.

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
        drawn = draw(opened, found, chosen, number, seed)
    write_sample(drawn, output)
    if as_json:
        told = {"file": str(output), "run": found.name, "task": chosen.name}
        counts = {"drawn": len(drawn.rows), "population": drawn.population, "models": drawn.models}
        print(json.dumps({**told, **counts}, ensure_ascii=False, indent=2))
        return
    which = "all" if len(drawn.rows) == drawn.population else f"{format_count(len(drawn.rows))} of"
    models = count_noun(drawn.models, "model")
    print(f"{output}: {which} {format_count(drawn.population)} judgements of {chosen.name}, on answers of {models}")
    scale = "; the scale is in the document on judges" if chosen.name in SCORE_MEANINGS else ""
    print(f"Fill in the column `label`: {LABEL_GUIDES[chosen.name]}{scale}. Then")
    # A URL may hold a password.
    where = "" if ledger == LEDGER else f" --ledger {'URL' if '://' in ledger else ledger}"
    print(f"  affordance judge certify --judge {found.settings.get('judge')} --labels {output}{where}")


@app.command("certify")
def certify(
    judge_name: Judge,
    labels: Annotated[
        str,
        typer.Option(
            metavar="FILE|study:NAME", help="What `judge sample` wrote, filled in; or a study of people in the ledger."
        ),
    ],
    ledger: Ledger = LEDGER,
    task: TaskName = None,
    repeats: Annotated[int, typer.Option(metavar="K", min=1, help="How often each judgement is asked.")] = 3,
    prompts: Annotated[Path | None, typer.Option(metavar="DIR", help="Another prompt pack.")] = None,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print what it would ask and cost; ask nothing.")
    ] = False,
    budget: Annotated[float | None, typer.Option(metavar="USD", min=0, help="Stop before this is spent.")] = None,
    as_json: Json = False,
) -> None:
    """Measure a judge against labels of people: agreement, kappa with the base rate, repeats, order, cost.

    What the ledger has is not asked again. The certificate is kept in the ledger. Reports of runs with this judge,
    asked in the same way, tell of it, and show corrected scores beside the judge's own. Exit code 3: replies are
    missing.

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
        return
    with run_progress() as watch:
        found = examine(exam, given, watch)
    if found.calibration is None:
        raise typer.Exit(report_run_problems(found.request, found.progress) or EXIT_INCOMPLETE)
    if given.empty:
        print(f"affordance: {given.empty} judgements have no label yet and are left out", file=sys.stderr)
    if given.changed_count:
        left = f"{given.changed_count} judgements are about other texts by now than people labelled, and are left out"
        print(f"affordance: {left}", file=sys.stderr)
    _show(found.calibration, as_json)


def _show(certificate: "JudgeCalibration", as_json: bool) -> None:
    from affordance.report.formats.terminal import print_tables
    from affordance.report.judge_text import calibration_by_model, calibration_table

    address, facts = certificate.judge, certificate.measurements
    if as_json:
        about = {"base_url": address.base_url, "parameters": dict(address.parameters), "pack": address.prompt_digest}
        print(json.dumps({"id": certificate.id, **facts, **about, "prompt": certificate.prompt}, indent=2,
                         ensure_ascii=False))  # fmt: skip
        return
    print(f"{address.model} as judge of {certificate.task}\n")
    print_tables([calibration_table(facts), calibration_by_model(facts)])
    print(f"\nStored in the ledger as calibration {certificate.id}.")
