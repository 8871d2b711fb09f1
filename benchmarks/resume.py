"""How much later a run begins and ends because its ledger holds many responses of other runs.

    python benchmarks/resume.py [--responses N] [--own N] [--turns N] [--postgres URL] [--json]

Two ledgers, an empty one and one with a million responses that SQL wrote, are used in turns by the same commands, each
a process of its own: a new run of 21 questions, until the server has its first request; and the same command again,
until it ends. The measure is the difference between the two. Then a finished run of 200,000 answers of its own is
resumed, and its report is written. All on SQLite, and the first part on Postgres: a server is started if the `dev`
extra is installed, unless a URL of an empty database is given. Always exits 0: a timing is a finding, not a test.
"""

import argparse
import hashlib
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from affordance.core.model_name import ModelName
from affordance.core.paths import cache_dir
from affordance.core.requests import Response, TokenUsage, request_key, transcript
from affordance.datasets import DatasetCollection
from affordance.datasets.generated.primitive_clips import demo_clips
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.executor import PLAN_BATCH_SIZE
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import build_plan, choose_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.tasks.registry import resolve_tasks
from scale import postgres
from server import ANSWER

LIMIT = 2.0  # seconds later than in an empty ledger
MOST_TRIALS = 10_000
QUESTIONS = 20  # responses of other runs to each question there
OTHER = RunRecord("other", "other", {"tasks": ["motion/effect"], "prompts": {}}, {"name": "other", "digest": "other"})
TRANSCRIPT = json.dumps([["user", [{"picture": "0" * 32}, "Which effect does the clip show? " * 20]]])

# What one response brings with it, as statements on all of them. {n} is its number, {key}, {attempt} and {question} are
# digests made of it, {numbers} is where the numbers come from. All belong to the model that is going to be asked.
ROWS = (
    "INSERT INTO ledger_attempts SELECT {attempt}, 'other', {question}, 'motion/effect', 'openai:bench', 'zero-shot', "
    "{n} % {questions}, '' FROM {numbers}",
    "INSERT INTO ledger_asks SELECT {key}, {question}, 'openai:bench', 'http://127.0.0.1/v1', '', 'pack', "
    "'{{\"temperature\":0}}', {transcript} FROM {numbers}",
    "INSERT INTO ledger_replies SELECT {n}, {key}, 'other', 'stop', '', {false}, 1000, 10, NULL, 1.0, 'bench', 1, "
    "'2026-01-01', 'A', '' FROM {numbers}",
    "INSERT INTO ledger_steps SELECT {attempt}, 0, 0, 0, {n} FROM {numbers}",
    "INSERT INTO ledger_verdicts SELECT {n}, {attempt}, 'answered', 'move', 1.0, '', '{{}}', 'answered', 1.0, "
    "'2026-01-01' FROM {numbers}",
    'INSERT INTO ledger_verdict_origins SELECT {n}, {n}, \'{{"kind":"words"}}\', 2 FROM {numbers}',
    "INSERT INTO ledger_questions SELECT DISTINCT 'other', {question}, 'motion/effect', 'item', '{{}}', 'move', "
    "'{{}}', 'item' FROM {numbers}",
)


def fill(where: str, responses: int) -> None:
    """Writes the responses of another run."""
    with open_ledger(where) as ledger:
        ledger.begin_run(OTHER)
    on_postgres = "://" in where
    counted = f"generate_series(1, {responses}) AS n" if on_postgres else "numbers"
    values = {
        "n": "n", "key": "md5('key ' || n)", "attempt": "md5('attempt ' || n)",
        "question": f"md5('question ' || (n / {QUESTIONS}))", "questions": QUESTIONS, "numbers": counted,
        "transcript": f"'{TRANSCRIPT}'", "false": "false" if on_postgres else "0",
    }  # fmt: skip
    statements = [row.format(**values) for row in ROWS]
    if on_postgres:
        import psycopg

        with psycopg.connect(where) as server:
            for statement in statements:
                server.execute(statement)  # type: ignore[arg-type]
        return
    with closing(sqlite3.connect(where)) as file, file:
        file.create_function("md5", 1, lambda text: hashlib.md5(text.encode()).hexdigest(), deterministic=True)
        numbers = f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {responses}) "
        for statement in statements:
            file.execute(numbers + statement)


