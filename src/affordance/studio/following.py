"""All documents of some kinds, and then what is new of them: for what is kept in memory."""

from collections.abc import Collection, Iterator
from contextlib import closing

from affordance.ledger import DocumentRevision, Ledger
from affordance.studio.feed import Feed


class Following:
    """Not safe by itself: who keeps something has a lock around both."""

    def __init__(self, ledger: Ledger, kinds: Collection[str]) -> None:
        self._ledger = ledger
        self._kinds = kinds
        self._feed = Feed(ledger, kinds)
        self._begun = False  # whether anything was read yet

    @property
    def last(self) -> int:
        """The newest revision that is known."""
        return self._feed.last

    def each(self) -> Iterator[DocumentRevision]:
        """The first time, the newest version of each document; then what was written since. Some may come twice."""
        if not self._begun:
            self._feed.skip()
            with closing(self._ledger.documents.iter_latest(self._kinds)) as documents:
                yield from documents
            self._begun = True
        yield from self._feed.news()
