"""Two hundred people on one study at once, on Postgres, through a real server."""

import asyncio
from pathlib import Path

from study_crowd import check, everybody, served_study
from study_world import pairs_of

PEOPLE = 200
PER_PERSON = 2
ITEMS = 21  # so that the slots do not come out even
PER_ITEM = 20
MOST_SECONDS = 240.0  # after which it hangs


def test_two_hundred_people_at_once(tmp_path: Path, postgres_url: str) -> None:
    pairs_of(tmp_path / "pairs", ITEMS)
    consent = tmp_path / "consent.txt"
    consent.write_text("I agree to take part.", "utf-8")
    options = ("crowd", "--task", "behavior/choice", "--data", str(tmp_path / "pairs"), "--db", postgres_url)
    how = ("--per-item", str(PER_ITEM), "--per-person", str(PER_PERSON), "--consent", str(consent))
    with served_study(tmp_path, *options, *how) as link:
        crowd = asyncio.run(asyncio.wait_for(everybody(link, "crowd", PEOPLE), MOST_SECONDS))
        check(postgres_url, "crowd", crowd, PEOPLE, PER_PERSON, tmp_path / "cache")
    assert crowd.pictures == PEOPLE
    told = (tmp_path / "study-stderr.txt").read_text("utf-8")
    assert f"run crowd: {PEOPLE * PER_PERSON} of {ITEMS * PER_ITEM} answered" in told
