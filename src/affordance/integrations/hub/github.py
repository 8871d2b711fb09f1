"""Files and archives of GitHub repositories, downloaded into the cache."""

import os
import shutil
import stat
import time
import zipfile
from collections.abc import Sequence
from fnmatch import fnmatchcase
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from pydantic import ValidationError

from affordance import __version__
from affordance.core.digest import digest_text
from affordance.core.errors import UserError
from affordance.core.files import atomic_write
from affordance.core.http import parse_retry_after, public_url
from affordance.datasets.published.published_dataset import GitHubArchive, GitHubFile
from affordance.integrations.hub.hub_repository import is_commit
from affordance.integrations.hub.manifest import FetchedFile, disk_errors, not_cached_error

GITHUB_URL, GITHUB_RAW_URL = "https://github.com", "https://raw.githubusercontent.com"
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_BLOCK_BYTES = 2**18
_RETRY_STATUSES = {408, 425, 429, 500, 502, 503, 504}
_MAX_ATTEMPTS = 4
_MAX_WAIT = 120.0  # seconds
_TIMEOUT = 60.0  # seconds


def download_github_file(
    source: GitHubFile, cache: Path, *, offline: bool = False, show_progress: bool = False
) -> Path:
    """Download one file of a repository; the folder that holds it. A file at a commit is downloaded once."""
    root = _github_folder(cache, source.repo) / quote(source.revision, safe="")
    file = root / source.path
    if file.is_file() and (offline or is_commit(source.revision)):
        return root
    if offline:
        raise not_cached_error(f"{source.path} of {source.repo} at {source.revision}")
    url = f"{GITHUB_RAW_URL}/{source.repo}/{quote(source.revision)}/{quote(source.path)}"
    _download(url, file, show_progress=show_progress)
    return root


def download_github_archive(
    source: GitHubArchive, cache: Path, *, offline: bool = False, show_progress: bool = False
) -> tuple[Path, str]:
    """Download the archive of a repository and unpack the files of the source; their folder and the commit."""
    home = _github_folder(cache, source.repo)
    branch = home / "branches" / quote(source.revision, safe="")
    commit = source.revision if is_commit(source.revision) else None
    if commit is None and offline and branch.is_file():
        commit = branch.read_text(encoding="utf-8")
    if commit is not None and (root := _unpacked_folder(home, commit, source)).is_dir():
        return root, commit
    if offline:
        raise not_cached_error(f"{source.repo} at {source.revision}")
    url = f"{GITHUB_URL}/{source.repo}/archive/{quote(source.revision)}.zip"
    with disk_errors(home):
        home.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=home) as temporary:
            archive, files = Path(temporary) / "archive.zip", Path(temporary) / "files"
            _download(url, archive, show_progress=show_progress)
            commit = _unpack(archive, files, source.files, url)
            root = _unpacked_folder(home, commit, source)
            if not root.exists():
                files.replace(root)
        if not is_commit(source.revision):
            atomic_write(branch, commit.encode())
    return root, commit


def _github_folder(cache: Path, repo: str) -> Path:
    return cache / "github" / repo.replace("/", "--")


def _unpacked_folder(home: Path, commit: str, source: GitHubArchive) -> Path:
    """One folder for each choice of files: what is unpacked there is complete."""
    return home / f"{commit}-{digest_text(' '.join(source.files))[:8]}"


def _unpack(archive: Path, target: Path, patterns: Sequence[str], url: str) -> str:
    """Unpack the files that match a pattern, without the archive's top folder; the commit, which its comment names."""
    target.mkdir()
    try:
        with zipfile.ZipFile(archive) as opened:
            commit = opened.comment.decode("ascii", "replace")
            if not is_commit(commit):
                raise UserError(f"{url}: expected the archive of a repository, found one without a commit")
            for entry in opened.infolist():
                path = entry.filename.partition("/")[2]
                if entry.is_dir() or stat.S_ISLNK(entry.external_attr >> 16):
                    continue
                if not any(fnmatchcase(path, pattern) for pattern in patterns):
                    continue
                _check_archive_path(path, url)
                file = target / path
                file.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(entry) as content, file.open("wb") as written:
                    shutil.copyfileobj(content, written)
                with file.open("rb") as written:
                    if written.read(len(_LFS_POINTER)) == _LFS_POINTER:
                        raise UserError(f"{url}: {path} is kept in Git LFS, which archives leave out")
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise UserError(f"{url}: expected a zip archive, found a damaged one ({error}); try again") from None
    return commit


def _check_archive_path(path: str, url: str) -> None:
    try:
        FetchedFile(path=path, size=0, checksum=f"git:{'0' * 40}")
    except ValidationError:
        raise UserError(f"{url}: expected names of files inside the folder, found {path!r}") from None


def _download(url: str, file: Path, *, show_progress: bool) -> None:
    """Download a URL to a file, with retries. The file appears when it is complete."""
    request = Request(url, headers={"User-Agent": f"affordance/{__version__}", "Accept-Encoding": "identity"})
    part = file.with_name(f".{file.name}-{os.getpid()}.part")
    for attempt in range(1, _MAX_ATTEMPTS + 1):
        wait: float | None = None
        try:
            with disk_errors(file):
                file.parent.mkdir(parents=True, exist_ok=True)
            with urlopen(request, timeout=_TIMEOUT) as response:
                _receive(url, response, part, show_progress=show_progress)
            with disk_errors(file):
                part.replace(file)
            return
        except HTTPError as error:
            if error.code not in _RETRY_STATUSES:
                raise UserError(f"{public_url(url)}: the server answered {error.code}; is the name right?") from None
            wait, reason = parse_retry_after(dict(error.headers)), f"the server answered {error.code}"
        except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
            reason = f"the connection failed ({type(error).__name__})"
        finally:
            part.unlink(missing_ok=True)
        wait = max(2.0 ** (attempt - 1), wait or 0.0)
        if attempt == _MAX_ATTEMPTS or wait > _MAX_WAIT:
            raise UserError(f"{public_url(url)}: {reason}, {attempt} times; try again later")
        time.sleep(wait)


def _receive(url: str, response: Any, part: Path, *, show_progress: bool) -> None:
    from huggingface_hub.utils import tqdm  # type: ignore[attr-defined]

    if url.startswith("https://") and not response.geturl().startswith("https://"):
        raise UserError(f"{public_url(url)}: expected a redirect to https, found one to another protocol")
    if response.headers.get_content_type() == "text/html":
        raise UserError(f"{public_url(url)}: expected a file, found a web page; is a proxy or sign-in in between?")
    length = response.headers.get("Content-Length")
    expected = int(length) if length is not None and length.isdigit() else None
    disable = None if show_progress else True  # None: shown on a terminal only
    with disk_errors(part):
        file = part.open("wb")
    progress = tqdm(total=expected, unit="B", unit_scale=True, disable=disable)  # type: ignore[no-untyped-call]
    with file, progress:
        while block := response.read(_BLOCK_BYTES):
            with disk_errors(part):
                file.write(block)
            progress.update(len(block))
        if expected is not None and file.tell() != expected:
            raise ConnectionError("incomplete")
