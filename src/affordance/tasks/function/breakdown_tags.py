"""Slices of grounding and outcomes: how the report names them, and what a reader must know."""

from affordance.tasks.views import BreakdownTag

_TAGS = (
    BreakdownTag("names itself", "whether the description names the element",
                 note="If the description contains the name of the element, finding the name is enough."),
    BreakdownTag("density", "density of neighbours",
                 note="Neighbours are counted in a box three times the target's size; cut points are the dataset's."),
    BreakdownTag("density, Gaussian", "density of neighbours, weighted by distance",
                 note="Neighbours are counted in a box four times the size of the target."),
    BreakdownTag("density, as shipped", "density, as classified by the publisher"),
    BreakdownTag("area", "target size"),
    BreakdownTag("area, as shipped", "target size, as classified by the publisher"),
    BreakdownTag("group size", "number of look-alikes",
                 note="Number of elements that look alike, including the target."),
    BreakdownTag("target", "kind of target"),
    BreakdownTag("steps", "number of steps"),
    BreakdownTag("ui_type", "icon or text"),
    BreakdownTag("application_group", "application"),
    BreakdownTag("rendering",
                 note="Renderings may have different targets; “Robustness to rendering” compares the same ones."),
    BreakdownTag("source", "source of the question",
                 note="Questions were written by hand or published, or generated from captured and verified outcomes."),
    BreakdownTag("slot", "position of the right option",
                 note="A model that reads the options is equally accurate for every position."),
)  # fmt: skip
_BY_NAME = {one.tag: one for one in _TAGS}


def described_tags(*names: str) -> tuple[BreakdownTag, ...]:
    """Breakdowns by these tags, with labels and notes where they need some."""
    return tuple(_BY_NAME.get(name, BreakdownTag(name)) for name in names)
