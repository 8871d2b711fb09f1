"""How a project stands: what is done, pending, out of date and failed, and what it cost."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from affordance.author.project import Project, read_state
from affordance.author.records import Kind, QuestionRecord, Work
from affordance.author.stages import STAGES, Stage
from affordance.author.working import inputs_of
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.ledger import DocumentRevision
from affordance.models.family import Price
from affordance.models.profile import find_price


@dataclass(slots=True)
class StageStanding:
    stage: str
    done: int = 0
    outdated: list[str] = field(default_factory=list)  # done, but with what has changed since
    pending: dict[str, str] = field(default_factory=dict)  # and why, where a provider failed
    failed: dict[str, str] = field(default_factory=dict)  # and why
    notes: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Standing:
    name: str
    screens: int = 0
    aside: Counter[str] = field(default_factory=Counter)  # screens that do not go on, by reason
    copies: int = 0
    regions: int = 0
    corrected: int = 0
    elements: int = 0
    groups: Counter[str] = field(default_factory=Counter)  # by level
    questions: Counter[str] = field(default_factory=Counter)  # by form and level
    dropped: Counter[str] = field(default_factory=Counter)  # questions, by reason
    unreadable: dict[str, str] = field(default_factory=dict)  # screens, and why
    stages: list[StageStanding] = field(default_factory=list)


def standing(project: Project) -> Standing:
    found = Standing(project.about.name)
    stages = {name: StageStanding(name) for name in STAGES}
    for screen in project.screens():
        revisions = project.ledger.documents.latest(scope=screen)
        found.screens += 1
        try:
            state = read_state(project.folder, screen, revisions)
        except UserError as error:
            found.unreadable[screen] = str(error)
            continue
        found.copies += state.shot.copy_of is not None
        if state.selection is not None and not state.selection.on:
            found.aside[state.selection.why] += 1
            continue
        found.regions += max(0, len(state.regions) - 1)
        found.corrected += len(state.corrected)
        found.elements += len(state.elements.elements) if state.elements else 0
        element_groups = state.element_groups or state.candidates
        found.groups["element"] += len(element_groups.groups) if element_groups else 0
        found.groups["region"] += len(state.region_groups.groups) if state.region_groups else 0
        for question in state.questions.values():
            _count(question, found)
        for name, stage in STAGES.items():
            _stand(stage, screen, revisions, stages[name])
    found.stages = list(stages.values())
    return found


def out_of_date(project: Project) -> list[str]:
    """What was made of something that has changed since, in a line for each stage."""
    return [
        f"{one.stage} is out of date on {len(one.outdated)} of {one.done} screens: run it again before you rely on this"
        for one in standing(project).stages
        if one.outdated
    ]


def _count(question: QuestionRecord, found: Standing) -> None:
    if question.abandoned:
        found.dropped["abandoned by a person"] += 1
    elif question.dropped:
        found.dropped[question.dropped] += 1
    else:
        found.questions[f"{question.form}-{question.level}"] += 1


def _stand(stage: Stage, screen: str, revisions: list[DocumentRevision], into: StageStanding) -> None:
    subject = f"{stage.name}/{screen}"
    there = next((one for one in revisions if one.kind == Kind.WORK and one.subject == subject), None)
    if there is None:
        into.pending[screen] = ""
        return
    work = Work.model_validate(dict(there.document))
    if work.state == "pending":
        into.pending[screen] = work.reason
        return
    if work.state == "failed":
        into.failed[screen] = work.reason
        return
    into.done += 1
    into.notes.update(work.notes)
    if work.inputs != inputs_of(stage, work.settings, revisions):
        into.outdated.append(screen)


@dataclass(frozen=True, slots=True)
class StageCost:
    """What a stage has cost so far, and what the screens that are left will cost at the same price a screen. None where
    a model has no price, or where nothing is done yet to go by."""

    stage: str
    models: tuple[str, ...]
    asks: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    screens: int  # that it was done for
    left: int
    rest: float | None


def costs(project: Project, prices: Mapping[str, Price]) -> list[StageCost]:
    """By stage, from the tokens that the providers counted."""
    stands = {one.stage: one for one in standing(project).stages}
    found = []
    for name, stand in stands.items():
        runs = [
            summary.run
            for summary in project.ledger.run_summaries()
            if summary.run.settings.get("tasks") == [f"author/{name}"]
        ]
        usage = [one for run in runs for one in project.ledger.token_usage(run.id)]
        known = [find_price(ModelName.parse(one.model), prices) for one in usage]
        tokens = [(one.input_tokens or 0, one.output_tokens or 0) for one in usage]
        cost = (
            None
            if None in known
            else sum(price.cost(*counted) for price, counted in zip(known, tokens, strict=True) if price is not None)
        )
        left = len(stand.pending) + len(stand.failed) + len(stand.outdated)
        found.append(
            StageCost(
                name,
                tuple(sorted({one.model for one in usage})),
                sum(one.responses for one in usage),
                sum(one for one, _ in tokens),
                sum(other for _, other in tokens),
                cost,
                stand.done,
                left,
                0.0 if not left else cost / stand.done * left if cost is not None and stand.done and usage else None,
            )
        )
    return found
