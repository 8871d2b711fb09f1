"""The environment that `make test-all` prepares: what Affordance needs to run, and nothing else, not even pip."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def runtime() -> Path:
    """Its folder. Nothing is ever installed there by a test."""
    folder = ROOT / "build" / "empty"
    if not (folder / ".ready").is_file():
        pytest.fail(f"expected an environment in {folder}, found none; make it with: make build/empty/.ready")
    return folder
