"""Ids of the form `LEVEL-NUMBER` for regions that people have drawn, which the published layout knows no other of."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from affordance.author.exchange.cache_tree import NODE
from affordance.author.exchange.results import Past, Version
from affordance.author.records import Kind, Region
from affordance.author.state import ScreenState

T = TypeVar("T")


def numbered(state: ScreenState, past: Past) -> tuple[ScreenState, Past]:
    """The screen and its past with such ids; what has one keeps it, others get the next numbers of their level."""
    taken = {name for name in state.regions if re.fullmatch(NODE, name)}
    new: dict[str, str] = {}
    for name in state.regions:
        if name not in taken:
            level = state.level(name)
            number = next(number for number in range(len(taken) + 1) if f"{level}-{number}" not in taken)
            new[name] = f"{level}-{number}"
            taken.add(new[name])
    if not new:
        return state, past
    known = {name: new.get(name, name) for name in state.regions}
    old = {now: before for before, now in known.items()}

    def named(found: Mapping[str, T]) -> dict[str, T]:
        return {known[name]: one for name, one in found.items() if name in known}

    def past_of(screen: str, kind: Kind, node: str) -> Sequence[Version]:
        return [replace(one, document=placed(one.document, known)) for one in past(screen, kind, old.get(node, node))]

    renamed = replace(
        state,
        regions={known[name]: placed(one, known) for name, one in state.regions.items()},
        types=named(state.types),
        retellings=named(state.retellings),
        validations=named(state.validations),
        corrected=frozenset(known[name] for name in state.corrected),
    )
    return renamed, past_of


def placed(document: T, known: Mapping[str, str]) -> T:
    """A region with the new id of its parent; anything else as it is."""
    if not isinstance(document, Region) or document.parent is None:
        return document
    return document.model_copy(update={"parent": known.get(document.parent, document.parent)})
