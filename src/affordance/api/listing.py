"""What there is: data, tasks, and who can be asked."""

from pathlib import Path

from affordance.api._called import called
from affordance.cli.progress import demo_steps
from affordance.cli.quiet import remark
from affordance.core.config import find_config, read_config
from affordance.core.names import public_url
from affordance.core.places import cache_folder
from affordance.core.plugins import MODELS, plugins, whose
from affordance.datasets import Collection
from affordance.models.providers import all_providers
from affordance.models.registry import BASELINES
from affordance.run.requests import data_of
from affordance.suites.registry import TASKS


@called
def load(spec: str | Path | None = None) -> Collection:
    """The data that a SPEC names: a folder of ours, `FORMAT:PATH`, or without one the demo data. It has a `part` for
    each kind of item, with its `items`.

        data = affordance.load("autogui-v2:AutoGUI-v2")
        data.part("screen").items[0].targets
    """
    named = None if spec is None else str(spec)
    with demo_steps() as advance:
        return data_of(named, list(TASKS.own.values()), cache_folder(), remark, advance)


def tasks() -> dict[str, str]:
    """The tasks by name, each with what it asks; those of other packages too."""
    found, wrong = TASKS.working()
    for error in wrong:
        remark(str(error))
    return {name: task.summary for name, task in found.items()}


def providers() -> dict[str, str]:
    """Who can be asked: providers by name with where they are asked, and models that run here. A model is
    `PROVIDER:MODEL[@BASE_URL]`."""
    services = all_providers(read_config(find_config(Path.cwd())).providers)
    return {
        **{name: public_url(one.base_url) for name, one in sorted(services.items())},
        **{f"baseline:{name}": "here" for name in BASELINES},
        **{name: f"here, by {whose(one)}" for name, one in plugins(MODELS).items()},
    }
