"""The pages of the docs about the studio: their commands exist, and so do their pictures."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from affordance.cli.main import app

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("studio.md", "security.md", "studies.md", "behavior.md")


def commands(text: str) -> list[list[str]]:
    """What is run in blocks and in the running text."""
    blocks = re.findall(r"^affordance .*$", text, re.MULTILINE)
    return [shlex.split(one)[1:] for one in (*blocks, *re.findall(r"`(affordance [^`]*)`", text))]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_has_its_options(page: str) -> None:
    found = commands((DOCS / page).read_text("utf-8"))
    assert found
    for words in found:
        command = get_command(app)
        context = command.make_context("affordance", [], resilient_parsing=True)
        while (
            words and hasattr(command, "get_command") and (below := command.get_command(context, words[0])) is not None
        ):
            command, words = below, words[1:]
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("page", [*PAGES, "participants.md"])
def test_every_picture_and_page_is_there(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    linked = re.findall(r"\]\(([^)#:]+)\)", text)
    assert [one for one in linked if not (DOCS / one).is_file()] == []
