"""The demo screens, unpacked once."""

import pytest
from drawn_screens import Demo

from affordance.datasets.demo import unpack_demo


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo")
    unpack_demo(folder)
    return Demo(folder)
