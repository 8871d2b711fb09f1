"""How models speak coordinates, as calibrations in a ledger found it. A profile is a function of the replies there, so
these are its evidence."""

from collections.abc import Callable
from dataclasses import dataclass

from affordance.core.attempt import Outcome
from affordance.core.errors import UserError
from affordance.grounding.candidates import CANDIDATES
from affordance.grounding.dialects import Dialect
from affordance.grounding.evidence import hits, probes
from affordance.grounding.inference import Inference, infer
from affordance.grounding.selection import dialect_named
from affordance.ledger import Ledger, Run, open_ledger
from affordance.suites.function.probe import NAME

CALIBRATED = "calibrated"  # as --dialect


@dataclass(frozen=True, slots=True)
class Profile:
    """How a model speaks: `asked` is the dialect in which it was asked, `found` that dialect with the convention that
    fits best, or None where nothing does."""

    model: str
    run: str
    asked: Dialect
    inference: Inference
    hits: int  # answers that point into their targets, read as found

    @property
    def found(self) -> Dialect | None:
        best = self.inference.best
        return self.asked.with_convention(best.convention) if best is not None and not self.reason else None

    @property
    def reason(self) -> str:
        """Why it cannot be told; empty where it can. Near the targets is not enough: a convention that is right puts
        most of the answers that fit into them."""
        best = self.inference.best
        if self.inference.settled and best is not None and 2 * self.hits < best.fits:
            return (
                f"{best.fits} answers lie near their targets as {best.convention}, but only {self.hits} in them: the "
                "model may speak a convention that is not among those tried"
            )
        return self.inference.reason


def profiles_of(ledger: Ledger, run: Run) -> list[Profile]:
    by_model: dict[str, list[Outcome]] = {}
    for outcome in ledger.outcomes(run.id):
        by_model.setdefault(outcome.model, []).append(outcome)
    addresses = ledger.addresses(run.id)
    return [
        _profile(run, model, outcomes, dialect_named(addresses[model][0].dialect))
        for model, outcomes in by_model.items()
        if addresses.get(model)
    ]


def calibrated(ledger: str) -> Callable[[str], str]:
    """By a model's name, the dialect that calibration found; of several calibrations in a ledger the newest counts.
    Raises what the user can put right."""
    with open_ledger(ledger, read_only=True) as opened:
        runs = [one.run for one in opened.runs() if one.run.settings.get("tasks") == [NAME]]
        profiles = {profile.model: profile for run in runs for profile in profiles_of(opened, run)}

    def dialect(model: str) -> str:
        if model not in profiles:
            raise UserError(f"{model} is not calibrated in {ledger}: affordance calibrate --model {model}")
        profile = profiles[model]
        if profile.found is None:
            raise UserError(
                f"the calibration of {model} did not settle: {profile.reason}; use --dialect default, or name one"
            )
        return profile.found.name

    return dialect


def _profile(run: Run, model: str, outcomes: list[Outcome], asked: Dialect) -> Profile:
    shown = probes(outcomes, asked)
    inference = infer(shown, CANDIDATES)
    return Profile(model, run.name, asked, inference, hits(shown, inference.best.convention) if inference.best else 0)
