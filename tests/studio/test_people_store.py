"""People, links and sessions, in sqlite and Postgres."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from affordance.author.project import Project, create_project, open_project
from affordance.core.errors import EditConflict
from affordance.studio.people import People
from affordance.studio.refused import Refused
from affordance.studio.security import passwords
from affordance.studio.security.links import BadLink, Links, first_link
from affordance.studio.security.records import Kept, digest_of, key_of, tidy_name
from affordance.studio.security.rights import Role
from affordance.studio.security.sessions import IDLE, LONGEST, Sessions
from errors import raises

PASSWORD = "a few words that do"
BY = "person:test"
WEEK = timedelta(days=7)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """How hard passwords are to guess is tested elsewhere."""
    monkeypatch.setattr(passwords, "_N", 2**8)


both = pytest.mark.parametrize("project", ["sqlite", "postgres"], indirect=True)  # what databases may do otherwise


@pytest.fixture
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Project]:
    db = request.getfixturevalue("postgres_url") if getattr(request, "param", "") == "postgres" else None
    create_project(tmp_path / "project", db)
    with open_project(tmp_path / "project", db) as opened:
        yield opened


@pytest.fixture
def people(project: Project) -> People:
    return People(project.ledger, Clock())


def join(people: People, name: str, role: Role = Role.ANNOTATOR) -> str:
    links = Links(people)
    return links.join(links.invite(role, WEEK, BY), name, PASSWORD)


def written(people: People) -> int:
    return people.ledger.documents.last_revision_id()


@both
def test_somebody_joins_signs_in_and_nobody_else_does(people: People) -> None:
    key = join(people, "  Ann   Maier ")
    assert key == "ann maier"
    known = people.sign_in("ANN maier", PASSWORD)
    assert known is not None
    assert (known.person.name, known.person.role) == ("Ann Maier", Role.ANNOTATOR)
    assert people.sign_in("Ann Maier", "another one altogether") is None
    assert people.sign_in("Ben", PASSWORD) is None


@both
def test_a_link_is_used_once_by_twenty_at_once(project: Project) -> None:
    people = People(project.ledger)
    links = Links(people)
    token = links.invite(Role.PARTICIPANT, WEEK, BY)

    def enter(_: int) -> str | None:
        try:
            return links.enter(token)
        except BadLink:
            return None

    with ThreadPoolExecutor(20) as pool:
        names = [one for one in pool.map(enter, range(20)) if one is not None]
    assert len(names) == 1
    assert [one.document["used"] for one in project.ledger.documents.history(Kept.LINK, digest_of(token))] == [
        "",
        names[0],
    ]


@both
def test_those_who_join_by_one_link_at_once_are_one(project: Project) -> None:
    people = People(project.ledger)
    links = Links(people)
    token = links.invite(Role.ANNOTATOR, WEEK, BY)

    def enter(number: int) -> str | None:
        try:
            return links.join(token, f"name {number}", PASSWORD)
        except BadLink:
            return None

    with ThreadPoolExecutor(6) as pool:
        names = [one for one in pool.map(enter, range(6)) if one is not None]
    assert [one.key for one in people.all()] == names
    assert len(names) == 1


@both
def test_a_name_is_taken_once_by_many_at_once(project: Project) -> None:
    people = People(project.ledger)
    links = Links(people)
    tokens = [links.invite(Role.ANNOTATOR, WEEK, BY) for _ in range(6)]

    def enter(numbered: tuple[int, str]) -> str | None:
        number, token = numbered
        try:
            return links.join(token, "ann" if number % 2 else "ANN", PASSWORD)
        except Refused:
            return None

    with ThreadPoolExecutor(6) as pool:
        assert sum(one is not None for one in pool.map(enter, enumerate(tokens))) == 1
    assert len(people.all()) == 1
    assert len(links.open()) == 5  # the others can choose another name


def test_names_that_are_refused() -> None:
    for name, data in (
        ("", ()),
        ("   ", ()),
        ("x" * 65, (64, 65)),
        ("Ann\u202egnp.", ()),
        ("Ann\x1b[31m", ()),
        ("An\u200bn", ()),
        ("Participant-1", ("participant-",)),
        ("\ud800", ()),
    ):
        with raises(Refused, *data):
            tidy_name(name)
    for name in ("x" * 64, "Ann", "Participant", "李小龍"):
        assert tidy_name(name) == name


def test_names_that_are_the_same() -> None:
    pairs = (
        ("Ann", "ann"),
        ("STRASSE", "straße"),
        ("ﬁn", "FIN"),
        ("Ａnn", "Ann"),
        ("Cafe\u0301", "CAFÉ"),
        ("a  b", "A b"),
    )
    for one, other in pairs:
        assert key_of(tidy_name(one)) == key_of(tidy_name(other))
    assert key_of("Ann") != key_of("Anne")


def test_links_that_do_not_work_write_nothing(people: People) -> None:
    links = Links(people)
    clock = people.clock
    assert isinstance(clock, Clock)
    used = links.invite(Role.ANNOTATOR, WEEK, BY)
    links.join(used, "Ann", PASSWORD)
    revoked = links.invite(Role.ANNOTATOR, WEEK, BY)
    links.revoke(digest_of(revoked), BY)
    expired = links.invite(Role.ANNOTATOR, timedelta(days=1), BY)
    clock.now += timedelta(days=1)
    before = written(people)
    for token, reason in ((used, "used"), (revoked, "revoked"), (expired, "expired"), ("none", "unknown")):
        for attempt in (links.find, links.enter, lambda it: links.join(it, "Ben", PASSWORD)):
            with pytest.raises(BadLink) as bad:
                attempt(token)
            assert (bad.value.reason, bad.value.gone) == (reason, reason != "unknown")
    assert links.open() == []
    assert written(people) == before
    with pytest.raises(Refused):
        links.revoke(digest_of(revoked), BY)


def test_how_long_a_link_may_last(people: People) -> None:
    for days in (0, -1, 91):
        with raises(Refused, 1, 90, days):
            Links(people).invite(Role.ANNOTATOR, timedelta(days=days), BY)
    for days in (1, 90):
        assert Links(people).invite(Role.ANNOTATOR, timedelta(days=days), BY)


def test_a_new_password_by_link_ends_sessions_and_keeps_the_role(people: People) -> None:
    key = join(people, "Ann", Role.REVIEWER)
    sessions = Sessions(people.ledger, people.clock)
    token = sessions.begin(key, Role.REVIEWER)
    links = Links(people)
    assert links.join(links.invite(Role.ANNOTATOR, WEEK, BY, person=key), "", "another one altogether") == key
    assert sessions.find(token) is None
    assert people.sign_in("ann", PASSWORD) is None
    known = people.sign_in("ann", "another one altogether")
    assert known is not None
    assert known.person.role is Role.REVIEWER


def test_sessions_end_when_they_should(people: People) -> None:
    clock = people.clock
    assert isinstance(clock, Clock)
    sessions = Sessions(people.ledger, clock)
    join(people, "Root", Role.ADMINISTRATOR)
    key = join(people, "Ann")

    def begun() -> str:
        known = people.find(key)
        assert known is not None
        token = sessions.begin(key, known.person.role, known.person.epoch)
        assert sessions.find(token) is not None
        return token

    token = begun()
    sessions.end(token)
    assert sessions.find(token) is None
    token = begun()
    clock.now += IDLE
    assert sessions.find(token) is None
    token = begun()
    for change in (
        lambda: people.change_role(key, Role.REVIEWER, BY),
        lambda: people.change_password(key, "another one altogether", BY),
        lambda: people.end_sessions(key, BY),
        lambda: people.disable(key, True, BY),
    ):
        change()
        assert sessions.find(token) is None
        known = people.find(key)
        if known is not None and not known.person.disabled:
            token = begun()
    assert people.sign_in("ann", "another one altogether") is None
    people.disable(key, False, BY)
    assert people.sign_in("ann", "another one altogether") is not None


def test_a_session_goes_on_while_it_is_used_but_not_for_ever(people: People) -> None:
    clock = people.clock
    assert isinstance(clock, Clock)
    sessions = Sessions(people.ledger, clock)
    key = join(people, "Ann")
    began = clock.now
    token = sessions.begin(key, Role.ANNOTATOR)
    before = written(people)
    for _ in range(10):
        assert sessions.find(token) is not None
    assert written(people) == before  # not with every request
    while clock.now - began < LONGEST - timedelta(hours=10):
        clock.now += timedelta(hours=10)
        assert sessions.find(token) is not None
    clock.now = began + LONGEST
    assert sessions.find(token) is None


def test_the_last_administrator_stays(people: People) -> None:
    root = join(people, "Root", Role.ADMINISTRATOR)
    for change in (lambda: people.change_role(root, Role.ANNOTATOR, BY), lambda: people.disable(root, True, BY)):
        with raises(Refused, "Root"):
            change()
    other = join(people, "Other", Role.ADMINISTRATOR)
    people.disable(root, True, BY)
    with raises(Refused, "Other"):
        people.change_role(other, Role.REVIEWER, BY)
    people.disable(root, False, BY)
    people.change_role(other, Role.REVIEWER, BY)
    assert people.administrators() == [root]


@both
def test_administrators_who_join_at_once_all_do(project: Project) -> None:
    people = People(project.ledger)
    with ThreadPoolExecutor(3) as pool:
        keys = list(pool.map(lambda number: join(people, f"Root {number}", Role.ADMINISTRATOR), range(3)))
    assert people.administrators() == sorted(keys)


@both
def test_administrators_who_unmake_each_other_at_once_leave_one(project: Project) -> None:
    people = People(project.ledger)
    keys = [join(people, f"Root {number}", Role.ADMINISTRATOR) for number in range(6)]

    def unmake(key: str) -> None:
        try:
            people.change_role(key, Role.ANNOTATOR, BY)
        except (Refused, EditConflict):
            return

    with ThreadPoolExecutor(6) as pool:
        for _ in range(3):
            list(pool.map(unmake, keys))
            assert len(people.administrators()) >= 1
            for key in keys:
                people.change_role(key, Role.ADMINISTRATOR, BY)


def test_the_first_administrator_has_a_link_until_there_is_one(project: Project) -> None:
    links = Links(People(project.ledger))
    first = first_link(project)
    second = first_link(project)
    assert first is not None
    assert second is not None
    with pytest.raises(BadLink) as bad:
        links.find(first.removeprefix("/join/"))
    assert bad.value.reason == "revoked"
    links.join(second.removeprefix("/join/"), "Root", PASSWORD)
    assert first_link(project) is None


def test_old_hashes_are_made_anew_at_sign_in(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as weaker:
        weaker.setattr(passwords, "_N", 2**7)
        key = join(people, "Ann")
    before = people.find(key)
    assert before is not None
    assert before.person.password.startswith("scrypt$128$")
    assert people.sign_in("Ann", PASSWORD) is not None
    after = people.find(key)
    assert after is not None
    assert after.person.password.startswith("scrypt$256$")
    assert after.person.epoch == before.person.epoch


@both
def test_no_secret_is_written(people: People) -> None:
    links = Links(people)
    token = links.invite(Role.ADMINISTRATOR, WEEK, BY)
    key = links.join(token, "Ann", PASSWORD)
    session = Sessions(people.ledger, people.clock).begin(key, Role.ADMINISTRATOR)
    text = repr(people.ledger.documents.changes_since(0))
    assert digest_of(token) in text
    for secret in (token, session, PASSWORD):
        assert secret not in text


def test_people_are_no_documents_of_a_screen(project: Project, people: People) -> None:
    join(people, "Ann")
    assert project.screens() == []
    assert {one.scope for one in project.ledger.documents.latest(kind=Kept.PERSON)} == {""}


@both
def test_who_is_shut_out_by_another_process_is_out_at_once(project: Project, people: People) -> None:
    """As another server would: with a store of its own."""
    key = join(people, "Ann")
    here, there = Sessions(project.ledger, people.clock), Sessions(project.ledger, people.clock)
    tokens = [here.begin(key, Role.ANNOTATOR), there.begin(key, Role.ANNOTATOR)]
    for sessions in (here, there):
        assert all(sessions.find(token) is not None for token in tokens)
    there.end(tokens[0])
    assert here.find(tokens[0]) is None
    assert here.find(tokens[1]) is not None
    people.disable(key, True, BY)
    assert here.find(tokens[1]) is None
    assert there.find(tokens[1]) is None
