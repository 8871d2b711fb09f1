"""`affordance demo`: evaluate built-in models on the demo data, without a key and without a network."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import EXIT_OK
from affordance.cli.options import Json
from affordance.console.output import print_json
from affordance.console.progress import demo_progress
from affordance.console.run_summary import run_and_score
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.study_records import Study

MAX_ITEMS = 150  # of each task, so that it takes half a minute
SUITES = ("motion", "function", "behavior")
MODELS = ("baseline:pixels", "baseline:random")
JUDGE = "baseline:overlap"
CONSENT = "Demonstration with simulated participants."
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
    """Evaluate two built-in models on the demo data, print leaderboards and write a report.

    Two tasks are also answered by simulated participants in studies.

    \b
    Examples:
      affordance demo
      affordance demo -o demo-out --limit 20
    """
    from affordance.cli.run import execution_config, report_run_problems
    from affordance.core.model_name import ModelName
    from affordance.evaluation.reference_summaries import write_missing_summaries
    from affordance.evaluation.run import RunRequest
    from affordance.evaluation.run_config import RunConfig
    from affordance.ledger import open_ledger
    from affordance.report.page.html_report import write_report
    from affordance.report.report_tables import print_rows
    from affordance.report.results import read_results
    from affordance.report.rows import rows_of_runs
    from affordance.studio.studies.recording import request_of
    from affordance.tasks.demo import demo_data
    from affordance.tasks.motion.cues import ALL_CUE_SETS
    from affordance.tasks.registry import resolve_tasks

    max_items = limit or MAX_ITEMS
    tasks = tuple(resolve_tasks(SUITES))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot create the folder {output}: {error.strerror}; choose another with --output") from None
    with demo_progress() as advance:
        data = demo_data(cache_dir(), {kind for task in tasks for kind in task.dataset_kinds}, advance)
    request = RunRequest(
        config=RunConfig(tasks=tasks, limit=max_items, judge=JUDGE, summarizer=JUDGE, cues=ALL_CUE_SETS),
        data=data,
        models=tuple(ModelName.parse(name) for name in MODELS),
        ledger=str(output / "affordance.db"),
        render_cache=cache_dir() / "pictures",
        name="demo",
        execution=execution_config(concurrency=8, timeout=300.0, budget=None),
    )
    write_missing_summaries(request, JUDGE)
    studies = (
        request_of(study, request.ledger, request.render_cache, request.models)
        for study in _studies(request.ledger, max_items)
    )
    runs, code = [], EXIT_OK
    for one in chain([request], studies):
        name, progress, found = run_and_score(one)
        runs.append(name)
        if not as_json:
            print_rows(found)
            print(flush=True)
        code = max(code, report_run_problems(one, progress, name))
    page = output / "report.html"
    with open_ledger(request.ledger, read_only=True) as ledger:
        results = read_results(ledger, [ledger.find_run(name) for name in runs])
        rows = rows_of_runs(results)
        write_report(page, results, rows)
    if as_json:
        print_json({"report": page.resolve(), "ledger": request.ledger, "rows": [row.to_json() for row in rows]})
    else:
        print(f"Report: {page.resolve()}")
    return code


def _studies(ledger: str, max_items: int) -> Iterator["Study"]:
    """Studies with answers of simulated participants."""
    from affordance.author.project import open_as_project
    from affordance.evaluation.run_config import RunConfig
    from affordance.studio.security.records import utc_now
    from affordance.studio.studies.beginning import begin_study
    from affordance.studio.studies.opened import Studies
    from affordance.studio.studies.sources.task import task_study
    from affordance.studio.studies.synthetic import take_part
    from affordance.tasks.demo import demo_data
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
