"""What a region is where no model says so: by its role on the page, by the segmenter's word for it, by its place."""

from collections.abc import Mapping

from affordance.author.records import ROOT, Region, RegionType
from affordance.author.regions.page import nearest, page_elements, page_regions
from affordance.author.regions.truth import DOM, LAYOUT
from affordance.author.regions.type_answers import OTHER, known_type
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
from affordance.datasets import Screen

RULES = frozenset({DOM, LAYOUT})
BY_ROLE, BY_WORD, BY_PLACE = 0.7, 0.4, 0.5  # how confident each is

_ROLES: Mapping[str, str] = {
    "banner": "Header / Top Bar",
    "contentinfo": "Footer",
    "complementary": "Sidebar / Side Navigation",
    "tree": "Sidebar / Side Navigation",
    "main": "Main Content Area",
    "tabpanel": "Main Content Area",
    "search": "Search Region",
    "toolbar": "Toolbar / Action Bar",
    "menubar": "Toolbar / Action Bar",
    "tablist": "Tab Bar",
    "status": "Status Bar",
    "list": "Card / Item List",
    "listitem": "Card / Item List",
    "article": "Card / Item List",
    "feed": "Card / Item List",
    "table": "Data Table / Grid",
    "grid": "Data Table / Grid",
    "treegrid": "Data Table / Grid",
    "row": "Data Table / Grid",
    "form": "Form",
    "radiogroup": "Form",
    "alert": "Notification / Toast / Alert Banner",
    "dialog": "Modal / Dialog Box",
    "alertdialog": "Modal / Dialog Box",
    "tooltip": "Popover / Tooltip",
    "menu": "Dropdown Menu",
    "listbox": "Dropdown Menu",
    "figure": "Image",
    "img": "Image",
    "image": "Image",
    "video": "Media Player",
    "audio": "Media Player",
    "scrollbar": "Scrollbar",
    "separator": "Divider or Spacer",
    "heading": "Static Title or Heading",
    "paragraph": "Body Text",
    "button": "Button",
    "switch": "Button",
    "link": "Link",
    "textbox": "Input field",
    "searchbox": "Input field",
    "combobox": "Input field",
    "spinbutton": "Input field",
}
_WORDS: Mapping[str, str] = {
    "bar": "Toolbar / Action Bar",
    "strip": "Toolbar / Action Bar",
    "list": "Card / Item List",
    "card": "Card / Item List",
    "cards": "Card / Item List",
    "row": "Card / Item List",
    "rows": "Card / Item List",
    "table": "Data Table / Grid",
    "grid": "Data Table / Grid",
    "field": "Input field",
    "text": "Body Text",
    "picture": "Image",
    "icon": "Isolated Icon",
    "dialog": "Modal / Dialog Box",
}
_NAVIGATION = {"breadcrumb": "Breadcrumbs", "paginat": "Pagination Controls"}  # by what its name has in it

_EDGE = 0.02  # of the screen's side: what is nearer to an edge is along it
_THIN, _THINNER = 0.16, 0.06  # the share of a side that a bar takes up at most, and a bar of one line of text
_LONG = 0.8  # and the share of the other side at least
_PANE, _TALL = 0.35, 0.5  # the same of columns
_LARGE = 0.3  # the share of the screen from which on a region is its main content


def ruled(screen: ScreenState, node: str) -> RegionType:
    """The type that rules give, or `Other` where they say nothing."""
    region = screen.regions[node]
    leaf = not screen.children(node)
    if (role := _role(screen.captured, region, leaf)) is not None and (found := _of_role(screen, node, *role)):
        return RegionType(type=found, confidence=BY_ROLE, box=region.box, by=DOM)
    if region.parent in (None, ROOT) and (found := _of_place(region.box, *screen.size)):
        return RegionType(type=found, confidence=BY_PLACE, box=region.box, by=LAYOUT)
    word = region.type.strip().lower()
    if (found := _WORDS.get(word) or known_type(word, leaf)) and (known_type(found, leaf) is not None):
        return RegionType(type=found, confidence=BY_WORD, box=region.box, by=LAYOUT)
    return RegionType(type=OTHER, subtype=word, box=region.box, by=LAYOUT)


def _role(captured: Screen | None, region: Region, leaf: bool) -> tuple[str, str] | None:
    """Role and name of what the page has there. Only a leaf can be a single control."""
    if captured is None:
        return None
    for found in (page_regions(captured), page_elements(captured) if leaf else []):
        if (there := nearest(region, found)) is not None and there[0]:
            return there
    return None


def _of_role(screen: ScreenState, node: str, role: str, name: str) -> str | None:
    if role != "navigation":
        return _ROLES.get(role)
    if named := next((found for word, found in _NAVIGATION.items() if word in name.lower()), None):
        return named
    box = screen.regions[node].box
    if box.y2 - box.y1 > box.x2 - box.x1:
        return "Sidebar / Side Navigation"
    return "Header / Top Bar" if box.y1 <= _EDGE * screen.shot.height else "Tab Bar"


def _of_place(box: Box, width: int, height: int) -> str | None:
    """Of a part of the whole screen: a bar along its top or bottom, a column along a side, or most of it."""
    across, down = (box.x2 - box.x1) / width, (box.y2 - box.y1) / height
    if across >= _LONG and down <= _THIN:
        if box.y1 <= _EDGE * height:
            return "Header / Top Bar"
        if box.y2 >= (1 - _EDGE) * height:
            # On a phone views are chosen there; on a desk it is where a window tells how things stand.
            return "Tab Bar" if height > width else "Status Bar" if down <= _THINNER else "Footer"
    if across <= _PANE and down >= _TALL and (box.x1 <= _EDGE * width or box.x2 >= (1 - _EDGE) * width):
        return "Sidebar / Side Navigation"
    return "Main Content Area" if across * down >= _LARGE else None
