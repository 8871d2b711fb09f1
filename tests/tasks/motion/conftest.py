"""What several tests of the motion suite ask about."""

import pytest

from affordance.datasets import DatasetCollection
from motion_data import THINGS, clip, twin_of, write_clips


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    """Clips without summaries; one with too few responses, and a twin."""
    clips = [clip(thing, purpose="Feedback") for thing in THINGS]
    few = clip("few", meaning_responses=["Only one.", " "])
    return write_clips(tmp_path_factory.mktemp("bare"), *clips, few, twin_of(clips[0], "reversed"), frames=30)
