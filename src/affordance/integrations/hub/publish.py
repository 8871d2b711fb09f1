"""Export of a dataset as a folder for the hub (card, tables, our own format), and upload of that folder."""

import os
from dataclasses import dataclass
from pathlib import Path

from affordance.core.errors import DataError, MissingApiKey, UserError
from affordance.core.files import is_new_or_empty
from affordance.core.http import public_url
from affordance.datasets import Dataset, DesignPair, load_folder
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE
from affordance.datasets.published.arrow_tables import HUB_EXTRA_HINT
from affordance.integrations.hub.card import CARD_FILE, dataset_card
from affordance.integrations.hub.durable import copy_file, disk_errors, durable_write
from affordance.integrations.hub.protocols import TOKEN, hub_endpoint, token_for
from affordance.integrations.hub.tables import TABLE_PATTERN, write_parquet
from affordance.integrations.hub.web import Token


@dataclass(frozen=True, slots=True)
class HubExport:
    """What is for the hub, by its path there."""

    root: Path
    files: dict[str, Path]

    @property
    def size(self) -> int:
        return sum(file.stat().st_size for file in self.files.values())


def export_for_hub(root: Path, out: Path, repo: str | None = None) -> HubExport:
    """Write into a new or empty folder, or again into one that has the same from before, whose card stays if somebody
    has worked on it. The dataset stays as it is, and shares no file with what is written."""
    dataset = load_folder(root)
    if root.resolve().is_relative_to(out.resolve()) or not (is_new_or_empty(out) or _is_earlier_export(out, dataset)):
        raise UserError(
            "expected a new or empty folder, or one with the same dataset as it was pushed before, found something "
            f"else in {out}; choose another with -o"
        )
    if out.resolve().is_relative_to(root.resolve()):
        raise UserError(f"expected a folder outside of {root}, found {out}; choose another with -o")
    names = [HEADER_FILE, ITEMS_FILE, *_media(dataset)]
    sources = [_file_inside(root, name) for name in names]
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
    for name, source in zip(names, sources, strict=True):
        copy_file(source, out / name)
    tables = write_parquet(dataset, out)
    card = out / CARD_FILE
    if not card.exists() or card.read_text(encoding="utf-8") == dataset_card(dataset):
        durable_write(card, dataset_card(dataset, repo).encode())
    paths = [*(out / name for name in names), *tables, out / CARD_FILE]
    return HubExport(out, {file.relative_to(out).as_posix(): file for file in paths})


def check_upload_access(repo: str) -> Token:
    """The token to upload with; what would stop it is told before anything is written."""
    endpoint = hub_endpoint()
    token = token_for(endpoint)
    if token is None and os.environ.get(TOKEN, "").strip():
        raise UserError(f"{TOKEN} is sent over https alone, found {public_url(endpoint)}; nothing was uploaded")
    if token is None:
        raise MissingApiKey(f"expected a token of yours that may write in {TOKEN}, found none; nothing was uploaded")
    try:
        from huggingface_hub.errors import HFValidationError
        from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]
    except ImportError:
        raise UserError(f"uploading needs huggingface_hub; install it with: {HUB_EXTRA_HINT}") from None
    try:
        validate_repo_id(repo)
        named = "/" in repo
    except HFValidationError:
        named = False
    if not named:
        raise UserError(f"--to: expected OWNER/NAME as the hub allows it, found {repo!r}; nothing was uploaded")
    return token


def upload_to_hub(export: HubExport, repo: str, *, private: bool) -> str:
    """To the hub, as one commit of nothing but what was written. Returns the address of that commit."""
    token = check_upload_access(repo)
    from huggingface_hub import CommitOperationAdd, HfApi
    from huggingface_hub.errors import HfHubHTTPError

    # Those of its HTTP library among them, which is another one from version to version.
    failures = tuple(one for one in HfHubHTTPError.__mro__ if issubclass(one, Exception) and one is not Exception)
    endpoint = hub_endpoint()
    api = HfApi(endpoint=endpoint, token=token.value, library_name="affordance")
    operations = [CommitOperationAdd(path, str(file)) for path, file in sorted(export.files.items())]
    try:
        api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        made = api.create_commit(repo, operations, repo_type="dataset", commit_message="Publish with affordance")
    except failures as error:
        answer = getattr(error, "response", None)
        said = f"answered {answer.status_code}" if answer is not None else f"cannot be reached ({type(error).__name__})"
        raise UserError(
            f"{public_url(endpoint)} {said}; may the token in {TOKEN} write to {repo}? What was written is still in "
            f"{export.root}: the same command goes on with it"
        ) from None
    return str(made.commit_url)


def _is_earlier_export(out: Path, dataset: Dataset) -> bool:
    if not (out / CARD_FILE).is_file() or not any(out.glob(TABLE_PATTERN)):
        return False
    try:
        before = load_folder(out)
    except DataError:
        return False
    return before.header == dataset.header and before.digest() == dataset.digest()


def _file_inside(root: Path, name: str) -> Path:
    """The file itself, also where its name is a link to another place in the dataset."""
    file = (root / name).resolve()
    if not file.is_relative_to(root.resolve()):
        raise DataError("expected a file inside the dataset, found a link that leads out of it; copy it", root / name)
    return file


def _media(dataset: Dataset) -> list[str]:
    """All files that the items name, also those that are kept to look at."""
    kept = [path for item in dataset.items if isinstance(item, DesignPair) for path in item.extra_files()]
    needed = [path for item in dataset.items for path in item.media_files()]
    return sorted({*needed, *(path for path in kept if dataset.media_path(path).is_file())})
