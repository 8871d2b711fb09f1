"""`author reannotate`: regions told anew once people have drawn their boxes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from affordance.author.hearing import hear, plays
from affordance.author.records import Kind, Retelling
from affordance.author.regions.untold import due
from affordance.author.replies import read_object
from affordance.author.state import Change, ScreenState
from affordance.author.tools import NotThere, Result, Tools
from affordance.core.geometry import Box
from affordance.core.json_text import Json
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.prompts import fill
from affordance.evaluation.ad_hoc import MODEL, AdHocQuestion

TASK = "author/reannotate"
LONGEST_SIDE = 1920
THICKNESS = 8
TEMPERATURES = (0.1, 0.6, 0.6)
MOST_TOKENS = 8192
NONE = "(none)"  # where nothing was written before
RATIONALE, DESCRIPTION, FUNCTIONALITY = "revision rationale", "revised description", "revised functionality"


@dataclass(frozen=True, slots=True)
class Told:
    description: str
    functionality: str
    rationale: str
    repairs: tuple[str, ...] = ()


async def reannotate(tools: Tools, screen: ScreenState) -> Result:
    """Retellings of the regions whose box a person has drawn, unless there is one of that box and it is not done again
    or a person wrote it or said whether it is right.
    With the setting `all=yes`, of all regions that people did not reject."""
    nodes, notes = due(screen, every=_every(tools), again=tools.again)
    if not nodes:
        return Result(notes=notes)
    if not plays(tools):
        raise NotThere(f"{len(nodes)} regions are to be told anew, which needs a model; give one with --model")
    by = tools.asking.model_name(MODEL)
    changes: list[Change] = []
    for node, said in zip(nodes, await hear(tools, [_inquiry(tools, screen, node) for node in nodes]), strict=True):
        if (told := said.value) is None:
            notes.append(f"{node}: not told anew: {said.reason}")
            continue
        notes += [f"{node}: {repair}" for repair in told.repairs]
        retelling = Retelling(
            box=screen.regions[node].box,
            description=told.description,
            functionality=told.functionality,
            rationale=told.rationale,
            by=by,
        )
        changes.append(Change(Kind.RETELLING, f"{screen.id}/{node}", retelling))
    if not changes:
        raise NotThere(f"none of {len(nodes)} regions could be told anew; the first, {notes[-1]}")
    return Result(changes, notes)


def read_retelling(text: str) -> Told | str:
    """The three texts of a reply, or in one line what is missing."""
    found = read_object(text)
    if isinstance(found, str):
        return found
    said = {_key(key): value for key, value in found.value.items()}
    texts = {key: _text(said, key) for key in (DESCRIPTION, FUNCTIONALITY, RATIONALE)}
    if missing := [key for key, text in texts.items() if not text]:
        return f"expected a text under {missing[0]!r}, found {str(said.get(missing[0]))[:60]!r}"
    return Told(texts[DESCRIPTION], texts[FUNCTIONALITY], texts[RATIONALE], found.repairs)


def _every(tools: Tools) -> bool:
    return tools.settings.get("all") == "yes"


def _inquiry(tools: Tools, screen: ScreenState, node: str) -> AdHocQuestion[Told]:
    region = screen.regions[node]
    box = region.box.clip(*screen.size)
    assert box is not None, "a region off the screen is never asked about"
    # What was written when the parent was divided says more of how the region belongs to what is around it.
    before = {
        "previous_functionality": region.functionality.with_context or region.functionality.best or NONE,
        "previous_description": region.description.with_context or region.description.best or NONE,
    }
    parts = (
        fill(tools.prompts["retell"], before),
        tools.prompts["screen"],
        _picture(screen, outline=box),
        tools.prompts["region"],
        _picture(screen, crop=box),
    )
    axes: dict[str, Json] = {"node": node, "box": box.to_json(), "before": list(before.values())}
    return AdHocQuestion(TASK, screen.id, axes, parts, read_retelling, TEMPERATURES, {"max_tokens": MOST_TOKENS})


def _picture(screen: ScreenState, crop: Box | None = None, outline: Box | None = None) -> ImageSpec:
    outlines = () if outline is None else (BoxOutline(outline, RED, THICKNESS),)
    return ImageSpec(screen.shot.digest, crop=crop, max_side=LONGEST_SIDE, outlines=outlines)


def _key(key: str) -> str:
    return " ".join(key.replace("_", " ").lower().split())


def _text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    return value.strip() if isinstance(value, str) else ""
