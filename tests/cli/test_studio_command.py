"""`affordance studio`, as somebody types it: where it listens, what it says, and how it ends."""

import json
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from affordance.author.project import Origin, create_project
from affordance.author.taking_in import project_of
from errors import assert_user_error
from patience import PATIENCE, until
from studio_world import Server, make_project, serving

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("studio") / "shop", screens=1, regions=4)


def test_help_has_examples(here: Command) -> None:
    told = here("studio", "--help")
    assert told.returncode == 0
    for option in ("--host", "--sign-in", "--certificate", "--budget"):
        assert option in told.stdout
    assert [line for line in told.stdout.splitlines() if line.strip().startswith("affordance studio ")]


def test_what_is_neither_project_nor_dataset_is_told(here: Command, tmp_path: Path) -> None:
    dataset = tmp_path / "captured"
    dataset.mkdir()
    (dataset / "dataset.json").write_text("{}")
    for spec, data in (
        (str(dataset), ("dataset.json", "format")),
        ("screenspot:somewhere", ("somewhere",)),
        (str(tmp_path / "nothing"), ("nothing", "affordance author init")),
    ):
        assert_user_error(here("studio", spec), *data)
        assert not list(tmp_path.glob("*-project"))


def test_each_dataset_has_a_project_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    origins = [Origin(spec=f"/{number}/pairs", digest=f"d{number}") for number in range(3)]
    for origin, folder in zip(origins, ("pairs-project", "pairs-2-project", "pairs-3-project"), strict=True):
        assert project_of("pairs", origin) == (Path(folder), None)
        create_project(Path(folder), origin=origin)
    for origin, folder in zip(origins, ("pairs-project", "pairs-2-project", "pairs-3-project"), strict=True):
        assert project_of("pairs", origin) == (Path(folder), origin)
    moved, changed = Origin(spec="/new", digest="d1"), Origin(spec="/2/pairs", digest="new")
    assert project_of("pairs", moved) == (Path("pairs-2-project"), origins[1])
    assert project_of("pairs", changed) == (Path("pairs-3-project"), origins[2])


def test_mistakes_are_one_line(here: Command, project: Path) -> None:
    about = str(project / "project.json")
    for options, data in (
        (("--port", "70000"), ("--port", 65535)),
        (("--host", "no such host"), ("--host", "no such host")),
        (("--host", "192.0.2.1"), ("192.0.2.1",)),
        (("--certificate", about), ("--certificate", "--key")),
        (("--certificate", about, "--key", about), (about,)),
        (("--budget", "5"), ("--budget", "--model")),
        (("--model", "openai:"), ("openai:",)),
        (("--user", " "), ()),
        (("--key", "nowhere.pem"), ("nowhere.pem",)),
        (("--db", "postgresql://127.0.0.1/x"), ("--db",)),
        (("--model", "nosuch:model"), ("nosuch",)),
        (("--model", "openai:m"), ("OPENAI_API_KEY",)),
    ):
        told = here("studio", str(project), "--no-browser", *options)
        assert_user_error(told, *data)
        assert len(told.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_told_with_one_to_try(here: Command, project: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = here("studio", str(project), "--no-browser", "--port", str(port))
    assert_user_error(told, port, "--port")


def test_it_listens_on_this_computer_and_ends_when_asked(project: Path) -> None:
    with serving(project, "--user", "ana", limits={"affordance.studio.serving._ENDING": PATIENCE}) as server:
        assert server.url == f"http://127.0.0.1:{server.port}"
        answer = server.get("/api/screens")
        assert answer.status == 200
        assert "server" not in answer.headers
        server.kill9()
        server.restart()
        assert server.get("/api/screens").json == answer.json
        _finish_one(server, signal.SIGTERM)
        assert len(server.errors.splitlines()) == 1
        server.restart()
        _finish_one(server, signal.SIGINT)


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def _finish_one(server: Server, number: signal.Signals) -> None:
    """A request that is under way is answered; then it ends."""
    body = json.dumps({"screen": "screen-1", "boxes": {"1-0": [0, 0, 50, 50]}}).encode()
    server._page.clear()
    fields = {"Host": f"127.0.0.1:{server.port}", "Content-Type": "application/json", **server.page()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as under_way,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE),  # says nothing at all
    ):
        under_way.sendall(f"POST /api/problems HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode())
        under_way.sendall(body[:10])
        server.get("/api/types")  # by now the other has been begun
        server.process.send_signal(number)
        until(lambda: not _accepts(server.port))
        under_way.sendall(body[10:])
        assert under_way.recv(1 << 16).startswith(b"HTTP/1.1 200")
        assert server.process.wait() == 0


def test_for_others_there_are_sign_in_a_warning_and_a_first_link(project: Path) -> None:
    with serving(project, "--host", "127.0.0.2") as server:
        assert server.url == f"http://127.0.0.2:{server.port}"
        warnings = [line for line in server.errors.splitlines() if "HTTPS" in line]
        assert len(warnings) == 1
        assert server.link.startswith(f"{server.url}/join/")
        assert server.get("/api/screens").status == 401
        assert server.get(server.link.removeprefix(server.url)).status == 200


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the program openssl to make a certificate")
def test_https(project: Path, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )  # fmt: skip
    options = ("--host", "localhost", "--sign-in", "--certificate", str(certificate), "--key", str(key))
    with serving(project, *options) as server:
        assert server.url == f"https://localhost:{server.port}"
        assert [line for line in server.errors.splitlines() if server.url not in line and "HTTPS" in line] == []
        trusting = ssl.create_default_context(cafile=str(certificate))
        connection = HTTPSConnection("localhost", server.port, context=trusting, timeout=PATIENCE)
        connection.request("GET", "/sign-in")
        answer = connection.getresponse()
        assert answer.status == 200
        assert "Secure" in (answer.getheader("set-cookie") or "")
        connection.close()
