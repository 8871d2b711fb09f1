"""The seven canonical clips, drawn once for all tests of the suites."""

import pytest

from affordance.datasets import Dataset
from affordance.suites.motion.make import demo_clips


@pytest.fixture(scope="session")
def primitives(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return demo_clips(tmp_path_factory.mktemp("cache"))
