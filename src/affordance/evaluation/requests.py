"""From what somebody asks for to a request: the one way of the command line and of the Python interface."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection, load_collection
from affordance.datasets import DatasetCollection as Data
from affordance.datasets.check_cache import count_errors
from affordance.datasets.demo import demo_data
from affordance.datasets.spec import is_published, read_spec
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.options import RunOptions, config_from_options
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.reference_summaries import estimate_with_summaries, write_missing_summaries
from affordance.evaluation.run import RunRequest, estimate_run
from affordance.evaluation.study_runs import find_study, merge_study_design
from affordance.models.parameters import parameter_warnings
from affordance.models.providers import read_key_env
from affordance.tasks.registry import resolve_tasks
from affordance.tasks.task import Task

# What a study decides, by the name that the option has where that is another.
_STUDY_OPTIONS = {name: name for name in ("protocol", "seed", "limit", "trials", "fps", "goal", "cues")}
_STUDY_OPTIONS |= {"expressions": "expression", "clip_format": "input", "max_frames": "most_frames"}


@dataclass(frozen=True, slots=True)
class RunArguments:
    """What somebody asks for, by names. `typed` are the options that were given now, and not once for all."""

    tasks: Sequence[str]
    models: Sequence[str]
    data: str | Data | None  # a SPEC, data that was read, or None for the demo data
    ledger: str
    options: RunOptions
    explicit: Collection[str]
    defaults: Collection[str] = ()  # options that a user has once for all, for those tasks that they fit
    name: str | None = None
    fresh: bool = False
    key_env: Sequence[str] = ()  # variables that hold keys, as `--key-env` has them


def build_run_request(
    arguments: RunArguments,
    execution: ExecutionConfig,
    cache_folder: Path,
    warn: Callable[[str], None],
    advance: Callable[[int, int], None] = lambda *_: None,
) -> RunRequest:
    """The request; `remark` is told what is odd about parameters and data, `advance` how many of how many demo clips
    are drawn. Where people answer, data and settings are those of the study unless others are given."""
    tasks = resolve_tasks(arguments.tasks)
    settings = config_from_options(tasks, arguments.options, arguments.defaults)
    for doubt in parameter_warnings(settings.parameters):
        warn(doubt)
    models = tuple(ModelName.parse(text) for text in arguments.models)
    data = arguments.data
    if (study := find_study(models, arguments.ledger, tasks)) is not None:
        typed = [name for name, option in _STUDY_OPTIONS.items() if option in arguments.explicit]
        settings = merge_study_design(settings, study["settings"], typed)
        data = data if "data" in arguments.explicit else study["dataset"].get("spec")
    named = [*arguments.models, settings.judge, settings.summarizer]
    return RunRequest(
        config=settings,
        data=data if isinstance(data, Data) else load_data(data, tasks, cache_folder, warn, advance),
        models=models,
        ledger=arguments.ledger,
        render_cache=cache_folder / "pictures",
        name=arguments.name,
        fresh=arguments.fresh,
        execution=replace(execution, key_env=read_key_env(arguments.key_env, named)),
    )


def load_data(
    spec: str | None,
    tasks: Sequence[Task],
    cache_folder: Path,
    warn: Callable[[str], None],
    advance: Callable[[int, int], None] = lambda *_: None,
) -> Data:
    """What a SPEC names, with how many errors a check finds in a published set: numbers on it must say so. Without one
    the demo data."""
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
    """Who sums references up before the request is carried out; None where nothing is to be summed up."""
    settings = request.config
    if settings.reference == "individual" or not any("summarizer" in task.options for task in settings.tasks):
        return None
    return settings.summarizer


def estimate_with_prerequisites(request: RunRequest) -> list[CostEstimate]:
    """What a request would ask and cost, with the summaries that it lacks."""
    summarizer = required_summarizer(request)
    return estimate_run(request) if summarizer is None else estimate_with_summaries(request, summarizer)


def prepare_summaries(request: RunRequest, on_progress: Callable[[RunProgress], None]) -> int:
    """Have summed up what is to be; how many summaries were added. Raises `IncompleteError`."""
    summarizer = required_summarizer(request)
    return 0 if summarizer is None else write_missing_summaries(request, summarizer, on_progress)
