"""AniMINT: what becomes of its records, and what is found wrong with them."""

import json
from pathlib import Path
from typing import Any

import pytest

import animint_files as files
from affordance.core.box import Box, Space
from affordance.core.errors import DataError
from affordance.datasets import Clip, read_dataset, read_folder, write_folder
from affordance.datasets.check import Level, check_spec
from affordance.datasets.published.animint_check import PAPER, README
from affordance.datasets.purposes import PURPOSES

SAMPLE = Path(__file__).parents[2].parent / "shared" / "data" / "animint-sample"


def clips(spec: str) -> list[Clip]:
    return [item for item in read_dataset(spec).items if isinstance(item, Clip)]


def found(spec: str, level: Level) -> list[str]:
    return [one.message for one in check_spec(spec).findings if one.level is level]


@pytest.mark.parametrize("videos", ["", "videos", "video"])
def test_a_record_becomes_a_clip(tmp_path: Path, videos: str) -> None:
    spec = files.write_set(tmp_path, [files.record(7)], videos)
    (clip,) = clips(spec)
    assert (clip.id, clip.purpose, clip.platform) == ("000007_000000", "Feedback", None)
    assert clip.context == "A person sends a message."
    assert clip.regions == [Box(Space.UNIT, 0.125, 0.7, 0.75, 0.8)]
    assert (clip.start_frame, clip.end_frame) == (6, 20)
    assert (clip.inputs[0].summary, clip.inputs[0].modality) == ("The person tapped Send.", ["Touch"])
    assert len(clip.effect_responses) == len(clip.meaning_responses) == 10
    dataset = read_dataset(spec)
    assert dataset.missing == frozenset()
    assert dataset.file(clip.video) == tmp_path / videos / "000007_000000.mp4"
    assert found(spec, Level.ERROR) == []


def test_what_we_do_not_know_survives_a_round_trip(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path / "set", [files.record(1, annotator="three", ROI=[])], None)
    write_folder(tmp_path / "ours", read_dataset(spec).header, clips(spec))
    (tmp_path / "ours" / "000001_000000.mp4").touch()
    (clip,) = read_folder(tmp_path / "ours").items
    assert isinstance(clip, Clip)
    assert (clip.model_extra or {})["annotator"] == "three"
    assert (clip.inputs[0].model_extra or {}) == {"modality_extra": "with the thumb", "type_extra": ""}


def test_the_json_is_found_among_others_or_named(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.record(1)], None, name="whatever.json")
    (tmp_path / "a.json").write_text('{"version": 1}')
    (tmp_path / "b.json").write_text("[]")
    assert len(clips(spec)) == len(clips(f"{spec}/whatever.json")) == 1


FOLDERS: dict[str, tuple[dict[str, str], str]] = {
    "empty": ({}, "expected a JSON list of records with 'video_path', found none in 0 JSON files"),
    "others": ({"a.json": '[{"image": 1}]'}, "found none in 1 JSON files"),
    "broken": ({"a.json": "[{"}, "a.json: expected JSON"),
}


@pytest.mark.parametrize(("content", "expected"), FOLDERS.values(), ids=FOLDERS.keys())
def test_a_folder_without_records(tmp_path: Path, content: dict[str, str], expected: str) -> None:
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(DataError) as error:
        read_dataset(f"animint:{tmp_path}")
    assert expected in str(error.value)


SHEETS: dict[str, tuple[dict[str, str], dict[str, Any], str | None]] = {
    "nothing": ({}, {}, None),
    "in the record": ({"platforms.csv": "video,platform\n000001_000000,web\n"}, {"platform": "Desktop"}, "desktop"),
    "by path": ({"platforms.csv": "video_path,platform\n000001_000000.mp4,Mobile\n"}, {}, "mobile"),
    "by name": ({"platforms.csv": "Platform;Filename\nWeb;videos/000001_000000.mov\n"}, {}, "web"),
    "the publisher's": ({"datasource.csv": "video,url,platform\n000001_000000.mp4,http://x,Mobile\n"}, {}, "mobile"),
    "own before the publisher's": (
        {
            "platforms.csv": "video,platform\n000001_000000,web\n",
            "datasource.csv": "video,platform\n000001_000000,desktop\n",
        },
        {},
        "web",
    ),
    "the publisher's without": ({"datasource.csv": "video,url\n000001_000000.mp4,http://x\n"}, {}, None),
    "another video": ({"platforms.csv": "video,platform\n000009_000000,web\n"}, {}, None),
}


@pytest.mark.parametrize(("sheets", "change", "expected"), SHEETS.values(), ids=SHEETS.keys())
def test_the_platform(tmp_path: Path, sheets: dict[str, str], change: dict[str, Any], expected: str | None) -> None:
    for name, text in sheets.items():
        (tmp_path / name).write_text(text)
    (clip,) = clips(files.write_set(tmp_path, [files.record(1, **change)], None))
    assert clip.platform == expected


