"""`affordance author pairs`: pairs of designs that a model writes for a goal."""

import json
from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE
from affordance.cli.options import LEDGER, Browser, Concurrency, Json, KeyEnv, Ledger, Model, Timeout, Workers
from affordance.cli.places import cache_dir
from affordance.console.progress import run_progress


def pairs(
    goals: Annotated[Path, typer.Option(metavar="FILE", help="A goal in each line, or JSON lines with `goal`.")],
    model: Model,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder for the dataset.")],
    ledger: Ledger = LEDGER,
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the window.")] = "1280x800",
    name: Annotated[str, typer.Option(metavar="NAME", help="Of the dataset.", show_default="that of DIR")] = "",
    licence: Annotated[str, typer.Option(metavar="L", help="Of the pages.")] = "unknown",
    concurrency: Concurrency = 16,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> None:
    """Let a model write two versions of a page for each goal, and render them: pairs without a winner, to vote on.

    A reply with a page that is broken, blank or the same as the other is asked for again, three times in all. Code,
    pictures and where they come from are kept in DIR, every reply in the ledger. Interrupted, the same command goes on
    where it was. Exit code 3: some goals have no pair.

    \b
    Examples:
      affordance author pairs --goals goals.txt --model openai:gpt-5 -o pairs
      affordance author pairs --goals goals.jsonl --model vllm:m@http://localhost:8000/v1 -o pairs --size 390x844
    """
    from affordance.author.designs.goals import read_goals
    from affordance.author.designs.pairs import Order, make_pairs
    from affordance.author.designs.task import PAIRS
    from affordance.capture.looks import Look, read_size
    from affordance.cli.run import execution_config, report_run_problems
    from affordance.core.errors import UserError
    from affordance.core.formatting import count_noun
    from affordance.core.model_name import ModelName
    from affordance.datasets import DatasetCollection
    from affordance.evaluation.run import RunRequest
    from affordance.evaluation.run_config import RunConfig

    writer = ModelName.parse(model)
    if writer.looks_up_answers:
        raise UserError(f"{writer} answers only what is known already, and writes no pages; ask a model")
    request = RunRequest(
        config=RunConfig(tasks=(PAIRS,)),
        data=DatasetCollection("goals", ()),
        models=(writer,),
        ledger=ledger,
        render_cache=cache_dir() / "pictures",
        execution=execution_config(concurrency, timeout, None, key_env, [model]),
    )
    look = Look(*read_size(size))
    order = Order(read_goals(goals), out, request, look, name, licence, browser, workers)
    with run_progress() as watch:
        made = make_pairs(order, watch)
    if as_json:
        told = {"pairs": made.pairs, "unusable": made.unusable, "lost": made.lost, "pending": made.pending}
        print(json.dumps({**told, "run": made.run, "folder": str(out)}, indent=2, ensure_ascii=False))
    else:
        print(f"{out}: {count_noun(made.pairs, 'pair')} for {count_noun(len(order.goals), 'goal')}")
        for goal, reasons in made.unusable.items():
            if goal not in made.lost:
                print(f"asked again: {goal}: {'; '.join(reasons)}")
        for goal, why in made.lost.items():
            print(f"lost: {goal}: {why}")
    code = report_run_problems(request, made.progress, made.run)
    raise typer.Exit(code or (EXIT_INCOMPLETE if made.lost or made.pending else 0))
