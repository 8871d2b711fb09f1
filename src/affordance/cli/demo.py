"""`affordance demo`: the main job on embedded defaults, without a key and without a network."""

from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.places import cache_folder
from affordance.core.errors import UserError

MOST_ITEMS = 150  # of each task, so that it takes half a minute
SUITES = ("motion", "function", "behavior")
MODELS = ("baseline:pixels", "baseline:random")
JUDGE = "baseline:overlap"


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where ledger and report go.")] = Path("demo-out"),
) -> None:
    """Ask two baselines about clips, screens and pairs of designs of our own, print leaderboards and write a report.

    \b
    Example:
      affordance demo --out demo-out
    """
    from affordance.cli.run import carry_out, means
    from affordance.core.names import ModelName
    from affordance.ledger import open_ledger
    from affordance.report.html import write_report
    from affordance.report.results import read_results
    from affordance.report.rows import rows_of
    from affordance.run.session import Request
    from affordance.run.settings import Settings
    from affordance.run.summaries import sum_up
    from affordance.suites.demo import demo_data
    from affordance.suites.motion.cues import EVERY
    from affordance.suites.registry import tasks_named

    tasks = tuple(tasks_named(SUITES))
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {out}: {error.strerror}") from None
    request = Request(
        settings=Settings(tasks=tasks, limit=MOST_ITEMS, judge=JUDGE, summarizer=JUDGE, cues=EVERY),
        data=demo_data(cache_folder(), {kind for task in tasks for kind in task.kinds}),
        models=tuple(ModelName.parse(name) for name in MODELS),
        ledger=str(out / "affordance.db"),
        pictures=cache_folder() / "pictures",
        name="demo",
        means=means(concurrency=8, timeout=300.0, budget=None),
    )
    sum_up(request, JUDGE)
    code = carry_out(request, quiet=False, as_json=False)
    page = out / "report.html"
    with open_ledger(request.ledger, read_only=True) as ledger:
        runs = [ledger.find_run("demo")]
        results = read_results(ledger, runs)
        write_report(page, results, rows_of(results))
    print(f"\nThe report: {page.resolve()}")
    raise typer.Exit(code)
