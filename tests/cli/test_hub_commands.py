"""`affordance data fetch` and `push`."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from affordance import media
from affordance.integrations.hub import github
from cases import numbers_in
from errors import assert_carries, assert_user_error
from hub_server import HubServer, answers, commit_of

Command = Callable[..., subprocess.CompletedProcess[str]]

TASKS = [
    {"id": "a", "image_path": "a.png", "image_size": [9, 9], "instruction": "x", "box_type": "refusal"},
]
OSWORLD = {
    "README.md": b"# OSWorld-G",
    "benchmark/OSWorld-G.json": json.dumps(TASKS).encode(),
    "benchmark/images/a.png": media.encode_image(np.zeros((9, 9, 3), np.uint8)),
}
WISERUI = {"WiserUI_Bench.json": b'[{"index": 0, "win_url": null, "lose_url": null, "source": "s", "rationale": []}]'}


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Of its own: how much there is to fetch depends on what others have fetched."""
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    repos = {"xlang-ai/OSWorld-G": OSWORLD, "jeochris/wiserui-bench": WISERUI, "owner/name": {"a.txt": b"abc"}}
    with HubServer(repos) as server:
        yield server


def test_a_benchmark_is_fetched_checked_and_not_fetched_again(
    here: Command, hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github, "GITHUB_URL", hub.url)
    dry = here("data", "fetch", "osworld-g", "set", "--dry-run")
    assert dry.returncode == 0
    assert not (tmp_path / "set").exists()
    assert_carries(" ".join(dry.stdout.split()), "Apache-2.0", "xlang-ai/OSWorld-G")
    done = here("data", "fetch", "osworld-g", "set", "--accept-licence")
    assert done.returncode == 0
    assert "Apache-2.0" in done.stderr
    files, commit, following = done.stdout.splitlines()
    assert numbers_in(files) == [2, 176]
    assert_carries(commit, "xlang-ai/OSWorld-G", "main", commit_of(OSWORLD))
    assert_carries(following, "affordance data check osworld-g:set/benchmark")
    assert here("data", "check", "osworld-g:set/benchmark").returncode == 0
    asked = len(hub.seen)
    again = here("data", "fetch", "osworld-g", "set", "--json")
    assert len(hub.seen) == asked
    found = json.loads(again.stdout)
    assert (found["fetched"], found["parts"][0]["commit"]) == (0, commit_of(OSWORLD))
    assert found["next"] == ["affordance data check osworld-g:set/benchmark"]


def test_a_benchmark_without_a_folder_is_found_by_its_name(
    here: Command, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github, "GITHUB_URL", hub.url)
    assert_user_error(here("data", "check", "osworld-g"), "affordance data fetch osworld-g")
    done = here("data", "fetch", "osworld-g", "--accept")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "next: affordance data check osworld-g"
    assert here("data", "check", "osworld-g").returncode == 0


def test_what_would_be_fetched_is_listed(here: Command, hub: HubServer, tmp_path: Path) -> None:
    dry = here("data", "fetch", "hub:owner/name", "set", "--dry-run", HF_ENDPOINT=hub.url)
    assert dry.returncode == 0
    assert numbers_in(dry.stdout.splitlines()[-1]) == [1, 3], "files and bytes"
    assert_carries(" ".join(dry.stdout.split()), "mit", "owner/name", "a.txt", hub.url)
    assert not (tmp_path / "set").exists()


def test_without_a_terminal_a_licence_is_accepted_by_an_option(here: Command, hub: HubServer, tmp_path: Path) -> None:
    result = here("data", "fetch", "hub:owner/name", "set", HF_ENDPOINT=hub.url)
    assert_user_error(result, "--accept-licence")
    assert "mit" in result.stderr
    assert not (tmp_path / "set").exists()


