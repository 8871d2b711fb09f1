"""Look-alike regions: found by numbers, verified by a model where there is one, and two to five in a group."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from affordance.author.groups.clusters import most_alike, sharing
from affordance.author.groups.drafts import Draft, Family, apart, finished
from affordance.author.groups.region_candidates import TASK, alike_regions, eligible
from affordance.author.groups.region_verdicts import LEAST, MOST, Chosen, Verdict, read_chosen, read_verdict
from affordance.author.groups.views import one_line, per_mille, whole_screen
from affordance.author.hearing import hear, plays
from affordance.author.records import Groups, Rejected
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.core.digest import digest
from affordance.core.json_text import Json
from affordance.core.prompts import fill
from affordance.evaluation.ad_hoc import MODEL, AdHocAnswer, AdHocQuestion

TEMPERATURES = (0.2, 0.4, 0.4)
NONE = "(none)"  # where there are no other regions

Outcome = Draft | Rejected


async def region_groups(tools: Tools, screen: ScreenState) -> tuple[Groups, list[str]]:
    """Groups of two to five regions that look alike, none of them inside another or overlapping one, and those that
    were rejected, with the stage and the reason; and notes. Without a model they are not verified."""
    family = Family(screen)
    rejected: list[Rejected] = []

    def going_on(outcomes: Iterable[Outcome]) -> list[Draft]:
        found = list(outcomes)
        rejected.extend(one for one in found if isinstance(one, Rejected))
        return [one for one in found if isinstance(one, Draft)]

    drafts, notes = await alike_regions(tools, screen, family)
    if plays(tools):
        drafts = going_on(await _verified(tools, screen, family, drafts))
    drafts = going_on(apart(screen, family, draft, "overlap") for draft in drafts)
    drafts = going_on(_merged(screen, family, drafts))
    drafts = going_on(await _sized(tools, screen, drafts))
    drafts.sort(key=lambda draft: [family.place(node) for node in draft.members])
    by = tools.asking.model_name(MODEL) if plays(tools) else ""
    return Groups(groups=finished(screen, drafts), rejected=rejected, by=by), notes


async def _verified(tools: Tools, screen: ScreenState, family: Family, drafts: Sequence[Draft]) -> list[Outcome]:
    answers = await hear(tools, [_verification(tools, screen, draft) for draft in drafts])
    by = tools.asking.model_name(MODEL)
    return [_judged(draft, said, family, by) for draft, said in zip(drafts, answers, strict=True)]


def _judged(draft: Draft, said: AdHocAnswer[Verdict], family: Family, by: str) -> Outcome:
    if (verdict := said.value) is None:
        return draft.rejected("verification", f"no answer could be used: {said.reason}")
    if not verdict.valid:
        return draft.rejected("verification", verdict.reason)
    kept = family.ordered(one for one in draft.members if one in verdict.kept)
    added = family.ordered(one for one in verdict.kept if one not in draft.members)
    history = [f"repaired the answer: {repair}" for repair in verdict.repairs]
    history += [f"ignored {one}: there is no such region" for one in verdict.unknown]
    for one in draft.members:
        if one not in kept:
            told = verdict.reasons.get(one) or "no reason was given"
            history.append(f"dropped {one}: {told if one in verdict.dropped else 'it was not mentioned'}")
    history += [f"added {one}: {verdict.reasons.get(one) or 'no reason was given'}" for one in added]
    if len(kept) + len(added) < LEAST:
        why = "; ".join(history) or "none was kept"
        return draft.rejected("verification", f"fewer than {LEAST} are left: {why}")
    # Those that were there come first: an addition that is inside of one of them, or around it, does not stay.
    judged = draft.then([*kept, *added], *history)
    return replace(judged, verified=by, similarity=verdict.similarity or draft.similarity)


def _merged(screen: ScreenState, family: Family, drafts: Sequence[Draft]) -> list[Outcome]:
    """Groups that share two members or more are one."""
    outcomes: list[Outcome] = []
    for indices in sharing([draft.members for draft in drafts]):
        parts = [drafts[index] for index in indices]
        if len(parts) == 1:
            outcomes += parts
            continue
        told = [f"merged: {' with '.join(', '.join(part.members) for part in parts)}"]
        history = [*dict.fromkeys(line for part in parts for line in part.history), *told]
        union = Draft(
            tuple(dict.fromkeys(one for part in parts for one in part.members)),
            parts[0].likeness,
            "; ".join(dict.fromkeys(part.similarity for part in parts if part.similarity)),
            parts[0].verified,
            tuple(history),
            merged=True,
        )
        outcomes.append(apart(screen, family, union, "merging"))
    return outcomes


async def _sized(tools: Tools, screen: ScreenState, drafts: Sequence[Draft]) -> list[Outcome]:
    """Brought to five members at most: by the model, which is asked of merged groups too, else the most alike."""
    if not plays(tools):
        return [_cut(draft) for draft in drafts]
    due = [draft for draft in drafts if draft.merged or len(draft.members) > MOST]
    answers = iter(await hear(tools, [_selection(tools, screen, draft) for draft in due]))
    return [_selected(draft, next(answers)) if draft in due else draft for draft in drafts]


def _cut(draft: Draft) -> Draft:
    kept = most_alike(draft.members, draft.likeness, MOST)
    left = [one for one in draft.members if one not in kept]
    return draft.then(kept, f"cut to the {MOST} most alike, without {', '.join(left)}") if left else draft


def _selected(draft: Draft, said: AdHocAnswer[Chosen]) -> Outcome:
    if (chosen := said.value) is None:
        return draft.rejected("selection", f"no answer could be used: {said.reason}")
    kept = [one for one in draft.members if one in chosen.ids]
    left = [one for one in draft.members if one not in kept]
    history = [f"repaired the selection: {repair}" for repair in chosen.repairs]
    history += [f"ignored {one}: it is not in the group" for one in chosen.unknown]
    history += [f"selected {', '.join(kept)}, without {', '.join(left)}"] if left else ["all were selected"]
    return replace(draft.then(kept, *history), similarity=chosen.pattern or draft.similarity)


def _verification(tools: Tools, screen: ScreenState, draft: Draft) -> AdHocQuestion[Verdict]:
    known = eligible(tools, screen)
    others = [node for node in known if node not in draft.members]
    fields = {"group": _lines(screen, draft.members), "candidates": _lines(screen, others) or NONE}
    parts = (fill(tools.prompts["verify"], fields), whole_screen(screen))
    return AdHocQuestion(
        TASK, screen.id, _axes("verify", draft, fields), parts, partial(read_verdict, known=known), TEMPERATURES
    )


def _selection(tools: Tools, screen: ScreenState, draft: Draft) -> AdHocQuestion[Chosen]:
    fields = {"group": _lines(screen, draft.members)}
    parts = (fill(tools.prompts["select"], fields), whole_screen(screen))
    read = partial(read_chosen, members=draft.members)
    return AdHocQuestion(TASK, screen.id, _axes("select", draft, fields), parts, read, TEMPERATURES)


def _axes(about: str, draft: Draft, fields: Mapping[str, str]) -> dict[str, Json]:
    return {"about": about, "members": list(draft.members), "told": digest(dict(fields))}


def _lines(screen: ScreenState, nodes: Iterable[str]) -> str:
    return "\n".join(_line(screen, node) for node in nodes)


def _line(screen: ScreenState, node: str) -> str:
    box = per_mille(screen.regions[node].box, screen.size)
    facts = {"description": screen.description(node), "functionality": screen.functionality(node)}
    told = "".join(f", {name}: {one_line(text)}" for name, text in facts.items() if text)
    return f"- {node}: bbox {box}{told}"
