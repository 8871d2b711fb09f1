"""AniMINT: what becomes of its records, and what is found wrong with them."""

from pathlib import Path
from typing import Any

import pytest

import animint_files as files
from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Clip, load_dataset, load_folder, write_folder
from affordance.datasets.check import check_dataset
from affordance.datasets.dataset import Severity
from affordance.datasets.published.animint import PAPER_COUNTS, README_COUNTS
from affordance.datasets.taxonomies import PURPOSES
from cases import case, folder_names, numbers_in
from errors import assert_carries, raises


def clips(spec: str) -> list[Clip]:
    return [item for item in load_dataset(spec).items if isinstance(item, Clip)]


def found(spec: str, level: Severity) -> list[str]:
    return [str(one) for one in check_dataset(spec).issues if one.severity is level]


@pytest.mark.parametrize("videos", ["", "videos", "video"])
def test_a_record_becomes_a_clip(tmp_path: Path, videos: str) -> None:
    spec = files.write_set(tmp_path, [files.record(7)], videos)
    (clip,) = clips(spec)
    assert (clip.id, clip.purpose, clip.platform) == ("000007_000000", "Feedback", None)
    assert clip.context == "A person sends a message."
    assert clip.regions == [Box(CoordinateSpace.UNIT, 0.125, 0.7, 0.75, 0.8)]
    assert (clip.start_frame, clip.end_frame) == (6, 20)
    assert (clip.inputs[0].summary, clip.inputs[0].modality) == ("The person tapped Send.", ["Touch"])
    assert len(clip.effect_responses) == len(clip.meaning_responses) == 10
    dataset = load_dataset(spec)
    assert dataset.missing_media == frozenset()
    assert dataset.media_path(clip.video) == tmp_path / videos / "000007_000000.mp4"
    assert found(spec, Severity.ERROR) == []


def test_what_we_do_not_know_survives_a_round_trip(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path / "set", [files.record(1, annotator="three", ROI=[])], None)
    write_folder(tmp_path / "ours", load_dataset(spec).header, clips(spec))
    (tmp_path / "ours" / "000001_000000.mp4").touch()
    (clip,) = load_folder(tmp_path / "ours").items
    assert isinstance(clip, Clip)
    assert (clip.model_extra or {})["annotator"] == "three"
    assert (clip.inputs[0].model_extra or {}) == {"modality_extra": "with the thumb", "type_extra": ""}


def test_the_json_is_found_among_others_or_named(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.record(1)], None, name="whatever.json")
    (tmp_path / "a.json").write_text('{"version": 1}')
    (tmp_path / "b.json").write_text("[]")
    assert len(clips(spec)) == len(clips(f"{spec}/whatever.json")) == 1


FOLDERS: dict[str, tuple[dict[str, str], str]] = {
    "empty": ({}, ("video_path", 0)),
    "others": ({"a.json": '[{"image": 1}]'}, ("1",)),
    "broken": ({"a.json": "[{"}, ("a.json",)),
}


def test_a_folder_without_records(tmp_path: Path) -> None:
    for folder, name, (content, expected) in folder_names(FOLDERS):
        (tmp_path / folder).mkdir()
        for file, text in content.items():
            (tmp_path / folder / file).write_text(text)
        with case(name), raises(DataError, tmp_path / folder, *expected):
            load_dataset(f"animint:{tmp_path / folder}")


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


def test_the_platform(tmp_path: Path) -> None:
    for folder, name, (sheets, change, expected) in folder_names(SHEETS):
        spec = files.write_set(tmp_path / folder, [files.record(1, **change)], None)
        for file, text in sheets.items():
            (tmp_path / folder / file).write_text(text)
        with case(name):
            (clip,) = clips(spec)
            assert clip.platform == expected


