"""What people correct in the studio goes on: to `author reannotate`, to those who validate, and into every export."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from affordance.author.project import open_project
from affordance.cli.main import run_command
from affordance.datasets import Screen
from affordance.datasets.folder import load_folder
from author_world import author_model
from loopback import Loopback
from studio_world import Server, make_project, serving

SCREEN = "screen-1"
_keys = itertools.count(1)


def save(server: Server, kind: str, name: str, after: int, **values: Any) -> None:
    edits = [{"kind": kind, "name": name, "after": after, "set": values}]
    found = server.post("/api/strokes", {"screen": SCREEN, "key": f"{next(_keys):032x}", "edits": edits})
    assert found.status == 200, found.body


def pixels(*xyxy: int) -> dict[str, Any]:
    return {"space": "pixel", "xyxy": list(xyxy)}


def author(*arguments: object) -> int:
    return run_command(["author", *map(str, arguments)])


def listed(server: Server) -> dict[str, Any]:
    return next(one for one in server.get("/api/screens").json["screens"] if one["id"] == SCREEN)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_corrected_boxes_are_described_again_validated_and_exported(tmp_path: Path, postgres_url: str) -> None:
    """On Postgres; the other tests are on SQLite."""
    url, db = postgres_url, ("--db", postgres_url)
    project = make_project(tmp_path / "project", screens=2, regions=8, db=url)
    with serving(project, *db) as server, Loopback(author_model()) as model:
        save(server, "region", "1-0", 1, box=pixels(4, 4, 190, 780))
        save(server, "region", "n-abcdefgh", 0, box=pixels(20, 20, 120, 90), parent="1-0")
        save(server, "region", "1-1", 1, gone=True)
        assert (listed(server)["corrected"], listed(server)["untold"]) == (2, 2)

        before = listed(server)["unvalidated"]
        assert author("reannotate", project, *db, "--model", f"openai:m@{model.url}", "--quiet") == 0
        assert len(model.seen) == 2
        assert (listed(server)["untold"], listed(server)["unvalidated"] - before) == (0, 2)

        said = {"contextual": True, "purposeful": True, "truthful": True}
        save(server, "validation", "1-0", 0, **said, box=pixels(4, 4, 190, 780))
        save(server, "validation", "n-abcdefgh", 0, **said | {"truthful": False}, rejected=True, note="no such list")
        assert (listed(server)["validated"], listed(server)["rejected"]) == (1, 1)

    with open_project(project, url, read_only=True) as opened:
        told = opened.state(SCREEN).retellings["1-0"].functionality
    assert author("export", project, *db, "-o", tmp_path / "out") == 0
    (item,) = [one for one in load_folder(tmp_path / "out" / "screens").items if one.id == SCREEN]
    assert isinstance(item, Screen)
    regions = {one.id: one for one in item.regions}
    assert (regions["1-0"].box.xyxy, regions["1-0"].functionality) == ((4, 4, 190, 780), told)
    assert "1-1" not in regions  # deleted
    assert "n-abcdefgh" not in regions  # rejected


def test_a_drawn_region_is_in_every_form_of_export_and_comes_back_with_its_name(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", screens=1, regions=4)
    with serving(project) as server:
        save(server, "region", "n-abcdefgh", 0, box=pixels(20, 20, 123, 90), parent="1-0")
        save(server, "region", "n-bcdefghi", 0, box=pixels(30, 30, 77, 70), parent="n-abcdefgh")
    for form in ("cache", "coco", "label-studio", "pictures"):
        assert author("export", project, "-o", tmp_path / form, "--format", form) == 0
    nodes = next((tmp_path / "cache").rglob("tree.json"))
    tree = json.loads(nodes.read_text("utf-8"))
    assert (tree["2-0"]["bbox_global"], tree["2-0"]["children"]) == ([20, 20, 123, 90], ["3-0"])
    assert tree["1-0"]["children"] == ["2-0"]
    coco = json.loads(next((tmp_path / "coco").rglob("*.json")).read_text("utf-8"))
    assert [20, 20, 103, 70] in [one["bbox"] for one in coco["annotations"]]

    assert author("export", project, "-o", tmp_path / "out") == 0
    assert author("import", project, tmp_path / "out") == 0
    with open_project(project, read_only=True) as opened:
        regions = opened.state(SCREEN).regions
    assert set(regions) == {"0-0", "1-0", "1-1", "1-2", "1-3", "n-abcdefgh", "n-bcdefghi"}
    assert list(regions)[:5] == ["0-0", "1-0", "1-1", "1-2", "1-3"]
