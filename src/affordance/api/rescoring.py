"""Verdicts read again from stored responses."""

from pathlib import Path

from affordance.api._called import called
from affordance.api._given import Names, ledger_of, names_of
from affordance.evaluation import RescoreResult, rescore_ledger


@called
def rescore(
    *,
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, or affordance.db in the current folder
    run: Names = (),  # only these runs
    dry_run: bool = False,  # store nothing
) -> RescoreResult:
    """Read stored responses again with the parsers of this version. As `affordance rescore`: nothing is sent, and
    earlier verdicts are kept.

        print(affordance.rescore(dry_run=True))
    """
    return rescore_ledger(ledger_of(ledger), names_of(run), dry_run=dry_run)
