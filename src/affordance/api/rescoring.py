"""Verdicts read again from stored responses."""

from pathlib import Path

from affordance.api._called import validate_arguments
from affordance.api._given import Names, names_of
from affordance.core.config import resolve_ledger
from affordance.evaluation.rescore import RescoreResult, rescore_ledger


@validate_arguments
def rescore(
    *,
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    run: Names = (),  # only these runs
    dry_run: bool = False,  # store nothing
) -> RescoreResult:
    """Read stored responses again with the parsers of this version. As `affordance rescore`: nothing is sent, and
    earlier verdicts are kept.

        print(affordance.rescore(dry_run=True))
    """
    return rescore_ledger(resolve_ledger(ledger), names_of(run), dry_run=dry_run)
