"""Many people in one study at once, on Postgres, through a real server."""

import asyncio
from pathlib import Path

import pytest

from affordance.author.project import open_as_project
from affordance.studio.security.records import utc_now
from affordance.studio.studies.opened import Studies
from affordance.studio.studies.standing import standing
from study_crowd import check, everybody, served_study
from study_world import pairs_of

PER_PERSON = 2
MOST_SECONDS = 240.0  # after which it hangs


@pytest.mark.parametrize(
    ("people", "items", "per_item"),  # more slots than needed, and not evenly many
    [(24, 7, 8), pytest.param(200, 21, 20, marks=pytest.mark.long)],
)
def test_many_people_at_once(tmp_path: Path, postgres_url: str, people: int, items: int, per_item: int) -> None:
    pairs_of(tmp_path / "pairs", items)
    consent = tmp_path / "consent.txt"
    consent.write_text("I agree to take part.", "utf-8")
    options = ("crowd", "--task", "behavior/choice", "--data", str(tmp_path / "pairs"), "--db", postgres_url)
    how = ("--per-item", str(per_item), "--per-person", str(PER_PERSON), "--consent", str(consent))
    with served_study(tmp_path, *options, *how) as link:
        crowd = asyncio.run(asyncio.wait_for(everybody(link, "crowd", people), MOST_SECONDS))
        check(postgres_url, "crowd", crowd, people, PER_PERSON, tmp_path / "cache")
    assert crowd.pictures == people
    with open_as_project(postgres_url) as project:
        studies = Studies(project, tmp_path / "cache")
        now = standing(project.ledger, studies.open(studies.study("crowd")), utc_now())
    assert (now.answered, now.planned) == (people * PER_PERSON, items * per_item)
