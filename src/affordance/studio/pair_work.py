"""How far the pictures of each pair are: what is painted over, and where they are cut. Kept up to date from what is
written, here or by other processes."""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from pydantic import ValidationError

from affordance.author.marker_removal import may_have_markers
from affordance.author.pair_records import Designs, Halves, Mask
from affordance.author.project import Project
from affordance.author.records import Kind
from affordance.studio.findings import Findings
from affordance.studio.following import Following
from affordance.studio.index import by_number

KINDS = (Kind.PAIR, Kind.MASK, Kind.HALVES)


@dataclass(slots=True)
class Work:
    """What there is of a pair. `masks` are by the place of the image."""

    pair: Designs | None = None
    masks: dict[int, Mask] = field(default_factory=dict)
    halves: Halves | None = None


class PairWork:
    """Safe to be used from several threads. What is asked of it is as the database is then."""

    def __init__(self, project: Project, findings: Findings) -> None:
        self._findings = findings
        self._lock = Lock()
        self._work: dict[str, Work] = {}
        self._following = Following(project.ledger, KINDS)

    def cleaning(self) -> dict[str, Any]:
        """A row for each picture, and how many pairs were looked at: of others nobody knows yet whether they have
        markers."""
        rows, looked = [], 0
        pairs = self._pairs()
        for _, pair, _ in sorted(pairs, key=lambda one: not may_have_markers(one[1])):
            self._findings.marked(pair)  # in this order they are looked at
        for name, pair, work in pairs:
            found, one = self._findings.marked(pair), self._findings.one(pair)
            looked += found is not None and one is not None
            for place in (0,) if one else (0, 1):  # of one picture, the mask of the first counts for both
                mask = work.masks.get(place)
                rows.append(
                    {
                        "id": name,
                        "place": place,
                        "one": bool(one),
                        "digest": pair.digests[place],
                        "size": pair.sizes[place],
                        "marked": None if found is None or found.wrong else found.shares[place],
                        "wrong": "" if found is None else found.wrong,
                        "touched": mask is not None and bool(mask.brushes or not mask.found) and not mask.clean,
                        "accepted": mask is not None and mask.accepted,
                        "clean": mask is not None and mask.clean,
                        "aside": pair.aside,
                    }
                )
        return {"rows": rows, "pairs": len(pairs), "looked": looked}

    def splitting(self) -> dict[str, Any]:
        """A row for each pair that is one picture, or that people have cut, and how many pairs were looked at."""
        rows, looked = [], 0
        pairs = self._pairs()
        for name, pair, work in pairs:
            one, halves = self._findings.one(pair), work.halves
            looked += one is not None
            if halves is None and not one:
                continue
            rows.append(
                {
                    "id": name,
                    "digest": pair.digests[0],
                    "size": pair.sizes[0],
                    "confirmed": halves is not None and halves.confirmed,
                    "single": halves is None or halves.single,
                    "winner": None if halves is None else halves.winner,
                    "aside": pair.aside,
                }
            )
        return {"rows": rows, "pairs": len(pairs), "looked": looked}

    def close(self) -> None:
        self._findings.close()

    def _pairs(self) -> list[tuple[str, Designs, Work]]:
        with self._lock:
            self._refresh()
            found = [(name, work.pair, work) for name, work in self._work.items() if work.pair is not None]
        return sorted(found, key=lambda one: by_number(one[0]))

    def _refresh(self) -> None:
        for one in self._following.each():
            work = self._work.setdefault(one.scope, Work())
            try:
                match one.kind:
                    case Kind.PAIR:
                        work.pair = Designs.model_validate(dict(one.document))
                    case Kind.HALVES:
                        work.halves = Halves.model_validate(dict(one.document))
                    case Kind.MASK if one.subject[-2:] in ("/0", "/1"):
                        work.masks[int(one.subject[-1])] = Mask.model_validate(dict(one.document))
            except ValidationError:  # the page of the pair says so
                continue
