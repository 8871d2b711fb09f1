"""`ask`: grounding and outcome questions about the look-alikes of a screen, elements and regions alike."""

import asyncio
from collections.abc import Mapping, Sequence

from affordance.author.hearing import plays
from affordance.author.questions.attributes import attributes
from affordance.author.questions.grounding import ground
from affordance.author.questions.offline import questions_offline
from affordance.author.questions.outcomes import outcome
from affordance.author.questions.people import in_their_words
from affordance.author.questions.posers import Draw, Poser, posers
from affordance.author.questions.subjects import Party, parties, targets, told_by_people
from affordance.author.records import Kind, QuestionRecord
from affordance.author.state import Change, ScreenState
from affordance.author.tools import Result, Tools
from affordance.core.errors import UnknownName
from affordance.evaluation.attempts import gather_all

TARGETS = ("one", "all")  # of each group, for outcome questions; grounding questions ask for every member
NOTHING = (
    "nothing to ask: expected look-alike groups, or regions that a person told of, found none; run affordance author "
    "group, or say in affordance studio what regions are for"
)


async def ask(tools: Tools, screen: ScreenState) -> Result:
    """Every question that the groups of a screen give, and one about each region that a person told of and that is in
    none; those that could not be used are dropped, with the reason."""
    every = _every(tools.settings.get("targets", TARGETS[0]))
    groups, notes = parties(screen)
    told = told_by_people(screen, groups)
    if not groups and not told:
        return Result([], list(dict.fromkeys([*notes, NOTHING])))
    if plays(tools):
        found, lacking = await _asked(tools, screen, groups, every)
    else:
        found, lacking = await asyncio.to_thread(questions_offline, screen, groups, tools.seed, every)
    described = _described(screen, found | in_their_words(told, targets(groups)))
    changes = [Change(Kind.QUESTION, f"{screen.id}/{name}", question) for name, question in sorted(described.items())]
    return Result(changes, list(dict.fromkeys([*notes, *lacking])))  # once for a screen, of which they are counted


async def _asked(
    tools: Tools, screen: ScreenState, groups: Sequence[Party], every: bool
) -> tuple[dict[str, QuestionRecord], list[str]]:
    made, notes = posers(Draw(screen, groups, tools.seed, mixed=True), every)

    async def of(poser: Poser) -> dict[str, QuestionRecord]:
        return {poser.name: await outcome(tools, screen, poser)}

    work = [*(ground(tools, screen, target) for target in targets(groups)), *(of(poser) for poser in made)]
    found: dict[str, QuestionRecord] = {}
    for questions in await gather_all(work):
        found |= questions
    return found, notes


def _every(setting: str) -> bool:
    if setting not in TARGETS:
        raise UnknownName("value of the setting targets:", setting, TARGETS)
    return setting == "all"


def _described(screen: ScreenState, found: Mapping[str, QuestionRecord]) -> dict[str, QuestionRecord]:
    values = attributes(screen, [one.box for one in found.values()], [len(one.alike) + 1 for one in found.values()])
    return {
        name: one.model_copy(update={"attributes": value})
        for (name, one), value in zip(found.items(), values, strict=True)
    }
