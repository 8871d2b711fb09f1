"""Closed vocabularies: purposes, UX laws, UI changes, region types, actions, classes of targets."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

# What changes in a primitive animation, and what an animation can be for, as in AniMINT and in its order.
EFFECTS = ("move", "rotate", "size", "color", "fade", "blur", "morph")
PURPOSES = ("Transition", "Demonstration", "Guidance", "Feedback", "Visualization", "Highlight", "Aesthetic")
LAW_DIMENSIONS = ("Perception", "Memory", "Action")


@dataclass(frozen=True, slots=True)
class UXLaw:
    """A law of UX, in the spelling of WiserUI-Bench with typographic apostrophes."""

    name: str
    dimension: str
    meaning: str


UX_LAWS = (
    UXLaw("Law of Common Region", "Perception", "Things inside of one border or surface are seen as one group."),
    UXLaw("Law of Proximity", "Perception", "Things that are close to each other are seen as one group."),
    UXLaw(
        "Law of Prägnanz",
        "Perception",
        "People see the simplest form they can; a simple design is read with less effort.",
    ),
    UXLaw("Law of Similarity", "Perception", "Things that look alike are taken to do alike."),
    UXLaw("Von Restorff Effect", "Memory", "What differs from everything around it is noticed and remembered."),
    UXLaw("Serial Position Effect", "Memory", "The first and the last of a series are remembered best."),
    UXLaw(
        "Miller’s Law", "Memory", "Only a handful of things fit into working memory, so content comes in small chunks."
    ),
    UXLaw("Jakob’s Law", "Memory", "People expect a page to work like the other pages that they know."),
    UXLaw("Hick’s Law", "Action", "The more choices there are and the harder they are, the longer a decision takes."),
    UXLaw("Pareto Principle", "Action", "A few parts bring most of the effect, so these deserve the effort."),
    UXLaw("Fitts’s Law", "Action", "A target is reached faster if it is larger and nearer."),
    UXLaw("Goal-Gradient Effect", "Action", "The nearer people feel to a goal, the harder they work for it."),
)
UX_LAWS_BY_NAME = {law.name: law for law in UX_LAWS}


def normalize_law_name(name: str) -> str:
    """A name without case and kinds of apostrophes, as people type it."""
    return " ".join(name.replace("’", "'").casefold().split())


_BY_NORMALIZED_NAME = {normalize_law_name(law.name): law for law in UX_LAWS}


def find_ux_law(name: str) -> UXLaw | None:
    """The law with a name, in any case and with any apostrophe; None if there is none."""
    return _BY_NORMALIZED_NAME.get(normalize_law_name(name))


def law_issues(name: str, dimension: str | None) -> Iterator[str]:
    """The problems of a law and its dimension as a rationale states them."""
    law = UX_LAWS_BY_NAME.get(name)
    if law is None:
        near = find_ux_law(name)
        hint = f"write {near.name!r}" if near is not None else f"known: {', '.join(UX_LAWS_BY_NAME)}"
        yield f"unknown law {name!r}; {hint}"
    elif dimension is not None and dimension != law.dimension:
        yield f"expected {name} to be of the dimension {law.dimension}, found {dimension!r}"


ELEMENT_GROUPS: dict[str, tuple[str, ...]] = {
    "Interactive Control": ("Button", "Input Field", "Link", "Dropdown"),
    "Content & State Display": (
        "Text",
        "Image",
        "Icon",
        "Media",
        "Video",
        "Progress Bar",
        "Timeline",
        "Calendar",
    ),
    "Container & Layout Structure": (
        "Card",
        "Tile",
        "Navigation",
        "Banner",
        "Background",
        "Sidebar",
        "Footer",
        "Table",
    ),
}
PROPERTY_GROUPS: dict[str, tuple[str, ...]] = {
    "Existence & Quantity": ("Presence", "Count"),
    "Semantic Content": ("Text Content", "Image", "Icon"),
    "Visual Styling": ("Color", "Font Size", "Border", "Opacity", "Hover State", "Padding"),
    "Spatial & Structural": ("Position", "Size", "Layout"),
}
MIXED, OTHER = "Mixed", "Other"
ELEMENT_ORDER = (*(f"{group}-only" for group in ELEMENT_GROUPS), MIXED, OTHER)
PROPERTY_ORDER = (*(f"{group}-only" for group in PROPERTY_GROUPS), MIXED, OTHER)

UIChanges = Mapping[str, Collection[str]]


def changed_properties(changes: UIChanges) -> list[str]:
    """The properties that changed, each once, in order."""
    return list(dict.fromkeys(one for found in changes.values() for one in found))


def element_group(changes: UIChanges) -> str | None:
    """`X-only` if all changed elements are in one group, `Mixed` if they are in several, `Other` if one is in none;
    None without changes."""
    return _group(changes, ELEMENT_GROUPS)


def property_group(changes: UIChanges) -> str | None:
    """The group of the changed properties, as `element_group`."""
    return _group(changed_properties(changes), PROPERTY_GROUPS)


def _group(values: Iterable[str], groups: Mapping[str, Collection[str]]) -> str | None:
    found = {next((name for name, members in groups.items() if value in members), OTHER) for value in values}
    if not found:
        return None
    if OTHER in found:
        return OTHER
    return f"{found.pop()}-only" if len(found) == 1 else MIXED


REGION_TYPES: dict[str, tuple[str, ...]] = {
    "Primary Interface Containers": ("Application Window", "Browser Window / Tab", "Split-Screen Pane"),
    "Global Navigation & Structure": (
        "Header / Top Bar",
        "Footer",
        "Sidebar / Side Navigation",
        "Tab Bar",
        "Toolbar / Action Bar",
        "Breadcrumbs",
        "Status Bar",
    ),
    "Content & Data Display": (
        "Main Content Area",
        "Card / Item List",
        "Dashboard / Widget Area",
        "Data Table / Grid",
        "Image Gallery / Carousel",
        "Map View",
        "Media Player",
    ),
    "Interaction & Input": (
        "Search Region",
        "Form",
        "Filter / Sort Controls",
        "Login / Authentication Form",
        "Comment Section",
        "Pagination Controls",
        "Input field",
    ),
    "Contextual & Temporary Regions": (
        "Modal / Dialog Box",
        "Popover / Tooltip",
        "Dropdown Menu",
        "Context Menu",
        "Notification / Toast / Alert Banner",
        "Cookie Consent Banner",
    ),
    "Decorative and Non-Functional": ("Background", "Divider or Spacer", "Element Shadow"),
    "Purely Static Content": ("Body Text", "Static Title or Heading", "Image Caption"),
    "Individual Element": ("Button", "Link", "Image", "Color Block"),
    "Meaningless": ("Without Meaningful Content",),
    "System and Browser Artifacts": ("Scrollbar", "Mouse Cursor"),
    "Fragmented or Incomplete": ("Partial Element", "Isolated Icon", "Text Fragment"),  # leaves of the tree only
}
OTHER_REGION_TYPES = "Others"
REGION_CATEGORIES = (*list(REGION_TYPES)[:5], OTHER_REGION_TYPES)

REGION_CATEGORY_OF = {leaf: parent for parent, leaves in REGION_TYPES.items() for leaf in leaves}


def region_category(region_type: str | None) -> str:
    """By the exact name of a type; what is none of the first five parents', or unknown, is among the others."""
    parent = REGION_CATEGORY_OF.get(region_type or "", OTHER_REGION_TYPES)
    return parent if parent in REGION_CATEGORIES else OTHER_REGION_TYPES


