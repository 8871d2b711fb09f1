"""From what somebody asks for to a request: the one way of the command line and of the Python interface."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from affordance.core.names import ModelName
from affordance.datasets import Collection as Data
from affordance.datasets import alone, read_collection
from affordance.datasets.check_cache import count_errors
from affordance.datasets.spec import is_published, open_spec
from affordance.models.parameters import doubts
from affordance.models.providers import read_key_env
from affordance.run.estimate import Estimate
from affordance.run.execute import Means
from affordance.run.options import Options, settings_of
from affordance.run.people import as_asked, study_among
from affordance.run.progress import Progress
from affordance.run.session import Request, foresee
from affordance.run.summaries import foresee_with_summaries, sum_up
from affordance.suites.demo import demo_data
from affordance.suites.registry import tasks_named
from affordance.suites.task import Task

# What a study decides, by the name that the option has where that is another.
_FIXED = {name: name for name in ("protocol", "seed", "limit", "trials", "fps", "goal", "cues", "input", "most_frames")}
_FIXED["expressions"] = "expression"


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asks for, by names. `typed` are the options that were given now, and not once for all."""

    tasks: Sequence[str]
    models: Sequence[str]
    data: str | Data | None  # a SPEC, data that was read, or None for the demo data
    ledger: str
    options: Options
    typed: Collection[str]
    usual: Collection[str] = ()  # options that a user has once for all, for those tasks that they fit
    name: str | None = None
    fresh: bool = False
    key_env: Sequence[str] = ()  # variables that hold keys, as `--key-env` has them


def request_of(
    asked: Asked,
    means: Means,
    cache: Path,
    remark: Callable[[str], None],
    advance: Callable[[int, int], None] = lambda *_: None,
) -> Request:
    """The request; `remark` is told what is odd about parameters and data, `advance` how many of how many demo clips
    are drawn. Where people answer, data and settings are those of the study unless others are given."""
    tasks = tasks_named(asked.tasks)
    settings = settings_of(tasks, asked.options, asked.usual)
    for doubt in doubts(settings.parameters):
        remark(doubt)
    models = tuple(ModelName.parse(text) for text in asked.models)
    data = asked.data
    if (study := study_among(models, asked.ledger, tasks)) is not None:
        typed = [name for name, option in _FIXED.items() if option in asked.typed]
        settings = as_asked(settings, study["settings"], typed)
        data = data if "data" in asked.typed else study["dataset"].get("spec")
    named = [*asked.models, settings.judge, settings.summarizer]
    return Request(
        settings=settings,
        data=data if isinstance(data, Data) else data_of(data, tasks, cache, remark, advance),
        models=models,
        ledger=asked.ledger,
        pictures=cache / "pictures",
        name=asked.name,
        fresh=asked.fresh,
        means=replace(means, key_env=read_key_env(asked.key_env, named)),
    )


def data_of(
    spec: str | None,
    tasks: Sequence[Task],
    cache: Path,
    remark: Callable[[str], None],
    advance: Callable[[int, int], None] = lambda *_: None,
) -> Data:
    """What a SPEC names, with how many errors a check finds in a published set: numbers on it must say so. Without one
    the demo data."""
    if spec is None:
        return demo_data(cache, {kind for task in tasks for kind in task.kinds}, advance)
    if not is_published(spec):
        return read_collection(spec, cache)
    reading = open_spec(spec, cache)
    dataset = reading.dataset()
    errors = count_errors(reading, dataset, cache)
    if errors:
        remark(f"{spec} has errors ({errors}): affordance data check {spec}")
    return replace(alone(dataset), errors=errors)


def summarizer_of(request: Request) -> str | None:
    """Who sums references up before the request is carried out; None where nothing is to be summed up."""
    settings = request.settings
    if settings.reference == "individual" or not any("summarizer" in task.options for task in settings.tasks):
        return None
    return settings.summarizer


def foresee_all(request: Request) -> list[Estimate]:
    """What a request would ask and cost, with the summaries that it lacks."""
    summarizer = summarizer_of(request)
    return foresee(request) if summarizer is None else foresee_with_summaries(request, summarizer)


def prepare_summaries(request: Request, watch: Callable[[Progress], None]) -> int:
    """Have summed up what is to be; how many summaries were added. Raises `IncompleteError`."""
    summarizer = summarizer_of(request)
    return 0 if summarizer is None else sum_up(request, summarizer, watch)
