"""Which regions are to be told anew: those whose box a person has drawn since."""

from affordance.author.project import is_person
from affordance.author.state import ScreenState


def due(screen: ScreenState, *, every: bool = False, again: bool = False) -> tuple[list[str], list[str]]:
    """The regions that are to be told anew, and what is to be said of those that cannot be."""
    nodes: list[str] = []
    notes: list[str] = []
    for node in screen.usable():
        told, box = screen.retellings.get(node), screen.regions[node].box
        theirs = told is not None and (is_person(told.by) or node in screen.validations)
        done = told is not None and told.box == box and (theirs or not again)
        if done or not (every or node in screen.corrected):
            continue
        if box.clip(*screen.size) is None:
            notes.append(f"{node}: not told anew: nothing of its box {box.xyxy} is on the screen")
        else:
            nodes.append(node)
    return nodes, notes
