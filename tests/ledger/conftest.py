"""Every test that asks for `where` runs on sqlite and on Postgres."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from affordance.ledger import Ledger, open_ledger


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new ledger can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def ledger(where: str) -> Iterator[Ledger]:
    with open_ledger(where) as opened:
        yield opened
