from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.core.model_name import ModelName
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.run import RunRequest
from affordance.evaluation.run_config import RunConfig, run_options
from affordance.tasks.registry import resolve_tasks

SHORT = RetryPolicy(max_tries=3, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)


@pytest.fixture(scope="session")
def clips(primitives: Dataset) -> Dataset:
    return primitives


@pytest.fixture(scope="session")
def pictures(shared: Path) -> Path:
    """A picture cache that all tests share: what is rendered once need not be rendered again."""
    return shared / "cache" / "pictures"


@pytest.fixture
def request_for(clips: Dataset, pictures: Path, tmp_path: Path) -> Callable[..., RunRequest]:
    """A request for motion/effect with small defaults; anything can be changed by name."""

    def make(*models: str, **changes: object) -> RunRequest:
        of_settings = {
            name: changes.pop(name) for name in list(changes) if name in {*RunConfig.model_fields, *run_options()}
        }
        of_means = {name: changes.pop(name) for name in list(changes) if name in ExecutionConfig.model_fields}
        defaults = {"trials": 1, **of_settings}
        return RunRequest(
            config=RunConfig(tasks=tuple(resolve_tasks(["motion/effect"])), **defaults),  # type: ignore[arg-type]
            data=DatasetCollection.single(clips),
            models=tuple(ModelName.parse(model) for model in models),
            ledger=str(changes.pop("ledger", tmp_path / "ledger.db")),
            render_cache=pictures,
            execution=ExecutionConfig(**{"retry": SHORT, "concurrency": 4, **of_means}),  # type: ignore[arg-type]
            **changes,  # type: ignore[arg-type]
        )

    return make
