"""All tables and figures of a large report, against reading its verdicts once.

    python benchmarks/report.py [--models N] [--questions N] [--trials N] [--keep FILE] [--json]

A ledger is filled with 20 models x 2,753 questions x 3 trials of grounding and outcome questions. The measure is
reading all verdicts back once. Then everything that a person may ask for is made: rows with intervals and breakdowns,
all comparisons, the terminal's tables, the page with its figures, the exports; pictures aside, for there are none. In a
process of its own, so that its peak memory is its own. Always exits 0: a timing is a finding, not a test.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.question import AnswerOption, LocationFormat, Question, SingleChoice
from affordance.core.requests import CallSettings, Message, Request, Response, TokenUsage, request_key, transcript
from affordance.grounding.location_scoring import TargetTruth, score_location
from affordance.grounding.locations import location_to_text
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger

LIMIT_SECONDS, LIMIT_MEGABYTES = 10.0, 1000.0
# The published set: how many questions of each kind.
SHARES = {
    "function/ground-region": 442,
    "function/outcome-region": 447,
    "function/ground-element": 1076,
    "function/outcome-element": 788,
}
SIZE = (1920, 1080)
TAGS = {
    "action": ("click", "hover", "drag", "type"),
    "density": ("sparse (to 1)", "medium (to 3)", "dense (over 3)"),
    "group size": ("1-2", "3-4", "5-6", "7+"),
    "area": ("tiny (to 0.1%)", "small (to 0.5%)", "medium (to 2%)", "large (over 2%)"),
    "region type": ("primary", "navigation", "content", "interaction", "contextual", "others"),
    "platform": ("web", "desktop", "mobile"),
}
LETTERS = "ABCDEF"


def question(task: str, number: int, draw: random.Random) -> Question:
    tags = {**{tag: draw.choice(values) for tag, values in TAGS.items()}, "asked": f"Where is number {number}?"}
    cluster = f"screen-{number // 3}"
    if "ground" in task:
        x, y = draw.uniform(0, 1700), draw.uniform(0, 900)
        box = Box(CoordinateSpace.PIXEL, x, y, x + draw.uniform(8, 200), y + draw.uniform(8, 100))
        truth = TargetTruth(SIZE, (box,), alike=(Box(CoordinateSpace.PIXEL, 0, 0, 90, 90),)).to_text()
        grammar: LocationFormat | SingleChoice = LocationFormat("default", "element", SIZE, SIZE)
        tags["expression"] = "functionality"
    else:
        right = draw.choice(LETTERS)
        truth = json.dumps({"right": [right], "options": len(LETTERS), "multiple": False, "after": None})
        grammar = SingleChoice(tuple(AnswerOption(letter, letter, letter) for letter in LETTERS))
        tags["answers"] = "single"
    return Question(task, f"item-{number:04d}", {"n": 1}, (), {}, grammar, truth, {}, tags, cluster)


def verdict(asked: Question, skill: float, draw: random.Random) -> Verdict:
    if draw.random() < 0.02:
        return Verdict(AttemptStatus.UNPARSED, reason="no answer in the asked form")
    good = draw.random() < skill
    if isinstance(asked.answer_format, SingleChoice):
        right = json.loads(asked.truth)["right"][0]
        said = right if good else draw.choice(LETTERS)
        return Verdict(
            AttemptStatus.ANSWERED, said, float(said == right), detail={"mistake": draw.choice(("hard", "easy"))}
        )
    truth = TargetTruth.from_text(asked.truth)
    off = draw.uniform(0, 4) if good else draw.uniform(200, 400)
    box = truth.boxes[0]
    place = Box(CoordinateSpace.PIXEL, box.x1 + off, box.y1 + off, box.x2 + off, box.y2 + off)
    found = score_location(place, truth)
    detail = {"iou": found.iou, "numbers": [place.x1, place.y1, place.x2, place.y2]}
    return Verdict(AttemptStatus.ANSWERED, location_to_text(place), float(found.is_correct), detail=detail)


def fill(ledger: Ledger, models: int, questions: int, trials: int) -> None:
    draw = random.Random(0)
    total = sum(SHARES.values())
    asked = [
        question(task, number, draw) for task, share in SHARES.items() for number in range(share * questions // total)
    ]
    settings = {"protocol": "affordance", "seed": 0, "trials": dict.fromkeys(SHARES, trials), "prompts": {}}
    dataset = {"name": "AutoGUI-v2", "digest": "made", "kind": "screen", "items": len(asked), "synthetic": True}
    run = ledger.begin_run(RunRecord("bench", "bench", settings, dataset))
    for model in range(models):
        address = CallSettings(
            f"openai:model-{model:02d}", "http://127.0.0.1/v1", "default", "pack", {"temperature": 0}
        )
        skill = 0.3 + 0.6 * model / models
        for trial in range(trials):
            attempts = [(Attempt(run.id, one.id, address.model, "zero-shot", trial), one.task, one) for one in asked]
            ledger.add_attempts(attempts)
            for attempt, _, one in attempts:
                ask = Request(one.id, (Message("user", (one.tags["asked"],)),), one.answer_format)
                text = transcript(ask)
                record = RequestRecord(request_key(address, text, trial, ask.step), address, one.id, text, (), {})
                found = verdict(one, skill, draw)
                reply = Response(f"{found.answer}", usage=TokenUsage(1500, 30), seconds=1.0)
                ledger.add_response(attempt.id, (0, 0, 0), record, reply, run=run.id)
                ledger.add_verdict(attempt.id, found)


def measure(path: Path) -> dict[str, float]:
    from affordance.report.formats.csv import rows_to_csv
    from affordance.report.formats.latex import render_latex
    from affordance.report.formats.markdown import render_markdown
    from affordance.report.formats.terminal import render_text
    from affordance.report.page.html_report import html_report
    from affordance.report.paper_figures import write_figures
    from affordance.report.report_tables import report_tables
    from affordance.report.results import read_results
    from affordance.report.rows import rows_of_runs

    found = {}
    with open_ledger(path, read_only=True) as ledger, tempfile.TemporaryDirectory() as folder:
        runs = [summary.run for summary in ledger.run_summaries()]
        clock = time.perf_counter()

        def lap(name: str) -> None:
            nonlocal clock
            found[name] = time.perf_counter() - clock
            clock = time.perf_counter()

        found["verdicts"] = sum(1 for run in runs for _ in ledger.attempt_results(run.id))
        lap("read")
        results = read_results(ledger, runs)
        rows = rows_of_runs(results)
        lap("rows")
        tables = report_tables(rows, detail=True)
        written = [render_text(report_tables(rows)), render_markdown(tables), render_latex(tables), rows_to_csv(rows)]
        lap("tables")
        page = html_report(results, rows)
        lap("page")
        drawn = write_figures(Path(folder), rows)
        lap("figures")
    found["whole"] = sum(found[name] for name in ("rows", "tables", "page", "figures"))
    found["page_megabytes"] = len(page.encode()) / 1e6
    found["files"] = len(written) + len(drawn)
    found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--questions", type=int, default=sum(SHARES.values()))
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="fill this ledger, or use it if it is there")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.measure is not None:
        print(json.dumps(measure(options.measure)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "bench.db"
        if not path.exists():
            with open_ledger(path) as ledger:
                fill(ledger, options.models, options.questions, options.trials)
        command = [sys.executable, __file__, "--measure", str(path)]
        found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['verdicts']:,} verdicts read once: {found['read']:.1f} s")
    print(
        f"all tables and figures: {found['whole']:.1f} s (limit {LIMIT_SECONDS:.0f}), "
        f"{found['whole'] / found['read']:.1f} times the reading: reading again, and rows {found['rows']:.1f} s, "
        f"tables as text {found['tables']:.1f} s, page {found['page']:.1f} s ({found['page_megabytes']:.1f} MB), "
        f"figures {found['figures']:.1f} s"
    )
    print(f"peak memory: {found['megabytes']:.0f} MB (limit {LIMIT_MEGABYTES:.0f})")


if __name__ == "__main__":
    main()
