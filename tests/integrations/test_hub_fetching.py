"""Fetching against a loopback copy of the hub: whole or not at all, once, and without telling secrets."""

import hashlib
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affordance.core.errors import UserError
from affordance.datasets.image_downloader import DownloadPolicy
from affordance.datasets.published import PUBLISHED_DATASETS
from affordance.integrations.hub.durable import file_lock
from affordance.integrations.hub.fetching import download_files, fetch_dataset
from affordance.integrations.hub.manifest import FetchManifest
from affordance.integrations.hub.planning import FetchPlan, FetchRequest, earlier_fetch, plan_fetch
from affordance.integrations.hub.protocols import token_for
from affordance.integrations.hub.sources import PublishedDataset, find_published, published_datasets
from affordance.integrations.hub.store import DownloadStore, format_bytes
from cases import case
from errors import raises
from hub_server import HubServer, Stop, Trouble, answers, commit_of, cuts, sends, without_ranges
from patience import PATIENCE, until

HASTY = DownloadPolicy(timeout=PATIENCE, max_attempts=3, backoff=0.01, max_wait=5)
SECRET = "hf_planted0token"
REPO = "owner/name"
LARGE = bytes(range(256)) * 1000
FILES = {
    "README.md": b"# A set\n",
    "annotations/a.json": b"[1]",
    "annotations/b.json": b"[2]",
    "data/test-0.parquet": LARGE,
    "data/über x.png": b"small" * 100,
}
CONTENT = f"/{hashlib.sha256(LARGE).hexdigest()}"  # on the other port


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer({REPO: dict(FILES)}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_TOKEN", SECRET)
        yield server


@pytest.fixture
def store(tmp_path: Path) -> DownloadStore:
    return DownloadStore(tmp_path / "cache")


def wanted(folder: Path, name: str = f"hub:{REPO}", **changes: Any) -> FetchRequest:
    return FetchRequest(name, find_published(name, {}), folder, **changes)


def fetched(request: FetchRequest, store: DownloadStore) -> FetchManifest:
    return fetch_dataset(plan_fetch(request, store, HASTY), store, policy=HASTY)


def content(folder: Path) -> dict[str, bytes]:
    found = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {path: file.read_bytes() for path, file in found.items() if path != "fetch.json"}


def test_pages_redirects_and_both_kinds_of_files(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    manifest = fetched(wanted(tmp_path / "set"), store)
    assert content(tmp_path / "set") == FILES
    assert manifest.parts[0].commit == commit_of(FILES)
    assert {one.checksum.partition(":")[0] for one in manifest.parts[0].files} == {"git", "sha256"}
    assert len(hub.asked("/tree/")) == 2
    assert (tmp_path / "set" / "fetch.json").is_file()


def test_the_token_is_told_to_the_hub_and_to_nobody_else(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    planned = plan_fetch(wanted(tmp_path / "set"), store, HASTY)
    fetch_dataset(planned, store, policy=HASTY)
    told = {one.path: "Authorization" in one.headers for one in hub.seen}
    assert told.pop(f"{CONTENT}?signature=s3cret") is False
    assert set(told.values()) == {True}
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()) + repr(planned).encode()
    assert SECRET.encode() not in kept
    assert b"s3cret" not in kept


def test_a_token_never_goes_to_a_mirror_that_has_its_own_password(
    hub: HubServer, store: DownloadStore, tmp_path: Path
) -> None:
    mirror = hub.url.replace("http://", "http://me:pa55word@")
    fetched(wanted(tmp_path / "set", mirror=mirror), store)
    assert not [one for one in hub.seen if SECRET in one.headers.get("Authorization", "")]
    assert b"pa55word" not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


TOKENS = [
    (None, "https://huggingface.co", True),
    (None, "https://mirror.invalid", False),
    ("https://hub.invalid", "https://hub.invalid", True),
    ("https://hub.invalid", "https://huggingface.co", True),
    ("https://hub.invalid", "https://hub.invalid:444", False),
    ("http://hub.invalid", "http://hub.invalid", False),
    ("http://127.0.0.1:1", "http://127.0.0.1:1", True),
    ("http://127.0.0.1.invalid", "http://127.0.0.1.invalid", False),
    (None, "http://huggingface.co", False),
]


def test_whom_a_token_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    for endpoint, asked, given in TOKENS:
        monkeypatch.setenv("HF_ENDPOINT", endpoint or "")
        with case((endpoint, asked)):
            assert (token_for(asked) is not None) == given


def test_a_mirror_is_told_no_token(
    hub: HubServer, store: DownloadStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_ENDPOINT")
    fetched(wanted(tmp_path / "set", mirror=hub.url), store)
    assert not [one for one in hub.seen if "Authorization" in one.headers]
    hub.troubles[f"/api/datasets/{REPO}/revision/main"] = answers(401, 99)
    with raises(UserError, "HF_TOKEN"):
        plan_fetch(wanted(tmp_path / "other", mirror=hub.url), store, HASTY)


def test_over_a_proxy(hub: HubServer, store: DownloadStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", hub.url)
    monkeypatch.setenv("no_proxy", "")
    fetched(wanted(tmp_path / "set", mirror="http://hub.invalid"), store)
    assert content(tmp_path / "set") == FILES
    assert {one.headers["Host"] for one in hub.asked("/api/")} == {"hub.invalid"}


def test_what_is_there_is_never_asked_for_again(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    first = wanted(tmp_path / "set")
    fetched(first, store)
    hub.seen.clear()
    assert earlier_fetch(first) is not None
    offline = wanted(tmp_path / "other", offline=True)
    fetched(offline, store)
    assert content(tmp_path / "other") == FILES
    assert hub.seen == []
    with raises(UserError, "--offline", "owner/else"):
        plan_fetch(wanted(tmp_path / "else", "hub:owner/else", offline=True), store, HASTY)


def test_a_branch_stays_what_it_was_in_a_folder(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    request = wanted(tmp_path / "set")
    fetched(request, store)
    hub.repos[REPO]["annotations/a.json"] = b"[100]"
    (tmp_path / "set" / "annotations" / "b.json").unlink()
    hub.seen.clear()
    assert earlier_fetch(request) is None
    fetched(request, store)
    assert content(tmp_path / "set") == FILES
    assert hub.seen == []
    fetched(wanted(tmp_path / "new"), store)
    assert content(tmp_path / "new")["annotations/a.json"] == b"[100]"


NEXT = {"README.md": b"# The next\n", "annotations/a.json": b"[10]", "data/new.png": b"new"}


def at(files: dict[str, bytes]) -> str:
    return f"hub:{REPO}@{commit_of(files)}"


def test_another_revision_leaves_nothing_of_the_old_one(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    fetched(wanted(folder, at(FILES)), store)
    mine = folder / "annotations" / "b.json"
    mine.unlink()
    mine.write_bytes(b"mine")
    (folder / "data" / "notes.txt").write_bytes(b"mine")
    hub.repos[REPO] = {"README.md": NEXT["README.md"]}
    fetched(wanted(folder, at(hub.repos[REPO])), store)
    found = {"README.md": NEXT["README.md"], "annotations/b.json": b"mine", "data/notes.txt": b"mine"}
    assert content(folder) == found
    (folder / "data" / "notes.txt").unlink()
    hub.repos[REPO] = {"data": b"a file where a folder was"}
    (folder / "data").rmdir()
    fetched(wanted(folder, at(hub.repos[REPO])), store)
    assert content(folder) == {"data": hub.repos[REPO]["data"], "annotations/b.json": b"mine"}


def test_another_set_in_the_same_folder_stays(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    hub.repos["owner/second"] = {"b.txt": b"b"}
    fetched(wanted(tmp_path / "set"), store)
    fetched(wanted(tmp_path / "set", "hub:owner/second"), store)
    assert content(tmp_path / "set") == {**FILES, "b.txt": b"b"}


def test_what_cannot_be_asked_is_not_asked_again_and_again(store: DownloadStore, tmp_path: Path) -> None:
    with raises(UserError, "ftp://127.0.0.1"):
        plan_fetch(wanted(tmp_path / "set", mirror="ftp://127.0.0.1"), store, HASTY)


def test_what_is_chosen_later_comes_besides(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    fetched(wanted(folder, at(FILES), only=("README.md",)), store)
    manifest = fetched(wanted(folder, at(FILES), only=("*.json",)), store)
    assert sorted(content(folder)) == ["README.md", "annotations/a.json", "annotations/b.json"]
    assert manifest.damaged_files(folder) == []
    hub.repos[REPO] = NEXT
    fetched(wanted(folder, at(NEXT), only=("*.png",)), store)
    assert content(folder) == {"data/new.png": b"new"}


def test_a_manifest_that_leads_elsewhere_removes_nothing(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    folder, other = tmp_path / "set", tmp_path / "README.md"
    fetched(wanted(folder, at(FILES)), store)
    other.write_bytes(FILES["README.md"])
    manifest = folder / "fetch.json"
    manifest.write_text(manifest.read_text().replace('"README.md"', '"../README.md"'))
    hub.repos[REPO] = NEXT
    with raises(UserError, manifest):
        fetched(wanted(folder, at(NEXT)), store)
    assert other.is_file()


KILLED = """
import os, signal, sys
from pathlib import Path
from affordance.integrations.hub import fetching, planning, sources, store

root, name, last = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
kept = store.DownloadStore(root / "cache")
planned = planning.plan_fetch(planning.FetchRequest(name, sources.find_published(name, {}), root / "set"), kept)
replaced, seen = Path.replace, []

def replace(file, to):
    if ".set.fetching" in str(file) and "fetching/." not in str(file):
        seen.append(file)
        if len(seen) == last:
            os.kill(os.getpid(), signal.SIGKILL)
    return replaced(file, to)

Path.replace = replace
fetching.fetch_dataset(planned, kept)
"""


@pytest.mark.parametrize("then", [FILES, NEXT, {"annotations/a.json": b"[100]"}], ids=["back", "on", "elsewhere"])
def test_a_kill_between_two_files_of_a_new_revision(
    hub: HubServer, store: DownloadStore, tmp_path: Path, then: dict[str, bytes]
) -> None:
    folder = tmp_path / "set"
    fetched(wanted(folder, at(FILES)), store)
    hub.repos[REPO] = NEXT
    _killed(tmp_path, at(NEXT))
    half = content(folder)
    assert (half["README.md"], half["annotations/a.json"]) == (NEXT["README.md"], FILES["annotations/a.json"])
    assert earlier_fetch(wanted(folder, at(FILES))) is None
    assert earlier_fetch(wanted(folder, at(NEXT))) is None
    with raises(UserError, "--from"):
        plan_fetch(wanted(tmp_path / "copy", mirror=str(folder)), store)
    hub.repos[REPO] = then
    fetched(wanted(folder, at(then)), store)
    assert content(folder) == then
    assert earlier_fetch(wanted(folder, at(then))) is not None


def _killed(root: Path, name: str) -> None:
    """In a process of its own, before the second file comes under its name."""
    command = [sys.executable, "-c", KILLED, str(root), name, "2"]
    assert subprocess.run(command, check=False, timeout=PATIENCE).returncode == -signal.SIGKILL


def test_a_changed_source_is_noticed(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    def source(**changes: Any) -> FetchRequest:
        address = {"path": "a.txt", "url": f"{hub.url}/plain/README.md", "size": 8, "sha256": "", **changes}
        address["sha256"] = hashlib.sha256(hub.repos[REPO]["README.md"]).hexdigest()
        row = {"licence": "MIT", "parts": [{"kind": "urls", "urls": [address]}]}
        return FetchRequest("mine", find_published("mine", {"mine": row}), tmp_path / "urls")

    fetched(source(), store)
    assert earlier_fetch(source()) is not None
    hub.repos[REPO]["README.md"] = b"# Another\n"
    changed = source(size=10)
    assert earlier_fetch(changed) is None
    fetched(changed, store)
    assert content(tmp_path / "urls") == {"a.txt": b"# Another\n"}

    def chosen(*files: str) -> FetchRequest:
        row = {"licence": "MIT", "parts": [{"kind": "hub", "repo": REPO, "files": files}]}
        return FetchRequest("mine", find_published("mine", {"mine": row}), tmp_path / "set")

    fetched(chosen("README.md"), store)
    assert earlier_fetch(chosen("README.md")) is not None
    assert earlier_fetch(chosen("README.md", "*.json")) is None


CUTS: list[tuple[str, Trouble]] = [
    ("one cut", cuts(LARGE, 100_000)),
    ("many cuts", cuts(LARGE, 30_000, times=8)),
    ("a server without ranges", without_ranges(LARGE)),
    ("a cut by a server without ranges", cuts(LARGE, 100_000, ranges=False)),
    ("too many requests", answers(429, times=2, Retry_After="0")),
    ("an overloaded server", answers(503, times=2)),
    ("a wrong range", answers(416)),
    ("wrong bytes once", sends(b"x" * len(LARGE), times=1)),
    ("too many bytes once", sends(LARGE + b"x", times=1)),
    ("too few bytes once", sends(LARGE[:-1], times=1)),
]


@pytest.mark.parametrize("trouble", [one for _, one in CUTS], ids=[name for name, _ in CUTS])
def test_trouble_on_the_way(hub: HubServer, store: DownloadStore, tmp_path: Path, trouble: Trouble) -> None:
    hub.troubles[CONTENT] = trouble
    fetched(wanted(tmp_path / "set", only=("data/*.parquet",)), store)
    assert content(tmp_path / "set") == {"data/test-0.parquet": LARGE}
    assert list((store.root / "parts").iterdir()) == []


def test_a_cut_is_gone_on_with(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    hub.troubles[CONTENT] = cuts(LARGE, 100_000)
    fetched(wanted(tmp_path / "set", only=("data/*.parquet",)), store)
    ranges = [one.headers.get("Range") for one in hub.asked(CONTENT)]
    assert ranges[0] is None
    assert ranges[1] is not None
    assert int(ranges[1].removeprefix("bytes=").rstrip("-")) > 0


REFUSALS: dict[str, tuple[str, Trouble, tuple[object, ...], int]] = {
    "other content": ("resolve", sends(b"x" * len(LARGE)), (256000, "sha256:"), 2),
    "a page": ("resolve", sends(b"<html>Sign in</html>", "text/html"), (), 1),
    "not there": ("resolve", answers(404, 99), (404,), 1),
    "not working": ("resolve", answers(503, 99), (503, 3), 3),
    "not now": ("resolve", answers(429, 99, Retry_After="3600"), ("3600 s",), 1),
    "elsewhere": ("resolve", answers(302, 99, Location="ftp://127.0.0.1/x"), ("https", "'ftp:"), 1),
    "on request": ("revision", answers(401, 99, "GatedRepo"), (), 0),
    "not for us": ("revision", answers(403, 99), ("HF_TOKEN",), 0),
    "no revision": ("revision", answers(404, 99, "RevisionNotFound"), (), 0),
    "a page for a revision": ("revision", sends(b"<html>", "text/html"), (), 0),
    "no checksum": ("revision", sends(b'{"sha": "main"}', "application/json"), (40,), 0),
    "half of an answer": ("revision", sends(b"{", "application/json"), (), 0),
    "no list": ("tree", sends(b'{"a": 1}', "application/json"), (), 0),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_be_had_is_one_line(hub: HubServer, store: DownloadStore, tmp_path: Path, name: str) -> None:
    where, trouble, data, times = REFUSALS[name]
    commit = commit_of(FILES)
    paths = {
        "resolve": f"/datasets/{REPO}/resolve/{commit}/data/test-0.parquet",
        "revision": f"/api/datasets/{REPO}/revision/main",
        "tree": f"/api/datasets/{REPO}/tree/{commit}",
    }
    hub.troubles[paths[where]] = trouble
    request = wanted(tmp_path / "set", only=("data/*.parquet",))
    with raises(UserError, *data) as error:
        fetched(request, store)
    assert SECRET not in str(error.value)
    assert not (tmp_path / "set").exists()
    if name == "on request":
        assert REPO in str(error.value)
    assert len(hub.asked("test-0.parquet")) == times
    if times == 2:
        assert list((store.root / "parts").iterdir()) == []


def test_names_that_lead_elsewhere_are_refused(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    names = ["../evil", "/etc/evil", "a/../../evil", "a\\..\\evil", "a//b", ".git/config", "fetch.json"]
    names += ["fetch.unfinished.json", "a\nb", "x" * 300, "ANNOTATIONS/B.json", "data"]
    for name in names:
        hub.listed["annotations/a.json"] = {"path": name}
        with case(name), pytest.raises(UserError) as error:
            plan_fetch(wanted(tmp_path / "set"), store, HASTY)
        assert "\n" not in str(error.value)
    hub.listed["annotations/a.json"] = {"path": "fine.json"}
    assert plan_fetch(wanted(tmp_path / "set"), store, HASTY)


def test_room_is_looked_for_before_anything_is_fetched(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    hub.listed["data/test-0.parquet"] = {"lfs": {"oid": "0" * 64, "size": 10**18}}
    with raises(UserError, "1000000 TB"):
        fetched(wanted(tmp_path / "set"), store)
    assert hub.asked("resolve") == []


def test_a_full_disk_keeps_what_is_whole(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    big = LARGE * 8
    hub.repos[REPO]["data/test-0.parquet"] = big
    planned = plan_fetch(wanted(tmp_path / "set"), store, HASTY)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(LARGE) * 4, before[1]))
    try:
        with pytest.raises(UserError):
            fetch_dataset(planned, store, policy=HASTY)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not (tmp_path / "set").exists()
    again = plan_fetch(wanted(tmp_path / "set"), store, HASTY)
    assert again.missing_bytes < planned.missing_bytes
    fetch_dataset(again, store, policy=HASTY)
    assert content(tmp_path / "set") == FILES | {"data/test-0.parquet": big}


def test_kill_in_the_middle_and_go_on(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    half = len(LARGE) // 2
    stop = Stop(LARGE, half)
    hub.troubles[CONTENT] = stop
    command = [sys.executable, "-m", "affordance", "data", "fetch", f"hub:{REPO}", "set", "--accept"]
    environment = {**os.environ, "AFFORDANCE_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert stop.reached.wait(PATIENCE)
        part = store.root / "parts" / f"sha256-{CONTENT[1:]}.part"
        until(lambda: part.is_file() and part.stat().st_size == half)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        stop.go_on.set()
    assert not (tmp_path / "set").exists()
    request = wanted(tmp_path / "set")
    planned = plan_fetch(request, store, HASTY)
    assert [one.path for one in planned.missing if one.size == len(LARGE)] == ["data/test-0.parquet"]
    fetch_dataset(planned, store, policy=HASTY)
    assert content(tmp_path / "set") == FILES
    assert hub.asked(CONTENT)[-1].headers["Range"] == f"bytes={half}-"
    assert earlier_fetch(request) is not None


def test_what_is_somebodys_work_is_not_written_over(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "annotations").mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    (folder / "annotations" / "a.json").write_text("mine")
    with raises(UserError, "a.json"):
        fetched(wanted(folder), store)
    assert content(folder) == {"notes.txt": b"mine", "annotations/a.json": b"mine"}
    (folder / "annotations" / "a.json").unlink()
    fetched(wanted(folder), store)
    assert content(folder) == {**FILES, "notes.txt": b"mine"}


def test_a_link_out_of_the_folder_is_refused(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError):
        fetched(wanted(tmp_path / "set"), store)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_the_disk_has_spoilt_is_fetched_again(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    fetched(wanted(tmp_path / "set"), store)
    spoilt = store.root / "files" / "sha256" / CONTENT[1:3] / CONTENT[1:]
    spoilt.unlink()
    spoilt.write_bytes(b"x" * len(LARGE))
    fetched(wanted(tmp_path / "new"), store)
    assert content(tmp_path / "new") == FILES


def test_only_one_process_fetches_into_a_folder(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    planned = plan_fetch(wanted(tmp_path / "set"), store, HASTY)
    with file_lock(store.lock(tmp_path / "set"), "it"), pytest.raises(UserError):
        fetch_dataset(planned, store, policy=HASTY)


def test_github_and_its_pinned_commit(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    name = f"github:{REPO}@{commit_of(FILES)}"
    manifest = fetched(wanted(tmp_path / "set", name, mirror=hub.url), store)
    assert content(tmp_path / "set") == FILES  # and not the link that is in the repository
    assert {one.checksum[:4] for one in manifest.parts[0].files} == {"git:"}
    assert hub.asked("/commits/") == []
    assert not [one for one in hub.seen if "Authorization" in one.headers]


def test_a_file_that_is_not_in_git_but_beside_it(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    hub.repos[REPO]["a.png"] = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    with pytest.raises(UserError):
        fetched(wanted(tmp_path / "set", f"github:{REPO}", mirror=hub.url), store)


@pytest.mark.parametrize("mirror", [False, True])
def test_single_addresses(hub: HubServer, store: DownloadStore, tmp_path: Path, mirror: bool) -> None:
    address = {
        "path": "a/large.bin",
        "url": f"{hub.url}/plain/data/test-0.parquet",
        "size": len(LARGE),
        "sha256": CONTENT[1:],
    }
    source = find_published("mine", {"mine": {"licence": "MIT", "parts": [{"kind": "urls", "urls": [address]}]}})
    hub.repos["mirror/all"] = {"a/large.bin": LARGE}
    request = FetchRequest("mine", source, tmp_path / "set", mirror=f"{hub.url}/plain" if mirror else None)
    fetched(request, store)
    assert content(tmp_path / "set") == {"a/large.bin": LARGE}
    assert len(hub.asked("/plain/a/large.bin")) == mirror


def test_a_folder_that_was_fetched_is_verified(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    fetched(wanted(tmp_path / "set"), store)
    hub.seen.clear()
    other = DownloadStore(tmp_path / "other-cache")
    fetched(wanted(tmp_path / "copy", mirror=str(tmp_path / "set")), other)
    assert content(tmp_path / "copy") == FILES
    file = tmp_path / "set" / "annotations" / "a.json"
    file.unlink()
    file.write_bytes(b"[9]")
    with raises(UserError, "3 ", "git:"):
        fetched(wanted(tmp_path / "copy2", mirror=str(tmp_path / "set")), DownloadStore(tmp_path / "third"))
    assert hub.seen == []


def test_a_plain_folder_is_taken_as_it_is(store: DownloadStore, tmp_path: Path) -> None:
    (tmp_path / "plain" / "data").mkdir(parents=True)
    (tmp_path / "plain" / "data" / "a.txt").write_text("a")
    fetched(wanted(tmp_path / "set", mirror=str(tmp_path / "plain")), store)
    assert content(tmp_path / "set") == {"data/a.txt": b"a"}
    (tmp_path / "plain" / "data" / "a.txt").write_text("changed")
    assert earlier_fetch(wanted(tmp_path / "set", mirror=str(tmp_path / "plain"))) is None
    assert earlier_fetch(wanted(tmp_path / "set", offline=True)) is not None
    (tmp_path / "plain" / "out").symlink_to("/etc/hostname")
    with pytest.raises(UserError):
        plan_fetch(wanted(tmp_path / "set2", mirror=str(tmp_path / "plain")), store)


def test_a_clone_is_a_folder_without_what_git_keeps(store: DownloadStore, tmp_path: Path) -> None:
    for name in (".git/HEAD", ".git/objects/00/1", "module/.git", "module/a.txt"):
        (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "clone" / name).write_text("a")
    fetched(wanted(tmp_path / "set", mirror=str(tmp_path / "clone")), store)
    assert content(tmp_path / "set") == {"module/a.txt": b"a"}


def test_long_names_of_folders(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    folder = tmp_path / ("界" * 70) / ("面" * 70)
    fetched(wanted(folder), store)
    assert content(folder) == FILES
    assert store.lock(tmp_path / "a_b") != store.lock(tmp_path / "a" / "b")
    hub.listed["README.md"] = {"path": "/".join(["a" * 200] * 40)}
    hub.repos[REPO] = NEXT
    with pytest.raises(UserError):
        fetched(wanted(folder, at(NEXT)), store)


def test_parts_go_into_folders_of_their_own(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    hub.repos["owner/second"] = {"b.txt": b"b"}
    parts = [{"kind": "hub", "repo": REPO, "folder": "one", "files": ["README.md"]}]
    parts.append({"kind": "hub", "repo": "owner/second", "folder": "two"})
    given = {"both": {"licence": "MIT", "parts": parts}}
    fetched(FetchRequest("both", find_published("both", given), tmp_path / "set"), store)
    assert content(tmp_path / "set") == {"one/README.md": FILES["README.md"], "two/b.txt": b"b"}
    parts[0]["files"] = ["*.nothing"]
    with raises(UserError, "*.nothing", "owner/name"):
        plan_fetch(FetchRequest("both", find_published("both", given), tmp_path / "set2"), store, HASTY)


def test_files_into_the_store_alone(hub: HubServer, store: DownloadStore, tmp_path: Path) -> None:
    planned: FetchPlan = plan_fetch(wanted(tmp_path / "set", only=("README.md",)), store, HASTY)
    files = download_files(planned, store, policy=HASTY)
    assert [file.read_bytes() for file in files] == [FILES["README.md"]]
    assert not (tmp_path / "set").exists()


def test_the_table_of_sources() -> None:
    known = published_datasets({})
    assert {"animint", "autogui-v2", "osworld-g", "screenspot", "screenspot-v2", "screenspot-pro", "wiserui"} <= set(
        known
    )
    for name, source in known.items():
        assert source.format in PUBLISHED_DATASETS, name
        assert source.licence, name
        assert source.citation, name
        for part in source.parts:
            assert part.pinned or source.notes, name


def test_users_change_rows_and_add_some() -> None:
    part = {"kind": "hub", "repo": "me/mine", "revision": "v1"}
    changed = find_published("animint", {"animint": {"parts": [part]}})
    assert (changed.format, changed.parts[0].repo) == ("animint", "me/mine")
    assert find_published("mine", {"mine": {"parts": [part]}}).parts[0].revision == "v1"
    assert changed.at_revision("abc").parts[0].revision == "abc"


NONSENSE: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("hub:nobody", {}, ("hub:OWNER/NAME",)),
    ("hub:a/../b", {}, ("hub:OWNER/NAME",)),
    ("mine", {"mine": {"parts": []}}, ("sources.mine", "parts")),
    ("mine", {"mine": {"parts": [{"kind": "hub"}]}}, ("repo", "hub")),
    ("mine", {"mine": {"parts": [{"kind": "hub", "repo": "a/b", "folder": "../c"}]}}, ("sources.mine", "folder")),
    ("mine", {"mine": {"parts": [{"kind": "hub", "repo": "a/b"}] * 2}}, ("sources.mine", "folder")),
    ("screenspott", {}, ("'screenspot'",)),
]


def test_rows_that_make_no_sense() -> None:
    for name, given, data in NONSENSE:
        with case((name, given)), raises(UserError, *data):
            find_published(name, given)


def test_only_one_repository_has_another_revision() -> None:
    source: PublishedDataset = find_published("autogui-v2", {})
    with raises(UserError, "--revision", 3):
        source.at_revision("main")


def test_sizes_are_told() -> None:
    sizes = {0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 602_316_816: "602 MB", 1.5e9: "1.5 GB"}
    assert {size: format_bytes(size) for size in sizes} == sizes
