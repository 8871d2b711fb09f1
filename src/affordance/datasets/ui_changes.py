"""What changed between two designs: groups of elements and of their properties, as in WiserUI-Bench's figures."""

from collections.abc import Collection, Iterable, Mapping

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

Changes = Mapping[str, Collection[str]]


def properties(changes: Changes) -> list[str]:
    """The properties that changed, each once, in order."""
    return list(dict.fromkeys(one for found in changes.values() for one in found))


def element_group(changes: Changes) -> str | None:
    """`X-only` where all changed elements are of one group, `Mixed` where they are of several, `Other` where one is of
    none; None where nothing is known to have changed."""
    return _group(changes, ELEMENT_GROUPS)


def property_group(changes: Changes) -> str | None:
    """The same for properties."""
    return _group(properties(changes), PROPERTY_GROUPS)


def _group(values: Iterable[str], groups: Mapping[str, Collection[str]]) -> str | None:
    found = {next((name for name, members in groups.items() if value in members), OTHER) for value in values}
    if not found:
        return None
    if OTHER in found:
        return OTHER
    return f"{found.pop()}-only" if len(found) == 1 else MIXED
