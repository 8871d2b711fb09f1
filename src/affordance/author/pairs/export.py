"""Pairs of a project as a dataset, with what people said of them, as they were cleaned and cut."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from affordance.author.exchange.results import Exported, Facts
from affordance.author.pair_files import complete_pairs, copy_pair
from affordance.author.pair_records import Designs, Halves, Mask, Reason
from affordance.author.pairs.cleaned import cleaned
from affordance.author.pairs.halved import halved
from affordance.author.pairs.votes import votes_of
from affordance.author.project import D, Project, read_record
from affordance.author.records import Kind
from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.datasets import Dataset, DatasetHeader, DesignPair, Rationale, write_folder
from affordance.datasets.taxonomies import UX_LAWS_BY_NAME

_OURS = frozenset(Designs.model_fields) - frozenset(DesignPair.model_fields)  # what is of the project only
_OUR_REASONS = frozenset({"place", "meets", "gone"})


def write_pairs(project: Project, folder: Path, facts: Facts) -> Exported:
    """Pairs that were put aside are left out, and those whose pictures are not what they were. The same project gives
    the same bytes."""
    told = Exported()
    reasons = _named(project, Kind.RATIONALE, Reason)
    pairs = {}
    for one in project.ledger.documents.latest(kind=Kind.PAIR):
        designs = read_record(one, Designs)
        if designs.aside:
            told.omit(designs.id, f"pair put aside: {designs.note}")
        elif wrong := _wrong_picture(project, designs):
            told.omit(designs.id, f"pair whose picture is not the one that was added: {wrong}")
        else:
            pairs[designs.id] = _pair(designs, reasons.get(designs.id, {}))
    if not pairs:
        raise UserError("expected pairs that are not put aside, found none; nothing is written")
    items = [_linked(pairs[name], pairs) for name in sorted(pairs)]
    votes = votes_of(project)
    header = DatasetHeader(
        format=1,
        kind="pair",
        name=facts.name,
        licence=facts.licence,
        provenance="; ".join((facts.provenance, *votes.sentences)),
        synthetic=facts.synthetic,
    )
    (folder / "media").mkdir(parents=True)
    dataset = Dataset(project.folder, header, tuple(items))
    masks, halves = _named(project, Kind.MASK, Mask), _named(project, Kind.HALVES, Halves)
    written = []
    for name, pair in complete_pairs(dataset, "export"):
        taken = copy_pair(dataset, pair, name, folder)
        by_place = {int(place): mask for place, mask in masks.get(pair.id, {}).items()}
        taken = cleaned(taken, by_place, name, folder)
        taken = halved(taken, halves.get(pair.id, {}).get(""), name, folder)
        written.append(_voted(taken, votes.by_pair.get(pair.id), told))  # people saw it cut
    write_folder(folder, header, written)
    _count(written, told)
    told.notes += votes.notes
    told.notes += [f"votes of study {name} are not in it, as it is still open; close it first" for name in votes.open]
    return told


def rationales_of(reasons: Mapping[str, Reason]) -> list[Rationale]:
    """Those that stand, in their order."""
    standing = [(one.place, name, one) for name, one in reasons.items() if not one.gone]
    return [_rationale(one) for _, _, one in sorted(standing, key=lambda item: item[:2])]


def _named(project: Project, kind: Kind, record: type[D]) -> dict[str, dict[str, D]]:
    """Documents by pair and name; that of which a pair has one has the name ''."""
    found: dict[str, dict[str, D]] = {}
    for one in project.ledger.documents.latest(kind=kind):
        name = one.subject.removeprefix(one.scope).removeprefix("/")
        found.setdefault(one.scope, {})[name] = read_record(one, record)
    return found


def _wrong_picture(project: Project, designs: Designs) -> str:
    for image, content in zip(designs.images, designs.digests, strict=True):
        path = project.folder / image
        if not path.is_file() or digest_file(path) != content:
            return image
    return ""


def _pair(designs: Designs, reasons: Mapping[str, Reason]) -> DesignPair:
    given = designs.model_dump(mode="json", exclude_unset=True)
    values = {name: value for name, value in given.items() if name not in _OURS and value is not None}
    if told := rationales_of(reasons):
        values["rationales"] = [one.model_dump(mode="json", exclude_unset=True) for one in told]
    return DesignPair.model_validate(values)


def _rationale(reason: Reason) -> Rationale:
    given = reason.model_dump(mode="json", exclude_unset=True)
    values: dict[str, Any] = {
        name: value for name, value in given.items() if name not in _OUR_REASONS and value is not None
    }
    if reason.law is None:
        values.pop("dimension", None)
    elif reason.law in UX_LAWS_BY_NAME:
        values["dimension"] = UX_LAWS_BY_NAME[reason.law].dimension
    return Rationale.model_validate(values)


def _voted(pair: DesignPair, votes: list[int] | None, told: Exported) -> DesignPair:
    """With the votes of the project's studies. Where a test, or how it was made, has decided who won, they stand beside
    it; else they are votes like those that it came with, and decide."""
    if votes is None:
        return pair
    told.counts["votes"] += sum(votes)
    values = pair.model_dump(mode="json", exclude_unset=True)
    if pair.winner is not None and pair.evidence != "voted":
        return DesignPair.model_validate({**values, "study_votes": votes})
    before = pair.votes or [0, 0]
    values.pop("winner", None)
    return DesignPair.model_validate({**values, "votes": [one + more for one, more in zip(before, votes, strict=True)]})


def _linked(pair: DesignPair, pairs: Mapping[str, DesignPair]) -> DesignPair:
    """Without links to pairs that are not there."""
    if all(link.to in pairs for link in pair.links):
        return pair
    return pair.model_copy(update={"links": [link for link in pair.links if link.to in pairs]})


def _count(written: list[DesignPair], told: Exported) -> None:
    all_ = [one for pair in written for one in pair.rationales]
    told.counts.update({"pairs": len(written), "rationales": len(all_)})
    told.counts.update({"cleaned pictures": sum(len(pair.marker_removals) for pair in written)})
    told.counts.update({"pairs that were cut": sum(pair.split is not None for pair in written)})
    bare = sum(not pair.rationales for pair in written)
    lawless = sum(one.law is None for one in all_)
    told.notes += [f"pairs without a rationale: {bare}"] if bare else []
    told.notes += [f"rationales without a law: {lawless}"] if lawless else []
