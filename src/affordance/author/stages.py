"""The stages of making a benchmark: what each reads, writes and asks."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from affordance.author.records import Kind, Shot
from affordance.author.state import ScreenState
from affordance.author.tools import Result, Tools
from affordance.core.errors import UnknownName
from affordance.core.prompts import PromptPack, packaged_prompts

Work = Callable[[Tools, ScreenState], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Stage:
    """`function` is `MODULE:NAME`, imported when it is needed. The work on a screen is done again when what it `reads`
    has changed. What it `sees` besides is what it wrote before. `finds` is a function of the folder it may be pointed
    to and of a screen, to the file that is read for the screen."""

    name: str
    does: str  # in a few words
    function: str
    reads: tuple[Kind, ...]
    sees: tuple[Kind, ...] = ()
    owns: tuple[Kind, ...] = ()  # of these, what it does not write again is no longer there
    finds: str = ""

    def work(self) -> Work:
        found: Work = _imported(self.function)
        return found

    def file_of(self) -> Callable[[Path, Shot], Path | None] | None:
        return _imported(self.finds) if self.finds else None


def _imported(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


_TOLD = (Kind.REGION, Kind.RETELLING, Kind.VALIDATION)  # a tree, and what was said of it later
_ALIKE = (Kind.ELEMENTS, Kind.CANDIDATES)

STAGES: Mapping[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage(
            "divide",
            "divides screens into functional regions",
            "affordance.author.regions.dividing:divide",
            (Kind.SCREEN, Kind.CAPTURED),
            sees=(Kind.REGION,),
            owns=(Kind.REGION,),
        ),
        Stage(
            "elements",
            "finds interactive elements, and which of them look alike",
            "affordance.author.elements.finding:find_elements",
            (Kind.SCREEN, Kind.CAPTURED),
            finds="affordance.author.elements.omniparser:find_file",
        ),
        Stage(
            "classify",
            "gives regions a type of the taxonomy",
            "affordance.author.regions.classifying:classify",
            (Kind.SCREEN, Kind.CAPTURED, Kind.REGION, Kind.VALIDATION),
            sees=(Kind.TYPE,),
        ),
        Stage(
            "reannotate",
            "tells anew what people have corrected",
            "affordance.author.regions.reannotating:reannotate",
            (Kind.SCREEN, Kind.REGION, Kind.VALIDATION),
            sees=(Kind.RETELLING,),
        ),
        Stage(
            "group",
            "finds and verifies look-alike regions and elements",
            "affordance.author.groups.grouping:group",
            (Kind.SCREEN, *_TOLD, Kind.TYPE, *_ALIKE),
        ),
        Stage(
            "ask",
            "writes questions and checks them",
            "affordance.author.questions.asking:ask",
            (Kind.SCREEN, Kind.CAPTURED, *_TOLD, *_ALIKE, Kind.ELEMENT_GROUPS, Kind.REGION_GROUPS),
            sees=(Kind.QUESTION,),
            owns=(Kind.QUESTION,),
        ),
    )
}


def stage_named(name: str) -> Stage:
    if name not in STAGES:
        raise UnknownName("stage", name, STAGES)
    return STAGES[name]


def prompts_of(stage: str, folder: Path | None = None) -> PromptPack:
    """The prompts of a stage: the package's, and those of `FOLDER/author/STAGE/NAME.txt` in their place. A prompt must
    have the placeholders of the one that it replaces."""
    name = f"author/{stage}"
    packaged = packaged_prompts(name)
    return PromptPack.load(name, packaged, folder) if packaged else PromptPack({}, "")