def test_tables_of_platforms_that_are_none(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.record(1)])
    (tmp_path / "datasource.csv").write_text("video,platform\nonly one cell\n")
    (told,) = [one for one in found(spec, Level.WARNING) if "datasource" in one]
    assert "expected 2 cells as in the first row, found 1; platforms are not taken from it" in told
    (tmp_path / "platforms.csv").write_text("film,platform\nx,web\n")
    with pytest.raises(DataError, match="expected the columns 'platform' and 'video_path' or 'video' or 'filename'"):
        read_dataset(spec)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no video": ({"video_path": ""}, "expected text in 'video_path'"),
    "a path that leaves": ({"video_path": "../x.mp4"}, "expected a relative path inside the dataset folder"),
    "twice": ({"video_path": "000000_000000.mp4"}, "expected each video once, found '000000_000000.mp4' again"),
    "start after end": ({"animation_start_frame": 21}, "expected start_frame <= end_frame, found 21 > 20"),
    "negative": ({"animation_start_frame": -1}, "start_frame: input should be greater than or equal to 0"),
    "half a frame": ({"animation_end_frame": 20.5}, "end_frame: input should be a valid integer"),
    "three corners": ({"ROI": [{"box": [0, 0, 1]}]}, "expected [x1, y1, x2, y2] in 'ROI.0.box'"),
    "corners in disorder": ({"ROI": [{"box": [1, 0, 0, 1]}]}, "expected [x1, y1, x2, y2] in 'ROI.0.box'"),
    "a region without a box": ({"ROI": [[0, 0, 1, 1]]}, "expected a box in 'ROI.0.box'"),
    "an input without words": ({"Inputs": [{"type": []}]}, "expected an input with 'textual_summary' in 'Inputs.0'"),
    "a number for a response": (
        {"meaning_human_responses": [3]},
        "meaning_responses.0: input should be a valid string",
    ),
}


@pytest.mark.parametrize(("change", "expected"), WRONG.values(), ids=WRONG.keys())
def test_records_that_cannot_be_read_are_told_with_their_number(
    tmp_path: Path, change: dict[str, Any], expected: str
) -> None:
    spec = files.write_set(tmp_path, [files.record(0), files.record(1) | change], None)
    with pytest.raises(DataError, match=r"AniMINT.json: row 2: ") as error:
        read_dataset(spec)
    assert expected in str(error.value)


DOUBTFUL: dict[str, tuple[dict[str, Any], str]] = {
    "after the end": ({"animation_end_frame": 24}, "expected end_frame from 0 to 23, found 24"),
    "outside": ({"ROI": [{"box": [0.5, 0.5, 1.2, 1]}]}, "regions.0 [0.5, 0.5, 1.2, 1] (unit) is not inside"),
    "empty": ({"meaning_human_responses": ["  "]}, "meaning_responses.0: expected a description, found an empty one"),
    "none": ({"effects_human_responses": ["a", None]}, "effect_responses.1: expected a description, found an empty"),
    "nearly a purpose": ({"purpose_category": "highlights"}, "unknown purpose 'highlights'; write 'Highlight'"),
    "no purpose": ({"purpose_category": "Fun"}, f"unknown purpose 'Fun'; known: {', '.join(PURPOSES)}"),
}


@pytest.mark.parametrize(("change", "expected"), DOUBTFUL.values(), ids=DOUBTFUL.keys())
def test_what_is_wrong_with_records_that_can_be_read(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    (message,) = found(files.write_set(tmp_path, [files.record(0), files.record(1) | change]), Level.ERROR)
    assert message.startswith(f"{tmp_path / 'AniMINT.json'}: row 2: item '000001_000000': ")
    assert expected in message


def test_without_videos_boxes_are_still_shares(tmp_path: Path) -> None:
    errors = found(files.write_set(tmp_path, [files.record(0, ROI=[{"box": [0, 0, 50, 60]}])], None), Level.ERROR)
    assert any("needs '000000_000000.mp4', found no such file" in one for one in errors)
    assert any("regions.0: expected numbers from 0 to 1 (unit), found [0, 0, 50, 60]" in one for one in errors)


def whole(labels: dict[str, int]) -> list[dict[str, Any]]:
    purposes = [purpose for purpose, count in labels.items() for _ in range(count)]
    return [files.record(number, purpose_category=purpose) for number, purpose in enumerate(purposes)]


def test_the_whole_set_is_counted(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, whole(README), None)
    (told,) = found(spec, Level.WARNING)
    assert told.startswith("the purposes are those of the README: the README counts Feedback 40, Visualization 114")
    assert "only fit Feedback 42, Visualization 115, Highlight 38, Aesthetic 14" in told
    files.write_set(tmp_path, whole(PAPER), None)
    told_of_the_paper = found(spec, Level.WARNING)
    assert "expected 40 clips for Feedback of the published set, found 42" in told_of_the_paper
    assert told_of_the_paper[-1].startswith("the purposes are those of the paper")
    assert sum(README.values()) == sum(PAPER.values()) == 300


def test_a_part_of_the_set_is_one_line(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.record(0)])
    assert found(spec, Level.WARNING) == ["expected 300 clips of the published set, found 1"]


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="needs the real record")
def test_the_real_record() -> None:
    (clip,) = clips(f"animint:{SAMPLE}")
    record = json.loads((SAMPLE / "record.json").read_text(encoding="utf-8"))[0]
    assert (clip.id, clip.purpose, clip.end_frame) == ("000062_000000", "Transition", 82)
    assert clip.effect_responses == record["effects_human_responses"]
    assert clip.meaning_responses == record["meaning_human_responses"]
    assert list(clip.regions[0].xyxy) == record["ROI"][0]["box"]
