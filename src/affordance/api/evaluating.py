"""Models put to tasks, or what that would take."""

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from affordance.api._called import validate_arguments
from affordance.api._given import Names, how_to_resume, means_given, names_of, some_of
from affordance.api._loops import outside_of_loops
from affordance.api.reports import Report
from affordance.console.output import output_scope, print_note
from affordance.console.progress import demo_progress
from affordance.console.run_summary import report_problems, run_and_score, write_summaries
from affordance.core.config import resolve_ledger
from affordance.core.paths import cache_dir
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.interrupts import INTERRUPTED
from affordance.evaluation.options import RunOptions
from affordance.evaluation.requests import build_run_request, estimate_with_prerequisites
from affordance.evaluation.run import RunRequest
from affordance.evaluation.run_config import RunConfig
from affordance.tasks.registry import resolve_tasks

Data = str | Path | DatasetCollection | Dataset


@validate_arguments
def evaluate(
    tasks: Names,  # by name; a suite stands for all of its tasks
    models: Names,  # PROVIDER:MODEL[@BASE_URL]
    *,
    data: Data | None = None,  # a SPEC, a path, or what `load` gave; None: the demo data
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    name: str | None = None,  # of the run; None: made of tasks and settings
    fresh: bool = False,  # take no reply of an earlier run
    concurrency: int = 64,  # asks at once to one model, at most
    timeout: float = 300.0,  # seconds to wait for a reply
    budget: float | None = None,  # US dollars; stop before they are spent
    key_env: Names = (),  # environment variables with keys: NAME or MODEL=NAME; else the provider's, for its own host
    quiet: bool = False,  # no progress and no remarks
    **options: Unpack[RunOptions],
) -> Report:
    """Ask models the questions of tasks, keep every reply in the ledger, and give the rows. As `affordance run`: the
    same call again resumes where it stopped and asks nothing twice, and the options have the same names and meanings.

        report = affordance.evaluate("motion/effect", ["baseline:pixels", "baseline:random"], limit=3)
        report = affordance.evaluate("function", "openai:gpt-5", data="screens", parameters={"max_tokens": 500})

    Defaults of commands in `affordance.toml` do not apply, so give what you want; its ledger, providers, prices and
    models do. A report of a run that is not complete says so (`report.complete`), and its numbers have bounds.
    Raises `KeyboardInterrupt` when it was interrupted, after what was under way has been written: nothing that was paid
    for is lost. Works inside of a running event loop, too."""

    def work() -> Report:
        execution = means_given(concurrency, timeout, budget)
        keys = names_of(key_env)
        request = _request(tasks, models, data, ledger, name, fresh, options, execution, keys)
        write_summaries(request)
        run, progress, rows = run_and_score(request)
        report_problems(progress, how_to_resume(request.fresh, progress.over_budget, run))
        if progress.stop_reason.startswith(INTERRUPTED):
            raise KeyboardInterrupt
        return Report(tuple(rows), request.ledger)

    with output_scope(quiet=quiet):
        return outside_of_loops(work)


@validate_arguments
def estimate(
    tasks: Names,  # by name; a suite stands for all of its tasks
    models: Names,  # PROVIDER:MODEL[@BASE_URL]
    *,
    data: Data | None = None,  # a SPEC, a path, or what `load` gave; None: the demo data
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    name: str | None = None,  # of the run; None: made of tasks and settings
    fresh: bool = False,  # take no reply of an earlier run
    quiet: bool = False,  # no remarks
    **options: Unpack[RunOptions],
) -> list[CostEstimate]:
    """What `evaluate` would still ask and cost, for each model. As `affordance run --estimate`.

        affordance.estimate("motion/effect", "openai:gpt-5", parameters={"max_tokens": 300})[0].cost

    Nothing is asked, and nothing is written."""
    with output_scope(quiet=quiet):
        execution = means_given(64, 300.0)
        return estimate_with_prerequisites(_request(tasks, models, data, ledger, name, fresh, options, execution))


def _request(
    tasks: Names,
    models: Names,
    data: Data | None,
    ledger: str | Path | None,
    name: str | None,
    fresh: bool,
    options: RunOptions,
    execution: ExecutionConfig,
    key_env: Sequence[str] = (),
) -> RunRequest:
    config = RunConfig.from_options(resolve_tasks(some_of(tasks, "tasks", "motion/effect")), options)
    if isinstance(data, Dataset):
        data = DatasetCollection.single(data)
    elif isinstance(data, Path):
        data = str(data)
    with demo_progress() as advance:
        return build_run_request(
            config,
            some_of(models, "models", "baseline:random"),
            data,
            resolve_ledger(ledger),
            execution=execution,
            cache_folder=cache_dir(),
            warn=print_note,
            advance=advance,
            name=name,
            fresh=fresh,
            key_env=key_env,
        )
