"""A dataset of one's own for the hub: card, tables that others read, and the same items back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from affordance import media
from affordance.core.errors import MissingApiKey, UserError
from affordance.datasets import Dataset, load_folder
from affordance.datasets.folder import ITEM_TYPES
from affordance.integrations.hub.card import dataset_card
from affordance.integrations.hub.fetch import fetch_dataset
from affordance.integrations.hub.fetch_plan import find_published
from affordance.integrations.hub.publish import check_upload_access, export_for_hub, upload_to_hub
from affordance.integrations.hub.tables import write_parquet
from errors import raises
from hub_server import HubServer, answers

SECRET = "hf_planted0token"
BOX = {"space": "unit", "xyxy": [0, 0, 0.5, 0.5]}
ITEMS: dict[str, list[dict[str, Any]]] = {
    "clip": [{"id": "a", "video": "media/a.mp4", "purpose": "feedback", "start_frame": 3, "mood": "unknown to us"}],
    "pair": [
        {
            "id": "a",
            "images": ["media/a.png", "media/b.png"],
            "winner": 1,
            "rationales": [{"reason": "Ümlaut, larger"}],
        },
        {"id": "b", "images": ["media/b.png", "media/a.png"], "goal": "sign up"},
    ],
    "screen": [
        {"id": name, "image": f"media/{name}.png", "width": 4, "height": 3, "elements": [{"id": "e", "box": BOX}]}
        for name in ("a", "b", "c")
    ],
    "outcome": [{"id": "a", "image": "media/a.png", "target": BOX, "action": "click", "sentence": "It opens."}],
    "choice": [
        {
            "id": "a",
            "image": "media/a.png",
            "question": "What?",
            "options": [{"text": "this"}, {"text": "that"}],
            "answers": [1],
        }
    ],
}


def made(root: Path, kind: str, **changes: Any) -> Path:
    header = {"format": 1, "kind": kind, "name": f"Few {kind}s", "licence": "CC BY 4.0", "provenance": "drawn here"}
    (root / "media").mkdir(parents=True)
    (root / "dataset.json").write_text(json.dumps({**header, "synthetic": True, **changes}))
    (root / "items.jsonl").write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in ITEMS[kind]))
    for number, item in enumerate(media_of(kind)):
        (root / item).write_bytes(b"a video" if item.endswith("mp4") else picture(number))
    return root


def media_of(kind: str) -> list[str]:
    found = {path for one in ITEMS[kind] for path in ITEM_TYPES[kind].model_validate(one).media_files()}
    return sorted(found)


def picture(shade: int) -> bytes:
    return media.encode_image(np.full((3, 4, 3), 40 * shade, np.uint8))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer({}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_TOKEN", SECRET)
        yield server


@pytest.mark.parametrize("kind", sorted(ITEMS))
def test_tables_hold_items_and_pictures(tmp_path: Path, kind: str) -> None:
    root = made(tmp_path / "set", kind)
    written = export_for_hub(root, tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "data" / "test-00000-of-00001.parquet")
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert list(features) == table.column_names
    rows = table.to_pylist()
    assert [json.loads(row["record"]) for row in rows] == ITEMS[kind]
    for row, item in zip(rows, ITEMS[kind], strict=True):
        assert row["id"] == item["id"]
        for name, feature in features.items():
            if feature == {"_type": "Image"} and row[name] is not None:
                assert row[name]["bytes"] == (root / row[name]["path"]).read_bytes()
    assert load_folder(tmp_path / "out").items == load_folder(root).items
    assert load_folder(tmp_path / "out").digest() == load_folder(root).digest()
    named = {"README.md", "dataset.json", "items.jsonl", "data/test-00000-of-00001.parquet", *media_of(kind)}
    assert set(written.files) == named


def test_values_are_columns_of_their_types(tmp_path: Path) -> None:
    export_for_hub(made(tmp_path / "set", "choice"), tmp_path / "out")
    (row,) = pq.read_table(tmp_path / "out" / "data").to_pylist()
    assert (row["options"], row["answers"], row["multiple"], row["level"]) == (["this", "that"], [1], False, None)


def test_large_sets_are_several_files(tmp_path: Path) -> None:
    dataset = load_folder(made(tmp_path / "set", "screen"))
    files = write_parquet(dataset, tmp_path / "out", max_bytes=len(picture(0)) + 1)
    assert [file.name for file in files] == [f"test-0000{n}-of-00003.parquet" for n in range(3)]
    assert [pq.read_table(file)["id"].to_pylist() for file in files] == [["a"], ["b"], ["c"]]


@pytest.mark.parametrize(
    ("licence", "lines"),
    [
        ("CC BY 4.0", ["license: cc-by-4.0"]),
        ("Apache-2.0", ["license: apache-2.0"]),
        ("ask: the owner", ["license: other", 'license_name: "ask: the owner"']),
    ],
)
def test_the_card(tmp_path: Path, licence: str, lines: list[str]) -> None:
    dataset = load_folder(made(tmp_path / "set", "pair", licence=licence))
    card = dataset_card(dataset, dataset.digest(), "you/pairs")
    head, _, words = card.removeprefix("---\n").partition("---\n")
    assert head.splitlines()[: len(lines)] == lines
    assert "synthetic" in head
    assert '    path: "data/test-*-of-*.parquet"' in head.splitlines()
    for told in (
        "# Few pairs",
        "drawn here",
        "`winner`",
        "data fetch hub:you/pairs",
        "load_dataset",
    ):
        assert told in words


def test_from_one_folder_over_the_hub_to_another(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))
    written = export_for_hub(made(tmp_path / "set", "screen"), tmp_path / "out", "you/screens")
    (tmp_path / "out" / "private.txt").write_text("not for others")
    address = upload_to_hub(written, "you/screens", private=True)
    assert address.startswith(f"{hub.url}/datasets/you/screens/commit/")
    assert set(hub.repos["you/screens"]) == set(written.files)
    assert hub.private == {"you/screens": True}
    fetch_dataset(find_published("hub:you/screens"), tmp_path / "back")
    assert load_folder(tmp_path / "back").items == load_folder(tmp_path / "set").items
    assert load_folder(tmp_path / "back").digest() == load_folder(tmp_path / "set").digest()
    assert not (tmp_path / "back" / "data").exists()  # the tables are for others
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert SECRET.encode() not in kept


def test_a_token_that_may_not_write_is_told_and_not_shown(hub: HubServer, tmp_path: Path) -> None:
    hub.troubles["/api/repos/create"] = answers(401, 99)
    written = export_for_hub(made(tmp_path / "set", "choice"), tmp_path / "out")
    with raises(UserError, 401, "HF_TOKEN", "you/x") as error:
        upload_to_hub(written, "you/x", private=False)
    assert SECRET not in str(error.value)


def test_nothing_is_uploaded_without_a_token(hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    written = export_for_hub(made(tmp_path / "set", "choice"), tmp_path / "out")
    with raises(MissingApiKey, "HF_TOKEN"):
        upload_to_hub(written, "you/x", private=False)
    assert hub.seen == []


def test_a_name_that_the_hub_does_not_take_is_reported_first(hub: HubServer) -> None:
    for repo in ("nobody", "you/../x", "you/x y", "a/b/c", "you/x.git", ""):
        with raises(UserError, "to", "OWNER/NAME"):
            check_upload_access(repo)
    assert hub.seen == []


def test_a_token_goes_to_no_hub_over_plain_http(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.invalid")
    with raises(UserError, "HF_TOKEN", "https", "http://hub.invalid"):
        check_upload_access("you/x")


def test_what_is_published_shares_no_file_with_the_dataset(tmp_path: Path) -> None:
    root = made(tmp_path / "set", "choice")
    before = {name: (root / name).read_bytes() for name in ("items.jsonl", "media/a.png")}
    export_for_hub(root, tmp_path / "out")
    for name, content in before.items():
        with (tmp_path / "out" / name).open("ab") as file:
            file.write(b"changed")
        assert (root / name).read_bytes() == content


def test_links_inside_of_the_dataset_become_files_and_others_are_refused(tmp_path: Path) -> None:
    root = made(tmp_path / "set", "choice")
    (root / "media" / "a.png").rename(root / "kept.png")
    (root / "media" / "a.png").symlink_to("../kept.png")
    export_for_hub(root, tmp_path / "out")
    published = tmp_path / "out" / "media" / "a.png"
    assert not published.is_symlink()
    assert published.read_bytes() == (root / "kept.png").read_bytes()
    (root / "kept.png").rename(tmp_path / "secret.png")
    (root / "media" / "a.png").unlink()
    (root / "media" / "a.png").symlink_to(tmp_path / "secret.png")
    with raises(UserError, "a.png"):
        export_for_hub(root, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_the_same_is_pushed_again_with_what_was_added_to_its_card(hub: HubServer, tmp_path: Path) -> None:
    root, out = made(tmp_path / "set", "choice"), tmp_path / "out"
    export_for_hub(root, out)
    first = export_for_hub(root, out, "you/x")
    assert "hub:you/x" in (out / "README.md").read_text()
    hub.troubles["/api/repos/create"] = answers(500, 1)
    with raises(UserError, 500):
        upload_to_hub(first, "you/x", private=False)
    card = (out / "README.md").read_text() + "Drawn on a Sunday.\n"
    (out / "README.md").write_text(card)
    again = export_for_hub(root, out, "you/x")
    assert again == first
    upload_to_hub(again, "you/x", private=False)
    assert hub.repos["you/x"]["README.md"] == card.encode()
    (root / "media" / "a.png").write_bytes(picture(5))
    with raises(UserError, out):
        export_for_hub(root, out, "you/x")
    assert (out / "README.md").read_text() == card


def test_media_are_hashed_once_for_each_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Path] = []

    def digest(dataset: Dataset) -> str:
        hashed.append(dataset.root)
        return original(dataset)

    original = Dataset.digest
    monkeypatch.setattr(Dataset, "digest", digest)
    root, out = made(tmp_path / "set", "choice"), tmp_path / "out"
    export_for_hub(root, out)
    export_for_hub(root, out, "you/x")
    assert hashed == [root, root, out]


def test_only_new_folders_outside_of_the_dataset(tmp_path: Path) -> None:
    root = made(tmp_path / "set", "choice")
    with raises(UserError, root):
        export_for_hub(root, root / "out")
    with raises(UserError, root):
        export_for_hub(root, root)
