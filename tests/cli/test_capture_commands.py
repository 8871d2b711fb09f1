"""`affordance capture animation | corpus` and `data make demo` as a person calls them."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cut_short
from affordance.capture import screens
from affordance.datasets.check import check_folder
from errors import assert_carries, assert_user_error
from patience import PATIENCE

PAGE = """<!doctype html><title>Box</title><style>
@keyframes go { to { transform: translateX(60px) } }
div { width: 20px; height: 20px; background: teal; animation: go 200ms both }
</style><div></div>"""


Command = Callable[..., subprocess.CompletedProcess[str]]


def test_an_animation_from_page_to_checked_dataset(here: Command, tmp_path: Path) -> None:
    (tmp_path / "box.html").write_text(PAGE)
    (tmp_path / "box.toml").write_text('size = "160x120"\nstill = 0.1\neffects = ["fade"]\n')
    done = here("capture", "animation", "box.html", "-o", "clips", "--twins", "reversed", "--strips", "s", "--quiet")
    assert done.returncode == 0, done.stderr
    first, odd = done.stdout.splitlines()
    assert_carries(first, "clips", 1, "move")
    assert_carries(odd, "box", "fade", "move")
    assert sorted(path.name for path in (tmp_path / "s").iterdir()) == ["box-reversed.png", "box.png"]
    assert list(check_folder(tmp_path / "clips")) == []

    assert_user_error(here("capture", "animation", "box.html", "-o", "clips"), "clips", "-o")
    shown = json.loads(here("capture", "animation", "box.html", "-o", "more", "--json").stdout)
    assert (shown["clips"], shown["effects"], shown["lost"]) == (1, {"move": 1}, {})


MISTAKES = {
    "trigger": (["--trigger", "clik"], ["'clik'", "'click'"]),
    "twins": (["--twins", "reverse"], ["'reverse'", "'reversed'"]),
    "target": (["--trigger", "hover"], ["hover", "--target"]),
    "size": (["--size", "9x9"], ["'9x9'"]),
}


def test_a_mistake_is_one_line(here: Command, tmp_path: Path) -> None:
    (tmp_path / "box.html").write_text(PAGE)
    for options, data in MISTAKES.values():
        done = here("capture", "animation", "box.html", "-o", "clips", *options)
        assert_user_error(done, *data)
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "clips").exists()


def test_where_nothing_moves_is_an_error(here: Command, tmp_path: Path) -> None:
    (tmp_path / "still.html").write_text("<p>Nothing moves.")
    done = here("capture", "animation", "still.html", "-o", "clips", "--seconds", "0.2", "--size", "160x120")
    assert_user_error(done, "still", "0.2")


def test_the_demo_data_is_unpacked_to_look_at(here: Command, tmp_path: Path) -> None:
    done = here("data", "make", "demo", "data")
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "data/clips", "data/pairs", "data/screens", "data/outcomes",
    ]  # fmt: skip
    assert_user_error(here("data", "make", "demo", "data"), "data")


def interrupted(folder: Path, arguments: list[str], how: signal.Signals) -> subprocess.CompletedProcess[str]:
    """A capture that gets the signal when it has written down a result."""
    command = [sys.executable, cut_short.__file__, "out/capture.journal", "2", str(how.value), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize(
    ("what", "suffix", "how"),
    [
        ("page", "png", signal.SIGINT),
        pytest.param("animation", "mp4", signal.SIGKILL, marks=pytest.mark.long),
    ],
)
def test_an_interrupted_capture_goes_on_where_it_was(
    here: Command, tmp_path: Path, what: str, suffix: str, how: signal.Signals
) -> None:
    (tmp_path / "pages").mkdir()
    for number in range(2):
        (tmp_path / "pages" / f"{number}.html").write_text(PAGE.replace("60px", f"{60 + number}px"))
        (tmp_path / "pages" / f"{number}.toml").write_text("still = 0.1\n")
    arguments = ["capture", what, "pages", "-o", "out", "--workers", "1", "--size", "160x120"]
    done = interrupted(tmp_path, arguments, how)
    assert done.returncode == (3 if how == signal.SIGINT else -9), done.stderr
    assert bool(done.stderr.strip()) or how == signal.SIGKILL
    first = next((tmp_path / "out" / "media").glob(f"0*.{suffix}"))
    written = first.stat().st_mtime_ns
    assert here(*arguments).returncode == 0
    assert first.stat().st_mtime_ns == written
    assert here(*[argument if argument != "out" else "whole" for argument in arguments]).returncode == 0
    assert (tmp_path / "out" / "items.jsonl").read_text() == (tmp_path / "whole" / "items.jsonl").read_text()
    names = [sorted(path.name for path in (tmp_path / one).rglob("*")) for one in ("out", "whole")]
    assert names[0] == names[1]


def test_an_interrupted_capture_of_other_pages_is_not_mixed_in(here: Command, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "0.html").write_text(PAGE + "<script src=app.js></script>")
    (tmp_path / "pages" / "app.js").write_text("document.title = 'Box'")
    arguments = ["capture", "page", "pages", "-o", "out", "--workers", "1", "--size", "160x120"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screens, "write_folder", interrupt)
        assert here(*arguments).returncode == 3
    (tmp_path / "pages" / "app.js").write_text("document.body.textContent = 'Another page'")
    assert_user_error(here(*arguments), "capture.journal:1:", "-o")


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt
