"""The picture cache: the same bytes with it as without, whatever happens to the disk."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest
from media_files import ANYWHERE, RECIPES, numbered, render, source, write_still, write_video

from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageSpec
from affordance.media import RenderCache
from errors import raises


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return write_video(tmp_path / "clip.mp4", RECIPES["mp4"], map(numbered, range(30)))


def frames_of(clip: Path, step: int = 6) -> list[ImageSpec]:
    return [ImageSpec(source(clip), Fraction(index, 60)) for index in range(0, 30, step)]


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def replaced(clip: Path) -> None:
    """Put another clip in the place: who gives the old pictures has not looked at it."""
    write_video(clip, RECIPES["mp4"], [numbered(200)] * 30)


def test_the_same_bytes_as_rendering(clip: Path, tmp_path: Path) -> None:
    pictures = frames_of(clip)
    expected = render(pictures)
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    for _ in range(2):
        assert darkroom.get(pictures) == expected
        assert [b64decode(text, validate=True) for text in darkroom.get_base64(pictures)] == expected
    assert RenderCache(tmp_path / "cache", ANYWHERE).get(pictures) == expected


def test_one_file_for_the_frames_of_a_clip(clip: Path, tmp_path: Path) -> None:
    RenderCache(tmp_path / "cache", ANYWHERE).get_base64(frames_of(clip))
    assert len(files_in(tmp_path / "cache")) == 1


def test_memory_and_disk_spare_rendering(clip: Path, tmp_path: Path) -> None:
    pictures = frames_of(clip)
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    before = darkroom.get_base64(pictures)
    replaced(clip)
    assert darkroom.get_base64(pictures) == before
    assert RenderCache(tmp_path / "cache", ANYWHERE).get_base64(pictures) == before
    assert RenderCache(tmp_path / "other", ANYWHERE).get_base64(pictures) != before


def test_each_picture_can_be_had_alone_after_its_batch(clip: Path, tmp_path: Path) -> None:
    pictures = frames_of(clip)
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    expected = dict(zip(pictures, darkroom.get_base64(pictures), strict=True))
    (pack,) = files_in(tmp_path / "cache")
    clip.unlink()  # what is rendered from now on fails
    for there in (darkroom, RenderCache(tmp_path / "cache", ANYWHERE)):
        for wanted in ([pictures[2]], pictures[3:0:-1], [pictures[1], pictures[4], pictures[1]], pictures[::-1]):
            assert there.get_base64(wanted) == there.peek_base64(wanted) == [expected[one] for one in wanted]
    assert files_in(tmp_path / "cache") == [pack]


def test_only_what_is_missing_is_rendered(clip: Path, tmp_path: Path) -> None:
    pictures = frames_of(clip)
    expected = RenderCache(tmp_path / "other", ANYWHERE).get_base64(pictures)
    for some in (pictures[:1], pictures[1:3], pictures):
        RenderCache(tmp_path / "cache", ANYWHERE).get_base64(some)
    size = sum(map(len, expected))
    assert size < sum(file.stat().st_size for file in files_in(tmp_path / "cache")) < 1.2 * size, "each of them once"
    clip.unlink()
    assert RenderCache(tmp_path / "cache", ANYWHERE).get_base64(pictures) == expected


def test_one_broken_file_spoils_no_other(clip: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(clip.read_bytes()[:1000])
    good, bad = frames_of(clip)[0], ImageSpec(source(broken), Fraction(0))
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    for pictures in ([bad, good], [good, bad]):
        with raises(MediaError, broken):
            darkroom.get_base64(pictures)
    assert darkroom.peek_base64([good]) == darkroom.get_base64([good])


def test_several_sources_in_one_call_keep_their_order(clip: Path, tmp_path: Path) -> None:
    stills = [write_still(tmp_path / f"{index}.png", numbered(index)) for index in range(2)]
    frames = frames_of(clip)
    pictures = [ImageSpec(source(stills[1])), frames[2], ImageSpec(source(stills[0])), frames[0], frames[2]]
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    for _ in range(2):
        assert darkroom.get(pictures) == render(pictures)
    assert darkroom.get([]) == []


def test_a_damaged_file_is_rendered_again(clip: Path, tmp_path: Path) -> None:
    pictures = frames_of(clip, 12)
    expected = RenderCache(tmp_path / "cache", ANYWHERE).get_base64(pictures)
    (file,) = files_in(tmp_path / "cache")
    whole = file.read_bytes()
    damages = {
        "empty": b"",
        "truncated": whole[: len(whole) // 2],
        "one bit": whole[:200] + bytes([whole[200] ^ 1]) + whole[201:],
        "zeros": b"\0" * len(whole),
        "other magic": b"X" + whole[1:],
        "longer": whole + b"more",
    }
    for damage, damaged in damages.items():
        file.write_bytes(damaged)
        assert RenderCache(tmp_path / "cache", ANYWHERE).get_base64(pictures) == expected, damage
        assert file.read_bytes() == whole, damage


def test_threads_that_ask_for_the_same_render_it_once(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = frames_of(clip, step=1)
    opened: list[object] = []
    real_open = Path.open
    monkeypatch.setattr(Path, "open", lambda path, *rest, **more: opened.append(path) or real_open(path, *rest, **more))
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    start = threading.Barrier(8)

    def ask(_: int) -> list[bytes]:
        start.wait()
        return darkroom.get_base64(pictures)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))
    assert all(answer == answers[0] for answer in answers)
    assert opened.count(clip) == 1


def test_a_failure_reaches_everybody_and_is_not_kept(clip: Path, tmp_path: Path) -> None:
    pictures = frames_of(clip)
    hidden = clip.rename(tmp_path / "hidden.mp4")
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(darkroom.get_base64, pictures) for _ in range(4)]
    for future in asked:
        with raises(MediaError, clip):
            future.result()
    hidden.rename(clip)
    assert len(darkroom.get_base64(pictures)) == len(pictures)


def test_the_least_recently_used_leave_when_the_disk_share_is_full(clip: Path, tmp_path: Path) -> None:
    batches = [[picture] for picture in frames_of(clip, step=1)]
    RenderCache(tmp_path / "first", ANYWHERE).get_base64(batches[0])
    size = files_in(tmp_path / "first")[0].stat().st_size
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE, disk_bytes=10 * size, memory_bytes=0)
    favourite, later = None, time.time() + 3600
    for batch in batches:
        darkroom.get_base64(batch)
        favourite = favourite or files_in(tmp_path / "cache")[0]
        os.utime(favourite, (later, later))
    files = files_in(tmp_path / "cache")
    assert sum(file.stat().st_size for file in files) <= 10 * size * 1.25
    assert favourite in files
    assert len(files) >= 5


def test_memory_is_bounded(clip: Path, tmp_path: Path) -> None:
    batches = [[picture] for picture in frames_of(clip, step=1)]
    size = sum(len(text) for text in RenderCache(tmp_path / "cache", ANYWHERE).get_base64(batches[0]))
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE, memory_bytes=4 * size)
    expected = [darkroom.get_base64(batch) for batch in batches]
    assert darkroom._memory._size <= 4 * size
    assert [darkroom.get_base64(batch) for batch in batches] == expected


def test_a_folder_that_cannot_be_written_is_reported_once(
    clip: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE, memory_bytes=0)
    pictures = frames_of(clip)
    with caplog.at_level(logging.WARNING):
        assert darkroom.get(pictures) == render(pictures)
        assert darkroom.get(pictures[:2]) == render(pictures[:2])
    assert len([one for one in caplog.records if one.name.startswith("affordance")]) == 1
    assert str(tmp_path / "cache") in caplog.text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported_once(
    clip: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_to_full_device(_: Path, data: bytes) -> int:
        with Path("/dev/full").open("wb", buffering=0) as device:
            return device.write(data)

    monkeypatch.setattr(Path, "write_bytes", write_to_full_device)
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE, memory_bytes=0)
    with caplog.at_level(logging.WARNING):
        for batch in (frames_of(clip), frames_of(clip, 3)):
            assert darkroom.get(batch) == render(batch)
    assert len([one for one in caplog.records if one.name.startswith("affordance")]) == 1
    assert files_in(tmp_path / "cache") == []


WRITER = """
import sys
from fractions import Fraction
from pathlib import Path
from affordance.core.media_spec import ImageSpec
from affordance.media import RenderCache
clip, folder = Path(sys.argv[1]), Path(sys.argv[2])
print("ready", flush=True)
while True:
    cache = RenderCache(folder, {str(clip): clip}, disk_bytes=200_000, memory_bytes=0)
    for index in range(30):
        cache.get_base64([ImageSpec(str(clip), Fraction(index, 60))])
