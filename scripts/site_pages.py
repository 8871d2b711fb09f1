"""A hook of mkdocs: the pages of the site that are not files in docs/.

The reference is written from the code, the changelog and the contributor's page come from the top of the repository,
and the colours are those of the report.
"""

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from reference import pages
from reference.commands import FOLDER

import affordance

ROOT = Path(__file__).parents[1]
COPIED = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
LOOK = "report/templates/look.css"
ICON = "studio/static/icon.svg"

_generated: dict[str, str] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write the pages, and put a line for every command where the nav has their index."""
    _generated.clear()
    _generated.update(pages())
    for path, source in COPIED.items():
        _generated[path] = _as_page((ROOT / source).read_text(encoding="utf-8"))
    _expand(config.nav or [])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    package = Path(affordance.__file__).parent
    for path, text in _generated.items():
        files.append(File.generated(config, path, content=text))
    files.append(File.generated(config, "stylesheets/look.css", content=_look((package / LOOK).read_text())))
    files.append(File.generated(config, "images/icon.svg", content=(package / ICON).read_text()))
    return files


def _as_page(text: str) -> str:
    """Links from the top of the repository are links within docs/."""
    return re.sub(r"\]\(docs/", "](", text).replace("](CONTRIBUTING.md", "](contributing.md")


def _look(css: str) -> str:
    """The colours of the report. There the system chooses between light and dark; here a reader can, too."""
    light, _, rest = css.partition("@media (prefers-color-scheme: dark)")
    dark = rest[rest.index("{") + 1 : rest.rindex("}")]
    return light.replace("color-scheme: light dark;", "") + dark.replace(":root", '[data-md-color-scheme="slate"]')


def _expand(nav: list[Any]) -> None:
    for place, entry in enumerate(nav):
        for title, value in entry.items() if isinstance(entry, dict) else ():
            if value == f"{FOLDER}/index.md":
                index, *others = (path for path in _generated if path.startswith(f"{FOLDER}/"))
                nav[place] = {title: [index, *({Path(path).stem: path} for path in others)]}
            elif isinstance(value, list):
                _expand(value)
