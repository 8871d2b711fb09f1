"""Records the runs and datasets of version 1, and what version 1 makes of them.

Made with the code of commit cb35761c6491815e442cb3969b84278ceb86d269; it does not run with any other:

    PYTHONPATH=SOURCE/src:SOURCE/tests python tests/data/version-1/record_runs.py

where SOURCE is a checkout of that commit. Writes `runs/` and `expected/` next to this file. Every path in the data is
relative to `runs/`, which is the current folder of every command.
"""

import csv
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "version_1"))

import animint_files
import datasets.pair_files as pair_files  # of the tests
import datasets.published_files as published_files
import inspect_loop
from datasets.picture_server import PictureServer, sends
from inspect_world import evaluated
from recorded_server import BASE_URL, RecordedServer, contains, number

from affordance.cli.main import run_command
from affordance.core.ask import Address, ask_key
from affordance.core.box import Box, Space
from affordance.datasets import (
    ChoiceOption, ChoiceQuestion, Clip, Header, Pair, Rationale, Screen, Target, read_collection, write_folder,
)
from affordance.datasets.clips import Input, Motion
from affordance.datasets.fetch import fetch_wiserui
from affordance.datasets.parts import Link
from affordance.datasets.polite import Manners
from affordance.ledger import open_ledger
from affordance.media import Quality, encode_image, write_video
from affordance.run.options import means_of
from affordance.run.requests import Asked, request_of
from affordance.run.session import perform
from affordance.run.settings import Settings
from affordance.studio.studies.made_of_runs import study_of_labels
from affordance.studio.studies.sources.task import task_study
from affordance.suites.registry import TASKS
from behavior_data import draw
from function_data import captured_screen, outcome, pixel, plain_outcomes, then_click, write_captured
from hub_server import HubServer
from study_world import right_side, study_world

COMMIT = "cb35761c6491815e442cb3969b84278ceb86d269"
RUNS, EXPECTED = HERE / "runs", HERE / "expected"

TOML = """\
# Defaults of the recorded runs: every kind of entry that version 1 knows.
ledger = "ledger.db"

[run]
concurrency = 4

[models."loop:one-image"]  # not sent: how many images it takes in a request
most_images = 1

[models."loop:viewer"]
video = true
max_tokens = 300

[prices]
"loop:plain" = { input = 0.5, output = 1.5 }

[providers.loop]
base_url = "http://127.0.0.1:18425/v1"
key_variable = "LOOP_PROVIDER_API_KEY"
key_required = false
"""

PURPOSES = ("Feedback", "Guidance", "Visualization")
SOUNDS = ("coal", "rice", "salt", "tea", "wool", "zinc")


# ---------------------------------------------------------------------------------------------------------- datasets


def header(kind: str, name: str) -> Header:
    return Header(
        format=1, kind=kind, name=name, licence="CC0-1.0", provenance="drawn by record_runs.py", synthetic=True
    )


def write_clips(folder: Path) -> None:
    """A square on a page: it moves, turns, grows, changes colour, fades or is blurred."""
    import cv2

    effects = ("move", "rotate", "size", "color", "fade", "blur")
    (folder / "media").mkdir(parents=True)

    def film(name: str, effect: str, frames: int = 45, start: int = 9, end: int = 26) -> None:
        pictures = []
        for index in range(frames):
            done = min(max((index - start) / (end - start), 0.0), 1.0)
            page = np.full((64, 96, 3), 240, np.uint8)
            page[:8] = (40, 60, 120)
            shade, side, angle, left = np.array([200.0, 40, 40]), 16, 0.0, 20
            match effect:
                case "move":
                    left += round(50 * done)
                case "rotate":
                    angle = 80 * done
                case "size":
                    side = round(16 + 20 * done)
                case "color":
                    shade = shade * (1 - done) + np.array([40, 60, 220.0]) * done
                case "fade":
                    shade = shade * (1 - done) + 240 * done
            corners = cv2.boxPoints(((left + 8.0, 36.0), (float(side), float(side)), angle)).astype(np.int32)
            cv2.fillPoly(page, [corners], [float(one) for one in shade])
            if effect == "blur" and done:
                page[16:56, 8:48] = cv2.GaussianBlur(page[16:56, 8:48], (0, 0), 0.1 + 4 * done)
            pictures.append(page)
        write_video(folder / "media" / f"{name}.mp4", pictures, Fraction(30), Quality.CLOSE)

    clips = []
    for place, (effect, thing) in enumerate(zip(effects, SOUNDS, strict=True)):
        film(thing, effect)
        clips.append(
            Clip(
                id=f"clip-{thing}", video=f"media/{thing}.mp4", platform=("web", "mobile")[place % 2],
                context=f"Somebody buys {thing}.", inputs=[Input(summary=f"They tapped {thing}.", type=["Click/Tap"])],
                effect=effect, purpose=PURPOSES[place % 3],
                regions=[Box(Space.UNIT, 0.1, 0.25, 0.9, 0.9)], start_frame=9, end_frame=26,
                effect_responses=[f"The {thing} slides.", f"The {thing} shakes."],
                meaning_responses=[f"The {thing} is in the cart.", f"{thing} was bought.", f"The shop has {thing}."],
            )
        )
    for original, kind, end in ((clips[0], "slower", 43), (clips[1], "reversed", 26)):
        name = f"{original.id.removeprefix('clip-')}-{kind}"
        film(name, original.effect or "", end=end)
        motion = Motion(
            trigger="load", trigger_frame=0, frames=45, fps=30, duration=600.0, ended=True, visible=True, digest="00",
            twin=kind,
        )
        changes = {"id": f"clip-{name}", "video": f"media/{name}.mp4", "end_frame": end, "motion": motion}
        clips.append(original.model_copy(update={**changes, "links": [Link(kind="twin", to=original.id)]}))
    write_folder(folder, header("clip", "recorded clips"), clips)


