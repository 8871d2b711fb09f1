"""Results as the report reads them: what reading leaves behind in the process of the reader."""

import gc
from pathlib import Path

from affordance.ledger import open_ledger
from affordance.report.results import read_results
from report_ledgers import RIGHT, Plan, fill


def test_objects_are_kept_from_the_collector_as_long_as_the_results_live(tmp_path: Path) -> None:
    where = tmp_path / "ledger.db"
    with open_ledger(where) as ledger:
        fill(ledger, Plan({"openai:good": (RIGHT,)}))
    gc.unfreeze()
    with open_ledger(where, read_only=True) as ledger:
        results = read_results(ledger, [summary.run for summary in ledger.run_summaries()])
    assert gc.get_freeze_count()
    del results
    assert gc.get_freeze_count() == 0


def test_a_collector_that_was_off_stays_off(tmp_path: Path) -> None:
    where = tmp_path / "ledger.db"
    with open_ledger(where) as ledger:
        fill(ledger, Plan({"openai:good": (RIGHT,)}))
    gc.disable()
    try:
        with open_ledger(where, read_only=True) as ledger:
            read_results(ledger, [summary.run for summary in ledger.run_summaries()])
        assert not gc.isenabled()
    finally:
        gc.enable()
