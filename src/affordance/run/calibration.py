"""Finding out how a model speaks coordinates: it is shown screens whose targets are known, through the same runner as
everything else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from affordance.datasets import alone
from affordance.run.profiles import Profile, profiles_of
from affordance.run.progress import Progress
from affordance.run.session import Request, open_after, perform
from affordance.suites.function.probe import probe_screens


def calibrate(
    request: Request, cache: Path, watch: Callable[[Progress], None] = lambda _: None
) -> tuple[list[Profile], Progress]:
    """Show the probes to the models of a request, whose data they become; what is in the ledger is not asked again."""
    run, progress = perform(replace(request, data=alone(probe_screens(cache))), watch)
    with open_after(progress, request.ledger) as ledger:
        return profiles_of(ledger, run), progress
