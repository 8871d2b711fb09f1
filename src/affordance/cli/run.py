"""`affordance run` and `affordance rescore`."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import (
    LEDGER,
    Budget,
    Concurrency,
    Data,
    DryRun,
    Estimate,
    Fresh,
    Json,
    KeyEnv,
    Ledger,
    Models,
    OnlyRuns,
    RunName,
    Timeout,
)
from affordance.cli.run_options import RunOptionValues, with_run_options
from affordance.console.output import print_json, print_note
from affordance.console.progress import demo_progress
from affordance.console.run_summary import report_problems, run_and_score, write_summaries
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affordance.evaluation.estimate import CostEstimate
    from affordance.evaluation.execution_config import ExecutionConfig
    from affordance.evaluation.progress import RunProgress
    from affordance.evaluation.run import RunRequest


@with_run_options()
def run(
    context: typer.Context,
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="TASK...",
            help="Tasks; the name of a suite means all of its tasks.",
            autocompletion=completion.task_names,
        ),
    ],
    model: Models,
    run_options: RunOptionValues,
    data: Data = None,
    ledger: Ledger = LEDGER,
    name: RunName = None,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    estimate: Estimate = False,
    budget: Budget = None,
    fresh: Fresh = False,
    full: Annotated[bool, typer.Option("--full", help="Print all tables.")] = False,
    as_json: Json = False,
) -> int:
    """Evaluate models on one or more tasks and print the scores.

    The same command resumes an interrupted run and repeats no request. For answers of people (study:NAME), data and
    settings are those of the study unless others are given, and the run has its name.

    \b
    Examples:
      affordance run motion/effect --model baseline:pixels --model baseline:random
      affordance run motion/effect --model openai:gpt-5 --estimate
      affordance run motion/purpose --cues all --model vllm:Qwen/Qwen2.5-VL-7B@http://localhost:8000/v1
    """
    from affordance.evaluation.execution_config import load_execution_config
    from affordance.evaluation.requests import build_run_request, estimate_with_prerequisites
    from affordance.evaluation.run_config import RunConfig
    from affordance.tasks.registry import resolve_tasks

    config = RunConfig.from_options(resolve_tasks(tasks), run_options.values, defaults=run_options.from_file)
    source = context.get_parameter_source("data")
    with demo_progress() as advance:
        request = build_run_request(
            config,
            model,
            data,
            ledger,
            execution=load_execution_config(concurrency, timeout, budget),
            cache_folder=cache_dir(),
            warn=print_note,
            advance=advance,
            name=name,
            fresh=fresh,
            key_env=key_env or (),
            is_default_data=source is not None and source.name == "DEFAULT_MAP",
        )
    if estimate:
        print_estimates(estimate_with_prerequisites(request), as_json)
        return EXIT_OK
    write_summaries(request)
    return _execute(request, as_json, full)


def rescore(
    run: OnlyRuns = [],  # noqa: B006
    dry_run: DryRun = False,
    ledger: Ledger = LEDGER,
    as_json: Json = False,
) -> None:
    """Recompute verdicts from stored responses with the parsers of this version. Nothing is sent.

    New verdicts are stored next to the earlier ones and count from then on. Judged answers are scored from their stored
    judgements.

    \b
    Examples:
      affordance rescore --dry-run --ledger results.db
      affordance rescore --run monday
    """
    from affordance.evaluation.rescore import rescore_ledger

    found = rescore_ledger(ledger, run, dry_run=dry_run)
    if as_json:
        print_json(found.to_json())
    else:
        print(found)


def _execute(request: "RunRequest", as_json: bool, full: bool) -> int:
    """Run with progress and print the rows; the exit code."""
    from affordance.report.formats.terminal import print_tables
    from affordance.report.report_tables import print_rows, report_tables

    run, progress, rows = run_and_score(request)
    with suppress(BrokenPipeError):  # no reader of the table does not make the run incomplete
        if as_json:
            print_json([row.to_json() for row in rows])
        elif full:
            print_tables(report_tables(rows, detail=True))
        else:
            print_rows(rows)
    return report_run_problems(request, progress, run)


def report_run_problems(request: "RunRequest", progress: "RunProgress", name: str = "") -> int:
    """Print what went wrong and how to resume; the exit code."""
    changes = [f"--name {name} and without --fresh" if name else "--fresh left out"] if request.fresh else []
    changes = ["a higher --budget", *changes] if progress.over_budget else changes
    command = f"the same command with {' and '.join(changes)}" if changes else "the same command again"
    return EXIT_OK if report_problems(progress, f"run {command} to resume") else EXIT_INCOMPLETE


def execution_config(
    concurrency: int,
    timeout: float,
    budget: float | None,
    key_env: "Sequence[str] | None" = None,
    models: "Iterable[str | None]" = (),
) -> "ExecutionConfig":
    """The configuration of an execution, from options and affordance.toml. `models` are all that the command names."""
    from affordance.evaluation.execution_config import load_execution_config
    from affordance.models.providers import read_key_env

    return load_execution_config(concurrency, timeout, budget, read_key_env(key_env or (), models))


def print_estimates(estimates: "Sequence[CostEstimate]", as_json: bool) -> None:
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    if as_json:
        print_json(list(estimates))
        return
    columns = (
        Column("model"), Column("attempts", unit=Unit.COUNT), Column("done", unit=Unit.COUNT),
        Column("requests", "requests,\nat most", Unit.COUNT), Column("images", "images,\nat most", Unit.COUNT),
        Column("input_tokens", "input tokens,\nat most", Unit.COUNT),
        Column("output_tokens", "output tokens,\nat most", Unit.COUNT), Column("cost", "at most", Unit.USD),
    )  # fmt: skip
    rows = [
        (one.model, one.attempts, one.ended, one.asks, one.pictures,
         *("?" if value is None else value for value in (one.input_tokens, one.most_output_tokens, one.cost)))
        for one in estimates
    ]  # fmt: skip
    note = "Nothing was sent. Numbers are upper bounds; a ? needs max_tokens, or a price in affordance.toml."
    print_table(Table.of("estimate", "", columns, rows, [note]))
