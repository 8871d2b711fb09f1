"""`affordance calibrate`: determine in which coordinates a model answers."""

from typing import TYPE_CHECKING, Any

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import (
    LEDGER,
    Budget,
    Concurrency,
    DialectOption,
    Fresh,
    Json,
    KeyEnv,
    Ledger,
    Models,
    Timeout,
)
from affordance.console.output import print_json
from affordance.console.progress import run_progress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.evaluation.dialect_calibration import DialectCalibration

MAX_LISTED = 5


def calibrate(
    model: Models,
    ledger: Ledger = LEDGER,
    dialect: DialectOption = None,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    budget: Budget = None,
    fresh: Fresh = False,
    as_json: Json = False,
) -> int:
    """Determine in which coordinates a model answers, from 48 generated screens with known targets.

    Responses are stored in the ledger. The result is used only by affordance run ... --dialect calibrated. Exit code
    3: it is incomplete or undecided.

    \b
    Examples:
      affordance calibrate --model vllm:my-model@http://localhost:8000/v1
      affordance run function/ground-element --model vllm:my-model@http://localhost:8000/v1 --dialect calibrated
    """
    from affordance.cli.run import execution_config, report_run_problems
    from affordance.core.model_name import ModelName
    from affordance.datasets import DatasetCollection
    from affordance.evaluation.probe_runs import calibrate_dialect as show_probes
    from affordance.evaluation.run import RunRequest
    from affordance.evaluation.run_config import RunConfig
    from affordance.tasks.function.calibration import CALIBRATION_TASK

    request = RunRequest(
        config=RunConfig(tasks=(CALIBRATION_TASK,), dialect=dialect),
        data=DatasetCollection("probes", ()),
        models=tuple(ModelName.parse(text) for text in model),
        ledger=ledger,
        render_cache=cache_dir() / "pictures",
        fresh=fresh,
        execution=execution_config(concurrency, timeout, budget, key_env, model),
    )
    with run_progress() as watch:
        profiles, progress = show_probes(request, cache_dir(), watch)
    calibrations = [profile for profile in profiles if profile.model in progress.models]
    if as_json:
        print_json([_as_data(profile) for profile in calibrations])
    else:
        for profile in calibrations:
            print("\n".join(_describe(profile)))
    code = report_run_problems(request, progress)
    decided = all(profile.calibrated_dialect is not None for profile in calibrations)
    return code or (EXIT_OK if decided else EXIT_INCOMPLETE)


def _describe(profile: "DialectCalibration") -> list[str]:
    from affordance.grounding.calibration import describe_coordinates

    inference = profile.inference
    best, found = inference.best, profile.calibrated_dialect
    if best is None or found is None:
        return [
            f"{profile.model}: undecided. {profile.reason[:1].upper()}{profile.reason[1:]}.",
            "  Use --dialect default, or another one (see `affordance models`).",
        ]
    lines = [
        f"{profile.model} answers in {best.coordinates}: {describe_coordinates(found)}.",
        f"  {inference.answered} of {inference.total} responses have numbers, {best.fits} fit, {profile.hits} hit "
        f"their targets; half of those that fit are within {best.error or 0:.1f} pixels of the centre.",
    ]
    own = profile.asked_dialect.coordinates
    if own == best.coordinates:
        lines.append(f"  Its dialect ({profile.asked_dialect.name}) expects the same.")
    elif own in {near.coordinates for near in inference.alternatives}:
        lines.append(
            f"  Its dialect ({profile.asked_dialect.name}) expects {own}, which gives the same positions here."
        )
    else:
        lines.append(
            f"  Its dialect ({profile.asked_dialect.name}) expects {own}. Use --dialect calibrated or "
            f"--dialect {found.name}."
        )
    lines += [
        f"  Not distinguishable: {near.coordinates}, at most {near.pixels:.1f} pixels away."
        for near in inference.alternatives[:MAX_LISTED]
    ]
    if len(inference.alternatives) > MAX_LISTED:
        lines.append(f"  And {len(inference.alternatives) - MAX_LISTED} more conventions (see --json).")
    return lines


def _as_data(profile: "DialectCalibration") -> dict[str, Any]:
    inference, best = profile.inference, profile.inference.best
    return {
        "model": profile.model,
        "run": profile.run,
        "asked": profile.asked_dialect.name,
        "dialect": profile.calibrated_dialect.name if profile.calibrated_dialect is not None else None,
        "convention": str(best.coordinates) if best is not None else None,
        "settled": profile.calibrated_dialect is not None,
        "reason": profile.reason,
        "probes": inference.total,
        "answered": inference.answered,
        "fits": best.fits if best is not None else 0,
        "hits": profile.hits,
        "median_error_pixels": best.error if best is not None else None,
        "gap": inference.gap,
        "ranking": [{"convention": str(one.coordinates), "fits": one.fits} for one in inference.ranking[:MAX_LISTED]],
        "not_told_apart": [
            {"convention": str(one.coordinates), "pixels": one.pixels} for one in inference.alternatives
        ],
    }
