"""What only the timeline of a clip tells, and what only watching it does."""

from pathlib import Path

import numpy as np
from dataset_samples import HEADER, Make

from affordance.datasets.check import check_dataset, check_folder
from affordance.datasets.dataset import Severity
from cases import case, folder_names
from errors import assert_carries
from moving_clips import Pixels, frames, slide, write_clip

ITEM = {"id": "a", "video": "media/a.mp4"}


def flicker(times: int, count: int = 60) -> list[Pixels]:
    """A picture that is bright and dark `times` in each 30 frames."""
    return [np.full((48, 64, 3), 250 if index * 2 * times // 30 % 2 else 5, np.uint8) for index in range(count)]


def watched(root: Path) -> list[tuple[Severity, str]]:
    return [(one.severity, str(one)) for one in check_dataset(str(root), on_progress=lambda *_: None).issues]


def test_more_than_three_flashes_in_a_second(make: Make, tmp_path: Path) -> None:
    for times, expected in ((3, 0), (4, 1)):
        video = write_clip(tmp_path / "a.mp4", flicker(times)).read_bytes()
        found = watched(make([ITEM], media={"a.mp4": video}, folder=f"of-{times}"))
        assert len(found) == expected
        for level, message in found:
            assert level is Severity.WARNING
            assert_carries(message, "'a'", 3, f" {times} ")


def test_a_video_that_breaks_in_the_middle_is_found_by_watching(make: Make, tmp_path: Path) -> None:
    content = bytearray(write_clip(tmp_path / "a.mp4", frames(slide)).read_bytes())
    data = content.index(b"mdat")
    middle = data + int.from_bytes(content[data - 4 : data], "big") * 9 // 10
    content[middle : middle + 200] = bytes(200)
    root = make([ITEM], media={"a.mp4": bytes(content)})
    assert list(check_folder(root)) == []
    ((level, message),) = watched(root)
    assert level is Severity.ERROR
    assert_carries(message, "'a'", "media/a.mp4")


def test_whoever_watches_is_told_how_far_it_is(make: Make, tmp_path: Path) -> None:
    video = write_clip(tmp_path / "a.mp4", flicker(1, 6)).read_bytes()
    root = make([ITEM, ITEM | {"id": "b"}, ITEM | {"id": "c", "video": "media/none.mp4"}], media={"a.mp4": video})
    steps: list[tuple[int, int]] = []
    check_dataset(str(root), on_progress=lambda *step: steps.append(step))
    assert steps == [(1, 3), (2, 3), (3, 3)]


TIMES: dict[str, tuple[str, int, list[int], bool]] = {
    "even": (".mp4", 30, list(range(12)), False),
    "a frame was dropped": (".mp4", 30, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12], True),
    "rounded to milliseconds": (".mp4", 1000, [round(one * 1000 / 30) for one in range(12)], False),
    "a GIF that takes turns": (".gif", 100, [0, 3, 7, 10, 13, 17, 20, 23, 27, 30, 33, 37], False),
    "a GIF that waits": (".gif", 100, [0, 4, 8, 12, 16, 96, 100, 104, 108, 112, 116, 120], True),
}


def test_variable_frame_rates(make: Make, tmp_path: Path) -> None:
    for folder, name, (suffix, rate, pts, uneven) in folder_names(TIMES):
        with case(name):
            video = write_clip(tmp_path / f"a{suffix}", frames(slide, len(pts)), fps=rate, pts=pts).read_bytes()
            items = [ITEM | {"video": f"media/a{suffix}"}]
            found = list(check_folder(make(items, media={f"a{suffix}": video}, folder=folder)))
            assert [one.severity for one in found] == [Severity.WARNING] * uneven
            assert all("'a'" in str(one) for one in found)


def test_a_still_is_no_clip(make: Make, image: bytes) -> None:
    (found,) = check_folder(make([ITEM | {"video": "media/a.png"}], header=HEADER, media={"a.png": image}))
    assert found.severity is Severity.ERROR
    assert_carries(str(found), "'media/a.png'")