def region_type_tags(region_type: str | None) -> dict[str, str]:
    """The tags of a region of a type: its category and, where it is known, the type itself."""
    return {"region type": region_category(region_type), **({"region leaf": region_type} if region_type else {})}


class TargetExpression(StrEnum):
    """How the description of a target refers to it."""

    FUNCTIONALITY = "functionality"  # what it does
    DESCRIPTION = "description"  # what it looks like
    INTENT = "intent"  # what a user wants to do with it


class Action(StrEnum):
    CLICK = "click"
    DOUBLE_CLICK = "double click"
    RIGHT_CLICK = "right click"
    MIDDLE_CLICK = "middle click"
    LONG_PRESS = "long press"
    HOVER = "hover"
    DRAG = "drag"
    SCROLL = "scroll"
    TYPE = "type"
    SELECT = "select"
    SWIPE = "swipe"
    PRESS_KEY = "press key"


# Whole names only: "click and hold" is no click.
ACTION_ALIASES = {
    "left click": Action.CLICK,
    "single click": Action.CLICK,
    "clicking": Action.CLICK,
    "left clicking": Action.CLICK,
    "tap": Action.CLICK,
    "tapping": Action.CLICK,
    "doubleclick": Action.DOUBLE_CLICK,
    "dblclick": Action.DOUBLE_CLICK,
    "double clicking": Action.DOUBLE_CLICK,
    "double tap": Action.DOUBLE_CLICK,
    "double tapping": Action.DOUBLE_CLICK,
    "rightclick": Action.RIGHT_CLICK,
    "right clicking": Action.RIGHT_CLICK,
    "context click": Action.RIGHT_CLICK,
    "middle clicking": Action.MIDDLE_CLICK,
    "long pressing": Action.LONG_PRESS,
    "longpress": Action.LONG_PRESS,
    "press and hold": Action.LONG_PRESS,
    "pressing and holding": Action.LONG_PRESS,
    "click and hold": Action.LONG_PRESS,
    "clicking and holding": Action.LONG_PRESS,
    "tap and hold": Action.LONG_PRESS,
    "touch and hold": Action.LONG_PRESS,
    "hovering": Action.HOVER,
    "hover over": Action.HOVER,
    "hovering over": Action.HOVER,
    "mouse over": Action.HOVER,
    "dragging": Action.DRAG,
    "drag and drop": Action.DRAG,
    "dragging and dropping": Action.DRAG,
    "scrolling": Action.SCROLL,
    "scroll up": Action.SCROLL,
    "scroll down": Action.SCROLL,
    "typing": Action.TYPE,
    "type text": Action.TYPE,
    "input text": Action.TYPE,
    "enter text": Action.TYPE,
    "selecting": Action.SELECT,
    "select text": Action.SELECT,
    "swiping": Action.SWIPE,
    "pressing key": Action.PRESS_KEY,
    "press keys": Action.PRESS_KEY,
    "key press": Action.PRESS_KEY,
    "keypress": Action.PRESS_KEY,
    "pressing a key": Action.PRESS_KEY,
    "hotkey": Action.PRESS_KEY,
}


def canonical_action(name: str) -> str:
    """The canonical name of an action. An unknown one is returned in lower case with single spaces."""
    plain = " ".join(name.replace("-", " ").replace("_", " ").lower().split())
    return str(ACTION_ALIASES.get(plain, plain))


class Density(StrEnum):
    """How crowded the surroundings of a target are."""

    SPARSE = "sparse"
    MEDIUM = "medium"
    DENSE = "dense"


class Area(StrEnum):
    """How large a target is."""

    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


UNKNOWN = "unknown"
GROUP_SIZE_CLASSES = ("1-2", "3-4", "5-6", "7+", UNKNOWN)


def group_size_class(members: int | str | None) -> str:
    """The size class of a look-alike group. Negative numbers in published files mean unknown."""
    if members is None or not str(members).isdecimal():
        return UNKNOWN
    return GROUP_SIZE_CLASSES[min(max(int(members) - 1, 0) // 2, 3)]