def write_pairs(folder: Path) -> None:
    laws = ("Fitts’s Law", "Hick’s Law", "Law of Proximity")
    pairs = []
    for index in range(4):
        images = [f"media/pair-{index}-{place}.png" for place in range(2)]
        for place, image in enumerate(images):
            draw(folder / image, 2 * index + place)
        reasons = [
            Rationale(reason=f"Part {place} of page {index} is larger.", law=laws[place], dimension="Action")
            for place in range(1 + index % 3)
        ]
        known: dict[str, Any] = {"winner": index % 2} if index < 3 else {"votes": [7, 2]}
        pairs.append(
            Pair(
                id=f"pair-{index}", images=images, goal=f"More visitors order part {index}." if index % 2 else None,
                context="A shop.", rationales=reasons, page_type="homepage", industry="Retail",
                device=("web", "mobile")[index % 2], changes={"Button": ["Color"]}, **known,
            )
        )
    write_folder(folder, header("pair", "recorded pairs"), pairs)


def write_screens(root: Path) -> None:
    """Two captured screens with their outcomes; and a screen with targets that somebody wrote down."""
    page, shop = captured_screen(), captured_screen("shop")
    hints = [outcome("page", one, f"A hint about {one.id} appears.", "hover") for one in page.elements[:2]]
    opened = outcome(
        "page", page.elements[3], "The menu about b3 closes.", suffix="steps",
        steps=[then_click(page.elements[3], "A menu opens."), then_click(page.elements[2], "The menu closes.")],
    )
    write_captured(root / "captured", [page, shop], [*plain_outcomes(page), *plain_outcomes(shop), *hints, opened])
    folder = root / "targets"
    folder.mkdir()
    (folder / "board.png").write_bytes((root / "captured" / "screens" / page.image).read_bytes())
    by_id = {one.id: one for one in page.elements}
    said = {
        name: {"functionality": f"Which one does {name}?", "description": f"The grey {name}", "intent": f"Use {name}"}
        for name in by_id
    }
    alike = [by_id[name].box for name in ("b0", "b2", "b3")]
    targets = [
        Target(id="one", level="element", box=by_id["b1"].box, action="click", group="g", alike=alike, **said["b1"]),
        Target(id="two", level="element", box=by_id["t2"].box, tags={"density": "dense"}, **said["t2"]),
        Target(id="three", level="element", polygon=[[20, 220], [100, 220], [60, 236]], **said["l0"]),
        Target(id="four", level="element", absent=True, functionality="Which one does x9?"),
        Target(id="five", level="region", box=pixel(10, 10, 300, 70), functionality="Where are b0 and b1?"),
    ]
    board = Screen(id="board", image="board.png", width=480, height=320, platform="web", targets=targets)
    write_folder(folder, header("screen", "recorded targets"), [board])


def write_choices(folder: Path) -> None:
    (folder / "media").mkdir(parents=True)
    (folder / "media" / "a.png").write_bytes(encode_image(np.full((40, 60, 3), 220, np.uint8)))
    options = [
        ChoiceOption(text="A menu opens.", origin="target"), ChoiceOption(text="It closes.", origin="hard"),
        ChoiceOption(text="It rings.", origin="easy"), ChoiceOption(text="Nothing happens.", origin="generated"),
    ]
    common = {"image": "media/a.png", "options": options, "target": pixel(5, 5, 30, 20)}
    items = [
        ChoiceQuestion(id="c-0", level="element", action="click", question="What happens?", answers=[0], **common),
        ChoiceQuestion(id="c-1", level="element", action="hover", question="And then?", answers=[2], **common),
        ChoiceQuestion(
            id="c-2", level="region", question="What is it for?", answers=[1],
            tags={"region type": "Others", "density_shipped": "dense"}, **common,
        ),
        ChoiceQuestion(id="c-3", level="region", question="Which apply?", answers=[0, 3], multiple=True, **common),
    ]
    write_folder(folder, header("choice", "recorded questions"), items)


