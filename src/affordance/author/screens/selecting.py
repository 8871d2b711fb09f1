"""`select`: which screens go on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from affordance.author.project import Project, plain
from affordance.author.records import Kind, Selection
from affordance.author.state import ScreenState
from affordance.core.digest import seeded_random
from affordance.core.errors import UserError
from affordance.ledger import DocumentDraft


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which screens are wanted: conditions first, then a seeded sample of those that meet them."""

    sample: int | None = None
    seed: int = 0
    with_groups: bool = False  # with at least one group of look-alikes, as in the paper
    with_copies: bool = False  # also those that nearly equal another
    platform: str | None = None
    names: Sequence[str] = ()


@dataclass(slots=True)
class Chosen:
    on: list[str] = field(default_factory=list)
    aside: dict[str, str] = field(default_factory=dict)  # and why


def select(project: Project, wanted: Wanted) -> Chosen:
    """Decide for all screens of the project; the same wish gives the same choice."""
    known = set(project.screens())
    unknown = [name for name in wanted.names if name not in known]
    if unknown:
        raise UserError(
            f"there is no screen {unknown[0]!r} in the project; `affordance author select --json` lists them"
        )
    chosen = Chosen()
    unreadable: dict[str, str] = {}
    for state in project.states(sorted(known), lambda name, error: unreadable.update({name: str(error)})):
        why = _against(state, wanted)
        if why:
            chosen.aside[state.id] = why
        else:
            chosen.on.append(state.id)
    chosen.aside |= {name: f"cannot be read: {why}" for name, why in unreadable.items()}
    if wanted.sample is not None and wanted.sample < len(chosen.on):
        generator = seeded_random("select", wanted.seed)
        kept = set(generator.sample(chosen.on, wanted.sample))
        why = f"not in the sample of {wanted.sample} of {len(chosen.on)} (seed {wanted.seed})"
        chosen.aside |= {name: why for name in chosen.on if name not in kept}
        chosen.on = [name for name in chosen.on if name in kept]
    if not chosen.on:
        raise UserError("no screen would be left; nothing was changed: ask for less")
    drafts = [(name, Selection(on=True)) for name in chosen.on]
    drafts += [(name, Selection(on=False, why=why)) for name, why in chosen.aside.items()]
    project.ledger.documents.write(
        [DocumentDraft(Kind.SELECTION, name, plain(one), "select", name) for name, one in drafts]
    )
    return chosen


def _against(state: ScreenState, wanted: Wanted) -> str:
    """Why a screen is put aside; empty where it goes on."""
    if wanted.names and state.id not in wanted.names:
        return "not among those that were named"
    if wanted.platform is not None and state.shot.platform != wanted.platform:
        return f"its platform is {state.shot.platform}, not {wanted.platform}"
    if state.shot.copy_of is not None and not wanted.with_copies:
        return f"nearly equals {state.shot.copy_of}"
    groups = [found for found in (state.element_groups or state.candidates, state.region_groups) if found is not None]
    if wanted.with_groups and not any(found.groups for found in groups):
        return "has no group of look-alikes" if groups else "look-alikes were not looked for: run elements first"
    return ""
