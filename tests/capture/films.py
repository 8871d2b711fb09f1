"""Small pages that move, filmed with a real browser."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray
from pages import write_pages

from affordance.capture.animations import Counts, Shooting, capture_animations, plan_animations
from affordance.capture.looks import Look
from affordance.capture.sources import open_site
from affordance.datasets import AnimatedElement, CapturedMotion, Clip, Dataset, load_folder
from affordance.media import VideoQuality

SMALL = Look(width=200, height=120)


@dataclass(frozen=True, slots=True)
class Filmed:
    dataset: Dataset
    counts: Counts

    def __getitem__(self, name: str) -> Clip:
        (found,) = [item for item in self.dataset.items if item.id == name]
        assert isinstance(found, Clip)
        return found

    def motion(self, name: str) -> CapturedMotion:
        motion = self[name].motion
        assert motion is not None
        return motion

    def mover(self, name: str, locator: str) -> AnimatedElement:
        (found,) = [one for one in self.motion(name).movers if one.locator.endswith(locator)]
        return found

    def frames(self, name: str) -> list[NDArray[np.uint8]]:
        """The frames of the video, RGB."""
        with av.open(str(self.dataset.media_path(self[name].video))) as container:
            return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def film(folder: Path, pages: Mapping[str, str], notes: Mapping[str, str] = {}, **options: Any) -> Filmed:
    """Pages and notes by name. The window is small and every pixel is kept, unless said otherwise."""
    site_folder = write_pages(folder / "site", {f"{name}.html": page for name, page in pages.items()})
    for name, note in notes.items():
        (site_folder / f"{name}.toml").write_text(note, encoding="utf-8")
    site = open_site(str(site_folder), [])
    shooting = Shooting(**{"look": SMALL, "seconds": 1.0, "still": 0.1, "quality": VideoQuality.EXACT, **options})
    wanted = plan_animations(site, shooting)
    counts = asyncio.run(capture_animations(site, wanted, folder / "clips", shooting))
    return Filmed(load_folder(folder / "clips"), counts)
