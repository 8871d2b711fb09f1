"""What the studio knows of who may come in."""

from dataclasses import dataclass, field
from typing import Self

from fastapi import Request

from affordance.author.project import Project
from affordance.studio.people import People
from affordance.studio.security.attempts import Attempts
from affordance.studio.security.links import Links
from affordance.studio.security.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Access:
    people: People
    links: Links
    sessions: Sessions
    attempts: Attempts = field(default_factory=Attempts)

    @classmethod
    def of(cls, project: Project) -> Self:
        people = People(project.ledger)
        return cls(people, Links(people), Sessions(project.ledger))


def access_of(request: Request) -> Access:
    found: Access = request.app.state.access
    return found
