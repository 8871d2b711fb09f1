"""How many people preferred which design, from the preference studies of a project."""

from dataclasses import dataclass, field

from affordance.author.pairs.ballots import ballots_of
from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.author.uncounted import note, uncounted
from affordance.models.study_documents import study_scope, valid_answers


@dataclass(slots=True)
class Votes:
    """For each pair that somebody was asked about, the votes in the order of its images. Those of studies that are
    still `open` are not among them: nobody is to know them before everybody has chosen."""

    by_pair: dict[str, list[int]] = field(default_factory=dict)
    counted: list[str] = field(default_factory=list)  # studies
    open: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what does not count of those that do

    @property
    def sentences(self) -> list[str]:
        """For whoever reads what is made of them."""
        votes = [f"votes of people (study {name})" for name in self.counted]
        return [*votes, *(f"without the votes of study {name}, which is still open" for name in self.open)]


def votes_of(project: Project) -> Votes:
    """A tie is left as one, and answers that do not count are not counted."""
    found = Votes()
    for one in project.ledger.documents.latest(kind=Kind.STUDY):
        study = read_record(one, Study)
        if study.form != "preference":
            continue
        if not study.closed:
            found.open.append(study.name)
            continue
        found.counted.append(study.name)
        documents = project.ledger.documents.latest(scope=study_scope(study.name))
        found.notes += note(study.name, uncounted(study, documents).parts())
        ballots = {ballot.id: ballot for ballot in ballots_of(study, list(study.items))}
        for answer in valid_answers(project.ledger, study.name):
            if (ballot := ballots.get(answer.slot)) is not None:
                votes = found.by_pair.setdefault(ballot.pair, [0, 0])
                votes[ballot.preferred(answer.given.get("side"))] += 1
    return found