def write_published(root: Path) -> None:
    """Small files in the forms in which others publish; all content is ours."""
    files = published_files
    animint_files.write_set(root / "animint", [animint_files.record(number) for number in (1, 2)])
    rows = [pair_files.row(index) for index in range(2)]
    pair_files.write_set(root / "wiserui", rows)
    autogui = root / "autogui-v2"
    files.write_parquet(autogui / "elements.parquet", [files.ELEMENT, files.ELEMENT | {"id": 5, "action_type": "hover"}])
    files.write_saved(autogui / "saved", [files.ELEMENT])
    files.write_parquet(autogui / "regions.parquet", [files.REGION])
    files.write_parquet(autogui / "element-outcomes.parquet", [files.ELEMENT_OUTCOME])  # FuncElemCap
    files.write_parquet(autogui / "region-outcomes.parquet", [files.REGION_OUTCOME])
    files.write_parquet(autogui / "region-outcomes-multi.parquet", [files.REGION_OUTCOMES])
    files.write_json(autogui / "older" / "questions.json", {"questions": [files.OLDER]})
    files.write_picture(autogui / "older" / "marked" / "a.png")
    osworld = [
        files.OSWORLD,
        files.OSWORLD | {"id": "a-1", "box_type": "polygon", "box_coordinates": [0, 0, 50, 0, 50, 50]},
        files.OSWORLD | {"id": "a-2", "box_type": "refusal", "box_coordinates": [0, 0, 0, 0]},
    ]
    files.write_picture(root / "osworld-g" / "images" / "a.png")
    files.write_json(root / "osworld-g" / "OSWorld-G.json", osworld)
    for name, file in (("screenspot", "screenspot_web.json"), ("screenspot-v2", "screenspot_web_v2.json")):
        files.write_picture(root / name / "screenspot_imgs" / "web_a.png")
        second = files.SCREENSPOT | {"bbox": [50, 30, 20, 20], "instruction": f"the second of {name}"}
        files.write_json(root / name / file, [files.SCREENSPOT, second])
    files.write_parquet(root / "screenspot-hub" / "data" / "test-0.parquet", [files.SCREENSPOT_HUB])
    files.write_picture(root / "screenspot-pro" / "images" / "cad" / "a.png")
    spots = [files.SCREENSPOT_PRO, files.SCREENSPOT_PRO | {"id": "cad_1", "instruction": "erase", "bbox": [90, 5, 120, 30]}]
    files.write_json(root / "screenspot-pro" / "annotations" / "cad.json", spots)
    own = root / "own-pairs"
    own.mkdir(parents=True)
    for place in range(2):
        draw(own / f"{place}.png", 20 + place)
    (own / "pairs.csv").write_text("id,first,second,winner,votes\nmine,0.png,1.png,first,5;1\n", encoding="utf-8")


PUBLISHED = {
    "animint:published/animint": "motion/purpose",
    "wiserui:published/wiserui": "behavior/choice",
    "pairs:published/own-pairs": "behavior/choice",
    "autogui-v2:published/autogui-v2/elements.parquet": "function/ground-element",
    "autogui-v2:published/autogui-v2/saved": "function/ground-element",
    "autogui-v2:published/autogui-v2/regions.parquet": "function/ground-region",
    "autogui-v2:published/autogui-v2/element-outcomes.parquet": "function/outcome-element",
    "autogui-v2:published/autogui-v2/region-outcomes.parquet": "function/outcome-region",
    "autogui-v2:published/autogui-v2/region-outcomes-multi.parquet": "function/outcome-region",
    "autogui-v2:published/autogui-v2/older": "function/outcome-region",
    "osworld-g:published/osworld-g": "function/ground-element",
    "screenspot:published/screenspot": "function/ground-element",
    "screenspot:published/screenspot-v2": "function/ground-element",
    "screenspot:published/screenspot-hub": "function/ground-element",
    "screenspot-pro:published/screenspot-pro": "function/ground-element",
}
OWN = ("clips", "pairs", "captured", "targets", "choices")