def test_the_list_of_images_is_fetched_too(
    here: Command, hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github, "GITHUB_RAW_URL", hub.url)
    command = ("data", "fetch", "wiserui", "set", "--revision", "main")
    dry = here(*command, "--dry-run")
    assert (dry.returncode, "jeochris/wiserui-bench" in dry.stdout) == (0, True)
    result = here(*command, "--accept-licence")
    assert result.returncode == 0
    assert (tmp_path / "set" / "WiserUI_Bench.json").read_bytes() == WISERUI["WiserUI_Bench.json"]
    last = result.stdout.splitlines()[-1]
    assert_carries(last, "set/fetch.json")
    assert numbers_in(last) == [0, 2]
    assert here(*command, "--accept-licence", "--offline").returncode == 2


def test_image_hosts_see_the_name_that_the_user_gives(here: Command, hub: HubServer, tmp_path: Path) -> None:
    row = {
        "index": 0,
        "win_url": f"{hub.url}/owner/name/main/win.png",
        "lose_url": None,
        "source": "s",
        "rationale": [],
    }
    (tmp_path / "table.json").write_text(json.dumps([row]))
    command = ("data", "fetch", "wiserui", "set", "--json-file", "table.json", "--accept-licence")
    hub.troubles["/owner/name/main/win.png"] = answers(403, 99)
    refused = here(*command)
    assert refused.returncode == 3
    assert "--user-agent" in refused.stdout
    (asked,) = hub.asked("win.png")
    assert asked.headers["User-Agent"].startswith("affordance/")
    hub.seen.clear()
    here(*command, "--user-agent", "Mozilla/5.0")
    assert {one.headers["User-Agent"] for one in hub.asked("win.png")} == {"Mozilla/5.0"}
    assert_user_error(here("data", "fetch", "screenspot", "set", "--user-agent", "x"), "wiserui")


def test_a_benchmark_of_ones_own_goes_out_and_comes_back(here: Command, hub: HubServer, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    (root / "media").mkdir(parents=True)
    (root / "media" / "a.png").write_bytes(OSWORLD["benchmark/images/a.png"])
    header = {"format": 1, "kind": "screen", "name": "Mine", "licence": "MIT", "provenance": "me", "synthetic": False}
    (root / "dataset.json").write_text(json.dumps(header))
    (root / "items.jsonl").write_text('{"id": "a", "image": "media/a.png", "width": 9, "height": 9}\n')
    dry = here("data", "push", "mine")
    assert dry.returncode == 0
    assert "test-00000-of-00001.parquet" in dry.stdout
    assert (tmp_path / "mine-hub" / "README.md").is_file()
    keyless = here("data", "push", "mine", "-o", "out", "--to", "you/mine", HF_ENDPOINT=hub.url, HF_TOKEN="")
    assert_user_error(keyless, "HF_TOKEN")
    named = here("data", "push", "mine", "-o", "out", "--to", "mine", HF_ENDPOINT=hub.url, HF_TOKEN="hf_x")
    assert_user_error(named, "--to", "OWNER/NAME")
    assert not (tmp_path / "out").exists()
    refused = here("data", "push", "mine", "-o", "out", "--to", "you/mine", HF_ENDPOINT=hub.url, HF_TOKEN="hf_x")
    assert refused.returncode == 2
    *before, last = refused.stderr.splitlines()
    assert_carries(last, "--yes")
    assert any("5 " in line and "you/mine" in line and hub.url in line for line in before)
    assert "you/mine" not in hub.repos
    command = ("data", "push", "mine", "-o", "out", "--to", "you/mine", "--yes", "--json")
    done = here(*command, HF_ENDPOINT=hub.url, HF_TOKEN="hf_x")
    assert done.returncode == 0
    assert json.loads(done.stdout)["uploaded"].startswith(f"{hub.url}/datasets/you/mine/commit/")
    assert here("data", "fetch", "hub:you/mine", "back", "--accept-licence", HF_ENDPOINT=hub.url).returncode == 0
    assert (tmp_path / "back" / "items.jsonl").read_bytes() == (root / "items.jsonl").read_bytes()
    assert here("data", "check", "back").returncode == 0
