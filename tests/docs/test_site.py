"""The documentation site: built once, strictly; opens as files, offline, with every link, picture and page in place.
That takes half a minute and is part of `make test-all`; sources and generated pages are checked without a build."""

import html
import inspect
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown.extensions.toc import slugify
from playwright.sync_api import BrowserContext
from typer.main import get_command

import affordance
from affordance.cli.help import help_page
from affordance.cli.main import app
from affordance.evaluation.run_config import run_options
from affordance.tasks.registry import TASKS
from doc_blocks import ROOT
from patience import PATIENCE

FENCED = re.compile(r"^( *)(`{3,}).*?^\1\2 *$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LOADING = {  # what a browser fetches by itself
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "link": "href",
}


class Read(HTMLParser):
    """What a page points at, and what can be pointed at in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADING and found.get(LOADING[tag]):
            self.loaded.append(found[LOADING[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Read]:
    return {path: Read(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


@pytest.mark.long
def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Read]) -> None:
    elsewhere = [(path.name, one) for path, page in pages.items() for one in page.loaded if urlsplit(one).netloc]
    assert elsewhere == []
    styles = [path for path in site.rglob("*.css") if "url(http" in path.read_text(encoding="utf-8").replace('"', "")]
    assert styles == []


@pytest.mark.long
def test_links_anchors_and_pictures_are_there(site: Path, pages: dict[Path, Read]) -> None:
    missing = []
    for path, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchors = pages[target].ids if target in pages else {parts.fragment}
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in anchors):
                missing.append((path.relative_to(site), link))
    assert missing == []


def test_links_from_the_top_of_the_repository_are_there() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        links = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text(encoding="utf-8"))
        assert [link for link in links if not urlsplit(link).scheme and not (ROOT / link).exists()] == []


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """All pages of the site as Markdown, by their path in it: those in docs/, and those that are written from the
    code."""
    script = "import json, reference; print(json.dumps(reference.pages()))"
    paths = os.pathsep.join([str(ROOT / "scripts"), str(ROOT / "src")])
    made = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    copied = {name.lower(): (ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CONTRIBUTING.md")}
    folder = ROOT / "docs"
    written = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.md")}
    return {**copied, **json.loads(made.stdout), **written}


def anchors(text: str) -> set[str]:
    """What can be pointed at in a page, as far as it is written in it."""
    headings = re.findall(r"^#+ +(.*?)(?: *\{.*\})?$", FENCED.sub("", text), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {slugify(one, "-") for one in plain} | set(re.findall(r"""(?:\{ *#|id=")([\w.:-]+)""", text))


def test_links_between_pages_are_there(sources: dict[str, str]) -> None:
    missing, followed = [], 0
    for path, text in sources.items():
        folder = ROOT if path in ("changelog.md", "contributing.md") else ROOT / "docs" / Path(path).parent
        for link in re.findall(r"(?<!`)\]\(<?([^)\s>]+)", FENCED.sub("", text)):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or folder == ROOT:
                continue
            followed += 1
            target = (folder / unquote(parts.path)).resolve() if parts.path else ROOT / "docs" / path
            name = target.relative_to(ROOT / "docs").as_posix() if target.is_relative_to(ROOT / "docs") else ""
            if name not in sources and not target.is_file():
                missing.append((path, link))
            known = sources.get(name, ":::")  # a page of mkdocstrings has anchors of its own
            if parts.fragment and ":::" not in known and unquote(parts.fragment) not in anchors(known):
                missing.append((path, link))
    assert missing == []
    assert followed > 200


def test_pages_written_from_the_code_have_every_command_option_and_task(sources: dict[str, str]) -> None:
    for name, command in get_command(app).commands.items():
        if command.hidden:
            continue
        text = sources[f"reference/commands/{name}.md"]
        for one in getattr(command, "commands", {name: command}).values():
            if one.hidden:
                continue
            options = [max(each.opts, key=len) for each in one.params if not getattr(each, "hidden", False)]
            assert [option for option in options if option.startswith("--") and option not in text] == [], name
    tasks = sources["reference/tasks.md"]
    assert [name for name in TASKS if name not in tasks] == []
    python = sources["reference/python.md"]
    assert [name for name in affordance.__all__ if name != "__version__" and name not in python] == []


@pytest.mark.long
def test_every_page_can_be_reached_from_the_first(site: Path, pages: dict[Path, Read]) -> None:
    reached, waiting = {site / "index.html"}, [site / "index.html"]
    while waiting:
        path = waiting.pop()
        for link in pages[path].links:
            target = (path.parent / unquote(urlsplit(link).path)).resolve()
            if not urlsplit(link).scheme and target in pages and target not in reached:
                reached.add(target)
                waiting.append(target)
    assert set(pages) - reached == set()


@pytest.mark.long
def test_the_reference_has_every_command_option_and_task(site: Path, pages: dict[Path, Read]) -> None:
    folder = site / "reference"
    commands = {name: one for name, one in get_command(app).commands.items() if not one.hidden}
    for name, command in commands.items():
        text = pages[folder / "commands" / f"{name}.html"].text
        within = {f"{name} {inner}": one for inner, one in getattr(command, "commands", {}).items()} or {name: command}
        for path, one in within.items():
            usage = help_page(one.context_class(one, info_name=f"affordance {path}")).usage.removesuffix(" COMMAND ...")
            assert html.escape(usage, quote=False) in text, "as the help page has it"
            options = [max(each.opts, key=len) for each in one.params if not getattr(each, "hidden", False)]
            assert [option for option in options if option.startswith("--") and option not in text] == [], path
    tasks = pages[folder / "tasks.html"]
    assert [name for name in TASKS if name.replace("/", "-") not in tasks.ids] == []


@pytest.mark.long
def test_the_python_reference_tells_functions_first_and_every_option(site: Path, pages: dict[Path, Read]) -> None:
    text = pages[site / "reference" / "python.html"].text
    order = [name for name in re.findall(r'<h2 id="affordance\.[\w.]*?(\w+)"', text) if name != "Row"]
    kinds = [inspect.isclass(getattr(affordance, name)) for name in order]
    assert (set(order), kinds) == (set(affordance.__all__) - {"__version__"}, sorted(kinds))
    told = {name for name in run_options() if f"<code>{name}</code>" in html.unescape(text)}
    assert told == run_options().keys()
    examples = "".join(re.findall(r"<pre>.*?</pre>", text, re.DOTALL))
    for name in ("estimate", "evaluate", "results", "compare", "choose", "load"):
        assert re.search(rf"affordance\.{name}\(", re.sub(r"<[^>]+>", "", examples)), name


@pytest.mark.long
def test_what_a_plugin_is_made_of_is_told_field_by_field(site: Path, pages: dict[Path, Read]) -> None:
    parts = re.split(r'<h2 id="affordance\.', pages[site / "reference" / "extending.html"].text)
    told = {part.partition('"')[0].rpartition(".")[2]: part for part in parts[1:]}
    for name in ("Question", "Ask", "Reply", "Picture", "Choice", "Locate", "Box", "ModelName", "Surroundings"):
        fields = re.findall(r"<tr>\s*(<td.*?)</tr>", told[name], re.DOTALL)
        assert fields, name
        assert [one for one in fields if re.search(r"<td[^>]*></td>\s*$", one)] == [], name


def test_a_page_is_in_the_nav_once() -> None:
    paths = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2], re.M)
    assert len(paths) > 40
    assert sorted(paths) == sorted(set(paths))
    assert {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} <= set(paths)


@pytest.mark.long
def test_it_is_searched_without_a_server_or_a_network(site: Path, context: BrowserContext) -> None:
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.locator("input.md-search__input").press_sequentially("calibrate")
    page.locator('a.md-search-result__link[href*="reference/commands/calibrate.html"]').first.wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((site / "reference" / "providers.html").as_uri())
    wide = page.locator(".md-typeset__scrollwrap").first
    assert wide.evaluate("one => one.scrollWidth > one.clientWidth")
    assert "gradient" in wide.evaluate("one => getComputedStyle(one).backgroundImage"), "a fade marks the cut-off edge"
    page.goto((site / "function.html").as_uri())
    word = page.locator(".language-console .k", has_text="function").first
    assert word.evaluate("one => getComputedStyle(one).color == getComputedStyle(one.parentNode).color")
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []
