"""Blind second annotation: which regions are drawn once more, and by what text people know them."""

from typing import Any

from affordance.author.project import Project
from affordance.author.records import ROOT, Kind
from affordance.author.state import ScreenState
from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.core.errors import UserError

PEOPLE = 2  # who draw each region
TITLE = "Where is it?"
TEXTS, SCREENS = "texts", "screens"  # in the settings of a study: by region, and versions by screen


def boxes_study(
    project: Project, name: str, *, per_item: int = PEOPLE, number: int | None = None, seed: int = 0, **how: Any
) -> Study:
    """A study of the regions of all screens that were not put aside and that a text says something of; with `number`,
    of as many that are drawn from all of them. `how` are other fields of the study."""
    texts: dict[str, str] = {}
    for state in project.states():
        texts |= {f"{state.id}/{name}": text for name in state.regions if name != ROOT and (text := _text(state, name))}
    chosen = sorted(sorted(texts, key=lambda item: digest("drawn", seed, item))[:number])
    if not chosen:
        raise UserError("expected regions with a text that says what they are, found none; divide some screens first")
    screens = {item.rpartition("/")[0] for item in chosen}
    settings = {TEXTS: {item: texts[item] for item in chosen}, SCREENS: _versions(project, Kind.SCREEN, screens)}
    items = _versions(project, Kind.REGION, chosen)
    fields = {"title": TITLE, "items": items, "settings": settings, "seed": seed, **how}
    return Study(name=name, form="boxes", per_item=per_item, **fields)


def _text(state: ScreenState, name: str) -> str:
    """What it is for, as it was told last; else how it looks."""
    region, told = state.regions[name], state.retellings.get(name)
    return ((told and told.functionality) or region.functionality.best or region.description.best).strip()


def _versions(project: Project, kind: Kind, subjects: Any) -> dict[str, int]:
    found = project.ledger.documents.get_many([(kind, subject) for subject in sorted(subjects)])
    return {one.subject: one.version for one in found}
