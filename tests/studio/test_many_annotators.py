"""Many people save at once, on Postgres, through a real server; some edits are sent twice, as after a lost answer."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from affordance.author.project import is_person, open_project
from affordance.author.records import Kind
from studio_world import Server, make_project, serving

PEOPLE = 12
STROKES = 3  # of each


def work(server: Server, number: int) -> int:
    """One person on a screen of their own, and all on the first one besides; how many strokes were saved."""
    chance = Random(number)
    version, saved = 1, 0
    for turn in range(STROKES):
        box = {"space": "pixel", "xyxy": [0, 0, 50 + number, 40 + turn]}
        own = {"kind": "region", "name": "1-0", "after": version, "set": {"box": box}}
        drawn = {"kind": "region", "name": f"n-{number}-{turn}", "after": 0, "set": {"box": box, "parent": "0-0"}}
        for screen, edit in (
            (f"screen-{number % 8 + 2}", drawn),
            ("screen-1", {**drawn}),
            (f"screen-{number + 10}", own),
        ):
            stroke = {"screen": screen, "key": chance.randbytes(16).hex(), "edits": [edit]}
            for again in (False, True) if chance.random() < 0.3 else (False,):
                answer = server.post("/api/strokes", stroke)
                assert answer.status == 200, answer.body
                assert answer.json["again"] is again
            saved += 1
        version += 1
    return saved


def test_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path, postgres_url: str) -> None:
    project = make_project(tmp_path / "project", screens=PEOPLE + 10, regions=3, db=postgres_url)
    with serving(project, "--db", postgres_url) as server:
        server.page()
        with ThreadPoolExecutor(PEOPLE) as pool:
            saved = sum(pool.map(lambda number: work(server, number), range(PEOPLE)))
        listed = {one["id"]: one["corrected"] for one in server.get("/api/screens").json["screens"]}
    assert saved == PEOPLE * STROKES * 3
    assert listed["screen-1"] == PEOPLE * STROKES
    with open_project(project, postgres_url, read_only=True) as opened:
        written = [
            one for one in opened.ledger.documents.changes_since(0, kinds=[Kind.REGION]) if is_person(one.author)
        ]
        assert sum(count for count, _ in opened.ledger.documents.edit_counts().values()) == saved
    assert len(written) == saved
    assert max(Counter((one.subject, one.version) for one in written).values()) == 1
    assert [one.id for one in written] == sorted(one.id for one in written)
