"""`affordance capture outcomes` from the command line: killed, resumed, and given what it cannot use."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tries import capture, listening

import cut_short
from affordance.capture.sources import reopen_site
from affordance.cli.main import run_command
from affordance.core.digest import digest
from affordance.datasets import ActionOutcome, load_folder
from affordance.media import decode_image
from errors import assert_carries
from patience import PATIENCE

NAMES = ("One", "Two")
WORKERS = 2
MARK = "AFFORDANCE_TEST_MARK"


def page(at: str) -> str:
    """Buttons whose tries a server can count, and a menu for sequences of two."""
    tell = f"new Image().src = '{at}/' + this.textContent;"
    buttons = "".join(f"<button onclick=\"{tell} p.textContent = 'Did {name}'\">{name}</button>" for name in NAMES)
    return f"""<p id=p></p><button onclick="menu.hidden = false">Open</button>{buttons}
      <div role=menu id=menu aria-label=Menu hidden><button onclick="p.textContent = 'Pasted'">Paste</button></div>"""


@dataclass(frozen=True)
class Run:
    """A capture that was killed and resumed beside one that was not disturbed."""

    whole: Path
    resumed: Path
    journalled: list[str]  # the elements whose tries were written down before the end
    before: Counter[str]  # tries by element, until the end
    after: Counter[str]  # and since then
    leftover: list[str]  # processes of the killed run that stayed
    longer: dict[str, Any]  # what was printed when it was resumed with longer sequences


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("resume")
    with listening() as server:
        capture(folder, {"page.html": page(server.origin)}, allow=[server.origin])

        def command(out: Path, steps: int = 1) -> list[str]:
            options = ["--steps", str(steps), "--allow", server.origin, "--workers", str(WORKERS), "--json"]
            return ["capture", "outcomes", str(folder / "screens"), "-o", str(out), *options]

        whole, resumed = folder / "whole" / "out", folder / "resumed" / "out"
        output_of(command(whole))
        server.paths.clear()
        mark = str(uuid.uuid4())
        journalled = _kill_in_the_middle(command(resumed), resumed / "capture.journal", mark)
        leftover = _leftover(mark)
        before = Counter(path.strip("/") for path in server.paths)
        server.paths.clear()
        with (resumed / "capture.journal").open("a", encoding="utf-8") as journal:
            journal.write('["page-640x480-1x-light-en-US click@0:1/5", {"id": "torn')
        shutil.copytree(resumed, folder / "longer" / "out")
        output_of(command(resumed))
        after = Counter(path.strip("/") for path in server.paths)
        longer = output_of(command(folder / "longer" / "out", steps=2))
    return Run(whole, resumed, journalled, before, after, leftover, json.loads(longer))


def output_of(command: list[str]) -> str:
    with redirect_stdout(io.StringIO()) as output:
        assert run_command(command) == 0
    return output.getvalue()


def _kill_in_the_middle(command: list[str], journal: Path, mark: str) -> list[str]:
    """Kill as soon as some results are written; the elements that they are of."""
    done = subprocess.run(
        [sys.executable, cut_short.__file__, str(journal), "3", str(signal.SIGKILL.value), *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, MARK: mark},
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, "ended before it was killed"
    whole = journal.read_bytes().rpartition(b"\n")[0]
    lines = [json.loads(line) for line in whole.splitlines()]
    return [outcome["steps"][0]["element"] for _, outcome in lines if not isinstance(outcome, str)]


def _leftover(mark: str) -> list[str]:
    """Processes that have our mark in their environment, after some time to go."""
    found: list[str] = []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = [path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if mark.encode() in _read(path)]
        if not found:
            return []
        time.sleep(0.2)
    for number in found:
        os.kill(int(number), signal.SIGKILL)
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_the_resumed_dataset_is_the_one_of_an_undisturbed_run(run: Run) -> None:
    for name in ("dataset.json", "items.jsonl"):
        assert (run.resumed / name).read_text() == (run.whole / name).read_text()


def test_all_pictures_are_there_and_nothing_else(run: Run) -> None:
    files = [sorted(str(path.relative_to(root)) for path in root.rglob("*")) for root in (run.whole, run.resumed)]
    assert files[0] == files[1]
    assert not any("journal" in name or name.endswith(".part") for name in files[1])


def test_the_killed_run_was_in_the_middle(run: Run) -> None:
    assert run.journalled
    assert set(run.after) & set(NAMES)


def test_what_was_written_down_is_not_tried_again(run: Run) -> None:
    assert not set(run.journalled) & set(run.after) & set(NAMES)
    assert all(run.before[name] == 2 for name in run.journalled if name in NAMES)


def test_only_tries_in_flight_are_made_again(run: Run) -> None:
    again = {name: run.before[name] + run.after[name] for name in NAMES if run.before[name] + run.after[name] > 2}
    assert len(again) <= WORKERS
    assert max(again.values(), default=0) <= 4


def test_sequences_go_on_from_what_was_written_down(run: Run) -> None:
    assert run.longer["kept"] == {"click": 1 + len(NAMES), "2 steps": 1}


def test_a_sequence_goes_on_with_what_the_first_step_opened(run: Run) -> None:
    dataset = load_folder(run.resumed.parents[1] / "longer" / "out")
    by_key = {tuple(step.element for step in one.steps): one for one in dataset.items if isinstance(one, ActionOutcome)}
    one, two = by_key["Open",], by_key["Open", "Paste"]
    assert "Menu" in one.sentence
    assert ("Menu" in two.steps[0].sentence, "Pasted" in two.steps[1].sentence) == (True, True)
    assert two.sentence == two.steps[1].sentence
    assert two.change is not None
    assert two.change.added == ["Pasted"]
    before, after = (decode_image(dataset.media_path(step.image).read_bytes()) for step in two.steps)
    assert (after < 100).sum() > (before < 100).sum(), "the second step sees the menu"


def test_the_killed_run_leaves_no_browser_behind(run: Run) -> None:
    assert run.leftover == []


@pytest.fixture(scope="module")
def screens(run: Run) -> Path:
    """The captured page, which nothing changes."""
    return run.whole.parents[1] / "screens"


def test_tries_on_another_dataset_are_not_taken_over(
    screens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "capture.journal").write_text('["of", "something else"]\n["a", "b"]\n', encoding="utf-8")
    assert_carries(fails(["outcomes", str(screens), "-o", str(out)], capsys), f"{out / 'capture.journal'}:1:")


def test_a_damaged_journal_is_one_clear_line(screens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    journal = out / "capture.journal"
    dataset = load_folder(screens)
    site = reopen_site(dataset.header, dataset.root, None, [])
    head = json.dumps(["of", digest("outcomes", dataset.digest(), site.digest(out))])
    for line in ("not json", "[1, 2, 3]", '["key", {"id": "x"}]', '["key", 7]', "\x00\x00\x00"):
        journal.write_text(f"{head}\n{line}\n", encoding="utf-8")
        before = journal.read_bytes()
        assert_carries(fails(["outcomes", str(screens), "-o", str(out)], capsys), f"{journal}:2: ")
        assert journal.read_bytes() == before


def test_a_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere" in fails(["outcomes", str(tmp_path / "nowhere")], capsys)
    assert "nowhere" in fails(["page", str(tmp_path / "nowhere"), "-o", str(tmp_path / "out")], capsys)


def test_a_dataset_that_was_not_captured(screens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = copy_of(screens, tmp_path, capture=None)
    assert "affordance capture page" in fails(["outcomes", str(drawn)], capsys)
    assert not (drawn / "outcomes").exists()


def test_a_folder_that_is_no_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_carries(fails(["outcomes", str(tmp_path)], capsys), tmp_path)


def test_pages_that_have_moved(screens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moved = copy_of(screens, tmp_path, capture={"source": str(tmp_path / "gone"), "allowed": []})
    assert "--source" in fails(["outcomes", str(moved)], capsys)


@pytest.mark.parametrize(
    ("options", "data"),
    [
        pytest.param(["--action", "clik"], ["'clik'", "'click'"], id="unknown action"),
        pytest.param(["--browser", "/no/such/chromium"], ["--browser", "/no/such/chromium"], id="no browser there"),
        pytest.param(["--browser", "/bin/false"], ["/bin/false"], id="no browser at all"),
        pytest.param(["--allow", "example.org"], ["--allow", "'example.org'"], id="no origin"),
        pytest.param(["--steps", "0"], ["--steps", "0"], id="no steps"),
    ],
)
def test_options_that_cannot_be(
    screens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], data: list[str]
) -> None:
    assert_carries(fails(["outcomes", str(screens), "-o", str(tmp_path / "out"), *options], capsys), *data)


@pytest.mark.parametrize("command", ["page", "outcomes"])
def test_a_folder_with_something_else_in_it_is_not_written_to(
    screens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    source = screens if command == "outcomes" else screens.parent / "site"
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    assert_carries(fails([command, str(source), "-o", str(out)], capsys), out, "-o")
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]


def fails(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line about a mistake of the user."""
    capsys.readouterr()
    code = run_command(["capture", *arguments])
    printed = capsys.readouterr()
    assert code == 2, printed
    assert printed.out == ""
    [line] = printed.err.splitlines()
    return line


def copy_of(screens: Path, folder: Path, **changes: Any) -> Path:
    """A dataset with another header."""
    copy = folder / "screens"
    shutil.copytree(screens, copy)
    header = json.loads((copy / "dataset.json").read_text()) | changes
    kept = {name: value for name, value in header.items() if value is not None}
    (copy / "dataset.json").write_text(json.dumps(kept))
    return copy
