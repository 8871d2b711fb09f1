"""Error review: failed attempts of a run with all that belongs to them, and tags of one's own. Here the truth is shown,
so only those who work on the project take part. Which model it was is not told."""

from collections.abc import Mapping, Sequence

from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.ledger import Ledger
from affordance.report.error_review import answer_tags, reviewed_outcomes
from affordance.report.page.result_kinds import result_label
from affordance.report.page.samples import has_location
from affordance.report.page.transcripts import ConversationTurn, conversation, truncate
from affordance.studio.studies.drawn import slots_of
from affordance.studio.studies.forms import TagsForm
from affordance.studio.studies.sheets import Block, Sheet, Slot, Text
from affordance.studio.studies.shown import Shown, marks_of, shown
from affordance.tasks.registry import TASKS

INSTRUCTION = (
    "What went wrong here? Give it one tag or several, in words of your own: short ones that fit other errors too. "
    "The tags that you used before are offered again."
)


class Errors:
    """`outcomes` are the attempts that were drawn, by id."""

    def __init__(self, study: Study, ledger: Ledger, outcomes: Mapping[str, AttemptResult]) -> None:
        self._study = study
        self._ledger = ledger
        self._outcomes = outcomes

    def slots(self) -> Sequence[Slot]:
        return slots_of(self._study)

    def sheet(self, slot: Slot) -> Sheet:
        outcome = self._outcomes[slot.item]
        said = conversation(self._ledger.steps_of([slot.item])[slot.item])
        pictures = _pictures(self._ledger, outcome, said)
        return Sheet(
            slot=slot.id,
            heading=f"A failed attempt at {outcome.task}",
            instruction=INSTRUCTION,
            blocks=(*pictures.blocks, *_results(outcome), *(block for turn in said for block in _texts(turn))),
            form=TagsForm(),
            files=pictures.files,
        )

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        return {"tags": sorted(answer_tags(given))}


def source(study: Study, project: Project) -> Errors:
    found = reviewed_outcomes(project.ledger, study)
    if len(found) < len(study.drawn):
        raise UserError(
            f"study {study.name}: expected {len(study.drawn)} attempts of run {study.run!r}, found {len(found)}; "
            "this is another run of that name: make a new study of it"
        )
    return Errors(study, project.ledger, found)


def _pictures(ledger: Ledger, outcome: AttemptResult, said: Sequence[ConversationTurn]) -> Shown:
    """Each once, however often it was sent."""
    digests = list(dict.fromkeys(digest for turn in said for digest in turn.pictures))
    answer = None if outcome.verdict is None else outcome.verdict.answer
    return shown(ledger, digests, marks_of(outcome.truth, answer) if has_location(outcome) else ())


def _texts(turn: ConversationTurn) -> list[Block]:
    when = f", {turn.title}" if turn.title else ""
    found: list[Block] = [
        Text(turn.prompt, f"Prompt{when}"),
        Text(turn.reply or "The reply is empty.", f"Reply{when}"),
    ]
    if turn.reasoning:
        found.append(Text(turn.reasoning, f"Reasoning{when}", folded=True))
    return [*found, Text(turn.note)] if turn.note else found


def _results(outcome: AttemptResult) -> list[Block]:
    verdict = outcome.verdict
    assert verdict is not None, "a failure has a verdict"
    why = f": {verdict.reason}" if verdict.reason else ""
    read = verdict.answer if verdict.answer is not None else f"None: {verdict.status}{why}"
    return [
        Text(f"{truncate(read)} ({result_label(verdict)})", "Answer read"),
        Text(truncate(TASKS[outcome.task].views.describe_truth(outcome.truth)), "Truth"),
    ]
