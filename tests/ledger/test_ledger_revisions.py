"""Documents of a project: every change is kept, and nobody overwrites anybody. On sqlite and on Postgres."""

from concurrent.futures import ThreadPoolExecutor

from affordance.core.errors import EditConflict, LedgerError
from affordance.ledger import (
    BatchKey,
    DocumentDraft,
    DocumentRevision,
    DocumentSelection,
    Ledger,
    SavedBatch,
    open_ledger,
)
from affordance.ledger.database_errors import NO_PERMISSION
from errors import raises


def draft(text: str, subject: str = "s/1-0", author: str = "person:ada", after: int | None = None) -> DocumentDraft:
    return DocumentDraft("region", subject, {"text": text}, author, subject.partition("/")[0], after)


def save(ledger: Ledger, stroke: BatchKey, *drafts: DocumentDraft) -> SavedBatch:
    return ledger.documents.save_edit_batch(
        stroke, DocumentSelection([(one.kind, one.subject) for one in drafts]), lambda _: drafts
    )


def test_every_version_stays(ledger: Ledger) -> None:
    for text in ("one", "two", "three"):
        ledger.documents.write([draft(text)])
    history = ledger.documents.history("region", "s/1-0")
    assert [(one.version, one.document["text"]) for one in history] == [(1, "one"), (2, "two"), (3, "three")]
    (current,) = ledger.documents.latest(kind="region", subject="s/1-0")
    assert current == history[-1]
    assert (current.author, current.scope) == ("person:ada", "s")


def test_an_earlier_version_is_restored_by_writing_it_again(ledger: Ledger) -> None:
    ledger.documents.write([draft("one")])
    ledger.documents.write([draft("two")])
    first, _ = ledger.documents.history("region", "s/1-0")
    ledger.documents.write([DocumentDraft(first.kind, first.subject, first.document, "person:bob", first.scope)])
    assert [one.document["text"] for one in ledger.documents.history("region", "s/1-0")] == ["one", "two", "one"]


def test_an_equal_document_is_not_written_again(ledger: Ledger) -> None:
    (one,) = ledger.documents.write([draft("same")])
    (two,) = ledger.documents.write([draft("same", author="person:bob")])
    assert two == one


def test_whoever_comes_second_is_told_and_nothing_of_theirs_is_written(ledger: Ledger) -> None:
    ledger.documents.write([draft("one")])
    ledger.documents.write([draft("hers", author="person:ada", after=1)])
    with raises(EditConflict, "region", "s/1-0", "person:ada", "2", "1"):
        ledger.documents.write([draft("beside", subject="s/1-1"), draft("his", author="person:bob", after=1)])
    assert ledger.documents.latest(subject="s/1-1") == []
    ledger.documents.write([draft("his", author="person:bob", after=2)])
    assert [one.document["text"] for one in ledger.documents.history("region", "s/1-0")] == ["one", "hers", "his"]


def test_saving_the_same_after_all_is_no_conflict(ledger: Ledger) -> None:
    """A connection that broke during the commit: the second try finds what the first one wrote."""
    ledger.documents.write([draft("one")])
    (written,) = ledger.documents.write([draft("two", after=1)])
    assert ledger.documents.write([draft("two", after=1)]) == [written]


def test_all_of_a_screen_is_found_at_once(ledger: Ledger) -> None:
    ledger.documents.write(
        [draft("a", "s/1-0"), draft("b", "s/1-1"), draft("c", "t/1-0"), DocumentDraft("screen", "s", {}, "x", "s")]
    )
    assert [one.subject for one in ledger.documents.latest(scope="s")] == ["s/1-0", "s/1-1", "s"]
    assert ledger.documents.subjects("region") == ["s/1-0", "s/1-1", "t/1-0"]


def test_all_versions_of_a_screen_are_found_at_once(ledger: Ledger) -> None:
    for text in ("one", "two", "three"):
        ledger.documents.write([draft(text, "s/1-0"), draft(text, "t/1-0"), draft("same", "s/1-1")])
    ledger.documents.write([DocumentDraft("type", "s/1-0", {"text": "card"}, "x", "s")])
    found = ledger.documents.histories_in_scope("s")
    assert list(found) == [("region", "s/1-0"), ("region", "s/1-1"), ("type", "s/1-0")]
    for (kind, subject), versions in found.items():
        assert versions == ledger.documents.history(kind, subject)
    assert ledger.documents.histories_in_scope("nowhere") == {}


def test_documents_are_the_newest_versions_for_every_filter(ledger: Ledger) -> None:
    for text in ("one", "two", "three"):
        ledger.documents.write(
            [draft(text, "s/1-0"), draft(text, "t/1-0"), DocumentDraft("type", "s/1-0", {"text": text}, "x", "s")]
        )
        ledger.documents.write([draft("same", "s/1-1")])
    latest = [
        versions[-1] for screen in ("s", "t") for versions in ledger.documents.histories_in_scope(screen).values()
    ]
    filters: list[dict[str, str]] = [{"scope": "s"}, {"kind": "region"}, {"subject": "s/1-0"}, {}, {"scope": "u"}]
    for asked in filters:
        wanted = [one for one in latest if all(getattr(one, name) == value for name, value in asked.items())]
        assert ledger.documents.latest(**asked) == sorted(wanted, key=lambda one: (one.kind, one.subject)), asked


def test_many_more_than_a_query_takes(ledger: Ledger) -> None:
    ledger.documents.write([draft(str(number), f"s/{number}") for number in range(1000)])
    again = ledger.documents.write([draft(str(number % 999), f"s/{number}") for number in range(1000)])
    assert [one.version for one in again] == [*([1] * 999), 2]


