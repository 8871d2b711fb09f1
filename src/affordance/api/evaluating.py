"""Models put to tasks, or what that would take."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from affordance.api._called import called
from affordance.api._given import Names, hushed, means_given, names_of, some_of
from affordance.api._loops import outside_of_loops
from affordance.api.reports import Report
from affordance.cli.progress import demo_steps
from affordance.cli.quiet import remark
from affordance.cli.run import finished, performed
from affordance.core.config import resolve_ledger
from affordance.core.places import cache_folder
from affordance.datasets import Collection, Dataset, alone
from affordance.run.estimate import Estimate
from affordance.run.options import Options
from affordance.run.requests import Asked, foresee_all, prepare_summaries, request_of
from affordance.run.session import Request
from affordance.run.signals import INTERRUPTED

Data = str | Path | Collection | Dataset


@called
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
    **options: Unpack[Options],
) -> Report:
    """Ask models the questions of tasks, keep every reply in the ledger, and give the rows. As `affordance run`: the
    same call again resumes where it stopped and asks nothing twice, and the options have the same names and meanings.

        report = affordance.evaluate("motion/effect", ["baseline:pixels", "baseline:random"], limit=3)
        report = affordance.evaluate("function", "openai:gpt-5", data="screens", parameters={"max_tokens": 500})

    Defaults of commands in `affordance.toml` do not apply, so give what you want; its ledger, providers, prices and
    models do. A report of a run that is not complete says so (`report.complete`), and its numbers have bounds.
    Raises `KeyboardInterrupt` when it was interrupted, after what was under way has been written: nothing that was paid
    for is lost. Works inside of a running event loop, too."""
    asked = replace(_asked(tasks, models, data, ledger, name, fresh, options), key_env=names_of(key_env))

    def work() -> Report:
        request = _request(asked, concurrency, timeout, budget)
        if added := prepare_summaries(request, lambda _: None):
            remark(f"{added} summaries by {request.settings.summarizer} are kept with the dataset")
        run, progress, rows = performed(request)
        finished(request, progress, run)
        if progress.interrupted.startswith(INTERRUPTED):
            raise KeyboardInterrupt
        return Report(tuple(rows), asked.ledger)

    with hushed(quiet):
        return outside_of_loops(work)


@called
def estimate(
    tasks: Names,  # by name; a suite stands for all of its tasks
    models: Names,  # PROVIDER:MODEL[@BASE_URL]
    *,
    data: Data | None = None,  # a SPEC, a path, or what `load` gave; None: the demo data
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    name: str | None = None,  # of the run; None: made of tasks and settings
    fresh: bool = False,  # take no reply of an earlier run
    quiet: bool = False,  # no remarks
    **options: Unpack[Options],
) -> list[Estimate]:
    """What `evaluate` would still ask and cost, for each model. As `affordance run --estimate`.

        affordance.estimate("motion/effect", "openai:gpt-5", parameters={"max_tokens": 300})[0].cost

    Nothing is asked, and nothing is written."""
    with hushed(quiet):
        asked = _asked(tasks, models, data, ledger, name, fresh, options)
        return foresee_all(_request(asked, 64, 300.0, None))


def _asked(
    tasks: Names,
    models: Names,
    data: Data | None,
    ledger: str | Path | None,
    name: str | None,
    fresh: bool,
    options: Options,
) -> Asked:
    given: Mapping[str, Any] = {"data": data, **options}
    return Asked(
        tasks=some_of(tasks, "tasks", "motion/effect"),
        models=some_of(models, "models", "baseline:random"),
        data=alone(data) if isinstance(data, Dataset) else str(data) if isinstance(data, Path) else data,
        ledger=resolve_ledger(ledger),
        options=options,
        typed=[key for key, value in given.items() if value is not None],
        name=name,
        fresh=fresh,
    )


def _request(asked: Asked, concurrency: int, timeout: float, budget: float | None) -> Request:
    means = means_given(concurrency, timeout, budget)
    with demo_steps() as advance:
        return request_of(asked, means, cache_folder(), remark, advance)
