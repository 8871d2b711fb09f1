"""Dataset repositories of the Hugging Face hub: listed, downloaded into the cache and verified."""

import glob
import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance import __version__
from affordance.core.digest import digest_text
from affordance.core.errors import UserError
from affordance.core.files import atomic_write
from affordance.core.http import public_url
from affordance.core.validation import format_validation_error
from affordance.datasets.published.published_dataset import HubRepo
from affordance.integrations.hub.manifest import FetchedFile, check_file_names, disk_errors, not_cached_error

HUB_URL = "https://huggingface.co"
ENDPOINT_VARIABLE, TOKEN_VARIABLE = "HF_ENDPOINT", "HF_TOKEN"
COMMIT_PATTERN = "^[0-9a-f]{40}$"
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_CONCURRENT_FILES = 4


class RepoListing(BaseModel):
    """The files of a repository at a commit."""

    model_config = ConfigDict(frozen=True)

    commit: Annotated[str, Field(pattern=COMMIT_PATTERN)]
    files: tuple[FetchedFile, ...]
    licence: str | None = None  # as the card of the repository states it


def is_commit(revision: str) -> bool:
    """Whether a revision is a commit, which never changes, and no branch or tag."""
    return re.fullmatch(COMMIT_PATTERN, revision) is not None


def hub_endpoint() -> str:
    """The URL of the hub: HF_ENDPOINT, or Hugging Face's own."""
    return (os.environ.get(ENDPOINT_VARIABLE) or HUB_URL).rstrip("/")


def hub_token() -> str | None:
    """The token in HF_TOKEN, for the hub over https or on this machine; None for any other URL."""
    value, endpoint = os.environ.get(TOKEN_VARIABLE, "").strip(), hub_endpoint()
    parts = urlsplit(endpoint)
    if not value or parts.username is not None or (parts.scheme != "https" and parts.hostname not in _LOOPBACK):
        return None
    if not value.isascii() or not value.isprintable() or " " in value:
        raise UserError(f"{TOKEN_VARIABLE}: expected a token, found spaces or characters that no token has")
    return value


