"""Commands that people are told to run."""

import shlex

from affordance.author.project import Project
from affordance.studio.settings import Settings


def command(project: Project, settings: Settings, stage: str, *more: str) -> str:
    """`affordance author STAGE PROJECT ...`. Who comes from elsewhere is not told where things lie on this computer."""
    folder = str(project.folder) if settings.open else project.folder.resolve().name
    return " ".join(("affordance author", stage, shlex.quote(folder), *more))
