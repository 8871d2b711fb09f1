"""Dialect calibration: models locate targets whose positions are known, in a run like any other."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from affordance.datasets import DatasetCollection
from affordance.datasets.generated.calibration_screens import calibration_screens
from affordance.evaluation.dialect_calibration import DialectCalibration, calibrations_of
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run, open_run_ledger


def calibrate_dialect(
    request: RunRequest, cache_folder: Path, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> tuple[list[DialectCalibration], RunProgress]:
    """Calibrate the models of a request on the calibration screens; stored responses are used."""
    run, progress = execute_run(
        replace(request, data=DatasetCollection.single(calibration_screens(cache_folder))), on_progress
    )
    with open_run_ledger(progress, request.ledger) as ledger:
        return calibrations_of(ledger, run), progress
