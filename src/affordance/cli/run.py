"""`affordance run`: ask models, keep every reply, print the rows."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli.exits import INCOMPLETE
from affordance.cli.options import LEDGER, Json, Ledger
from affordance.cli.places import cache_folder
from affordance.cli.progress import missing_words, shown
from affordance.core.choices import several_of
from affordance.core.errors import UserError
from affordance.core.expression import Expression

if TYPE_CHECKING:
    from affordance.datasets import Collection
    from affordance.run.estimate import Estimate
    from affordance.run.execute import Means
    from affordance.run.progress import Progress
    from affordance.run.session import Request
    from affordance.suites.task import Task

_PARAMETERS = {"input": "input_", "expressions": "expression"}  # where they are not called as settings are
_FIXED = ("protocol", "seed", "limit", "trials", "fps", "expressions", "goal", "cues", "input", "most_frames")


def run(
    context: typer.Context,
    tasks: Annotated[list[str], typer.Argument(metavar="TASK...", help="Tasks, or a suite's name for all of its.")],
    model: Annotated[list[str], typer.Option("--model", metavar="M", help="PROVIDER:MODEL[@BASE_URL]; repeatable.")],
    data: Annotated[str | None, typer.Option(metavar="SPEC", help="A dataset; without it the demo data.")] = None,
    ledger: Ledger = LEDGER,
    name: Annotated[str | None, typer.Option(help="A name for the run; made from its settings otherwise.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only N items, from all over the dataset.")] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials per item.")] = None,
    seed: Annotated[int, typer.Option(help="Seeds the order of options and chance.")] = 0,
    protocol: Annotated[str, typer.Option(help="affordance (ours) or paper (as published).")] = "affordance",
    set_: Annotated[
        list[str], typer.Option("--set", metavar="KEY=VALUE", help="A parameter for the models; repeatable.")
    ] = [],  # noqa: B006  # typer copies it
    prompts: Annotated[Path | None, typer.Option(metavar="DIR", help="Another prompt pack.")] = None,
    dialect: Annotated[str | None, typer.Option(help="How the models speak coordinates.")] = None,
    strategy: Annotated[
        list[str], typer.Option("--strategy", metavar="S", help="How a question is asked; repeatable.")
    ] = [],  # noqa: B006
    cues: Annotated[str | None, typer.Option(help="What helps the model: motion, context, caption.")] = None,
    expression: Annotated[str | None, typer.Option(help="How a target is described.")] = None,
    goal: Annotated[str | None, typer.Option(help="shown or hidden.")] = None,
    input_: Annotated[str | None, typer.Option("--input", help="frames or video.")] = None,
    fps: Annotated[str | None, typer.Option(metavar="F", help="Frames per second, sampled by timestamp.")] = None,
    most_frames: Annotated[
        int | None, typer.Option(metavar="N", help="Frames of a clip, at most; more are thinned evenly.")
    ] = None,
    judge: Annotated[str | None, typer.Option(metavar="M", help="The model that judges free answers.")] = None,
    reference: Annotated[str | None, typer.Option(help="summary, individual or both.")] = None,
    summarizer: Annotated[str | None, typer.Option(metavar="M", help="The model that sums references up.")] = None,
    judge_orders: Annotated[int | None, typer.Option(help="1 or 2.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Asks at once to one model, at most.")] = 64,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds to wait for a reply.")] = 300.0,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print what it would ask and cost; ask nothing.")
    ] = False,
    budget: Annotated[float | None, typer.Option(metavar="USD", min=0, help="Stop before this is spent.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Take no reply of an earlier run.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
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
    from affordance.core.names import ModelName
    from affordance.run.people import as_asked, study_among
    from affordance.run.session import Request, foresee
    from affordance.run.settings import Settings
    from affordance.run.summaries import foresee_with_summaries
    from affordance.suites.motion.cues import read_cues
    from affordance.suites.registry import tasks_named

    chosen = tuple(tasks_named(tasks))
    given = {
        "dialect": dialect, "strategy": strategy or None, "cues": cues, "expression": expression, "goal": goal,
        "input": input_, "fps": fps, "judge": judge, "reference": reference, "summarizer": summarizer,
        "judge-orders": judge_orders, "trials": trials, "most-frames": most_frames,
    }  # fmt: skip
    for option, value in given.items():
        fits = any(option in task.options for task in chosen)
        if value is not None and not fits and not _is_default(context, option):
            raise UserError(f"--{option} applies to none of the chosen tasks ({', '.join(t.name for t in chosen)})")
    if not any("judge" in task.options for task in chosen):
        judge = None  # a default for tasks that need one
    settings = Settings(
        tasks=chosen,
        protocol=protocol,
        seed=seed,
        limit=limit,
        trials=trials,
        fps=_rate(fps),
        strategies=tuple(dict.fromkeys(strategy)) or ("zero-shot",),
        judge=judge,
        expressions=expressions_of(expression),
        goal=goal,
        cues=read_cues(cues) if cues is not None else (),
        most_frames=most_frames,
        input=input_,
        reference=reference,
        summarizer=summarizer,
        judge_orders=judge_orders,
        dialect=dialect,
        parameters=dict(parameter(text) for text in set_),
        prompts=prompts,
    )
    models = tuple(ModelName.parse(text) for text in model)
    if (asked := study_among(models, ledger, chosen)) is not None:
        settings = as_asked(settings, asked["settings"], [name for name in _FIXED if _is_typed(context, name)])
        data = data if _is_typed(context, "data") else asked["dataset"].get("spec")
    request = Request(
        settings=settings,
        data=_data(data, chosen),
        models=models,
        ledger=ledger,
        pictures=cache_folder() / "pictures",
        name=name,
        fresh=fresh,
        means=means(concurrency, timeout, budget),
    )
    if reference == "individual" or not any("summarizer" in task.options for task in chosen):
        summarizer = None  # nothing is to be summed up
    if estimate:
        foreseen = foresee(request) if summarizer is None else foresee_with_summaries(request, summarizer)
        show_estimates(foreseen, as_json)
        return
    if summarizer is not None:
        _sum_up(request, summarizer, quiet)
    raise typer.Exit(carry_out(request, quiet, as_json))


def _sum_up(request: "Request", summarizer: str, quiet: bool) -> None:
    from affordance.run.summaries import Unfinished, sum_up

    try:
        with shown(quiet) as watch:
            added = sum_up(request, summarizer, watch)
    except Unfinished as error:
        print(f"affordance: incomplete: {error}", file=sys.stderr)
        raise typer.Exit(INCOMPLETE) from None
    if added:
        print(f"affordance: {added} summaries by {summarizer} are kept with the dataset", file=sys.stderr)


def _data(spec: str | None, tasks: "Sequence[Task]") -> "Collection":
    from affordance.datasets import read_collection
    from affordance.suites.demo import demo_data

    if spec is not None:
        return checked(read_collection(spec, cache_folder()), spec)
    return demo_data(cache_folder(), {kind for task in tasks for kind in task.kinds})


def checked(data: "Collection", spec: str) -> "Collection":
    """The data, with how many errors a check finds in a published set: numbers on it must say so."""
    from affordance.datasets.check import Level, check_spec
    from affordance.datasets.published import FORMATS

    if spec.partition(":")[0] not in FORMATS:
        return data
    errors = check_spec(spec, cache_folder()).count(Level.ERROR)
    if errors:
        print(f"affordance: {spec} has errors ({errors}): affordance data check {spec}", file=sys.stderr)
    return replace(data, errors=errors)


def carry_out(request: "Request", quiet: bool, as_json: bool) -> int:
    """Run with progress, print the rows, say how to go on; the exit code."""
    from affordance.ledger import open_ledger
    from affordance.report.rows import rows
    from affordance.report.tables import print_rows
    from affordance.run.session import perform

    with shown(quiet) as watch:
        run, progress = perform(request, watch)
    with open_ledger(request.ledger, read_only=True) as ledger:
        found = rows(ledger, [run])
    with suppress(BrokenPipeError):  # nobody reads the table, but the run is as complete as it is
        if as_json:
            print(json.dumps([row.to_json() for row in found], ensure_ascii=False, indent=2), flush=True)
        else:
            print_rows(found)
    return finished(request, progress, run.name)


def finished(request: "Request", progress: "Progress", name: str = "") -> int:
    """Say what went wrong and how to go on; the exit code."""
    from affordance.models.answers import UNANSWERED

    for model_name, remark in progress.remarks.items():
        print(f"affordance: {model_name}: {remark}", file=sys.stderr)
    for model_name, model in progress.models.items():
        if model.stopped:
            print(f"affordance: {model_name} {model.stopped}", file=sys.stderr)
            continue
        if model.unanswered:
            print(f"affordance: {model_name}: {model.unanswered} {UNANSWERED}", file=sys.stderr)
        if others := Counter({why: count for why, count in model.reasons.items() if not why.startswith(UNANSWERED)}):
            ((reason, count),) = others.most_common(1)
            most = "" if count == others.total() else f"most often ({count}) "
            print(f"affordance: {model_name}: {others.total()} not scored: {most}{reason}", file=sys.stderr)
    if progress.complete:
        return 0
    why = progress.interrupted or missing_words(progress)
    how = f"with --name {name} and without --fresh" if request.fresh else "again"
    print(f"affordance: incomplete: {why}; run the same command {how} to go on", file=sys.stderr)
    return INCOMPLETE


def means(concurrency: int, timeout: float, budget: float | None) -> "Means":
    """With what to carry a run out, from options and affordance.toml."""
    from affordance.core.config import find_config, read_config
    from affordance.models.prices import own_prices
    from affordance.models.providers import all_providers
    from affordance.run.execute import Means

    config = read_config(find_config(Path.cwd()))
    return Means(
        concurrency=concurrency,
        timeout=timeout,
        budget=budget,
        providers=all_providers(config.providers),
        prices=own_prices(config),
        parameters_of=config.models,
    )


def show_estimates(estimates: "Sequence[Estimate]", as_json: bool) -> None:
    from affordance.report.tables import Column, print_table

    if as_json:
        print(json.dumps([asdict(one) for one in estimates], indent=2))
        return
    columns = (
        Column("model", left=True), Column("attempts"), Column("done"), Column("asks"), Column("pictures"),
        Column("tokens in"), Column("tokens out, at most"), Column("USD, at most"),
    )  # fmt: skip
    body = [
        (one.model, f"{one.attempts:,}", f"{one.ended:,}", f"{one.asks:,}", f"{one.pictures:,}",
         f"{one.input_tokens:,}", _or_unknown(one.most_output_tokens, ",d"), _or_unknown(one.cost, ".2f"))
        for one in estimates
    ]  # fmt: skip
    print_table(columns, body, "Nothing was asked. Tokens are upper estimates; set max_tokens to bound what comes out.")


def _or_unknown(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)


def _is_typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given with the command, and not by affordance.toml or by us."""
    source = context.get_parameter_source(_PARAMETERS.get(name, name))
    return source is not None and source.name in ("COMMANDLINE", "ENVIRONMENT")


def _is_default(context: typer.Context, option: str) -> bool:
    """Whether an option's value comes from affordance.toml, where it is meant for those tasks that it fits."""
    name = option.replace("-", "_")
    source = context.get_parameter_source(_PARAMETERS.get(name, name))
    return source is not None and source.name == "DEFAULT_MAP"


def expressions_of(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(several_of(Expression, text, "expression"))


def _rate(text: str | None) -> Fraction | None:
    try:
        return None if text is None else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UserError(f"--fps: expected a number such as 10 or 30000/1001, found {text!r}") from None


def parameter(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UserError(f"--set: expected KEY=VALUE, found {text!r}")
    try:
        return key, json.loads(value, parse_constant=str)
    except (ValueError, RecursionError):
        return key, value
