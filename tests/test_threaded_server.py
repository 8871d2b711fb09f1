import socket

import pytest

from loopback import Loopback
from patience import PATIENCE


def test_whoever_knocks_while_a_server_stops_is_not_left_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as client:
        client.settimeout(PATIENCE)
        with Loopback() as server:
            stop = server._stopping.set

            def knock() -> None:
                """In the server's own thread, so that it is let in right after the server has been told to stop."""
                client.connect(("127.0.0.1", int(server.url.split(":")[2].partition("/")[0])))
                server.loop.call_soon(stop)

            monkeypatch.setattr(server._stopping, "set", knock)
        assert client.recv(1) == b""
