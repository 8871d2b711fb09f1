"""Export of a dataset as a folder for the hub (card, tables, our own format), and upload of that folder."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from affordance import __version__
from affordance.core.errors import DataError, InvalidOption, MissingApiKey, UserError
from affordance.core.files import atomic_write, is_new_or_empty
from affordance.core.http import public_url
from affordance.datasets import Dataset, load_folder
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE
from affordance.integrations.hub.card import CARD_FILE, dataset_card
from affordance.integrations.hub.hub_repository import TOKEN_VARIABLE, hub_endpoint, hub_token, transport_errors
from affordance.integrations.hub.manifest import disk_errors
from affordance.integrations.hub.tables import TABLE_PATTERN, write_parquet


@dataclass(frozen=True, slots=True)
class HubExport:
    """An exported dataset: the folder, and its files by their path on the hub."""

    root: Path
    files: dict[str, Path]

    @property
    def size(self) -> int:
        return sum(file.stat().st_size for file in self.files.values())


def export_for_hub(root: Path, out: Path, repo: str | None = None) -> HubExport:
    """Write a dataset into a new or empty folder, or over an earlier export of the same dataset.

    A card that was edited since the earlier export stays as it is. The dataset shares no file with the export.
    """
    dataset = load_folder(root)
    digest = dataset.digest()  # once, as it reads all media
    if root.resolve().is_relative_to(out.resolve()) or not (
        is_new_or_empty(out) or _is_earlier_export(out, dataset, digest)
    ):
        raise UserError(f"{out} is not empty and holds no export of this dataset; choose another folder with -o")
    if out.resolve().is_relative_to(root.resolve()):
        raise UserError(f"{out} is inside the dataset {root}; choose another folder with -o")
    names = [HEADER_FILE, ITEMS_FILE, *_media_files(dataset)]
    sources = [_file_inside(root, name) for name in names]
    with disk_errors(out):
        for name, source in zip(names, sources, strict=True):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).unlink(missing_ok=True)
            shutil.copyfile(source, out / name)
        tables = write_parquet(dataset, out)
        card = out / CARD_FILE
        if not card.exists() or card.read_text(encoding="utf-8") == dataset_card(dataset, digest):
            atomic_write(card, dataset_card(dataset, digest, repo).encode())
    paths = [*(out / name for name in names), *tables, out / CARD_FILE]
    return HubExport(out, {file.relative_to(out).as_posix(): file for file in paths})


def check_upload_access(repo: str) -> str:
    """The token to upload with. Raises what would prevent an upload before anything is written."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    token = hub_token()
    if token is None and os.environ.get(TOKEN_VARIABLE, "").strip():
        raise UserError(
            f"{TOKEN_VARIABLE} is sent over https only, found {public_url(hub_endpoint())}; nothing was uploaded"
        )
    if token is None:
        raise MissingApiKey(f"{TOKEN_VARIABLE} is not set; set it to a token that may write. Nothing was uploaded")
    try:
        validate_repo_id(repo)
        is_valid = "/" in repo
    except HFValidationError:
        is_valid = False
    if not is_valid:
        raise InvalidOption("to", f"expected OWNER/NAME as the hub allows it, found {repo!r}; nothing was uploaded")
    return token


def upload_to_hub(export: HubExport, repo: str, *, private: bool) -> str:
    """Upload an export as one commit; the URL of the commit."""
    token = check_upload_access(repo)
    from huggingface_hub import CommitOperationAdd, HfApi

    endpoint = hub_endpoint()
    api = HfApi(endpoint=endpoint, token=token, library_name="affordance", library_version=__version__)
    operations = [CommitOperationAdd(path, str(file)) for path, file in sorted(export.files.items())]
    try:
        api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        made = api.create_commit(repo, operations, repo_type="dataset", commit_message="Publish with affordance")
    except transport_errors() as error:
        answer = getattr(error, "response", None)
        reason = (
            f"answered {answer.status_code}" if answer is not None else f"is not reachable ({type(error).__name__})"
        )
        raise UserError(
            f"{public_url(endpoint)} {reason}; check that the token in {TOKEN_VARIABLE} may write to {repo}. The "
            f"export in {export.root} is complete: run the same command again"
        ) from None
    return str(made.commit_url)


def _is_earlier_export(out: Path, dataset: Dataset, digest: str) -> bool:
    if not (out / CARD_FILE).is_file() or not any(out.glob(TABLE_PATTERN)):
        return False
    try:
        before = load_folder(out)
    except DataError:
        return False
    return before.header == dataset.header and before.digest() == digest


def _file_inside(root: Path, name: str) -> Path:
    """The file behind a name, which may be a link to another file of the dataset."""
    file = (root / name).resolve()
    if not file.is_relative_to(root.resolve()):
        raise DataError("a link to a file outside of the dataset; replace it by the file", root / name)
    return file


def _media_files(dataset: Dataset) -> list[str]:
    """All files that the items name, with the originals of changed images."""
    needed = [path for item in dataset.items for path in item.media_files()]
    extra = [path for item in dataset.items for path in item.extra_files() if dataset.media_path(path).is_file()]
    return sorted({*needed, *extra})
