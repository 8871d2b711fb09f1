"""What every handler needs: the project and what the studio keeps beside it while it runs."""

from dataclasses import dataclass

from fastapi import Request

from affordance.author.project import Project
from affordance.studio.asked import Asked
from affordance.studio.clips import Clips
from affordance.studio.holdings import Holdings
from affordance.studio.index import Index
from affordance.studio.masks import Masks
from affordance.studio.originals import Originals
from affordance.studio.pair_work import PairWork
from affordance.studio.pairs import Pairs
from affordance.studio.pictures import Pictures
from affordance.studio.presence import Presence
from affordance.studio.retellings import Retellings
from affordance.studio.settings import Settings
from affordance.studio.standings import Standings
from affordance.studio.studies.assignments import Assignments
from affordance.studio.studies.opened import Studies


@dataclass(frozen=True, slots=True)
class Studio:
    project: Project
    settings: Settings
    index: Index
    presence: Presence
    asked: Asked
    pictures: Pictures
    retellings: Retellings
    standings: Standings
    originals: Originals
    masks: Masks
    pair_work: PairWork
    pairs: Pairs
    holdings: Holdings
    clips: Clips
    studies: Studies
    assignments: Assignments

    def close(self) -> None:
        """What runs in the background is not waited for."""
        self.pictures.close()
        self.clips.close()
        self.pair_work.close()


def studio_of(request: Request) -> Studio:
    found: Studio = request.app.state.studio
    return found
