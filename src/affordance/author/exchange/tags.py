"""What results of an exported question are broken down by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.author.exchange.kept import Asked
from affordance.author.questions.attributes import AREA_CLASS, COUNT, GAUSS, GROUP, Cuts, with_classes
from affordance.author.records import QuestionRecord
from affordance.datasets.published.autogui_places import leaf_tags
from affordance.suites.function.aims import labelled_density


@dataclass(frozen=True, slots=True)
class Classes:
    """The questions of an export with their classes, by subject, and the cut points that made the classes."""

    records: Mapping[str, QuestionRecord]
    cuts: Cuts

    def tags(self, asked: Asked) -> dict[str, str]:
        """Under the names that the function suite has for them."""
        record = self.records[asked.subject]
        cuts = self.cuts.get(f"{record.form}/{record.level}", {})
        tags = {}
        for name, attribute in (("density", COUNT), ("density, Gaussian", GAUSS)):
            if attribute in cuts and attribute in record.attributes:
                low, high = cuts[attribute]
                tags[name] = labelled_density(float(record.attributes[attribute]), (low, high))
        if GROUP in record.attributes:
            tags["group_size"] = record.attributes[GROUP]
        if record.form == "outcome" and AREA_CLASS in record.attributes:  # of targets the suite knows it by itself
            tags["area"] = record.attributes[AREA_CLASS]
        return tags | _region(asked)


def classes(asked: Sequence[Asked]) -> Classes:
    return Classes(*with_classes({one.subject: one.record for one in asked}))


def _region(asked: Asked) -> dict[str, str]:
    said = asked.state.types.get(asked.record.target) if asked.record.level == "region" else None
    return {} if said is None else leaf_tags(said.type)
