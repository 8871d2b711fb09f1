"""What results of an exported question are broken down by."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from affordance.author.exchange.kept import Asked, Kept, questions, selected, tell_newer
from affordance.author.exchange.results import Exported, States
from affordance.author.questions.attributes import (
    AREA_CLASS,
    COUNT,
    GAUSS,
    GROUP,
    Cuts,
    attributes,
    classed,
    cuts_of,
)
from affordance.author.records import QuestionRecord
from affordance.core.geometry import Box
from affordance.datasets.taxonomies import region_type_tags
from affordance.tasks.function.targets import density_label


@dataclass(frozen=True, slots=True)
class Classes:
    """The cut points of an export, and the classes that they make."""

    cuts: Cuts

    def of(self, asked: Asked) -> QuestionRecord:
        """The question with its classes."""
        return classed(asked.record, self.cuts)

    def of_others(self, asked: Asked, boxes: Sequence[Box]) -> list[Mapping[str, str]]:
        """What other boxes would be if the same question were about them."""
        found = attributes(asked.state, boxes, [0] * len(boxes)) if self.cuts else [{} for _ in boxes]
        return [classed(asked.record.model_copy(update={"attributes": one}), self.cuts).attributes for one in found]

    def tags(self, asked: Asked) -> dict[str, str]:
        """Under the names that the function suite has for them."""
        record = self.of(asked)
        cuts = self.cuts.get(f"{record.form}/{record.level}", {})
        tags = {}
        for name, attribute in (("density", COUNT), ("density, Gaussian", GAUSS)):
            if attribute in cuts and attribute in record.attributes:
                low, high = cuts[attribute]
                tags[name] = density_label(float(record.attributes[attribute]), (low, high))
        if GROUP in record.attributes:
            tags["group_size"] = record.attributes[GROUP]
        if record.form == "outcome" and AREA_CLASS in record.attributes:  # of targets the suite knows it by itself
            tags["area"] = record.attributes[AREA_CLASS]
        return tags | _region(asked)


def survey(states: States, told: Exported, visit: Callable[[Asked], None] = lambda _: None) -> tuple[Kept, Classes]:
    """All screens looked through once: which are exported, and the cut points over all of their questions, which are
    visited on the way. What is left out is told; who goes through the questions again need not tell it."""
    ids: list[str] = []
    newer = 0

    def records() -> Iterator[QuestionRecord]:
        nonlocal newer
        for state in selected(states(None), told):
            ids.append(state.id)
            for asked in questions(state, told):
                newer += asked.newer
                visit(asked)
                yield asked.record

    cuts = cuts_of(records())
    tell_newer(newer, told)
    return Kept(states, tuple(sorted(ids))), Classes(cuts)


def _region(asked: Asked) -> dict[str, str]:
    said = asked.state.types.get(asked.record.target) if asked.record.level == "region" else None
    return {} if said is None else region_type_tags(said.type)
