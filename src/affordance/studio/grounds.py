"""What documents belong to: a screen, a clip or a pair of designs. That is their ground."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from affordance.author.clip_records import Recording
from affordance.author.pair_records import Designs
from affordance.author.project import Project, read_record
from affordance.author.records import DOCUMENTS, Kind, Shot
from affordance.core.validation import StrictModel
from affordance.ledger import DocumentRevision
from affordance.studio.refused import NotThere, Refused

# What pages work on, by what it belongs to.
HELD: Mapping[Kind, tuple[Kind, ...]] = {
    Kind.SCREEN: (Kind.REGION, Kind.TYPE, Kind.RETELLING, Kind.VALIDATION, Kind.QUESTION, Kind.REVIEWED),
    Kind.CLIP: (Kind.CLIP,),
    Kind.PAIR: (Kind.PAIR, Kind.RATIONALE, Kind.REVIEW, Kind.MASK, Kind.HALVES),
}
GROUNDS: Mapping[Kind, Kind] = {kind: ground for ground, kinds in HELD.items() for kind in kinds}
ALONE = frozenset({Kind.REVIEWED, Kind.CLIP, Kind.PAIR, Kind.HALVES})  # of which a ground has one: it needs no name
JUDGED = frozenset({Kind.VALIDATION, Kind.REVIEW})  # whether what others wrote is right: for reviewers


class NoGround(NotThere):
    """What somebody asks for is not in the project."""


@dataclass(frozen=True, slots=True)
class Ground:
    kind: Kind
    record: StrictModel

    @property
    def size(self) -> tuple[int, int]:
        """Of a screen or a clip; the pictures of a pair have two."""
        assert isinstance(self.record, Shot | Recording)
        return self.record.width, self.record.height

    @property
    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Of the pictures of a pair."""
        assert isinstance(self.record, Designs)
        first, second = self.record.sizes
        return (first[0], first[1]), (second[0], second[1])


def ground_of(kinds: Collection[Kind]) -> Kind:
    """What documents of these kinds belong to. Raises `Refused` where that is not one thing."""
    found = sorted({GROUNDS.get(kind, Kind.SCREEN) for kind in kinds})
    if len(found) > 1:
        raise Refused(f"expected changes of one thing, found those of a {found[0]} and a {found[1]}")
    return found[0]


def read_ground(kind: Kind, name: str, revision: DocumentRevision | None) -> Ground:
    """Raises `Refused` where there is none."""
    if revision is None:
        raise Refused(f"there is no {kind} {name[:80]!r} in the project")
    return Ground(kind, read_record(revision, DOCUMENTS[kind]))


def check_ground(project: Project, name: str) -> None:
    """Raises `NoGround` where there is nothing of that name that documents could belong to."""
    if not project.ledger.documents.get_many([(kind, name) for kind in HELD]):
        raise NoGround(f"there is no screen, clip or pair {name[:80]!r} in the project; the lists have those that are")
