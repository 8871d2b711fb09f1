"""`fetch.json`: what a fetched folder has, from where and at which commit. It is written last, so that where it is,
everything was."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance.bridge.hub.checksums import FORM, matches
from affordance.bridge.hub.durable import write_whole
from affordance.bridge.hub.listing import MANIFEST
from affordance.core.complaints import first_complaint
from affordance.core.errors import DataError
from affordance.datasets.json_text import parse_object


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class File(_Entry):
    path: str
    size: Annotated[int, Field(ge=0)]
    checksum: Annotated[str, Field(pattern=FORM)]


class FetchedPart(_Entry):
    """`revision` is what was asked for, `commit` what that was then."""

    folder: str
    kind: str
    repo: str | None
    revision: str
    commit: str | None
    place: str
    files: tuple[File, ...]


class Manifest(_Entry):
    format: int = 1
    name: str
    licence: str
    only: tuple[str, ...]
    parts: tuple[FetchedPart, ...]

    def part(self, folder: str) -> FetchedPart | None:
        return next((one for one in self.parts if one.folder == folder), None)

    def damaged(self, root: Path) -> list[str]:
        """Files that are not there, or not as they were fetched."""
        return [
            str(root / part.folder / one.path)
            for part in self.parts
            for one in part.files
            if not matches(root / part.folder / one.path, one.size, one.checksum)
        ]


def read_manifest(root: Path) -> Manifest | None:
    path = root / MANIFEST
    if not path.is_file():
        return None
    try:
        return Manifest.model_validate(parse_object(path.read_bytes()))
    except ValidationError as error:
        message = f"expected what an earlier fetch has written, found: {first_complaint(error)}; move it away"
        raise DataError(message, path) from None
    except ValueError as error:
        raise DataError(f"{error}; move it away", path) from None


def write_manifest(root: Path, manifest: Manifest) -> None:
    write_whole(root / MANIFEST, (manifest.model_dump_json(indent=1) + "\n").encode())
