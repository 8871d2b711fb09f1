from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from media_files import RECIPES, UNEVEN, numbered, write_video


@pytest.fixture(scope="session")
def steady(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """60 frames at 60 frames a second, in each container that can."""
    folder = tmp_path_factory.mktemp("steady")
    kinds = ("mp4", "faststart", "fragmented", "mov", "hevc", "mkv", "webm", "vp8")
    frames = [numbered(index) for index in range(60)]
    return {kind: write_video(folder / f"{kind}{RECIPES[kind].suffix}", RECIPES[kind], frames) for kind in kinds}


@pytest.fixture(scope="session")
def uneven(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """12 frames at uneven times, in each container."""
    folder = tmp_path_factory.mktemp("uneven")
    frames = [numbered(index) for index in range(len(UNEVEN))]
    paths = {}
    for kind, recipe in RECIPES.items():
        unit = recipe.time_base if kind == "gif" else Fraction(1, 1000)
        pts = [time * unit.denominator // 1000 for time in UNEVEN]
        path = folder / f"{kind}{recipe.suffix}"
        paths[kind] = write_video(path, replace(recipe, time_base=unit), frames, pts)
    return paths
