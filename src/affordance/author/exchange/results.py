"""What came of an export or an import: what was written or read, and what was left out and why."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from affordance.author.project import PERSON
from affordance.author.records import Kind
from affordance.author.state import Change, ScreenState
from affordance.core.validation import StrictModel

PUBLISHED = "published"  # the field of a document with what others wrote down, and we have no field for
CACHED = "cache:"  # how the source of a screen begins that is from a published cache; its image id follows
IMPORTED = "imported"  # the author of what others published
IMPORTED_PERSON = f"{PERSON}{IMPORTED}"


@dataclass(frozen=True, slots=True)
class Facts:
    """What an export says of itself."""

    name: str
    licence: str = "unknown"
    provenance: str = "made with affordance author"
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`what` is a screen, or SCREEN/NODE or SCREEN/QUESTION; for an import, a file in the folder that was given."""

    what: str
    reason: str


@dataclass(slots=True)
class Exported:
    counts: Counter[str] = field(default_factory=Counter)  # what was written, by what it is
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def omit(self, what: str, reason: str) -> None:
        self.left_out.append(LeftOut(what, reason))

    def add(self, other: "Exported") -> None:
        """What was written besides."""
        self.counts.update(other.counts)
        self.left_out += other.left_out
        self.notes += other.notes

    def reasons(self) -> dict[str, int]:
        """How many were left out, by what the reason begins with."""
        return dict(sorted(Counter(one.reason.partition(":")[0] for one in self.left_out).items()))


@dataclass(frozen=True, slots=True)
class Step:
    """A revision to be written, by whom, and when it was made, as far as the source tells (ISO 8601)."""

    change: Change
    author: str
    when: str | None = None


@dataclass(frozen=True, slots=True)
class ReadScreen:
    """A screen of an import: its picture, which lies in the folder that was given, and what is known of it, to be
    written in this order. Boxes are pixels of the picture as it is shown, `size`."""

    id: str
    image: Path
    size: tuple[int, int]
    source: str
    platform: str | None = None
    steps: tuple[Step, ...] = ()


@dataclass(slots=True)
class Imported:
    screens: list[ReadScreen] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # repairs among them

    def omit(self, what: str, reason: str) -> None:
        self.left_out.append(LeftOut(what, reason))


@dataclass(frozen=True, slots=True)
class Version:
    """A revision as it stands in the project."""

    document: StrictModel
    author: str
    when: str  # ISO 8601


# All versions of a document of a screen, the first one first; none where there is no such document. The document is
# named without its screen: by its node.
Past = Callable[[str, Kind, str], Sequence[Version]]

# Screens as they stand: these, or for None all in the order of their ids. To be asked for as often as needed, since not
# all of them fit into memory.
States = Callable[[Iterable[str] | None], Iterable[ScreenState]]
