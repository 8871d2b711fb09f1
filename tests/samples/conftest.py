"""Checks on published files that are not part of the repository: `make test-samples DIR=folder`. They fail where the
folder lacks a file, and are not collected without a folder."""

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("AFFORDANCE_SAMPLES", "")

collect_ignore_glob = [] if FOLDER else ["*"]


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder with samples of published datasets, one folder each."""
    folder = Path(FOLDER).resolve()
    assert folder.is_dir(), f"{folder} is not a folder; make test-samples DIR=folder"
    return folder
