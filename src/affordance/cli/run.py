"""`affordance run` and `affordance rescore`."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import (
    JUDGING,
    LEDGER,
    QUESTIONS,
    Budget,
    Concurrency,
    Cues,
    Data,
    DialectOption,
    DryRun,
    Estimate,
    Expression,
    Fresh,
    Goal,
    Json,
    KeyEnv,
    Ledger,
    Limit,
    Models,
    OnlyRuns,
    Parameters,
    Prompts,
    RunName,
    Seed,
    Timeout,
    parse_parameter,
)
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

_PARAMETERS = {"input": "input_", "parameters": "set_"}  # where they are called otherwise


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
    data: Data = None,
    ledger: Ledger = LEDGER,
    name: RunName = None,
    limit: Limit = None,
    trials: Annotated[
        int | None,
        typer.Option("--trials", min=1, metavar="N", help="Attempts per question.", show_default="the protocol's"),
    ] = None,
    seed: Seed = 0,
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            metavar="affordance|paper",
            help="Preset of trials, option order and sampling.",
            autocompletion=completion.choices(completion.PROTOCOLS),
        ),
    ] = "affordance",
    set_: Parameters = [],  # noqa: B006  # Typer copies it
    prompts: Prompts = None,
    dialect: DialectOption = None,
    strategy: Annotated[
        list[str],
        typer.Option(
            "--strategy",
            metavar="S",
            help="Prompting strategy: zero-shot, cocot, self-refine, ddcot, debate-1 or debate-3 (repeatable).",
            show_default="zero-shot",
            autocompletion=completion.strategy_names,
            rich_help_panel=QUESTIONS,
        ),
    ] = [],  # noqa: B006
    cues: Cues = None,
    expression: Expression = None,
    goal: Goal = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input",
            metavar="frames|video",
            help="Send a clip as frames or as video.",
            show_default="frames",
            rich_help_panel=QUESTIONS,
        ),
    ] = None,
    fps: Annotated[
        str | None,
        typer.Option(
            "--fps",
            metavar="F",
            help="Frames per second sampled from a clip.",
            show_default="10",
            rich_help_panel=QUESTIONS,
        ),
    ] = None,
    max_frames: Annotated[
        int | None,
        typer.Option(
            "--max-frames",
            metavar="N",
            help="Maximum frames per clip.",
            show_default="no limit",
            rich_help_panel=QUESTIONS,
        ),
    ] = None,
    parse_retries: Annotated[
        int | None,
        typer.Option(
            "--parse-retries",
            min=0,
            metavar="N",
            help="Repeat a request up to N times when its response cannot be parsed.",
            show_default="the protocol's",
            rich_help_panel=QUESTIONS,
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="M",
            help="Judge model for free-text answers.",
            autocompletion=completion.model_names,
            rich_help_panel=JUDGING,
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="summary|individual|both",
            help="References for the judge.",
            show_default="summary",
            autocompletion=completion.choices(completion.REFERENCES),
            rich_help_panel=JUDGING,
        ),
    ] = None,
    summarizer: Annotated[
        str | None,
        typer.Option(
            "--summarizer",
            metavar="M",
            help="Model that summarises references.",
            autocompletion=completion.model_names,
            rich_help_panel=JUDGING,
        ),
    ] = None,
    judge_orders: Annotated[
        int | None,
        typer.Option(
            "--judge-orders",
            metavar="1|2",
            help="Orders in which the judge sees the two texts.",
            show_default="1",
            rich_help_panel=JUDGING,
        ),
    ] = None,
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

    options = {
        "dialect": dialect, "strategy": strategy, "cues": cues, "expression": expression, "goal": goal,
        "input": input_, "fps": fps, "judge": judge, "reference": reference, "summarizer": summarizer,
        "judge_orders": judge_orders, "trials": trials, "reasks": parse_retries, "most_frames": max_frames,
        "limit": limit, "seed": seed, "protocol": protocol,
        "parameters": dict(parse_parameter(text) for text in set_), "prompts": prompts,
    }  # fmt: skip
    config = RunConfig.from_options(
        resolve_tasks(tasks),
        {key: value for key, value in options.items() if _source(context, key) != "DEFAULT"},
        defaults=[key for key in options if _source(context, key) == "DEFAULT_MAP"],  # from affordance.toml
    )
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
            is_default_data=_source(context, "data") == "DEFAULT_MAP",
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


def _source(context: typer.Context, key: str) -> str:
    """Where the value of an option comes from."""
    names = {**_PARAMETERS, "reasks": "parse_retries", "most_frames": "max_frames"}
    source = context.get_parameter_source(names.get(key, key))
    return "" if source is None else source.name
