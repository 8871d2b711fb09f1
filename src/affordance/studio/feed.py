"""What was written since one looked last, for what is kept in memory."""

from collections.abc import Collection

from affordance.ledger import DocumentRevision, Ledger

_LOOKS = 32  # at the news, after which one looks where they end


class Feed:
    """Not safe by itself: who keeps something has a lock around both."""

    def __init__(self, ledger: Ledger, kinds: Collection[str], last: int = 0) -> None:
        self._ledger = ledger
        self._kinds = kinds
        self._looks = 0
        self.last = last  # whatever was written up to it is known, of whatever kind

    def skip(self) -> None:
        """What is there now is read in another way."""
        self.last = self._ledger.documents.last_revision_id()

    def news(self) -> list[DocumentRevision]:
        """Revisions of these kinds, in the order of writing. Some may come twice, none never. One query, mostly: every
        request of a page asks; so what is of no concern is passed over now and then, and not each time."""
        self._looks += 1
        newest = self._ledger.documents.last_revision_id() if self._looks % _LOOKS == 0 else self.last
        found = self._ledger.documents.changes_since(self.last, kinds=self._kinds)
        self.last = max(newest, found[-1].id if found else 0)
        return found
