"""Fetching from a loopback hub and loopback archives: complete, verified, once, and without revealing the token."""

import hashlib
import io
import json
import resource
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from affordance.core.errors import UserError
from affordance.datasets.published import PUBLISHED_DATASETS
from affordance.datasets.published.published_dataset import GitHubArchive, GitHubFile, HubRepo, PublishedDataset
from affordance.integrations.hub import github
from affordance.integrations.hub.fetch import FetchResult, default_folder, fetch_dataset, run_fetch
from affordance.integrations.hub.fetch_plan import find_earlier_fetch, find_published, plan_fetch
from affordance.integrations.hub.hub_repository import hub_token
from affordance.integrations.hub.manifest import FetchManifest
from cases import case
from errors import raises
from hub_server import HubServer, Stop, Trouble, answers, archive_of, commit_of, cuts, sends
from patience import PATIENCE

SECRET = "hf_planted0token"
REPO = "owner/name"
LARGE = bytes(range(256)) * 1000
FILES = {
    "README.md": b"# A set\n",
    "annotations/a.json": b"[1]",
    "annotations/b.json": b"[2]",
    "data/test-0.parquet": LARGE,
    "data/über [x].png": b"small" * 100,
}
NEXT = {"README.md": b"# The next\n", "annotations/a.json": b"[10]", "data/new.png": b"new"}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer({REPO: dict(FILES)}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_TOKEN", SECRET)
        monkeypatch.setattr(github, "GITHUB_URL", server.url)
        monkeypatch.setattr(github, "GITHUB_RAW_URL", server.url)
        yield server


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fetch(folder: Path, name: str = f"hub:{REPO}", **options: Any) -> FetchResult:
    return fetch_dataset(find_published(name), folder, **options)


def manifest_of(result: FetchResult) -> FetchManifest:
    assert result.manifest is not None
    return result.manifest


def content(folder: Path) -> dict[str, bytes]:
    found = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {path: file.read_bytes() for path, file in found.items() if path != "fetch.json"}


def at(files: dict[str, bytes], kind: str = "hub") -> str:
    return f"{kind}:{REPO}@{commit_of(files)}"


def test_all_files_of_all_pages_are_fetched_and_recorded(hub: HubServer, tmp_path: Path) -> None:
    result = fetch(tmp_path / "set")
    assert content(tmp_path / "set") == FILES
    (part,) = manifest_of(result).parts
    assert (part.commit, manifest_of(result).licence) == (commit_of(FILES), "mit")
    assert {one.checksum.partition(":")[0] for one in part.files} == {"git", "sha256"}
    assert result.fetched_bytes == sum(map(len, FILES.values()))
    assert manifest_of(result).damaged_files(tmp_path / "set") == []
    assert stat.S_IMODE((tmp_path / "set" / "README.md").stat().st_mode) == 0o444


def test_the_token_goes_to_the_hub_only(hub: HubServer, tmp_path: Path) -> None:
    fetch(tmp_path / "set")
    with_token = {one.path: "Authorization" in one.headers for one in hub.seen}
    large = [path for path in with_token if "signature=s3cret" in path]
    assert large
    assert not any(with_token.pop(path) for path in large)
    assert set(with_token.values()) == {True}
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert SECRET.encode() not in kept
    assert b"s3cret" not in kept


TOKENS = [
    ("", True),
    ("https://hub.invalid", True),
    ("https://me:password@hub.invalid", False),
    ("http://hub.invalid", False),
    ("http://127.0.0.1:1", True),
    ("http://127.0.0.1.invalid", False),
]


def test_which_endpoints_get_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    for endpoint, is_sent in TOKENS:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        with case(endpoint):
            assert (hub_token() is not None) == is_sent
    monkeypatch.setenv("HF_TOKEN", "two words")
    monkeypatch.delenv("HF_ENDPOINT")
    with raises(UserError, "HF_TOKEN"):
        hub_token()


def test_a_fetched_dataset_needs_no_request(hub: HubServer, tmp_path: Path) -> None:
    fetch(tmp_path / "set")
    hub.seen.clear()
    assert fetch(tmp_path / "set").fetched_bytes == 0
    fetch(tmp_path / "other", offline=True)
    assert content(tmp_path / "other") == FILES
    assert hub.seen == []
    with raises(UserError, "offline", "owner/else"):
        fetch(tmp_path / "else", "hub:owner/else", offline=True)
    fetch(tmp_path / "one", only=("README.md",))
    assert content(tmp_path / "one") == {"README.md": FILES["README.md"]}


def test_files_that_were_not_downloaded_are_reported_offline(hub: HubServer, tmp_path: Path) -> None:
    fetch(tmp_path / "set", only=("README.md",))
    with raises(UserError, "offline"):
        fetch(tmp_path / "all", offline=True)
    assert not (tmp_path / "all").exists()


def test_without_a_folder_a_dataset_goes_to_the_cache(hub: HubServer, cache: Path) -> None:
    dataset = find_published(f"hub:{REPO}")
    result = fetch_dataset(dataset)
    assert result.folder == default_folder(dataset)
    assert result.folder.is_relative_to(cache)
    assert content(result.folder) == FILES


def test_a_folder_keeps_the_commit_of_its_branch(hub: HubServer, tmp_path: Path) -> None:
    fetch(tmp_path / "set")
    hub.repos[REPO]["annotations/a.json"] = b"[100]"
    (tmp_path / "set" / "annotations" / "b.json").unlink()
    hub.seen.clear()
    fetch(tmp_path / "set")
    assert content(tmp_path / "set") == FILES
    assert hub.seen == []
    fetch(tmp_path / "new")
    assert content(tmp_path / "new")["annotations/a.json"] == b"[100]"


def test_another_revision_leaves_no_unchanged_file_of_the_old_one(hub: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    fetch(folder, at(FILES))
    mine = folder / "annotations" / "b.json"
    mine.unlink()
    mine.write_bytes(b"mine")
    (folder / "data" / "notes.txt").write_bytes(b"mine")
    hub.repos[REPO] = {"README.md": NEXT["README.md"]}
    fetch(folder, at(hub.repos[REPO]))
    assert content(folder) == {
        "README.md": NEXT["README.md"],
        "annotations/b.json": b"mine",
        "data/notes.txt": b"mine",
    }
    (folder / "data" / "notes.txt").unlink()
    hub.repos[REPO] = {"data": b"a file where a folder was"}
    (folder / "data").rmdir()
    fetch(folder, at(hub.repos[REPO]))
    assert content(folder) == {"data": hub.repos[REPO]["data"], "annotations/b.json": b"mine"}


def test_another_dataset_in_the_same_folder_stays(hub: HubServer, tmp_path: Path) -> None:
    hub.repos["owner/second"] = {"b.txt": b"b"}
    fetch(tmp_path / "set")
    fetch(tmp_path / "set", "hub:owner/second")
    assert content(tmp_path / "set") == {**FILES, "b.txt": b"b"}


def test_files_that_were_chosen_earlier_stay(hub: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    fetch(folder, at(FILES), only=("README.md",))
    result = fetch(folder, at(FILES), only=("*.json",))
    assert sorted(content(folder)) == ["README.md", "annotations/a.json", "annotations/b.json"]
    assert manifest_of(result).damaged_files(folder) == []
    hub.repos[REPO] = NEXT
    fetch(folder, at(NEXT), only=("*.png",))
    assert content(folder) == {"data/new.png": b"new"}


def test_a_manifest_with_paths_outside_of_the_folder_is_refused(hub: HubServer, tmp_path: Path) -> None:
    folder, other = tmp_path / "set", tmp_path / "README.md"
    fetch(folder, at(FILES))
    other.write_bytes(FILES["README.md"])
    manifest = folder / "fetch.json"
    manifest.write_text(manifest.read_text().replace('"README.md"', '"../README.md"'))
    hub.repos[REPO] = NEXT
    with raises(UserError, manifest):
        fetch(folder, at(NEXT))
    assert other.is_file()


def test_a_folder_of_wiserui_images_is_no_folder_for_another_dataset(hub: HubServer, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "fetch.json").write_text('{"set": "wiserui", "counts": {}, "pictures": []}')
    with raises(UserError, tmp_path / "set" / "fetch.json", "WiserUI-Bench"):
        fetch(tmp_path / "set")


def test_the_users_files_are_not_replaced(hub: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "annotations").mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    (folder / "annotations" / "a.json").write_text("mine")
    with raises(UserError, folder / "annotations" / "a.json"):
        fetch(folder)
    assert content(folder) == {"notes.txt": b"mine", "annotations/a.json": b"mine"}
    (folder / "annotations" / "a.json").unlink()
    fetch(folder)
    assert content(folder) == {**FILES, "notes.txt": b"mine"}


def test_a_link_to_another_folder_is_refused(hub: HubServer, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "data").symlink_to(tmp_path / "elsewhere")
    with raises(UserError, tmp_path / "set" / "data"):
        fetch(tmp_path / "set")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_damaged_files_of_the_cache_are_downloaded_again(hub: HubServer, cache: Path, tmp_path: Path) -> None:
    fetch(tmp_path / "set")
    digest = hashlib.sha256(LARGE).hexdigest()
    (blob,) = (cache / "huggingface").rglob(f"blobs/{digest}")
    blob.unlink()
    blob.write_bytes(b"x" * len(LARGE))
    fetch(tmp_path / "new")
    assert content(tmp_path / "new") == FILES
    blob.chmod(0o644)
    blob.unlink()
    blob.write_bytes(b"x" * len(LARGE))
    hub.troubles[f"/{digest}"] = sends(b"y" * len(LARGE))
    with raises(UserError, "data/test-0.parquet", len(LARGE)):
        fetch(tmp_path / "third")
    assert not (tmp_path / "third").exists()


def test_a_cut_connection_is_tried_again_in_silence(
    hub: HubServer, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The library's warning names the URL with its signature."""
    path = f"/{hashlib.sha256(LARGE).hexdigest()}"
    hub.troubles[path] = cuts(LARGE, 100_000)
    fetch(tmp_path / "set")
    assert content(tmp_path / "set") == FILES
    assert len(hub.asked(path)) == 2
    assert "s3cret" not in "".join([*capfd.readouterr(), caplog.text])


def test_a_killed_fetch_is_completed_by_the_same_command(hub: HubServer, cache: Path, tmp_path: Path) -> None:
    stop = Stop(LARGE, len(LARGE) // 2)
    hub.troubles[f"/{hashlib.sha256(LARGE).hexdigest()}"] = stop
    command = [sys.executable, "-m", "affordance", "data", "fetch", f"hub:{REPO}", "set", "--accept-licence"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert stop.reached.wait(PATIENCE)
    finally:
        process.kill()
        process.wait(PATIENCE)
        stop.go_on.set()
    assert not (tmp_path / "set").exists()
    fetch(tmp_path / "set")
    assert content(tmp_path / "set") == FILES
    assert find_earlier_fetch(find_published(f"hub:{REPO}"), tmp_path / "set") is not None


REFUSALS: dict[str, tuple[str, Trouble, tuple[object, ...]]] = {
    "not there": ("resolve", answers(404, 99), ()),
    "on request": ("revision", answers(401, 99, "GatedRepo"), ("HF_TOKEN", REPO)),
    "not for us": ("revision", answers(403, 99), ("HF_TOKEN", "403")),
    "no repository": ("revision", answers(404, 99, "RepoNotFound"), (REPO,)),
    "no revision": ("revision", answers(404, 99, "RevisionNotFound"), ("revision",)),
    "no commit": ("revision", sends(b'{"id": "a/b", "sha": "main"}', "application/json"), ("commit",)),
    "a page for a revision": ("revision", sends(b"<html>", "text/html"), ()),
    "half of an answer": ("revision", sends(b"{", "application/json"), ()),
    "no list": ("tree", sends(b'{"a": 1}', "application/json"), ()),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_the_hub_refuses_is_reported_in_one_line(hub: HubServer, tmp_path: Path, name: str) -> None:
    where, trouble, data = REFUSALS[name]
    commit = commit_of(FILES)
    paths = {
        "resolve": f"/datasets/{REPO}/resolve/{commit}/README.md",
        "revision": f"/api/datasets/{REPO}/revision/main",
        "tree": f"/api/datasets/{REPO}/tree/{commit}",
    }
    hub.troubles[paths[where]] = trouble
    with raises(UserError, *data) as error:
        fetch(tmp_path / "set", only=("README.md",))
    assert SECRET not in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "set").exists()


def test_no_hub_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with raises(UserError, "http://127.0.0.1:9"):
        fetch(tmp_path / "set")


def test_names_of_files_that_lead_elsewhere_are_refused(hub: HubServer, tmp_path: Path) -> None:
    names = ["../evil", "/etc/evil", "a/../../evil", "a\\..\\evil", "a//b", ".git/config", "fetch.json"]
    names += ["a\nb", "x" * 300, "ANNOTATIONS/B.json", "data"]
    for name in names:
        hub.listed["annotations/a.json"] = {"path": name}
        with case(name), pytest.raises(UserError) as error:
            plan_fetch(find_published(f"hub:{REPO}"), tmp_path / "set")
        assert "\n" not in str(error.value)
    hub.listed["annotations/a.json"] = {"path": "fine.json"}
    assert plan_fetch(find_published(f"hub:{REPO}"), tmp_path / "set")


def test_free_space_is_checked_first(hub: HubServer, tmp_path: Path) -> None:
    hub.listed["data/test-0.parquet"] = {"lfs": {"oid": "0" * 64, "size": 10**18, "pointerSize": 1}}
    with raises(UserError, "AFFORDANCE_CACHE"):
        fetch(tmp_path / "set")
    assert hub.asked("resolve") == []


def test_a_full_disk_is_reported(hub: HubServer, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    plan = plan_fetch(find_published(f"hub:{REPO}"), tmp_path / "set")
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(LARGE) // 2, before[1]))
    try:
        with pytest.raises(UserError):
            run_fetch(plan)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not (tmp_path / "set" / "fetch.json").exists()
    run_fetch(plan)
    assert content(tmp_path / "set") == FILES


def test_several_repositories_have_folders_of_their_own(hub: HubServer, tmp_path: Path) -> None:
    hub.repos["owner/second"] = {"b.txt": b"b"}
    sources = (HubRepo(REPO, files=("README.md",), folder="one"), HubRepo("owner/second", folder="two"))
    both = replace(find_published("autogui-v2"), name="both", sources=sources)
    fetch_dataset(both, tmp_path / "set")
    assert content(tmp_path / "set") == {"one/README.md": FILES["README.md"], "two/b.txt": b"b"}
    nothing = replace(both, sources=(replace(sources[0], files=("*.nothing",)), sources[1]))
    with raises(UserError, "*.nothing", REPO):
        fetch_dataset(nothing, tmp_path / "none")
    with raises(UserError, "revision", 3):
        find_published("autogui-v2", "main")


NATIVE = {"dataset.json": b"{}", "items.jsonl": b"", "data/test-00000-of-00001.parquet": LARGE, "README.md": b"card"}


def test_tables_are_left_out_where_our_own_format_is_there(hub: HubServer, tmp_path: Path) -> None:
    hub.repos[REPO] = NATIVE
    fetch(tmp_path / "set")
    assert sorted(content(tmp_path / "set")) == ["README.md", "dataset.json", "items.jsonl"]


# Archives and files of GitHub.


def test_an_archive_is_downloaded_once_and_pinned(hub: HubServer, tmp_path: Path) -> None:
    name = f"github:{REPO}"
    result = fetch(tmp_path / "set", name)
    assert content(tmp_path / "set") == FILES, "without the link in it"
    (part,) = manifest_of(result).parts
    assert (part.kind, part.commit) == ("github", commit_of(FILES))
    assert len(hub.seen) == 1
    assert not [one for one in hub.seen if "Authorization" in one.headers]
    hub.repos[REPO] = NEXT
    (tmp_path / "set" / "README.md").unlink()
    fetch(tmp_path / "set", name)
    assert content(tmp_path / "set") == FILES
    fetch(tmp_path / "offline", name, offline=True)
    assert content(tmp_path / "offline") == FILES
    assert len(hub.seen) == 1
    fetch(tmp_path / "new", name)
    assert content(tmp_path / "new") == NEXT
    with raises(UserError, "offline", "owner/else"):
        fetch(tmp_path / "else", "github:owner/else", offline=True)


def test_only_files_of_the_source_are_unpacked(hub: HubServer, cache: Path, tmp_path: Path) -> None:
    source = GitHubArchive(REPO, files=("annotations/*",), read_from="annotations")
    dataset = replace(find_published("osworld-g"), sources=(source,))
    fetch_dataset(dataset, tmp_path / "set")
    assert sorted(content(tmp_path / "set")) == ["annotations/a.json", "annotations/b.json"]
    assert not list((cache / "github").rglob("test-0.parquet"))
    fetch_dataset(replace(dataset, sources=(replace(source, files=("*",)),)), tmp_path / "all")
    assert content(tmp_path / "all") == FILES


def packed(*entries: tuple[str, bytes], comment: bytes = b"0" * 40) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.comment = comment
        for name, data in entries:
            archive.writestr(name, data)
    return file.getvalue()


WHOLE = archive_of(FILES, "1" * 40)
DAMAGED_ARCHIVES: dict[str, Trouble] = {
    "half of it": sends(WHOLE[: len(WHOLE) // 2]),
    "no archive": sends(b"Not found"),
    "a page": sends(b"<html>Sign in</html>", "text/html"),
    "not there": answers(404, 99),
    "no commit": sends(packed(("a/b.txt", b"b"), comment=b"")),
    "a path that leads elsewhere": sends(packed(("a/../../evil", b"b"))),
    "an absolute path": sends(packed(("a//etc/evil", b"b"))),
    "a file in Git LFS": sends(packed(("a/b.png", b"version https://git-lfs.github.com/spec/v1\noid sha256:0"))),
    "a reserved name": sends(packed(("a/fetch.json", b"{}"))),
    "nothing": sends(packed(("a/", b""))),
}


def test_damaged_archives_are_refused(hub: HubServer, tmp_path: Path) -> None:
    for name, trouble in DAMAGED_ARCHIVES.items():
        hub.troubles[f"/{REPO}/archive/main.zip"] = trouble
        with case(name), pytest.raises(UserError) as error:
            fetch(tmp_path / "set", f"github:{REPO}")
        assert "\n" not in str(error.value)
        assert not (tmp_path / "set").exists()
        assert not (tmp_path / "evil").exists()


def test_a_server_that_is_busy_is_asked_again(hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(github.time, "sleep", waits.append)
    hub.troubles[f"/{REPO}/archive/main.zip"] = answers(503, 2, Retry_After="3")
    fetch(tmp_path / "set", f"github:{REPO}")
    assert content(tmp_path / "set") == FILES
    assert waits == [3.0, 3.0]
    hub.repos["owner/busy"] = NEXT
    hub.troubles["/owner/busy/archive/main.zip"] = answers(429, 99, Retry_After="3600")
    with raises(UserError, "429"):
        fetch(tmp_path / "busy", "github:owner/busy")


def test_a_file_at_a_commit(hub: HubServer, tmp_path: Path) -> None:
    source = GitHubFile(REPO, commit_of(FILES), "annotations/a.json")
    dataset = replace(find_published("wiserui"), images_elsewhere=False, sources=(source,))
    for folder in ("one", "two"):
        fetch_dataset(dataset, tmp_path / folder)
        assert content(tmp_path / folder) == {"annotations/a.json": b"[1]"}
    assert len(hub.seen) == 1


# Every name of `data fetch`.


def contents(dataset: PublishedDataset) -> dict[str, dict[str, bytes]]:
    """For each repository a file that each of its patterns matches, and one that none does."""
    found: dict[str, dict[str, bytes]] = {}
    for source in dataset.sources:
        patterns = (source.path,) if isinstance(source, GitHubFile) else source.files
        files = {pattern.replace("*", "some"): pattern.encode() for pattern in patterns}
        found[source.repo] = {**files, "other/notes.txt": b"not matched"}
    if dataset.images_elsewhere:
        row = {"index": 0, "win_url": None, "lose_url": None, "source": "s", "rationale": []}
        found[dataset.sources[0].repo]["WiserUI_Bench.json"] = json.dumps([row]).encode()
    return found


@pytest.mark.parametrize("name", [name for name, row in PUBLISHED_DATASETS.items() if row.sources])
def test_every_published_dataset_is_fetched(hub: HubServer, tmp_path: Path, name: str) -> None:
    dataset = PUBLISHED_DATASETS[name]
    hub.repos |= contents(dataset)
    hub.pinned |= {one.repo: one.revision for one in dataset.sources if len(one.revision) == 40}
    result = fetch(tmp_path / "set", name)
    expected = {}
    for source in dataset.sources:
        patterns = (source.path,) if isinstance(source, GitHubFile) else source.files
        for path, data in hub.repos[source.repo].items():
            if "*" in patterns or path != "other/notes.txt":
                expected[f"{source.folder}/{path}" if source.folder else path] = data
        assert (tmp_path / "set" / source.folder).is_dir()
    assert content(tmp_path / "set") == expected
    if result.images is not None:
        assert [one.reason for one in result.images.records] == ["the table has no URL"] * 2
        assert (result.images.complete, result.manifest) == (True, None)
        return
    hub.seen.clear()
    assert find_earlier_fetch(dataset, tmp_path / "set") == result.manifest
    assert fetch(tmp_path / "set", name).fetched_bytes == 0
    assert hub.seen == []


def test_rows_of_published_datasets_say_what_people_must_know() -> None:
    known = {name for name, row in PUBLISHED_DATASETS.items() if row.sources}
    assert known >= {"animint", "autogui-v2", "osworld-g", "screenspot", "screenspot-v2", "screenspot-pro", "wiserui"}
    for name in known:
        row = PUBLISHED_DATASETS[name]
        assert row.licence, name
        assert row.citation, name
        assert row.title, name


NONSENSE: list[tuple[str, str | None, tuple[object, ...]]] = [
    ("hub:nobody", None, ("hub:OWNER/NAME",)),
    ("hub:a/../b", None, ("hub:OWNER/NAME",)),
    ("hub:../b", None, ("hub:OWNER/NAME",)),
    ("github:a b/c", None, ("github:OWNER/NAME",)),
    ("screenspott", None, ("'screenspot'",)),
    ("screenspot", "a b", ("revision", "'a b'")),
    ("hub:a/b@../c", None, ("revision",)),
]


def test_names_that_make_no_sense() -> None:
    for name, revision, data in NONSENSE:
        with case((name, revision)), raises(UserError, *data):
            find_published(name, revision)
