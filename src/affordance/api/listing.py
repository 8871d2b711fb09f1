"""What there is: data, tasks, and who can be asked."""

from pathlib import Path

from affordance.api._called import validate_arguments
from affordance.console.output import print_note
from affordance.console.progress import demo_progress
from affordance.core.config import find_config, read_config
from affordance.core.http import public_url
from affordance.core.paths import cache_dir
from affordance.core.plugin_registry import MODELS, distribution_of, entry_points_by_name
from affordance.datasets import DatasetCollection
from affordance.evaluation.requests import load_data
from affordance.models.providers import all_providers
from affordance.models.registry import BASELINES
from affordance.tasks.registry import TASKS


@validate_arguments
def load(spec: str | Path | None = None) -> DatasetCollection:
    """The data that a SPEC names: a folder of ours, `FORMAT:PATH`, or without one the demo data. It has a `part` for
    each kind of item, with its `items`.

        data = affordance.load("autogui-v2:AutoGUI-v2")
        data.of_kind("screen").items[0].targets
    """
    named = None if spec is None else str(spec)
    with demo_progress() as advance:
        return load_data(named, list(TASKS.builtin.values()), cache_dir(), print_note, advance)


def list_tasks() -> dict[str, str]:
    """The tasks by name, each with what it asks; those of other packages too."""
    found, wrong = TASKS.load_all()
    for error in wrong:
        print_note(str(error))
    return {name: task.summary for name, task in found.items()}


def providers() -> dict[str, str]:
    """Who can be asked: providers by name with where they are asked, and models that run here. A model is
    `PROVIDER:MODEL[@BASE_URL]`."""
    services = all_providers(read_config(find_config(Path.cwd())).providers)
    return {
        **{name: public_url(one.base_url) for name, one in sorted(services.items())},
        **{f"baseline:{name}": "here" for name in BASELINES},
        **{name: f"here, by {distribution_of(one)}" for name, one in entry_points_by_name(MODELS).items()},
    }