def test_tables_of_platforms_that_are_none(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.record(1)])
    (tmp_path / "datasource.csv").write_text("video,platform\nonly one cell\n")
    (told,) = [one for one in found(spec, Severity.WARNING) if "datasource" in one]
    assert_carries(told, tmp_path / "datasource.csv", 2, 1)
    (tmp_path / "platforms.csv").write_text("film,platform\nx,web\n")
    with raises(DataError, "'platform'", "'video_path'", "'video'", "'filename'", path=tmp_path / "platforms.csv"):
        load_dataset(spec)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no video": ({"video_path": ""}, ("video_path",)),
    "a path that leaves": ({"video_path": "../x.mp4"}, ("../x.mp4",)),
    "twice": ({"video_path": "000000_000000.mp4"}, ("000000_000000.mp4",)),
    "start after end": ({"animation_start_frame": 21}, ("start_frame", "end_frame", 21, 20)),
    "negative": ({"animation_start_frame": -1}, ("start_frame",)),
    "half a frame": ({"animation_end_frame": 20.5}, ("end_frame",)),
    "three corners": ({"ROI": [{"box": [0, 0, 1]}]}, ("x1", "y2", "ROI.0.box")),
    "corners in disorder": ({"ROI": [{"box": [1, 0, 0, 1]}]}, ("x1", "y2", "ROI.0.box")),
    "a region without a box": ({"ROI": [[0, 0, 1, 1]]}, ("ROI.0.box",)),
    "an input without words": ({"Inputs": [{"type": []}]}, ("textual_summary", "Inputs.0")),
    "a number for a response": (
        {"meaning_human_responses": [3]},
        ("meaning_responses.0",),
    ),
}


def test_records_that_cannot_be_read_are_reported_with_their_number(tmp_path: Path) -> None:
    for folder, name, (change, expected) in folder_names(WRONG):
        spec = files.write_set(tmp_path / folder, [files.record(0), files.record(1) | change], None)
        path = tmp_path / folder / "AniMINT.json"
        with case(name), raises(DataError, *expected, path=path) as caught:
            load_dataset(spec)
        assert caught.value.row == 2


DOUBTFUL: dict[str, tuple[dict[str, Any], str]] = {
    "after the end": ({"animation_end_frame": 24}, ("end_frame", 23, 24)),
    "outside": ({"ROI": [{"box": [0.5, 0.5, 1.2, 1]}]}, ("regions.0", "[0.5, 0.5, 1.2, 1]")),
    "empty": ({"meaning_human_responses": ["  "]}, ("meaning_responses.0",)),
    "none": ({"effects_human_responses": ["a", None]}, ("effect_responses.1",)),
    "nearly a purpose": ({"purpose_category": "highlights"}, ("highlights", "Highlight")),
    "no purpose": ({"purpose_category": "Fun"}, ("'Fun'", *PURPOSES)),
}


def test_what_is_wrong_with_records_that_can_be_read(tmp_path: Path) -> None:
    for folder, name, (change, expected) in folder_names(DOUBTFUL):
        with case(name):
            spec = files.write_set(tmp_path / folder, [files.record(0), files.record(1) | change])
            (message,) = found(spec, Severity.ERROR)
            path = f"{tmp_path / folder / 'AniMINT.json'}: "
            assert message.startswith(path)
            assert numbers_in(message.removeprefix(path))[0] == 2
            assert_carries(message, "'000001_000000'", *expected)


def test_without_videos_boxes_are_still_shares(tmp_path: Path) -> None:
    errors = found(files.write_set(tmp_path, [files.record(0, ROI=[{"box": [0, 0, 50, 60]}])], None), Severity.ERROR)
    box, missing = sorted(errors, key=lambda one: "000000_000000.mp4" in one)
    assert_carries(missing, "'000000_000000.mp4'")
    assert_carries(box, "regions.0", "unit", "[0, 0, 50, 60]")


def whole(labels: dict[str, int]) -> list[dict[str, Any]]:
    purposes = [purpose for purpose, count in labels.items() for _ in range(count)]
    return [files.record(number, purpose_category=purpose) for number, purpose in enumerate(purposes)]


def test_the_whole_set_is_counted(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, whole(README_COUNTS), None)
    (note,) = found(spec, Severity.WARNING)
    assert_carries(note, "README", "Feedback 40, Visualization 114", "Feedback 42, Visualization 115")
    files.write_set(tmp_path, whole(PAPER_COUNTS), None)
    *others, note_of_the_paper = found(spec, Severity.WARNING)
    assert any("Feedback" in one and numbers_in(one) == [40, 42] for one in others)
    assert note_of_the_paper != note
    assert sum(README_COUNTS.values()) == sum(PAPER_COUNTS.values()) == 300


def test_a_part_of_the_set_is_one_line(tmp_path: Path) -> None:
    spec = files.write_set(tmp_path, [files.record(0)])
    assert [numbers_in(one) for one in found(spec, Severity.WARNING)] == [[300, 1]]