def write_predictions() -> None:
    """What others' models said: lines of our own, and a result file of ScreenSpot-Pro."""
    lines = [
        {"item": "board/one", "box": {"space": "pixel", "xyxy": [72, 20, 112, 60]}},
        {"item": "board/two", "point": {"space": "unit", "xy": [0.4, 0.4]}},
        {"item": "board/three", "reply": "Box: [40, 680, 200, 740]"},
        {"item": "board/four", "absent": True},
    ]
    Path("predictions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    details = [
        {"img_path": "images/cad/a.png", "prompt_to_evaluate": "draw a line", "pred": [25, 40], "bbox": [10, 20, 40, 60]},
        {"img_path": "images/cad/a.png", "prompt_to_evaluate": "erase", "pred": None, "bbox": [90, 5, 120, 30]},
    ]
    Path("results.json").write_text(json.dumps({"details": details}), encoding="utf-8")


def write_prompts() -> None:
    text = (
        "These frames are {rate} a second.\nOptions:\n{options}\n\nThe letter ({letters}) comes first, reasons after it."
    )
    path = Path("prompts/motion/effect/zero-shot.txt")
    path.parent.mkdir(parents=True)
    path.write_text(text + "\n", encoding="utf-8")


# ---------------------------------------------------------------------------------------------------------- commands


def run(task: str, data: str, *more: str, models: tuple[str, ...] = ("loop:plain",)) -> list[str]:
    named = [part for one in models for part in ("--model", one)]
    return ["run", *task.split(), "--data", data, *named, *more]


CLIPS, PAIRS, CAPTURED, TARGETS, CHOICES = (f"datasets/{name}" for name in OWN)
LEDGER = ("--ledger", "{ledger}")  # for commands of a group, which take no default from the file
STRATEGIES = ("zero-shot", "cocot", "self-refine", "ddcot", "debate-1", "debate-3")
EVERY = [part for one in STRATEGIES for part in ("--strategy", one)]

COMMANDS: list[list[str]] = [
    run("motion/effect", CLIPS, "--trials", "1", "--fps", "5", models=("baseline:pixels", "baseline:random", "oracle")),
    run("motion/effect", CLIPS, "--trials", "2", "--fps", "2", "--limit", "4", models=("loop:plain", f"openai:direct@{BASE_URL}")),
    run("motion/effect", CLIPS, "--trials", "3", "--fps", "2", "--limit", "3", "--seed", "5", "--protocol", "paper"),
    run("motion/effect", CLIPS, "--trials", "1", "--fps", "2", "--limit", "2", "--prompts", "prompts"),
    run("motion/purpose", CLIPS, "--fps", "2", "--cues", "all", "--limit", "2",
        models=("loop:plain", "baseline:random")),
    run("motion/purpose", CLIPS, "--fps", "2", "--cues", "none", "--limit", "2"),
    run("motion/purpose", CLIPS, "--fps", "2", "--cues", "context", "--limit", "2"),
    run("motion/purpose", CLIPS, "--fps", "2", "--cues", "caption,motion", "--limit", "2"),
    run("motion/purpose", CLIPS, "--fps", "2", "--protocol", "paper", "--most-frames", "2"),
    run("motion/purpose", CLIPS, "--limit", "2", "--input", "video", models=("loop:viewer",)),
    run("motion/meaning", CLIPS, "--fps", "2", "--limit", "2", "--judge", "loop:judge", "--summarizer", "loop:writer",
        "--reference", "both", "--judge-orders", "2"),
    run("motion/meaning", CLIPS, "--fps", "2", "--limit", "3", "--judge", "baseline:overlap", "--reference", "individual",
        models=("loop:plain", "baseline:people")),
    run("motion/twin", CLIPS, "--fps", "2", "--trials", "2", models=("loop:plain", "baseline:random")),
    run("motion/twin", CLIPS, "--fps", "2", "--fresh", "--name", "twins again"),
    run("behavior/choice", PAIRS, "--trials", "1", "--limit", "2", *EVERY),
    run("behavior/choice", PAIRS, "--trials", "2", "--limit", "2", "--goal", "shown", "--set", "temperature=0.7", "--set",
        "max_tokens=64", models=("loop:plain", "loop:thinker", "loop:gpt-5-mini", "loop:one-image")),
    run("behavior/choice", PAIRS, "--protocol", "paper", "--goal", "hidden", "--limit", "3"),
    run("behavior/choice", PAIRS, "--trials", "1", "--reasks", "1", "--strategy", "zero-shot", "--strategy", "cocot",
        "--strategy", "relabelled", "--name", "every ending", models=("loop:moody-0", "loop:moody-1")),
    run("behavior/rationale", PAIRS, "--trials", "2", "--judge", "loop:judge", "--name", "explained",
        models=("loop:plain", "loop:thinker")),
    run("behavior", PAIRS, "--limit", "2", "--judge", "baseline:overlap", models=("oracle", "baseline:random")),
    run("function/ground-element function/ground-region", CAPTURED, "--limit", "4",
        models=("loop:plain", "loop:gemini-2.5-pro", "loop:claude-sonnet-4", "loop:uground-v1-7b")),
    run("function/ground-element", TARGETS, "--expression", "all", models=("loop:plain", "oracle", "oracle:gemini")),
    run("function/ground-region", TARGETS, "--expression", "functionality", "--protocol", "paper"),
    run("function/ground-element", TARGETS, "--dialect", "gpt", "--expression", "intent"),
    run("function/ground-element", TARGETS, models=("replay:predictions.jsonl",)),
    run("function/ground-element", "screenspot-pro:published/screenspot-pro", "--name", "replayed results",
        models=("replay:results.json",)),
    run("function/outcome-element function/outcome-region", CAPTURED, "--limit", "4", "--seed", "3"),
    run("function/outcome-element function/outcome-region", CHOICES, "--trials", "2", "--protocol", "paper",
        models=("loop:plain", "oracle")),
    ["calibrate", "--model", "loop:ruler", "--json"],
    run("function/ground-element", TARGETS, "--dialect", "calibrated", models=("loop:ruler",)),
    *(run(task, spec, models=("baseline:random",)) for spec, task in PUBLISHED.items()),
    ["choose", "designs/old.png", "designs/new.png", "--model", "loop:plain", "--goal", "More orders", "--json"],
    run("behavior/choice", PAIRS, models=("study:which",)),
    ["judge", "certify", "--judge", "loop:judge", "--labels", "labels.csv", "--repeats", "1", "--json", *LEDGER],
    ["judge", "certify", "--judge", "baseline:overlap", "--labels", "labels.csv", "--json", *LEDGER],
    ["judge", "certify", "--judge", "loop:judge", "--labels", "study:labels", "--repeats", "2", "--json", *LEDGER],
]
INTERRUPTED = run("behavior/choice", PAIRS, "--strategy", "debate-1", "--trials", "1", "--name", "interrupted",
                  "--concurrency", "1", models=("loop:slow",))
