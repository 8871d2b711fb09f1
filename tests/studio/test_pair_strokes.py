"""Strokes on clips and pairs: on what they belong to, and with what their documents may be."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affordance.author.clip_records import Recording
from affordance.author.pair_records import Designs, Review
from affordance.author.project import Project, create_project, open_project, plain
from affordance.author.records import Kind
from affordance.ledger import DocumentDraft, SavedBatch
from affordance.studio.activity import last_deeds
from affordance.studio.entries import name_of
from affordance.studio.grounds import NoGround, check_ground
from affordance.studio.pair_reviews import Reviewed, agreement_of, open_points, review_agreement
from affordance.studio.pairs import Pairs
from affordance.studio.refused import Refused
from affordance.studio.strokes import Overtaken, Sent, save
from errors import assert_carries, raises

ANA, BEN, EVE = "person:Ana", "person:Ben", "person:Eve"
_keys = itertools.count(1)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as opened:
        clip = Recording(id="c", video="media/c.mp4", digest="c", width=100, height=80, frames=20, rate="10")
        both = {"digests": ["a", "b"], "sizes": [[100, 80], [90, 80]]}
        pairs = [
            Designs.model_validate({"id": name, "images": ["media/a.png", "media/b.png"], **both}) for name in "pq"
        ]
        drafts = [DocumentDraft(Kind.PAIR, one.id, plain(one), "init", one.id) for one in pairs]
        opened.ledger.documents.write([DocumentDraft(Kind.CLIP, "c", plain(clip), "init", "c"), *drafts])
        yield opened


def edit(kind: str, name: str, after: int, **values: Any) -> dict[str, Any]:
    return {"kind": kind, "name": name, "after": after, "set": values}


def send(project: Project, screen: str, *edits: dict[str, Any], author: str = ANA) -> SavedBatch:
    sent = {"screen": screen, "key": f"{next(_keys):032x}", "edits": list(edits)}
    return save(project, author, Sent.model_validate(sent))


def box(*xyxy: float) -> dict[str, Any]:
    return {"space": "pixel", "xyxy": list(xyxy)}


def rationale(after: int = 0, name: str = "n-1", **values: Any) -> dict[str, Any]:
    return edit("rationale", name, after, **{"reason": "It is larger.", "law": "Fitts’s Law", "place": 1, **values})


def test_a_stroke_changes_all_kinds_of_a_pair_at_once(project: Project) -> None:
    tags = edit("pair", "", 1, page_type="pricing", changes={"Button": ["Size"]})
    mask = edit("mask", "1", 0, brushes=[{"points": [[3, 4]], "radius": 5}])
    halves = edit("halves", "", 0, boxes=[box(0, 0, 40, 80), box(60, 0, 100, 80)], winner="second")
    saved = send(project, "p", tags, rationale(), mask, halves)
    assert [(one.kind, one.subject, one.scope, name_of(one), one.version) for one in saved.revisions] == [
        ("pair", "p", "p", "", 2),
        ("rationale", "p/n-1", "p", "n-1", 1),
        ("mask", "p/1", "p", "1", 1),
        ("halves", "p", "p", "", 1),
    ]
    assert saved.revisions[0].document["digests"] == ["a", "b"]  # the rest stays


def test_a_clip_is_its_own_ground(project: Project) -> None:
    saved = send(project, "c", edit("clip", "", 1, start_frame=2, end_frame=19, regions=[box(0, 0, 100, 80)]))
    assert (saved.revisions[0].subject, saved.revisions[0].document["end_frame"]) == ("c", 19)
    with pytest.raises(Overtaken):
        send(project, "c", edit("clip", "", 1, start_frame=3), author=BEN)


REFUSED: list[tuple[str, list[dict[str, Any]], tuple[object, ...]]] = [
    ("none", [rationale()], ("'none'",)),
    ("c", [rationale()], ("'c'",)),
    ("p", [edit("reviewed", "", 0, done=True)], ("'p'",)),
    ("p", [rationale(), edit("clip", "", 1, note="x")], ()),
    ("p", [edit("pair", "", 1, winner=1)], ("'winner'",)),
    ("p", [edit("pair", "", 1, digests=["x", "y"])], ("'digests'",)),
    ("p", [edit("pair", "", 1, aside=True)], ()),
    ("p", [edit("pair", "", 1, page_type=" ")], (1, 80)),
    ("p", [edit("pair", "", 1, device="x" * 81)], (1, 80)),
    ("p", [edit("pair", "", 1, changes={"Button": []})], ("Button",)),
    ("p", [edit("pair", "", 1, changes={"Button": ["Size", "Size"]})], ("Button",)),
    ("p", [rationale(law="Murphy’s Law")], ("Murphy’s Law",)),
    ("p", [rationale(reason="  ")], ("n-1",)),
    ("p", [rationale(neutral="")], ("n-1",)),
    ("p", [rationale(name="a/b")], ("a/b",)),
    ("p", [rationale(place=float("inf"))], ("inf",)),
    ("p", [edit("review", "1-Ben", 0, round=1, done=True)], ("1-Ben",)),
    ("p", [edit("review", "2-Ana", 0, round=1, done=True)], ("2-Ana",)),
    ("p", [edit("review", "0-Ana", 0, round=0)], ("round",)),
    ("p", [edit("review", "1-Ana", 0, round=1, missing=[" "])], ("1-Ana",)),
    ("p", [edit("mask", "2", 0, accepted=True)], (0, 1)),
    ("p", [edit("mask", "0", 0, brushes=[{"points": [], "radius": 5}])], ("points",)),
    ("p", [edit("halves", "", 0, boxes=[box(0, 0, 50, 80), box(50, 0, 101, 80)])], ("100x80",)),
    ("p", [edit("halves", "", 0, boxes=[box(0, 0, 50, 80)])], ("boxes",)),
    ("c", [edit("clip", "", 1, end_frame=20)], (0, 19)),
    ("c", [edit("clip", "", 1, start_frame=9, end_frame=3)], ("start_frame", "end_frame")),
    ("c", [edit("clip", "", 1, regions=[box(0, 0, 101, 80)])], ("100x80",)),
    ("c", [edit("clip", "", 1, digest="other")], ("'digest'",)),
]


def test_what_makes_no_sense_is_refused_in_one_line(project: Project) -> None:
    last = project.ledger.documents.last_revision_id()
    for screen, edits, data in REFUSED:
        with pytest.raises(Refused) as error:
            send(project, screen, *edits)
        assert_carries(str(error.value), *data)
        assert project.ledger.documents.last_revision_id() == last, edits


def test_a_law_that_a_dataset_came_with_may_stay(project: Project) -> None:
    old = {"reason": "Old.", "law": "Murphy’s Law", "place": 1.0}
    project.ledger.documents.write([DocumentDraft(Kind.RATIONALE, "p/r-1", old, "init", "p")])
    send(project, "p", edit("rationale", "r-1", 1, reason="New."))
    assert project.ledger.documents.get_many([(Kind.RATIONALE, "p/r-1")])[0].document["law"] == "Murphy’s Law"


def test_what_people_did_is_listed(project: Project) -> None:
    send(project, "p", rationale())
    send(project, "q", edit("mask", "1", 0, accepted=True), author=BEN)
    send(project, "c", edit("clip", "", 1, note="x"), author=EVE)
    deeds = last_deeds(project.ledger)
    assert [(one.who, one.screen, one.href) for one in deeds] == [
        ("Eve", "c", "/clips?clip=c"),
        ("Ben", "q", "/cleaning?screen=q&place=1"),
        ("Ana", "p", "/pairs?pair=p"),
    ]
    assert len({one.what for one in deeds}) == 3  # a change, an accepted mask, a rationale
    check_ground(project, "c")
    with raises(NoGround, "'x'"):
        check_ground(project, "x")


def test_the_list_follows_what_is_written(project: Project) -> None:
    pairs = Pairs(project)
    _, rows = pairs.rows()
    assert [(row["id"], row["rationales"], row["open"]) for row in rows] == [("p", 0, 0), ("q", 0, 0)]
    send(project, "q", rationale(reason="In the right version it is larger.", law=None))
    send(project, "q", edit("review", "1-Ben", 0, round=1, irrelevant=["n-1"], missing=["speed"]), author=BEN)
    assert pairs.rows()[1][1]["open"] == 0  # he is not through yet
    send(project, "q", edit("review", "1-Ben", 1, done=True, seen=["n-1"]), author=BEN)
    row = pairs.rows()[1][1]
    assert {name: row[name] for name in ("rationales", "lawless", "sided", "open", "round", "reviewed")} == {
        "rationales": 1,
        "lawless": 1,
        "sided": 1,
        "open": 2,
        "round": 1,
        "reviewed": ["Ben"],
    }
    send(project, "q", rationale(name="n-2", meets="speed"), edit("rationale", "n-1", 1, gone=True))
    row = pairs.rows()[1][1]
    assert (row["rationales"], row["open"]) == (1, 0)
    assert pairs.view("q")["wording"]["n-1"]["neutral"] == "In the better version it is larger."
    project.ledger.documents.write([DocumentDraft(Kind.RATIONALE, "q/n-2", {"reason": 5}, "person:Eve", "q")])
    assert_carries(pairs.rows()[1][1]["wrong"], "q/n-2")


def reviewed(person: str, seen: str, irrelevant: str = "", done: bool = True) -> Reviewed:
    return Reviewed(person, Review(round=1, seen=list(seen), irrelevant=list(irrelevant), done=done))


def test_agreement_of_two_reviewers_by_rationale_and_by_pair() -> None:
    two = [
        [reviewed("Ana", "abc", "a"), reviewed("Ben", "abc", "a")],
        [reviewed("Ana", "abd", "a"), reviewed("Ben", "ab", "b")],  # d came when Ben was through
        [reviewed("Ana", "a")],  # alone
    ]
    found = agreement_of(1, two)
    assert (found.people, found.pairs, found.rationales) == (("Ana", "Ben"), 2, 5)
    assert (found.same, found.same_pairs) == (3 / 5, 1 / 2)
    # Both call 2 of 5 irrelevant: 0.52 by chance.
    assert found.kappa == pytest.approx((0.6 - 0.52) / 0.48)
    three = [[*one, reviewed("Eve", "ab", "a")] for one in two[:2]]
    assert agreement_of(1, three).same == 2 / 4
    assert agreement_of(1, two[2:]).kappa is None


def test_agreement_of_a_project_by_round(project: Project) -> None:
    send(project, "p", rationale())
    for author in (ANA, BEN):
        name = f"1-{author.removeprefix('person:')}"
        send(project, "p", edit("review", name, 0, round=1, seen=["n-1"], done=True), author=author)
    send(project, "p", edit("review", "2-Ben", 0, round=2, irrelevant=["n-1"]), author=BEN)  # not done
    (found,) = review_agreement(project)
    assert (found.round, found.people, found.pairs, found.same, found.kappa) == (1, ("Ana", "Ben"), 1, 1.0, None)


def test_what_somebody_said_last_is_what_is_open() -> None:
    reviews = [
        Reviewed("Ben", Review(round=1, missing=["speed"], done=True)),
        Reviewed("Ben", Review(round=2, done=True)),
        Reviewed("Eve", Review(round=1, missing=["trust"], done=True)),
        Reviewed("Eve", Review(round=2, missing=["more"])),
    ]
    assert open_points({}, reviews) == 1
