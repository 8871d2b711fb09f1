"""What items of all kinds have in common, and the header of a dataset."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer

from affordance.core.geometry import Box
from affordance.core.validation import StrictModel


def _read_box(value: Any) -> Box:
    return value if isinstance(value, Box) else Box.from_json(value)


def check_relative_path(path: str) -> str:
    """A path inside the dataset folder, with forward slashes. Anything that could leave the folder is refused."""
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
    """Joins an item to another: `variant` (re-rendered), `twin` (counterfactual), `group` (look-alikes)."""

    kind: Literal["variant", "twin", "group"]
    to: NonEmptyStr


class Item(StrictModel):
    """What every item has. `media()` lists the files it needs, relative to the dataset folder."""

    id: NonEmptyStr  # unique in the dataset
    links: list[ItemLink] = []  # to other items

    def media(self) -> list[str]:
        return []


class CapturedPage(StrictModel):
    """The page that a screen or clip shows, and how it was rendered."""

    name: NonEmptyStr  # as it was called when it was captured
    url: str
    title: str = ""
    look: dict[str, Any] = {}  # window, scale, colours, language... that it was rendered with
    settled: bool = True  # False where something kept moving


class DatasetHeader(StrictModel):
    """`dataset.json`."""

    format: Literal[1]  # of the folder: 1
    kind: Literal["clip", "pair", "screen", "outcome", "choice"]  # of its items
    name: NonEmptyStr  # as reports call it
    licence: str  # of the data
    provenance: str  # where it comes from
    synthetic: bool  # whether it was made by a program
