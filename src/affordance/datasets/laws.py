"""The twelve laws of UX that experts explain a winning design with, in their three dimensions.

Names are spelled as WiserUI-Bench spells them, with typographic apostrophes."""

from collections.abc import Iterator
from dataclasses import dataclass

DIMENSIONS = ("Perception", "Memory", "Action")


@dataclass(frozen=True, slots=True)
class UXLaw:
    name: str
    dimension: str
    meaning: str


UX_LAWS = (
    UXLaw("Law of Common Region", "Perception", "Things inside of one border or surface are seen as one group."),
    UXLaw("Law of Proximity", "Perception", "Things that are close to each other are seen as one group."),
    UXLaw(
        "Law of Prägnanz",
        "Perception",
        "People see the simplest form they can; a simple design is read with less effort.",
    ),
    UXLaw("Law of Similarity", "Perception", "Things that look alike are taken to do alike."),
    UXLaw("Von Restorff Effect", "Memory", "What differs from everything around it is noticed and remembered."),
    UXLaw("Serial Position Effect", "Memory", "The first and the last of a series are remembered best."),
    UXLaw(
        "Miller’s Law", "Memory", "Only a handful of things fit into working memory, so content comes in small chunks."
    ),
    UXLaw("Jakob’s Law", "Memory", "People expect a page to work like the other pages that they know."),
    UXLaw("Hick’s Law", "Action", "The more choices there are and the harder they are, the longer a decision takes."),
    UXLaw("Pareto Principle", "Action", "A few parts bring most of the effect, so these deserve the effort."),
    UXLaw("Fitts’s Law", "Action", "A target is reached faster if it is larger and nearer."),
    UXLaw("Goal-Gradient Effect", "Action", "The nearer people feel to a goal, the harder they work for it."),
)
UX_LAWS_BY_NAME = {law.name: law for law in UX_LAWS}


def normalize_law_name(name: str) -> str:
    """A name without case and kinds of apostrophes: how people type it."""
    return " ".join(name.replace("’", "'").casefold().split())


_BY_NORMALIZED_NAME = {normalize_law_name(law.name): law for law in UX_LAWS}


def find_ux_law(name: str) -> UXLaw | None:
    """The law of a name, also of one with a plain apostrophe."""
    return _BY_NORMALIZED_NAME.get(normalize_law_name(name))


def law_issues(name: str, dimension: str | None) -> Iterator[str]:
    """What is wrong with the law of a rationale."""
    law = UX_LAWS_BY_NAME.get(name)
    if law is None:
        near = find_ux_law(name)
        hint = f"write {near.name!r}" if near is not None else f"known: {', '.join(UX_LAWS_BY_NAME)}"
        yield f"unknown law {name!r}; {hint}"
    elif dimension is not None and dimension != law.dimension:
        yield f"expected {name} to be of the dimension {law.dimension}, found {dimension!r}"
