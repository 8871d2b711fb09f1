"""`affordance demo`: evaluate built-in models on the demo data, without a key and without a network."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import EXIT_OK
from affordance.cli.options import Json
from affordance.console.progress import demo_progress
from affordance.console.run_summary import run_and_score
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.study_records import Study
    from affordance.datasets import DatasetCollection
    from affordance.evaluation.run import RunRequest

MAX_ITEMS = 150  # of each task, so that it takes half a minute
# Run, tasks, and the baselines that can answer them.
RUNS = {
    "demo": (
        ("motion/purpose", "motion/twin", "behavior/choice", "function/outcome-region", "function/outcome-element"),
        ("baseline:first", "baseline:random"),
    ),
    "demo-effects": (("motion/effect",), ("baseline:pixels", "baseline:first", "baseline:random")),
    "demo-chance": (
        ("motion/meaning", "behavior/rationale", "function/ground-region", "function/ground-element"),
        ("baseline:random",),
    ),
}
JUDGE = "baseline:overlap"
CONSENT = "This study has no human participants: a program simulates their answers, to show what a study looks like."
STUDIES = {"purposes": ("motion/purpose", 3, 10), "designs": ("behavior/choice", 6, 12)}  # task, per item, per person


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the ledger and the report.")
    ] = Path("demo-out"),
    limit: Annotated[
        int | None,
        typer.Option("-n", "--limit", min=1, metavar="N", help="Maximum items per task.", show_default=str(MAX_ITEMS)),
    ] = None,
    as_json: Json = False,
) -> int:
    """Evaluate baselines on built-in clips, screens and pairs of designs, print leaderboards and write a report.

    Two tasks are also studies with simulated participants, marked as such.

    \b
    Examples:
      affordance demo
      affordance demo -o demo-out --limit 20
    """
    from affordance.cli.run import report_run_problems
    from affordance.console.output import print_json
    from affordance.datasets.demo import demo_data
    from affordance.evaluation.reference_summaries import write_missing_summaries
    from affordance.ledger import open_ledger
    from affordance.report.page.html_report import write_report
    from affordance.report.report_tables import print_rows
    from affordance.report.results import read_results
    from affordance.report.rows import rows_of_runs
    from affordance.studio.studies.recording import request_of
    from affordance.tasks.registry import TASKS

    max_items = limit or MAX_ITEMS
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot create the folder {output}: {error.strerror}; choose another with --output") from None
    with demo_progress() as advance:
        data = demo_data(cache_dir(), {kind for task in TASKS.values() for kind in task.dataset_kinds}, advance)
    requests = [_request(run, data, output / "affordance.db", max_items) for run in RUNS]
    first = requests[0]
    for one in requests:
        if one.config.task_options.get("summarizer") is not None:
            write_missing_summaries(one, JUDGE)
    studies = (
        request_of(study, first.ledger, first.render_cache, first.models) for study in _studies(first.ledger, max_items)
    )
    runs, code = [], EXIT_OK
    for one in chain(requests, studies):
        name, progress, found = run_and_score(one)
        runs.append(name)
        if not as_json:
            print_rows(found)
            print(flush=True)
        code = max(code, report_run_problems(one, progress, name))
    page = output / "report.html"
    with open_ledger(first.ledger, read_only=True) as ledger:
        results = read_results(ledger, [ledger.find_run(name) for name in runs])
        rows = rows_of_runs(results)
        write_report(page, results, rows)
    if as_json:
        print_json({"report": page.resolve(), "ledger": first.ledger, "rows": [row.to_json() for row in rows]})
    else:
        print(f"Report: {page.resolve()}")
    return code


def _request(run: str, data: "DatasetCollection", ledger: Path, max_items: int) -> "RunRequest":
    """One of `RUNS`."""
    from affordance.cli.run import execution_config
    from affordance.core.model_name import ModelName
    from affordance.evaluation.run import RunRequest
    from affordance.evaluation.run_config import RunConfig
    from affordance.tasks.motion.cues import ALL_CUE_SETS
    from affordance.tasks.registry import resolve_tasks

    names, models = RUNS[run]
    tasks = tuple(resolve_tasks(names))
    judge = JUDGE if any(task.judge is not None for task in tasks) else None
    return RunRequest(
        config=RunConfig(tasks=tasks, limit=max_items, judge=judge, summarizer=judge, cues=ALL_CUE_SETS),
        data=data,
        models=tuple(map(ModelName.parse, models)),
        ledger=str(ledger),
        render_cache=cache_dir() / "pictures",
        name=run,
        execution=execution_config(concurrency=8, timeout=300.0, budget=None),
    )


def _studies(ledger: str, max_items: int) -> Iterator["Study"]:
    """Studies with simulated answers."""
    from affordance.author.project import open_as_project
    from affordance.datasets.demo import demo_data
    from affordance.evaluation.run_config import RunConfig
    from affordance.studio.security.records import utc_now
    from affordance.studio.studies.beginning import begin_study
    from affordance.studio.studies.opened import Studies
    from affordance.studio.studies.sources.task import task_study
    from affordance.studio.studies.synthetic import take_part
    from affordance.tasks.registry import TASKS

    with open_as_project(ledger) as project:
        opened = Studies(project, cache_dir())
        for name, (task, per_item, per_person) in STUDIES.items():
            settings = RunConfig(tasks=(TASKS[task],), limit=max_items)
            data = demo_data(cache_dir(), TASKS[task].dataset_kinds)
            where = {"demo": str(cache_dir().absolute())}
            how = {"per_person": per_person, "checks": 1, "synthetic": True, "consent": CONSENT}
            study = begin_study(project, task_study(name, settings, per_item, data, where, **how), "demo")
            take_part(project, study, opened, utc_now())
            yield study
