"""The published cache layout: round trips, folders as others leave them, and what is wrong with some of them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import exchange_data as data
import published_cache_files as files
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from affordance.author.exchange.bringing import bring_in, past_of
from affordance.author.exchange.cache_reading import read_cache
from affordance.author.exchange.cache_writing import Layout, write_cache
from affordance.author.exchange.results import Imported, ReadScreen
from affordance.author.project import create_project, open_project
from affordance.author.records import Division, Kind, Region, RegionType, Retelling
from affordance.author.state import Change
from affordance.cli.main import run_command
from affordance.core.digest import digest_folder
from affordance.core.errors import DataError
from author_notes import assert_noted, assert_notes
from errors import raises

LAYOUT = Layout("shop", "some-model", "v3")


def versions(screen: ReadScreen, kind: Kind, node: str) -> list[Any]:
    steps = [one for one in screen.steps if (one.change.kind, one.change.subject) == (kind, f"{screen.id}/{node}")]
    return [one.change.document for one in steps]


def only(found: Imported) -> ReadScreen:
    (screen,) = found.screens
    return screen


def nodes_of(screen: ReadScreen) -> list[str]:
    found = [one.change.subject.rpartition("/")[2] for one in screen.steps if one.change.kind is Kind.REGION]
    return list(dict.fromkeys(found))


def exported(folder: Path, out: Path) -> None:
    with open_project(folder) as project:
        write_cache(project.states, out, past_of(project), LAYOUT)


def through_a_project(source: Path, project: Path, out: Path) -> Imported:
    """Imports a folder into a new project, and exports that."""
    found = read_cache(source)
    create_project(project, None)
    with open_project(project) as opened:
        bring_in(opened, found)
    exported(project, out)
    return found


def test_what_is_exported(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project:
        written = write_cache(project.states, tmp_path / "out", past_of(project), LAYOUT)
    assert (written.counts["screens"], written.counts["regions"], written.counts["corrections"]) == (2, 14, 4)
    place = tmp_path / "out" / "cache" / "shop" / "some-model" / "v3" / "more" / "mail"
    assert sorted(one.name for one in place.iterdir()) == ["nodes", "root.png", "stack.json", "tree.json"]
    assert sorted(one.name for one in (place / "nodes").glob("2-1*")) == [
        "2-1.json",
        "2-1.png",
        "2-1_fix20260203.json",
        "2-1_fix20260205.json",
        "2-1_meta_reannotated20260205_some-model.json",
        "2-1_region-type.json",
    ]
    tree = json.loads((place / "tree.json").read_text())
    assert list(tree) == ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "2-7"]
    leaf, root = tree["2-1"], tree["0-0"]
    assert list(leaf) == [
        "root_image_path", "node_image_path", "root_size(wxh)", "resized_size", "longest_imgsize", "bbox_global",
        "bbox_global_norm", "bbox_parent", "bbox_parent_norm", "type", "dividable", "description", "functionality",
        "children", "raw_response", "timestamp",
    ]  # fmt: skip
    assert leaf["bbox_global"] == [220, 80, 400, 380]
    assert leaf["bbox_parent"] == [220, 20, 400, 320]
    assert leaf["timestamp"] == "2026-02-01 10:00:00"
    assert (root["children"], root["selected_idx"], root["bbox_parent"]) == (["1-0", "1-1"], 1, [0, 0, 1, 1])
    assert [one["bbox"] for one in json.loads(root["all_responses"][1])] == [
        [0, 0, 1000, 1000],
        [0, 0, 1000, 150],
        [0, 150, 1000, 1000],
    ]
    assert tree["1-0"]["functionality"]["wo_context"] == "Shows buttons by itself"
    fix = json.loads((place / "nodes" / "2-1_fix20260205.json").read_text())
    assert fix["bbox_global"] == [225, 85, 395, 375]
    assert fix["correction_info"] == {
        "original_bbox_global": [220, 80, 400, 380],
        "corrected_at": "2026-02-05T16:45:10+00:00",
        "source": "manual_correction_ui",
    }


def test_a_screen_takes_two_queries_whatever_is_in_it(tmp_path: Path) -> None:
    """One for what stands, one for all that was before."""
    with data.shop(tmp_path / "project"):
        pass
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    with open_project(tmp_path / "project", read_only=True) as project:
        event.listen(Engine, "before_cursor_execute", note)
        try:
            written = write_cache(project.states, tmp_path / "out", past_of(project), LAYOUT)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    assert written.counts["screens"] == 2
    assert len([one for one in asked if "author_revisions" in one]) == 2 + 2 * 2  # the first two: which screens


def test_a_round_trip_gives_the_same_bytes(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project:
        write_cache(project.states, tmp_path / "one", past_of(project), LAYOUT)
    found = through_a_project(tmp_path / "one", tmp_path / "second", tmp_path / "two")
    assert found.left_out == []
    assert digest_folder(tmp_path / "two") == digest_folder(tmp_path / "one")


def test_a_round_trip_keeps_what_was_known(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project:
        before = project.state("shop")
        write_cache(project.states, tmp_path / "one", past_of(project), LAYOUT)
    through_a_project(tmp_path / "one", tmp_path / "second", tmp_path / "two")
    with open_project(tmp_path / "second") as second:
        after = second.state("shop")
        past = past_of(second)("shop", Kind.REGION, "2-1")
    assert list(after.regions) == list(before.regions)
    for node, region in before.regions.items():
        again = after.regions[node]
        same = ("box", "parent", "type", "dividable", "description", "functionality", "scores")
        assert {name: getattr(again, name) for name in same} == {name: getattr(region, name) for name in same}
    assert after.corrected == before.corrected == {"2-1"}
    assert [(one.author, one.when[:10]) for one in past] == [
        ("imported", "2026-02-01"),
        ("person:imported", "2026-02-03"),
        ("person:imported", "2026-02-05"),
    ]
    assert {node: (one.type, one.subtype, one.inherited) for node, one in after.types.items()} == {
        node: (one.type, one.subtype, one.inherited) for node, one in before.types.items()
    }
    assert after.retellings["2-1"].functionality == "Sells the second thing"
    assert after.validations == before.validations
    assert after.usable() == before.usable()
    assert after.elements == before.elements
    groups = after.element_groups
    assert groups is not None
    assert groups.groups[0].members == data.ELEMENT_GROUP.members
    asked = {name for name, one in data.QUESTIONS.items() if (one.form, one.level) == ("ground", "element")}
    assert set(after.questions) == asked - {"ground-element-1-2"}  # which was dropped
    for name, one in after.questions.items():
        assert (one.box, one.expressions) == (before.questions[name].box, before.questions[name].expressions)


def test_a_published_folder(tmp_path: Path) -> None:
    files.write_cache_folder(tmp_path)
    found = read_cache(tmp_path)
    screen = only(found)
    assert (screen.id, screen.size, screen.image.name) == ("apps/calc", files.SIZE, "root.png")
    assert nodes_of(screen) == ["0-0", "1-0", "1-1", "1-5", "2-3", "2-4"]
    (first,) = versions(screen, Kind.REGION, "1-0")
    assert isinstance(first, Region)
    assert (first.parent, first.type, first.dividable) == ("0-0", "kind of 1-0", True)
    assert (first.description.with_context, first.functionality.wo_context) == ("1-0 with", "does 1-0 alone")
    (failed,) = versions(screen, Kind.REGION, "1-5")
    assert (failed.functionality.with_context, failed.functionality.wo_context) == ("does 1-5", None)
    (division,) = versions(screen, Kind.DIVISION, "1-5")
    assert isinstance(division, Division)
    assert (division.proposals, division.selected) == ([], None)
    assert division.reason
    assert versions(screen, Kind.DIVISION, "2-3") == []
    (divided,) = versions(screen, Kind.DIVISION, "1-0")
    assert (divided.selected, len(divided.proposals), divided.proposals[1].accepted) == (1, 2, True)
    assert [one.box.xyxy for one in divided.proposals[1].children] == [(0, 0, 400, 80), (400, 0, 800, 80)]
    assert divided.proposals[0].children == []


def test_published_corrections_are_later_revisions_by_people(tmp_path: Path) -> None:
    files.write_cache_folder(tmp_path)
    screen = only(read_cache(tmp_path))
    boxes = [one.box.xyxy for one in versions(screen, Kind.REGION, "2-3")]
    assert boxes == [(10, 10, 100, 70), (12, 12, 98, 68), (13, 13, 97, 67), (14, 14, 96, 66)]
    authors = [one.author for one in screen.steps if one.change.subject == "apps/calc/2-3"]
    assert authors[:4] == ["imported", "person:imported", "person:imported", "person:imported"]
    assert [one.box.xyxy for one in versions(screen, Kind.REGION, "1-1")] == [(0, 80, 400, 600), (5, 85, 395, 595)]


def test_published_retellings_and_types(tmp_path: Path) -> None:
    files.write_cache_folder(tmp_path)
    found = read_cache(tmp_path)
    screen = only(found)
    last = versions(screen, Kind.RETELLING, "2-3")[-1]
    assert isinstance(last, Retelling)
    assert (last.functionality, last.by, last.box.xyxy) == ("new deed", "gemini-2.5-pro-thinking", (14, 14, 96, 66))
    types = {name: versions(screen, Kind.TYPE, name) for name in ("1-0", "1-1", "2-3", "2-4")}
    assert {name: [(one.type, one.subtype) for one in some] for name, some in types.items()} == {
        "1-0": [("Toolbar / Action Bar", "")],
        "1-1": [],
        "2-3": [("Other", "Calculator keypad")],
        "2-4": [("Other", "Toolbar with buttons")],
    }
    assert isinstance(types["1-0"][0], RegionType)
    assert_notes([one.reason for one in found.left_out], ("2-4_meta_reannotated20251118_gemini-2.5-pro-thinking.json",))
    assert_noted(found.notes, "1-2.jpg")
    assert_noted(found.notes, "1 ")


def test_a_published_folder_goes_out_as_it_came(tmp_path: Path) -> None:
    """But for paths of the machine it is from, and what is computed again."""
    folder = files.write_cache_folder(tmp_path / "in")
    through_a_project(tmp_path / "in", tmp_path / "project", tmp_path / "out")
    nodes = next((tmp_path / "out").rglob("apps/calc/nodes"))
    kept = {one.name for one in folder.glob("*.json")}
    left = {"1-1_region-type.json", "2-4_meta_reannotated20251118_gemini-2.5-pro-thinking.json"}
    assert {one.name for one in nodes.glob("*.json")} == kept - left
    for name in ("2-3.json", "2-3_meta_fix20251118.json", "1-0_region-type.json"):
        before, after = (json.loads((place / name).read_text()) for place in (folder, nodes))
        for key in ("root_image_path", "node_image_path", "bbox_parent", "bbox_parent_norm"):
            before.pop(key, None), after.pop(key, None)
        assert after == before
    assert files.HOME not in "".join(one.read_text() for one in nodes.glob("*.json"))
    through_a_project(tmp_path / "out", tmp_path / "second", tmp_path / "again")
    assert digest_folder(tmp_path / "again") == digest_folder(tmp_path / "out")


def test_any_folder_around_or_of_a_screen_will_do(tmp_path: Path) -> None:
    place = files.write_cache_folder(tmp_path).parent
    for folder in (tmp_path, tmp_path / "cache", place.parents[1], place.parent):
        assert [one.id for one in read_cache(folder).screens] in (["apps/calc"], ["calc"])
    assert [one.id for one in read_cache(place).screens] == ["calc"]
    with raises(DataError, path=tmp_path / "cache" / "nothing"):
        read_cache(tmp_path / "cache" / "nothing")


def test_ids_that_are_no_names_of_files_are_numbered(tmp_path: Path) -> None:
    with data.shop(tmp_path / "project") as project:
        odd = data.region((0, 0, 50, 50), "0-0", "a hole")
        project.write(
            "shop", [Change(Kind.REGION, f"shop/{name}", odd) for name in ("../../up", "side {bar}")], "divide"
        )
        state = project.state("shop")
        written = write_cache(data.given(state), tmp_path / "out", past_of(project), LAYOUT)
    assert written.left_out == []
    assert written.counts["regions"] == len(state.regions)
    assert {one.name for one in tmp_path.iterdir()} == {"out", "project"}
    assert not list((tmp_path / "out").rglob("*up*"))


def test_a_correction_without_a_day_in_its_name(tmp_path: Path) -> None:
    folder = files.write_cache_folder(tmp_path / "in")
    for one in folder.glob("2-3_*fix*"):
        one.unlink()
    files.put(folder / "2-3_fix.json", files.fixed(files.nodes()["2-3"], [14, 14, 96, 66]))
    through_a_project(tmp_path / "in", tmp_path / "project", tmp_path / "out")
    names = {one.name for one in (tmp_path / "out").rglob("2-3_*.json")}
    assert {"2-3_fix.json", "2-3_meta_reannotated20251118_gemini-2.5-pro-thinking.json"} <= names


def test_of_what_two_models_made_of_a_screen_one_is_taken(tmp_path: Path) -> None:
    place = files.write_cache_folder(tmp_path).parents[2]  # of the version
    shutil.copytree(place.parent, place.parents[1] / "gpt")
    found = read_cache(tmp_path)
    assert [one.id for one in found.screens] == ["apps/calc"]
    assert_noted([one.what for one in found.left_out], "gpt/v3/apps/calc")


def test_the_command_line_goes_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the projects are called."""
    with data.shop(tmp_path / "project"):
        pass
    one, second, two = (str(tmp_path / name) for name in ("one", "second", "two"))
    assert run_command(["author", "export", str(tmp_path / "project"), "-o", one, "--format", "cache"]) == 0
    assert run_command(["author", "import", second, one]) == 0
    assert run_command(["author", "import", second, one]) == 0
    assert run_command(["author", "export", second, "-o", two, "--format", "cache"]) == 0
    capsys.readouterr()
    assert digest_folder(tmp_path / "one") == digest_folder(tmp_path / "two")


