"""Types of functional regions, as AutoGUI-v2 names them, and the six buckets that results are told by."""

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
OTHERS = "Others"
REGION_CATEGORIES = (*list(REGION_TYPES)[:5], OTHERS)

REGION_CATEGORY_OF = {leaf: parent for parent, leaves in REGION_TYPES.items() for leaf in leaves}


def region_category(region_type: str | None) -> str:
    """By the exact name of a type; what is none of the first five parents', or unknown, is among the others."""
    parent = REGION_CATEGORY_OF.get(region_type or "", OTHERS)
    return parent if parent in REGION_CATEGORIES else OTHERS
