"""What every handler needs: the project and what the studio keeps beside it while it runs."""

from dataclasses import dataclass

from fastapi import Request

from affordance.author.project import Project
from affordance.studio.asked import Asked
from affordance.studio.index import Index
from affordance.studio.pictures import Pictures
from affordance.studio.presence import Presence
from affordance.studio.retellings import Retellings
from affordance.studio.settings import Settings
from affordance.studio.standings import Standings


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

    def close(self) -> None:
        """What runs in the background is not waited for."""
        self.pictures.close()


def studio_of(request: Request) -> Studio:
    found: Studio = request.app.state.studio
    return found