class Server:
    """Answers at once, and remembers when the first request came."""

    def __init__(self) -> None:
        self.first: float | None = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # a name that the library asks for
                outer.first = outer.first or time.perf_counter()
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(ANSWER)))
                self.end_headers()
                self.wfile.write(ANSWER)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @contextmanager
    def serving(self) -> Iterator["Server"]:
        thread = threading.Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def command(*arguments: str) -> float:
    """Seconds of a command of `affordance`."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "affordance", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "OPENAI_API_KEY": "none"},
    )
    return time.perf_counter() - start


def run_and_resume(where: str, server: Server, turn: int) -> tuple[float, float]:
    """Seconds until the first request of a new run, and of the same command again."""
    # Another seed asks other questions: none of their responses is there.
    again = ["run", "motion/effect", "--model", f"openai:bench@{server.url}", "--trials", "3", "--seed", str(turn)]
    again += ["--ledger", where, "--quiet"]
    server.first, start = None, time.perf_counter()
    command(*again)
    if server.first is None:
        raise SystemExit("the benchmark's own run sent nothing")
    return server.first - start, command(*again)


def compare(empty: Callable[[int], str], full: str, turns: int, responses: int) -> dict[str, float]:
    clock = time.perf_counter()
    fill(full, responses)
    filled = time.perf_counter() - clock
    with Server().serving() as server:
        run_and_resume(empty(turns), server, turns)  # warms up
        found = [(run_and_resume(empty(n), server, n), run_and_resume(full, server, n)) for n in range(turns)]
    median = statistics.median
    return {
        "responses": responses,
        "filling": filled,
        **{
            f"{name} {what}": median(turn[which][number] for turn in found)
            for which, name in enumerate(("empty", "full"))
            for number, what in enumerate(("first request", "resume"))
        },
    }


def own_run(path: Path, attempts: int) -> dict[str, float]:
    """Seconds of resuming a run of that many attempts that have all ended, and of its report."""
    clips = demo_clips(cache_dir())
    models = -(-attempts // (MOST_TRIALS * len(clips.items)))
    trials = -(-attempts // (models * len(clips.items)))
    (task,) = resolve_tasks(["motion/effect"])
    job = build_plan(RunConfig(tasks=(task,), trials=trials), DatasetCollection.single(clips))
    gallery = ThreadedMediaLoader(RenderCache(path.parent / "pictures", job.source_files()))
    again = [
        "run",
        "motion/effect",
        "--data",
        str(clips.root),
        "--trials",
        str(trials),
        "--ledger",
        str(path),
        "--quiet",
    ]
    with Server().serving() as server:
        names = [ModelName.parse(f"openai:bench-{number}@{server.url}") for number in range(models)]
        for name in names:
            again += ["--model", str(name)]
        clock = time.perf_counter()
        with open_ledger(path) as ledger:
            write_answers(
                ledger,
                ModelSet(job, names, gallery, ExecutionConfig()),
                ledger.begin_run(choose_run({}, job, None, False)),
            )
        gallery.close()
        filled = time.perf_counter() - clock
        resumed = command(*again)
        if server.first is not None:
            raise SystemExit("the benchmark's own run was not complete")
    report = command("report", "--format", "html", "--ledger", str(path), "-o", str(path.with_suffix(".html")))
    return {"attempts": models * trials * len(clips.items), "filling": filled, "resume": resumed, "report": report}


def write_answers(ledger: Ledger, cast: ModelSet, run: RunRecord) -> None:
    """What the runner writes of answers in one step."""
    for model in cast.models:
        planned = cast.plan_attempts(run, model)
        for start in range(0, len(planned), PLAN_BATCH_SIZE):
            ledger.add_attempts(
                [(one.attempt, "motion/effect", one.question) for one in planned[start : start + PLAN_BATCH_SIZE]]
            )
        for one in planned:
            (ask,) = next(one.strategy(one.question, one.prompts))
            text = transcript(ask)
            key = request_key(one.call_settings, text, one.attempt.trial, ask.step)
            reply = Response("A\nIt moves.", usage=TokenUsage(1000, 10), seconds=1.0, served_by="bench")
            asked = RequestRecord(key, one.call_settings, ask.question, text, ask.media, one.question.source_paths)
            written = ledger.add_response(one.attempt.id, ask.step, asked, reply, run=run.id)
            ledger.add_verdict(one.attempt.id, one.score(one.question, reply))
        written.result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--responses", type=int, default=1_000_000, help="of other runs")
    parser.add_argument("--own", type=int, default=200_000, help="attempts of the run that is resumed")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--postgres", metavar="URL", help="an empty database, instead of a server that is started")
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    options = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        full = str(folder / "full.db")
        found["sqlite"] = compare(lambda n: str(folder / f"empty-{n}.db"), full, options.turns, options.responses)
        Path(full).unlink()
        with postgres(options.postgres) as url:
            if url is not None:
                found["postgres"] = compare(schemas(url), url, options.turns, options.responses)
        found["own"] = own_run(folder / "own.db", options.own)
    show(found)
    if options.json:
        print(json.dumps(found))


def schemas(url: str) -> Callable[[int], str]:
    """Empty ledgers on the same server."""
    import psycopg

    def make(number: int) -> str:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f"CREATE SCHEMA IF NOT EXISTS empty_{number}")
        return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3Dempty_{number}"

    return make


def show(found: dict[str, dict[str, float]]) -> None:
    print(f"{'seconds':<10}{'responses':>11}{'':>4}{'':<16}{'empty':>8}{'full':>8}{'later':>8}{'limit':>8}")
    for database in ("sqlite", "postgres"):
        for what in ("first request", "resume") if database in found else ():
            row = found[database]
            empty, full = row[f"empty {what}"], row[f"full {what}"]
            print(
                f"{database:<10}{row['responses']:>11,.0f}{'':>4}{what:<16}{empty:>8.2f}{full:>8.2f}"
                f"{full - empty:>8.2f}{LIMIT:>8.2f}"
            )
    own = found["own"]
    print(f"a run of {own['attempts']:,.0f} answers: resumed in {own['resume']:.1f} s, report in {own['report']:.1f} s")


if __name__ == "__main__":
    main()
