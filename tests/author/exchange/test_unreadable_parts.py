"""Exports of projects of which something cannot be read: that is reported, and the rest is written."""

import json
import os
from pathlib import Path

import exchange_data as data
import pytest

from affordance import media
from affordance.author.exchange.bringing import past_of
from affordance.author.exchange.formats import FORMATS, export
from affordance.author.exchange.results import Facts
from affordance.author.records import Kind
from affordance.cli.main import run_command
from affordance.ledger import DocumentDraft
from author_notes import assert_noted
from errors import assert_carries

FACTS = Facts("shop")


def broken() -> bytes:
    """A picture of the right parts and size with nothing of use in one of them."""
    whole = data.picture()
    start = whole.index(b"IDAT") + 4
    length = int.from_bytes(whole[start - 8 : start - 4])
    return whole[:start] + bytes(length) + whole[start + length :]


@pytest.mark.parametrize("name", FORMATS)
def test_a_document_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    with data.shop(tmp_path / "project") as project:
        project.ledger.documents.write([DocumentDraft(Kind.REGION, "shop/1-0", {"box": "none"}, "person:ann", "shop")])
    arguments = ["author", "export", str(tmp_path / "project"), "--format", name]
    assert run_command([*arguments, "-o", str(tmp_path / "out"), "--json"]) == 3
    written = json.loads(capsys.readouterr().out)["written"]
    (left,) = (one for one in written["left_out"] if one["what"] == "shop")
    assert_carries(left["reason"], "region", "shop/1-0", 2, "person:ann")
    assert written["counts"]["pictures" if name == "pictures" else "screens"] == 1


def test_an_earlier_version_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with data.shop(tmp_path / "project") as project:
        good = project.ledger.documents.latest(kind=Kind.REGION, subject="shop/1-0")[0].document
        for document in ({"box": "none"}, good):
            project.ledger.documents.write([DocumentDraft(Kind.REGION, "shop/1-0", document, "person:ann", "shop")])
    out = str(tmp_path / "out")
    assert run_command(["author", "export", str(tmp_path / "project"), "--format", "cache", "-o", out]) == 0
    assert_noted(capsys.readouterr().out.splitlines(), 2, "region", "shop/1-0")
    assert len(list((tmp_path / "out").rglob("tree.json"))) == 2


@pytest.mark.parametrize("name", ["pictures", "cache", "columns"])
def test_a_picture_that_cannot_be_drawn(tmp_path: Path, name: str) -> None:
    """It was fine when it was looked at first."""
    with data.shop(tmp_path / "project") as project:
        path = project.folder / "media" / "shop.png"
        assert media.probe(path).width == data.SIZE[0]
        before = path.stat()
        path.write_bytes(broken())
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        exported = export(project.states, tmp_path / "out", FACTS, past_of(project), name)
    what = {"pictures": "shop", "cache": "shop", "columns": "shop/outcome-region-g1-2-1"}[name]
    assert [one.what for one in exported.left_out].count(what) == 1
    assert not list((tmp_path / "out").rglob("shop*"))
    assert exported.counts[{"columns": "FuncRegionCap-v2", "cache": "screens"}.get(name, name)] == 1


def test_pictures_have_names_of_their_own(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project:
        data.add_screen(project, "more-mail", shade=50)
        exported = export(project.states, tmp_path / "out", FACTS, past_of(project), "pictures")
    names = sorted(one.name for one in (tmp_path / "out").iterdir())
    assert (len(names), exported.counts["pictures"]) == (3, 3)
    assert {"more-mail.png", "shop.png"} < set(names)