Break = Callable[[dict[str, Any]], None]


def _set(*path: str | int, to: Any) -> Break:
    def change(tree: dict[str, Any]) -> None:
        at: Any = tree
        for name in path[:-1]:
            at = at[name]
        at[path[-1]] = to

    return change


def _drop(*path: str) -> Break:
    def change(tree: dict[str, Any]) -> None:
        at: Any = tree
        for name in path[:-1]:
            at = at[name]
        del at[path[-1]]

    return change


def _both(*changes: Break) -> Break:
    def change(tree: dict[str, Any]) -> None:
        for one in changes:
            one(tree)

    return change


# What is wrong, what the note names, and what is left of the node 2-3: its box, or nothing.
REPAIRED: dict[str, tuple[Break, tuple[str, ...], tuple[float, ...] | None]] = {
    "inverted": (_set("2-3", "bbox_global", to=[100, 70, 10, 10]), ("2-3",), (10, 10, 100, 70)),
    "outside": (_set("2-3", "bbox_global", to=[-5, 10, 900, 70]), ("2-3",), (0, 10, 800, 70)),
    "shares only": (_drop("2-3", "bbox_global"), ("2-3",), (10, 10, 100, 70)),
    "other size": (_set("2-3", "root_size(wxh)", to=[1600, 1200]), ("1600x1200",), (5, 5, 50, 35)),
    "no root": (_drop("0-0"), ("0-0",), (10, 10, 100, 70)),
    "unknown child": (_set("1-0", "children", to=["2-3", "2-4", "2-99"]), ("'2-99'",), (10, 10, 100, 70)),
    "two parents": (_set("1-1", "children", to=["2-3"]), ("1-0", "1-1"), (10, 10, 100, 70)),
    "parent by place": (_set("1-0", "children", to=["2-4"]), ("1-0",), (10, 10, 100, 70)),
}
LEFT_OUT: dict[str, Break] = {
    "nowhere": _set("2-3", "bbox_global", to=[900, 700, 950, 750]),
    "no area": _set("2-3", "bbox_global", to=[10, 10, 10, 70]),
    "no box": _both(_drop("2-3", "bbox_global"), _drop("2-3", "bbox_global_norm")),
    "words": _both(_set("2-3", "bbox_global", to=["a"] * 4), _drop("2-3", "bbox_global_norm")),
    "infinite": _both(_set("2-3", "bbox_global", to=[1e300] * 4), _drop("2-3", "bbox_global_norm")),
    "circle": _both(_set("1-0", "children", to=["2-4"]), _set("2-3", "children", to=["2-3"])),
    "nobody's": _both(_set("1-0", "children", to=["2-4"]), _set("2-3", "bbox_parent", to=[1, 1, 2, 2])),
}