def test_text_that_databases_refuse(ledger: Ledger) -> None:
    ledger.documents.write([draft("a\0b \ud800 \x1a")])
    (one,) = ledger.documents.latest(kind="region")
    assert one.document["text"] == "a\0b \ud800 \x1a"


def test_several_writers_lose_nothing(where: str) -> None:
    with open_ledger(where) as one, open_ledger(where) as other:

        def save(number: int) -> None:
            (one, other)[number % 2].documents.write([draft(str(number), f"s/{number % 5}")])

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(save, range(60)))
        found = [ledger for subject in range(5) for ledger in one.documents.history("region", f"s/{subject}")]
    assert sorted(int(str(revision.document["text"])) for revision in found) == list(range(60))
    assert len({revision.id for revision in found}) == 60
    for subject in range(5):
        versions = [revision.version for revision in found if revision.subject == f"s/{subject}"]
        assert versions == list(range(1, 13))


def test_a_ledger_for_reading_only_says_so(where: str) -> None:
    open_ledger(where).close()
    with open_ledger(where, read_only=True) as ledger, raises(LedgerError, ledger.location) as error:
        ledger.documents.write([draft("one")])
    assert NO_PERMISSION.description not in str(error.value), "it says so before it tries"


def test_a_stroke_is_saved_once_however_often_and_by_how_many_it_is_sent(ledger: Ledger) -> None:
    stroke = BatchKey("k" * 32, "person:ada", "content")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: save(ledger, stroke, draft(f"try {number}")), range(16)))
    assert len({one.revisions[0].id for one in found}) == 1
    assert sum(one.is_new for one in found) == 1
    assert found[0].revisions[0].id == ledger.documents.last_revision_id() == 1
    assert len(ledger.documents.history("region", "s/1-0")) == 1
    (saved,) = ledger.documents.recent_edit_batches(5)
    assert (saved.batch, saved.revisions) == (stroke, found[0].revisions)


def test_a_stroke_of_which_nothing_could_be_made_is_not_taken_for_saved(ledger: Ledger) -> None:
    def fail(there: object) -> list[DocumentDraft]:
        raise ValueError("no")

    stroke = BatchKey("k", "person:bob", "content")
    with raises(ValueError, "no"):
        ledger.documents.save_edit_batch(stroke, DocumentSelection([]), fail)
    assert ledger.documents.recent_edit_batches(5) == []
    save(ledger, stroke, draft("mine"))
    assert len(ledger.documents.history("region", "s/1-0")) == 1


def test_a_stroke_is_made_of_all_that_was_wanted(ledger: Ledger) -> None:
    many = [draft(f"{number} a\0b \ud800", f"s/{number}") for number in range(300)]
    ledger.documents.write([*many, draft("else", "t/1"), DocumentDraft("type", "s/1", {}, "model", "s")])
    wanted = DocumentSelection([("region", f"s/{number}") for number in range(20)] + [("region", "t/1")], "s", "region")
    given: dict[tuple[str, str], DocumentRevision] = {}
    saved = ledger.documents.save_edit_batch(
        BatchKey("k", "person:ada", ""), wanted, lambda there: given.update(there) or many[:200]
    )
    assert set(given) == {("region", f"s/{number}") for number in range(300)} | {("region", "t/1")}
    assert given["region", "s/7"].document["text"] == "7 a\0b \ud800"
    assert [one.version for one in saved.revisions] == [1] * 200  # equal to what is there
    changed = [draft(f"new {number}\0", f"s/{number}") for number in range(200)]
    saved = save(ledger, BatchKey("l\0", "person:ada", ""), *changed)
    assert [one.version for one in saved.revisions] == [2] * 200
    assert ledger.documents.latest(subject="s/7", kind="region") == [saved.revisions[7]]
    assert ledger.documents.recent_edit_batches(1)[0].batch == BatchKey("l\0", "person:ada", "")


def test_news_are_what_was_written_since_in_the_order_of_writing(ledger: Ledger) -> None:
    ledger.documents.write([draft("a", "s/1-0"), draft("b", "t/1-0")])
    last = ledger.documents.last_revision_id()
    ledger.documents.write([draft("c", "t/1-1")])
    ledger.documents.write([draft("d", "s/1-0"), DocumentDraft("type", "s/1-0", {}, "model", "s")])
    assert [one.subject for one in ledger.documents.changes_since(last)] == ["t/1-1", "s/1-0", "s/1-0"]
    assert [one.kind for one in ledger.documents.changes_since(last, scope="s")] == ["region", "type"]
    assert [one.document for one in ledger.documents.changes_since(last, kinds=["type"])] == [{}]
    assert (
        ledger.documents.changes_since(last, kinds=[])
        == ledger.documents.changes_since(ledger.documents.last_revision_id())
        == []
    )


def test_what_no_person_wrote_is_found_below_what_people_did(ledger: Ledger) -> None:
    for text, author in (("one", "model"), ("two", "model"), ("three", "person:ada"), ("four", "person:bob")):
        ledger.documents.write([draft(text, author=author)])
    ledger.documents.write([draft("new", "s/n-1", author="person:ada")])
    (found,) = ledger.documents.latest(scope="s", exclude_author_prefix="person:")
    assert found.document["text"] == "two"


def test_some_documents_are_read_at_once(ledger: Ledger) -> None:
    ledger.documents.write([draft(f"{number}", f"s/{number}") for number in range(450)])
    ledger.documents.write([draft("again", "s/3")])
    found = ledger.documents.get_many([("region", f"s/{number}") for number in range(1000)])
    assert len(found) == 450
    assert {one.document["text"] for one in found if one.subject in ("s/3", "s/4")} == {"again", "4"}
    assert ledger.documents.get_many([]) == []
