from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.core.names import ModelName
from affordance.datasets import Dataset, alone
from affordance.run.execute import Means
from affordance.run.lane import Patience
from affordance.run.session import Request
from affordance.run.settings import Settings
from affordance.suites.registry import tasks_named

SHORT = Patience(tries=3, first_wait=0.01, longest_wait=0.05, strikes=5, outage_seconds=0.0)


@pytest.fixture(scope="session")
def clips(primitives: Dataset) -> Dataset:
    return primitives


@pytest.fixture(scope="session")
def pictures(shared: Path) -> Path:
    """A picture cache that all tests share: what is rendered once need not be rendered again."""
    return shared / "cache" / "pictures"


@pytest.fixture
def request_for(clips: Dataset, pictures: Path, tmp_path: Path) -> Callable[..., Request]:
    """A request for motion/effect with small defaults; anything can be changed by name."""

    def make(*models: str, **changes: object) -> Request:
        of_settings = {name: changes.pop(name) for name in list(changes) if name in Settings.__dataclass_fields__}
        of_means = {name: changes.pop(name) for name in list(changes) if name in Means.__dataclass_fields__}
        defaults = {"trials": 1, **of_settings}
        return Request(
            settings=Settings(tasks=tuple(tasks_named(["motion/effect"])), **defaults),  # type: ignore[arg-type]
            data=alone(clips),
            models=tuple(ModelName.parse(model) for model in models),
            ledger=str(changes.pop("ledger", tmp_path / "ledger.db")),
            pictures=pictures,
            means=Means(**{"patience": SHORT, "concurrency": 4, **of_means}),  # type: ignore[arg-type]
            **changes,  # type: ignore[arg-type]
        )

    return make
