"""`affordance doctor`: right about what works, what is missing and what is wrong, and silent about keys."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from affordance.cli.version import EXTRAS
from affordance.core import plugin_registry
from affordance.datasets import Dataset
from cases import case, numbers_in
from errors import assert_carries
from loopback import Loopback, Seen, completion

Command = Callable[..., subprocess.CompletedProcess[str]]
KEY = "sk-planted-4711-do-not-show"


def found_in(result: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    """By name."""
    return {one["name"]: one for one in json.loads(result.stdout)["found"]}


@pytest.fixture
def without_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra is not installed. To start a browser takes a second, which one test does."""
    monkeypatch.setitem(sys.modules, "playwright", None)


async def says_red(seen: Seen, _: web.Request) -> web.StreamResponse:
    assert len(seen.images) == 1
    return completion("Red")


async def repeats_the_key(seen: Seen, request: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": f"wrong key {request.headers['Authorization']}"}}, status=401)


async def takes_no_pictures(seen: Seen, _: web.Request) -> web.StreamResponse:
    if seen.images:
        return web.json_response({"error": {"message": "image_url is not supported"}}, status=400)
    return completion("Blue")


async def is_another_server(seen: Seen, _: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>It works!</html>", content_type="text/html")


def test_everything_is_really_tried(here: Command, tmp_path: Path, primitives: Dataset) -> None:
    with Loopback(says_red) as server:
        model = f"vllm:mine@{server.url}"
        result = here("doctor", "--model", model, "--data", str(primitives.root), "--json", OPENAI_API_KEY=KEY)
    found = found_in(result)
    assert result.returncode == 0, result.stdout
    assert json.loads(result.stdout)["well"] is True
    assert found[model]["state"] == "ok"
    assert "'Red'" in found[model]["text"]
    assert_carries(found["data"]["text"], "primitives", 7)
    assert {found[name]["state"] for name in ("h264", "vp9", "gif", "webp", "apng", "browser", "fonts")} == {"ok"}
    assert_carries(found["openai"]["text"], "OPENAI_API_KEY")
    assert "ANTHROPIC_API_KEY" in found["not set"]["text"]
    assert KEY not in result.stdout + result.stderr
    assert result.stderr == ""
    assert not (tmp_path / "affordance.db").exists()


def test_limits_of_a_model_are_not_sent(here: Command, tmp_path: Path) -> None:
    with Loopback(says_red) as server:
        model = f"vllm:mine@{server.url}"
        settings = f'[models."{model}"]\nmost_images = 1\nvideo = false\ntemperature = "null"\nmax_tokens = 9\n'
        (tmp_path / "affordance.toml").write_text(settings, encoding="utf-8")
        result = here("doctor", "--model", model, "--json")
        (seen,) = server.seen
    assert found_in(result)[model]["state"] == "ok"
    assert {*seen.body} == {"model", "messages", "max_tokens"}


@pytest.mark.usefixtures("without_browser")
def test_what_is_optional_may_be_missing(here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for modules, _ in EXTRAS.values():
        for module in modules:
            monkeypatch.setitem(sys.modules, module, None)
    result = here("doctor", COLUMNS="80")
    assert result.returncode == 0, result.stdout
    for name in EXTRAS:
        assert f"missing  {name}" in result.stdout
        assert f"pip install 'affordance[{name}]'" in result.stdout
    assert numbers_in(result.stdout.splitlines()[-1]) == [len(EXTRAS) + 2]
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_extras_are_those_of_the_package() -> None:

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["optional-dependencies"]) - {"dev", "docs"} == set(EXTRAS)


@pytest.mark.usefixtures("without_browser")
def test_an_endpoint_that_cannot_be_used(here: Command) -> None:
    texts = set()
    for behaviour, data in ((repeats_the_key, "Bearer [key]"), (takes_no_pictures, ""), (is_another_server, "")):
        with Loopback(behaviour) as server:
            model = f"openai:mine@{server.url}"
            result = here("doctor", "--model", model, "--key-env", "OPENAI_API_KEY", "--json", OPENAI_API_KEY=KEY)
        found = found_in(result)[model]
        with case(behaviour.__name__):
            assert (result.returncode, found["state"]) == (2, "wrong")
            assert data in found["text"]
            assert KEY not in result.stdout + result.stderr
        texts.add(found["text"].replace(server.url, ""))
    assert len(texts) == 3, "each has its own reason"


@pytest.mark.usefixtures("without_browser")
def test_models_that_cannot_be_asked(here: Command) -> None:
    with Loopback() as server:
        pass
    names = [f"vllm:mine@{server.url}", "openai:gpt-5", "opnai:x", "baseline:pixel", "baseline:pixels"]
    result = here("doctor", "--json", *(part for name in names for part in ("--model", name)))
    found = found_in(result)
    assert result.returncode == 2
    assert "http://127.0.0.1" in found[names[0]]["text"]
    assert found[names[0]]["remedy"]
    assert "OPENAI_API_KEY" in found["openai:gpt-5"]["text"]
    assert "'openai'" in found["opnai:x"]["text"]
    assert "'pixels'" in found["baseline:pixel"]["text"]
    assert found["baseline:pixels"]["state"] == "ok"


@pytest.mark.usefixtures("without_browser")
def test_ledger_and_settings(here: Command, tmp_path: Path) -> None:
    assert found_in(here("doctor", "--json"))["ledger"]["state"] == "ok"
    (tmp_path / "affordance.db").write_text("Dear diary, " * 100)
    (tmp_path / "affordance.toml").write_text("[run]\ncolour = 1\n")
    result = here("doctor", "--data", "nowhere", "--json")
    found = found_in(result)
    assert result.returncode == 2
    assert found["ledger"]["state"] == found["affordance.toml"]["state"] == found["data"]["state"] == "wrong"
    assert_carries(found["affordance.toml"]["text"], "'run'", "'colour'")
    assert numbers_in(here("doctor", "--data", "nowhere").stdout.splitlines()[-1])[0] == 3
    assert found_in(here("doctor", "--ledger", "no/where.db", "--json"))["ledger"]["state"] == "wrong"


@pytest.mark.usefixtures("without_browser")
def test_what_looks_right_is_tried(here: Command, tmp_path: Path) -> None:
    """Where nothing can be written though it may be, and a value that no command can take."""
    (tmp_path / "affordance.toml").write_text('[run]\nconcurrency = "many"\n')
    found = found_in(here("doctor", "--ledger", "/proc/x.db", "--json", AFFORDANCE_CACHE="/proc/x"))
    assert {found[name]["state"] for name in ("ledger", "cache", "affordance.toml")} == {"wrong"}
    assert "/proc/x.db" in found["ledger"]["text"]
    assert "/proc/x" in found["cache"]["text"]
    assert_carries(found["affordance.toml"]["text"], "--concurrency", "'many'")
    assert not list(tmp_path.glob(".affordance-*"))


@pytest.mark.usefixtures("without_browser")
def test_a_ledger_tells_its_version(here: Command, primitives: Dataset) -> None:
    ran = here(
        "run", "motion/effect", "--model", "oracle", "--data", str(primitives.root), "--trials", "1", "--limit", "1"
    )
    assert ran.returncode == 0
    told = found_in(here("doctor", "--json"))["ledger"]
    assert told["state"] == "ok"
    assert told["text"].startswith("affordance.db: ")
    assert numbers_in(told["text"])[1] == 1, "runs"


def test_a_browser_that_is_none(here: Command) -> None:
    found = found_in(here("doctor", "--json", AFFORDANCE_BROWSER="/nowhere/chromium"))
    assert found["browser"]["state"] == "wrong"
    assert "/nowhere/chromium" in found["browser"]["text"]


@pytest.fixture
def broken_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package, as Python finds it, whose module is not there; and one that is right."""
    folder = tmp_path / "site" / "others-1.2.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.2\n")
    (folder / "entry_points.txt").write_text("[affordance.models]\nlost = not_there:build\nfine = json:dumps\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    caches = (plugin_registry.entry_points_by_name, plugin_registry._entry_points)
    for one in caches:
        one.cache_clear()
    yield
    monkeypatch.undo()
    for one in caches:
        one.cache_clear()


@pytest.mark.usefixtures("without_browser", "broken_plugin")
def test_plugins_are_loaded(here: Command) -> None:
    result = here("doctor", "--json")
    found = found_in(result)
    assert result.returncode == 2
    assert found["model lost"]["state"] == "wrong"
    assert "others 1.2" in found["model lost"]["text"]
    assert found["model fine"]["state"] == "ok"
    assert "others 1.2" in found["model fine"]["text"]
