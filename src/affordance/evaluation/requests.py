"""Runs of the command line and of the Python API: configuration, models and data by name."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection, load_collection
from affordance.datasets import DatasetCollection as Data
from affordance.datasets.check_cache import count_errors
from affordance.datasets.demo import demo_data
from affordance.datasets.spec import is_published, read_spec
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.reference_summaries import estimate_with_summaries, write_missing_summaries
from affordance.evaluation.run import RunRequest, estimate_run
from affordance.evaluation.run_config import RunConfig
from affordance.evaluation.study_runs import find_study, merge_study_design
from affordance.models.parameters import parameter_warnings
from affordance.models.providers import read_key_env
from affordance.tasks.task import Task


def build_run_request(
    config: RunConfig,
    models: Sequence[str],
    data: str | Data | None,
    ledger: str,
    *,
    execution: ExecutionConfig,
    cache_folder: Path,
    warn: Callable[[str], None],
    advance: Callable[[int, int], None] = lambda *_: None,
    name: str | None = None,
    fresh: bool = False,
    key_env: Sequence[str] = (),
    is_default_data: bool = False,
) -> RunRequest:
    """The run of a configuration, models by name, and data.

    A study among the models decides the options and the data that are not given.

    Args:
        data: a SPEC, data that was read, or None for the demo data.
        warn: called with warnings about request parameters and the dataset.
        advance: called with the number of demo clips that are drawn, and of all.
        key_env: environment variables with keys, as `--key-env` has them.
        is_default_data: whether the data is that of `affordance.toml`, which gives way to that of a study.
    """
    for warning in parameter_warnings(config.parameters):
        warn(warning)
    names = tuple(ModelName.parse(text) for text in models)
    if (study := find_study(names, ledger, config.tasks)) is not None:
        config = merge_study_design(config, study["settings"], config.given)
        data = study["dataset"].get("spec") if data is None or is_default_data else data
    named = [*models, config.judge, config.task_options.get("summarizer")]
    return RunRequest(
        config=config,
        data=data if isinstance(data, Data) else load_data(data, config.tasks, cache_folder, warn, advance),
        models=names,
        ledger=ledger,
        render_cache=cache_folder / "pictures",
        name=name,
        fresh=fresh,
        execution=execution.replace(key_env=read_key_env(key_env, named)),
    )


def load_data(
    spec: str | None,
    tasks: Sequence[Task],
    cache_folder: Path,
    warn: Callable[[str], None],
    advance: Callable[[int, int], None] = lambda *_: None,
) -> Data:
    """The dataset of a SPEC, or the demo data. For a published dataset the errors that a check finds are counted, and
    reported with its scores."""
    if spec is None:
        return demo_data(cache_folder, {kind for task in tasks for kind in task.dataset_kinds}, advance)
    if not is_published(spec):
        return load_collection(spec, cache_folder)
    reading = read_spec(spec, cache_folder)
    dataset = reading.dataset()
    errors = count_errors(reading, dataset, cache_folder)
    if errors:
        warn(f"{spec} has errors ({errors}): affordance data check {spec}")
    return replace(DatasetCollection.single(dataset), error_count=errors)


def required_summarizer(request: RunRequest) -> str | None:
    """The model that summarises references before the run; None if that is not needed."""
    settings = request.config
    if settings.task_options.get("reference") == "individual" or not settings.applies("summarizer"):
        return None
    summarizer: str | None = settings.task_options.get("summarizer")
    return summarizer


def estimate_with_prerequisites(request: RunRequest) -> list[CostEstimate]:
    """The estimate of a run and of the summaries that it needs."""
    summarizer = required_summarizer(request)
    return estimate_run(request) if summarizer is None else estimate_with_summaries(request, summarizer)


def prepare_summaries(request: RunRequest, on_progress: Callable[[RunProgress], None]) -> int:
    """Write the summaries that a run needs; their number. Raises `IncompleteError`."""
    summarizer = required_summarizer(request)
    return 0 if summarizer is None else write_missing_summaries(request, summarizer, on_progress)
