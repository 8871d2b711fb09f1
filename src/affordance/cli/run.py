"""`affordance run`: ask models, keep every reply, print the rows."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli import known
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import (
    HOW,
    JUDGING,
    LEDGER,
    Concurrency,
    Cues,
    Data,
    Expression,
    Goal,
    Json,
    KeyEnv,
    Ledger,
    Limit,
    Models,
    Timeout,
)
from affordance.cli.places import cache_dir
from affordance.console.output import print_note
from affordance.console.progress import demo_progress
from affordance.console.run_summary import report_problems, run_and_score, write_summaries
from affordance.core.errors import UserError

if TYPE_CHECKING:
    from affordance.evaluation.estimate import CostEstimate
    from affordance.evaluation.execution_config import ExecutionConfig
    from affordance.evaluation.progress import RunProgress
    from affordance.evaluation.run import RunRequest

_PARAMETERS = {"input": "input_", "parameters": "set_"}  # where they are called otherwise


def run(
    context: typer.Context,
    tasks: Annotated[
        list[str],
        typer.Argument(metavar="TASK...", help="Tasks, or a suite's name for all of its.", autocompletion=known.tasks),
    ],
    model: Models,
    data: Data = None,
    ledger: Ledger = LEDGER,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="A name for the run; made from its settings otherwise.")
    ] = None,
    limit: Limit = None,
    trials: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Trials per item.", show_default="the protocol's")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seeds the order of options and chance.")] = 0,
    protocol: Annotated[
        str,
        typer.Option(metavar="P", help="affordance (ours) or paper (as published).", autocompletion=known.protocols),
    ] = "affordance",
    set_: Annotated[
        list[str],
        typer.Option("--set", metavar="KEY=VALUE", help="A parameter for the models; repeatable.", rich_help_panel=HOW),
    ] = [],  # noqa: B006  # typer copies it
    prompts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Another prompt pack.", rich_help_panel=HOW)
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            metavar="D",
            help="How the models speak coordinates: see `affordance models`, or calibrated.",
            autocompletion=known.dialects,
            rich_help_panel=HOW,
        ),
    ] = None,
    strategy: Annotated[
        list[str],
        typer.Option(
            "--strategy",
            metavar="S",
            help="zero-shot, cocot, self-refine, ddcot, debate-1 or debate-3; repeatable.",
            autocompletion=known.strategies,
            rich_help_panel=HOW,
        ),
    ] = [],  # noqa: B006
    cues: Cues = None,
    expression: Expression = None,
    goal: Goal = None,
    input_: Annotated[
        str | None, typer.Option("--input", metavar="frames|video", help="Of a clip.", rich_help_panel=HOW)
    ] = None,
    fps: Annotated[
        str | None, typer.Option(metavar="F", help="Frames per second, sampled by timestamp.", rich_help_panel=HOW)
    ] = None,
    most_frames: Annotated[
        int | None,
        typer.Option(metavar="N", help="Frames of a clip, at most; more are thinned evenly.", rich_help_panel=HOW),
    ] = None,
    reasks: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="How often a reply that cannot be read is asked again.",
            show_default="the protocol's",
            rich_help_panel=HOW,
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="The model that judges free answers.",
            autocompletion=known.models,
            rich_help_panel=JUDGING,
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="R",
            help="What answers are judged by: summary, individual or both.",
            autocompletion=known.references,
            rich_help_panel=JUDGING,
        ),
    ] = None,
    summarizer: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="The model that sums references up.",
            autocompletion=known.models,
            rich_help_panel=JUDGING,
        ),
    ] = None,
    judge_orders: Annotated[
        int | None, typer.Option(metavar="1|2", help="In how many orders it is asked.", rich_help_panel=JUDGING)
    ] = None,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print what it would ask and cost; ask nothing.")
    ] = False,
    budget: Annotated[float | None, typer.Option(metavar="USD", min=0, help="Stop before this is spent.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Take no reply of an earlier run.")] = False,
    as_json: Json = False,
) -> None:
    """Ask models the questions of TASKs, keep every reply, print an honest number.

    The same command again resumes where it stopped, and asks nothing twice. Where people answer (study:NAME), data and
    settings are those of the study unless others are given, and the run is the one of its name.

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
        "judge_orders": judge_orders, "trials": trials, "reasks": reasks, "most_frames": most_frames, "limit": limit,
        "seed": seed, "protocol": protocol,
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
        return
    write_summaries(request)
    raise typer.Exit(carry_out(request, as_json))


def carry_out(request: "RunRequest", as_json: bool) -> int:
    """Run with progress, print the rows, say how to go on; the exit code."""
    from affordance.report.report_tables import print_rows

    run, progress, found = run_and_score(request)
    with suppress(BrokenPipeError):  # nobody reads the table, but the run is as complete as it is
        if as_json:
            print(json.dumps([row.to_json() for row in found], ensure_ascii=False, indent=2), flush=True)
        else:
            print_rows(found)
    return report_run_problems(request, progress, run)


def report_run_problems(request: "RunRequest", progress: "RunProgress", name: str = "") -> int:
    """Print what went wrong and how to resume; the exit code."""
    changes = [f"--name {name} and without --fresh"] if request.fresh else []
    changes = ["a higher --budget", *changes] if progress.over_budget else changes
    command = f"the same command with {' and '.join(changes)}" if changes else "the same command again"
    return EXIT_OK if report_problems(progress, f"run {command} to resume") else EXIT_INCOMPLETE


def execution_config(
    concurrency: int,
    timeout: float,
    budget: float | None,
    key_env: Sequence[str] | None = None,
    models: Iterable[str | None] = (),
) -> "ExecutionConfig":
    """With what to carry a run out, from options and affordance.toml. `models` are all that the command names."""
    from affordance.evaluation.execution_config import load_execution_config
    from affordance.models.providers import read_key_env

    return load_execution_config(concurrency, timeout, budget, read_key_env(key_env or (), models))


def print_estimates(estimates: "Sequence[CostEstimate]", as_json: bool) -> None:
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    if as_json:
        print(json.dumps([asdict(one) for one in estimates], indent=2))
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
    note = "Nothing was sent. Numbers are upper bounds; “?” needs max_tokens, or a price in affordance.toml."
    print_table(Table.of("estimate", "", columns, rows, [note]))


def _source(context: typer.Context, key: str) -> str:
    """Where the value of an option comes from."""
    source = context.get_parameter_source(_PARAMETERS.get(key, key))
    return "" if source is None else source.name


def parse_parameter(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UserError(f"--set: expected KEY=VALUE, found {text!r}")
    try:
        return key, json.loads(value, parse_constant=str)
    except (ValueError, RecursionError):
        return key, value
