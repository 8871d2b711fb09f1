"""`affordance calibrate`: how does a model speak coordinates?"""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli import known
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import LEDGER, Concurrency, Json, KeyEnv, Ledger, Models, Timeout
from affordance.cli.places import cache_dir
from affordance.console.progress import run_progress

if TYPE_CHECKING:
    from affordance.evaluation.dialect_calibration import DialectCalibration

MOST_NEAR = 5


def calibrate(
    model: Models,
    ledger: Ledger = LEDGER,
    dialect: Annotated[
        str | None,
        typer.Option(
            metavar="D",
            help="In which words to ask; without it as the model's name tells.",
            autocompletion=known.dialects,
        ),
    ] = None,
    concurrency: Concurrency = 16,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what was asked before.")] = False,
    as_json: Json = False,
) -> None:
    """Show a model 48 generated screens with known targets, and infer in which coordinates it answers.

    The replies are kept in the ledger. The profile is used only where it is chosen: affordance run ... --dialect
    calibrated. Exit code 3: it is incomplete, or it cannot be told in which coordinates a model answers.

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
        execution=execution_config(concurrency, timeout, None, key_env, model),
    )
    with run_progress() as watch:
        profiles, progress = show_probes(request, cache_dir(), watch)
    told = [profile for profile in profiles if profile.model in progress.models]
    if as_json:
        print(json.dumps([_as_data(profile) for profile in told], indent=2))
    else:
        for profile in told:
            print("\n".join(_in_words(profile)))
    code = report_run_problems(request, progress)
    raise typer.Exit(
        code or (EXIT_OK if all(profile.calibrated_dialect is not None for profile in told) else EXIT_INCOMPLETE)
    )


def _in_words(profile: "DialectCalibration") -> list[str]:
    from affordance.grounding.calibration import describe_coordinates

    inference = profile.inference
    best, found = inference.best, profile.calibrated_dialect
    if best is None or found is None:
        return [
            f"{profile.model}: cannot be told. {profile.reason[:1].upper()}{profile.reason[1:]}.",
            "  Use --dialect default, or name one (see `affordance models`).",
        ]
    lines = [
        f"{profile.model} speaks {best.coordinates}: {describe_coordinates(found)}.",
        f"  {inference.answered} of {inference.total} answers had numbers, {best.fits} fit, {profile.hits} hit their "
        f"targets; half of those that fit are within {best.error or 0:.1f} pixels of the centre.",
    ]
    own = profile.asked_dialect.coordinates
    if own == best.coordinates:
        lines.append(f"  That is what its dialect ({profile.asked_dialect.name}) says.")
    elif own in {near.coordinates for near in inference.alternatives}:
        lines.append(
            f"  Its dialect ({profile.asked_dialect.name}) says {own}, which cannot be told apart from it here."
        )
    else:
        lines.append(
            f"  Its dialect ({profile.asked_dialect.name}) says {own}. To read it as it speaks: --dialect "
            "calibrated, or "
            f"--dialect {found.name}"
        )
    lines += [
        f"  Not told apart from it: {near.coordinates}, at most {near.pixels:.1f} pixels away."
        for near in inference.alternatives[:MOST_NEAR]
    ]
    if len(inference.alternatives) > MOST_NEAR:
        lines.append(f"  And {len(inference.alternatives) - MOST_NEAR} more conventions (see --json).")
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
        "ranking": [{"convention": str(one.coordinates), "fits": one.fits} for one in inference.ranking[:MOST_NEAR]],
        "not_told_apart": [
            {"convention": str(one.coordinates), "pixels": one.pixels} for one in inference.alternatives
        ],
    }
