"""What items of all kinds have in common, the types of their fields, and the header of a dataset."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer

from affordance.core.geometry import Box
from affordance.core.validation import StrictModel, stored_as

ItemKind = Literal["clip", "pair", "screen", "outcome", "choice"]


def _read_box(value: Any) -> Box:
    return value if isinstance(value, Box) else Box.from_json(value)


def check_relative_path(path: str) -> str:
    """A path inside the dataset folder, with forward slashes; a ValueError for paths that could leave the folder."""
    parts = path.split("/")
    if not path or path.startswith("/") or "\\" in path or "\0" in path or any(p in ("", ".", "..") for p in parts):
        raise ValueError(f"expected a relative path inside the dataset folder, found {path!r}")
    return path


BoxField = Annotated[
    Box,
    BeforeValidator(_read_box),
    PlainSerializer(lambda box: box.to_json(), return_type=dict[str, Any]),
]
RelativePath = Annotated[str, AfterValidator(check_relative_path)]
NonEmptyStr = Annotated[str, Field(min_length=1)]


class ItemLink(StrictModel):
    """Links an item to another: `variant` (re-rendered), `twin` (counterfactual), `group` (look-alikes)."""

    kind: Literal["variant", "twin", "group"]
    to: NonEmptyStr


class Item(StrictModel):
    """What items of all kinds have."""

    id: NonEmptyStr  # unique in the dataset
    links: list[ItemLink] = []  # to other items

    def media_files(self) -> list[str]:
        """The files that the item needs, relative to the dataset folder."""
        return []

    def extra_files(self) -> list[str]:
        """Files kept for reference that are not needed, relative to the dataset folder."""
        return []


class CapturedPage(StrictModel):
    """The page that a screen or clip shows, and how it was rendered."""

    name: NonEmptyStr  # given to it at capture
    url: str
    title: str = ""
    render_settings: dict[str, Any] = stored_as("look", {})  # window, scale, colours, language...
    was_still: bool = stored_as("settled", True)  # False where something kept moving


class DatasetHeader(StrictModel):
    """`dataset.json`."""

    format: Literal[1]  # version of the folder format
    kind: ItemKind  # of its items
    name: NonEmptyStr  # as reports name it
    licence: str  # of the data
    provenance: str  # where the data comes from
    synthetic: bool  # whether a program generated it
