"""Calibrated dialects of models: computed from the stored responses of calibration runs, which are their evidence."""

from collections.abc import Callable
from dataclasses import dataclass

from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.grounding.calibration import (
    CANDIDATES,
    CoordinateCalibration,
    calibration_answers,
    count_hits,
    infer_coordinates,
)
from affordance.grounding.dialects import Dialect, get_dialect
from affordance.ledger import Ledger, RunRecord, open_ledger
from affordance.tasks.function.calibration import NAME

CALIBRATED = "calibrated"  # as --dialect


@dataclass(frozen=True, slots=True)
class DialectCalibration:
    """The calibration of a model: the dialect in which it was asked, and the coordinate system that fits its answers
    best."""

    model: str
    run: str
    asked_dialect: Dialect
    inference: CoordinateCalibration
    hits: int  # answers that point into their targets, read as found

    @property
    def calibrated_dialect(self) -> Dialect | None:
        best = self.inference.best
        return self.asked_dialect.with_coordinates(best.coordinates) if best is not None and not self.reason else None

    @property
    def reason(self) -> str:
        """Why the calibration did not settle; empty if it did. Near the targets is not enough: with the right
        coordinate system, most of the answers that fit are inside of them."""
        best = self.inference.best
        if self.inference.settled and best is not None and 2 * self.hits < best.fits:
            return (
                f"{best.fits} answers lie near their targets as {best.coordinates}, but only {self.hits} in them: the "
                "model may speak a convention that is not among those tried"
            )
        return self.inference.reason


def calibrations_of(ledger: Ledger, run: RunRecord) -> list[DialectCalibration]:
    by_model: dict[str, list[AttemptResult]] = {}
    for outcome in ledger.attempt_results(run.id):
        by_model.setdefault(outcome.model, []).append(outcome)
    addresses = ledger.call_settings(run.id)
    return [
        _calibration_of(run, model, outcomes, get_dialect(addresses[model][0].dialect))
        for model, outcomes in by_model.items()
        if addresses.get(model)
    ]


def calibrated_dialects(ledger: str) -> Callable[[str], str]:
    """By a model's name, the dialect that calibration found; of several calibrations in a ledger the newest counts.
    Raises what the user can put right."""
    with open_ledger(ledger, read_only=True) as opened:
        runs = [run for run in opened.runs() if run.settings.get("tasks") == [NAME]]
        profiles = {profile.model: profile for run in runs for profile in calibrations_of(opened, run)}

    def dialect(model: str) -> str:
        if model not in profiles:
            raise UserError(f"{model} is not calibrated in {ledger}: affordance calibrate --model {model}")
        profile = profiles[model]
        if profile.calibrated_dialect is None:
            raise UserError(
                f"the calibration of {model} did not settle: {profile.reason}; use --dialect default, or name one"
            )
        return profile.calibrated_dialect.name

    return dialect


def _calibration_of(run: RunRecord, model: str, outcomes: list[AttemptResult], dialect: Dialect) -> DialectCalibration:
    shown = calibration_answers(outcomes, dialect)
    inference = infer_coordinates(shown, CANDIDATES)
    return DialectCalibration(
        model, run.name, dialect, inference, count_hits(shown, inference.best.coordinates) if inference.best else 0
    )
