"""Datasets that are asked about together: screens and what acting on them brings about, or all that a demo has."""

from collections.abc import Collection as Many
from dataclasses import dataclass, replace
from pathlib import Path

from affordance.core.digest import Json, digest
from affordance.core.errors import DataError
from affordance.datasets.folder import HEADER_FILE
from affordance.datasets.reading import Dataset
from affordance.datasets.spec import load_dataset


@dataclass(frozen=True, slots=True, repr=False)
class Collection:
    """At most one dataset of each kind."""

    name: str  # as reports call it
    parts: tuple[Dataset, ...]  # one of each kind at most
    errors: int = 0  # that a check found in them

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(map(repr, self.parts))}>"

    def part(self, kind: str) -> Dataset | None:
        return next((part for part in self.parts if part.header.kind == kind), None)

    def only(self, kinds: Many[str]) -> "Collection":
        return replace(self, parts=tuple(part for part in self.parts if part.header.kind in kinds))

    def to_record(self) -> dict[str, Json]:
        """As the ledger keeps it. One dataset alone is described as itself."""
        headers = [part.header for part in self.parts]
        digests = [part.digest() for part in self.parts]
        return {
            "name": self.parts[0].name if len(self.parts) == 1 else self.name,
            "digest": digests[0] if len(digests) == 1 else digest("collection", *digests),
            "kind": "+".join(header.kind for header in headers),
            "items": sum(len(part.items) for part in self.parts),
            "synthetic": any(header.synthetic for header in headers),
            "licence": ", ".join(dict.fromkeys(header.licence for header in headers)),
            **({"errors": self.errors} if self.errors else {}),
        }


def single_dataset(dataset: Dataset) -> Collection:
    return Collection(dataset.name, (dataset,))


def merge_datasets(one: Dataset, other: Dataset) -> Dataset:
    """Two datasets of a kind as one, under the first one's name; the media of the other stay where they are."""
    elsewhere = {path: other.file(path) for item in other.items for path in item.media()}
    taken = {path for item in one.items for path in item.media()} & elsewhere.keys()
    taken |= {item.id for item in one.items} & {item.id for item in other.items}
    if taken or one.header.kind != other.header.kind:
        raise ValueError(f"cannot join {one.name!r} and {other.name!r}: {sorted(taken) or 'they are of two kinds'}")
    items = tuple(sorted((*one.items, *other.items), key=lambda item: item.id))
    return replace(one, items=items, missing=one.missing | other.missing, elsewhere={**one.elsewhere, **elsewhere})


def load_collection(spec: str, cache: Path | None = None) -> Collection:
    """What a SPEC names: a dataset, or a folder of datasets."""
    parts = tuple(load_dataset(member, cache) for member in expand_spec(spec))
    if expand_spec(spec) == [spec]:
        return single_dataset(parts[0])
    kinds = [part.header.kind for part in parts]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise DataError(f"expected one dataset of each kind, found several of kind {kind!r}", Path(spec))
    return Collection(Path(spec).resolve().name, parts)


def expand_spec(spec: str) -> list[str]:
    """The SPECs of the datasets that a SPEC stands for: itself, if it is one, and those in its folder, as the outcomes
    of captured screens are."""
    folder = Path(spec)
    inner = [str(path.parent) for path in sorted(folder.glob(f"*/{HEADER_FILE}"))]
    return [spec, *inner] if not inner or (folder / HEADER_FILE).is_file() else inner
