"""Recordings of one's own become a dataset, which people go on with."""

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from affordance.author.recordings import ANNOTATION_FIELDS, RecordingImport, import_clips
from affordance.core.errors import UserError
from affordance.datasets import Clip, load_folder
from affordance.datasets.check import check_folder
from errors import raises
from moving_clips import Pixels, frames, slide, still, write_clip


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A slide, the same as a GIF, a clip in which nothing moves, and a screenshot."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "more").mkdir()
    write_clip(folder / "send it.MP4", frames(slide))
    write_clip(folder / "more" / "send.gif", frames(slide), fps=25)
    write_clip(folder / "quiet.mp4", frames(still, 6))
    cv2.imwrite(str(folder / "screenshot.png"), np.zeros((20, 20, 3), np.uint8))
    (folder / "notes.txt").write_text("recorded on Monday")
    return folder


@pytest.fixture
def recordings(recorded: Path, tmp_path: Path) -> Path:
    """A copy that may be changed."""
    return Path(shutil.copytree(recorded, tmp_path / "recordings"))


def clips(folder: Path) -> dict[str, Clip]:
    return {item.id: item for item in load_folder(folder).items if isinstance(item, Clip)}


def other(pixels: Pixels, index: int) -> None:
    slide(pixels, index // 2)


def test_recordings_become_a_dataset(recordings: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips"
    found = import_clips([recordings], out, "messages", "CC BY 4.0")
    assert (sorted(found.added), found.motionless) == (["quiet", "send", "send-it"], ["quiet"])
    assert (found.known, found.broken) == ([], [])
    assert found.open == dict.fromkeys(ANNOTATION_FIELDS, 3)
    header = load_folder(out).header
    assert (header.kind, header.name, header.licence, header.synthetic) == ("clip", "messages", "CC BY 4.0", False)
    clip = clips(out)["send-it"]
    assert clip.video == "media/send-it.mp4"
    assert (out / clip.video).read_bytes() == (recordings / "send it.MP4").read_bytes()
    assert [box.xyxy for box in clip.regions] == [pytest.approx((40, 140, 240, 160), abs=5)]
    assert (clip.start_frame, clip.end_frame) == pytest.approx((21, 45), abs=3)
    quiet = clips(out)["quiet"]
    assert quiet.model_fields_set == {"id", "video"}
    assert list(check_folder(out)) == []


def test_what_people_typed_stays_and_only_new_clips_are_added(recordings: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips"
    import_clips([recordings / "quiet.mp4", recordings / "more"], out)
    lines = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
    typed: dict[str, Any] = {"purpose": "Feedback", "inputs": [], "regions": [], "start_frame": 3, "remark": "mine"}
    written = [line | typed if line["id"] == "send" else line for line in lines]
    (out / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in written))
    found = import_clips([recordings], out)
    assert (found.added, len(found.known)) == (["send-it"], 2)
    after = {one["id"]: one for one in map(json.loads, (out / "items.jsonl").read_text().splitlines())}
    assert {key: after["send"][key] for key in typed} == typed
    assert (found.open["purpose"], found.open["inputs"], found.open["context"]) == (2, 2, 3)
    assert import_clips([recordings], out) == RecordingImport(
        known=[*found.known, recordings / "send it.MP4"], open=found.open
    )


def test_names_are_unique_and_files_are_known_by_content(recordings: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips"
    import_clips([recordings / "quiet.mp4"], out)
    again = write_clip(recordings / "more" / "quiet.mp4", frames(other, 40))
    (recordings / "copy.mp4").write_bytes((recordings / "quiet.mp4").read_bytes())
    found = import_clips([again, recordings / "copy.mp4", again], out)
    assert (found.added, found.known) == (["quiet-2"], [recordings / "copy.mp4"])
    assert clips(out)["quiet-2"].video == "media/quiet-2.mp4"


def test_a_renamed_item_keeps_its_file(recordings: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips"
    import_clips([recordings / "quiet.mp4"], out)
    text = (out / "items.jsonl").read_text()
    (out / "items.jsonl").write_text(text.replace('"id": "quiet"', '"id": "renamed"'))
    before = (out / "media" / "quiet.mp4").read_bytes()
    found = import_clips([write_clip(recordings / "more" / "quiet.mp4", frames(other, 40))], out)
    assert found.added == ["quiet-2"]
    assert (out / "media" / "quiet.mp4").read_bytes() == before


def test_broken_files_do_not_stop_the_others(recordings: Path, tmp_path: Path) -> None:
    gif = recordings / "more" / "send.gif"
    gif.write_bytes(gif.read_bytes()[:5000])
    (recordings / "empty.mov").touch()
    out = tmp_path / "clips"
    found = import_clips([recordings, recordings / "screenshot.png", tmp_path / "nowhere.mp4"], out)
    assert sorted(found.added) == ["quiet", "send-it"]
    told = sorted(str(error) for error in found.broken)
    broken = [recordings / "empty.mov", gif, recordings / "screenshot.png", tmp_path / "nowhere.mp4"]
    assert [one.partition(": ")[0] for one in told] == sorted(map(str, broken))
    assert list(check_folder(out)) == []


def test_nothing_is_written_where_nothing_can_be_read(recordings: Path, tmp_path: Path) -> None:
    assert len(import_clips([recordings / "notes.txt"], tmp_path / "clips").broken) == 1
    assert not (tmp_path / "clips").exists()


def test_the_dataset_itself_is_not_imported(recordings: Path) -> None:
    out = recordings / "dataset"
    assert len(import_clips([recordings], out).added) == 3
    assert import_clips([recordings], out).added == []


def test_whoever_is_interrupted_goes_on(recordings: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips"

    def interrupt(done: int, planned: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_clips([recordings], out, on_progress=interrupt)
    assert len(clips(out)) == 1
    assert len(import_clips([recordings], out).added) == 2
    assert list(check_folder(out)) == []
    assert not list(out.glob(".draft-*"))


def test_what_a_killed_import_left_is_no_obstacle(recordings: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips"
    (out / "media").mkdir(parents=True)
    (out / "media" / "quiet.mp4").write_bytes(b"half of it")
    (out / ".draft-x").mkdir()
    assert import_clips([recordings / "quiet.mp4"], out).added == ["quiet"]
    assert list(check_folder(out)) == []


def test_folders_that_are_something_else(recordings: Path, tmp_path: Path) -> None:
    with raises(UserError, recordings):
        import_clips([recordings], recordings)
    (tmp_path / "nothing").mkdir()
    with raises(UserError, tmp_path / "nothing"):
        import_clips([tmp_path / "nothing"], tmp_path / "clips")
    pairs = tmp_path / "pairs"
    (pairs / "media").mkdir(parents=True)
    header = {"format": 1, "kind": "pair", "name": "p", "licence": "", "provenance": "", "synthetic": True}
    (pairs / "dataset.json").write_text(json.dumps(header))
    for name in ("a", "b"):
        (pairs / "media" / f"{name}.png").touch()
    (pairs / "items.jsonl").write_text('{"id": "x", "images": ["media/a.png", "media/b.png"]}\n')
    with raises(UserError, pairs, "'pair'"):
        import_clips([recordings], pairs)


def test_names_that_differ_only_in_case_get_different_files(recordings: Path, tmp_path: Path) -> None:
    """On a file system that does not distinguish case they would be one file."""
    for number, folder in enumerate(("one", "two")):
        (tmp_path / folder).mkdir()
        write_clip(tmp_path / folder / ("Login.mp4", "login.mp4")[number], frames(still, 6 + number))
    out = tmp_path / "clips"
    found = import_clips([tmp_path / "one", tmp_path / "two"], out)
    assert sorted(found.added) == ["Login", "login-2"]
    assert len({clip.video.casefold() for clip in clips(out).values()}) == 2