def list_hub_repo(source: HubRepo, cache: Path, *, offline: bool = False) -> RepoListing:
    """The files of a dataset repository on the hub. A commit is listed once, a branch each time unless offline."""
    endpoint = hub_endpoint()
    known = _load_listing(cache, endpoint, source.repo, source.revision)
    if known is not None and (offline or is_commit(source.revision)):
        return known
    if offline:
        raise not_cached_error(f"{source.repo} at {source.revision}")
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import RepoFile

    where = f"{public_url(endpoint)}/datasets/{source.repo}"
    api = HfApi(endpoint=endpoint, token=hub_token() or False, library_name="affordance", library_version=__version__)
    try:
        with _hub_errors(source.repo):
            info = api.dataset_info(source.repo, revision=source.revision)
            tree = api.list_repo_tree(source.repo, recursive=True, revision=info.sha, repo_type="dataset")
            files = [_hub_file(one) for one in tree if isinstance(one, RepoFile)]
        licence = info.card_data.get("license") if info.card_data is not None else None
        found = RepoListing(
            commit=info.sha or "",
            files=check_file_names(files, where),
            licence=licence if isinstance(licence, str) else None,
        )
    except ValidationError as error:
        raise UserError(f"{where}: unexpected response of the server: {format_validation_error(error)}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # JSON of another shape
        raise UserError(f"{where}: unexpected response ({type(error).__name__}); is it the right server?") from None
    for revision in {source.revision, found.commit}:
        content = found.model_dump_json().encode()
        atomic_write(_listing_file(cache, endpoint, source.repo, revision), content)
    return found


def _hub_file(entry: Any) -> FetchedFile:
    """Large files have the checksum of their content, small ones the name that git gives them."""
    if entry.lfs is not None:
        return FetchedFile(path=entry.path, size=entry.lfs.size, checksum=f"sha256:{entry.lfs.sha256}")
    return FetchedFile(path=entry.path, size=entry.size, checksum=f"git:{entry.blob_id}")


def _listing_file(cache: Path, endpoint: str, repo: str, revision: str) -> Path:
    return cache / "huggingface" / "listings" / f"{digest_text(f'{public_url(endpoint)} {repo} {revision}')}.json"


def _load_listing(cache: Path, endpoint: str, repo: str, revision: str) -> RepoListing | None:
    try:
        return RepoListing.model_validate_json(_listing_file(cache, endpoint, repo, revision).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def is_cached(source: HubRepo, commit: str, path: str, cache: Path) -> bool:
    """Whether a file of a repository has been downloaded."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(
        source.repo, path, cache_dir=cache / "huggingface", revision=commit, repo_type="dataset"
    )
    return isinstance(found, str)


def download_hub_files(
    repo: str, commit: str, files: Sequence[FetchedFile], cache: Path, *, offline: bool, show_progress: bool
) -> Path:
    """Download files of a repository into the cache and verify them; the folder that holds them."""
    from huggingface_hub import hf_hub_download, snapshot_download
    from huggingface_hub.utils import tqdm  # type: ignore[attr-defined]

    class SilentProgress(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **{**options, "disable": True})  # type: ignore[no-untyped-call]

    common: dict[str, Any] = {
        "repo_type": "dataset",
        "revision": commit,
        "cache_dir": cache / "huggingface",
        "endpoint": hub_endpoint(),
        "token": hub_token() or False,
        "library_name": "affordance",
        "library_version": __version__,
        "tqdm_class": None if show_progress else SilentProgress,
    }
    with _hub_errors(repo):
        root = Path(
            snapshot_download(
                repo,
                **common,
                allow_patterns=[glob.escape(one.path) for one in files],
                local_files_only=offline,
                max_workers=_CONCURRENT_FILES,
            )
        )
        for file in files:
            if (root / file.path).exists() and file.matches(root / file.path):
                continue
            if offline:
                raise not_cached_error(f"{file.path} of {repo}")
            hf_hub_download(repo, file.path, **common, force_download=True)
            if not file.matches(root / file.path):
                raise UserError(
                    f"{repo}: {file.path}: expected {file.size} bytes with checksum {file.checksum}, found "
                    "others twice; try again later"
                )
    return root


def transport_errors() -> tuple[type[Exception], ...]:
    """Errors of huggingface_hub and of its HTTP library, which differs from version to version: the base classes of
    its own errors name it."""
    from huggingface_hub.errors import HfHubHTTPError

    return tuple(one for one in HfHubHTTPError.__mro__ if issubclass(one, Exception) and one is not Exception)


@contextmanager
def _hub_errors(repo: str) -> Iterator[None]:
    """Errors of huggingface_hub, of its HTTP library and of the disk, as `UserError` without secrets.

    Its warnings are not logged, as they name URLs with signatures."""
    from huggingface_hub import errors

    logger = logging.getLogger("huggingface_hub")
    page, level = f"{public_url(hub_endpoint())}/datasets/{repo}", logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    except errors.GatedRepoError:
        raise UserError(f"{page}: access is granted on request; request it there, then {_token_hint()}") from None
    except errors.RevisionNotFoundError:
        raise UserError(f"{page}: there is no such revision; give another with --revision") from None
    except errors.RepositoryNotFoundError:
        raise UserError(f"{page}: not found, or private; check the name, and {_token_hint()}") from None
    except errors.EntryNotFoundError as error:
        raise UserError(f"{page}: a file cannot be downloaded ({type(error.__cause__ or error).__name__})") from None
    except errors.OfflineModeIsEnabled:
        raise UserError(f"{page}: HF_HUB_OFFLINE is set; unset it to download") from None
    except transport_errors() as error:
        if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
            with disk_errors(Path(str(error.filename))):
                raise
        response = getattr(error, "response", None)
        if response is not None:
            hint = f"; {_token_hint()}" if response.status_code in (401, 403) else "; try again later"
            raise UserError(f"{page}: the server answered {response.status_code}{hint}") from None
        raise UserError(f"{page}: the connection failed ({type(error).__name__}); try again later") from None
    finally:
        logger.setLevel(level)


def _token_hint() -> str:
    if hub_token() is None:
        return f"set {TOKEN_VARIABLE} to a token of yours (it is sent over https only)"
    return f"check that the token in {TOKEN_VARIABLE} has access"
