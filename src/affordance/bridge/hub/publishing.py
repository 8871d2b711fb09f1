"""A dataset of one's own as a folder for the hub: card, tables, and our own format; and that folder to the hub."""

import os
from dataclasses import dataclass
from pathlib import Path

from affordance.bridge.hub.card import CARD, write_card
from affordance.bridge.hub.durable import link_or_copy, telling, write_whole
from affordance.bridge.hub.protocols import ENDPOINT, HUB, TOKEN
from affordance.bridge.hub.shards import write_shards
from affordance.core.errors import MissingKey, UserError
from affordance.core.names import public_url
from affordance.datasets import Dataset, Pair, read_folder
from affordance.datasets.folder import HEADER, ITEMS
from affordance.datasets.published.tables import INSTALL


@dataclass(frozen=True, slots=True)
class Written:
    """What is for the hub, by its path there."""

    root: Path
    files: dict[str, Path]

    @property
    def size(self) -> int:
        return sum(file.stat().st_size for file in self.files.values())


def write_for_hub(root: Path, out: Path, repo: str | None = None) -> Written:
    """Write into a new or empty folder; the dataset stays as it is."""
    dataset = read_folder(root)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"expected a new or empty folder, found something in {out}; choose another with -o")
    if out.resolve().is_relative_to(root.resolve()):
        raise UserError(f"expected a folder outside of {root}, found {out}; choose another with -o")
    with telling(out):
        out.mkdir(parents=True, exist_ok=True)
    names = [HEADER, ITEMS, *_media(dataset)]
    for name in names:
        link_or_copy(root / name, out / name)
    tables = write_shards(dataset, out)
    write_whole(out / CARD, write_card(dataset, repo).encode())
    paths = [*(out / name for name in names), *tables, out / CARD]
    return Written(out, {file.relative_to(out).as_posix(): file for file in paths})


def upload(written: Written, repo: str, *, private: bool) -> str:
    """To the hub, as one commit of nothing but what was written. Returns the address of that commit."""
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise MissingKey(f"expected a token of yours that may write in {TOKEN}, found none; nothing was uploaded")
    try:
        from huggingface_hub import CommitOperationAdd, HfApi
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
    except ImportError:
        raise UserError(f"uploading needs huggingface_hub; install it with: {INSTALL}") from None
    # Those of its HTTP library among them, which is another one from version to version.
    failures = tuple(one for one in HfHubHTTPError.__mro__ if issubclass(one, Exception) and one is not Exception)
    endpoint = endpoint_of_hub()
    api = HfApi(endpoint=endpoint, token=token, library_name="affordance")
    operations = [CommitOperationAdd(path, str(file)) for path, file in sorted(written.files.items())]
    try:
        api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        made = api.create_commit(repo, operations, repo_type="dataset", commit_message="Publish with affordance")
    except HFValidationError:
        raise UserError(f"--to: expected OWNER/NAME, found {repo!r}; nothing was uploaded") from None
    except failures as error:
        answer = getattr(error, "response", None)
        said = f"answered {answer.status_code}" if answer is not None else f"cannot be reached ({type(error).__name__})"
        raise UserError(
            f"{public_url(endpoint)} {said}; may the token in {TOKEN} write to {repo}? What was written is still in "
            f"{written.root}"
        ) from None
    return str(made.commit_url)


def endpoint_of_hub() -> str:
    return (os.environ.get(ENDPOINT) or HUB).rstrip("/")


def _media(dataset: Dataset) -> list[str]:
    """All files that the items name, also those that are kept to look at."""
    kept = [path for item in dataset.items if isinstance(item, Pair) for path in item.beside()]
    needed = [path for item in dataset.items for path in item.media()]
    return sorted({*needed, *(path for path in kept if dataset.file(path).is_file())})
