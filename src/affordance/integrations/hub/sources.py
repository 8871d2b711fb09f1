"""Sources as data: which benchmark lies where, under which licence. The table comes with the package; users change and
add rows in `affordance.toml`, under `[sources.NAME]`."""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from affordance.core.digest import digest
from affordance.core.errors import UnknownName, UserError
from affordance.core.validation import describe_setting, format_validation_error
from affordance.datasets.items import check_relative_path

TABLE = "sources.toml"
BRANCH = "main"
Repository = Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$")]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class UrlFile(_Row):
    """A file that lies somewhere by itself."""

    path: str
    url: Annotated[str, Field(pattern="^https?://")]
    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class DatasetPart(_Row):
    """What lies at one place. `folder` is where it goes in the user's folder, and `read` what of that its reader wants;
    `size` is about how many bytes it has."""

    kind: Literal["hub", "github", "urls"]
    repo: Repository | None = None
    revision: Annotated[str, Field(pattern=r"^[\w./-]+$")] = BRANCH
    files: tuple[str, ...] = ("*",)
    urls: tuple[UrlFile, ...] = ()
    folder: str = ""
    read: str = ""
    size: int | None = None

    @field_validator("folder", "read")
    @classmethod
    def _check_folder(cls, path: str) -> str:
        return check_relative_path(path) if path else path

    @model_validator(mode="after")
    def _check_origin(self) -> "DatasetPart":
        if (self.kind == "urls") != bool(self.urls) or (self.kind == "urls") == (self.repo is not None):
            raise ValueError("expected a repo where kind is hub or github, and urls where it is urls")
        return self

    @property
    def identity(self) -> str:
        """A digest of what is fetched and where to, but for the revision."""
        return digest("part", self.model_dump(mode="json", exclude={"revision", "read", "size"}))

    @property
    def pinned(self) -> bool:
        """Whether the revision is a commit, which never changes, and no branch or tag."""
        return self.kind == "urls" or re.fullmatch("[0-9a-f]{40}", self.revision) is not None


class PublishedDataset(_Row):
    """One row. Without a `format` it is our own; `pictures` says that the file fetched is a list of pictures that lie
    elsewhere, which are fetched next. A licence that is None is told by the source itself."""

    title: str = ""
    format: str | None = None
    licence: str | None = None
    terms: str = ""
    citation: str = ""
    notes: str = ""
    pictures: bool = False
    parts: Annotated[tuple[DatasetPart, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_folders(self) -> "PublishedDataset":
        folders = [part.folder for part in self.parts]
        if len(set(folders)) < len(folders):
            raise ValueError("expected a folder of its own for each part")
        return self

    def at_revision(self, revision: str) -> "PublishedDataset":
        """The same at another revision, which only a source of one part can be."""
        if len(self.parts) > 1 or self.parts[0].kind == "urls":
            raise UserError(
                f"--revision is for a source with one repository, found {len(self.parts)} parts; "
                "give their revisions in affordance.toml"
            )
        try:
            part = DatasetPart.model_validate({**self.parts[0].model_dump(), "revision": revision})
        except ValidationError as error:
            raise UserError(f"--revision: {format_validation_error(error)}") from None
        return self.model_copy(update={"parts": (part,)})


def published_datasets(overrides: Mapping[str, Mapping[str, Any]]) -> dict[str, PublishedDataset]:
    """The table of the package with the user's rows over it; what they do not say of a row that is there stays."""
    rows: dict[str, Any] = tomllib.loads((files(__package__) / TABLE).read_text(encoding="utf-8"))
    for name, row in overrides.items():
        rows[name] = {**rows.get(name, {}), **row}
    found = {}
    for name, row in rows.items():
        try:
            found[name] = PublishedDataset.model_validate(row)
        except ValidationError as error:
            raise UserError(
                f"affordance.toml: sources.{name}: {format_validation_error(error, describe_setting)}"
            ) from None
    return found


def find_published(name: str, overrides: Mapping[str, Mapping[str, Any]]) -> PublishedDataset:
    """A row by its name, or `hub:OWNER/NAME` and `github:OWNER/NAME` for what is in no table, with `@REVISION`."""
    kind, colon, rest = name.partition(":")
    if colon and kind in ("hub", "github"):
        repo, _, revision = rest.partition("@")
        try:
            part = DatasetPart.model_validate({"kind": kind, "repo": repo, "revision": revision or BRANCH})
        except ValidationError:
            raise UserError(f"expected {kind}:OWNER/NAME[@REVISION], found {name!r}") from None
        return PublishedDataset(title=repo, parts=(part,))
    known = published_datasets(overrides)
    if name not in known:
        raise UnknownName("set to fetch", name, known)
    return known[name]