UNSAVED = run("motion/effect", CLIPS, "--trials", "2", "--fps", "2", "--name", "unsaved", models=("loop:unsaved",))
COMPARISONS = [
    ["loop:plain", "baseline:random", "--task", "motion/purpose"],
    ["explained/loop:plain", "explained/loop:thinker"],
    ["every ending/loop:moody-0", "every ending/loop:moody-1", "--task", "behavior/choice"],
]
ESTIMATES = [
    [*run("behavior/choice", PAIRS, "--strategy", "debate-1", "--strategy", "cocot", "--trials", "1", "--estimate", "--json")],
    [*run("motion/effect", CLIPS, "--trials", "2", "--fps", "2", "--seed", "9", "--estimate", "--json")],
]
EXPORTED = ("every ending", "explained", "which", "replayed results")  # runs whose numbers are exported as CSV
PREFERENCES = [
    ["--from", "winner", "--test", "0.25"],
    ["--from", "study:which"],
    ["--from", "loop:plain", "--run", "@shown", "--goal", "hidden"],
]


def command(arguments: list[str], code: int = 0) -> str:
    """What a command prints to standard output."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        found = run_command([one.replace("{ledger}", "ledger.db") for one in arguments])
    if found != code:
        raise SystemExit(f"{arguments}: {found}, expected {code}\n{out.getvalue()}\n{err.getvalue()}")
    return out.getvalue()


def newest_run() -> str:
    return str(query("SELECT name FROM ledger_runs ORDER BY created DESC LIMIT 1")[0][0])


def query(text: str, where: str = "ledger.db") -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(where, timeout=30)) as connection:
        return connection.execute(text).fetchall()


def take_part() -> None:
    """A study of the task, whose participants answer; and one of labels for the judge."""
    settings = Settings(tasks=(TASKS["behavior/choice"],))
    data = read_collection(PAIRS)
    study = task_study("which", settings, 2, data, {"spec": PAIRS}, tutorial=False)
    with study_world("ledger.db", study, Path("cache")) as world:
        for place in range(2):
            seat = world.enter(code=f"person{place}")
            for slot in seat.slots:
                side = right_side(world.opened, slot)
                wrong = number("wrong", seat.code, slot) % 4 == 0
                given = {"side": {"first": "second", "second": "first"}[side] if wrong else side}
                world.answer(seat, slot, given)
            world.finish(seat)
    with open_ledger("ledger.db", read_only=True) as ledger:
        labels = study_of_labels(ledger, "labels", "explained", 12, tutorial=False)
        texts = {row["judgement"]: (row["text_a"], row["text_b"]) for row in label_rows()}
    with study_world("ledger.db", labels, Path("cache")) as world:
        seat = world.enter(code="labeller")
        slots = {one.id: one.item for one in world.opened.source.slots()}
        for slot in seat.slots:
            world.answer(seat, slot, {"yes": contains(*texts[slots[slot]])})
        world.finish(seat)


def label_rows() -> list[dict[str, str]]:
    with Path("labels.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def fill_in_labels() -> None:
    command(["judge", "sample", "--run", "explained", "-n", "16", "-o", "labels.csv", *LEDGER])
    rows = []
    for row in label_rows():
        for labeller in ("ana", "ben"):
            sure = labeller == "ana" or number("unsure", row["judgement"]) % 4 > 0
            yes = contains(row["text_a"], row["text_b"]) == sure
            rows.append({**row, "labeller": labeller, "label": "yes" if yes else "no"})
    with Path("labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def interrupt(server: RecordedServer) -> None:
    """Kill a run whose last responses are held back."""
    server.answered, server.most_answers = 0, 7
    process = subprocess.Popen([sys.executable, "-m", "affordance", *INTERRUPTED], stderr=subprocess.DEVNULL)
    wanted = "SELECT count(*) FROM ledger_replies r JOIN ledger_runs u ON u.id = r.run WHERE u.name = 'interrupted'"
    while process.poll() is None and (not query(wanted) or query(wanted)[0][0] < 7):
        time.sleep(0.1)
    time.sleep(1.0)  # for the verdicts
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    server.most_answers = None


def leave_unsaved(server: RecordedServer) -> None:
    """A run whose ledger is locked after some responses: the others are in a file."""
    options: Any = {"trials": 2, "fps": "2"}
    asked = Asked(["motion/effect"], ["loop:unsaved"], CLIPS, "ledger.db", options, (), name="unsaved")
    request = request_of(asked, means_of(6, 30.0, None), Path(os.environ["AFFORDANCE_CACHE"]), print)
    request = replace(request, means=replace(request.means, ledger_patience=2.0))
    server.answered = 0

    def lock() -> None:
        while server.answered < 4:
            time.sleep(0.005)
        with closing(sqlite3.connect("ledger.db", isolation_level=None, timeout=30)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            over.wait()
            connection.execute("ROLLBACK")

    over = threading.Event()
    thread = threading.Thread(target=lock)
    thread.start()
    _, progress = perform(request)
    over.set()
    thread.join()
    assert progress.interrupted, "the ledger was to be locked"
    Path("ledger.db.rescue.jsonl").rename("unsaved.jsonl")


def evaluate_in_inspect() -> None:
    """In a folder of its own: Inspect writes the state of the repository around it into its logs."""
    os.environ[inspect_loop.KEY_VARIABLE] = "a-key-of-nobody"
    logs = {
        "motion/effect": {"data": CLIPS, "fps": 2, "trials": 1},
        "behavior/rationale": {"data": PAIRS, "trials": 1, "judge": "baseline:overlap"},
    }
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("datasets", f"{folder}/datasets")
        os.environ["XDG_DATA_HOME"] = folder
        os.chdir(folder)
        for task, arguments in logs.items():
            evaluated(task, "loop/logged", Path("inspect"), arguments, model_base_url=BASE_URL, log_dir="inspect")
        os.chdir(RUNS)
        Path("inspect").mkdir()
        for place, path in enumerate(sorted(Path(folder, "inspect").glob("*.eval"))):
            shutil.copy(path, f"inspect/log-{place}.eval")


def fetch() -> None:
    """A folder that `data fetch` filled from a hub, and one of images that it asked for at their sources."""
    repo = {"README.md": b"# Ours\n", "notes/a.txt": b"abc\n"}
    with HubServer({"owner/name": repo}) as hub:
        os.environ["HF_ENDPOINT"] = hub.url
        command(["data", "fetch", "hub:owner/name", "fetched/hub", "--accept"])
        del os.environ["HF_ENDPOINT"]
    picture = pair_files.encoded(pair_files.screen(3))
    with PictureServer({"/0-b.png": sends(picture), "/0-a.png": sends(pair_files.encoded(pair_files.screen(4)))}) as server:
        rows = [
            pair_files.row(0, win_url=f"{server.url}/0-b.png", lose_url=f"{server.url}/0-a.png"),
            pair_files.row(1, win_url=f"{server.url}/gone.png", lose_url=None),
        ]
        Path("fetched/wiserui").mkdir(parents=True)
        Path("fetched/wiserui/WiserUI_Bench.json").write_text(json.dumps(rows), encoding="utf-8")
        fetch_wiserui(Path("fetched/wiserui"), manners=Manners(), referers={})


# ---------------------------------------------------------------------------------------------------------- expected

PROSE = frozenset({"warnings", "settings", "dataset", "created", "differing", "reason", "changed", "bootstrap", "reasons"})


def values(found: Any) -> Any:
    """Without sentences, times, and what later versions drop (the bootstrap interval, laws guessed from words)."""
    if isinstance(found, dict):
        return {key: values(value) for key, value in found.items() if key not in PROSE}
    return [values(one) for one in found] if isinstance(found, list) else found


def write(name: str, found: Any) -> None:
    EXPECTED.mkdir(exist_ok=True)
    (EXPECTED / name).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def report(*arguments: str) -> Any:
    """The rows without breakdowns, which are in the CSV, and without metrics that do not apply."""
    rows = values(json.loads(command(["report", "--format", "json", *arguments])))
    for row in rows:
        row.pop("breakdowns")
        row["metrics"] = {name: value for name, value in row["metrics"].items() if value is not None}
    return rows


def estimate(arguments: list[str]) -> Any:
    """How much would be asked; what it would cost rests on estimates of tokens, which may become better."""
    kept = ("model", "attempts", "ended", "asks", "pictures")
    return [{key: one[key] for key in kept} for one in json.loads(command(arguments))]


def write_fetched() -> None:
    os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"
    hub = json.loads(command(["data", "fetch", "hub:owner/name", "fetched/hub", "--accept", "--json"]))
    wiserui = json.loads(command(["data", "fetch", "wiserui", "fetched/wiserui", "--accept", "--json"]))
    write("fetched.json", {"hub": {key: hub[key] for key in ("name", "licence", "parts", "fetched")}, "wiserui": values(wiserui)})


def write_expected() -> None:
    listed = json.loads(command(["runs", "--json"]))
    ids = dict(query("SELECT name, id FROM ledger_runs"))
    for one in listed:
        del one["created"]
        one["id"] = ids[one["name"]]
    write("runs.json", listed)
    rows = query(
        "SELECT u.name, q.task, q.item, q.id, q.truth FROM ledger_questions q JOIN ledger_runs u ON u.id = q.run "
        "ORDER BY u.name, q.task, q.item, q.id"
    )
    questions: dict[str, dict[str, dict[str, list[str]]]] = {}
    for name, task, item, identity, _ in rows:
        questions.setdefault(name, {}).setdefault(task, {}).setdefault(item, []).append(identity)
    write("questions.json", questions)
    attempts = query(
        "SELECT u.name, a.id FROM ledger_attempts a JOIN ledger_runs u ON u.id = a.run WHERE a.subject = '' ORDER BY 1, 2"
    )
    by_run: dict[str, list[str]] = {}
    for name, identity in attempts:
        by_run.setdefault(name, []).append(identity)
    write("attempts.json", by_run)
    write("report.json", report())
    exported = [part for one in EXPORTED for part in ("--run", one)]
    (EXPECTED / "report.csv").write_text(command(["report", "--format", "csv", *exported]), encoding="utf-8")
    compared = [
        {"arguments": one, "found": values(json.loads(command(["compare", *one, "--json"])))} for one in COMPARISONS
    ]
    write("compare.json", compared)
    write("estimates.json", [{"arguments": one, "found": estimate(one)} for one in ESTIMATES])
    write_request_keys()
    write_datasets()
    write_preferences()


def write_request_keys() -> None:
    """For one question of every task, model and strategy: every request with all that its key is made of."""
    rows = query(
        "SELECT a.task, s.round, s.place, s.retry, a.trial, k.model, k.base_url, k.dialect, k.pack, k.parameters, "
        "k.transcript, k.key, a.model, a.strategy, a.question, r.served_by FROM ledger_steps s "
        "JOIN ledger_attempts a ON a.id = s.attempt JOIN ledger_runs u ON u.id = a.run "
        "JOIN ledger_replies r ON r.id = s.reply JOIN ledger_asks k ON k.key = r.key "
        "ORDER BY u.created, a.id, s.round, s.place, s.retry"
    )
    seen: dict[tuple[str, str, str], tuple[str, int]] = {}
    table = []
    for row in rows:
        name, number_, place, retry, trial, model, base_url, dialect, pack, parameters, transcript, key = row[:12]
        answering, strategy, question, served_by = row[12:]
        if seen.setdefault((name, answering, strategy), (question, trial)) != (question, trial):
            continue
        known = model.split(":")[0] in ("oracle", "replay") or model in ("baseline:people", "baseline:random")
        beside = question if known else f"{question} {served_by}" if model.startswith("study:") else ""
        address = Address(model, base_url, dialect, pack, json.loads(parameters))
        assert ask_key(address, transcript, trial, (number_, place, retry), beside) == key, (name, model, strategy)
        table.append(
            {
                "model": model, "base_url": base_url, "dialect": dialect, "pack": pack,
                "parameters": json.loads(parameters), "messages": json.loads(transcript), "trial": trial,
                "step": [number_, place, retry], "besides": beside, "key": key,
            }
        )
    unique = {one["key"]: one for one in table}
    write("request-keys.json", list(unique.values()))
    keys = [row[0] for row in query("SELECT key FROM ledger_asks ORDER BY key")]
    write("all-request-keys.json", keys)


def write_datasets() -> None:
    found = {}
    for spec in (*(f"datasets/{name}" for name in OWN), *PUBLISHED):
        data = read_collection(spec, Path(os.environ["AFFORDANCE_CACHE"]))
        items = {part.header.kind: [item.id for item in part.items] for part in data.parts}
        digests = {part.header.kind: part.digest() for part in data.parts}
        names = {part.header.kind: part.name for part in data.parts}
        found[spec] = {"described": data.described(), "items": items, "digests": digests, "names": names}
    write("datasets.json", found)


def write_preferences() -> None:
    shown = json.loads((EXPECTED / "runs.json").read_text())
    name = next(one["name"] for one in shown if one["settings"].get("goal") == "shown")
    found = []
    for given in PREFERENCES:
        arguments = [name if one == "@shown" else one for one in given]
        with tempfile.TemporaryDirectory() as folder:
            made = json.loads(command(["data", "preferences", PAIRS, "-o", f"{folder}/out", *arguments, "--json", *LEDGER]))
            files = {
                path.name: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
                for path in sorted(Path(f"{folder}/out/data").glob("*.jsonl"))
            }
        made.pop("folder")
        found.append({"arguments": arguments, "made": values(made), "files": files})
    write("preferences.json", found)


def write_repeats(commands: list[dict[str, Any]], server: RecordedServer) -> None:
    """What every command sends and prints when it is repeated, on a copy; and the reports of those that finish then."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "runs"
        shutil.copytree(RUNS, copy)  # with the cache: the calibration screens take seconds to draw
        os.chdir(copy)
        for one in commands:
            if one["name"] == "unsaved":
                Path("unsaved.jsonl").rename("ledger.db.rescue.jsonl")
            before = len(server.requests)
            printed = command(one["arguments"], one["code"])
            one["requests"] = len(server.requests) - before
            if "--json" in one["arguments"]:
                one["printed"] = values(json.loads(printed))
            if one["name"] in ("interrupted", "unsaved"):
                one["report"] = report("--run", one["name"])
        printed = json.loads(command(["import-log", "inspect", "--json"]))
        imported = [row for one in printed for row in report("--run", one["run"])]
        os.chdir(RUNS)
    write("import-log.json", {"printed": printed, "report": imported})