@pytest.mark.parametrize(("change", "note", "left"), REPAIRED.values(), ids=REPAIRED.keys())
def test_what_is_certain_is_put_right_and_noted(
    tmp_path: Path, change: Break, note: tuple[str, ...], left: tuple[float, ...]
) -> None:
    tree = files.nodes()
    change(tree)
    files.write_cache_folder(tmp_path, tree)
    found = read_cache(tmp_path)
    assert_noted(found.notes, *note)
    assert [one.box.xyxy for one in versions(only(found), Kind.REGION, "2-3")] == [left]
    assert len(nodes_of(only(found))) == 6
    assert found.left_out == []


@pytest.mark.parametrize("change", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_what_is_not_certain_is_left_out_and_the_rest_goes_on(tmp_path: Path, change: Break) -> None:
    tree = files.nodes()
    change(tree)
    files.write_cache_folder(tmp_path, tree)
    found = read_cache(tmp_path)
    assert [(one.what, bool(one.reason)) for one in found.left_out] == [("apps/calc/2-3", True)]
    assert nodes_of(only(found)) == ["0-0", "1-0", "1-1", "1-5", "2-4"]


NO_JSON = (b"", b"{", b"[1, 2]", b"null", b'{"bbox_global": NaN}', b"\xff\xfe", b"[" * 500, b'"\\ud800"')


@pytest.mark.parametrize("name", ["nodes/2-3.json", "tree.json", "nodes/2-3_fix20251116.json", "stack.json"])
def test_files_that_are_no_json(tmp_path: Path, name: str) -> None:
    """One copy of a node is enough, and of several corrections the others stand."""
    place = files.write_cache_folder(tmp_path).parent
    for content in NO_JSON:
        (place / name).write_bytes(content)
        screen = only(read_cache(tmp_path))
        assert nodes_of(screen) == ["0-0", "1-0", "1-1", "1-5", "2-3", "2-4"], content
        assert versions(screen, Kind.REGION, "2-3")[-1].box.xyxy == (14, 14, 96, 66), content


def test_a_screen_that_cannot_be_used_does_not_stop_the_others(tmp_path: Path) -> None:
    place = files.write_cache_folder(tmp_path).parent
    for name, spoil in {
        "empty": lambda one: (one / "root.png").write_bytes(b""),
        "lost": lambda one: (one / "root.png").unlink(),
        "bare": lambda one: (shutil.rmtree(one / "nodes"), (one / "tree.json").write_text("{}")),
    }.items():
        shutil.copytree(place, place.parent / name)
        spoil(place.parent / name)
    found = read_cache(tmp_path)
    assert [one.id for one in found.screens] == ["apps/calc"]
    assert {"bare", "empty", "lost"} <= {one.what.rpartition("/")[2] for one in found.left_out}


def test_nothing_outside_of_the_folder_is_read_or_written(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "root.png").write_bytes(files.image(shade=1))
    files.put(secret / "2-3.json", files.node("2-3", [1, 1, 2, 2]))
    tree = files.nodes()
    for record in tree.values():
        record["root_image_path"] = f"{tmp_path}/images/../../secret/root.png"
        record["node_image_path"] = "../../../../secret/root.png"
    tree["../../../evil"] = files.node("x", [0, 0, 10, 10])
    folder = files.write_cache_folder(tmp_path / "in", {name: one for name, one in tree.items() if "evil" not in name})
    files.put(folder.parent / "tree.json", tree)
    (folder / "2-3.json").unlink()
    (folder / "2-3.json").symlink_to(secret / "2-3.json")
    (tmp_path / "in" / "linked").symlink_to(secret)
    files.put(
        folder / "2-3_fix20251116.json", files.node("2-3", [20, 20, 60, 60], published={"file": "../../../x.json"})
    )
    found = through_a_project(tmp_path / "in", tmp_path / "project", tmp_path / "out")
    screen = only(found)
    assert screen.id == "apps/calc"
    assert versions(screen, Kind.REGION, "2-3")[0].box.xyxy == (10, 10, 100, 70)  # of the tree
    assert found.left_out
    assert {one.name for one in tmp_path.iterdir()} == {"in", "out", "project", "secret"}
    assert {one.name for one in secret.iterdir()} == {"2-3.json", "root.png"}


def test_a_picture_that_is_a_link_to_elsewhere_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(files.image())
    root = files.write_cache_folder(tmp_path / "in").parent / "root.png"
    root.unlink()
    root.symlink_to(tmp_path / "secret.png")
    found = read_cache(tmp_path / "in")
    assert found.screens == []
    (left_out,) = found.left_out
    assert left_out.what.endswith("apps/calc")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["0-0", "1-0", "2-3", "", "x", files.FAILED]) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(
        st.tuples(st.sampled_from(sorted(files.nodes())), st.sampled_from(sorted(files.nodes()["0-0"])), JSON)
    )
)
def test_whatever_records_say_nothing_breaks(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, str, Any]]
) -> None:
    tree = files.nodes()
    for node, key, value in changes:
        tree[node][key] = value
    folder = tmp_path_factory.mktemp("any")
    files.write_cache_folder(folder, tree)
    screen = only(read_cache(folder))
    latest = {one.change.subject: one.change.document for one in screen.steps if one.change.kind is Kind.REGION}
    for region in latest.values():
        assert isinstance(region, Region)
        assert region.box.clip(*files.SIZE) == region.box
        assert (
            region.parent is None or f"apps/calc/{region.parent}" in latest or f"{screen.id}/{region.parent}" in latest
        )
