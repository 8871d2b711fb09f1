"""Two processes with one ledger: the same command is carried out once, and different models of a run side by side."""

import asyncio
import signal
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web
from killing import CONCURRENCY, begin, run_command, start_again, wait_for_most_answers

from affordance.core.attempts import AttemptStatus
from affordance.datasets import Dataset
from affordance.ledger import open_ledger
from behavior_data import published
from errors import INCOMPLETE, USER_ERROR, assert_carries
from forked import Forked, surroundings
from loopback import Loopback, Seen, after, completion, says_move
from patience import until

REQUESTS = 70  # of one model


def last_line(path: Path) -> str:
    return path.read_text("utf-8").strip().splitlines()[-1]


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    url: str = request.getfixturevalue("postgres_url")
    return url


def test_the_same_command_twice_sends_nothing_twice(clips: Dataset, pictures: Path, tmp_path: Path, where: str) -> None:
    with Loopback(after(0.05)) as server:
        server.most_answers = 10
        command = run_command("motion/effect", f"openai:test@{server.url}", str(clips.root), where)
        first = begin(command, pictures, tmp_path / "errors.txt")
        wait_for_most_answers(server, first)
        sent = until(lambda: len(server.seen) if len(server.seen) == 10 + CONCURRENCY else 0)
        second = start_again(command, pictures)
        assert second.returncode == USER_ERROR
        assert_carries(second.stderr.strip().splitlines()[-1], first.pid, "openai:test")
        assert len(server.seen) == sent, "the second has sent nothing"
        server.go_on()
        assert first.wait() == 0, (tmp_path / "errors.txt").read_text("utf-8")
        assert set(server.counts.values()) == {1}
        assert len(server.seen) == REQUESTS
        assert start_again(command, pictures).returncode == 0


def test_a_killed_command_is_begun_again_at_once(clips: Dataset, pictures: Path, tmp_path: Path) -> None:
    with Loopback(after(0.05)) as server:
        server.most_answers = 10
        command = run_command("motion/effect", f"openai:test@{server.url}", str(clips.root), tmp_path / "ledger.db")
        first = begin(command, pictures)
        wait_for_most_answers(server, first)
        first.kill()  # and is not waited for: its number is not free yet
        server.go_on()
        until(lambda: start_again(command, pictures).returncode == 0, going=lambda: first.code is None)
        first.wait()


@pytest.mark.parametrize("model", ["judge", "other"])
def test_models_of_a_judged_run_side_by_side(pictures: Path, tmp_path: Path, model: str) -> None:
    """With one judge, also where the second model is the judge."""

    async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion(f"Yes\n{seen.key}" if not seen.images else f"Reasons {seen.key}.")

    published(tmp_path / "set", [[(f"Part {one} of page {pair} is larger.", "Fitts’s Law", "Action")
                                  for one in range(2)] for pair in range(4)])  # fmt: skip
    ledger = tmp_path / "ledger.db"
    with Loopback(after(0.05, answers)) as server:
        server.most_answers = 2
        judge = f"openai:judge@{server.url}"
        make = partial(run_command, "behavior/rationale", data=f"wiserui:{tmp_path / 'set'}", ledger=ledger)
        commands = [[*make(f"openai:{name}@{server.url}"), "--judge", judge] for name in ("test", model)]
        processes = [begin(command, pictures, tmp_path / f"{n}.txt") for n, command in enumerate(commands)]
        until(lambda: {seen.body["model"] for seen in server.seen} >= {"test", model})
        server.go_on()
        codes = [process.wait() for process in processes]
        assert codes == [0, 0], [(tmp_path / f"{n}.txt").read_text("utf-8") for n in range(2)]
        # The judge is asked about some texts that are the same for both, which one finds if the other was first.
        assert {seen.number for seen in server.seen if seen.images} == {1}
        asked = Counter(bool(seen.images) for seen in server.seen)
        for command in commands:
            assert start_again(command, pictures).returncode == 0
        assert Counter(bool(seen.images) for seen in server.seen) == asked
    with open_ledger(ledger, read_only=True) as opened:
        (summary,) = opened.run_summaries()
    assert summary.attempts.by_status == {AttemptStatus.ANSWERED: 8}
    assert set(summary.judgements.by_status) == {AttemptStatus.ANSWERED}


SHORT = {"VOID_SECONDS": 1.5, "SAFE_SECONDS": 1.0, "RENEWAL_SECONDS": 0.2}


@pytest.mark.parametrize("seconds", [SHORT, pytest.param({}, marks=pytest.mark.long)])
def test_a_suspended_command_notices_that_another_has_taken_over(
    clips: Dataset, pictures: Path, tmp_path: Path, seconds: dict[str, float]
) -> None:
    limits = {f"affordance.ledger.leases.{name}": value for name, value in seconds.items()}
    errors, again = tmp_path / "first.txt", tmp_path / "second.txt"
    answered = [0]  # how often a question is, after the first ten

    async def answers(seen: Seen, request: web.Request) -> web.StreamResponse:
        is_held = len(server.seen) > 10
        while is_held and seen.number > answered[0]:
            await asyncio.sleep(0.01)
        return await says_move(seen, request)

    with Loopback(answers) as server:
        command = run_command("motion/effect", f"openai:test@{server.url}", str(clips.root), tmp_path / "ledger.db")

        def start(told: Path) -> Forked:
            return Forked(command[3:], surroundings(pictures), tmp_path / "output.txt", told, limits)

        first = start(errors)
        until(lambda: len(server.seen) == 10 + CONCURRENCY, going=lambda: first.code is None)
        first.send_signal(signal.SIGSTOP)
        sent = 10 + 2 * CONCURRENCY  # by both; the second sends what the first has no responses to
        while True:
            second = start(again)
            until(lambda second=second: len(server.seen) == sent or second.code)
            if second.code != USER_ERROR:
                break  # the first had its lease for a while
        answered[0] = 1
        first.send_signal(signal.SIGCONT)
        assert first.wait() == INCOMPLETE, errors.read_text("utf-8")
        assert_carries(last_line(errors), second.pid)
        assert len(server.seen) == sent, "it has sent nothing more"
        answered[0] = 2
        assert second.wait() == 0, again.read_text("utf-8")
        assert len(server.seen) == REQUESTS + CONCURRENCY
