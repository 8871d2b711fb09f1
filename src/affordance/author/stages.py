"""The stages of making a benchmark: what each reads, writes and asks."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from affordance.author.records import Kind
from affordance.author.state import ScreenState
from affordance.author.tools import Result, Tools
from affordance.core.errors import UnknownName
from affordance.suites.prompts import PLACEHOLDER, Pack, make_pack

Work = Callable[[Tools, ScreenState], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Stage:
    """`function` is `MODULE:NAME`, imported when it is needed. The work on a screen is done again when what it `reads`
    has changed."""

    name: str
    does: str  # in a few words
    function: str
    reads: tuple[Kind, ...]
    owns: tuple[Kind, ...] = ()  # of these, what it does not write again is no longer there

    def work(self) -> Work:
        module, _, name = self.function.partition(":")
        found: Work = getattr(import_module(module), name)
        return found


STAGES: Mapping[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage(
            "divide",
            "divides screens into functional regions",
            "affordance.author.regions.dividing:divide",
            (Kind.SCREEN, Kind.CAPTURED),
            owns=(Kind.REGION,),
        ),
        Stage(
            "elements",
            "finds interactive elements, and which of them look alike",
            "affordance.author.elements.finding:find_elements",
            (Kind.SCREEN, Kind.CAPTURED),
        ),
        Stage(
            "classify",
            "gives regions a type of the taxonomy",
            "affordance.author.regions.classifying:classify",
            (Kind.REGION,),
        ),
        Stage(
            "reannotate",
            "tells anew what people have corrected",
            "affordance.author.regions.reannotating:reannotate",
            (Kind.REGION,),
        ),
        Stage(
            "group",
            "finds and verifies look-alike regions and elements",
            "affordance.author.groups.grouping:group",
            (Kind.REGION, Kind.RETELLING, Kind.VALIDATION, Kind.ELEMENTS, Kind.CANDIDATES),
        ),
        Stage(
            "ask",
            "writes questions and checks them",
            "affordance.author.questions.asking:ask",
            (
                Kind.REGION,
                Kind.TYPE,
                Kind.RETELLING,
                Kind.VALIDATION,
                Kind.ELEMENTS,
                Kind.CANDIDATES,
                Kind.ELEMENT_GROUPS,
                Kind.REGION_GROUPS,
            ),
            owns=(Kind.QUESTION,),
        ),
    )
}


def stage_named(name: str) -> Stage:
    if name not in STAGES:
        raise UnknownName("stage", name, STAGES)
    return STAGES[name]


def prompts_of(stage: str, folder: Path | None = None) -> Pack:
    """The prompts of a stage: the package's, and those of `FOLDER/author/STAGE/NAME.txt` in their place. A prompt must
    have the placeholders of the one that it replaces."""
    own = dict(_packaged(stage))
    if not own:
        return Pack({}, "")
    placeholders = {name: frozenset(PLACEHOLDER.findall(text)) for name, text in own.items()}
    return make_pack(f"author/{stage}", own, placeholders, folder, some=True)


@cache
def _packaged(stage: str) -> tuple[tuple[str, str], ...]:
    folder = files("affordance.author") / "prompts" / stage
    if not folder.is_dir():
        return ()
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".txt")), key=lambda one: one.name)
    return tuple((one.name.removesuffix(".txt"), one.read_text(encoding="utf-8").strip()) for one in found)
