"""Secrets stay in the environment: plant some, let the endpoint repeat them, and search everything that is left."""

from pathlib import Path

import pytest
from aiohttp import web

from affordance.cli.main import run_command
from affordance.datasets import Dataset
from loopback import Loopback, Seen, completion

KEY, USER, PASSWORD, QUERY = "sk-planted-key-123456", "planted-user", "planted-password", "planted-query-789"


@pytest.mark.parametrize("failing", [False, True])
def test_no_secret_is_left_anywhere(
    clips: Dataset,
    pictures: Path,
    tmp_path: Path,
    failing: bool,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    addresses: list[str] = []

    async def behaviour(seen: Seen, request: web.Request) -> web.StreamResponse:
        addresses.append(str(request.url))
        told = f"You sent {seen.headers} to {request.url}"
        if failing:
            return web.json_response({"error": {"message": told}}, status=400)
        return completion(f"{seen.letter_of('Move')}\n{told}")

    with Loopback(behaviour) as server:
        url = server.url.replace("http://", f"http://{USER}:{PASSWORD}@") + f"?api-key={QUERY}"
        common = ["--ledger", str(tmp_path / "ledger.db")]
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("AFFORDANCE_CACHE", str(pictures))
        run = ["run", "motion/effect", "--model", f"openai:test@{url}", "--data", str(clips.root), "--trials", "1"]
        run += ["--key-env", "OPENAI_API_KEY"]
        assert run_command([*run, *common]) == (3 if failing else 0)
        commands = [
            ["report", "--format", "html", "-o", str(tmp_path / "report.html")],
            ["report", "--format", "json", "-o", str(tmp_path / "report.json")],
            ["runs", "--json"],
        ]
        assert [run_command([*command, *common]) for command in commands] == [0, 0, 0]
        printed = "".join(capfd.readouterr())
        assert all(seen.headers["Authorization"] == f"Bearer {KEY}" for seen in server.seen)
        assert all(asked.endswith(f"?api-key={QUERY}") for asked in addresses)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"motion/effect" in written
    assert "motion/effect" in printed
    for secret in (KEY, PASSWORD, QUERY):
        assert secret.encode() not in written
        assert secret not in printed


def test_the_password_of_a_summarizer_is_not_recorded(
    clips: Dataset, pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(pictures))
    monkeypatch.chdir(tmp_path)
    named = f"vllm:m@http://{USER}:{PASSWORD}@127.0.0.1:9/v1?api-key={QUERY}"
    Path("affordance.toml").write_text(f'[run]\nsummarizer = "{named}"\n', "utf-8")
    run = ["run", "motion/effect", "--model", "oracle", "--data", str(clips.root), "--trials", "1"]
    assert run_command([*run, "--ledger", "ledger.db"]) == 0
    written = b"".join(path.read_bytes() for path in tmp_path.glob("ledger.db*"))
    assert named.partition("@")[0].encode() in written
    assert not any(secret.encode() in written for secret in (USER, PASSWORD, QUERY))
