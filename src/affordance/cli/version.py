"""Version, commit and installed extras of this installation."""

import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from affordance import __version__

# By extra: the modules that it installs, and what they are for.
EXTRAS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "bertscore": (("bert_score",), "BERTScore of explanations: report --bertscore"),
    "capture": (("playwright",), "screens, outcomes and animations from a browser: capture, author pairs"),
    "figures": (("matplotlib",), "figures for print: report --figures"),
    "hub": (("huggingface_hub", "pyarrow"), "Parquet files and publishing datasets: data push"),
    "inspect": (("inspect_ai",), "Inspect in both directions: inspect:PROVIDER/MODEL, import-log"),
    "meteor": (("nltk",), "METEOR of explanations, with WordNet: report --meteor"),
    "ocr": (("rapidocr", "onnxruntime"), "text on screenshots: author elements"),
    "postgres": (("psycopg",), "a ledger or project in Postgres"),
    "ray": (("ray",), "several machines: --engine ray"),
}


def describe_version() -> str:
    extras = ", ".join(name for name in EXTRAS if is_installed(name)) or "none"
    commit = _commit()
    return f"affordance {__version__}{f' ({commit[:12]})' if commit else ''}\nextras: {extras}"


def is_installed(extra: str) -> bool:
    """Whether all modules of an extra can be imported."""
    return all(_is_importable(module) for module in EXTRAS[extra][0])


def _is_importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _commit() -> str:
    """The commit of a source tree, or of an installation from a repository; empty if it is not known."""
    try:
        text = distribution("affordance").read_text("direct_url.json")
        if commit := json.loads(text or "{}").get("vcs_info", {}).get("commit_id"):
            return str(commit)
    except PackageNotFoundError:
        pass
    head = Path(__file__).parents[3] / ".git" / "HEAD"
    try:
        content = head.read_text(encoding="ascii").strip()
        return content if not content.startswith("ref: ") else _read_ref(head.parent, content.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return ""


def _read_ref(folder: Path, name: str) -> str:
    file = folder / name
    if file.is_file():
        return file.read_text(encoding="ascii").strip()
    lines = (folder / "packed-refs").read_text(encoding="ascii").splitlines()
    return next((line.partition(" ")[0] for line in lines if line.endswith(f" {name}")), "")
