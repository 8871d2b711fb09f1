"""`affordance data fetch` and `push`."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from affordance import media
from cases import numbers_in
from errors import assert_carries, assert_user_error
from hub_server import HubServer, commit_of

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


def test_a_benchmark_is_fetched_checked_and_there_for_ever(here: Command, hub: HubServer, tmp_path: Path) -> None:
    told = here("data", "fetch", "osworld-g", "set", "--from", hub.url, "--dry-run")
    assert told.returncode == 0
    assert numbers_in(told.stdout.splitlines()[-1]) == [2, 176], "files and bytes"
    assert not (tmp_path / "set").exists()
    for part in ("Apache-2.0", "xlang-ai/OSWorld-G", commit_of(OSWORLD), hub.url):
        assert part in told.stdout
    done = here("data", "fetch", "osworld-g", "set", "--from", hub.url, "--accept-licence")
    assert done.returncode == 0
    assert "Apache-2.0" in done.stderr
    files, commit, following = done.stdout.splitlines()
    assert numbers_in(files) == [2, 176, 176]
    assert_carries(commit, "xlang-ai/OSWorld-G", "main", commit_of(OSWORLD))
    assert_carries(following, "affordance data check osworld-g:set/benchmark")
    assert here("data", "check", "osworld-g:set/benchmark").returncode == 0
    asked = len(hub.seen)
    again = here("data", "fetch", "osworld-g", "set", "--from", hub.url, "--json")
    assert len(hub.seen) == asked
    found = json.loads(again.stdout)
    assert (found["fetched"], found["parts"][0]["commit"]) == (0, commit_of(OSWORLD))
    assert found["next"] == ["affordance data check osworld-g:set/benchmark"]


def test_without_a_terminal_a_licence_is_accepted_by_an_option(here: Command, hub: HubServer, tmp_path: Path) -> None:
    result = here("data", "fetch", "hub:owner/name", "set", HF_ENDPOINT=hub.url)
    assert_user_error(result, "--accept-licence")
    assert "mit" in result.stderr
    assert not (tmp_path / "set").exists()


def test_users_sources_are_in_the_settings(here: Command, hub: HubServer, tmp_path: Path) -> None:
    row = '[sources.mine]\nlicence = "CC0-1.0"\nparts = [{ kind = "hub", repo = "owner/name" }]\n'
    (tmp_path / "affordance.toml").write_text(row)
    result = here("data", "fetch", "mine", "set", "--accept-licence", HF_ENDPOINT=hub.url)
    assert (result.returncode, (tmp_path / "set" / "a.txt").read_bytes()) == (0, b"abc")
    assert "affordance data check FORMAT:set" in result.stdout
    (tmp_path / "affordance.toml").write_text("[sources.mine]\nplaces = 3\n")
    result = here("data", "fetch", "mine", "other", "--accept-licence")
    assert_user_error(result, "affordance.toml", "sources.mine")


def test_the_list_of_pictures_is_fetched_too(here: Command, hub: HubServer, tmp_path: Path) -> None:
    command = ("data", "fetch", "wiserui", "set", "--from", hub.url, "--revision", "main")
    told = here(*command, "--dry-run")
    assert (told.returncode, "WiserUI_Bench.json" in told.stdout) == (0, True)
    result = here(*command, "--accept-licence")
    assert result.returncode == 0
    assert (tmp_path / "set" / "WiserUI_Bench.json").read_bytes() == WISERUI["WiserUI_Bench.json"]
    last = result.stdout.splitlines()[-1]
    assert_carries(last, "set/fetch.json")
    assert numbers_in(last) == [0, 2]
    assert here(*command, "--accept-licence", "--offline").returncode == 2


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