"""


def test_processes_share_a_folder_and_may_be_killed(clip: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    command = [sys.executable, "-c", WRITER, str(clip), str(folder)]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
        batches = [[picture] for picture in frames_of(clip, step=3)]
        expected = [render(batch) for batch in batches]
        for _ in range(2):
            darkroom = RenderCache(folder, ANYWHERE, disk_bytes=200_000, memory_bytes=0)
            assert [darkroom.get(batch) for batch in batches] == expected
    finally:
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
    assert [RenderCache(folder, ANYWHERE).get(batch) for batch in batches] == expected


def test_stray_temporary_files_are_swept_up(clip: Path, tmp_path: Path) -> None:
    darkroom = RenderCache(tmp_path / "cache", ANYWHERE)
    darkroom.get_base64(frames_of(clip))
    (kept,) = files_in(tmp_path / "cache")
    stray, fresh = kept.with_name("stray.tmp"), kept.with_name("fresh.tmp")
    stray.write_bytes(b"left by a killed process")
    fresh.write_bytes(b"being written by another process")
    os.utime(stray, (0, 0))
    RenderCache(tmp_path / "cache", ANYWHERE).get_base64(frames_of(clip, 3))
    assert kept.exists()
    assert fresh.exists()
    assert not stray.exists()


def test_other_files_in_the_folder_are_left_alone(clip: Path, tmp_path: Path) -> None:
    other = tmp_path / "home" / "my" / "own" / "thesis"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"years of work")
    RenderCache(tmp_path / "home", ANYWHERE, disk_bytes=0).get_base64(frames_of(clip))
    assert files_in(tmp_path / "home") == [other]


def test_a_folder_that_can_only_be_read_still_serves(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = frames_of(clip)
    expected = RenderCache(tmp_path / "cache", ANYWHERE).get_base64(pictures)
    replaced(clip)

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "utime", refuse)
    assert RenderCache(tmp_path / "cache", ANYWHERE).get_base64(pictures) == expected