def main() -> None:
    for folder in (RUNS, EXPECTED):
        shutil.rmtree(folder, ignore_errors=True)
    RUNS.mkdir()
    os.chdir(RUNS)
    with RecordedServer() as server:
        os.environ["AFFORDANCE_CACHE"] = "cache"
        Path("affordance.toml").write_text(TOML, encoding="utf-8")
        write_clips(Path(CLIPS))
        write_pairs(Path(PAIRS))
        write_screens(Path("datasets"))
        write_choices(Path(CHOICES))
        write_published(Path("published"))
        write_predictions()
        write_prompts()
        for place, name in enumerate(("old", "new")):
            draw(Path(f"designs/{name}.png"), 30 + place)
        commands: list[dict[str, Any]] = []
        for arguments in COMMANDS:
            if "study:which" in arguments:
                fill_in_labels()
                take_part()
            started = time.monotonic()
            code = 3 if "every ending" in arguments else 0
            before = {row[0] for row in query("SELECT name FROM ledger_runs")} if Path("ledger.db").exists() else set()
            command(arguments, code)
            made = {row[0] for row in query("SELECT name FROM ledger_runs")} - before
            name = next((one for one in made if "summary" not in one), "")
            commands.append({"name": name, "arguments": [one for one in arguments if one != "--fresh"], "code": code})
            print(f"{time.monotonic() - started:5.1f} s  {name or ' '.join(arguments)}")
        interrupt(server)
        commands.append({"name": "interrupted", "arguments": INTERRUPTED, "code": 0})
        leave_unsaved(server)
        commands.append({"name": "unsaved", "arguments": UNSAVED, "code": 0})
        evaluate_in_inspect()
        fetch()
        with closing(sqlite3.connect("ledger.db", isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA page_size = 4096")
            connection.execute("VACUUM")
        write_expected()
        write_repeats(commands, server)
        write_fetched()
        for path in Path("fetched").rglob("*"):
            path.chmod(path.stat().st_mode | 0o200)
        Path("commands.json").write_text(json.dumps(commands, indent=1) + "\n", encoding="utf-8")
        shutil.rmtree("cache")
        Path("commit.json").write_text(json.dumps({"commit": COMMIT}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
