"""A project to a folder: its screens in a format, and clips and pairs beside them as datasets of our own."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from affordance.author.clips.export import write_clips
from affordance.author.exchange.bringing import past_of
from affordance.author.exchange.files import empty_folder
from affordance.author.exchange.formats import DEFAULT, export
from affordance.author.exchange.results import Exported, Facts
from affordance.author.pairs.export import write_pairs
from affordance.author.project import Project
from affordance.author.records import Kind
from affordance.core.errors import UserError

# What is no screen: the folder that it goes to, and who writes it.
OTHERS: tuple[tuple[Kind, str, Callable[[Project, Path, Facts], Exported]], ...] = (
    (Kind.CLIP, "clips", write_clips),
    (Kind.PAIR, "pairs", write_pairs),
)


def give_out(
    project: Project, folder: Path, facts: Facts, format_name: str, on_error: Callable[[str, UserError], None]
) -> Exported:
    """Write into a new or empty folder. A screen that cannot be read is told to `on_error` and left out. Formats of
    others have no place for what is no screen."""
    others = [one for one in OTHERS if project.ledger.documents.subjects(one[0])]
    if format_name != DEFAULT or not others or project.screens():
        notes: list[str] = []
        states = partial(project.states, on_error=on_error)
        told = export(states, folder, facts, past_of(project, notes), format_name)
        told.notes += notes
    else:
        empty_folder(folder)
        told = Exported()
    for _, name, write in others:
        if format_name == DEFAULT:
            told.add(write(project, folder / name, facts))
        else:
            told.notes.append(f"the {name} of the project are not in it: --format {DEFAULT} writes them")
    return told
